"""The watch-out list: an overview, and a page a person for those who will look again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate
from reportlab.platypus.doctemplate import PageBreak
from reportlab.platypus.flowables import Flowable

from engine.messages import say
from engine.methods.base import PrintedTable

from . import fonts
from .archive import Metadata
from .certificate import write_archive
from .facts import Kind
from .flow import Text, note, paragraph
from .marks import draw_mark
from .parts import chart_flowables, figure
from .style import INK, LABEL, RULE, Sheet
from .tables import MARKED, Grid
from .tags import Node, TaggedCanvas
from .textflow import Block

if TYPE_CHECKING:
    from engine.methods.peers.watchout import PersonPage, Reading, Watchout

BETWEEN = 18.0
HEAD, FOOT = 76, 62
"""Points above and below what is printed."""
CLOSE = 72
"""Points that the figure of a person takes where the page is full; 118 elsewhere."""


def build(
    *,
    watchout: Watchout,
    number: str,
    organisation: str,
    kind: Kind | None = None,
    day: date | None = None,
    page_size: Literal["A4", "Letter"] = "A4",
    listing: PrintedTable | None = None,
    overview: bool = True,
) -> bytes:
    """Build the watch-out list's PDF: an annex that is never part of the certificate itself.

    Parameters
    ----------
    watchout : Watchout
        From :func:`engine.methods.peers.watchout.watchout`.
    number, organisation : str
        Of the paper to which this is an annex.
    kind : str, optional
        ``certificate``, ``statement`` or ``request``: what it is an annex to. None while nothing
        is decided, when there is no such paper yet.
    day : date, optional
        For the file's own dates; from the case, never from a clock.
    page_size : str
        ``A4`` or ``Letter``.
    listing : PrintedTable, optional
        One row a person, of any length, after the overview.
    overview : bool
        False prints the people's pages alone.

    Returns
    -------
    bytes
        PDF/A-3b; the same bytes for the same inputs.

    Raises
    ------
    Refused
        For a character that cannot be printed.
    """
    fonts.register()
    sheet = Sheet.of(page_size)
    story = _overview(watchout, sheet.width) if overview or not watchout.people else []
    if listing is not None:
        story.append(_head(listing.title))
        story.append(
            Grid(listing.columns, listing.rows, align=listing.align, title=listing.title, size=8)
        )
        story += [note(text) for text in listing.notes]
    for person in watchout.people:
        page = _on_one_sheet(person, sheet.width, sheet.page_height - FOOT - HEAD)
        story += [*([PageBreak()] if story else []), *page]
    root = Node("Document")
    inner = Frame(
        sheet.left, FOOT, sheet.width, sheet.page_height - FOOT - HEAD, 0, 0, 0, 0, id="watchout"
    )
    head = say(
        "reports.annex",
        kind=say(f"reports.annex_to_{kind or 'audit'}"),
        number=number or say("reports.annex_no_number"),
        office=organisation or say("reports.annex_no_office"),
    )
    fonts.runs(head, fonts.SANS, "annex")
    running = partial(_running, sheet=sheet, head=head)

    def template(document: BaseDocTemplate) -> None:
        document.addPageTemplates([PageTemplate("page", [inner], onPage=running)])

    return write_archive(
        story,
        sheet=sheet,
        templates=template,
        root=root,
        metadata=Metadata(
            title=f"{watchout.title} {number}".strip(),
            author=organisation,
            subject=say("reports.accuses_nobody"),
            day=day,
        ),
    )


def _overview(watchout: Watchout, width: float) -> list[Flowable]:
    out: list[Flowable] = [_title(watchout.title), paragraph(watchout.intro, after=8)]
    if watchout.overview is not None:
        table = watchout.overview
        out.append(_head(table.title))
        out.append(Grid(table.columns, table.rows, align=table.align, title=table.title))
        out += [note(text) for text in table.notes]
    if watchout.chart is not None:
        out += chart_flowables(watchout.chart, width=width)
    out += [paragraph(text) for text in watchout.notes]
    return out


def _on_one_sheet(page: PersonPage, width: float, height: float) -> list[Flowable]:
    """A person's page in the fullest version that one sheet holds.

    First the figure and the tables are set closer, then fewer circumstances have a line of their
    own and the others are named below. What even the shortest version does not fit goes on.
    """
    full = (page.changeable, page.fixed)
    out = _person(page, full, width, close=False)
    for differs in (full, *page.shorter):
        if _high(out, width) <= height:
            break
        out = _person(page, differs, width, close=True)
    return out


def _high(story: Sequence[Flowable], width: float) -> float:
    """Height that flowables take one below the other, in a column without bounds.

    Of two spaces that meet the larger counts, but not above a heading, where a break may stand.
    """
    used = after = 0.0
    for item in story:
        before = item.getSpaceBefore()
        if not getattr(item, "keep", False):
            before = max(before - after, 0.0)
        after = item.getSpaceAfter()
        used += before + item.wrap(width, 0)[1] + after
    return used


def _person(
    page: PersonPage,
    differs: tuple[PrintedTable | None, PrintedTable | None],
    width: float,
    *,
    close: bool,
) -> list[Flowable]:
    """One person's page: in short, place, two readings, what differs, what to do, review."""
    before = 4 if close else 9
    out: list[Flowable] = [
        _title(say("reports.w_person", name=page.name)),
        Text(page.group, size=10.4, leading=14, color=LABEL, after=before, field="group"),
        InShort(page.in_short, close=close),
        _head(say("reports.w_place"), before=before),
        Text(page.place, size=10, leading=15, after=2),
        figure(page.chart, width=width, max_height=CLOSE if close else 118),
        Readings(page.readings),
    ]
    tables = [table for table in differs if table is not None]
    if tables:
        out.append(_head(say("reports.w_differs"), before=before))
    size = 8 if close else 9
    for table in tables:
        out.append(Grid(table.columns, table.rows, align=table.align, size=size, title=table.title))
        out += [note(text) for text in table.notes]
    if page.todo:
        out.append(_head(say("reports.w_todo"), before=before))
        out += [Tick(text, after=2 if close else 5) for text in page.todo]
    out.append(Review(page.accuses))
    return out


