"""Facts 26 to 32: what came out, in one or two lines each; the tables behind say the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.base import wording
from engine.messages import say
from engine.methods import NAMES, method

from .words import TITLES, ordered_attributes, rows_of


def result_facts(*, result: Mapping[str, Any]) -> dict[int, tuple[str, ...]]:
    """The lines of facts 26 to 32."""
    part = result.get("certification") or {}
    if not part:
        return {30: _others(result)}
    return {
        26: (tally_words(result), _worst(part), say("paper.in_metrics")),
        27: (say("paper.in_tests"),),
        28: _indexes(result),
        29: _crossed(result),
        30: _others(result),
        31: _tests(result),
        32: (say("paper.in_graph"),),
    }


def tally(result: Mapping[str, Any]) -> Counter[str]:
    """How many metrics have which verdict."""
    return Counter(row.verdict for row in rows_of(result))


def tally_words(result: Mapping[str, Any]) -> str:
    """The tally as a sentence: ``10 metrics: 8 within, 2 not settled.``"""
    counts = tally(result)
    order = ("within", "outside", "not settled", "not computable", "not checked")
    parts = [f"{counts[word]} {word}" for word in order if counts[word]]
    total = sum(counts.values())
    code = "paper.tally_one" if total == 1 else "paper.tally"
    return say(code, total=total, parts=wording.listed(parts))


def _worst(part: Mapping[str, Any]) -> str:
    worst = part.get("worst") or {}
    if not worst.get("metric"):
        return ""
    name = TITLES.get(str(worst["metric"]), str(worst["metric"]))
    fields = {"metric": name[0].lower() + name[1:], "attribute": worst.get("attribute")}
    if worst.get("share") is None:
        return say("paper.worst_bare", **fields)
    return say("paper.worst", **fields, times=wording.number(worst["share"], digits=2))


def _indexes(result: Mapping[str, Any]) -> tuple[str, ...]:
    out = []
    for name, attribute in ordered_attributes(result):
        index = attribute.get("bias_index") or {}
        used = attribute.get("metrics_used") or index.get("metrics_used") or []
        code = "paper.index_over" if used else "paper.index"
        out.append(say(code, name=name, n=len(used), value=measure_words(index)))
    score = (result.get("certification") or {}).get("fairness_score") or {}
    out.append(say("paper.score", value=measure_words(score)))
    return tuple(out)


def measure_words(measure: Mapping[str, Any], *, sign: bool = False) -> str:
    """A measure as a sentence's end: value, interval, verdict; or why there is none."""
    if measure.get("value") is None:
        return str(measure.get("reason") or say("paper.not_computable"))
    text = wording.number(measure["value"], sign=sign)
    span = wording.interval(measure.get("low"), measure.get("high"), sign=sign)
    if span:
        text += say("paper.interval", span=span)
    if measure.get("verdict"):
        text += f" ({measure['verdict']})"
    return text + "."


def _crossed(result: Mapping[str, Any]) -> tuple[str, ...]:
    part = result.get("intersection")
    if not part:
        return (say("paper.no_crossed"),)
    flags = Counter(str(cell.get("flag", "")) for cell in (part.get("cells") or {}).values())
    said = [f"{n} {flag.lower()}" for flag, n in sorted(flags.items()) if flag]
    return (say("paper.crossed", n=sum(flags.values()), flags=wording.listed(said)),)


def _others(result: Mapping[str, Any]) -> tuple[str, ...]:
    ran = [name for name in NAMES if name in result and name != "certification"]
    if not ran:
        return (say("paper.no_others"),)
    return (say("paper.others", names=wording.listed([method(name).title for name in ran])),)


def _tests(result: Mapping[str, Any]) -> tuple[str, ...]:
    made = 0
    for _, attribute in ordered_attributes(result):
        for key in ("tests", "decision_tests"):
            tests = attribute.get(key) or {}
            made += sum(tests.get(p) is not None for p in ("z_p", "fisher_p"))
            for group in (attribute.get("groups") or {}).values():
                own = group.get(key) or {}
                made += sum(own.get(p) is not None for p in ("z_p", "fisher_p"))
    return (say("paper.tests", n=made),)
