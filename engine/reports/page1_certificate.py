"""Page 1 of a certificate: framed, calm, readable at arm's length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base import wording
from engine.messages import say
from engine.plan.model import POINT_VALUES
from engine.procedure.decision import tolerance_setting
from engine.procedure.state import new_state

from . import fonts
from .facts import CertificateFacts, accreditation, independence
from .facts_setup import favourable_words
from .page1 import Pen, scaled
from .page1_parts import (
    CODE_FOOT,
    audited_on,
    foot_words,
    groups_words,
    joined,
    names_of,
    number_block,
    page_number,
    rise,
    signatures,
)
from .style import COLUMN, INK, LABEL, MM, QR_SIDE, Sheet
from .textflow import Block
from .words import NOT_SUPPLIED, Row, band_words, day_words, rows_of, tolerance_of

LINE = 118.5
"""Height of the signature lines above the lower edge, in points."""


def paint(
    canvas: Any,
    *,
    sheet: Sheet,
    facts: CertificateFacts,
    result: Mapping[str, Any],
    state: Mapping[str, Any],
    payload: str,
    fingerprint: str | None,
) -> None:
    """Draw the page."""
    _frame(canvas, sheet)
    _seal(canvas, sheet)
    limit = sheet.page_height - LINE - 38 - rise(sheet, facts)

    def body(pen: Pen) -> float:
        return _body(pen, facts, result, state, fingerprint)

    scaled(body, canvas=canvas, sheet=sheet, limit=limit)
    pen = Pen(canvas, sheet)
    signatures(pen, facts, line=LINE, payload=payload)
    top = sheet.page_height
    pen.grey_rule(top - LINE + 38.7)
    foot_words(pen, say("reports.foot_certificate"), y=65.6, aside=30)
    page_number(pen, y=55.2)


def _frame(canvas: Any, sheet: Sheet) -> None:
    with canvas.artefact():
        canvas.setStrokeColorRGB(*INK)
        for inset, width in ((9.0, 1.5), (10.3, 0.75)):
            canvas.setLineWidth(width)
            off = inset * MM
            canvas.rect(off, off, sheet.page_width - 2 * off, sheet.page_height - 2 * off)


def _seal(canvas: Any, sheet: Sheet) -> None:
    """The octagon of the program; it carries no meaning."""
    side = 37.5
    x, y = sheet.left, sheet.page_height - 55.6 - side
    with canvas.artefact():
        canvas.setStrokeColorRGB(*INK)
        for inset, width in ((0.0, 1.2), (2.4, 0.6)):
            cut = side * 0.29 - inset * 0.4
            low, high = inset, side - inset
            path = canvas.beginPath()
            points = [
                (low + cut, low),
                (high - cut, low),
                (high, low + cut),
                (high, high - cut),
                (high - cut, high),
                (low + cut, high),
                (low, high - cut),
                (low, low + cut),
            ]
            path.moveTo(x + points[0][0], y + points[0][1])
            for dx, dy in points[1:]:
                path.lineTo(x + dx, y + dy)
            path.close()
            canvas.setLineWidth(width)
            canvas.drawPath(path, stroke=1, fill=0)
        canvas.setFillColorRGB(*INK)
        canvas.setFont(fonts.SERIF, 13.5)
        canvas.drawCentredString(x + side / 2, y + side / 2 - 4.7, "FA")


def _body(
    pen: Pen,
    facts: CertificateFacts,
    result: Mapping[str, Any],
    state: Mapping[str, Any],
    fingerprint: str | None,
) -> float:
    sheet, s = pen.sheet, pen.scale
    case = facts.case
    x = sheet.left + 47.5
    room = sheet.width * 0.56 - 47.5
    y = pen.fitted(
        case.get("organisation") or say("paper.no_office"),
        x=x,
        y=67.6,
        room=room,
        size=12,
        least=8,
        face=fonts.SANS_BOLD,
        field="organisation",
    )
    y = pen.text(
        case.get("organisation_address") or say("paper.no_address"),
        x=x,
        y=y + 11,
        room=room,
        size=8.4,
        leading=10.9,
        color=LABEL,
        field="organisation address",
    )
    y = pen.text(
        accreditation(case),
        x=x,
        y=y + 10.9,
        room=room,
        size=8.4,
        leading=10.9,
        color=LABEL,
        field="accreditation",
    )
    foot = number_block(Pen(pen.canvas, sheet), facts, y=63.8, size=14)
    full: dict[str, Any] = {"x": sheet.left, "room": sheet.width, "align": "c"}
    y = pen.heading(
        say("paper.name_certificate"),
        kind="H1",
        level=0,
        y=max(149.5 * (0.4 + 0.6 * s), y + 44 * s, foot + 34 * s),
        size=27,
        leading=32,
        face=fonts.SERIF,
        **full,
    )
    y = pen.text(
        say("reports.subtitle_certificate"),
        y=y + 19.9 * s,
        size=10.4,
        leading=13,
        color=LABEL,
        **full,
    )
    y = pen.text(
        joined(case, "system", "version") or say("paper.no_system"),
        y=y + 51.6 * s,
        size=20,
        leading=24,
        face=fonts.SERIF,
        field="system",
        **full,
    )
    for place, line in enumerate(_about(facts, result)):
        y = pen.text(
            line,
            y=y + (17.4 if place else 20.6) * s,
            size=11,
            leading=14.5,
            field="system",
            **full,
        )
    y += 23.2 * s
    pen.rule(y, width=1.5)
    y = _verdict(pen, y + 35.5 * s, result, state)
    y += 15.5 * s
    pen.rule(y, width=0.75)
    y = _figures(pen, y + 24.5 * s, result)
    return _facts(pen, y, facts, result, fingerprint)


def _about(facts: CertificateFacts, result: Mapping[str, Any]) -> list[str]:
    case = facts.case
    provider = joined(case, "provider", "provider_address", by=", ")
    plan = result.get("plan") or {}
    purpose = (case.get("decision_kind") or case.get("purpose") or "").strip()
    if purpose and purpose[-1] not in ".!?":
        purpose += "."
    outcome = plan.get("outcome") or {}
    favourable = say("paper.favourable_is", what=favourable_words(outcome)) if outcome else ""
    names = names_of(result)
    groups = groups_words(result, most=240, code="paper.compared_short")
    if groups:
        audited = say("paper.audited_by", what=wording.listed(groups))
    elif sum(map(len, names)) <= 200:
        audited = say("paper.audited_by_names", what=wording.listed(names))
    else:
        audited = say("paper.audited_by_count", n=len(names))
    lines = [say("paper.provided_by", provider=provider) if provider else say("paper.no_provider")]
    lines.append(" ".join(part for part in (purpose, favourable) if part))
    return [line for line in (*lines, audited) if line]


def _verdict(pen: Pen, y: float, result: Mapping[str, Any], state: Mapping[str, Any]) -> float:
    sheet, s = pen.sheet, pen.scale
    plan = result.get("plan") or {}
    rule = str(((result.get("certification") or {}).get("recommendation") or {}).get("rule") or "")
    by_values = rule == POINT_VALUES
    title = say("reports.within_values" if by_values else "reports.within")
    size = 23.0
    wide = fonts.width(title, fonts.SERIF_BOLD, size * s)
    mark = 20 * s
    left = sheet.left + (sheet.width - wide - mark - 10 * s) / 2
    pen.mark("within", x=left, y=y + 0.8 * s, size=20)
    y = pen.heading(
        title,
        kind="H2",
        level=1,
        x=left + mark + 10 * s,
        y=y,
        room=sheet.width,
        size=size,
        leading=28,
        face=fonts.SERIF_BOLD,
    )
    confidence = wording.percent(plan.get("confidence", 0.95), digits=0)
    seen = _when_set(state)
    if by_values:
        open_ones = sum(row.verdict == "not settled" for row in rows_of(result))
        sentence = say(
            "reports.sentence_values", count=open_ones, total=len(rows_of(result)), seen=seen
        )
    else:
        sentence = say("reports.sentence_within", confidence=confidence, seen=seen)
    inset = sheet.width * 0.1
    return pen.text(
        sentence,
        x=sheet.left + inset,
        y=y + 23.2 * s,
        room=sheet.width - 2 * inset,
        size=11,
        leading=16.3,
        align="c",
    )


def _when_set(state: Mapping[str, Any]) -> str:
    setting = tolerance_setting(new_state() | dict(state))
    if not setting.when:
        return say("reports.set_unknown")
    if not setting.known:
        return say("reports.set_in_plan")
    if setting.result_visible:
        return say("reports.set_after_result")
    if setting.rates_visible:
        return say("reports.set_after_rates")
    return say("reports.set_before")


def _figures(pen: Pen, y: float, result: Mapping[str, Any]) -> float:
    """Three key figures."""
    sheet, s = pen.sheet, pen.scale
    rows = rows_of(result)
    plan = result.get("plan") or {}
    tolerance = tolerance_of(plan)
    confidence = wording.percent(plan.get("confidence", 0.95), digits=0)
    inside = sum(row.verdict == "within" for row in rows)
    rest = len(rows) - inside
    band = band_words((-tolerance.difference, tolerance.difference), "SPD")
    ratio = band_words(tolerance.ratio, "DI")
    score = (result.get("certification") or {}).get("fairness_score") or {}
    bound = wording.number(tolerance.fairness_score, digits=2)
    worst = max(rows, key=Row.distance, default=None)
    own = say("paper.own_bounds") if tolerance.overrides else ""
    by_values = tolerance.rule == POINT_VALUES
    span = ""
    if score.get("low") is not None:
        span = say(
            "paper.interval_is",
            confidence=confidence,
            span=wording.interval(score.get("low"), score.get("high")),
        )
    items = [
        (
            say("paper.f_within"),
            say("paper.n_of", n=inside, total=len(rows)),
            [
                say("paper.none_left") if not rest else say("paper.some_left", n=rest),
                say("paper.bands", band=band, ratio=ratio, own=own).rstrip(),
            ],
        ),
        (
            say("paper.score_name"),
            wording.number(score.get("value")) or say("paper.no_value"),
            [span, say("paper.needed_value" if by_values else "paper.needed", bound=bound)],
        ),
        (
            say("paper.f_nearest"),
            worst.shown() if worst else say("paper.no_value"),
            [
                say("paper.by_attribute", metric=worst.title, attribute=worst.attribute),
                say("paper.interval_is", confidence=confidence, span=worst.shown_interval()),
            ]
            if worst
            else [],
        ),
    ]
    deepest = y
    for x, (label, value, lines) in zip(sheet.columns(), items, strict=True):
        pen.text(label, x=x, y=y, room=COLUMN, size=8, leading=10, color=LABEL)
        pen.text(value, x=x, y=y + 18.7 * s, room=COLUMN, size=16, leading=18, face=fonts.SANS_BOLD)
        at = y + 33.5 * s - 12.4 * s
        for line in filter(None, lines):
            at = pen.text(line, x=x, y=at + 12.4 * s, room=COLUMN, size=9.2, leading=11.6)
        deepest = max(deepest, at)
    return deepest


def _facts(
    pen: Pen,
    y: float,
    facts: CertificateFacts,
    result: Mapping[str, Any],
    fingerprint: str | None,
) -> float:
    sheet, s = pen.sheet, pen.scale
    case = facts.case
    y += 17.4 * s
    pen.grey_rule(y)
    contact = case.get("status_contact") or case.get("organisation") or say("paper.the_body")
    status = facts.status.capitalize() or say("paper.valid")
    texts = (
        (say("paper.f_audited"), audited_on(result, case)),
        (say("paper.f_scheme"), case.get("scheme") or say("paper.no_scheme")),
        (say("paper.title_13"), f"{status}. {say('paper.ask', contact=contact)}"),
    )
    y = pen.fields(texts, y=y + 16.7 * s)
    y += 14 * s
    pen.grey_rule(y)
    top = y + 16.1 * s
    dates = (
        (say("paper.title_10"), day_words(facts.decided_on) or NOT_SUPPLIED),
        (say("paper.title_11"), day_words(facts.issued_on) or say("paper.not_issued")),
    )
    pen.fields(dates, y=top)
    y = pen.field(
        say("paper.f_until"),
        day_words(facts.expires_on) or NOT_SUPPLIED,
        x=sheet.columns()[2],
        y=top,
        room=COLUMN,
        size=13,
        leading=15,
        gap=16,
        face=fonts.SANS_BOLD,
    )
    y += 12.5 * s
    pen.grey_rule(y)
    first, told = y + 18 * s, _proof(facts, fingerprint)
    room = sheet.width
    face, size, leading = fonts.SANS, 9.4 * s, 13.5 * s
    lines = len(Block.of(told, face=face, size=size, leading=leading, room=room).lines)
    code_top = sheet.page_height - (LINE - CODE_FOOT + QR_SIDE)
    if first + (lines - 1) * leading + 5 > code_top:
        room -= QR_SIDE + 12  # beside the code, not under it
    return pen.text(
        told, x=sheet.left, y=first, room=room, size=9.4, leading=13.5, field="independence"
    )


def _proof(facts: CertificateFacts, fingerprint: str | None) -> list[tuple[str, str]]:
    spans = [(independence(facts.case, {}) + " ", fonts.SANS)]
    if fingerprint:
        short = " ".join(fingerprint[i : i + 4] for i in range(0, 16, 4))
        before, after = say("paper.signed_with", key="\n").split("\n")
        spans += [(before, fonts.SANS), (short, fonts.MONO), (f"{after} ", fonts.SANS)]
    else:
        spans.append((say("reports.key_in_block") + " ", fonts.SANS))
    spans.append((say("reports.check_offline"), fonts.SANS))
    return spans
