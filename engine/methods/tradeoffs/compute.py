"""Parity, odds and calibration measured side by side, and which of them can hold together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import number
from engine.cohort.labels import words_table
from engine.cohort.model import Attribute, Cohort, Sample
from engine.fairness.counts import Cells, count_table, kish
from engine.fairness.intervals import generator, percentile_interval, resample
from engine.fairness.measure import measure
from engine.fairness.rates import group_rates
from engine.fairness.thresholds import threshold_for_rate
from engine.fairness.verdict import verdict
from engine.messages import say
from engine.methods.base import Computed
from engine.plan.model import Plan

from .calibration import calibrate, edges_of, unusable
from .tables import tables_of

Floats = NDArray[np.float64]
RATES = ("base", "selection", "TPR", "FPR", "PPV")
SMALL = 1e-9
PARITY, ODDS, CALIBRATION = "demographic parity", "equalised odds", "calibration within groups"


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``tradeoffs`` of a result (see the contract for its keys).

    Source: paper 003, second half; Chouldechova (2017) for the identity; ``methods.md`` C2.
    """
    attribute = cohort.attribute(settings.get("attribute"))
    sample = cohort.decided
    if sample is None or sample.decision is None or sample.outcome is None:
        raise Refused(Problem("", "", say("tradeoffs.nothing")))
    within = float(settings["holds_within"])
    words = words_table(plan=plan, attributes=[attribute])
    called = words[attribute.name]
    watch.say("Counting decisions by group", fraction=0.0)
    table = count_table(
        groups=len(attribute.groups),
        codes=None if attribute.soft else sample.codes[attribute.name],
        membership=sample.membership[attribute.name] if attribute.soft else None,
        outcome=sample.outcome,
        decision=sample.decision,
        weight=sample.weight,
    )
    sides = [table.side(g) for g in range(table.groups)]
    others = table.side(range(1, table.groups))
    rates = {g.key: _rates(s) for g, s in zip(attribute.groups, sides, strict=True)}
    rng = generator(plan.seed, "tradeoffs", attribute.name)
    drawn = resample(sides=[others, sides[0]], resamples=plan.resamples, rng=rng)
    draws = {name: _rate_draws(drawn, name) for name in RATES}
    pooled = (_rates(others), _rates(sides[0]))
    everyone = ", ".join(called[g.key] for g in attribute.unprivileged)
    gaps = {
        name: _gap(
            name, attribute, (everyone, called[attribute.privileged.key]), pooled, draws[name],
            (others, sides[0]), within, plan,
        )
        for name in RATES
    }  # fmt: skip
    alone = _each(attribute, called, sides, within, plan)
    watch.say("Reading the scores", fraction=0.4)
    calibration = _calibration(attribute, called, sample, settings, plan, within, rng)
    holds = _holds(rates, calibration, within)
    result: dict[str, Any] = {
        "attribute": attribute.name,
        "words": words,
        "privileged": attribute.privileged.key,
        "unprivileged": [g.key for g in attribute.unprivileged],
        "sample": sample.role,
        "holds_within": within,
        "base_rates": {
            "groups": {k: {"rate": r["base"], "n": r["n"]} for k, r in rates.items()},
            "gap": gaps["base"],
            "widest": _widest(rates, "base"),
        },
        "parity": {
            "groups": {k: {"rate": r["selection"], "n": r["n"]} for k, r in rates.items()},
            "gap": gaps["selection"],
            "each": alone["selection"],
            "verdict": _of_all(alone["selection"], _widest(rates, "selection"), within),
            "widest": _widest(rates, "selection"),
        },
        "odds": {
            "groups": {
                k: {name: r[name] for name in ("TPR", "FPR", "FNR", "PPV", "n")}
                for k, r in rates.items()
            },
            "true_positive_gap": gaps["TPR"],
            "false_positive_gap": gaps["FPR"],
            "precision_gap": gaps["PPV"],
            "each": {name: alone[name] for name in ("TPR", "FPR")},
            "verdict": _worst(
                _of_all(alone[name], _widest(rates, name), within) for name in ("TPR", "FPR")
            ),
            "widest": _largest(_widest(rates, "TPR"), _widest(rates, "FPR")),
        },
        "calibration": calibration.pop("groups"),
        "calibration_read": calibration,
        "identity": {k: _identity(r) for k, r in rates.items()},
        "can_hold_together": _together(rates, holds, gaps["base"], within),
        "costs": _costs(attribute, sample),
        "declared_choice": {
            "definition": None if settings["choice"] == "none" else settings["choice"],
            "reason": str(settings["choice_reason"] or "").strip(),
            "by": str(settings["choice_by"] or "").strip(),
            "holds": holds.get(str(settings["choice"])),
        },
    }
    return Computed(result=result, tables=tables_of(result), warnings=_warnings(result))


