"""What both kinds of page 1 share: a pen that measures and draws, signatures, QR code, foot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from reportlab.platypus.flowables import Flowable

from engine.messages import say

from . import fonts, qr
from .facts import CertificateFacts
from .marks import draw_mark
from .style import GAP, HAIR, INK, LABEL, MM, QR_SIDE, Sheet
from .tags import Node
from .textflow import Block, Span, break_lines, spans_of

SIGNATURE_WIDTH = 40 * MM
SIGNATURE_HEIGHT = 12 * MM
CODE_FOOT = 27.8
"""How far the QR code reaches below the lines of the signatures."""
EVALUATOR, DECIDER, CODE = "signature-evaluator", "signature-decider", "code"
"""Names in the structure tree of the places that signing and verifying look for."""


class Pen:
    """Draws on a page, or only measures where ``canvas`` is None; y runs down from the top.

    Parameters
    ----------
    canvas : TaggedCanvas or None
    sheet : Sheet
    scale : float
        Factor of all sizes, for names so long that the page would overflow.
    """

    def __init__(self, canvas: Any, sheet: Sheet, *, scale: float = 1.0) -> None:
        self.canvas, self.sheet, self.scale = canvas, sheet, scale

    def tag(self, node: Node | None) -> Any:
        """The context in which what belongs to ``node`` is drawn; None is decoration."""
        if self.canvas is None:
            return nullcontext()
        return self.canvas.tagged(node) if node is not None else self.canvas.artefact()

    def text(
        self,
        text: str | Sequence[Span],
        *,
        x: float,
        y: float,
        room: float,
        size: float,
        leading: float,
        face: str = fonts.SANS,
        align: str = "l",
        color: tuple[float, float, float] = INK,
        node: Node | None = None,
        field: str = "",
    ) -> float:
        """Draw a text with its first baseline at ``y``; gives the last baseline."""
        size, leading = size * self.scale, leading * self.scale
        block = Block.of(
            text,
            face=face,
            size=size,
            leading=leading,
            room=room,
            align=align,
            color=color,
            field=field,
        )
        if self.canvas is not None:
            with self.tag(node or Node("P")):
                top = self.sheet.page_height - y + (leading + size * 0.7) / 2
                block.draw(self.canvas, x=x, top=top)
        return y + leading * (len(block.lines) - 1)

    def fitted(
        self, text: str, *, x: float, y: float, room: float, size: float, least: float, **more: Any
    ) -> float:
        """Draw on one line, smaller where it must be; below ``least`` it takes more lines."""
        face = more.get("face", fonts.SANS)
        while size > least and fonts.width(text, face, size * self.scale) > room:
            size -= 0.5
        return self.text(text, x=x, y=y, room=room, size=size, leading=size * 1.25, **more)

    def rule(
        self,
        y: float,
        *,
        width: float,
        x: float | None = None,
        to: float | None = None,
        color: tuple[float, float, float] = INK,
    ) -> None:
        """Draw a horizontal rule."""
        if self.canvas is None:
            return
        with self.tag(None):
            self.canvas.setStrokeColorRGB(*color)
            self.canvas.setLineWidth(width)
            height = self.sheet.page_height - y
            left = self.sheet.left if x is None else x
            self.canvas.line(left, height, self.sheet.right if to is None else to, height)

    def grey_rule(self, y: float) -> None:
        """Draw the thin rule between facts."""
        self.rule(y, width=0.5, color=HAIR)

    def mark(self, word: str, *, x: float, y: float, size: float) -> None:
        """Draw a verdict mark with its foot at ``y``; the word beside it says the same."""
        if self.canvas is None:
            return
        with self.tag(None):
            draw_mark(self.canvas, word, x=x, y=self.sheet.page_height - y, size=size * self.scale)

    def lines(
        self, text: str, *, room: float, size: float, face: str = fonts.SANS, field: str = ""
    ) -> int:
        """How many lines a text takes."""
        return len(break_lines(spans_of(text, face), size * self.scale, room, field))

    def field(
        self,
        label: str,
        text: str,
        *,
        x: float,
        y: float,
        room: float,
        size: float = 10,
        leading: float = 13,
        gap: float = 13.5,
        face: str = fonts.SANS,
        name: str = "",
    ) -> float:
        """Draw a label and its text below; gives the last baseline."""
        s = self.scale
        self.text(label, x=x, y=y, room=room, size=8, leading=10, color=LABEL)
        return self.text(
            text,
            x=x,
            y=y + gap * s,
            room=room,
            size=size,
            leading=leading,
            face=face,
            field=name or label,
        )


class PageOne(Flowable):  # type: ignore[misc]
    """Page 1 as one flowable that fills its frame."""

    def __init__(self, sheet: Sheet, paint: Callable[[Any], None]) -> None:
        super().__init__()
        self.sheet, self.paint = sheet, paint

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Takes the whole frame."""
        return width, height

    def draw(self) -> None:
        """Draw in page coordinates."""
        canvas: Any = self.canv
        x, y = canvas.absolutePosition(0, 0)
        canvas.saveState()
        canvas.translate(-x, -y)
        self.paint(canvas)
        canvas.restoreState()


