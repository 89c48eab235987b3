"""A reader of JSON objects that collects every problem instead of stopping at the first."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from engine.base.nearest import mend
from engine.base.problems import Problem
from engine.messages import say

from .keys import RULES
from .model import Rule, Value

_JOINERS = "\u200c\u200d\u00ad"
"""Invisible characters that words of some languages need."""


def spelled(value: Any) -> str:
    """A JSON value as the author wrote it, shortened; objects and lists by their kind."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + '..."'


def is_number(value: Any) -> bool:
    """Whether a JSON value is a finite number (true and false are not)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # whole numbers have no largest one, floats do
        return False


def is_rule(value: Any) -> bool:
    """Whether a group entry is a numeric rule."""
    return isinstance(value, Mapping)


def at(place: str, key: str | int) -> str:
    """The place of a key or of a list entry below another place."""
    if isinstance(key, int):
        return f"{place}[{key}]"
    return f"{place}.{key}" if place else key


class Reader:
    """Takes values out of a plan's JSON and notes what is wrong with them.

    Every getter gives the default where the key is missing, null or wrong, so that one pass
    finds all problems.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def problem(self, place: str, code: str, **fields: object) -> None:
        """Note a problem by its message code."""
        self.problems.append(Problem(self.file, place, say(code, **fields)))

    def mapping(self, data: Any, place: str, known: Iterable[str] | None) -> dict[str, Any]:
        """An object with known keys; nulls are left out (a null takes its default)."""
        if data is None:
            return {}
        if not isinstance(data, Mapping):
            self.problem(place, "plan.not_object", found=spelled(data))
            return {}
        if known is not None:
            known = tuple(known)
            for key in data:
                if key not in known:
                    self.problem(
                        at(place, key),
                        "plan.unknown_key",
                        key=key,
                        mend=mend(key, known, otherwise="known keys are"),
                    )
        return {str(k): v for k, v in data.items() if v is not None}

    def items(self, data: Any, place: str) -> list[Any]:
        """A list, empty where it is missing."""
        if data is None:
            return []
        if not isinstance(data, list):
            self.problem(place, "plan.not_list", found=spelled(data))
            return []
        return data

    def text(self, data: Mapping[str, Any], key: str, place: str, default: Any = None) -> Any:
        """A text that is not empty."""
        value = data.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            self.problem(at(place, key), "plan.not_text", found=spelled(value))
            return default
        if value == "":
            self.problem(at(place, key), "plan.empty_text")
            return default
        return value

    def name(self, data: Mapping[str, Any], key: str, place: str) -> str | None:
        """A text that is printed: neither blank nor with characters that no page can show."""
        found: str | None = self.text(data, key, place)
        if found is None:
            return None
        if not found.strip():
            self.problem(at(place, key), "plan.empty_text")
            return None
        odd = next((c for c in found if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")), None)
        if odd is not None and odd not in _JOINERS:
            self.problem(at(place, key), "plan.unprintable", what=f"U+{ord(odd):04X}")
            return None
        return found

    def needed_text(self, data: Mapping[str, Any], key: str, place: str, hint: str) -> str:
        """A text that must be there; an empty text where it is not."""
        if data.get(key) is None:
            self.problem(place, "plan.needed", key=key, mend=hint)
            return ""
        return str(self.text(data, key, place, default=""))

    def texts(self, data: Any, place: str) -> tuple[str, ...]:
        """A list of texts."""
        found = []
        for i, item in enumerate(self.items(data, place)):
            if isinstance(item, str):
                found.append(item)
            else:
                self.problem(at(place, i), "plan.not_text", found=spelled(item))
        return tuple(found)

    def number(
        self,
        data: Mapping[str, Any],
        key: str,
        place: str,
        default: float,
        *,
        low: float = -math.inf,
        high: float = math.inf,
        open_ends: bool = False,
        range: str = "",
    ) -> float:
        """A number within a range, its ends included unless ``open_ends``."""
        value = data.get(key)
        if value is None:
            return default
        if not is_number(value):
            self.problem(at(place, key), "plan.not_number", found=spelled(value))
            return default
        inside = low < value < high if open_ends else low <= value <= high
        if not inside:
            self.problem(at(place, key), "plan.range", found=spelled(value), range=range)
            return default
        return float(value)

    def whole(
        self, data: Mapping[str, Any], key: str, place: str, default: Any, *, low: int, high: int
    ) -> Any:
        """A whole number within a range, its ends included."""
        value = data.get(key)
        if value is None:
            return default
        if not is_number(value) or value != int(value):
            self.problem(at(place, key), "plan.not_whole", found=spelled(value))
            return default
        if not low <= value <= high:
            self.problem(
                at(place, key), "plan.range", found=spelled(value), range=f"from {low} to {high}"
            )
            return default
        return int(value)

    def yes_no(self, data: Mapping[str, Any], key: str, place: str, default: Any) -> Any:
        """True or false."""
        value = data.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.problem(at(place, key), "plan.not_yes_no", found=spelled(value))
            return default
        return value

    def choice(
        self,
        data: Mapping[str, Any],
        key: str,
        place: str,
        default: str | None,
        choices: tuple[str, ...],
    ) -> Any:
        """One of several texts."""
        value = data.get(key)
        if value is None:
            return default
        if value not in choices:
            hint = mend(value if isinstance(value, str) else "", choices, otherwise="choose from")
            self.problem(at(place, key), "plan.choice", found=spelled(value), mend=hint)
            return default
        return value

    def rule(self, data: Mapping[str, Any], place: str) -> Rule | None:
        """A numeric rule; None (and a problem) where it is not one."""
        if len(data) != 1 or next(iter(data)) not in RULES:
            found = ", ".join(f'"{key}"' for key in data) or "none"
            self.problem(place, "plan.rule_keys", found=found)
            return None
        key, value = next(iter(data.items()))
        if key == "between":
            good = isinstance(value, list) and len(value) == 2 and all(map(is_number, value))
            if not good or not value[0] < value[1]:
                self.problem(at(place, key), "plan.between")
                return None
            return {key: [value[0], value[1]]}
        if not is_number(value):
            self.problem(at(place, key), "plan.not_number", found=spelled(value))
            return None
        return {key: value}

    def value(self, data: Any, place: str) -> Value | None:
        """A single value of a column."""
        if data is None or (isinstance(data, str) and not data.strip()):
            self.problem(place, "plan.blank_value")
            return None
        if isinstance(data, bool | str) or is_number(data):
            return data  # type: ignore[no-any-return]
        self.problem(place, "plan.not_value", found=spelled(data))
        return None

    def entries(self, data: Any, place: str, *, empty: bool = False) -> tuple[Value | Rule, ...]:
        """A list of values and rules, or one rule, as groups are named."""
        if isinstance(data, Mapping):
            one = self.rule(data, place)
            return () if one is None else (one,)
        if not isinstance(data, list):
            self.problem(place, "plan.lone_value", found=spelled(data))
            return ()
        if not data and not empty:
            self.problem(place, "plan.empty_list")
        found: list[Value | Rule] = []
        for i, item in enumerate(data):
            is_object = isinstance(item, Mapping)
            entry = self.rule(item, at(place, i)) if is_object else self.value(item, at(place, i))
            if entry is not None:
                found.append(entry)
        return tuple(found)

    def values_or_rule(self, data: Any, place: str) -> tuple[Value, ...] | Rule:
        """A list of values, or one rule, as outcomes and filters are named."""
        found = self.entries(data, place)
        if isinstance(data, Mapping):
            return found[0] if found and isinstance(found[0], Mapping) else ()
        if any(map(is_rule, found)):
            self.problem(place, "plan.rules_mixed")
            return ()
        return tuple(v for v in found if not isinstance(v, Mapping))
