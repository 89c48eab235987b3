"""Model files as they are handed over: ONNX and skops, run in a child process with limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.nearest import nearest
from engine.base.problems import Problem, Refused
from engine.base.scratch import PREFIX
from engine.base.watch import Watch
from engine.base.wording import listed
from engine.messages import say

from .child import from_npy, npy, pack, unpack
from .encoding import is_numeric, numbers, texts

CHILD_FLAG = "--model-child"
"""What a frozen program is started with to become the child (it has no ``python -m``)."""


@dataclass(frozen=True)
class Limits:
    """What a supplied model may use: ``seconds`` of time and ``megabytes`` of address space."""

    seconds: int = 300
    megabytes: int = 4096


@dataclass(frozen=True)
class Port:
    """An input or output of a model: name, type as the file tells it, shape (None: any)."""

    name: str
    type: str
    shape: tuple[int | None, ...]

    @property
    def width(self) -> int | None:
        """How many columns it takes a person; None where the file does not say."""
        return self.shape[1] if len(self.shape) > 1 else 1


@dataclass(frozen=True)
class Inspected:
    """What a model file says about itself."""

    kind: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]


def kind_of(path: Path) -> str:
    """``onnx`` or ``skops``, told from the content where it can be.

    Raises
    ------
    Refused
        For a pickle or joblib file (with the way to convert it), an empty, missing or other file.
    """
    if not path.is_file():
        raise _refuse(path, "models.file_missing")
    with path.open("rb") as file:
        head = file.read(4096)
    if not head:
        raise _refuse(path, "models.empty_file")
    suffix = path.suffix.lower()
    pickled = head[:1] == b"\x80" and head[1:2] in b"\x02\x03\x04\x05"
    if pickled or suffix in (".pkl", ".pickle", ".joblib", ".sav", ".dill", ".pt", ".pth"):
        raise _refuse(path, "models.pickle")
    if head[:4] == b"PK\x03\x04" and (suffix == ".skops" or b"schema.json" in path.read_bytes()):
        return "skops"
    if suffix == ".onnx" or head[:1] == b"\x08":
        return "onnx"
    raise _refuse(path, "models.unknown_kind")


def inspect(path: Path, *, limits: Limits | None = None, watch: Watch | None = None) -> Inspected:
    """Which inputs a model takes and which outputs it gives.

    Raises
    ------
    Refused
        Where the file is no model that can be used; the text says why.
    """
    kind = kind_of(path)
    head, _ = _ask(path, kind, {"task": "inspect"}, [], limits or Limits(), watch or Watch())

    def ports(side: str) -> tuple[Port, ...]:
        return tuple(Port(p["name"], p["type"], tuple(p["shape"])) for p in head[side])

    return Inspected(kind, ports("inputs"), ports("outputs"))


@dataclass
class ModelFile:
    """A supplied model (a :class:`~engine.models.base.Predictor`); see :func:`load`."""

    path: Path
    kind: str
    ports: tuple[Port, ...]
    inputs: Mapping[str, tuple[str, ...]]
    threshold: float
    output: str | None
    favourable: str | None
    high_is: str
    limits: Limits
    watch: Watch
    warnings: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the inputs are matched to."""
        return tuple(dict.fromkeys(c for columns in self.inputs.values() for c in columns))

    def describe(self) -> dict[str, Any]:
        """What it is, for result and certificate."""
        return {
            "kind": "model file",
            "name": self.name,
            "format": self.kind,
            "inputs": {name: list(columns) for name, columns in self.inputs.items()},
            "threshold": self.threshold,
            "output": self.output,
            "favourable": self.favourable,
            "high_is": self.high_is,
            "warnings": list(self.warnings),
        }

    def score(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        """The model's score a row, turned so that high is favourable; NaN where it gives none."""
        return self.both(frame)[0]

    def decide(self, frame: pd.DataFrame) -> NDArray[np.int8]:
        """1 where the score reaches the threshold (or stays below it, where high is bad)."""
        return self.both(frame)[1]

    def both(self, frame: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """Score and decision together, from one run of the model."""
        if not len(frame):
            return np.empty(0), np.empty(0, np.int8)
        names, kinds, blocks = [], [], []
        for port in self.ports:
            kind, block = self._block(port, frame)
            names.append(port.name)
            kinds.append(kind)
            blocks.append(block)
        task = {"task": "run", "names": names, "kinds": kinds}
        head, answers = _ask(self.path, self.kind, task, blocks, self.limits, self.watch)
        raw = self._pick(head["outputs"], [from_npy(a) for a in answers])
        if len(raw) != len(frame):
            raise _refuse(self.path, "models.output_rows", given=len(raw), asked=len(frame))
        known = np.isfinite(raw)
        favourable = raw >= self.threshold if self.high_is == "favourable" else raw < self.threshold
        score = np.where(known, raw if self.high_is == "favourable" else -raw, np.nan)
        return score, np.where(known, favourable, -1).astype(np.int8)

    def _block(self, port: Port, frame: pd.DataFrame) -> tuple[str, bytes]:
        columns = self.inputs[port.name]
        for column in columns:
            if column not in frame:
                guess = _guess(column, list(frame.columns))
                raise _refuse(
                    self.path, "models.column_missing", column=column, guess=guess, input=port.name
                )
        as_text = "string" in port.type or (
            port.type == "any" and not is_numeric(frame[columns[0]])
        )
        if as_text:
            blank = None if port.type == "any" else ""
            cells = texts(frame[columns[0]])
            lookup = [*(str(c) for c in cells.categories), blank]
            return "text", json.dumps([lookup[code] for code in cells.codes]).encode()
        for column in columns:
            found = numbers(frame[column])
            lost = ~np.isfinite(found) & frame[column].notna().to_numpy()
            if not is_numeric(frame[column]) and lost.any():
                raise _refuse(
                    self.path,
                    "models.column_text",
                    input=port.name,
                    column=column,
                    example=frame[column].iloc[int(lost.argmax())],
                )
        return "npy", npy(np.column_stack([numbers(frame[c]) for c in columns]))

    def _pick(self, told: list[dict[str, Any]], arrays: list[Any]) -> NDArray[np.float64]:
        """The score among the outputs: shares of classes before plain numbers before labels."""
        names = [t["name"] for t in told]
        if self.output is not None and self.output not in names:
            raise _refuse(
                self.path,
                "models.output_unknown",
                output=self.output,
                guess=_guess(self.output, names),
                outputs=listed(names),
            )

        def rank(i: int) -> int:
            if "labels" in told[i]:
                return 2
            return 0 if told[i]["classes"] or arrays[i].shape[1] == 2 else 1

        at = names.index(self.output) if self.output else min(range(len(told)), key=rank)
        one, values = told[at], arrays[at]
        if "labels" in one:
            labels = one["labels"]
            wanted = self.favourable if self.favourable is not None else "1"
            if self.favourable is None and "1" not in labels and not set(labels) <= {"0"}:
                raise _refuse(
                    self.path, "models.class_unknown", favourable="1", classes=listed(labels)
                )
            return np.asarray(np.array([x == wanted for x in labels], np.float64)[values])
        classes = one["classes"]
        width = values.shape[1]
        if width == 1:
            return np.asarray(values[:, 0], np.float64)
        if self.favourable is None:
            if width != 2:
                raise _refuse(self.path, "models.output_shape", output=one["name"], values=width)
            return np.asarray(values[:, 1], np.float64)
        classes = classes or [str(i) for i in range(width)]
        if self.favourable not in classes:
            raise _refuse(
                self.path,
                "models.class_unknown",
                favourable=self.favourable,
                classes=listed(classes),
            )
        return np.asarray(values[:, classes.index(self.favourable)], np.float64)


def load(
    *,
    path: Path,
    inputs: Mapping[str, str | Sequence[str]] | None = None,
    threshold: float = 0.5,
    output: str | None = None,
    favourable: str | None = None,
    high_is: str = "favourable",
    columns: Sequence[str] = (),
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> ModelFile:
    """Make a supplied model ready to decide.

    Parameters
    ----------
    path : Path
        An ONNX or skops file.
    inputs : mapping, optional
        Each input of the model to the column it takes (or columns, in order, for an input of
        several). Inputs left out are matched to the column of the same name.
    threshold : float
        The favourable decision is a score of at least this (below it, where high is
        unfavourable).
    output : str, optional
        Which output holds the score; without it shares of classes are taken before plain numbers,
        and numbers before labels.
    favourable : str, optional
        The class (or, where the model names none, the number from 0) that is favourable; without
        it the second of two.
    high_is : {"favourable", "unfavourable"}
    columns : sequence of str
        The columns there are.
    limits : Limits, optional
    watch : Watch, optional

    Raises
    ------
    Refused
        Where the file cannot be used or an input is not matched; the text names the mend.
    """
    found = inspect(path, limits=limits, watch=watch)
    given = dict(inputs or {})
    names = [port.name for port in found.inputs]
    if (
        isinstance(threshold, bool)
        or not isinstance(threshold, int | float)
        or not np.isfinite(threshold)
    ):
        raise _refuse(path, "models.threshold", given=threshold)
    for name in given:
        if name not in names:
            raise _refuse(
                path,
                "models.input_unknown",
                input=name,
                guess=_guess(name, names),
                inputs=listed(names),
            )
    matched: dict[str, tuple[str, ...]] = {}
    for port in found.inputs:
        taken = given.get(port.name, port.name if port.name in columns else None)
        if taken is None:
            raise _refuse(
                path,
                "models.input_unmatched",
                input=port.name,
                guess=_guess(port.name, list(columns)),
            )
        several = (taken,) if isinstance(taken, str) else tuple(taken)
        if port.width is not None and len(several) != port.width:
            raise _refuse(
                path, "models.input_width", input=port.name, expected=port.width, given=len(several)
            )
        for column in several:
            if columns and column not in columns:
                raise _refuse(
                    path,
                    "models.column_missing",
                    column=column,
                    guess=_guess(column, list(columns)),
                    input=port.name,
                )
        matched[port.name] = several
    if output is not None and output not in [port.name for port in found.outputs]:
        outputs = [port.name for port in found.outputs]
        raise _refuse(
            path,
            "models.output_unknown",
            output=output,
            guess=_guess(output, outputs),
            outputs=listed(outputs),
        )
    return ModelFile(
        path,
        found.kind,
        found.inputs,
        matched,
        float(threshold),
        output,
        None if favourable is None else str(favourable),
        high_is,
        limits or Limits(),
        watch or Watch(),
    )


def _guess(name: str, known: Sequence[str]) -> str:
    near = nearest(str(name), [str(k) for k in known])
    return f'; did you mean "{near}"?' if near else ""


def _refuse(path: Path, message: str, /, **fields: Any) -> Refused:
    return Refused(Problem(path.name, "", say(message, name=path.name, **fields)))


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, CHILD_FLAG]
    return [sys.executable, "-m", "engine.models.child"]


def _ask(
    path: Path,
    kind: str,
    task: dict[str, Any],
    blocks: list[bytes],
    limits: Limits,
    watch: Watch,
) -> tuple[dict[str, Any], list[bytes]]:
    """Start the child, hand it the request, wait within the limits, and read its answer."""
    head = {**task, "kind": kind, "megabytes": limits.megabytes, "seconds": limits.seconds}
    message = pack(head, [path.read_bytes(), *blocks])
    root = str(Path(__file__).resolve().parents[2])
    keep = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "TMPDIR", "TEMP")
    environment = {k: os.environ[k] for k in keep if k in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    environment |= threads | {"PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1"}
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX) as empty,
        subprocess.Popen(
            _command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=empty,
            env=environment,
        ) as process,
    ):
        got: list[bytes] = []
        talk = threading.Thread(
            target=lambda: got.append(process.communicate(message)[0]), daemon=True
        )
        talk.start()
        waited = 0.0
        try:
            while talk.is_alive() and waited < limits.seconds:
                watch.check()
                talk.join(0.1)
                waited += 0.1
        finally:
            late = talk.is_alive()
            if late:
                process.kill()
                talk.join()
    if late or process.returncode in (-24, 152):  # SIGXCPU
        raise _refuse(path, "models.time", seconds=limits.seconds)
    answer = got[0] if got else b""
    if process.returncode == -6:  # native code aborts where memory is refused
        raise _refuse(path, "models.memory", megabytes=limits.megabytes)
    if process.returncode or not answer:
        raise _refuse(path, "models.ended", ended=process.returncode)
    reply, found = unpack(answer)
    error = reply.get("error")
    if error == "untrusted":
        raise _refuse(path, "models.untrusted", types=listed(reply["types"]))
    if error == "memory":
        raise _refuse(path, "models.memory", megabytes=limits.megabytes)
    if error == "unreadable":
        raise _refuse(
            path,
            "models.unreadable",
            kind=kind.upper() if kind == "onnx" else kind,
            why=reply["why"],
        )
    if error:
        raise _refuse(path, "models.failed", why=reply["why"])
    return reply, found
