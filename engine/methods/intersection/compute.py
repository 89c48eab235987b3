"""Crossed groups: counts to rates, ratios, intervals, tests and flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import count, number, percent
from engine.cohort.labels import words_table
from engine.cohort.model import Attribute, Cohort, Sample
from engine.fairness.intervals import HALF_A_PERSON, LARGEST_UNDEFINED_SHARE, generator
from engine.fairness.measure import measure
from engine.fairness.verdict import verdict
from engine.messages import say
from engine.methods.base import Computed
from engine.plan.model import Plan

from .cells import CellCounts, Floats, count_cells, draw_hard
from .tables import tables_of
from .testing import compare_cells
from .words import crossing_words, reference_words

SMALL_SHARE = 0.02
"""Crossings of at most this share of the people may be left out, with a reason."""
FLAG = {"within": "OK", "outside": "FLAGGED", "not settled": "UNDECIDED"}
EDGE = 1e-9


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``intersection`` of a result (see the contract for its keys).

    Source: paper 003, crossed rates with soft membership; ``methods.md`` C1 for its corrections.
    """
    watch.say("Counting crossed groups", fraction=0.0)
    attributes = _chosen(cohort, settings)
    sample, favourable, what = sample_of(cohort)
    counts = count_cells(attributes=attributes, sample=sample, favourable=favourable)
    left_out = _left_out(counts, settings)
    minimum = float(settings["minimum_effective_n"])
    judged = counts.size >= minimum - EDGE
    judged &= ~np.array([key in left_out for key in counts.keys])
    rates = np.divide(
        counts.favourable, counts.weight, out=np.full(len(judged), np.nan), where=counts.weight > 0
    )
    name, place = _reference(counts, rates, judged, settings)
    watch.say("Drawing crossed groups", fraction=0.2)
    draws = _draws(counts, attributes, sample, favourable, plan, settings, watch.part(0.2, 0.5))
    tail = (1 - plan.confidence) / 2
    ends = [tail, 1 - tail]
    watch.say("Comparing crossed groups", fraction=0.5)
    words = words_table(plan=plan, attributes=attributes)
    cells = _cells(counts, rates, judged, draws, ends, name, place, settings, left_out, words)
    watch.say("Testing crossed groups", fraction=0.8)
    tests = compare_cells(
        counts=counts, judged=judged, reference=place, watch=watch, confidence=plan.confidence
    )
    result: dict[str, Any] = {
        "on": what,
        "sample": sample.role,
        "rows": int((favourable >= 0).sum()),
        "order": [a.name for a in attributes],
        "attributes": {a.name: [g.key for g in a.groups] for a in attributes},
        "words": words,
        "soft": [a.name for a in attributes if a.soft],
        "membership_notes": _membership_notes(cohort, attributes),
        "reference": name,
        "reference_rate": _plain(_reference_rate(counts, rates, place)),
        "reference_reason": ""
        if name is not None
        else say("intersection.no_reference", minimum=count(minimum)),
        "minimum_effective_n": minimum,
        "flag_below": float(settings["flag_below"]),
        "cells": cells,
        "margins": _margins(counts),
        "tests": tests,
        "left_out": left_out,
    }
    return Computed(result=result, tables=tables_of(result), warnings=_warnings(result, settings))


def sample_of(cohort: Cohort) -> tuple[Sample, NDArray[np.int8], str]:
    """The people who are crossed: their decisions where there are any, else their outcomes."""
    sample = cohort.decided
    if sample is not None and sample.decision is not None:
        return sample, sample.decision, "decisions"
    sample = cohort.recorded
    if sample is None or sample.outcome is None:
        raise Refused(Problem("", "", say("intersection.nothing")))
    return sample, sample.outcome, "outcomes"


def _membership_notes(cohort: Cohort, attributes: Sequence[Attribute]) -> list[str]:
    """What was done with people whose probabilities cannot be used, as the cohort tells it."""
    if not any(a.soft for a in attributes):
        return []
    return [w["text"] for w in cohort.warnings if w["code"] == "cohort.membership_unusable"]


def _chosen(cohort: Cohort, settings: Mapping[str, Any]) -> tuple[Attribute, ...]:
    names = settings.get("attributes")
    if not names:
        return cohort.attributes
    known = [a.name for a in cohort.attributes]
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in known:
            text = say("intersection.no_attribute", name=name, mend=mend(str(name), known))
            raise Refused(Problem("", "methods.intersection.attributes", text))
    return tuple(a for a in cohort.attributes if a.name in wanted)


