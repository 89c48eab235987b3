"""Tolerances to choose from on step 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.base.wording import number
from engine.plan.model import POINT_VALUES, WHOLE_INTERVAL


@dataclass(frozen=True)
class Preset:
    """A tolerance with a name. ``values`` holds the plan's ``tolerance`` without its rule."""

    name: str
    title: str
    words: str
    values: Mapping[str, Any]


PRESETS = (
    Preset(
        "ten per cent",
        "Ten per cent (paper)",
        "Differences within 0.10 either way, ratios from 0.90 to 1.10, each Bias Index up to "
        "0.10, and a Fairness Score of at least 0.90. This is the band of the published procedure.",
        {"difference": 0.1, "ratio": [0.9, 1.1], "bias_index": 0.1, "fairness_score": 0.9},
    ),
    Preset(
        "four fifths",
        "Four fifths",
        "Ratios from 0.80 to 1.25: the rate of one group is at least four fifths of the other's. "
        "The rule speaks of ratios alone, so differences, Bias Index and Fairness Score keep the "
        "ten per cent of the paper.",
        {"difference": 0.1, "ratio": [0.8, 1.25], "bias_index": 0.1, "fairness_score": 0.9},
    ),
)
CUSTOM = "custom"

RULES = (
    (
        WHOLE_INTERVAL,
        "Whole interval",
        "A certificate needs every checked metric and the score to lie within with their whole "
        "interval. What crosses an edge is not settled.",
    ),
    (
        POINT_VALUES,
        "Point values",
        "As published: read from the values alone, however few people stand behind them. "
        "The certificate says how many metrics the data do not settle.",
    ),
)
"""Rules of decision: value in the plan, title, words."""


def preset_of(tolerance: Mapping[str, Any] | None) -> str:
    """Name of the preset that a tolerance equals, else ``custom``; overrides make it custom.

    Examples
    --------
    >>> preset_of({"rule": "whole interval", "ratio": [0.8, 1.25]})
    'four fifths'
    """
    given = {key: value for key, value in (tolerance or {}).items() if value is not None}
    if given.get("overrides"):
        return CUSTOM
    for preset in PRESETS:
        defaults = dict(PRESETS[0].values)
        full = {**defaults, **{key: given[key] for key in defaults if key in given}}
        if all(_same(full[key], value) for key, value in preset.values.items()):
            return preset.name
    return CUSTOM


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return [float(x) for x in one] == [float(x) for x in other]
    return float(one) == float(other)


def tolerance_words(tolerance: Mapping[str, Any] | None) -> str:
    """``differences within ±0.10, ratios from 0.90 to 1.10``."""
    given = {
        **PRESETS[0].values,
        **{key: value for key, value in (tolerance or {}).items() if value is not None},
    }
    low, high = given["ratio"]
    return (
        f"differences within ±{number(given['difference'], digits=2)}, "
        f"ratios from {number(low, digits=2)} to {number(high, digits=2)}"
    )
