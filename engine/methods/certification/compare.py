"""One comparison: metrics with intervals and verdicts, Bias Index, tests, bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.wording import interval, listed, number, percent
from engine.fairness import tests as rate_tests
from engine.fairness.bounds import Range, parity_bounds
from engine.fairness.counts import Cells
from engine.fairness.intervals import Interval, percentile_interval, resample, root_interval
from engine.fairness.measure import measure
from engine.fairness.metrics import (
    METRICS,
    RECORDED,
    Names,
    Point,
    bias_index,
    bias_index_arrays,
    metric_arrays,
    metric_points,
)
from engine.fairness.rates import rate
from engine.fairness.verdict import rows_needed, verdict
from engine.messages import say
from engine.plan.model import Plan

from .evidence import NOBODY, Pair

Draws = Mapping[str, NDArray[np.float64]]
MISSING_DIFFERS_P = 0.05
"""Below this, unknown outcomes are held to be more common on one side than on the other."""


@dataclass(frozen=True)
class Setting:
    """What a comparison needs to know besides its counts."""

    plan: Plan
    attribute: str
    names: Names
    recorded: Pair | None
    decided: Pair | None
    same: bool
    why_unchecked: Mapping[str, str] = field(default_factory=dict)

    @property
    def checked(self) -> tuple[str, ...]:
        """The metrics that can be checked at all with what was supplied."""
        return tuple(
            m
            for m in METRICS
            if (self.recorded is not None if m in RECORDED else self.decided is not None)
        )


def draw(*, setting: Setting, rng: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    """Metrics in every resample; recorded and decided move together where they are the same."""
    first = second = None
    if setting.recorded is not None:
        drawn = resample(sides=setting.recorded.sides, resamples=setting.plan.resamples, rng=rng)
        first = (drawn[0], drawn[1])
    if setting.decided is not None:
        if setting.same:
            second = first
        else:
            drawn = resample(sides=setting.decided.sides, resamples=setting.plan.resamples, rng=rng)
            second = (drawn[0], drawn[1])
    return metric_arrays(recorded=first, decided=second)


def points(*, setting: Setting) -> dict[str, Point]:
    """The metrics' values, or why they have none."""
    return metric_points(
        recorded=None if setting.recorded is None else setting.recorded.sides,
        decided=None if setting.decided is None else setting.decided.sides,
        names=setting.names,
    )


def metrics_of(
    *, setting: Setting, found: Mapping[str, Point], draws: Draws
) -> dict[str, dict[str, Any]]:
    """The five measures of a comparison, unchecked ones with their reason."""
    measures: dict[str, dict[str, Any]] = {}
    differing = missing_outcomes(setting=setting)
    for metric in METRICS:
        pair = setting.recorded if metric in RECORDED else setting.decided
        if pair is None:
            measures[metric] = measure(
                None, verdict="not checked", reason=setting.why_unchecked[metric]
            )
            continue
        band = setting.plan.tolerance.band(metric, setting.attribute)
        one = with_interval(
            point=found[metric],
            draws=draws[metric],
            plan=setting.plan,
            band=band,
            n=_rows(metric, pair),
            sample_rows=_sample_rows(metric, pair),
        )
        if metric in RECORDED and differing is not None and differing["differs"]:
            _hold_back(one, metric, setting, band)
        measures[metric] = one
    return measures


def with_interval(
    *,
    point: Point,
    draws: NDArray[np.float64],
    plan: Plan,
    band: tuple[float | None, float | None] | None,
    n: tuple[int, int],
    sample_rows: int | None = None,
    kind: str = "plain",
    **more: Any,
) -> dict[str, Any]:
    """A measure from a value and its draws; without a band its verdict is None.

    ``kind`` is ``plain``, ``index`` (a root mean square) or ``score`` (one less such a root).
    """
    n_unprivileged, n_privileged = n
    if point.value is None:
        word = None if band is None else "not computable"
        return measure(None, None, None, word, point.reason, n_unprivileged, n_privileged, **more)
    ends = _ends(point.value, draws, plan.confidence, kind)
    if ends.low is None:
        more["note"] = say("fairness.undefined_resamples", share=percent(ends.undefined))
    elif ends.undefined > 0:
        more["note"] = say("fairness.some_undefined_resamples", share=percent(ends.undefined))
    word = None
    if band is not None:
        word = verdict(value=point.value, low=ends.low, high=ends.high, band=band)
        if word == "not settled" and sample_rows is not None:
            more["needed"] = rows_needed(
                value=point.value, low=ends.low, high=ends.high, band=band, rows=sample_rows
            )
    return measure(point.value, ends.low, ends.high, word, "", n_unprivileged, n_privileged, **more)


