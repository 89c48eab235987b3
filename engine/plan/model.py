"""The plan: what was asked, as frozen data. Names and defaults are those of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

SCHEMA = "fairassay-plan/1"
WHOLE_INTERVAL = "whole interval"
POINT_VALUES = "point values"

Rule = Mapping[str, Any]
"""A numeric rule: ``{"at_least": x}``, ``{"below": x}`` or ``{"between": [x, y]}``."""
Value = str | int | float | bool


@dataclass(frozen=True)
class Source:
    """A received file (or several with the same columns, appended) and how it is to be read.

    Every field but ``path`` may be None: it is then detected, and what was detected is stated.
    ``types`` maps a column to one of :data:`engine.plan.keys.TYPES`. ``received`` tells ``from``
    whom, ``when`` and ``how`` it came; no number depends on it.
    """

    path: tuple[str, ...]
    format: str | None = None
    sheet: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    header: bool | None = None
    columns: tuple[str, ...] | None = None
    skip_lines: int | None = None
    missing: tuple[str, ...] | Mapping[str, tuple[str, ...]] | None = None
    types: Mapping[str, str] | None = None
    rows: tuple[Mapping[str, Any], ...] = ()
    received: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Data:
    """Where the people come from: ``all``, or ``test`` with or without ``training``."""

    training: Source | None = None
    test: Source | None = None
    all: Source | None = None
    test_share: float = 0.15
    stratify: bool = True


@dataclass(frozen=True)
class Join:
    """A further file joined to every source on a key (a left join, never by position)."""

    source: Source
    on: str


@dataclass(frozen=True)
class Outcome:
    """The recorded outcome; ``favourable`` is a list of values, or one numeric rule."""

    column: str
    favourable: tuple[Value, ...] | Rule
    unfavourable: tuple[Value, ...] | Rule | None = None


@dataclass(frozen=True)
class System:
    """The audited system: supplied columns, a stand-in to be trained here, or a model file.

    ``amount_adverse`` is None where nobody said which direction of the amount is worse.
    """

    prediction: Outcome | None = None
    score_column: str | None = None
    score_high_is: Literal["favourable", "unfavourable"] = "favourable"
    amount_column: str | None = None
    amount_adverse: Literal["high", "low"] | None = None
    train: Mapping[str, Any] | None = None
    model_file: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Protected:
    """A protected attribute and who in it is privileged.

    ``privileged``, ``unprivileged`` and ``left_out`` are lists of values and rules, or one rule.
    ``membership`` maps a group to the column that holds each person's probability of belonging.
    ``labels`` maps a value or a group's key to the words in which the group is printed.
    """

    name: str
    column: str | None
    privileged: tuple[Value | Rule, ...]
    unprivileged: tuple[Value | Rule, ...] | None = None
    left_out: tuple[Value | Rule, ...] = ()
    membership: Mapping[str, str] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tolerance:
    """The band of each metric, and the rule by which the decision is read."""

    rule: str = WHOLE_INTERVAL
    difference: float = 0.1
    ratio: tuple[float, float] = (0.9, 1.1)
    bias_index: float = 0.1
    fairness_score: float = 0.9
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def band(self, metric: str, attribute: str) -> tuple[float, float]:
        """The band of ``SPD``, ``DI``, ``EOD``, ``EMOD`` or ``AOD`` for an attribute.

        An override may name ``difference``, ``ratio``, ``bias_index`` or a single metric.
        """
        mine = self.overrides.get(attribute, {})
        if metric in mine:
            value = mine[metric]
            return (
                (-float(value), float(value))
                if isinstance(value, int | float)
                else (float(value[0]), float(value[1]))
            )
        if metric == "DI":
            low, high = mine.get("ratio", self.ratio)
            return float(low), float(high)
        width = float(mine.get("difference", self.difference))
        return -width, width

    def bias_index_bound(self, attribute: str) -> float:
        """The largest Bias Index of an attribute that counts as within."""
        return float(self.overrides.get(attribute, {}).get("bias_index", self.bias_index))


@dataclass(frozen=True)
class Plan:
    """One audit, as asked. ``methods`` maps each method's name to its full settings."""

    seed: int
    case: Mapping[str, Any]
    data: Data
    protected: tuple[Protected, ...]
    outcome: Outcome | None = None
    system: System | None = None
    id: str | None = None
    join: tuple[Join, ...] = ()
    weight: str | None = None
    features: tuple[str, ...] | None = None
    tolerance: Tolerance = field(default_factory=Tolerance)
    confidence: float = 0.95
    resamples: int = 1000
    methods: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    schema: str = SCHEMA
    name: str = "plan.json"
    """The plan's file name, for refusal lines; not part of the plan's fingerprint."""
