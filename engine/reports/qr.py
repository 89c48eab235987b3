"""The QR code of the certificate, as rectangles, and back again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import segno

from .style import BLACK

UNSIGNED = "unsigned"
LEAST, MOST = 21, 177
"""Cells along a side of the smallest and the largest code."""
Matrix = tuple[tuple[bool, ...], ...]


def payload(*, number: str, result_sha256: str, fingerprint: str | None) -> str:
    """What the code says: certificate number / SHA-256 of result.json / first 16 hex digits of
    the signing key's fingerprint, or ``unsigned``.

    Examples
    --------
    >>> payload(number="EAO-2026-0015", result_sha256="ab" * 32, fingerprint=None)[:20]
    'EAO-2026-0015/ababab'
    """
    return f"{number}/{result_sha256}/{fingerprint[:16].lower() if fingerprint else UNSIGNED}"


@lru_cache(maxsize=32)
def matrix(text: str) -> Matrix:
    """The dark modules of a text's code, error level M, without the quiet zone."""
    code = segno.make(text, error="m", boost_error=False, micro=False)
    return tuple(tuple(bool(cell) for cell in row) for row in code.matrix)


def draw(canvas: Any, text: str, *, x: float, y: float, side: float) -> None:
    """Draw the code with its lower left corner at ``x``, ``y``; dark cells fill ``side`` points.

    Runs of dark cells in a row are one rectangle, so that no hairline shows between cells.
    """
    cells = matrix(text)
    unit = side / len(cells)
    canvas.setFillColorRGB(*BLACK)
    for number, row in enumerate(cells):
        start = 0
        while start < len(row):
            if not row[start]:
                start += 1
                continue
            end = start
            while end < len(row) and row[end]:
                end += 1
            canvas.rect(
                x + start * unit,
                y + side - (number + 1) * unit,
                (end - start) * unit,
                unit,
                stroke=0,
                fill=1,
            )
            start = end


def read_back(rectangles: Iterable[tuple[float, float, float, float]]) -> Matrix:
    """The code that a list of drawn rectangles (x, y, width, height) shows.

    Raises
    ------
    ValueError
        Where they are of no QR code's size; a hostile file could else ask for endless work.
    """
    found = list(rectangles)
    unit = min(height for _, _, _, height in found)
    left = min(x for x, _, _, _ in found)
    top = max(y + height for _, y, _, height in found)
    size = round((max(x + width for x, _, width, _ in found) - left) / unit)
    if not LEAST <= size <= MOST or len(found) > MOST * MOST:
        raise ValueError("these rectangles are no QR code")
    grid = [[False] * size for _ in range(size)]
    for x, y, width, height in found:
        row = round((top - y - height) / unit)
        first = round((x - left) / unit)
        if not 0 <= row < size or first + round(width / unit) > size:
            raise ValueError("these rectangles are no QR code")
        for column in range(first, first + round(width / unit)):
            grid[row][column] = True
    return tuple(tuple(row) for row in grid)
