"""How the groups of the comparison are called where a person reads of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base import wording


def mine(result: Mapping[str, Any], *, last: str = "and") -> str:
    """The unprivileged groups with their attribute: ``age under 30``, ``race B and C``.

    Examples
    --------
    >>> mine({"attribute": "age", "unprivileged": ["below 30"], "words": {"below 30": "under 30"}})
    'age under 30'
    """
    called = [group(result, key) for key in result["unprivileged"]]
    return f"{result['attribute']} {wording.listed(called, last=last)}"


def theirs(result: Mapping[str, Any]) -> str:
    """The privileged group with its attribute: ``age 30 and over``."""
    return f"{result['attribute']} {group(result, result['privileged'])}"


def group(result: Mapping[str, Any], key: str) -> str:
    """A group by its words in the plan, else by its key."""
    return str((result.get("words") or {}).get(key, key))
