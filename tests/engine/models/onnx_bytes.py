"""The smallest ONNX files, written by hand after the format's public description (protobuf)."""

from __future__ import annotations

import struct
from collections.abc import Sequence

FLOAT, INT64, STRING = 1, 7, 8


def _number(value: int) -> bytes:
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _field(at: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _number(at << 3) + _number(value)
    raw = value.encode() if isinstance(value, str) else value
    return _number(at << 3 | 2) + _number(len(raw)) + raw


def _tensor(name: str, shape: Sequence[int], values: Sequence[float]) -> bytes:
    raw = struct.pack(f"<{len(values)}f", *values)
    return (
        b"".join(_field(1, d) for d in shape) + _field(2, FLOAT) + _field(8, name) + _field(9, raw)
    )


def _value(name: str, kind: int, shape: Sequence[int | None]) -> bytes:
    dims = b"".join(_field(1, _field(2, "N") if d is None else _field(1, d)) for d in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, dims)))


def _node(
    kind: str, inputs: Sequence[str], outputs: Sequence[str], attributes: bytes = b""
) -> bytes:
    sides = b"".join(_field(1, i) for i in inputs) + b"".join(_field(2, o) for o in outputs)
    return sides + _field(4, kind) + attributes


def _model(graph: bytes) -> bytes:
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))


def logistic(weights: Sequence[float], constant: float, rows: int | None = None) -> bytes:
    """One input ``x`` of shape (rows, weights); output ``score`` = sigmoid(x w + constant)."""
    n = len(weights)
    return _model(
        _field(1, _node("MatMul", ["x", "w"], ["xw"]))
        + _field(1, _node("Add", ["xw", "c"], ["sum"]))
        + _field(1, _node("Sigmoid", ["sum"], ["score"]))
        + _field(2, "logistic")
        + _field(5, _tensor("w", [n, 1], weights))
        + _field(5, _tensor("c", [1], [constant]))
        + _field(11, _value("x", FLOAT, [rows, n]))
        + _field(12, _value("score", FLOAT, [rows, 1]))
    )


def two_shares() -> bytes:
    """Inputs ``a`` and ``b`` of one column each; output ``shares`` = softmax of the two."""
    axis = _field(5, _field(1, "axis") + _field(3, 1) + _field(20, 2))
    return _model(
        _field(1, _node("Concat", ["a", "b"], ["ab"], axis))
        + _field(1, _node("Softmax", ["ab"], ["shares"], axis))
        + _field(2, "shares")
        + _field(11, _value("a", FLOAT, [None, 1]))
        + _field(11, _value("b", FLOAT, [None, 1]))
        + _field(12, _value("shares", FLOAT, [None, 2]))
    )
