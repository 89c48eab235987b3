"""Groups as a person reads them; keys stay in result.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def group_words(result: Mapping[str, Any], key: str) -> str:
    """The printed name of a group of a result, by its key."""
    known: Mapping[str, str] = result.get("words", {}).get(result["attribute"], {})
    return known.get(key, key)


def named_group(result: Mapping[str, Any], key: str) -> str:
    """The same after the attribute, as in ``sex female``."""
    return f"{result['attribute']} {group_words(result, key)}"
