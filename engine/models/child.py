"""The child process in which a supplied model runs: limited in time, memory and files.

It reads one request from standard input and writes one answer to standard output, both as an
eight-byte length, JSON of that length, and then blocks of bytes (the model, ``.npy`` arrays, texts
as JSON). Nothing is pickled on the way. See :mod:`engine.models.files`.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import Any

import numpy as np

KNOWN_TYPES = (
    "numpy.dtype",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.compose._column_transformer._RemainderColsList",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.isotonic.IsotonicRegression",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.metrics._dist_metrics.ManhattanDistance64",
    "sklearn.metrics._dist_metrics.MinkowskiDistance64",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    "sklearn.tree._tree.Tree",
)
"""Parts of scikit-learn and numpy that a skops file may hold beside what skops itself trusts."""

_CHUNK = 65_536
_FORBIDDEN = (
    *("socket.connect", "socket.bind", "socket.sendto", "subprocess.Popen", "os.system"),
    *("os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.remove", "os.rename", "os.mkdir"),
)


def pack(head: dict[str, Any], blocks: list[bytes]) -> bytes:
    """A message of JSON and blocks; their lengths go into the JSON."""
    raw = json.dumps({**head, "lengths": [len(b) for b in blocks]}).encode()
    return b"".join([len(raw).to_bytes(8, "little"), raw, *blocks])


def unpack(message: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Take a message apart.

    Examples
    --------
    >>> unpack(pack({"a": 1}, [b"xy"]))[1]
    [b'xy']
    """
    size = int.from_bytes(message[:8], "little")
    head = json.loads(message[8 : 8 + size])
    at, blocks = 8 + size, []
    for length in head.pop("lengths"):
        blocks.append(message[at : at + length])
        at += length
    if at != len(message):
        raise ValueError("the message is cut")
    return head, blocks


def npy(array: Any) -> bytes:
    """An array as the bytes of an .npy file, never pickled."""
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()


def from_npy(raw: bytes) -> Any:
    """The array of an .npy file's bytes."""
    return np.load(io.BytesIO(raw), allow_pickle=False)