def _ends(value: float, draws: NDArray[np.float64], confidence: float, kind: str) -> Interval:
    if kind == "plain":
        return percentile_interval(draws, confidence=confidence)
    if kind == "index":
        return root_interval(draws, value=value, confidence=confidence)
    ends = root_interval(1.0 - draws, value=1.0 - value, confidence=confidence)
    if ends.low is None or ends.high is None:
        return ends
    return Interval(1.0 - ends.high, 1.0 - ends.low, ends.undefined)


def _hold_back(
    one: dict[str, Any], metric: str, setting: Setting, band: tuple[float, float]
) -> None:
    """Leave a verdict open that the unknown outcomes, more common on one side, could turn."""
    if one["value"] is None or setting.recorded is None:
        return
    ends = parity_bounds(
        unprivileged=setting.recorded.unprivileged,
        privileged=setting.recorded.privileged,
        blank=NOBODY,
    )[metric].corners
    if verdict(value=one["value"], low=ends.low, high=ends.high, band=band) == one["verdict"]:
        return
    one["verdict"] = "not settled"
    one["held_back"] = True
    one["needed"] = None  # more rows would not fill in what is missing in these
    one["note"] = say(
        "certification.missing_outcomes_open",
        range=interval(ends.low, ends.high) or f"{number(ends.low)} and up",
    )


def _rows(metric: str, pair: Pair) -> tuple[int, int]:
    def used(cells: Cells) -> int:
        if metric in RECORDED:
            return cells.n_rows
        wanted = {"EOD": slice(1, 2), "EMOD": slice(0, 1)}.get(metric, slice(0, 2))
        return int(cells.rows[wanted, :2].sum())

    return used(pair.unprivileged), used(pair.privileged)


def _sample_rows(metric: str, pair: Pair) -> int:
    if metric in RECORDED:
        return sum(side.n_rows for side in pair.sides)
    return sum(side.decided_rows for side in pair.sides)


def mean_absolute_odds(
    *, setting: Setting, found: Mapping[str, Point], draws: Draws
) -> dict[str, Any]:
    """Mean of the two absolute gaps in odds: what an average odds difference can hide."""
    if setting.decided is None:
        return measure(None, None, None, None, setting.why_unchecked["AOD"])
    return with_interval(
        point=found["MAOD"],
        draws=draws["MAOD"],
        plan=setting.plan,
        band=None,
        n=_rows("AOD", setting.decided),
    )


def index_draws(*, setting: Setting, draws: Draws) -> NDArray[np.float64]:
    """The Bias Index in every resample, over the metrics that were checked."""
    return bias_index_arrays({m: draws[m] for m in setting.checked})


