"""The certification in sentences: worst metric and worst attribute first, averages last."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, number, p_value, percent
from engine.fairness.metrics import METRICS, WORDS
from engine.messages import say
from engine.methods.base import Finding, Section
from engine.plan.model import Plan

from . import printed
from .words import band_words, group_words, others, privileged, value_words

GRADE = {
    "within": "ruled out",
    "outside": "shown",
    "not settled": "not settled",
    "not computable": "not computable",
    "not checked": "not checked",
    None: "note",
}
CANCELS = 0.5
"""An average odds difference below this share of the mean absolute one hides gaps that cancel."""
FAR = 100
"""Nobody is asked for more than this many times the rows at hand."""


def findings(*, result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    """Every number of the certification as sentences, the worst first."""
    found = _worst(result, plan)
    for name, one in result["attributes"].items():
        found += [_metric(metric, name, one, plan) for metric in METRICS]
        found += _cautions(name, one)
    found += _averages(result, plan)
    return found


def sections(*, result: Mapping[str, Any], plan: Plan) -> list[Section]:
    """The certification as report and window show it, with its tables."""
    recommendation = result["recommendation"]
    parts = [
        Section(
            title="Metrics, index and score",
            paragraphs=tuple(recommendation["reasons"]),
            findings=tuple(_worst(result, plan)),
            tables=(
                printed.metrics(result=result, plan=plan),
                printed.scores(result=result, plan=plan),
                printed.readings(result=result),
            ),
            charts=("metrics",),
        )
    ]
    for name, one in result["attributes"].items():
        several = len(one["unprivileged"]) > 1
        tables = [
            printed.counts(name=name, one=one),
            printed.tests(name=name, one=one),
            printed.bounds(name=name, one=one),
        ]
        if several:
            tables += [
                printed.by_group(name=name, one=one, plan=plan),
                printed.pairs(name=name, one=one),
            ]
        parts.append(
            Section(
                title=f"By {name}",
                findings=(
                    *(_metric(metric, name, one, plan) for metric in METRICS),
                    *_cautions(name, one),
                ),
                tables=tuple(tables),
                level=2,
            )
        )
    rates = result["attributes"]
    kinds = [k for k in ("recorded", "decided", "true_positive", "false_positive")
             if any(k in g["rates"] for one in rates.values() for g in one["groups"].values())]  # fmt: skip
    charts = [f"rates_{kind}" for kind in kinds]
    if any(len(one["unprivileged"]) > 1 for one in rates.values()):
        charts.insert(0, "metrics_by_group")
    parts.append(
        Section(
            title="Averages and rates",
            findings=tuple(_averages(result, plan)),
            charts=tuple(charts),
            level=2,
        )
    )
    return parts


def _worst(result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    worst = result["worst"]
    if worst["metric"] is None:
        return []
    name, metric = worst["attribute"], worst["metric"]
    one = result["attributes"][name]
    fields = {
        "metric": WORDS[metric],
        "attribute": name,
        "value": value_words(metric, worst["value"]),
        "verdict": one["metrics"][metric]["verdict"],
    }
    if worst["share"] is None:
        text = say("certification.worst_zero_tolerance", **fields)
    else:
        times = f"{number(worst['share'], digits=1)} times"
        text = say("certification.worst_first", times=times, **fields)
    found = [Finding("certification.worst", GRADE[fields["verdict"]], name, text)]
    alone = worst["single_group"]
    if alone["metric"] is not None:
        whole = result["attributes"][alone["attribute"]]
        text = say(
            "certification.worst_group",
            metric=WORDS[alone["metric"]].lower(),
            group=f"{alone['attribute']} {group_words(whole, alone['group'])}",
            value=value_words(alone["metric"], alone["value"]),
        )
        group = whole["groups"][alone["group"]]
        grade = GRADE[group["metrics"][alone["metric"]]["verdict"]]
        found.append(Finding("certification.worst_group", grade, alone["attribute"], text))
    name = result["worst_attribute"]
    if name is not None:
        index = result["attributes"][name]["bias_index"]
        text = say(
            "certification.worst_attribute",
            attribute=name,
            value=number(index["value"]),
            interval=_with_interval(index, plan),
            bound=number(result["attributes"][name]["bias_index_bound"], digits=2),
        )
        found.append(Finding("certification.worst_attribute", GRADE[index["verdict"]], name, text))
    return found


def _with_interval(one: Mapping[str, Any], plan: Plan, *, sign: bool = False) -> str:
    ends = interval(one["low"], one["high"], sign=sign)
    return f" ({100 * plan.confidence:g} % interval {ends})" if ends else ""


def _metric(metric: str, name: str, one: Mapping[str, Any], plan: Plan) -> Finding:
    measure = one["metrics"][metric]
    subject = f"{WORDS[metric]}, {name}"
    grade = GRADE[measure["verdict"]]
    code = f"certification.{metric}"
    if measure["value"] is None:
        todo = "do_not_checked" if grade == "not checked" else "do_missing"
        return Finding(code, grade, subject, measure["reason"], say(f"certification.{todo}"))
    sentences = [_number(metric, name, one, plan)]
    if not measure.get("held_back"):
        sentences.append(_meaning(metric, one))
    if measure.get("note"):
        sentences.append(measure["note"])
    return Finding(code, grade, subject, " ".join(sentences), _action(measure))


def _number(metric: str, name: str, one: Mapping[str, Any], plan: Plan) -> str:
    measure = one["metrics"][metric]
    fields: dict[str, Any] = {
        "value": value_words(metric, measure["value"]),
        "interval": _with_interval(measure, plan, sign=metric != "DI"),
        "unprivileged": f"{name} {others(one)}",
        "privileged": f"{name} {privileged(one)}",
    }
    if metric == "DI":
        per_hundred = number(100 * measure["value"], digits=0)
        return say("certification.finding_ratio", per_hundred=per_hundred, **fields)
    if metric == "AOD":
        absolute = number(one["mean_absolute_odds"]["value"])
        return say("certification.finding_odds", absolute=absolute, **fields)
    kind = {"SPD": "recorded", "EOD": "true_positive", "EMOD": "false_positive"}[metric]
    high = one["groups"][one["privileged"]]["rates"][kind]
    lows = [one["groups"][group]["rates"][kind] for group in one["unprivileged"]]
    part, of = sum(r["part"] for r in lows), sum(r["of"] for r in lows)
    word = {"SPD": "parity", "EOD": "opportunity", "EMOD": "mistaken"}[metric]
    return say(
        f"certification.finding_{word}",
        low_part=count(part),
        low_of=count(of),
        low_rate=percent(part / of if of else None),
        high_part=count(high["part"]),
        high_of=count(high["of"]),
        high_rate=percent(high["value"]),
        **fields,
    )


def _meaning(metric: str, one: Mapping[str, Any]) -> str:
    measure = one["metrics"][metric]
    if measure["low"] is None:
        return say("certification.means_no_interval")
    code = {"within": "means_within", "outside": "means_outside"}.get(
        measure["verdict"], "means_open"
    )
    return say(f"certification.{code}", band=band_words(metric, one["band"][metric]))


def _action(measure: Mapping[str, Any]) -> str:
    if measure["verdict"] == "not settled":
        rows = measure.get("needed")
        if rows is None:
            return say("certification.do_open_plain")
        if rows > FAR * sum(measure["n"].values()):
            return say("certification.do_open_far", rows=about(rows))
        return say("certification.do_open", rows=about(rows))
    return say(f"certification.do_{measure['verdict']}")


def about(rows: int) -> str:
    """A number of rows to two digits, rounded up: nobody needs 2,732 of a guess.

    Examples
    --------
    >>> about(2732)
    '2,800'
    """
    step = 10 ** max(0, math.floor(math.log10(max(rows, 1))) - 1)
    return count(math.ceil(rows / step) * step)


def _cautions(name: str, one: Mapping[str, Any]) -> list[Finding]:
    found: list[Finding] = []
    odds, size = one["metrics"]["AOD"]["value"], one["mean_absolute_odds"]["value"]
    inner, outer = one["band"]["AOD"]
    if odds is not None and size is not None:
        hidden = inner <= odds <= outer and size > max(outer, -inner)
        if hidden or (size > 0 and abs(odds) < CANCELS * size and size > outer / 2):
            text = say(
                "certification.aod_cancels",
                attribute=name,
                value=value_words("AOD", odds),
                eod=value_words("EOD", one["metrics"]["EOD"]["value"]),
                emod=value_words("EMOD", one["metrics"]["EMOD"]["value"]),
            )
            found.append(Finding("certification.aod_cancels", "note", name, text))
    needed = {m: one["metrics"][m]["needed"] for m in METRICS if one["metrics"][m].get("needed")}
    for kind, metrics in (("recorded", ("SPD", "DI")), ("decided", ("EOD", "EMOD", "AOD"))):
        open_ones = [m for m in metrics if one["metrics"][m]["verdict"] == "not settled"]
        rows = [needed[m] for m in open_ones if m in needed]
        computable = all(one["metrics"][m]["value"] is not None for m in metrics)
        far = FAR * max(sum(one["metrics"][m]["n"].values()) for m in metrics)
        if rows and computable and len(rows) == len(open_ones) and max(rows) <= far:
            words = "recorded-outcome metrics" if kind == "recorded" else "outcome metrics"
            text = say("certification.needed", rows=about(max(rows)), metrics=words, attribute=name)
            found.append(Finding(f"certification.needed_{kind}", "note", name, text))
    tests = one["tests"]
    if tests["rate"] is not None:
        found.append(Finding("certification.tests", "note", name, _tests(name, tests)))
    return found


def _tests(name: str, tests: Mapping[str, Any]) -> str:
    if tests["four_fifths"] is None:
        code = "none"
    elif tests["four_fifths"]:
        code = "pass"
    else:
        code = "flip" if tests["flip_flop"] else "fail"
    shortfall = tests["shortfall"]
    return say(
        "certification.tests_said",
        attribute=name,
        four_fifths=say(
            f"certification.four_fifths_{code}",
            shortfall=count(math.ceil(shortfall - 1e-9)) if shortfall is not None else "",
        ),
        z=number(tests["z"], digits=2) or "not computable",
        z_p=p_value(tests["z_p"]) or "not computable",
        fisher_p=p_value(tests["fisher_p"]) or "not computable",
    )


def _averages(result: Mapping[str, Any], plan: Plan) -> list[Finding]:
    found: list[Finding] = []
    for name, one in result["attributes"].items():
        index = one["bias_index"]
        grade = GRADE[index["verdict"]]
        if index["value"] is None:
            found.append(Finding("certification.index", grade, name, index["reason"]))
            continue
        text = say(
            "certification.finding_index",
            attribute=name,
            value=number(index["value"]),
            interval=_with_interval(index, plan),
            n=len(index["metrics_used"]),
            bound=number(one["bias_index_bound"], digits=2),
        )
        found.append(Finding("certification.index", grade, name, text))
    score = result["fairness_score"]
    grade = GRADE[score["verdict"]]
    if score["value"] is None:
        found.append(Finding("certification.score", grade, WORDS["FS"], score["reason"]))
        return found
    bound = plan.tolerance.fairness_score
    used = next(iter(result["attributes"].values()))["bias_index"]["metrics_used"]
    most = (1 - bound) * math.sqrt(len(used) * len(result["attributes"]))
    sentences = [
        say(
            "certification.finding_score",
            value=number(score["value"]),
            interval=_with_interval(score, plan),
            bound=number(bound, digits=2),
        ),
        say("certification.score_masks", bound=number(bound, digits=2), most=number(most)),
    ]
    if len(used) == len(METRICS):
        sentences.append(say("certification.data_only"))
    found.append(Finding("certification.score", grade, WORDS["FS"], " ".join(sentences)))
    return found
