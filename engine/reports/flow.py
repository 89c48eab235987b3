"""Flowables of the evidence pages: headings, paragraphs, lists, figures; each tags itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from reportlab.platypus.flowables import CondPageBreak, Flowable

from . import fonts
from .style import INK, LABEL
from .tags import Node
from .textflow import Block, Line, Span, break_lines, spans_of

LINE = 100
"""About as many characters stand in a line, for the room that a text will need."""
BEGINNING = 62.0
"""Points that the beginning of a paragraph or a table needs under its heading."""


class Text(Flowable):  # type: ignore[misc]
    """A paragraph, or a heading with its bookmark.

    Parameters
    ----------
    text : str or spans
    kind : str
        Structure type: ``P``, ``H1`` to ``H3``, ``LBody``, ``Caption``.
    level : int or None
        Outline level of a heading; None for no bookmark.
    indent : float
        Left indent in points; ``label`` (a number, a dash) stands in it.
    """

    def __init__(
        self,
        text: str | Iterable[Span],
        *,
        face: str = fonts.SANS,
        size: float = 9.4,
        leading: float = 13.4,
        before: float = 0.0,
        after: float = 4.0,
        kind: str = "P",
        level: int | None = None,
        align: str = "l",
        color: tuple[float, float, float] = INK,
        indent: float = 0.0,
        label: str = "",
        parent: Node | None = None,
        keep: bool = False,
        field: str = "",
    ) -> None:
        super().__init__()
        self.spans = spans_of(text, face)
        for part, use in self.spans:
            fonts.runs(part, use, field)
        self.size, self.leading = size, leading
        self.spaceBefore, self.spaceAfter = before, after
        self.kind, self.level, self.align, self.color = kind, level, align, color
        self.indent, self.label, self.field = indent, label, field
        self.node = Node(kind, parent)
        self.label_node = Node("Lbl", parent) if label else None
        self.keep = keep
        self.lines: tuple[Line, ...] | None = None
        self.room = 0.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Set the lines to the width at hand."""
        room = width - self.indent
        if self.lines is None or room != self.room:
            self.lines = break_lines(self.spans, self.size, room, self.field)
            self.room = room
        self.width, self.height = width, self.leading * len(self.lines)
        return self.width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split between lines, at least two on each side."""
        self.wrap(width, height)
        assert self.lines is not None
        fit = int(height / self.leading)
        if len(self.lines) < 4 or fit < 2 or self.level is not None:
            return []
        fit = min(fit, len(self.lines) - 2)
        return [self._part(self.lines[:fit], first=True), self._part(self.lines[fit:], first=False)]

    def _part(self, lines: tuple[Line, ...], *, first: bool) -> Text:
        part = Text.__new__(Text)
        part.__dict__.update(self.__dict__)
        part.__dict__.pop("_postponed", None)
        part.lines = lines
        part.height = self.leading * len(lines)
        if first:
            part.spaceAfter = 0
        else:
            part.spaceBefore, part.label, part.label_node = 0, "", None
        return part

    def draw(self) -> None:
        """Draw label and lines, each within its tag."""
        canvas: Any = self.canv
        assert self.lines is not None
        if self.level is not None:
            canvas.outline("".join(text for text, _ in self.spans), self.level)
        if self.label_node is not None:
            with canvas.tagged(self.label_node):
                block = Block.of(
                    self.label,
                    face=self.spans[0][1],
                    size=self.size,
                    leading=self.leading,
                    room=self.indent,
                    color=self.color,
                )
                block.draw(canvas, x=0, top=self.height)
        with canvas.tagged(self.node):
            Block(self.lines, self.size, self.leading, self.room, self.align, self.color).draw(
                canvas, x=self.indent, top=self.height
            )


def kept(story: list[Flowable]) -> list[Flowable]:
    """A story in which no heading stands alone at the foot of a page.

    Before the first of several headings a page may break: where less room is left than they and
    the beginning of what follows need. (reportlab's own way moves a whole table to a new page.)
    """
    out: list[Flowable] = []
    for place, item in enumerate(story):
        before = story[place - 1] if place else None
        if getattr(item, "keep", False) and not getattr(before, "keep", False):
            out.append(CondPageBreak(_need(story, place)))
        out.append(item)
    return out


def _need(story: list[Flowable], place: int) -> float:
    need = 0.0
    for item in story[place:]:
        if isinstance(item, Text) and item.keep:
            lines = 1 + sum(len(text) for text, _ in item.spans) // LINE
            need += item.spaceBefore + lines * item.leading + item.spaceAfter
            continue
        return need + (item.height if isinstance(item, Figure) else BEGINNING)
    return need


def heading(text: str, *, level: int = 1) -> Text:
    """A heading of the evidence pages; 1 is a section, 2 a part, 3 a paragraph's title."""
    face, size, leading, before, after = {
        1: (fonts.SERIF, 16, 22, 20, 6),
        2: (fonts.SANS_BOLD, 11.5, 16, 12, 4),
        3: (fonts.SANS_BOLD, 9.4, 13.4, 8, 2),
    }[level]
    return Text(
        text,
        face=face,
        size=size,
        leading=leading,
        before=before,
        after=after,
        kind=f"H{level + 1}" if level < 3 else "H4",
        level=level if level < 3 else None,
        keep=True,
    )


def paragraph(text: str | Iterable[Span], *, after: float = 5.0, field: str = "") -> Text:
    """A paragraph of the evidence pages."""
    return Text(text, after=after, field=field)


def note(text: str, *, after: float = 6.0, field: str = "") -> Text:
    """A note under a table or a figure."""
    return Text(text, size=8, leading=11, color=LABEL, after=after, field=field)


def listed(items: Iterable[str], *, numbered: bool = False, field: str = "") -> list[Flowable]:
    """A list, numbered or with dashes."""
    whole = Node("L")
    out: list[Flowable] = []
    for number, item in enumerate(items, 1):
        entry = Node("LI", whole)
        label = f"{number}." if numbered else "–"
        out.append(
            Text(item, kind="LBody", parent=entry, indent=16, label=label, after=2, field=field)
        )
    return out


class Figure(Flowable):  # type: ignore[misc]
    """A drawing with its alternative text; ``paint(canvas)`` draws into width x height points."""

    def __init__(
        self, *, width: float, height: float, alt: str, paint: Callable[[Any], None]
    ) -> None:
        super().__init__()
        self.width, self.height, self.paint = width, height, paint
        self.spaceBefore, self.spaceAfter = 4, 6
        self.node = Node("Figure", alt=fonts.cleaned(alt))

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Takes its own size."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw within the figure's tag."""
        canvas: Any = self.canv
        x, y = canvas.absolutePosition(0, 0)
        self.node.bbox = (x, y, x + self.width, y + self.height)
        with canvas.tagged(self.node):
            self.paint(canvas)