def _title(text: str) -> Text:
    return Text(text, face=fonts.SERIF, size=21, leading=27, after=3, kind="H1", level=0)


def _head(text: str, *, before: float = 9) -> Text:
    return Text(
        text,
        face=fonts.SANS_BOLD,
        size=11.5,
        leading=16,
        before=before,
        after=3,
        kind="H2",
        level=1,
        keep=True,
    )


class InShort(Flowable):  # type: ignore[misc]
    """The boxed summary with its heavy left edge."""

    def __init__(self, text: str, *, close: bool = False) -> None:
        super().__init__()
        self.text = text
        self.leading, self.pad = (13.0, 7) if close else (15.0, 10)
        self.spaceAfter = 8
        fonts.runs(text, fonts.SANS, "in short")

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Set the text within the box."""
        spans = [(say("reports.w_in_short") + " ", fonts.SANS_BOLD), (self.text, fonts.SANS)]
        self.block = Block.of(
            spans, face=fonts.SANS, size=10, leading=self.leading, room=width - 30
        )
        self.width, self.height = width, self.block.height + 2 * self.pad
        return self.width, self.height

    def draw(self) -> None:
        """Draw box and text."""
        canvas: Any = self.canv
        with canvas.artefact():
            canvas.setStrokeColorRGB(*INK)
            canvas.setFillColorRGB(*INK)
            canvas.setLineWidth(RULE)
            canvas.rect(0, 0, self.width, self.height)
            canvas.rect(0, 0, 3, self.height, stroke=0, fill=1)
        with canvas.tagged(Node("P")):
            self.block.draw(canvas, x=15, top=self.height - self.pad)


class Readings(Flowable):  # type: ignore[misc]
    """The two readings side by side, equal in size."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        super().__init__()
        self.readings = tuple(readings)
        self.spaceBefore, self.spaceAfter = 6, 4
        for reading in self.readings:
            fonts.runs(reading.text + reading.word + reading.title, fonts.SANS, "readings")

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Set both in half the width."""
        self.room = (width - BETWEEN) / 2
        self.blocks = []
        for reading in self.readings:
            shift = 15.0 if reading.word.lower() in MARKED else 0.0
            self.blocks.append(
                (
                    Block.of(reading.title, face=fonts.SANS, size=8, leading=13, room=self.room,
                             color=LABEL),
                    Block.of(_capital(reading.word), face=fonts.SANS_BOLD, size=10.4, leading=15,
                             room=self.room - shift),
                    Block.of(reading.text, face=fonts.SANS, size=9.4, leading=13.5,
                             room=self.room),
                )
            )  # fmt: skip
        self.width = width
        self.height = 4 + max(sum(block.height for block in blocks) for blocks in self.blocks)
        return self.width, self.height

    def draw(self) -> None:
        """Draw rule, title, verdict with its mark, text; one reading after the other."""
        canvas: Any = self.canv
        for place, (reading, blocks) in enumerate(zip(self.readings, self.blocks, strict=True)):
            x = place * (self.room + BETWEEN)
            with canvas.artefact():
                canvas.setStrokeColorRGB(*INK)
                canvas.setLineWidth(RULE)
                canvas.line(x, self.height, x + self.room, self.height)
            top = self.height - 3
            for number, block in enumerate(blocks):
                shift = 0.0
                if number == 1 and reading.word.lower() in MARKED:
                    shift = 15.0
                    with canvas.artefact():
                        draw_mark(canvas, reading.word.lower(), x=x, y=top - 12.5, size=10)
                with canvas.tagged(Node("P")):
                    top = block.draw(canvas, x=x + shift, top=top)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class Tick(Flowable):  # type: ignore[misc]
    """A thing to do, with a box to tick."""

    def __init__(self, text: str, *, after: float = 5) -> None:
        super().__init__()
        self.text = text
        self.spaceAfter = after
        fonts.runs(text, fonts.SANS, "what to do")

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Set the text beside the box."""
        self.block = Block.of(self.text, face=fonts.SANS, size=10, leading=14, room=width - 17)
        self.width, self.height = width, self.block.height
        return self.width, self.height

    def draw(self) -> None:
        """Draw box and text."""
        canvas: Any = self.canv
        with canvas.artefact():
            canvas.setStrokeColorRGB(*INK)
            canvas.setLineWidth(RULE)
            canvas.rect(0.4, self.height - 12, 9.6, 9.6)
        with canvas.tagged(Node("P")):
            self.block.draw(canvas, x=17, top=self.height)


