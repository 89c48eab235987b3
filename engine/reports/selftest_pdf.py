"""The self-test on paper: published figures, expected and found side by side."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any, Literal, Protocol

from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate
from reportlab.platypus.flowables import Flowable

from engine.messages import say

from . import fonts
from .archive import PROGRAM, Metadata
from .certificate import write_archive
from .flow import Text, heading, listed, paragraph
from .style import LABEL, Sheet
from .tables import Grid
from .tags import Node, TaggedCanvas


class Row(Protocol):
    """One figure of the self-test (:class:`engine.selftest.Row`)."""

    @property
    def what(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def found(self) -> str: ...
    @property
    def reproduced(self) -> bool: ...
    @property
    def note(self) -> str: ...


def build(
    *,
    rows: Sequence[Row],
    versions: Sequence[tuple[str, str]] = (),
    day: date | None = None,
    page_size: Literal["A4", "Letter"] = "A4",
) -> bytes:
    """Build the PDF of a self-test.

    Parameters
    ----------
    rows : sequence of Row
        What was recomputed.
    versions : sequence of (name, version)
        The program and what it computes with.
    day : date, optional
        The day of the test, where the caller names one.
    page_size : str
        ``A4`` or ``Letter``.

    Returns
    -------
    bytes
        PDF/A-3b.
    """
    sheet = Sheet.of(page_size)
    fonts.register()
    good = sum(row.reproduced for row in rows)
    verdict = (
        say("reports.s_all", n=len(rows))
        if good == len(rows)
        else say("reports.s_some", n=len(rows) - good, total=len(rows))
    )
    title = say("reports.s_title")
    story: list[Flowable] = [
        Text(title, face=fonts.SERIF, size=21, leading=27, after=4, kind="H1", level=0),
        paragraph([(verdict, fonts.SANS_BOLD)]),
        paragraph(say("reports.s_what")),
    ]
    if versions:
        story += [heading(say("reports.s_machine"), level=2)]
        story += listed([f"{name} {version}" for name, version in versions])
    failed = [row for row in rows if not row.reproduced]
    for name, part in ((say("reports.s_failed"), failed), (say("reports.s_table"), rows)):
        if part:
            story += [heading(name, level=2), _table(part, name)]
    notes = [row for row in rows if row.note]
    if notes:
        story += [heading(say("reports.s_notes"), level=2)]
        story += listed([f"{row.what} ({row.source}): {row.note}" for row in notes])
    inner = Frame(sheet.left, 56, sheet.width, sheet.page_height - 56 - 56, 0, 0, 0, 0, id="page")

    def template(document: BaseDocTemplate) -> None:
        running = partial(_running, sheet=sheet)
        document.addPageTemplates([PageTemplate("page", [inner], onPage=running)])

    return write_archive(
        story,
        sheet=sheet,
        templates=template,
        root=Node("Document"),
        metadata=Metadata(title=title, author=PROGRAM, subject=verdict, day=day),
    )


def _table(rows: Sequence[Row], title: str) -> Grid:
    cells = [
        (
            row.what,
            row.source,
            row.expected,
            row.found,
            say("reports.s_yes") if row.reproduced else say("reports.s_no"),
        )
        for row in rows
    ]
    heads = ("Figure", "Published in", "Expected", "Found", "Verdict")
    return Grid(heads, cells, align="llrrl", widths=(38, 22, 13, 13, 14), size=8, title=title)


def _running(canvas: TaggedCanvas, _: Any, *, sheet: Sheet) -> None:
    with canvas.artefact("Pagination"):
        canvas.draw_page_number(x=sheet.right - 56, y=36, size=8, color=LABEL)
