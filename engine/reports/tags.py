"""Tags of a PDF: marked content while drawing, and the tree of what it means.

Open reportlab has no tagging of its own. :class:`TaggedCanvas` writes the marked content;
:mod:`engine.reports.archive` turns the :class:`Node` tree into the file's structure tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from . import fonts

TOTAL = "fairassay-total-pages"
KEPT = 20_000
"""Texts whose codes are kept."""
Color = tuple[float, float, float]
_HEADING = re.compile("H[1-6]")


@cache
def _color(color: Color) -> str:
    return " ".join(f"{part:.4g}" for part in color)


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
        self._heading = 0
        self._open = 0
        self._texts: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._stamps: dict[Hashable, str] = {}
        self._totals: dict[float, Color] = {}

    def show(
        self, runs: Iterable[tuple[str, str]], *, x: float, y: float, size: float, color: Color
    ) -> None:
        """Draw runs of text from a baseline's start.

        Written straight into the page: reportlab's text objects format every number in Python,
        which is most of the time of a long table. A run's codes never change within a document,
        so they are kept.
        """
        code = [f"BT 1 0 0 1 {x:.2f} {y:.2f} Tm {_color(color)} rg"]
        for face, text in runs:
            for name, escaped in self._coded(face, text):
                code.append(f"{name} {size:g} Tf ({escaped}) Tj")
        code.append("ET")
        self._code.append(" ".join(code))

    def _coded(self, face: str, text: str) -> list[tuple[str, str]]:
        key = (face, text)
        found = self._texts.get(key)
        if found is None:
            font = pdfmetrics.getFont(face)
            found = [
                (font.getSubsetInternalName(subset, self._doc), self._escape(part))
                for subset, part in font.splitString(text, self._doc)
            ]
            if len(self._texts) < KEPT:
                self._texts[key] = found
        return found

    def stroke(
        self, x0: float, y0: float, x1: float, y1: float, *, width: float, color: Color
    ) -> None:
        """Draw a line."""
        self._code.append(
            f"{_color(color)} RG {width:g} w {x0:.2f} {y0:.2f} m {x1:.2f} {y1:.2f} l S"
        )

    def stamp(self, key: Hashable, x: float, y: float, paint: Callable[[], None]) -> None:
        """Draw at ``x``, ``y`` what ``paint`` draws at the origin; painted once, then repeated."""
        if key not in self._stamps:
            kept: list[str] = self._code
            self._code: list[str] = []
            paint()
            self._stamps[key] = " ".join(self._code)
            self._code = kept
        self._code.append(f"q 1 0 0 1 {x:.2f} {y:.2f} cm {self._stamps[key]} Q")

    @contextmanager
    def tagged(self, node: Node) -> Iterator[None]:
        """Everything drawn within belongs to ``node``."""
        top = node
        while top.parent is not None:
            top = top.parent
        if top is not self.root:
            top.parent = self.root
        if not node.attached and _HEADING.fullmatch(node.kind):
            # No level is left out on the way down, whatever a section begins with.
            self._heading = min(int(node.kind[1]), self._heading + 1)
            node.kind = f"H{self._heading}"
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
        self._totals[size] = color

    def save(self) -> None:
        """Draw the number of pages where it was left open, and write the file."""
        if self._code:
            self.showPage()
        for size, color in self._totals.items():
            self.beginForm(f"{TOTAL}-{size:g}", 0, -size, 10 * size, 2 * size)
            self.setFillColorRGB(*color)
            self.setFont(fonts.SANS, size)
            self.drawString(0, 0, str(self.page_count))
            self.endForm()
        self._code.clear()
        super().save()