class Review(Flowable):  # type: ignore[misc]
    """Lines for the result of the review, at the foot of the page where there is room."""

    def __init__(self, accuses: str) -> None:
        super().__init__()
        self.accuses = accuses
        self.spaceBefore = 6
        fonts.runs(accuses, fonts.SANS, "foot")

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Takes what is left of the page, and at least two lines."""
        self.block = Block.of(
            self.accuses, face=fonts.SANS, size=8, leading=11, room=width, color=LABEL
        )
        least = 40 + self.block.height
        self.width, self.height = width, max(least, min(height, 10_000.0) - 1)
        return self.width, self.height if height >= least else least

    def draw(self) -> None:
        """Draw the lines from the foot upwards."""
        canvas: Any = self.canv
        foot = self.block.height + 10
        split = self.width * 0.64
        with canvas.artefact():
            canvas.setStrokeColorRGB(*INK)
            canvas.setLineWidth(RULE)
            canvas.line(0, foot + 13, split, foot + 13)
            canvas.line(split + BETWEEN, foot + 13, self.width, foot + 13)
        for x, words in ((0.0, say("reports.w_result")), (split + BETWEEN, say("reports.w_who"))):
            with canvas.tagged(Node("P")):
                Block.of(words, face=fonts.SANS, size=8, leading=11, room=split, color=LABEL).draw(
                    canvas, x=x, top=foot + 11
                )
        with canvas.tagged(Node("P")):
            self.block.draw(canvas, x=0, top=self.block.height)


def _running(canvas: TaggedCanvas, _: Any, *, sheet: Sheet, head: str) -> None:
    top = sheet.page_height - 68.3
    with canvas.artefact("Pagination"):
        canvas.setStrokeColorRGB(*INK)
        canvas.setLineWidth(1.5)
        canvas.line(sheet.left, top, sheet.right, top)
        right = say("reports.confidential")
        wide = fonts.width(right, fonts.SANS, 8)
        size = 8.0
        while size > 4 and fonts.width(head, fonts.SANS, size) > sheet.width - wide - 12:
            size -= 0.5
        for text, x, points in (
            (head, sheet.left, size),
            (right, sheet.right - wide, 8.0),
        ):
            block = Block.of(
                text, face=fonts.SANS, size=points, leading=10, room=sheet.width, color=LABEL
            )
            block.draw(canvas, x=x, top=top + 16)
        canvas.draw_page_number(x=sheet.right - 56, y=42, size=8, color=LABEL)