def _rates(cells: Cells) -> dict[str, Any]:
    return {**group_rates(cells), "n": cells.decided_rows}


def _rate_draws(drawn: Floats, name: str) -> Floats:
    """A rate of both sides in every resample, shape (2, resamples); NaN where undefined."""
    cells = drawn[..., :2]
    part, whole = {
        "base": (cells[..., 1, :].sum(axis=-1), cells.sum(axis=(-1, -2))),
        "selection": (cells[..., 1].sum(axis=-1), cells.sum(axis=(-1, -2))),
        "TPR": (cells[..., 1, 1], cells[..., 1, :].sum(axis=-1)),
        "FPR": (cells[..., 0, 1], cells[..., 0, :].sum(axis=-1)),
        "PPV": (cells[..., 1, 1], cells[..., 1].sum(axis=-1)),
    }[name]
    found: Floats = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return found


_WITH = {
    "base": "a known outcome and decision",
    "selection": "a known outcome and decision",
    "TPR": "a favourable outcome",
    "FPR": "an unfavourable outcome",
    "PPV": "a favourable decision",
}


def _gap(
    name: str,
    attribute: Attribute,
    who: tuple[str, str],
    pooled: tuple[dict[str, Any], dict[str, Any]],
    draws: Floats,
    sides: tuple[Cells, Cells],
    within: float,
    plan: Plan,
) -> dict[str, Any]:
    """Unprivileged less privileged, with its interval, read against the margin."""
    n = (sides[0].decided_rows, sides[1].decided_rows)
    for rates, key in zip(pooled, who, strict=True):
        if rates[name] is None:
            reason = say("tradeoffs.no_rate", group=f"{attribute.name} {key}", what=_WITH[name])
            return measure(None, None, None, "not computable", reason, *n)
    value = pooled[0][name] - pooled[1][name]
    ends = percentile_interval(draws[0] - draws[1], confidence=plan.confidence)
    word = verdict(value=value, low=ends.low, high=ends.high, band=(-within, within))
    return measure(value, ends.low, ends.high, word, "", *n)


def _each(
    attribute: Attribute,
    called: Mapping[str, str],
    sides: Sequence[Cells],
    within: float,
    plan: Plan,
) -> dict[str, dict[str, Any]]:
    """The gap of each unprivileged group alone: pooled, one that gains can hide one that loses."""
    rng = generator(plan.seed, "tradeoffs", attribute.name, "each group")
    drawn = resample(sides=sides, resamples=plan.resamples, rng=rng)
    found: dict[str, dict[str, Any]] = {}
    for name in ("selection", "TPR", "FPR"):
        draws = _rate_draws(drawn, name)
        found[name] = {
            group.key: _gap(
                name, attribute, (called[group.key], called[attribute.privileged.key]),
                (_rates(sides[g]), _rates(sides[0])), draws[[g, 0]], (sides[g], sides[0]), within,
                plan,
            )
            for g, group in enumerate(attribute.groups)
            if g
        }  # fmt: skip
    return found


def _of_all(each: Mapping[str, Mapping[str, Any]], widest: float | None, within: float) -> str:
    """Whether a rate is equal in all groups: the worst of them, and any two of them."""
    word = _worst(str(gap["verdict"]) for gap in each.values())
    if word == "within" and widest is not None and widest > within + SMALL:
        return "not settled"
    return word


def _worst(words: Iterable[str]) -> str:
    found = set(words)
    order = ("outside", "not computable", "not settled", "within")
    return next(word for word in order if word in found)


