"""Crossings as a person reads them; keys stay in result.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def crossing_words(
    groups: Mapping[str, str], words: Mapping[str, Mapping[str, str]] | None = None
) -> str:
    """A crossing in words.

    Parameters
    ----------
    groups : mapping of attribute to group key
    words : mapping of attribute to group key to printed name, optional

    Examples
    --------
    >>> crossing_words({"sex": "A92", "age": "below 30"}, {"sex": {"A92": "female"}})
    'sex female × age below 30'
    """
    known = words or {}
    return " × ".join(f"{a} {known.get(a, {}).get(key, key)}" for a, key in groups.items())


def cell_words(result: Mapping[str, Any], key: str) -> str:
    """A crossing of a result in words, by its key."""
    cell = result["cells"].get(key)
    return key if cell is None else crossing_words(cell["groups"], result.get("words"))


def reference_words(result: Mapping[str, Any]) -> str:
    """The reference as it is called in a sentence."""
    name = result["reference"]
    return "everybody" if name in (None, "overall") else cell_words(result, str(name))
