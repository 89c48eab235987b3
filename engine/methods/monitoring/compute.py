"""Monitoring: people by period and crossing, to rates, drift and triggers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import count
from engine.base.wording import people as people_words
from engine.cohort.model import Cohort
from engine.fairness.intervals import generator
from engine.fairness.measure import measure
from engine.fairness.tests import holm, katz, wilson
from engine.messages import say
from engine.methods.base import Computed
from engine.plan.model import Plan

from .certified import against, certified_levels
from .dates import PLACE
from .parts import Counts, change_of, composition_of, scores_of, share_p
from .people import Floats, Noted, Watched, watched
from .rules import Fired, Level, Rules, false_alarms, judge, limits
from .tables import tables_of
from .telling import seldom_told, trigger_of, triggers_told


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``monitoring`` of a result (see the contract for its keys).

    Source: paper 003, auditing and governance; ``methods.md`` C5.
    """
    watch.say("Laying people into periods", fraction=0.0)
    noted = Noted()
    people = watched(cohort=cohort, plan=plan, settings=settings, noted=noted)
    work = Counts(people)
    rules = Rules.of(dict(settings))
    first = min(int(settings["baseline_periods"]), len(people.periods.names))
    given = certified_levels(settings.get("certified"), people.keys)
    level = _level(work, given, first)
    skip = first if level.estimated else 0
    reference = _reference(people, cohort, settings, level, rules)
    smooth = settings["psi_smoothing"] == "half a person"
    watch.say("Reading the triggers", fraction=0.3)
    fired = judge(
        people=work.people, n=work.n, good=work.good, level=level, reference=reference,
        smooth=smooth, rules=rules, skip=skip, overall=work.overall,
    )  # fmt: skip
    watch.say("Simulating years without drift", fraction=0.4)
    alarms = _alarms(work, level, reference, smooth, rules, plan, settings)
    watch.say("Comparing periods", fraction=0.7)
    told = triggers_told(
        fired=fired,
        names=people.periods.names,
        keys=people.keys,
        words=people.words,
        rules=rules,
        n=work.n,
    )
    periods = _periods(work, level, reference, smooth, rules, plan, fired, told, skip)
    ends = settings.get("certified") or {}
    result: dict[str, Any] = {
        "on": people.on,
        "sample": people.sample.role,
        "attributes": {a.name: [g.key for g in a.groups] for a in cohort.attributes},
        "cells": list(people.keys),
        "words": dict(zip(people.keys, people.words, strict=True)),
        "order": list(people.periods.names),
        "periods": periods,
        "reference": "overall" if reference is None else people.keys[reference],
        "level": {
            "from": "the first periods" if level.estimated else "the last certificate",
            "periods": list(people.periods.names[:first]) if level.estimated else [],
            "cells": {
                key: {
                    "rate": _plain(level.rate[i]),
                    "n": _plain(level.n[i]),
                    "people": _plain(level.people[i]),
                }
                for i, key in enumerate(people.keys)
            },
        },
        "rules": {
            "hard_floor": rules.hard_floor,
            "floor": rules.floor,
            "consecutive": rules.consecutive,
            "psi_limit": rules.psi_limit,
            "minimum_effective_n": rules.minimum,
            "control_level": settings["control_level"] if settings["control_limits"] else None,
            "agreed": settings["agreed"],
        },
        "expected_false_alarms_a_year": alarms,
        "trigger": trigger_of(told),
        "latest": told[-1],
        "timeline": [t for t in told if t["value"] != "none" or t["notes"]],
        "against_last_certificate": against(
            given=ends, number=str(settings["certificate"] or ""), periods=periods,
            order=people.periods.names, confidence=plan.confidence,
        ),
        "intervals": "Wilson for rates, Katz for ratios, Newcombe for changes of rates",
    }  # fmt: skip
    result["counted"] = {
        key: int(fired.counted[:, i].sum()) for i, key in enumerate(people.keys) if i != reference
    }
    _note_periods(work, rules, noted)
    seldom = seldom_told(result)
    if seldom:
        noted.warn("monitoring.seldom", "triggers", **seldom)
    return Computed(
        result=result,
        tables=tables_of(result),
        warnings=tuple(noted.warnings),
        exclusions=tuple(noted.exclusions),
    )


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _level(work: Counts, given: dict[str, Floats] | None, first: int) -> Level:
    if given is not None:
        people = given["people"]
        if not np.isfinite(people).all():  # no composition was certified: the first periods' own
            people = work.people[:first].sum(axis=0)
        return Level(given["rate"], given["n"], people, False)
    n, good = work.n[:first].sum(axis=0), work.good[:first].sum(axis=0)
    rate = np.divide(good, n, out=np.full(len(n), np.nan), where=n > 0)
    return Level(rate, n, work.people[:first].sum(axis=0), True)