def _widest(rates: Mapping[str, Mapping[str, Any]], name: str) -> float | None:
    """The largest difference between any two groups; None where a group has no rate."""
    found = [r[name] for r in rates.values()]
    return None if None in found else max(found) - min(found)


def _largest(*values: float | None) -> float | None:
    return None if None in values else max(v for v in values if v is not None)


def _identity(rates: Mapping[str, Any]) -> dict[str, Any]:
    """Self-check: FPR = b / (1 - b) x (1 - PPV) / PPV x (1 - FNR), exact for any table."""
    base, ppv, fnr, fpr = (rates[k] for k in ("base", "PPV", "FNR", "FPR"))
    if None in (base, ppv, fnr, fpr) or base >= 1 or ppv <= 0:
        return {"residual": None, "reason": say("tradeoffs.no_identity")}
    residual = fpr - base / (1 - base) * (1 - ppv) / ppv * (1 - fnr)
    return {"residual": 0.0 if abs(residual) < 1e-12 else float(residual), "reason": ""}


def group_weights(attribute: Attribute, sample: Sample) -> list[Floats]:
    """For each group how far every row counts in it."""
    base = np.ones(len(sample)) if sample.weight is None else sample.weight
    if attribute.soft:
        return [base * column for column in sample.membership[attribute.name].T]
    codes = sample.codes[attribute.name]
    return [base * (codes == g) for g in range(len(attribute.groups))]


def _worth(weight: Floats) -> float:
    """What brings weights of any scale to the number of people that they are worth."""
    total = float(weight.sum())
    return kish(total, float((weight**2).sum())) / total if total > 0 else 1.0


def _people(weight: Floats, weighted: bool) -> float:
    """How many people a group's weights are worth: their sum where they are probabilities."""
    total = float(weight.sum())
    return kish(total, float((weight**2).sum())) if weighted else total


def _calibration(
    attribute: Attribute,
    called: Mapping[str, str],
    sample: Sample,
    settings: Mapping[str, Any],
    plan: Plan,
    within: float,
    rng: np.random.Generator,
) -> dict[str, Any]:
    reason = unusable(sample.score)
    if reason or sample.score is None or sample.outcome is None:
        return {"groups": {}, "widest_ece": None, "reason": reason, "edges": []}
    weights = group_weights(attribute, sample)
    use = np.isfinite(sample.score) & (sample.outcome >= 0) & (sum(weights) > 0)
    score, outcome = sample.score[use], sample.outcome[use]
    if sample.weight is not None and use.any():
        worth = _worth(sample.weight[use])
        weights = [w * worth for w in weights]
    smallest = min(_people(w[use], sample.weight is not None) for w in weights)
    edges = (
        edges_of(
            score=score,
            bins=int(settings["bins"]),
            binning=str(settings["binning"]),
            smallest=smallest,
        )
        if len(score)
        else np.empty(0)
    )
    groups = {
        g.key: calibrate(
            score=score,
            outcome=outcome,
            weight=w[use],
            edges=edges,
            group=f"{attribute.name} {called[g.key]}",
            within=within,
            confidence=plan.confidence,
            resamples=plan.resamples,
            rng=rng,
        )
        for g, w in zip(attribute.groups, weights, strict=True)
    }
    widest = _largest(*(g["ece"]["value"] for g in groups.values()))
    return {"groups": groups, "widest_ece": widest, "reason": "", "edges": edges.tolist()}


def _holds(
    rates: Mapping[str, Mapping[str, Any]], calibration: Mapping[str, Any], within: float
) -> dict[str, bool | None]:
    """Which definitions hold by their values alone; None where one cannot be computed."""

    def at_most(value: float | None) -> bool | None:
        return None if value is None else value <= within + SMALL

    return {
        PARITY: at_most(_widest(rates, "selection")),
        ODDS: at_most(_largest(_widest(rates, "TPR"), _widest(rates, "FPR"))),
        CALIBRATION: at_most(calibration["widest_ece"]),
    }


