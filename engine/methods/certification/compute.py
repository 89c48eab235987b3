"""The certification: from the cohort to the contract's result, in counts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch
from engine.base.wording import count, interval, number, percent
from engine.cohort.labels import words_of
from engine.cohort.model import Attribute, Cohort
from engine.fairness.intervals import generator, resample_crossed
from engine.fairness.measure import measure
from engine.fairness.metrics import (
    DECIDED,
    RECORDED,
    Names,
    Point,
    bias_index_arrays,
    fairness_score,
    metric_arrays,
)
from engine.messages import say
from engine.methods.base import Computed
from engine.plan.model import Outcome, Plan, Value

from . import compare, decide
from .evidence import Evidence, count_cohort, pair
from .tables import tables_of


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compute the part ``certification`` of a result (see the contract for its keys).

    Source: paper 001, equations (2) to (9) and the standard operating procedure of section 7.2.
    """
    watch.say("Counting people", fraction=0.0)
    evidence = count_cohort(cohort=cohort)
    unchecked = _why_unchecked(evidence, cohort)
    attributes: dict[str, Any] = {}
    index_draws: dict[str, NDArray[np.float64]] = {}
    warnings: list[dict[str, Any]] = []
    for place, attribute in enumerate(cohort.attributes):
        watch.say(f"Comparing groups by {attribute.name}", done=place, total=len(cohort.attributes))
        setting = _setting(attribute, evidence, plan, unchecked)
        one, drawn = _attribute(attribute, evidence, setting)
        attributes[attribute.name] = one
        index_draws[attribute.name] = drawn
        warnings += _warnings(attribute, setting, one)
    watch.say("Drawing all attributes together", fraction=0.9)
    score = _score(attributes, index_draws, evidence, cohort, plan)
    worst = decide.worst_of(attributes=attributes, plan=plan)
    checked = next(iter(attributes.values()))["bias_index"]["metrics_used"]
    test_rows = None if evidence.decided is None else evidence.decided.rows
    result = {
        "attributes": attributes,
        "fairness_score": score,
        "worst": worst,
        "worst_attribute": _worst_attribute(attributes),
        "not_checked": [m for m in (*RECORDED, *DECIDED) if m not in checked],
        "recommendation": decide.recommend(
            attributes=attributes,
            score=score,
            worst=worst,
            plan=plan,
            without_system=evidence.decided is None,
            test_rows=test_rows,
        ),
        "samples": {
            "recorded": _sample(evidence, "recorded"),
            "decided": _sample(evidence, "decided"),
            "same_people": evidence.same,
        },
    }
    watch.say("Certification computed", fraction=1.0)
    return Computed(result=result, tables=tables_of(result=result), warnings=tuple(warnings))


def _sample(evidence: Evidence, which: str) -> dict[str, Any] | None:
    counted = evidence.recorded if which == "recorded" else evidence.decided
    return None if counted is None else {"role": counted.role, "rows": counted.rows}


def _why_unchecked(evidence: Evidence, cohort: Cohort) -> dict[str, str]:
    found: dict[str, str] = {}
    if evidence.recorded is None:
        code = "no_training" if cohort.recorded is None else "no_outcome"
        found |= dict.fromkeys(RECORDED, say(f"certification.{code}"))
    if evidence.decided is None:
        found |= dict.fromkeys(DECIDED, say("certification.no_decisions"))
    return found


def _setting(
    attribute: Attribute,
    evidence: Evidence,
    plan: Plan,
    unchecked: Mapping[str, str],
    group: int | None = None,
) -> compare.Setting:
    called = [words_of(plan=plan, attribute=attribute.name, key=g.key) for g in attribute.groups]
    if group is None and len(called) > 2:
        who = f"other than {called[0]}"
    else:
        who = called[1 if group is None else group]
    positive, negative = outcome_words(plan.outcome)
    return compare.Setting(
        plan=plan,
        attribute=attribute.name,
        names=Names(
            unprivileged=f"{attribute.name} {who}",
            privileged=f"{attribute.name} {called[0]}",
            positive=positive,
            negative=negative,
        ),
        recorded=pair(counted=evidence.recorded, attribute=attribute, group=group),
        decided=pair(counted=evidence.decided, attribute=attribute, group=group),
        same=evidence.same,
        why_unchecked=unchecked,
    )


def outcome_words(outcome: Outcome | None) -> tuple[str, str]:
    """How a favourable and an unfavourable recorded outcome are called in a sentence.

    Examples
    --------
    >>> outcome_words(Outcome("actual_good", (1,)))
    ('actual_good = 1', 'actual_good other than 1')
    """
    if outcome is None:
        return "a favourable outcome", "an unfavourable outcome"
    rule = outcome.favourable
    if isinstance(rule, Mapping):
        key, value = next(iter(rule.items()))
        if key == "between":
            words = f"from {value[0]:g} to under {value[1]:g}"
        else:
            words = f"{str(key).replace('_', ' ')} {value:g}"
        return f"{outcome.column} {words}", f"{outcome.column} not {words}"
    values = " or ".join(_spelled(v) for v in rule)
    return f"{outcome.column} = {values}", f"{outcome.column} other than {values}"


