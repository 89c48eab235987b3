"""Tags of a PDF: marked content while drawing, and the tree of what it means.

Open reportlab has no tagging of its own. :class:`TaggedCanvas` writes the marked content;
:mod:`engine.reports.archive` turns the :class:`Node` tree into the file's structure tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from . import fonts

TOTAL = "fairassay-total-pages"


@dataclass(eq=False, slots=True)
class Node:
    """A structure element; it joins its parent when it is first drawn, so that the tree is in
    the order of reading.

    ``kids`` holds nodes, ``(page, mcid)`` pairs and, for form fields, ``("field", name)``.
    """

    kind: str
    parent: Node | None = None
    alt: str = ""
    scope: str = ""
    bbox: tuple[float, float, float, float] | None = None
    ident: str = ""
    kids: list[Any] = field(default_factory=list)
    attached: bool = False

    def attach(self) -> None:
        """Join the parent, and it its own, in the order of drawing."""
        if self.attached or self.parent is None:
            return
        self.parent.attach()
        self.parent.kids.append(self)
        self.attached = True


class TaggedCanvas(Canvas):  # type: ignore[misc]
    """A canvas that marks what it draws, and knows the number of pages at the end.

    Parameters
    ----------
    root : Node
        The document element.
    """

    def __init__(self, *args: Any, root: Node, **kwargs: Any) -> None:
        fonts.register()
        kwargs["initialFontName"] = fonts.SANS
        kwargs["initialFontSize"] = 10
        super().__init__(*args, **kwargs)
        self.root = root
        self.page_count = 0
        self._mcid = 0
        self._bookmarks = 0
        self._level = -1
        self._open = 0

    @contextmanager
    def tagged(self, node: Node) -> Iterator[None]:
        """Everything drawn within belongs to ``node``."""
        top = node
        while top.parent is not None:
            top = top.parent
        if top is not self.root:
            top.parent = self.root
        node.attach()
        node.kids.append((self._pageNumber, self._mcid))
        self._code.append(f"/{node.kind} <</MCID {self._mcid}>> BDC")
        self._mcid += 1
        self._open += 1
        yield
        self._open -= 1
        self._code.append("EMC")

    @contextmanager
    def artefact(self, kind: str = "Layout") -> Iterator[None]:
        """What is drawn within carries no meaning: rules, running heads, repeated table heads."""
        if self._open:  # inside a tag it is decoration of it, and stays with it
            yield
            return
        self._code.append(f"/Artifact <</Type /{kind}>> BDC")
        self._open += 1
        yield
        self._open -= 1
        self._code.append("EMC")

    def outline(self, title: str, level: int) -> None:
        """Add a bookmark to this place, at most one level below the last."""
        level = self._level = min(level, self._level + 1)
        self._bookmarks += 1
        key = f"b{self._bookmarks}"
        self.bookmarkPage(key)
        self.addOutlineEntry(fonts.cleaned(title), key, level, 0)

    def showPage(self) -> None:
        """End the page; marked content counts from 0 on each."""
        self.page_count = self._pageNumber
        super().showPage()
        self._mcid = 0

    def draw_page_number(
        self, *, x: float, y: float, size: float, color: tuple[float, float, float]
    ) -> None:
        """Draw ``Page x of y``; y is filled in when the last page is known."""
        head = f"Page {self._pageNumber} of "
        self.setFillColorRGB(*color)
        self.setFont(fonts.SANS, size)
        self.drawString(x, y, head)
        self.saveState()
        self.translate(x + fonts.width(head, fonts.SANS, size), y)
        self.doForm(f"{TOTAL}-{size:g}")
        self.restoreState()
        self._totals = getattr(self, "_totals", {}) | {size: color}

    def save(self) -> None:
        """Draw the number of pages where it was left open, and write the file."""
        if self._code:
            self.showPage()
        for size, color in getattr(self, "_totals", {}).items():
            self.beginForm(f"{TOTAL}-{size:g}", 0, -size, 10 * size, 2 * size)
            self.setFillColorRGB(*color)
            self.setFont(fonts.SANS, size)
            self.drawString(0, 0, str(self.page_count))
            self.endForm()
        self._code.clear()
        super().save()