def scaled(draw: Callable[[Pen], float], *, canvas: Any, sheet: Sheet, limit: float) -> None:
    """Draw with the largest scale at which the page ends above ``limit`` (from the top)."""
    scale = 1.0
    while scale > 0.5 and draw(Pen(None, sheet, scale=scale)) > limit:
        scale -= 0.04
    draw(Pen(canvas, sheet, scale=scale))


def signatures(pen: Pen, facts: CertificateFacts, *, line: float, payload: str) -> None:
    """Three signature lines at ``line`` points from the bottom, and the QR code beside them.

    What signing fills is named in the structure tree: the place above the evaluator's line, and
    the place above the decider's line together with the code.
    """
    canvas, sheet = pen.canvas, pen.sheet
    code_x = sheet.right - QR_SIDE
    step = (code_x - sheet.left) / 3
    wide = min(SIGNATURE_WIDTH, step - GAP * 0.9)
    office = facts.case.get("organisation", "")
    foot = line - CODE_FOOT
    people = (
        ("Evaluator", facts.case.get("evaluator", "")),
        ("Reviewer", facts.case.get("reviewer", "")),
        ("Decider", facts.case.get("decider", "")),
    )
    top = sheet.page_height
    for place, (role, name) in enumerate(people):
        x = sheet.left + place * step
        pen.rule(top - line, width=0.75, x=x, to=x + wide)
        box = (x, line + 1, x + wide, line + SIGNATURE_HEIGHT)
        if role == "Evaluator":
            node = Node("P", ident=EVALUATOR, bbox=box)
        elif role == "Decider":
            node = Node("P", ident=DECIDER, bbox=(x, foot, sheet.right, foot + QR_SIDE))
            unsigned = say("reports.unsigned_here")
            pen.text(
                unsigned,
                x=x,
                y=top - line - 17,
                room=wide,
                size=8,
                leading=10,
                color=LABEL,
                node=node,
            )
            node = Node("P")
        else:
            node = Node("P")
        pen.text(
            role,
            x=x,
            y=top - line + 13.5,
            room=wide,
            size=10,
            leading=12,
            face=fonts.SANS_BOLD,
            node=node,
        )
        said = name or office
        if fonts.width(said, fonts.SANS, 5.5, role.lower()) > wide * 1.5:
            said = say("reports.named_behind")
        if said:
            pen.fitted(
                said,
                x=x,
                y=top - line + 25.2,
                room=wide,
                size=8,
                least=5.5,
                color=LABEL,
                field=role.lower(),
            )
    if canvas is None:
        return
    alt = say("reports.code_alt", payload=payload)
    box = (code_x, foot, sheet.right, foot + QR_SIDE)
    with canvas.tagged(Node("Figure", alt=alt, ident=CODE, bbox=box)):
        qr.draw(canvas, payload, x=code_x, y=foot, side=QR_SIDE)


def page_number(pen: Pen, *, x: float, y: float) -> None:
    """``Page 1 of n`` at ``y`` points from the bottom."""
    if pen.canvas is None:
        return
    with pen.canvas.artefact("Pagination"):
        pen.canvas.draw_page_number(x=x, y=y, size=8, color=LABEL)


def number_block(pen: Pen, facts: CertificateFacts, *, y: float, size: float) -> float:
    """The number at the upper right, with revision and what it replaces; gives its foot."""
    sheet = pen.sheet
    room = sheet.width * 0.42
    x = sheet.right - room
    kind = "Certificate number" if facts.kind == "certificate" else "Statement number"
    replaces = f"replaces {facts.replaces}" if facts.replaces else "replaces no other"
    pen.text(kind, x=x, y=y, room=room, size=8.4, leading=10, align="r", color=LABEL)
    y = pen.fitted(
        facts.number or "not numbered",
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
        f"Revision {facts.revision} · {replaces}",
        x=x,
        y=y + 11.6,
        room=room,
        size=8.4,
        least=6,
        align="r",
        color=LABEL,
        field="replaces",
    )
