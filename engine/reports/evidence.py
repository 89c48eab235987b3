"""The pages behind page 1: everything the verdict rests on, as flowables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reportlab.platypus.flowables import Flowable

from engine.base import wording
from engine.messages import say
from engine.methods.base import Verdict

from . import fonts
from .facts import CertificateFacts
from .flow import Text, heading, listed, note, paragraph
from .parts import Part, flowables
from .tables import Grid
from .words import band_words, called, ordered_attributes, rows_of, tolerance_of

BLOCKS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("Identity", (1, 2, 3, 4, 5, 6, 7)),
    ("Dates and status", (8, 9, 10, 11, 12, 13)),
    ("Setup", (14, 15, 16, 17, 18, 19, 20)),
    ("Data", (21, 22, 23, 24, 25)),
    ("Results in short", (26, 27, 28, 29, 30, 31, 32)),
    ("Judgement", (33, 34, 35, 36, 37, 38)),
    ("People and proof", (39, 40, 41, 42, 43)),
)


def story(
    *,
    facts: CertificateFacts,
    result: Mapping[str, Any],
    state: Mapping[str, Any],
    parts: Sequence[Part],
    width: float,
) -> list[Flowable]:
    """All sections in order.

    Parameters
    ----------
    facts : CertificateFacts
    result, state : mapping
    parts : sequence of Part
        The methods' own sections; where the certification's is missing, its metrics and counts
        are set from the result alone.
    width : float
        Of the text, in points.
    """
    out: list[Flowable] = []
    for title, numbers in BLOCKS[:4]:
        out += _block(facts, title, numbers)
    out += _chain(state, result)
    if result.get("certification") and not any(p.name == "certification" for p in parts):
        out += _metrics(result)
    for part in parts:
        out += flowables(part, width=width)
    for title, numbers in BLOCKS[4:]:
        out += _block(facts, title, numbers)
    out += _reasons(facts, result)
    out += _steps(result)
    out += _how_to_verify(facts)
    return out


def _block(facts: CertificateFacts, title: str, numbers: Sequence[int]) -> list[Flowable]:
    """A block of the forty-three facts: a name, its lines, a blank."""
    rows = [
        (f"{number}  {facts.of(number).title}", facts.of(number).lines or (facts.of(number).text,))
        for number in numbers
    ]
    return [
        heading(title, level=1),
        Grid(("Fact", "What is known"), rows, widths=(28, 72), size=8.8, title=title),
    ]


def _chain(state: Mapping[str, Any], result: Mapping[str, Any]) -> list[Flowable]:
    """Chain of custody: what was received, from whom, when, and its fingerprint."""
    items = state.get("items") or []
    if not items:
        return []
    rows = [
        (
            str(item.get("name", "")),
            str(item.get("role", "")),
            f"{item.get('from') or 'not supplied'}, {item.get('how') or 'way not supplied'}, "
            f"{str(item.get('when') or 'time not supplied')[:16].replace('T', ' ')}",
            f"{wording.count(item.get('bytes'))} bytes, SHA-256 {item.get('sha256', '')}",
        )
        for item in items
    ]
    return [
        heading("Chain of custody", level=2),
        Grid(
            ("File", "Serves as", "Received from, how, when", "Size and fingerprint"),
            rows,
            widths=(22, 12, 26, 40),
            size=8,
            title="Chain of custody",
        ),
    ]


def _metrics(result: Mapping[str, Any]) -> list[Flowable]:
    confidence = wording.percent((result.get("plan") or {}).get("confidence", 0.95), digits=0)
    rows = []
    notes: dict[str, None] = {}
    for row in rows_of(result):
        rows.append(
            (
                row.attribute,
                row.title,
                f"{row.ideal:g}",
                band_words(row.band, row.metric),
                row.shown() or "–",
                row.shown_interval() or "–",
                Verdict(row.verdict),
            )
        )
        if row.measure.get("reason"):
            notes[f"{row.title} by {row.attribute}: {row.measure['reason']}"] = None
    tolerance = tolerance_of(result.get("plan") or {})
    out: list[Flowable] = [
        heading("All metrics against the band"),
        Grid(
            (
                "Attribute",
                "Metric",
                "Ideal",
                "Band",
                "Observed",
                f"{confidence} interval",
                "Verdict",
            ),
            rows,
            align="llrlrrl",
            title="All metrics",
        ),
    ]
    out += [note(text, after=2) for text in notes]
    indexes = []
    part = result["certification"]
    for name, attribute in ordered_attributes(result):
        indexes.append(
            _index_row(
                f"Bias Index, {name}",
                attribute.get("bias_index") or {},
                f"at most {tolerance.bias_index_bound(name):g}",
            )
        )
    indexes.append(
        _index_row(
            "Fairness Score",
            part.get("fairness_score") or {},
            f"at least {tolerance.fairness_score:g}",
        )
    )
    out += [
        heading("Bias Index and Fairness Score", level=2),
        Grid(
            ("", "Value", f"{confidence} interval", "Bound", "Verdict"),
            indexes,
            align="lrrll",
            title="Bias Index and Fairness Score",
        ),
    ]
    return out + _counts(result)


def _index_row(name: str, measure: Mapping[str, Any], bound: str) -> tuple[Any, ...]:
    return (
        name,
        wording.number(measure.get("value")) or "–",
        wording.interval(measure.get("low"), measure.get("high")) or "–",
        bound,
        Verdict(str(measure.get("verdict") or "not checked")),
    )


def _counts(result: Mapping[str, Any]) -> list[Flowable]:
    keys = ("training", "training_favourable", "tp", "fp", "fn", "tn", "unknown_outcome")
    heads = ("Recorded", "Favourable", "TP", "FP", "FN", "TN", "Unknown")
    out: list[Flowable] = [heading("People in each group", level=2)]
    for name, attribute in ordered_attributes(result):
        rows = []
        for key, group in (attribute.get("groups") or {}).items():
            counts = group.get("counts") or {}
            shown = (wording.count(counts.get(k)) or "–" for k in keys)
            rows.append((called(key, group), str(group.get("role", "")), *shown))
        out += [
            heading(name, level=3),
            Grid(("Group", "Side", *heads), rows, align="llrrrrrrr", title=name),
        ]
    out.append(note(say("reports.counts_note")))
    return out


def _reasons(facts: CertificateFacts, result: Mapping[str, Any]) -> list[Flowable]:
    advice = (result.get("certification") or {}).get("recommendation") or {}
    out: list[Flowable] = []
    if facts.reasons:
        out += [heading("Reasons of the decision", level=2), *listed(facts.reasons, numbered=True)]
    found = advice.get("reasons") or []
    found = [found] if isinstance(found, str) else list(map(str, found))
    if found:
        out += [heading("Reasons of the recommendation", level=2), *listed(found, numbered=True)]
    missing = facts.missing
    if missing:
        out += [
            heading("Not supplied", level=2),
            paragraph(wording.listed([f"{fact.title} ({fact.number})" for fact in missing]) + "."),
        ]
    return out


def _steps(result: Mapping[str, Any]) -> list[Flowable]:
    steps = result.get("steps") or ()
    if not steps:
        return []
    rows = [
        (
            str(step.get("number", "")),
            str(step.get("title", "")),
            str(step.get("state", "")),
            str(step.get("why") or ""),
        )
        for step in steps
    ]
    return [
        heading("The twelve steps", level=2),
        Grid(("Step", "Title", "State", "Why"), rows, widths=(8, 40, 18, 34), title="Steps"),
    ]


def _how_to_verify(facts: CertificateFacts) -> list[Flowable]:
    texts = [say(f"reports.how_{n}") for n in range(1, 5)]
    return [
        heading("How to check this paper without a network"),
        *listed(texts, numbered=True),
        Text(say("reports.how_without"), face=fonts.SANS, before=4),
    ]