def _limit(megabytes: int, seconds: int) -> None:
    """Close what a model does not need: time, memory, files to write, processes, network."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock and the hook below remain
        pass
    else:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            _, mode, flags = args
            writes = any(m in (mode or "") for m in "wax+") if isinstance(mode, str) else False
            if writes or (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                raise PermissionError("a model may not write files")
        elif event.startswith(_FORBIDDEN):
            raise PermissionError(f"a model may not use {event}")

    sys.addaudithook(hook)


class _Onnx:
    def __init__(self, raw: bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self.session = onnxruntime.InferenceSession(
            raw, options, providers=["CPUExecutionProvider"]
        )

    def inspect(self) -> dict[str, Any]:
        def told(one: Any) -> dict[str, Any]:
            shape = [d if isinstance(d, int) and d > 0 else None for d in (one.shape or [])]
            return {"name": one.name, "type": one.type, "shape": shape}

        return {
            "inputs": [told(i) for i in self.session.get_inputs()],
            "outputs": [told(o) for o in self.session.get_outputs()],
        }

    def run(self, arrays: dict[str, Any]) -> list[tuple[str, Any]]:
        inputs = self.session.get_inputs()
        n = len(next(iter(arrays.values())))
        fixed = [i.shape[0] for i in inputs if i.shape and isinstance(i.shape[0], int)]
        step = max(1, fixed[0]) if fixed else _CHUNK
        feed = {i.name: _as_onnx(arrays[i.name], i.type, len(i.shape or [])) for i in inputs}
        names = [o.name for o in self.session.get_outputs()]
        parts: list[list[Any]] = []
        for start in range(0, n, step):
            piece = {name: value[start : start + step] for name, value in feed.items()}
            short = step - len(next(iter(piece.values()))) if fixed else 0
            if short:  # a model with a fixed number of rows: the last people are asked twice
                piece = {k: np.concatenate([v, v[-1:].repeat(short, 0)]) for k, v in piece.items()}
            given = self.session.run(None, piece)
            parts.append([g[: len(g) - short] if short else g for g in given])
        out: list[tuple[str, Any]] = []
        for i, name in enumerate(names):
            pieces = [part[i] for part in parts]
            if isinstance(pieces[0], list):
                out.append((name, [row for piece in pieces for row in piece]))
            else:
                out.append((name, np.concatenate(pieces)))
        return out


def _as_onnx(array: Any, kind: str, dimensions: int) -> Any:
    if dimensions == 1 and array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if "string" in kind:
        return array.astype(object)
    types = {"double": np.float64, "int64": np.int64, "int32": np.int32, "bool": np.bool_}
    wanted = next((t for word, t in types.items() if word in kind), np.float32)
    if np.issubdtype(wanted, np.integer) and not np.isfinite(array).all():
        raise ValueError("an input of whole numbers has blanks")
    return array.astype(wanted)


class _Skops:
    def __init__(self, raw: bytes) -> None:
        import skops.io

        strange = [t for t in skops.io.get_untrusted_types(data=raw) if t not in KNOWN_TYPES]
        if strange:
            raise _Untrusted(strange)
        self.model = skops.io.loads(raw, trusted=list(KNOWN_TYPES))
        if not hasattr(self.model, "predict"):
            raise ValueError(f"it holds a {type(self.model).__name__}, which gives no decisions")

    def inspect(self) -> dict[str, Any]:
        names = getattr(self.model, "feature_names_in_", None)
        if names is not None:
            inputs = [{"name": str(n), "type": "any", "shape": [None, 1]} for n in names]
        else:
            width = int(getattr(self.model, "n_features_in_", 0)) or None
            inputs = [{"name": "X", "type": "number", "shape": [None, width]}]
        outputs = [
            m for m in ("predict_proba", "decision_function", "predict") if hasattr(self.model, m)
        ]
        return {
            "inputs": inputs,
            "outputs": [{"name": o, "type": "number", "shape": [None]} for o in outputs],
        }

    def run(self, arrays: dict[str, Any]) -> list[tuple[str, Any]]:
        names = getattr(self.model, "feature_names_in_", None)
        if names is not None:
            import pandas as pd

            table: Any = pd.DataFrame({str(n): arrays[str(n)][:, 0] for n in names})
        else:
            table = arrays["X"]
        classes = getattr(self.model, "classes_", None)
        out: list[tuple[str, Any]] = []
        if hasattr(self.model, "predict_proba"):
            shares = self.model.predict_proba(table)
            out.append(("predict_proba", _Classes(shares, [_word(c) for c in np.asarray(classes)])))
        elif hasattr(self.model, "decision_function"):
            out.append(("decision_function", np.asarray(self.model.decision_function(table))))
        out.append(("predict", np.asarray(self.model.predict(table))))
        return out


class _Untrusted(Exception):
    pass


class _Classes:
    def __init__(self, values: Any, classes: list[str]) -> None:
        self.values, self.classes = values, classes


def _word(value: Any) -> str:
    """A class as text, whole numbers without decimals."""
    plain = value.item() if hasattr(value, "item") else value
    return str(int(plain)) if isinstance(plain, float) and plain.is_integer() else str(plain)


def _answer(name: str, value: Any) -> tuple[dict[str, Any], bytes]:
    """An output as (what it is, its bytes): numbers of shape (n, k), or labels as codes."""
    if isinstance(value, _Classes):
        return {"name": name, "classes": value.classes}, npy(value.values.astype(np.float64))
    if isinstance(value, list):  # one mapping of class to share a row (ONNX's ZipMap)
        classes = list(value[0])
        shares = np.array([[row[c] for c in classes] for row in value], np.float64)
        return {"name": name, "classes": [_word(c) for c in classes]}, npy(shares)
    array = np.asarray(value)
    if array.dtype.kind == "f":
        return {"name": name, "classes": None}, npy(
            array.reshape(len(array), -1).astype(np.float64)
        )
    words = np.array([_word(v) for v in array.reshape(len(array), -1)[:, 0]])
    labels, codes = np.unique(words, return_inverse=True)
    return {"name": name, "labels": labels.tolist()}, npy(codes.astype(np.int32))


def serve(message: bytes) -> bytes:
    """Do what a request asks and give the answer's bytes."""
    head, blocks = unpack(message)
    _limit(int(head["megabytes"]), int(head["seconds"]))
    try:
        model = (_Onnx if head["kind"] == "onnx" else _Skops)(blocks[0])
    except _Untrusted as error:
        return pack({"error": "untrusted", "types": error.args[0]}, [])
    except MemoryError:
        return pack({"error": "memory"}, [])
    except Exception as error:
        kind = "memory" if _out_of_memory(error) else "unreadable"
        return pack({"error": kind, "why": _short(error)}, [])
    if head["task"] == "inspect":
        return pack(model.inspect(), [])
    arrays: dict[str, Any] = {}
    for name, kind, raw in zip(head["names"], head["kinds"], blocks[1:], strict=True):
        arrays[name] = from_npy(raw) if kind == "npy" else _texts(raw)
    try:
        answers = [_answer(name, value) for name, value in model.run(arrays)]
    except MemoryError:
        return pack({"error": "memory"}, [])
    except Exception as error:
        kind = "memory" if _out_of_memory(error) else "failed"
        return pack({"error": kind, "why": _short(error)}, [])
    return pack({"outputs": [told for told, _ in answers]}, [raw for _, raw in answers])


def _out_of_memory(error: Exception) -> bool:
    """Whether the limit on memory stopped a library, in its own words or the loader's."""
    said = str(error)
    return any(word in said for word in ("bad_alloc", "llocate", "failed to map segment"))


def _texts(raw: bytes) -> Any:
    values = json.loads(raw)
    out = np.empty((len(values), 1), dtype=object)
    out[:, 0] = values
    return out


def _short(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:200]}" if text else type(error).__name__


def main() -> None:
    """Read the request, answer it, end. What a library prints goes to standard error."""
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)
        out.write(serve(sys.stdin.buffer.read()))


if __name__ == "__main__":
    main()