def _together(
    rates: Mapping[str, Mapping[str, Any]],
    holds: Mapping[str, bool | None],
    base_gap: Mapping[str, Any],
    within: float,
) -> dict[str, Any]:
    """Which definitions can hold together with these base rates and this much error."""
    widest = _widest(rates, "base")
    equal = None if widest is None else widest <= SMALL
    perfect = None
    errors = [(r["TPR"], r["FPR"]) for r in rates.values()]
    if all(t is not None and f is not None for t, f in errors):
        perfect = all(t >= 1 - SMALL and f <= SMALL for t, f in errors)
    free = bool(equal)
    pairs = [
        ([PARITY, ODDS], free, "parity_odds"),
        ([PARITY, CALIBRATION], free, "parity_calibration"),
        ([ODDS, CALIBRATION], free or bool(perfect), "odds_calibration"),
        ([PARITY, ODDS, CALIBRATION], free, "all_three"),
    ]
    gap = number(None if widest is None else 100 * widest, digits=1)
    combinations = []
    for names, possible, code in pairs:
        if widest is None:
            why, answer = say("tradeoffs.no_base_rates"), None
        elif possible:
            why = say("tradeoffs.equal" if free else "tradeoffs.perfect")
            answer = True
        else:
            why, answer = say(f"tradeoffs.{code}", gap=gap), False
        combinations.append({"definitions": names, "possible": answer, "why": why})
    return {
        "base_rates_equal": equal,
        "base_rates_settled": base_gap["verdict"],
        "perfect_prediction": perfect,
        "holds_now": dict(holds),
        "combinations": combinations,
    }


def _costs(attribute: Attribute, sample: Sample) -> list[dict[str, Any]]:
    """What it takes to make rates or opportunities equal by a threshold for each group.

    The thresholds are found on the very people they are judged on, so the true cost is higher.
    """
    assert sample.decision is not None and sample.outcome is not None
    if attribute.soft or sample.score is None:
        return []
    codes = sample.codes[attribute.name]
    use = np.isfinite(sample.score) & (sample.outcome >= 0) & (sample.decision >= 0) & (codes >= 0)
    score, outcome, codes = sample.score[use], sample.outcome[use], codes[use]
    before = sample.decision[use]
    weight = None if sample.weight is None else sample.weight[use]
    if not len(score) or len(np.unique(score)) < 2:
        return []
    mass = np.ones(len(score)) if weight is None else weight * _worth(weight)
    found = []
    for definition, mine in (
        (PARITY, np.ones(len(score), bool)),
        ("equal opportunity", outcome == 1),
    ):
        if mass[mine].sum() <= 0:
            continue
        rate = float((mass * before)[mine].sum() / mass[mine].sum())
        after = before.copy()
        thresholds: dict[str, Any] = {}
        for g, group in enumerate(attribute.groups):
            members = codes == g
            here = members & mine
            cut = threshold_for_rate(
                score=score[here], rate=rate, weight=None if weight is None else weight[here]
            )
            if cut is None:
                continue
            after[members] = score[members] >= cut.value
            thresholds[group.key] = {
                "threshold": cut.value,
                "wanted": cut.wanted,
                "realised": cut.realised,
                "ties": cut.ties,
            }
        found.append(
            {
                "definition": definition,
                "thresholds": thresholds,
                "changed": float(mass[after != before].sum()),
                "of": float(mass.sum()),
                "accuracy_before": float((mass * (before == outcome)).sum() / mass.sum()),
                "accuracy_after": float((mass * (after == outcome)).sum() / mass.sum()),
                "widest_after": _after(codes, outcome, after, mass, len(attribute.groups)),
            }
        )
    return found


def _after(
    codes: NDArray[np.int16],
    outcome: NDArray[np.int8],
    decision: NDArray[np.int8],
    mass: Floats,
    groups: int,
) -> dict[str, float | None]:
    table = count_table(groups=groups, codes=codes, outcome=outcome, decision=decision, weight=mass)
    rates = {str(g): _rates(table.side(g)) for g in range(groups)}
    return {name: _widest(rates, name) for name in ("selection", "TPR", "FPR")}


def _warnings(result: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    choice = result["declared_choice"]
    found = []
    if choice["definition"] is None:
        found.append("tradeoffs.undeclared")
    elif not choice["reason"]:
        found.append("tradeoffs.no_reason")
    return tuple({"code": c, "text": say(c), "where": "definitions that conflict"} for c in found)