def _spelled(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return f"{value:g}" if isinstance(value, float) else str(value).strip()


def _attribute(
    attribute: Attribute, evidence: Evidence, setting: compare.Setting
) -> tuple[dict[str, Any], NDArray[np.float64]]:
    plan = setting.plan
    rng = generator(plan.seed, "certification", attribute.name)
    found = compare.points(setting=setting)
    draws = compare.draw(setting=setting, rng=rng)
    measures = compare.metrics_of(setting=setting, found=found, draws=draws)
    checked = setting.checked
    one: dict[str, Any] = {
        "privileged": attribute.privileged.key,
        "unprivileged": [g.key for g in attribute.unprivileged],
        "band": {m: list(plan.tolerance.band(m, attribute.name)) for m in (*RECORDED, *DECIDED)},
        "bias_index_bound": plan.tolerance.bias_index_bound(attribute.name),
        "metrics": measures,
        "mean_absolute_odds": compare.mean_absolute_odds(setting=setting, found=found, draws=draws),
        "groups": _groups(attribute, evidence, setting, measures),
        "bias_index": compare.index_of(setting=setting, measures=measures, draws=draws),
        "tests": compare.tests_of(pair=setting.recorded, decisions=False),
        "decision_tests": compare.tests_of(pair=setting.decided, decisions=True),
        "bounds": compare.bounds_of(setting=setting),
        "missing": {
            "outcomes": compare.missing_outcomes(setting=setting),
            "groups": compare.blank_groups(
                setting=setting, people=_people(evidence) if attribute.soft else None
            ),
        },
        "pairs": _pairs(attribute, evidence) if len(attribute.groups) > 2 else [],
    }
    index = compare.index_draws(setting=setting, draws=draws) if checked else np.empty(0)
    return one, index


def _people(evidence: Evidence) -> int | None:
    counted = evidence.recorded or evidence.decided
    return None if counted is None else counted.rows


def _groups(
    attribute: Attribute,
    evidence: Evidence,
    pooled: compare.Setting,
    measures: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    plan = pooled.plan
    found: dict[str, Any] = {}
    for place, group in enumerate(attribute.groups):
        recorded, decided = (
            None if counted is None else counted.tables[attribute.name].side(place)
            for counted in (evidence.recorded, evidence.decided)
        )
        one: dict[str, Any] = {
            "role": "privileged" if place == 0 else "unprivileged",
            "words": words_of(plan=plan, attribute=attribute.name, key=group.key),
            "counts": compare.counts_of(recorded=recorded, decided=decided),
            "rates": compare.shares_of(
                recorded=recorded, decided=decided, confidence=plan.confidence
            ),
        }
        if place:
            setting = _setting(attribute, evidence, plan, pooled.why_unchecked, group=place)
            if len(attribute.unprivileged) == 1:
                one["metrics"] = measures
            else:
                rng = generator(plan.seed, "certification", attribute.name, group.key)
                one["metrics"] = compare.metrics_of(
                    setting=setting,
                    found=compare.points(setting=setting),
                    draws=compare.draw(setting=setting, rng=rng),
                )
            one["tests"] = compare.tests_of(pair=setting.recorded, decisions=False)
            one["decision_tests"] = compare.tests_of(pair=setting.decided, decisions=True)
        found[group.key] = one
    return found


def _pairs(attribute: Attribute, evidence: Evidence) -> list[dict[str, Any]]:
    recorded, decided = (
        None
        if counted is None
        else [counted.tables[attribute.name].side(g) for g in range(len(attribute.groups))]
        for counted in (evidence.recorded, evidence.decided)
    )
    return compare.all_pairs(
        recorded=recorded, decided=decided, keys=[g.key for g in attribute.groups]
    )


def _score(
    attributes: Mapping[str, dict[str, Any]],
    index_draws: Mapping[str, NDArray[np.float64]],
    evidence: Evidence,
    cohort: Cohort,
    plan: Plan,
) -> dict[str, Any]:
    """The Fairness Score. Its resamples keep the attributes' dependence: they describe the same
    people, so the crossed cells are drawn; where these are too many, attributes are drawn
    independently, and the measure's ``dependence`` and ``note`` say so."""
    indexes = {name: one["bias_index"] for name, one in attributes.items()}
    n = [
        max(index["n"][side] for index in indexes.values())
        for side in ("unprivileged", "privileged")
    ]
    bound = plan.tolerance.fairness_score
    gone = next((name for name, index in indexes.items() if index["value"] is None), None)
    if gone is not None:
        word = indexes[gone]["verdict"]
        code = "score_unchecked" if word == "not checked" else "score_incomplete"
        reason = say(
            f"certification.{code}",
            attribute=gone,
            reason=compare.plain_reason(indexes[gone]["reason"]),
        )
        return measure(None, None, None, word, reason, *n, dependence=None, share_at_bound=None)
    more: dict[str, Any] = {"dependence": "joint"}
    squares = _joint_squares(attributes, evidence, cohort, plan)
    if squares is None:
        squares = np.mean([draws**2 for draws in index_draws.values()], axis=0)
        if len(attributes) > 1:
            more = {"dependence": "independent"}
    draws = 1.0 - np.sqrt(squares)
    one = compare.with_interval(
        point=Point(fairness_score([index["value"] for index in indexes.values()])),
        draws=draws,
        plan=plan,
        band=(bound, None),
        n=(n[0], n[1]),
        kind="score",
        **more,
    )
    if more["dependence"] == "independent":
        note = say("certification.independent_draws")
        one["note"] = f"{one['note']} {note}" if one.get("note") else note
    return one


def _joint_squares(
    attributes: Mapping[str, dict[str, Any]], evidence: Evidence, cohort: Cohort, plan: Plan
) -> NDArray[np.float64] | None:
    counted = [c for c in (evidence.recorded, evidence.decided) if c is not None]
    if len(attributes) == 1 or any(c.crossed is None for c in counted):
        return None
    drawn: list[NDArray[np.float64] | None] = [None, None]
    for place, one in enumerate((evidence.recorded, evidence.decided)):
        if one is None or one.crossed is None:
            continue
        if place and evidence.same:
            drawn[1] = drawn[0]
            continue
        rng = generator(plan.seed, "certification", "all attributes", place)
        drawn[place] = resample_crossed(crossed=one.crossed, resamples=plan.resamples, rng=rng)
    indexes = []
    for place, name in enumerate(attributes):
        recorded, decided = (None if d is None else (d[place, 0], d[place, 1]) for d in drawn)
        arrays = metric_arrays(recorded=recorded, decided=decided)
        used = attributes[name]["bias_index"]["metrics_used"]
        indexes.append(bias_index_arrays({m: arrays[m] for m in used}))
    squares: NDArray[np.float64] = np.mean(np.square(indexes), axis=0)
    return squares


def _worst_attribute(attributes: Mapping[str, dict[str, Any]]) -> str | None:
    known = {
        name: one["bias_index"]["value"]
        for name, one in attributes.items()
        if one["bias_index"]["value"] is not None
    }
    return max(known, key=lambda name: known[name]) if known else None


def _warnings(
    attribute: Attribute, setting: compare.Setting, one: Mapping[str, Any]
) -> list[dict[str, Any]]:
    where = f"protected: {attribute.name}"
    found: list[dict[str, Any]] = []

    def warn(code: str, **fields: Any) -> None:
        text = say(f"certification.{code}", **fields)
        found.append({"code": f"certification.{code}", "text": text, "where": where})

    for tests, words in (("tests", "recorded outcomes"), ("decision_tests", "decisions")):
        rates = one[tests]["rate"]
        if rates and None not in rates.values() and rates["privileged"] < rates["unprivileged"]:
            index = one["bias_index"]
            warn(
                "privileged_lower",
                privileged=setting.names.privileged,
                where=f"the {words}",
                high=percent(rates["privileged"]),
                low=percent(rates["unprivileged"]),
                index=number(index["value"]) or "not computable",
                other=number(index["other_labelling"]) or "not computable",
            )
            break
    missing = one["missing"]["outcomes"]
    spd = one["bounds"]["SPD"]
    if missing and missing["differs"]:
        warn(
            "missing_differs",
            unknown_u=count(missing["unknown"]["unprivileged"]),
            of_u=count(missing["of"]["unprivileged"]),
            unprivileged=setting.names.unprivileged,
            unknown_p=count(missing["unknown"]["privileged"]),
            of_p=count(missing["of"]["privileged"]),
            privileged=setting.names.privileged,
            low=number(spd["low"], sign=True),
            high=number(spd["high"], sign=True),
        )
    blank = one["missing"]["groups"]
    if blank and blank["rows"]:
        fields = {
            "n": count(blank["rows"]),
            "of": count(blank["of"]),
            "share": percent(blank["share"]),
            "attribute": attribute.name,
        }
        if setting.recorded is None:
            warn("blank_groups_decided", **fields)
        else:
            warn(
                "blank_groups",
                **fields,
                favourable=count(blank["favourable"]),
                range=interval(spd["low"], spd["high"], sign=True),
            )
    return found
