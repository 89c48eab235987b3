"""Page 1 of a certificate: framed, calm, readable at arm's length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base import wording
from engine.messages import say
from engine.procedure.decision import tolerance_setting
from engine.procedure.state import new_state

from . import fonts
from .facts import CertificateFacts, independence
from .page1 import CODE_FOOT, Pen, number_block, page_number, scaled, signatures
from .style import COLUMN, INK, LABEL, MM, QR_SIDE, Sheet
from .tags import Node
from .textflow import Block
from .words import Row, band_words, day_words, rows_of, sides, tolerance_of, values_words

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
    limit = sheet.page_height - LINE - 38

    def body(pen: Pen) -> float:
        return _body(pen, facts, result, state, fingerprint)

    scaled(body, canvas=canvas, sheet=sheet, limit=limit)
    pen = Pen(canvas, sheet)
    signatures(pen, facts, line=LINE, payload=payload)
    top = sheet.page_height
    pen.grey_rule(top - LINE + 38.7)
    pen.text(
        say("reports.foot_certificate"),
        x=sheet.left,
        y=top - 65.6,
        room=sheet.width - QR_SIDE - 30,
        size=8,
        leading=10.4,
        color=LABEL,
    )
    page_number(pen, x=sheet.right - QR_SIDE, y=55.2)


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
        case.get("organisation") or "Issuing body not supplied",
        x=x,
        y=67.6,
        room=room,
        size=12,
        least=8,
        face=fonts.SANS_BOLD,
        field="organisation",
    )
    y = pen.text(
        case.get("organisation_address") or "Address: not supplied",
        x=x,
        y=y + 11,
        room=room,
        size=8.4,
        leading=10.9,
        color=LABEL,
        field="organisation address",
    )
    y = pen.text(
        f"Accreditation: {case.get('accreditation') or 'none'}",
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
    y = pen.text(
        "Certificate of fairness assessment",
        y=max(149.5 * (0.4 + 0.6 * s), y + 44 * s, foot + 34 * s),
        size=27,
        leading=32,
        face=fonts.SERIF,
        node=_outlined(pen, "Certificate of fairness assessment", 0, "H1"),
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
    system = " ".join(part for part in (case.get("system"), case.get("version")) if part)
    y = pen.text(
        system or "System not named",
        y=y + 51.6 * s,
        size=20,
        leading=24,
        face=fonts.SERIF,
        field="system",
        **full,
    )
    for line in _about(facts, result):
        y = pen.text(
            line,
            y=y + (20.6 if line.startswith("provided") else 17.4) * s,
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


def _outlined(pen: Pen, title: str, level: int, kind: str) -> Node:
    if pen.canvas is not None:
        pen.canvas.outline(title, level)
    return Node(kind)


def _about(facts: CertificateFacts, result: Mapping[str, Any]) -> list[str]:
    case = facts.case
    provider = ", ".join(p for p in (case.get("provider"), case.get("provider_address")) if p)
    plan = result.get("plan") or {}
    names = [str(e.get("name") or e.get("column")) for e in plan.get("protected") or []]
    purpose = (case.get("decision_kind") or case.get("purpose") or "").strip()
    if purpose and purpose[-1] not in ".!?":
        purpose += "."
    outcome = plan.get("outcome") or {}
    favourable = (
        f"Favourable outcome: “{outcome.get('column')}” is "
        f"{values_words(outcome.get('favourable') or [])}."
        if outcome
        else ""
    )
    groups = []
    for name in names:
        unprivileged, privileged = sides(result, name)
        groups.append(f"{name} ({unprivileged} compared with {privileged})")
    audited = f"Audited by {wording.listed(groups)}."
    if len(audited) > 260:
        audited = f"Audited by {wording.listed(names)}; the groups stand on the next pages."
    if len(audited) > 260:
        audited = f"Audited by {len(names)} attributes; they stand on the next pages."
    lines = [f"provided by {provider}" if provider else "Provider: not supplied"]
    lines.append(" ".join(part for part in (purpose, favourable) if part))
    return [line for line in (*lines, audited) if line]


def _verdict(pen: Pen, y: float, result: Mapping[str, Any], state: Mapping[str, Any]) -> float:
    sheet, s = pen.sheet, pen.scale
    plan = result.get("plan") or {}
    rule = str(((result.get("certification") or {}).get("recommendation") or {}).get("rule") or "")
    by_values = rule == "point values"
    title = say("reports.within_values" if by_values else "reports.within")
    size = 23.0
    wide = fonts.width(title, fonts.SERIF_BOLD, size * s)
    mark = 20 * s
    left = sheet.left + (sheet.width - wide - mark - 10 * s) / 2
    pen.mark("within", x=left, y=y + 0.8 * s, size=20)
    y = pen.text(
        title,
        x=left + mark + 10 * s,
        y=y,
        room=sheet.width,
        size=size,
        leading=28,
        face=fonts.SERIF_BOLD,
        node=_outlined(pen, title, 1, "H2"),
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
    own = " Some have bounds of their own." if tolerance.overrides else ""
    items = [
        (
            "Metrics within tolerance",
            f"{inside} of {len(rows)}",
            [
                "None left unsettled or unchecked."
                if not rest
                else f"{rest} not within: see page 2.",
                f"{band}; for ratios {ratio}.{own}",
            ],
        ),
        (
            "Fairness Score",
            wording.number(score.get("value")) or "none",
            [
                f"{confidence} interval {wording.interval(score.get('low'), score.get('high'))}."
                if score.get("low") is not None
                else "",
                f"Needed: all of it at {bound} or above.",
            ],
        ),
        (
            "Metric nearest to an edge",
            worst.shown() if worst else "none",
            [
                f"{worst.title} by {worst.attribute},",
                f"{confidence} interval {worst.shown_interval()}.",
            ]
            if worst
            else [],
        ),
    ]
    if (
        str(((result.get("certification") or {}).get("recommendation") or {}).get("rule"))
        == "point values"
    ):
        items[1][2][1] = f"Needed: {bound} or above."
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
    columns = sheet.columns()
    contact = case.get("status_contact") or case.get("organisation") or "issuing body"
    scheme = case.get("scheme") or "Scheme: not supplied"
    texts = (
        ("Audited on", audited_on(result, case)),
        ("Scheme", scheme),
        (
            "Status",
            f"{facts.status.capitalize() or 'Valid'}. Ask {contact} for the present status.",
        ),
    )
    top = y + 16.7 * s
    y = max(
        pen.field(label, text, x=x, y=top, room=COLUMN, gap=13.5, size=9.8)
        for x, (label, text) in zip(columns, texts, strict=True)
    )
    y += 14 * s
    pen.grey_rule(y)
    top = y + 16.1 * s
    dates = (
        ("Decided on", day_words(facts.decided_on) or "not supplied"),
        ("Issued on", day_words(facts.issued_on) or "not issued yet"),
    )
    for x, (label, text) in zip(columns, dates, strict=False):
        pen.field(label, text, x=x, y=top, room=COLUMN, size=9.8)
    until = day_words(facts.expires_on) or "not supplied"
    y = pen.field(
        "Valid until",
        until,
        x=columns[2],
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


def audited_on(result: Mapping[str, Any], case: Mapping[str, str]) -> str:
    """How many cases of which kind were audited, and from when they are."""
    rows: dict[str, int] = {}
    for item in result.get("inputs") or ():
        role = str(item.get("role", ""))
        rows[role] = rows.get(role, 0) + int(item.get("rows") or 0)
    parts = [
        f"{wording.count(rows[role])} {word}"
        for role, word in (("test", "test"), ("training", "training"), ("all", ""))
        if role in rows
    ]
    text = f"{wording.listed([p.strip() for p in parts])} cases" if parts else "not supplied"
    return f"{text}, {case['data_dates']}" if case.get("data_dates") else text


def _proof(facts: CertificateFacts, fingerprint: str | None) -> list[tuple[str, str]]:
    spans = [(independence(facts.case, {}) + " ", fonts.SANS)]
    if fingerprint:
        short = " ".join(fingerprint[i : i + 4] for i in range(0, 16, 4))
        spans += [
            ("The file is signed with the key ", fonts.SANS),
            (short, fonts.MONO),
            (". ", fonts.SANS),
        ]
    else:
        spans.append((say("reports.key_in_block") + " ", fonts.SANS))
    spans.append((say("reports.check_offline"), fonts.SANS))
    return spans
