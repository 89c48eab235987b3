"""How the groups of the comparison are called where a person reads of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base import wording


def mine(result: Mapping[str, Any], *, last: str = "and") -> str:
    """The unprivileged groups, to stand after "people of": by key with their attribute, or by
    the words that the plan gives them.

    Examples
    --------
    >>> mine({"attribute": "age", "unprivileged": ["below 30"], "words": {"below 30": "under 30"}})
    'the group “under 30”'
    >>> mine({"attribute": "race", "unprivileged": ["B", "C"]})
    'race B and C'
    """
    return _called(result, list(result["unprivileged"]), last)


def theirs(result: Mapping[str, Any]) -> str:
    """The privileged group in the same way."""
    return _called(result, [result["privileged"]], "and")


def _called(result: Mapping[str, Any], keys: list[str], last: str) -> str:
    called = [group(result, key) for key in keys]
    if called == keys:
        return f"{result['attribute']} {wording.listed(keys, last=last)}"
    quoted = wording.listed([f"“{words}”" for words in called], last=last)
    return f"the group {quoted}" if len(keys) == 1 else f"the groups {quoted}"


def group(result: Mapping[str, Any], key: str) -> str:
    """A group by its words in the plan, else by its key."""
    return str((result.get("words") or {}).get(key, key))
