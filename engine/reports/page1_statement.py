"""Page 1 of a statement of findings: no frame, never to be taken for a certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.base import wording
from engine.messages import say
from engine.procedure.decision import missing_sheet
from engine.procedure.state import new_state

from . import fonts
from .facts import CertificateFacts, accreditation
from .facts_result import measure_words, tally, tally_words
from .facts_setup import favourable_words, tolerance_moment
from .page1 import Pen, scaled
from .page1_metrics import draw_metrics
from .page1_parts import (
    SIGNATURE_HEIGHT,
    audited_on,
    foot_words,
    groups_words,
    joined,
    number_block,
    page_number,
    rise,
    signatures,
)
from .settle import people_needed
from .style import COLUMN, INK, LABEL, Sheet
from .tags import Node
from .words import NOT_SUPPLIED, band_words, day_words, rows_of, tolerance_of

LINE = 91.4
MOST_ROWS = 10


def paint(
    canvas: Any,
    *,
    sheet: Sheet,
    facts: CertificateFacts,
    result: Mapping[str, Any],
    state: Mapping[str, Any],
    payload: str,
) -> None:
    """Draw the page."""
    # The third column ends above the code, which stands higher than the signature lines.
    limit = sheet.page_height - LINE - max(65.3, rise(sheet, facts) + SIGNATURE_HEIGHT + 8)
    spare = [6 if facts.kind == "request" else MOST_ROWS, 4]

    def body(pen: Pen) -> float:
        return _body(pen, facts, result, state, *spare)

    # First fewer rows and reasons, then smaller type: the pages behind hold the rest.
    while spare != [4, 2] and body(Pen(None, sheet)) > limit:
        place = 1 if spare[1] > 2 and (spare[0] <= 6 or spare[1] > 3) else 0
        spare[place] -= 1
    scaled(body, canvas=canvas, sheet=sheet, limit=limit)
    pen = Pen(canvas, sheet)
    signatures(pen, facts, line=LINE, payload=payload)
    top = sheet.page_height
    pen.grey_rule(top - LINE + 38)
    foot_words(pen, say(f"reports.foot_{facts.kind}"), y=40.4, aside=10)
    page_number(pen, y=40.4)


def verdict_of(facts: CertificateFacts, result: Mapping[str, Any]) -> tuple[str, str, str]:
    """Mark, title and sentence of the box."""
    found = tally(result)
    score = (result.get("certification") or {}).get("fairness_score") or {}
    bound = wording.number(tolerance_of(result.get("plan") or {}).fairness_score, digits=2)
    if not facts.decided:
        advice = {
            "grant": say("reports.advice_grant"),
            "refuse": say("reports.advice_refuse"),
        }.get(facts.recommendation, say("reports.advice_open"))
        return "not checked", say("reports.undecided"), f"{advice} {tally_words(result)}"
    if facts.kind == "request":
        return (
            "not checked",
            say("reports.asked"),
            say("reports.sentence_asked", tally=tally_words(result)),
        )
    if facts.decision == "refuse" and (facts.recommendation == "refuse" or found["outside"]):
        return (
            "outside",
            say("reports.outside"),
            f"{say('reports.sentence_outside')} {_score_words(result, score, bound)}",
        )
    if facts.decision == "refuse":
        return (
            "not checked",
            say("reports.not_granted"),
            say("reports.sentence_not_granted", tally=tally_words(result)),
        )
    return (
        "not settled",
        say("reports.not_settled"),
        f"{say('reports.sentence_open')} {_score_words(result, score, bound)}",
    )


def _score_words(result: Mapping[str, Any], score: Mapping[str, Any], bound: str) -> str:
    if score.get("value") is None:
        return say("paper.no_score", why=measure_words(score))
    value = wording.number(score["value"])
    confidence = wording.percent((result.get("plan") or {}).get("confidence", 0.95), digits=0)
    span = wording.interval(score.get("low"), score.get("high"))
    verdict = str(score.get("verdict"))
    code = {"within": "score_above", "outside": "score_below"}.get(verdict, "score_across")
    where = say(f"paper.{code}", bound=bound)
    return say("paper.score_is", value=value, confidence=confidence, span=span, where=where)


def _body(
    pen: Pen,
    facts: CertificateFacts,
    result: Mapping[str, Any],
    state: Mapping[str, Any],
    most_rows: int,
    most_reasons: int,
) -> float:
    sheet, s = pen.sheet, pen.scale
    y = _head(pen, facts)
    y = _about(pen, y, facts, result)
    y = _box(pen, y + 13 * s, verdict_of(facts, result))
    rows = rows_of(result)
    if rows:
        y = draw_metrics(pen, y + 27 * s, rows, result, most_rows)
    y = pen.text(
        _setup(result, state),
        x=sheet.left,
        y=y + 14.5 * s,
        room=sheet.width,
        size=8,
        leading=10.4,
        color=LABEL,
    )
    reasons = list(facts.reasons) or _reasons(result)
    y = _list(pen, y + 21.5 * s, _why_title(facts), reasons, most_reasons)
    if facts.kind == "request":
        y = _list(pen, y + 21.5 * s, say("reports.lacking_title"), _lacking(state), most_reasons)
    needed = people_needed(result) if facts.recommendation != "grant" else ""
    if needed:
        y = _paragraph(pen, y + 21 * s, say("reports.settle_title"), needed)
    y += 14.5 * s
    pen.grey_rule(y)
    texts = (
        (say("paper.f_audited"), audited_on(result, {})),
        (say("paper.title_10"), day_words(facts.decided_on) or say("paper.not_decided")),
        (say("paper.title_11"), day_words(facts.issued_on) or say("paper.not_issued")),
    )
    if facts.kind == "request":
        contact = facts.case.get("status_contact") or facts.word("organisation")
        texts = (
            texts[0],
            (say("paper.f_asked"), day_words(facts.decided_on)),
            (say("paper.f_answer"), contact),
        )
    return pen.fields(texts, y=y + 13.5 * s, gap=12.6)


def _why_title(facts: CertificateFacts) -> str:
    if not facts.decided:
        return say("reports.why_advice")
    if facts.kind == "request":
        return say("reports.why_asked")
    return say("reports.why_refused" if facts.decision == "refuse" else "reports.why_open")


def _lacking(state: Mapping[str, Any]) -> list[str]:
    """What step 11 lists: what was not supplied, and what each gap limits."""
    return [
        say("paper.missing_limits", what=gap.what[:1].upper() + gap.what[1:], limits=gap.limits)
        for gap in missing_sheet(new_state() | dict(state))
    ]


def _head(pen: Pen, facts: CertificateFacts) -> float:
    sheet, case = pen.sheet, facts.case
    plain = Pen(pen.canvas, sheet)
    room = sheet.width * 0.56
    y = plain.fitted(
        case.get("organisation") or say("paper.no_office"),
        x=sheet.left,
        y=56,
        room=room,
        size=12,
        least=8,
        face=fonts.SANS_BOLD,
        field="organisation",
    )
    address = case.get("organisation_address") or say("paper.no_address")
    y = plain.text(
        f"{address} · {accreditation(case)}",
        x=sheet.left,
        y=y + 11.7,
        room=room,
        size=8.4,
        leading=10.4,
        color=LABEL,
        field="organisation address",
    )
    foot = number_block(plain, facts, y=52.8, size=13)
    y = max(90.2, y + 8, foot + 8)
    pen.rule(y, width=1.5)
    y = plain.heading(
        say(f"paper.name_{facts.kind}"),
        kind="H1",
        level=0,
        x=sheet.left,
        y=y + 36.7,
        room=sheet.width,
        size=27,
        leading=30,
        face=fonts.SERIF,
    )
    return pen.text(
        say(f"reports.subtitle_{facts.kind}"),
        x=sheet.left,
        y=y + 19.2,
        room=sheet.width,
        size=10.4,
        leading=13,
    )


def _about(pen: Pen, y: float, facts: CertificateFacts, result: Mapping[str, Any]) -> float:
    sheet, s, case = pen.sheet, pen.scale, facts.case
    top = y + 22.5 * s
    columns = sheet.columns()
    deepest = pen.field(
        say("paper.title_5"),
        joined(case, "system", "version") or say("paper.not_named"),
        x=columns[0],
        y=top,
        room=COLUMN,
        gap=12.6,
        size=9.8,
        face=fonts.SANS_BOLD,
        name="system",
    )
    given = (result.get("plan") or {}).get("system") or {}
    if given.get("train"):
        kind = str(given["train"].get("model", "")).replace("_", " ")
        deepest = pen.text(
            say("paper.stand_in", kind=kind),
            x=columns[0],
            y=deepest + 13.2 * s,
            room=COLUMN,
            size=9.8,
            leading=13,
        )
    client = joined(case, "client", "client_address", by=", ")
    outcome = (result.get("plan") or {}).get("outcome") or {}
    favourable = favourable_words(outcome) if outcome else NOT_SUPPLIED
    for x, label, text in (
        (columns[1], say("paper.f_client"), client or NOT_SUPPLIED),
        (columns[2], say("paper.title_16"), favourable),
    ):
        at = pen.field(label, text, x=x, y=top, room=COLUMN, gap=12.6, size=9.8)
        deepest = max(deepest, at)
    return deepest


def _box(pen: Pen, top: float, verdict: tuple[str, str, str]) -> float:
    sheet, s = pen.sheet, pen.scale
    word, title, sentence = verdict
    inside = sheet.left + 14.5
    pen.mark(word, x=inside, y=top + 31.8 * s, size=18)
    pen.heading(
        title,
        kind="H2",
        level=1,
        x=inside + 27.5 * s,
        y=top + 29 * s,
        room=sheet.width,
        size=19.5,
        leading=24,
        face=fonts.SERIF_BOLD,
    )
    y = pen.text(sentence, x=inside, y=top + 49.6 * s, room=sheet.width - 29, size=10, leading=14.8)
    bottom = y + 13.4 * s
    if pen.canvas is not None:
        with pen.tag(None):
            pen.canvas.setStrokeColorRGB(*INK)
            pen.canvas.setLineWidth(1.5)
            pen.canvas.rect(sheet.left, sheet.page_height - bottom, sheet.width, bottom - top)
    return bottom


def _setup(result: Mapping[str, Any], state: Mapping[str, Any]) -> str:
    plan = result.get("plan") or {}
    said = groups_words(result, most=240, code="paper.compared")
    groups = " ".join(said) if said else say("paper.groups_behind")
    tolerance = tolerance_of(plan)
    return say(
        "paper.setup_own" if tolerance.overrides else "paper.setup",
        groups=groups,
        band=band_words((-tolerance.difference, tolerance.difference), "SPD"),
        ratio=band_words(tolerance.ratio, "DI"),
        moment=tolerance_moment(state),
    )


def _reasons(result: Mapping[str, Any]) -> list[str]:
    advice = (result.get("certification") or {}).get("recommendation") or {}
    found = advice.get("reasons") or []
    return [found] if isinstance(found, str) else [str(item) for item in found]


def _list(pen: Pen, y: float, title: str, items: Sequence[str], most: int) -> float:
    sheet, s = pen.sheet, pen.scale
    if not items:
        return y - 21.5 * s
    pen.heading(
        title,
        kind="H3",
        x=sheet.left,
        y=y,
        room=sheet.width,
        size=10,
        leading=13,
        face=fonts.SANS_BOLD,
    )
    whole = Node("L")
    shown = list(items) if len(items) <= most else list(items[: max(0, most - 1)])
    y += 2.6 * s
    for number, item in enumerate(shown, 1):
        entry = Node("LI", whole)
        y += 13.5 * s
        pen.text(
            f"{number}.",
            x=sheet.left + 3.5,
            y=y,
            room=16,
            size=9.4,
            leading=13,
            node=Node("Lbl", entry),
        )
        y = pen.text(
            item,
            x=sheet.left + 16.5,
            y=y,
            room=sheet.width - 16.5,
            size=9.4,
            leading=13,
            node=Node("LBody", entry),
            field="reason",
        )
    left = len(items) - len(shown)
    if left:
        code = "reports.more_reasons" if shown else "reports.all_reasons"
        y = pen.text(
            say(code, count=left),
            x=sheet.left + (16.5 if shown else 3.5),
            y=y + 13.5 * s,
            room=sheet.width - 16.5,
            size=9.4,
            leading=13,
        )
    return y


def _paragraph(pen: Pen, y: float, title: str, text: str) -> float:
    sheet, s = pen.sheet, pen.scale
    pen.heading(
        title,
        kind="H3",
        x=sheet.left,
        y=y,
        room=sheet.width,
        size=10,
        leading=13,
        face=fonts.SANS_BOLD,
    )
    return pen.text(text, x=sheet.left, y=y + 15.6 * s, room=sheet.width, size=9.4, leading=13.5)
