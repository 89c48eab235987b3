"""The pen of page 1: it measures and draws, from the top of the page down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from reportlab.platypus.flowables import Flowable

from . import fonts
from .marks import draw_mark
from .style import COLUMN, HAIR, INK, LABEL, Sheet
from .tags import Node
from .textflow import Block, Span, break_lines, spans_of


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

    def heading(self, title: str, *, kind: str, level: int | None = None, **more: Any) -> float:
        """Draw a heading, with its bookmark where it has a level."""
        if self.canvas is not None and level is not None:
            self.canvas.outline(title, level)
        return self.text(title, node=Node(kind), **more)

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

    def fields(
        self, items: Sequence[tuple[str, str]], *, y: float, gap: float = 13.5, size: float = 9.8
    ) -> float:
        """Draw up to three labelled texts side by side; gives the deepest baseline."""
        columns = self.sheet.columns()
        return max(
            self.field(label, text, x=x, y=y, room=COLUMN, gap=gap, size=size)
            for x, (label, text) in zip(columns, items, strict=False)
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
