"""What both kinds of page 1 show alike: number, system, groups, people, signatures, code, foot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.base import wording
from engine.messages import say
from engine.procedure.decision import ROLES

from . import fonts, qr
from .facts import CertificateFacts
from .page1 import Pen
from .style import GAP, LABEL, MM, QR_SIDE, Sheet
from .tags import Node
from .textflow import break_lines, spans_of
from .words import NOT_SUPPLIED, sides

SIGNATURE_WIDTH = 40 * MM
SIGNATURE_HEIGHT = 12 * MM
CODE_FOOT = 27.8
"""How far the QR code reaches below the lines of the signatures, where names take one line."""
EVALUATOR, DECIDER, CODE = "signature-evaluator", "signature-decider", "code"
"""Names in the structure tree of the places that signing and verifying look for."""
_WRAPPED = ((7.0, 4), (6.0, 7))
"""Sizes of a name that takes several lines, and how many lines each may take."""


def joined(case: Mapping[str, str], *keys: str, by: str = " ") -> str:
    """The facts of a case that are known, one after the other."""
    return by.join(case[key].strip() for key in keys if case.get(key, "").strip())


def groups_words(result: Mapping[str, Any], *, most: int, code: str) -> list[str]:
    """Each attribute with its groups, by a message of ``attribute``, ``unprivileged`` and
    ``privileged``; none where they would take more than ``most`` characters."""
    said = []
    for name in names_of(result):
        unprivileged, privileged = sides(result, name)
        said.append(say(code, attribute=name, unprivileged=unprivileged, privileged=privileged))
    return said if sum(map(len, said)) <= most else []


def names_of(result: Mapping[str, Any]) -> list[str]:
    """The protected attributes of the plan."""
    plan = result.get("plan") or {}
    return [str(entry.get("name") or entry.get("column")) for entry in plan.get("protected") or []]


def audited_on(result: Mapping[str, Any], case: Mapping[str, str]) -> str:
    """How many cases of which kind were audited, and from when they are."""
    rows: dict[str, int] = {}
    for item in result.get("inputs") or ():
        role = str(item.get("role", ""))
        rows[role] = rows.get(role, 0) + int(item.get("rows") or 0)
    parts = [
        say(f"paper.rows_{role}", n=wording.count(rows[role]))
        for role in ("test", "training", "all")
        if role in rows
    ]
    text = say("paper.cases", rows=wording.listed(parts)) if parts else NOT_SUPPLIED
    return f"{text}, {case['data_dates']}" if case.get("data_dates") else text


@dataclass(frozen=True)
class _Name:
    """A name under its line: text, size, leading and number of lines."""

    text: str
    size: float
    leading: float
    lines: int


def _name(said: str, wide: float, field: str) -> _Name:
    """On one line where it fits, else on several, else on the next pages."""
    size = 8.0
    while size >= 6.5:
        if fonts.width(said, fonts.SANS, size, field) <= wide:
            return _Name(said, size, size * 1.2, 1)
        size -= 0.5
    for size, most in _WRAPPED:
        lines = len(break_lines(spans_of(said, fonts.SANS), size, wide, field))
        if lines <= most:
            return _Name(said, size, size * 1.2, lines)
    return _Name(say("reports.named_behind"), 8.0, 9.6, 1)


def _wide(sheet: Sheet) -> float:
    return min(SIGNATURE_WIDTH, (sheet.width - QR_SIDE) / 3 - GAP * 0.9)


def _names(sheet: Sheet, facts: CertificateFacts) -> dict[str, _Name]:
    office = facts.case.get("organisation", "")
    return {role: _name(facts.case.get(role) or office, _wide(sheet), role) for role in ROLES}


def rise(sheet: Sheet, facts: CertificateFacts) -> float:
    """How much higher the lines of the signatures stand so that long names fit under them."""
    return max(name.leading * (name.lines - 1) for name in _names(sheet, facts).values())


def signatures(pen: Pen, facts: CertificateFacts, *, line: float, payload: str) -> None:
    """Three signature lines at ``line`` points from the bottom, and the QR code beside them.

    What signing fills is named in the structure tree: the place above the evaluator's line, and
    the place above the decider's line together with the code.
    """
    canvas, sheet = pen.canvas, pen.sheet
    code_x = sheet.right - QR_SIDE
    step, wide = (code_x - sheet.left) / 3, _wide(sheet)
    foot, top = line - CODE_FOOT, sheet.page_height
    line += rise(sheet, facts)
    for place, (role, name) in enumerate(_names(sheet, facts).items()):
        x = sheet.left + place * step
        pen.rule(top - line, width=0.75, x=x, to=x + wide)
        node = Node("P")
        above = line + SIGNATURE_HEIGHT
        if role == "evaluator":
            node = Node("P", ident=EVALUATOR, bbox=(x, line + 1, x + wide, above))
        elif role == "decider":
            box = (x, foot, sheet.right, max(above, foot + QR_SIDE))
            pen.text(
                say("reports.unsigned_here"),
                x=x,
                y=top - line - 17,
                room=wide,
                size=8,
                leading=10,
                color=LABEL,
                node=Node("P", ident=DECIDER, bbox=box),
            )
        pen.text(
            say(f"paper.{role}"),
            x=x,
            y=top - line + 13.5,
            room=wide,
            size=10,
            leading=12,
            face=fonts.SANS_BOLD,
            node=node,
        )
        if name.text:
            pen.text(
                name.text,
                x=x,
                y=top - line + 25.2,
                room=wide,
                size=name.size,
                leading=name.leading,
                color=LABEL,
                field=role,
            )
    if canvas is None:
        return
    alt = say("reports.code_alt", payload=payload)
    box = (code_x, foot, sheet.right, foot + QR_SIDE)
    with canvas.tagged(Node("Figure", alt=alt, ident=CODE, bbox=box)):
        qr.draw(canvas, payload, x=code_x, y=foot, side=QR_SIDE)


def foot_words(pen: Pen, text: str, *, y: float, aside: float) -> None:
    """What the paper is not, at ``y`` points from the bottom, and ``Page 1 of n`` under the code."""
    sheet = pen.sheet
    pen.text(
        text,
        x=sheet.left,
        y=sheet.page_height - y,
        room=sheet.width - QR_SIDE - aside,
        size=8,
        leading=10.4,
        color=LABEL,
    )


def page_number(pen: Pen, *, y: float) -> None:
    """``Page 1 of n`` under the code, at ``y`` points from the bottom."""
    if pen.canvas is None:
        return
    with pen.canvas.artefact("Pagination"):
        x = pen.sheet.right - QR_SIDE
        pen.canvas.draw_page_number(x=x, y=y, size=8, color=LABEL)


def number_block(pen: Pen, facts: CertificateFacts, *, y: float, size: float) -> float:
    """The number at the upper right, with revision and what it replaces; gives its foot."""
    sheet = pen.sheet
    room = sheet.width * 0.42
    x = sheet.right - room
    if facts.replaces:
        under = say("paper.replaces_short", revision=facts.revision, number=facts.replaces)
    else:
        under = say("paper.replaces_short_none", revision=facts.revision)
    pen.text(
        say(f"paper.numbered_{facts.kind}"),
        x=x,
        y=y,
        room=room,
        size=8.4,
        leading=10,
        align="r",
        color=LABEL,
    )
    y = pen.fitted(
        facts.number or say("paper.unnumbered"),
        x=x,
        y=y + 14.8,
        room=room,
        size=size,
        least=8,
        face=fonts.SANS_BOLD,
        align="r",
        field="number",
    )
    return pen.fitted(
        under,
        x=x,
        y=y + 11.6,
        room=room,
        size=8.4,
        least=6,
        align="r",
        color=LABEL,
        field="replaces",
    )
