"""Measures of the paper, from the look: points from the lower left, colours, page sizes."""

from __future__ import annotations

from dataclasses import dataclass

from reportlab.lib.pagesizes import A4, LETTER

MM = 72 / 25.4
INK = (0x14 / 255, 0x18 / 255, 0x1D / 255)
LABEL = (0x3F / 255, 0x47 / 255, 0x4F / 255)
BLACK = (0.0, 0.0, 0.0)
WHITE = (1.0, 1.0, 1.0)
HAIR = (0.62, 0.62, 0.62)
ROW_HAIR = (0.8, 0.8, 0.8)
BAND = (0.93, 0.93, 0.93)
THIN = 0.5
RULE = 0.75
HEAVY = 1.5
COLUMN = 52.4 * MM
GAP = 6.3 * MM
SIDE = 20 * MM
QR_SIDE = 30 * MM

PAGE_SIZES: dict[str, tuple[float, float]] = {"A4": A4, "Letter": LETTER}


@dataclass(frozen=True)
class Sheet:
    """A page and its text area.

    Examples
    --------
    >>> round(Sheet.of("A4").width / MM, 1)
    170.0
    """

    name: str
    page_width: float
    page_height: float

    @classmethod
    def of(cls, name: str) -> Sheet:
        """The sheet of a page size, ``A4`` or ``Letter``."""
        page_width, page_height = PAGE_SIZES[name]
        return cls(name, page_width, page_height)

    @property
    def left(self) -> float:
        """Left edge of the text."""
        return SIDE

    @property
    def right(self) -> float:
        """Right edge of the text."""
        return self.page_width - SIDE

    @property
    def width(self) -> float:
        """Width of the text."""
        return self.page_width - 2 * SIDE

    def columns(self) -> tuple[float, float, float]:
        """Left edges of the three columns; their gap takes what Letter adds."""
        step = (self.width - COLUMN) / 2
        return self.left, self.left + step, self.left + 2 * step