def _left_out(counts: CellCounts, settings: Mapping[str, Any]) -> dict[str, str]:
    asked = settings.get("left_out") or {}
    where = "methods.intersection.left_out"
    if not isinstance(asked, Mapping):
        raise Refused(Problem("", where, say("intersection.left_out_form")))
    total = counts.weight.sum()
    shares = dict(zip(counts.keys, counts.weight / total if total else counts.weight, strict=True))
    for key, reason in asked.items():
        if key not in shares:
            text = say("intersection.no_cell", name=key, mend=mend(str(key), list(shares)))
            raise Refused(Problem("", where, text))
        if not isinstance(reason, str) or not reason.strip():
            raise Refused(Problem("", where, say("intersection.no_reason", cell=key)))
        if shares[key] >= SMALL_SHARE:
            text = say("intersection.not_small", cell=key, share=percent(float(shares[key])))
            raise Refused(Problem("", where, text))
    return {str(key): str(reason) for key, reason in asked.items()}


def _reference(
    counts: CellCounts, rates: Floats, judged: NDArray[np.bool_], settings: Mapping[str, Any]
) -> tuple[str | None, int | None]:
    """The reference's name and place; the place is None for everybody, both without any."""
    asked = str(settings["reference"])
    if asked == "overall":
        return ("overall", None) if counts.weight.sum() > 0 else (None, None)
    keys = counts.keys
    if asked != "highest":
        if asked not in keys:
            hint = mend(asked, ["highest", "overall", *keys])
            text = say("intersection.no_cell", name=asked, mend=hint)
            raise Refused(Problem("", "methods.intersection.reference", text))
        place = keys.index(asked)
        return (asked, place) if counts.weight[place] > 0 else (None, None)
    if not judged.any():
        return None, None
    place = int(np.argmax(np.where(judged, rates, -1.0)))
    return keys[place], place


def _reference_rate(counts: CellCounts, rates: Floats, place: int | None) -> float:
    if place is not None:
        return float(rates[place])
    total = counts.weight.sum()
    return float(counts.favourable.sum() / total) if total else float("nan")