def index_of(
    *, setting: Setting, measures: Mapping[str, dict[str, Any]], draws: Draws
) -> dict[str, Any]:
    """The Bias Index of a comparison with ``metrics_used``, ``partial`` and the index under the
    other labelling (privileged and unprivileged exchanged, so that DI becomes 1 / DI)."""
    used = setting.checked
    values = {m: measures[m]["value"] for m in used}
    defined = {m: v for m, v in values.items() if v is not None}
    n = _index_rows(setting)
    more: dict[str, Any] = {
        "metrics_used": list(used),
        "partial": None,
        "partial_metrics": [],
        "other_labelling": None,
    }
    if not used:
        reason = listed(list(dict.fromkeys(setting.why_unchecked.values())))
        return measure(None, None, None, "not checked", reason, *n, **more)
    if len(defined) < len(used):
        gone = [m for m in used if m not in defined]
        reason = say(
            "certification.index_incomplete",
            n=len(used),
            reason=plain_reason(measures[gone[0]]["reason"]),
        )
        more["partial"] = bias_index(defined)
        more["partial_metrics"] = list(defined)
        return measure(None, None, None, "not computable", reason, *n, **more)
    ratio = defined.get("DI")
    if ratio is None:
        more["other_labelling"] = bias_index(defined)
    elif ratio > 0:
        more["other_labelling"] = bias_index({**defined, "DI": 1.0 / ratio})
    return with_interval(
        point=Point(bias_index(defined)),
        draws=index_draws(setting=setting, draws=draws),
        plan=setting.plan,
        band=(None, setting.plan.tolerance.bias_index_bound(setting.attribute)),
        n=n,
        kind="index",
        **more,
    )


def plain_reason(reason: str) -> str:
    """A reason without its opening words, to stand inside another sentence."""
    return reason.split(": ", 1)[-1]


def _index_rows(setting: Setting) -> tuple[int, int]:
    pairs = [p for p in (setting.recorded, setting.decided) if p is not None]
    if setting.same:
        pairs = pairs[:1]
    return (
        sum(p.unprivileged.n_rows for p in pairs),
        sum(p.privileged.n_rows for p in pairs),
    )


def tests_of(*, pair: Pair | None, decisions: bool) -> dict[str, Any]:
    """Tests of the recorded outcomes, or of the decisions, of a comparison."""
    if pair is None:
        keys = ("z", "z_p", "fisher_p", "four_fifths", "flip_flop", "shortfall")
        return {**dict.fromkeys(keys), "rate": None, "difference": None, "ratio": None}
    make = rate_tests.decision_tests if decisions else rate_tests.recorded_tests
    found = make(unprivileged=pair.unprivileged, privileged=pair.privileged, weighted=pair.weighted)
    low, high = (_favourable_rate(side, decisions) for side in pair.sides)
    both = low is not None and high is not None
    return {
        "z": found.z,
        "z_p": found.z_p,
        "fisher_p": found.fisher_p,
        "four_fifths": found.four_fifths,
        "flip_flop": found.flip_flop,
        "shortfall": found.shortfall,
        "rate": {"unprivileged": low, "privileged": high},
        "difference": low - high if both and low is not None and high is not None else None,
        "ratio": low / high if low is not None and high is not None and high > 0 else None,
    }


def _favourable_rate(cells: Cells, decisions: bool) -> float | None:
    if decisions:
        return rate(cells.selected, cells.decided)
    return rate(cells.favourable, cells.n)


def bounds_of(*, setting: Setting) -> dict[str, Any]:
    """Bounds of SPD and DI for blank groups and unknown outcomes."""
    nothing = {"low": None, "high": None}
    if setting.recorded is None:
        return {
            m: {
                **nothing,
                "worst_case": {**nothing, "reason": setting.why_unchecked[m]},
                "reason": setting.why_unchecked[m],
            }
            for m in RECORDED
        }
    pair = setting.recorded
    found = parity_bounds(
        unprivileged=pair.unprivileged, privileged=pair.privileged, blank=pair.blank
    )

    def spelled(ends: Range) -> dict[str, Any]:
        reason = ""
        if ends.missing == "nobody":
            empty = 0 if pair.unprivileged.n + pair.unprivileged.unknown_outcome <= 0 else 1
            who = (setting.names.unprivileged, setting.names.privileged)[empty]
            reason = say("fairness.no_corner", group=who)
        elif ends.missing:
            reason = say("fairness.no_upper_end", group=setting.names.privileged)
        return {"low": ends.low, "high": ends.high, "reason": reason}

    return {
        m: {**spelled(b.corners), "worst_case": spelled(b.worst_case)} for m, b in found.items()
    }


