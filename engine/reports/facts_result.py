"""Facts 26 to 32: what came out, in one or two lines each; the tables behind say the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.base import wording
from engine.methods import NAMES

from .words import TITLES, ordered_attributes, rows_of


def result_facts(*, result: Mapping[str, Any]) -> dict[int, tuple[str, ...]]:
    """The lines of facts 26 to 32."""
    part = result.get("certification") or {}
    if not part:
        return {30: _others(result)}
    return {
        26: (tally_words(result), _worst(part), "Every metric stands in the table of metrics."),
        27: ("They stand in the tables of tests.",),
        28: _indexes(result),
        29: _crossed(result),
        30: _others(result),
        31: _tests(result),
        32: ("The graph stands beside the table of metrics.",),
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
    return f"{total} metric{'s' if total != 1 else ''}: {wording.listed(parts)}."


def _worst(part: Mapping[str, Any]) -> str:
    worst = part.get("worst") or {}
    if not worst.get("metric"):
        return ""
    name = TITLES.get(str(worst["metric"]), str(worst["metric"]))
    said = f"Farthest from its ideal: {name[0].lower()}{name[1:]} by {worst.get('attribute')}"
    if worst.get("share") is None:
        return f"{said}, where no gap is tolerated."
    return f"{said}, {wording.number(worst['share'], digits=2)} times its tolerance."


def _indexes(result: Mapping[str, Any]) -> tuple[str, ...]:
    out = []
    for name, attribute in ordered_attributes(result):
        index = attribute.get("bias_index") or {}
        used = attribute.get("metrics_used") or index.get("metrics_used") or []
        count = f" over {len(used)} metrics" if used else ""
        out.append(f"Bias Index of {name}{count}: {measure_words(index)}")
    score = (result.get("certification") or {}).get("fairness_score") or {}
    out.append(f"Fairness Score: {measure_words(score)}")
    return tuple(out)


def measure_words(measure: Mapping[str, Any], *, sign: bool = False) -> str:
    """A measure as a sentence's end: value, interval, verdict; or why there is none."""
    if measure.get("value") is None:
        return str(measure.get("reason") or "not computable.")
    text = wording.number(measure["value"], sign=sign)
    span = wording.interval(measure.get("low"), measure.get("high"), sign=sign)
    if span:
        text += f", interval {span}"
    if measure.get("verdict"):
        text += f" ({measure['verdict']})"
    return text + "."


def _crossed(result: Mapping[str, Any]) -> tuple[str, ...]:
    part = result.get("intersection")
    if not part:
        return ("Crossed groups were not part of this audit.",)
    flags = Counter(str(cell.get("flag", "")) for cell in (part.get("cells") or {}).values())
    said = [f"{n} {flag.lower()}" for flag, n in sorted(flags.items()) if flag]
    return (f"{sum(flags.values())} crossed cells: {wording.listed(said)}.",)


def _others(result: Mapping[str, Any]) -> tuple[str, ...]:
    ran = [name for name in NAMES if name in result and name != "certification"]
    if not ran:
        return ("No other method was part of this audit.",)
    words = wording.listed([name.replace("_", " ") for name in ran])
    return (f"Also run: {words}; each has its own section.",)


def _tests(result: Mapping[str, Any]) -> tuple[str, ...]:
    made = 0
    for _, attribute in ordered_attributes(result):
        for key in ("tests", "decision_tests"):
            tests = attribute.get(key) or {}
            made += sum(tests.get(p) is not None for p in ("z_p", "fisher_p"))
            for group in (attribute.get("groups") or {}).values():
                own = group.get(key) or {}
                made += sum(own.get(p) is not None for p in ("z_p", "fisher_p"))
    return (
        f"{made} significance tests were made beside the intervals. Their p-values are not "
        "corrected for their number, and no verdict rests on them.",
    )
