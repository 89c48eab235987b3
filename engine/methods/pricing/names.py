"""What groups, crossings, amounts and their unit are called where a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import listed
from engine.intake.roles import words_of


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


NO_MONEY = frozenset(
    {
        "apr", "apy", "days", "duration", "fraction", "interest", "maturity", "months", "payments",
        "percent", "percentage", "rate", "rates", "ratio", "share", "tenor", "term", "terms",
        "weeks", "years",
    }
)  # fmt: skip
"""Words in a column's name by which it counts something else than money."""


def is_money(name: str) -> bool:
    """Whether a column may hold amounts of money, by its name: rates and terms do not."""
    return not set(words_of(name).split()) & NO_MONEY


def unit(result: Mapping[str, Any], name: str) -> str:
    """The currency behind an amount, with its blank; empty where none is named, and for rates
    and terms, which have none."""
    if not result.get("currency") or not is_money(column(result, name)):
        return ""
    return f" {result['currency']}"


def with_unit(result: Mapping[str, Any], words: str, name: str) -> str:
    """A heading with the currency: ``Gap of the means (EUR)``."""
    found = unit(result, name).strip()
    return f"{words} ({found})" if found else words


def quotes(result: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The quotes in the order of the plan; result.json itself sorts its keys."""
    return [(name, result["quoted"][name]) for name in result["order"]]


def attributes(result: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The attributes in the order of the plan, that which stands first at the head."""
    first = result["attribute"]
    order = [first, *(name for name in result["attribute_order"] if name != first)]
    return [(name, result["attributes"][name]) for name in order]