def _reference(
    people: Watched, cohort: Cohort, settings: Mapping[str, Any], level: Level, rules: Rules
) -> int | None:
    asked = str(settings["reference"])
    if asked == "overall":
        return None
    if asked == "privileged":
        return 0  # the first group of each attribute is the privileged one
    if asked == "highest":
        usable = np.where(level.n >= rules.minimum, np.nan_to_num(level.rate, nan=-1.0), -1.0)
        return int(np.argmax(usable))
    if asked in people.keys:
        return people.keys.index(asked)
    hint = mend(asked, ["privileged", "highest", "overall", *people.keys], otherwise="choose from")
    text = say("monitoring.no_cell", name=asked, mend=hint)
    raise Refused(Problem("", f"{PLACE}.reference", text))


def _alarms(
    work: Counts,
    level: Level,
    reference: int | None,
    smooth: bool,
    rules: Rules,
    plan: Plan,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    totals = work.people.sum(axis=1)
    totals = totals[totals > 0]
    if not len(totals) or level.people.sum() <= 0 or not np.isfinite(level.rate).any():
        return {"investigate": None, "roll_back": None, "any": None, "share_of_years": None,
                "years": 0, "periods_a_year": 0, "reason": say("monitoring.no_level")}  # fmt: skip
    people, n = work.people.sum(axis=0), work.n.sum(axis=0)
    known = np.full(len(n), float(n.sum() / people.sum()) if people.sum() > 0 else 1.0)
    if work.watched.sample.weight is not None:
        known = np.divide(n, people, out=np.ones(len(n)), where=people > 0)
    found = false_alarms(
        level=level, totals=totals, known=known, a_year=work.watched.periods.a_year,
        reference=reference, smooth=smooth, rules=rules, years=int(settings["simulated_years"]),
        rng=generator(plan.seed, "monitoring", "false alarms"),
    )  # fmt: skip
    return {
        "investigate": found.investigate,
        "roll_back": found.roll_back,
        "any": found.investigate + found.roll_back,
        "share_of_years": found.share_of_years,
        "years": found.years,
        "periods_a_year": found.periods,
        "reason": "",
    }


def _periods(
    work: Counts,
    level: Level,
    reference: int | None,
    smooth: bool,
    rules: Rules,
    plan: Plan,
    fired: Fired,
    told: list[dict[str, Any]],
    skip: int,
) -> dict[str, Any]:
    watched = work.watched
    scores = scores_of(work, level, skip or 1, plan, smooth)
    found = {}
    for p, name in enumerate(watched.periods.names):
        composition = composition_of(level.people, work.people[p], smooth)
        parts = composition.pop("parts")
        cells = {}
        changes = [change_of(level, work, p, i, plan.confidence) for i in range(len(watched.keys))]
        adjusted = holm([c["p"] for c in changes])
        for i, key in enumerate(watched.keys):
            change = {**changes[i], "p_adjusted": adjusted[i]}
            cells[key] = _cell(work, level, reference, rules, plan.confidence, p, i, key, fired) | {
                "psi": parts[i],
                "chi2_p": share_p(level.people, work.people[p], i),
                "rate_change": change,
                "score_change": scores["cells"][key][p],
                "calibration": scores["calibrated"][key][p],
            }
        found[name] = {
            "rows": round(work.rows[p].sum()),
            "known": round(work.known_rows[p].sum()),
            "is_level": bool(p < skip),
            **composition,
            "cells": cells,
            "score_drift": scores["drift"][p],
            "calibration": scores["calibration"][p],
            "trigger": told[p],
        }
    return found


def _cell(
    work: Counts,
    level: Level,
    reference: int | None,
    rules: Rules,
    confidence: float,
    p: int,
    i: int,
    key: str,
    fired: Fired,
) -> dict[str, Any]:
    n, good = float(work.n[p, i]), float(work.good[p, i])
    rows = round(work.known_rows[p, i])
    if reference is None:
        base_n = float(work.overall_n[p])
        base_good = float(np.nan_to_num(work.overall[p])) * base_n
        base_rows, called = round(work.known_rows[p].sum()), "everybody"
    else:
        base_n, base_good = float(work.n[p, reference]), float(work.good[p, reference])
        base_rows, called = round(work.known_rows[p, reference]), work.watched.words[reference]
    counts = {"n_unprivileged": rows, "n_privileged": base_rows}
    if n <= 0:
        reason = say(
            "monitoring.empty", cell=work.watched.words[i], period=work.watched.periods.names[p]
        )
        rate = measure(None, verdict="not computable", reason=reason, **counts)
        ratio = rate
    else:
        ends = wilson(favourable=good, n=n, confidence=confidence)
        assert ends is not None
        rate = measure(good / n, ends[0], ends[1], None, "", **counts)
        if base_n <= 0 or base_good <= 0:
            reason = say("monitoring.no_base", cell=called, n=count(base_rows))
            ratio = measure(None, verdict="not computable", reason=reason, **counts)
        else:
            ratio = _ratio(good, n, base_good, base_n, confidence, rules, counts)
    control: dict[str, Any] = {"low": None, "high": None, "outside": bool(fired.control[p, i])}
    if rules.control_z is not None and n > 0 and np.isfinite(level.rate[i]):
        low, high = limits(
            level=level.rate[i : i + 1], level_n=level.n[i : i + 1], n=np.array([n]),
            z=rules.control_z,
        )  # fmt: skip
        control |= {"low": float(low[0]), "high": float(high[0])}
    small = 0 < n < rules.minimum
    return {
        "rows": round(work.rows[p, i]),
        "effective_n": n,
        "rate": rate,
        "ratio": ratio,
        "counts": bool(n >= rules.minimum),
        "counts_reason": say("monitoring.small", n=count(round(n, 1)), minimum=count(rules.minimum))
        if small
        else "",
        "run": int(fired.run[p, i]),
        "control": control,
    }


def _ratio(
    good: float,
    n: float,
    base_good: float,
    base_n: float,
    confidence: float,
    rules: Rules,
    counts: dict[str, int],
) -> dict[str, Any]:
    ends = katz(favourable=(good, base_good), n=(n, base_n), confidence=confidence)
    more: dict[str, Any] = {}
    if ends is None:  # nobody favourable: half a person in, so that the interval has a width
        ends = katz(favourable=(0.5, base_good), n=(n + 0.5, base_n), confidence=confidence)
        more["note"] = say("monitoring.half")
    assert ends is not None
    value = (good / n) / (base_good / base_n)
    low, high = (0.0, ends[1]) if good <= 0 else ends
    word = "not settled"
    if low >= rules.floor:
        word = "within"
    elif high < rules.floor:
        word = "outside"
    return measure(value, low, high, word, "", **counts, **more)


def _note_periods(work: Counts, rules: Rules, noted: Noted) -> None:
    """Periods without anybody, without a group, and people without a group."""
    watched = work.watched
    for p, name in enumerate(watched.periods.names):
        total = work.rows[p].sum()
        if total <= 0:
            there = int((watched.periods.place == p).sum())
            code = "groupless_period" if there else "empty_period"
            noted.warn(f"monitoring.{code}", name, period=name, n=people_words(there))
            continue
        gone = [k for k, n in zip(watched.words, work.rows[p], strict=True) if n <= 0]
        before = [k for k, n in zip(watched.words, work.rows.sum(axis=0), strict=True) if n > 0]
        gone = [k for k in gone if k in before]
        if gone:
            shown = ", ".join(gone[:5]) + (f" and {len(gone) - 5} more" if len(gone) > 5 else "")
            noted.warn("monitoring.no_group", name, period=name, cells=shown)
    place = watched.periods.place
    lost = (watched.belongs.max(axis=1) <= 0) if watched.soft else watched.belongs < 0
    nowhere = int((lost & (place >= 0)).sum())
    if nowhere:
        noted.exclude(nowhere, "no group", watched.sample, "monitoring.without_group")
