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
from .words import NOT_SUPPLIED, band_words, called, ordered_attributes, rows_of, tolerance_of

BLOCKS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("b_identity", (1, 2, 3, 4, 5, 6, 7)),
    ("b_dates", (8, 9, 10, 11, 12, 13)),
    ("b_setup", (14, 15, 16, 17, 18, 19, 20)),
    ("b_data", (21, 22, 23, 24, 25)),
    ("b_results", (26, 27, 28, 29, 30, 31, 32)),
    ("b_judgement", (33, 34, 35, 36, 37, 38)),
    ("b_people", (39, 40, 41, 42, 43)),
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


def _block(facts: CertificateFacts, block: str, numbers: Sequence[int]) -> list[Flowable]:
    """A block of the forty-three facts: a name, its lines, a blank."""
    rows = [
        (f"{number}  {facts.of(number).title}", facts.of(number).lines or (facts.of(number).text,))
        for number in numbers
    ]
    title = say(f"paper.{block}")
    heads = (say("paper.h_fact"), say("paper.h_known"))
    return [
        heading(title, level=1),
        Grid(heads, rows, widths=(28, 72), size=8.8, title=title),
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
            _received(item),
            say("paper.size", bytes=wording.count(item.get("bytes")), sha=item.get("sha256", "")),
        )
        for item in items
    ]
    title = say("paper.custody")
    heads = ("h_file", "h_role", "h_received", "h_size")
    return [
        heading(title, level=2),
        Grid(_heads(*heads), rows, widths=(22, 12, 26, 40), size=8, title=title),
    ]


def _received(item: Mapping[str, Any]) -> str:
    entered = str(item.get("when") or "")[:16].replace("T", " ")
    when = item.get("received") or entered  # its entry into the case, where nothing else is told
    return say(
        "paper.received",
        who=item.get("from") or NOT_SUPPLIED,
        how=item.get("how") or say("paper.no_way"),
        when=when or say("paper.no_time"),
    )


def _heads(*codes: str) -> tuple[str, ...]:
    return tuple(say(f"paper.{code}") for code in codes)


def _metrics(result: Mapping[str, Any]) -> list[Flowable]:
    confidence = wording.percent((result.get("plan") or {}).get("confidence", 0.95), digits=0)
    interval = say("paper.h_interval", confidence=confidence)
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
            fields = {"metric": row.title, "attribute": row.attribute}
            notes[say("paper.metric_note", **fields, reason=row.measure["reason"])] = None
    tolerance = tolerance_of(result.get("plan") or {})
    out: list[Flowable] = [
        heading(say("paper.all_metrics")),
        Grid(
            (
                *_heads("h_attribute", "h_metric", "h_ideal", "h_band", "h_observed"),
                interval,
                say("paper.h_verdict"),
            ),
            rows,
            align="llrlrrl",
            title=say("paper.all_metrics"),
        ),
    ]
    out += [note(text, after=2) for text in notes]
    indexes = []
    part = result["certification"]
    for name, attribute in ordered_attributes(result):
        indexes.append(
            _index_row(
                say("paper.index_name", name=name),
                attribute.get("bias_index") or {},
                say("paper.at_most", bound=f"{tolerance.bias_index_bound(name):g}"),
            )
        )
    indexes.append(
        _index_row(
            say("paper.score_name"),
            part.get("fairness_score") or {},
            say("paper.at_least", value=f"{tolerance.fairness_score:g}"),
        )
    )
    out += [
        heading(say("paper.title_28"), level=2),
        Grid(
            (
                *_heads("h_what", "h_value"),
                interval,
                *_heads("h_bound", "h_verdict"),
            ),
            indexes,
            align="lrrll",
            title=say("paper.title_28"),
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
    heads = _heads("h_group", "h_side", *(f"h_{key}" for key in keys))
    out: list[Flowable] = [heading(say("paper.people"), level=2)]
    for name, attribute in ordered_attributes(result):
        rows = []
        for key, group in (attribute.get("groups") or {}).items():
            counts = group.get("counts") or {}
            shown = (wording.count(counts.get(k)) or "–" for k in keys)
            rows.append((called(key, group), str(group.get("role", "")), *shown))
        out += [
            heading(name, level=3),
            Grid(heads, rows, align="llrrrrrrr", title=name),
        ]
    out.append(note(say("reports.counts_note")))
    return out


def _reasons(facts: CertificateFacts, result: Mapping[str, Any]) -> list[Flowable]:
    advice = (result.get("certification") or {}).get("recommendation") or {}
    out: list[Flowable] = []
    if facts.reasons:
        out += [heading(say("paper.why_decided"), level=2), *listed(facts.reasons, numbered=True)]
    found = advice.get("reasons") or []
    found = [found] if isinstance(found, str) else list(map(str, found))
    if found:
        out += [heading(say("paper.why_recommended"), level=2), *listed(found, numbered=True)]
    missing = facts.missing
    if missing:
        out += [
            heading(say("paper.missing"), level=2),
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
        heading(say("paper.steps"), level=2),
        Grid(
            _heads("h_step", "h_title", "h_state", "h_why"),
            rows,
            widths=(8, 40, 18, 34),
            title=say("paper.steps"),
        ),
    ]


def _how_to_verify(facts: CertificateFacts) -> list[Flowable]:
    texts = [say(f"reports.how_{n}") for n in range(1, 5)]
    return [
        heading(say("paper.how")),
        *listed(texts, numbered=True),
        Text(say("reports.how_without"), face=fonts.SANS, before=4),
    ]
