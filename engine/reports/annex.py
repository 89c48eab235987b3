"""A part of the case as a paper of its own: the governance sheet, to be handed to its owners."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any, Literal

from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

from . import fonts
from .archive import Metadata
from .certificate import write_archive
from .parts import Part, flowables
from .style import INK, LABEL, Sheet
from .tags import Node, TaggedCanvas
from .textflow import Block


def build(
    *,
    part: Part,
    head: str,
    organisation: str,
    day: date | None = None,
    page_size: Literal["A4", "Letter"] = "A4",
) -> bytes:
    """Build the PDF of one part.

    Parameters
    ----------
    part : Part
        Its title becomes the document's.
    head : str
        What stands at the head of every page, such as system and number.
    organisation : str
        The office, for the file's metadata.
    day : date, optional
        From the case, never from a clock.
    page_size : str
        ``A4`` or ``Letter``.

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
    inner = Frame(sheet.left, 62, sheet.width, sheet.page_height - 62 - 76, 0, 0, 0, 0, id="annex")
    fonts.runs(head, fonts.SANS, "annex")
    running = partial(_running, sheet=sheet, head=head)

    def template(document: BaseDocTemplate) -> None:
        document.addPageTemplates([PageTemplate("page", [inner], onPage=running)])

    return write_archive(
        flowables(part, width=sheet.width),
        sheet=sheet,
        templates=template,
        root=Node("Document"),
        metadata=Metadata(title=part.title, author=organisation, subject=head, day=day),
    )


def _running(canvas: TaggedCanvas, _: Any, *, sheet: Sheet, head: str) -> None:
    top = sheet.page_height - 68.3
    with canvas.artefact("Pagination"):
        canvas.setStrokeColorRGB(*INK)
        canvas.setLineWidth(1.5)
        canvas.line(sheet.left, top, sheet.right, top)
        size = 8.0
        while size > 4 and fonts.width(head, fonts.SANS, size) > sheet.width:
            size -= 0.5
        block = Block.of(
            head, face=fonts.SANS, size=size, leading=10, room=sheet.width, color=LABEL
        )
        block.draw(canvas, x=sheet.left, top=top + 16)
        canvas.draw_page_number(x=sheet.right - 56, y=42, size=8, color=LABEL)
