"""What groups, crossings, amounts and their unit are called where a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import listed


def group(result: Mapping[str, Any], attribute: str, key: str) -> str:
    """A group by its printed name: ``women``, or its key where the plan gives it none."""
    return str(result.get("words", {}).get(attribute, {}).get(key, key))


def sides(result: Mapping[str, Any]) -> tuple[str, str]:
    """The two sides of the first attribute: ``sex women`` and ``sex men``."""
    name = result["attribute"]
    others = listed([group(result, name, key) for key in result["unprivileged"]])
    return f"{name} {others}", f"{name} {group(result, name, result['privileged'])}"


def cell(result: Mapping[str, Any], key: str) -> str:
    """A crossing in words: ``sex women × age below 30``."""
    return str(result["crossed"][key].get("words", key))


def title(result: Mapping[str, Any], model: str) -> str:
    """What a quote is called: the model in words, or the column."""
    return str(result["models"].get(model, {}).get("title", model))


def column(result: Mapping[str, Any], name: str) -> str:
    """The column whose unit an amount has: a predicted one has that of the real amounts."""
    predicted = result["models"].get(name, {}).get("kind") == "predicted"
    return str(result["actual"]) if predicted else name


def unit(result: Mapping[str, Any]) -> str:
    """The currency behind a number, with its blank; empty where none is named."""
    return f" {result['currency']}" if result.get("currency") else ""


def with_unit(result: Mapping[str, Any], words: str) -> str:
    """A heading with the currency: ``Gap of the means (EUR)``."""
    return f"{words} ({result['currency']})" if result.get("currency") else words