def missing_outcomes(*, setting: Setting) -> dict[str, Any] | None:
    """Unknown outcomes of the two sides, and whether one side has them more often."""
    pair = setting.recorded
    if pair is None:
        return None
    unknown = [side.unknown_rows for side in pair.sides]
    of = [side.n_rows + side.unknown_rows for side in pair.sides]
    p = None
    if sum(unknown):
        p = rate_tests.fisher_exact(favourable=(unknown[0], unknown[1]), n=(of[0], of[1]))
    return {
        "unknown": {"unprivileged": unknown[0], "privileged": unknown[1]},
        "of": {"unprivileged": of[0], "privileged": of[1]},
        "p": p,
        "differs": p is not None and p < MISSING_DIFFERS_P,
    }


def blank_groups(*, setting: Setting, people: int | None = None) -> dict[str, Any] | None:
    """People whose group is not recorded: how many, and how many of them are favourable.

    ``people`` counts everybody where a person stands on both sides (soft membership).
    """
    pair = setting.recorded or setting.decided
    if pair is None:
        return None
    blank = pair.blank
    rows = blank.n_rows + blank.unknown_rows
    everybody = people
    if everybody is None:
        everybody = rows + sum(side.n_rows + side.unknown_rows for side in pair.sides)
    return {
        "rows": rows,
        "of": everybody,
        "favourable": int(blank.rows[1].sum()),
        "share": rows / everybody if everybody else None,
    }


def counts_of(*, recorded: Cells | None, decided: Cells | None) -> dict[str, Any]:
    """A group's counts as the contract names them; None for what was not supplied."""
    unknown = recorded if recorded is not None else decided
    return {
        "training": None if recorded is None else exact(recorded.n),
        "training_favourable": None if recorded is None else exact(recorded.favourable),
        **{k: None if decided is None else exact(getattr(decided, k)) for k in CONFUSION},
        "unknown_outcome": None if unknown is None else exact(unknown.unknown_outcome),
        "training_rows": None if recorded is None else recorded.n_rows,
        "decided_rows": None if decided is None else decided.decided_rows,
        "decided_unknown_rows": None
        if decided is None
        else int(decided.rows.sum()) - decided.decided_rows,
    }


CONFUSION = ("tp", "fp", "fn", "tn")


def exact(value: float) -> int | float:
    """A whole number as int, a sum of weights as it is."""
    return int(value) if float(value).is_integer() else float(value)


def shares_of(
    *, recorded: Cells | None, decided: Cells | None, confidence: float
) -> dict[str, Any]:
    """A group's rates with Wilson intervals at Kish's size: recorded, decided, by outcome."""
    found: dict[str, Any] = {}
    if recorded is not None:
        found["recorded"] = _share(
            recorded.favourable, recorded.n, recorded.effective_n, confidence
        )
    if decided is not None:
        size = decided.effective_decided / decided.decided if decided.decided > 0 else 0.0
        positives, negatives = decided.tp + decided.fn, decided.fp + decided.tn
        parts = {
            "decided": (decided.selected, decided.decided),
            "true_positive": (decided.tp, positives),
            "false_positive": (decided.fp, negatives),
        }
        for name, (part, whole) in parts.items():
            found[name] = _share(part, whole, whole * size, confidence)
    return found


def _share(part: float, whole: float, size: float, confidence: float) -> dict[str, Any]:
    value = rate(part, whole)
    ends = None
    if value is not None:
        ends = rate_tests.wilson(favourable=value * size, n=size, confidence=confidence)
    return {
        "part": exact(part),
        "of": exact(whole),
        "value": value,
        "low": None if ends is None else ends[0],
        "high": None if ends is None else ends[1],
    }


def all_pairs(
    *, recorded: list[Cells] | None, decided: list[Cells] | None, keys: list[str]
) -> list[dict[str, Any]]:
    """The metrics of every two groups, the later named against the earlier named."""
    rows: list[dict[str, Any]] = []
    for high in range(len(keys)):
        for low in range(high + 1, len(keys)):
            found = metric_points(
                recorded=None if recorded is None else (recorded[low], recorded[high]),
                decided=None if decided is None else (decided[low], decided[high]),
            )
            values = {m: found[m].value if m in found else None for m in METRICS}
            rows.append({"group": keys[low], "against": keys[high], **values})
    return rows
