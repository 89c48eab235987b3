"""Plans and the registry of methods: settings filled in, values checked. Loads nothing heavy."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.messages import say
from engine.plan.model import Plan
from engine.plan.parse import load, parse
from engine.plan.reading import is_number

from . import NAMES, method
from .base import Setting
from .graphs import wrong_graph


def defaults() -> dict[str, dict[str, Any]]:
    """Every method's settings with their defaults."""
    return {name: method(name).defaults() for name in NAMES}


def load_plan(path: Path) -> Plan:
    """Read and check a plan from a file.

    Raises
    ------
    Refused
        With all problems, each with its place and its mend.
    """
    return _complete(load(path, methods=defaults(), check_setting=check_setting))


def read_plan(data: Any, *, name: str = "plan.json") -> Plan:
    """Check a plan that is already JSON, as the window holds it.

    Raises
    ------
    Refused
        As :func:`load_plan`.
    """
    return _complete(parse(data, name=name, methods=defaults(), check_setting=check_setting))


def _complete(plan: Plan) -> Plan:
    """Refuse a plan whose methods need an outcome that it does not name; 20.0 folds are 20."""
    if plan.outcome is None:
        needy = [method(name).title for name in plan.methods if method(name).needs_outcome]
        if needy:
            raise Refused(
                Problem(plan.name, "outcome", say("plan.needs_outcome", title=title))
                for title in needy
            )
    return dataclasses.replace(
        plan, methods={name: _whole(name, given) for name, given in plan.methods.items()}
    )


def _whole(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with whole numbers as such, however the plan writes them."""
    whole = {s.name for s in method(name).settings if s.kind == "whole"}
    return {k: int(v) if k in whole and isinstance(v, float) else v for k, v in given.items()}


def check_setting(name: str, key: str, value: Any) -> str | None:
    """What is wrong with the value of one setting, or None."""
    setting = next(s for s in method(name).settings if s.name == key)
    if value is None:
        return say("methods.required", words=setting.words) if setting.required else None
    if value == setting.default and type(value) is type(setting.default):
        return None
    return _wrong(setting, value)


def _wrong(setting: Setting, value: Any) -> str | None:
    kind = setting.kind
    if kind in ("whole", "number", "share"):
        return _wrong_number(setting, value)
    if kind == "yes-no":
        return None if isinstance(value, bool) else say("methods.yes_no")
    if kind == "choice":
        return _wrong_choice(setting, value)
    if kind == "choices":
        if not isinstance(value, list) or not value:
            return say("methods.choices")
        return next(filter(None, (_wrong_choice(setting, item) for item in value)), None)
    if kind == "numbers":
        if not isinstance(value, list) or not all(map(is_number, value)):
            return say("methods.numbers")
        return next(filter(None, (_wrong_number(setting, item) for item in value)), None)
    if kind in ("column", "attribute", "text"):
        return None if isinstance(value, str) and value else say("methods.text")
    if kind == "graph":
        return wrong_graph(value)
    if kind == "graphs":
        if not isinstance(value, list):
            return say("methods.graphs")
        return next(filter(None, map(wrong_graph, value)), None)
    if setting.names:
        listed = value if isinstance(value, list) else [value]
        sound = all(isinstance(name, str) and name for name in listed)
        return None if sound else say("methods.names")
    return None


def _wrong_number(setting: Setting, value: Any) -> str | None:
    if not is_number(value):
        return say("methods.number")
    if setting.kind == "whole" and value != int(value):
        return say("methods.whole")
    low, high = setting.minimum, setting.maximum
    if setting.kind == "share":
        low, high = (0.0 if low is None else low), (1.0 if high is None else high)
    if low is not None and value < low:
        return say("methods.too_low", found=value, low=_plain(low))
    if high is not None and value > high:
        return say("methods.too_high", found=value, high=_plain(high))
    return None


def _plain(number: float) -> str:
    return f"{number:g}"


def _wrong_choice(setting: Setting, value: Any) -> str | None:
    choices = [choice for choice, _ in setting.choices]
    if value in choices:
        return None
    texts = [str(choice) for choice in choices]
    hint = mend(str(value), texts, otherwise="choose from")
    return say("methods.choice", found=f'"{value}"', mend=hint)


def columns_of(name: str, settings: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    """The columns that a method's settings name: ``(setting, column)``."""
    return [
        (setting.name, settings[setting.name])
        for setting in method(name).settings
        if setting.kind == "column" and isinstance(settings.get(setting.name), str)
    ]
