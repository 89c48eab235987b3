"""Canonical JSON: the same content gives the same bytes, on any machine, at any time."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any


def plain(value: Any) -> Any:
    """Turn numpy scalars, arrays, tuples and mappings into plain JSON values; -0.0 becomes 0.0.

    Raises
    ------
    ValueError
        For NaN and infinity: nothing undefined may reach a result as a number.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} cannot be written: say None and the reason")
        value = float(value)  # numpy's float64 is a float whose own repr json must not meet
        return 0.0 if value == 0.0 else value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # numpy arrays and scalars, without importing numpy here
        return plain(value.tolist())
    raise TypeError(f"{type(value).__name__} has no canonical JSON form")


def canonical_json(value: Any) -> str:
    """Write a value with sorted keys, shortest round-trip numbers and a closing line end.

    Examples
    --------
    >>> canonical_json({"b": -0.0, "a": [1, None]})
    '{"a":[1,null],"b":0.0}\\n'
    """
    text = json.dumps(
        plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    return text + "\n"


def sha256_of(value: Any) -> str:
    """SHA-256, in hex, of bytes as they are or of a value's canonical JSON."""
    raw = value if isinstance(value, bytes) else canonical_json(value).encode()
    return hashlib.sha256(raw).hexdigest()
