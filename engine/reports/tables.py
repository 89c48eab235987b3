"""Tables of any length: rows wrapped once, pages split at a row, heads repeated as artefacts.

Measuring and drawing cost the same for each row, however many there are: a split hands on a
place in the same list of rows instead of copying it, which reportlab's own table does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from reportlab.platypus.flowables import Flowable

from engine.methods.base import PrintedTable, Verdict

from . import fonts
from .flow import heading, note
from .marks import draw_mark
from .style import INK, LABEL, ROW_HAIR, RULE, THIN
from .tags import Node
from .textflow import Line, break_lines, draw_line

PAD = 4.0
"""Above and below a row's letters, before it is scaled."""
GAP = 6.5
"""Between two columns: less, and a full line of text runs into the number beside it."""
MOST_LINES = 36
"""A row of more lines is cut, so that it can go on over the page."""
MARKED = {
    "within",
    "outside",
    "not settled",
    "not computable",
    "not checked",
    "shown",
    "ruled out",
}


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return " ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


@lru_cache(maxsize=8192)
def _natural(text: str, face: str, size: float, field: str) -> float:
    return fonts.width(text, face, size, field)


class Grid(Flowable):  # type: ignore[misc]
    """A table that splits between rows and tags itself.

    Parameters
    ----------
    columns : sequence of str
        Headings in words.
    rows : sequence of sequences
        Cells as text, as a tuple of texts (a line each), or as
        :class:`~engine.methods.base.Verdict` (drawn as mark and word).
    align : str
        ``l``, ``r`` or ``c`` a column.
    widths : sequence of float, optional
        Relative widths; worked out from the content where not given.
    bold_first : bool
        Set the first column in semibold.
    title : str
        What the table is; it names the table for those who cannot see it, and in refusals.
    """

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        *,
        align: str = "",
        widths: Sequence[float] | None = None,
        size: float = 8.5,
        bold_first: bool = True,
        title: str = "",
    ) -> None:
        super().__init__()
        self.columns, self.rows = tuple(columns), rows
        self.align = (align + "l" * len(self.columns))[: len(self.columns)]
        self.relative = tuple(widths) if widths else None
        self.size = size if len(self.columns) <= 8 else max(6.0, size - 0.5 * (len(columns) - 8))
        self.leading = round(self.size * 1.36, 2)
        self.faces = (fonts.SANS_BOLD if bold_first else fonts.SANS,) + (fonts.SANS,) * (
            len(self.columns) - 1
        )
        self.title = title
        self.slices: list[tuple[int, int]] = []
        self.start, self.end = 0, 0
        self.first = True
        self.node = Node("Table", alt=fonts.cleaned(title))
        self.spaceBefore, self.spaceAfter = 2, 8
        self.width = 0.0
        self.heights: list[float] = []
        self.cells: dict[int, list[Node]] = {}
        self.widths: tuple[float, ...] = ()
        self._check()

    def _check(self) -> None:
        """Look at every character before a page is begun, so that a refusal costs no half file."""
        for head in self.columns:
            fonts.runs(head, fonts.SANS_MEDIUM, self.title)
        for row in self.rows:
            for cell, face, head in zip(row, self.faces, self.columns, strict=True):
                text = _text(cell)
                if not (text.isascii() and text.isprintable()):
                    fonts.runs(text, face, f"{self.title}, {head}" if self.title else head)

    def _measure(self, room: float) -> None:
        self.widths = self._column_widths(room)
        self.heights, self.slices = [], []
        for number, row in enumerate(self.rows):
            most = 1
            for cell, face, wide in zip(row, self.faces, self.widths, strict=True):
                text = _text(cell)
                if len(text) < 4:
                    continue
                most = max(most, len(self._lines(cell, face, wide)))
            for first in range(0, most, MOST_LINES):
                here = min(MOST_LINES, most - first)
                self.slices.append((number, first))
                self.heights.append(here * self.leading + 2 * PAD * 0.75)
        self.start, self.end = 0, len(self.slices)
        most = max(
            len(break_lines(((head, fonts.SANS_MEDIUM),), self.size - 0.5, wide - GAP))
            for head, wide in zip(self.columns, self.widths, strict=True)
        )
        self.head_height = most * self.leading + 2 * PAD * 0.6

    def _lines(self, cell: Any, face: str, wide: float) -> tuple[Line, ...]:
        if isinstance(cell, tuple):
            return tuple(line for part in cell for line in self._lines(part, face, wide))
        mark = self.size * 1.25 if isinstance(cell, Verdict) else 0
        return break_lines(((_text(cell), face),), self.size, wide - GAP - mark)

    def _column_widths(self, room: float) -> tuple[float, ...]:
        if self.relative:
            whole = sum(self.relative)
            return tuple(room * part / whole for part in self.relative)
        natural = [
            _natural(head, fonts.SANS_MEDIUM, self.size - 0.5, self.title) + GAP + 1
            for head in self.columns
        ]
        natural = [min(value, 90.0) for value in natural]
        for row in self.rows:
            for place, (cell, face) in enumerate(zip(row, self.faces, strict=True)):
                text = _text(cell)
                if len(text) * self.size * 0.65 < natural[place] - 16:
                    continue
                mark = self.size * 1.25 if isinstance(cell, Verdict) else 0
                wide = _natural(text, face, self.size, self.title) + GAP + 1 + mark
                natural[place] = max(natural[place], wide)
        whole = sum(natural)
        if whole <= room:
            spare = (room - whole) / len(natural)
            return tuple(value + spare for value in natural)
        return _shared(natural, self._least(room), room)

    def _least(self, room: float) -> list[float]:
        """Width that no column goes below: its longest word, within reason."""
        least = []
        for place, (head, face) in enumerate(zip(self.columns, self.faces, strict=True)):
            mark = any(isinstance(row[place], Verdict) for row in self.rows[:50])
            words = {word for row in self.rows for word in _text(row[place]).split()}
            longest = sorted(words, key=len)[-3:]
            wide = max((_natural(word, face, self.size, "") for word in longest), default=0.0)
            title = max(
                (_natural(w, fonts.SANS_MEDIUM, self.size - 0.5, "") for w in head.split()),
                default=0.0,
            )
            shift = self.size * 1.25 if mark else 0.0
            least.append(min(max(wide + shift, title) + GAP + 1, room * 0.24))
        return least

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Measure once; a split part knows its rows' heights."""
        if not self.heights or width != self.width:
            self._measure(width)
        self.width = width
        self.height = self.head_height + sum(self.heights[self.start : self.end])
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Split at the last row that fits; a head never stands alone."""
        if not self.heights or width != self.width:
            self.wrap(width, height)
        used, stop = self.head_height, self.start
        while stop < self.end and used + self.heights[stop] <= height + 0.01:
            used += self.heights[stop]
            stop += 1
        lonely = stop - self.start < 2 and self.end - self.start > 2
        if stop == self.start or (lonely and height < 150):
            return []
        if stop == self.end:
            return [self]
        return [self._part(self.start, stop), self._part(stop, self.end, first=False)]

    def _part(self, start: int, end: int, *, first: bool | None = None) -> Grid:
        part = Grid.__new__(Grid)
        part.__dict__.update(self.__dict__)
        part.__dict__.pop("_postponed", None)
        part.start, part.end = start, end
        if first is not None:
            part.first = first
            part.spaceBefore = 0
        return part

    def draw(self) -> None:
        """Draw head and rows; each cell within its tag."""
        canvas: Any = self.canv
        y = self._draw_head(canvas, self.height)
        for number in range(self.start, self.end):
            y = self._draw_slice(canvas, number, y)

    def _draw_head(self, canvas: Any, top: float) -> float:
        bottom = top - self.head_height
        size = self.size - 0.5
        row = Node("TR", self.node)
        x = 0.0
        for place, (head, wide) in enumerate(zip(self.columns, self.widths, strict=True)):
            lines = break_lines(((head, fonts.SANS_MEDIUM),), size, wide - GAP)
            node = Node("TH", row, scope="Column")
            with canvas.tagged(node) if self.first else canvas.artefact("Pagination"):
                y = bottom + PAD * 0.6 + self.leading * (len(lines) - 1) + size * 0.3
                for line in lines:
                    self._draw_cell_line(canvas, line, x, y, wide, place, size, LABEL)
                    y -= self.leading
            x += wide
        with canvas.artefact():
            canvas.stroke(0, bottom, self.width, bottom, width=RULE, color=INK)
        return bottom

    def _nodes(self, row: int) -> list[Node]:
        """The cells of a row in the tree; a row cut by a page keeps its cells."""
        if row not in self.cells:
            self.cells.clear()  # rows are drawn in order: only the last can go on
            line = Node("TR", self.node)
            head = self.faces[0] == fonts.SANS_BOLD
            self.cells[row] = [
                Node("TH", line, scope="Row") if head and not place else Node("TD", line)
                for place in range(len(self.columns))
            ]
        return self.cells[row]

    def _draw_slice(self, canvas: Any, number: int, top: float) -> float:
        """Draw a row, or the part of a long row that fits a page."""
        row, first = self.slices[number]
        bottom = top - self.heights[number]
        ends = number + 1 == len(self.slices) or self.slices[number + 1][0] != row
        x = 0.0
        columns = zip(self.rows[row], self.faces, self.widths, self._nodes(row), strict=True)
        for place, (cell, face, wide, node) in enumerate(columns):
            lines = self._lines(cell, face, wide)[first : first + MOST_LINES]
            if lines or not first:
                with canvas.tagged(node):
                    self._draw_cell(canvas, cell, lines, x, top, wide, place, marked=not first)
            x += wide
        if ends:
            with canvas.artefact():
                canvas.stroke(0, bottom, self.width, bottom, width=THIN, color=ROW_HAIR)
        return bottom

    def _draw_cell(
        self,
        canvas: Any,
        cell: Any,
        lines: Sequence[Line],
        x: float,
        top: float,
        wide: float,
        place: int,
        *,
        marked: bool,
    ) -> None:
        y = top - PAD * 0.75 - (self.leading + self.size * 0.7) / 2
        shift = 0.0
        if marked and isinstance(cell, Verdict) and cell.word in MARKED:
            mark = self.size * 0.95
            word = cell.word
            canvas.stamp(
                (word, mark),
                x,
                y - self.size * 0.12,
                lambda: draw_mark(canvas, word, x=0, y=0, size=mark),
            )
            shift = self.size * 1.25
        for line in lines:
            self._draw_cell_line(canvas, line, x + shift, y, wide - shift, place)
            y -= self.leading

    def _draw_cell_line(
        self,
        canvas: Any,
        line: Line,
        x: float,
        y: float,
        wide: float,
        place: int,
        size: float | None = None,
        color: tuple[float, float, float] = INK,
    ) -> None:
        last = place == len(self.columns) - 1
        room = wide if last else wide - GAP
        if self.align[place] == "r":
            room -= 0 if last else GAP
        draw_line(
            canvas,
            line,
            x=x,
            y=y,
            size=size or self.size,
            align=self.align[place],
            room=room,
            color=color,
        )


def _shared(natural: Sequence[float], least: Sequence[float], room: float) -> tuple[float, ...]:
    """Every column gets its least; what is left is shared by the root of what each would like,
    so that one long text does not starve the others."""
    low = [min(a, b) for a, b in zip(natural, least, strict=True)]
    if sum(low) >= room:
        return tuple(value * room / sum(low) for value in low)
    widths = list(low)
    open_ones = {i for i in range(len(widths)) if natural[i] > low[i]}
    left = room - sum(widths)
    while open_ones and left > 0.01:
        need = sum((natural[i] - widths[i]) ** 0.5 for i in open_ones)
        given = {i: left * (natural[i] - widths[i]) ** 0.5 / need for i in open_ones}
        full = {i for i in open_ones if widths[i] + given[i] >= natural[i]}
        for i in full or open_ones:
            step = natural[i] - widths[i] if full else given[i]
            widths[i] += step
            left -= step
        open_ones -= full or open_ones
    return tuple(widths)


def printed(table: PrintedTable, *, level: int = 3) -> list[Flowable]:
    """A method's table as flowables: title, grid, notes."""
    out: list[Flowable] = []
    if table.title:
        out.append(heading(table.title, level=level))
    out.append(Grid(table.columns, table.rows, align=table.align, title=table.title))
    out.extend(note(text, field=table.title) for text in table.notes)
    return out