def _draws(
    counts: CellCounts,
    attributes: Sequence[Attribute],
    sample: Sample,
    favourable: NDArray[np.int8],
    plan: Plan,
    settings: Mapping[str, Any],
    watch: Watch,
) -> tuple[Floats, Floats]:
    """Rates of the cells, shape (cells, resamples), and of everybody, in every resample.

    Each cell keeps its size and its favourable people are drawn anew. With probabilities of
    belonging, people are first laid into one group each, many times, so that the spread between
    these lays enters beside the spread within.
    """
    rng = generator(plan.seed, "intersection")
    resamples = plan.resamples
    if not counts.soft:
        rates = _binomial(counts.weight, counts.favourable, counts.square, resamples, rng)
        sizes = counts.weight[:, None]
    else:
        lays = min(int(settings["membership_draws"]), resamples)
        hard = draw_hard(
            attributes=attributes,
            sample=sample,
            favourable=favourable,
            draws=lays,
            rng=rng,
            watch=watch,
        )
        share = np.full(lays, resamples // lays) + (np.arange(lays) < resamples % lays)
        drawn = [_binomial(w, f, s, int(n), rng) for w, f, s, n in zip(*hard, share, strict=True)]
        rates = np.concatenate(drawn, axis=1)
        sizes = np.repeat(hard[0], share, axis=0).T
    filled = np.where(np.isfinite(rates), rates, 0.0)
    total = np.broadcast_to(sizes, rates.shape).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        overall = (filled * sizes).sum(axis=0) / total
    return rates, overall


def _binomial(
    weight: Floats, favourable: Floats, square: Floats, resamples: int, rng: np.random.Generator
) -> Floats:
    """Rates drawn anew at Kish's size; half a person is laid where all or none are favourable."""
    size = np.divide(weight**2, square, out=np.zeros_like(weight), where=square > 0)
    whole = np.where(weight > 0, np.maximum(1, np.rint(size)), 0).astype(np.int64)
    share = np.divide(favourable, weight, out=np.zeros_like(weight), where=weight > 0)
    share = np.clip(share, 0.0, 1.0)
    edge = HALF_A_PERSON / (whole + HALF_A_PERSON)
    share = np.where(share <= 0, edge, np.where(share >= 1, 1 - edge, share))
    drawn = rng.binomial(whole[:, None], share[:, None], size=(len(weight), resamples))
    found: Floats = np.divide(
        drawn, whole[:, None], out=np.full(drawn.shape, np.nan), where=whole[:, None] > 0
    )
    return found


def _quantiles(values: Floats, ends: Sequence[float]) -> Floats:
    """Bounds a row; NaN where more than a twentieth of the resamples has no value."""
    found = np.full((len(values), 2), np.nan)
    known = np.isfinite(values)
    whole = known.all(axis=1)
    if whole.any():
        found[whole] = np.quantile(values[whole], ends, axis=1).T
    enough = known.mean(axis=1) >= 1 - LARGEST_UNDEFINED_SHARE
    for i in np.flatnonzero(enough & ~whole):
        found[i] = np.quantile(values[i][known[i]], ends)
    return found


def _cells(
    counts: CellCounts,
    rates: Floats,
    judged: NDArray[np.bool_],
    draws: tuple[Floats, Floats],
    ends: Sequence[float],
    name: str | None,
    place: int | None,
    settings: Mapping[str, Any],
    left_out: Mapping[str, str],
    words: Mapping[str, Mapping[str, str]],
) -> dict[str, Any]:
    drawn, overall = draws
    below = float(settings["flag_below"])
    minimum = float(settings["minimum_effective_n"])
    base = _reference_rate(counts, rates, place)
    everybody = _reference_rate(counts, rates, None)
    against = overall if place is None else drawn[place]
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio_draws = np.where(against > 0, drawn / against, np.nan)
        overall_draws = np.where(overall > 0, drawn / overall, np.nan)
    if place is not None:
        ratio_draws[place] = 1.0
    rate_ends, ratio_ends, overall_ends = (
        _quantiles(v, ends) for v in (drawn, ratio_draws, overall_draws)
    )
    reference_rows = int(counts.rows.sum() if place is None else counts.rows[place])
    total_rows = int(counts.rows.sum())
    cells: dict[str, Any] = {}
    kish = counts.kish
    called = [crossing_words(groups, words) for groups in counts.groups]
    of_reference = "everybody" if place is None else called[place]
    for i, (key, groups) in enumerate(zip(counts.keys, counts.groups, strict=True)):
        rows = int(counts.rows[i])
        if rows == 0 or counts.weight[i] <= 0:
            reason = say("intersection.empty", cell=called[i])
            rate = ratio = whole = None
        else:
            reason = ""
            rate = float(rates[i])
            ratio = rate / base if name is not None and base > 0 else None
            whole = rate / everybody if everybody > 0 else None
        why_no_ratio = reason or (
            say("intersection.no_reference", minimum=count(minimum))
            if name is None
            else say("intersection.zero_reference", reference=of_reference, n=count(reference_rows))
        )
        why_no_whole = reason or say("intersection.zero_overall", n=count(total_rows))
        ratio_low, ratio_high = (None, None) if ratio is None else map(_plain, ratio_ends[i])
        word = verdict(value=ratio, low=ratio_low, high=ratio_high, band=(below, None))
        flag = "INSUFFICIENT" if not judged[i] or ratio is None else FLAG[word]
        cells[key] = {
            "groups": groups,
            "rows": rows,
            "effective_n": float(counts.weight[i]),
            "kish_n": float(kish[i]),
            "judged_n": float(counts.size[i]),
            "imputed_share": float(counts.imputed[i] / counts.weight[i])
            if counts.weight[i] > 0
            else None,
            "favourable": float(counts.favourable[i]),
            "rate": _measure(rate, rate_ends[i], None, reason, rows, 0),
            "ratio": _measure(
                ratio,
                ratio_ends[i],
                word if judged[i] or ratio is None else "not settled",
                "" if ratio is not None else why_no_ratio,
                rows,
                reference_rows,
            ),
            "ratio_to_overall": _measure(
                whole,
                overall_ends[i],
                None,
                "" if whole is not None else why_no_whole,
                rows,
                total_rows,
            ),
            "bounds": _bounds(counts, i),
            "flag": flag,
            "flag_reason": _why(flag, key, called[i], counts, i, minimum, left_out, why_no_ratio),
            "as_published": _published(counts, rates, judged, i, name, place, below),
        }
    return cells


def _measure(
    value: float | None, ends: Floats, word: str | None, reason: str, n: int, reference: int
) -> dict[str, Any]:
    low, high = (None, None) if value is None else (_plain(ends[0]), _plain(ends[1]))
    return measure(value, low, high, word, reason, n, reference)


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _bounds(counts: CellCounts, i: int) -> dict[str, float | None]:
    """The rate's extremes if those who may belong do, or do not, as suits least or best.

    Assumption-free (Manski): the lowest has all doubtful unfavourable people in it and none of
    the favourable ones, the highest the reverse.
    """
    sure, good = counts.sure[i], counts.sure_favourable[i]
    maybe_good = counts.doubtful_favourable[i]
    maybe_bad = counts.doubtful[i] - maybe_good
    if sure + counts.doubtful[i] <= 0:
        return {"low": None, "high": None}
    low = good / (sure + maybe_bad) if sure + maybe_bad > 0 else 1.0
    high = (good + maybe_good) / (sure + maybe_good) if sure + maybe_good > 0 else 0.0
    return {"low": float(low), "high": float(high)}


def _why(
    flag: str,
    key: str,
    called: str,
    counts: CellCounts,
    i: int,
    minimum: float,
    left_out: Mapping[str, str],
    why_no_ratio: str,
) -> str:
    if flag != "INSUFFICIENT":
        return ""
    if key in left_out:
        return say("intersection.left_out", reason=left_out[key])
    if counts.rows[i] == 0 or counts.weight[i] <= 0:
        return say("intersection.empty", cell=called)
    size = float(counts.size[i])
    if size < minimum - EDGE:
        digits = 0 if size.is_integer() else 1
        return say("intersection.small", n=number(size, digits=digits), minimum=count(minimum))
    return why_no_ratio


def _published(
    counts: CellCounts,
    rates: Floats,
    judged: NDArray[np.bool_],
    i: int,
    name: str | None,
    place: int | None,
    below: float,
) -> dict[str, Any]:
    """Rate, ratio and flag as the paper's listing prints them: rounded rates, no interval."""
    if counts.weight[i] <= 0:
        return {"rate": None, "ratio": None, "flag": "INSUFFICIENT"}
    rate = round(float(rates[i]), 4)
    base = round(_reference_rate(counts, rates, place), 4)
    ratio = round(rate / base, 4) if name is not None and base > 0 else None
    if not judged[i] or ratio is None:
        return {"rate": rate, "ratio": ratio, "flag": "INSUFFICIENT"}
    return {"rate": rate, "ratio": ratio, "flag": "FLAGGED" if ratio < below else "OK"}


def _margins(counts: CellCounts) -> dict[str, Any]:
    """Each attribute on its own: what crossing adds to."""
    found: dict[str, Any] = {}
    pairs = zip(counts.attributes, counts.margins, counts.margin_rows, strict=True)
    for a, (weight, good), rows in pairs:
        rates = [float(g / w) if w > 0 else None for g, w in zip(good, weight, strict=True)]
        highest = max((r for r in rates if r is not None), default=None)
        found[a.name] = {
            group.key: {
                "rows": int(n),
                "effective_n": float(w),
                "rate": rate,
                "ratio_to_highest": rate / highest if rate is not None and highest else None,
            }
            for group, n, w, rate in zip(a.groups, rows, weight, rates, strict=True)
        }
    return found


def _warnings(result: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    found = []

    def warn(code: str, **fields: Any) -> None:
        text = say(f"intersection.{code}", **fields)
        found.append({"code": f"intersection.{code}", "text": text, "where": "crossed groups"})

    if result["reference"] is None:
        warn("no_reference", minimum=count(result["minimum_effective_n"]))
    if settings["reference"] == "highest" and result["reference"] is not None:
        warn("highest_is_chosen", reference=reference_words(result))
    chosen = result["cells"].get(result["reference"])
    if chosen and chosen["flag_reason"] and chosen["ratio"]["value"] is not None:
        warn("small_reference", reference=reference_words(result), why=chosen["flag_reason"])
    if result["soft"]:
        warn("soft_shrinks")
    if len(result["soft"]) > 1:
        warn("soft_independent")
    return tuple(found)
