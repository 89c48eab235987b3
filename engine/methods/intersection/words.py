"""Crossings as a person reads them; keys stay in result.json."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any


def crossing_words(
    groups: Mapping[str, str],
    words: Mapping[str, Mapping[str, str]] | None = None,
    order: Sequence[str] = (),
) -> str:
    """A crossing in words.

    Parameters
    ----------
    groups : mapping of attribute to group key
    words : mapping of attribute to group key to printed name, optional
    order : sequence of str, optional
        The attributes in the order of the plan, which a mapping read from a file has lost.

    Examples
    --------
    >>> crossing_words({"sex": "A92", "age": "below 30"}, {"sex": {"A92": "female"}})
    'sex female × age below 30'
    """
    known = words or {}
    names = [name for name in order if name in groups] or list(groups)
    return " × ".join(f"{a} {known.get(a, {}).get(groups[a], groups[a])}" for a in names)


def order_of(result: Mapping[str, Any]) -> list[str]:
    """The crossed attributes in the order of the plan."""
    return list(result.get("order") or result["attributes"])


def keys_of(result: Mapping[str, Any]) -> list[str]:
    """The crossings in the order of the plan, the first attribute moving slowest."""
    names = order_of(result)
    found = {tuple(c["groups"][n] for n in names): key for key, c in result["cells"].items()}
    places = itertools.product(*(result["attributes"][n] for n in names))
    return [found[place] for place in places if place in found]


def cell_words(result: Mapping[str, Any], key: str) -> str:
    """A crossing of a result in words, by its key."""
    cell = result["cells"].get(key)
    if cell is None:
        return key
    return crossing_words(cell["groups"], result.get("words"), order_of(result))


def reference_words(result: Mapping[str, Any]) -> str:
    """The reference as it is called in a sentence."""
    name = result["reference"]
    return "everybody" if name in (None, "overall") else cell_words(result, str(name))


def size_of(cell: Mapping[str, Any]) -> float:
    """The people by whose number a crossing is judged: with weights Kish's, not their sum.

    Results of older versions hold the sum alone.
    """
    return float(cell.get("judged_n", cell["effective_n"]))
