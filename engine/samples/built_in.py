"""The built-in samples: shipped as a folder under ``resources/samples``, or made from a seed."""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.messages import say

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "samples"
PLAN = "plan.json"


MADE = ("sme",)
"""Samples that a module of this room makes: its ``files()`` gives their bytes by name."""


def names() -> list[str]:
    """The names of the samples, sorted."""
    return sorted([*(path.parent.name for path in FOLDER.glob(f"*/{PLAN}")), *MADE])


def purpose(name: str) -> str:
    """What a sample shows, in a sentence. Loads nothing heavy."""
    if name in MADE:
        return say(f"cli.sample_{name}")
    case = json.loads(files(name)[PLAN]).get("case") or {}
    return str(case.get("purpose") or "")


def files(name: str) -> dict[str, bytes]:
    """A sample's files by name: data, plan, and a note on where the data come from.

    Raises
    ------
    Refused
        For a name that is none, with the nearest.
    """
    if name not in names():
        hint = mend(name, names(), otherwise="the samples are")
        raise Refused(Problem("", "", say("cli.sample_unknown", name=name, mend=hint)))
    if name in MADE:
        made: dict[str, bytes] = importlib.import_module(f"engine.samples.{name}").files()
        return made
    found = sorted(path for path in (FOLDER / name).iterdir() if path.is_file())
    return {path.name: path.read_bytes() for path in found}


def write(name: str, out: Path) -> Path:
    """Copy a sample into a folder and give the path of its plan.

    A file that is there already with the same content stays; with other content, nothing is
    written.

    Raises
    ------
    Refused
        For an unknown name, and for a folder that cannot be written or holds other files of the
        same names.
    """
    content = files(name)
    try:
        out.mkdir(parents=True, exist_ok=True)
        there = {name: (out / name) for name in content if (out / name).exists()}
        for file, path in there.items():
            if not path.is_file() or path.read_bytes() != content[file]:
                raise Refused(Problem(out.name, "", say("cli.sample_exists", name=file)))
        for file, raw in content.items():
            if file not in there:
                part = out / f".{file}.part"
                part.write_bytes(raw)
                os.replace(part, out / file)
    except OSError:
        raise Refused(Problem(out.name, "", say("run.out_unwritable"))) from None
    return out / PLAN
