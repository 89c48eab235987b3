"""Pages as they are painted: words that nobody sees, and what is painted over words.

Checking reads the words that pages draw. Whoever wants to show others could draw the true words
where none sees them and his own in their place, so every way of drawing that hides is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pikepdf

from .page_text import page_text

_KNOWN = {
    "q", "Q", "cm", "w", "J", "j", "d", "RG", "rg", "m", "l", "c", "h", "re", "n", "S", "f*", "B*",
    "BT", "ET", "Tm", "Tf", "TL", "T*", "Tj", "BDC", "EMC", "Do",
}  # fmt: skip
_NUMBER = {"q", "Q", "cm", "rg", "w", "J", "j", "BT", "ET", "Tm", "Tf", "TL", "Tj", "T*"}
_FILLS = {"f*", "B*"}
_DARK = 0.6
"""Text of ours is never lighter than this."""
_SMALLEST = 1.5
_UNIT = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
Matrix = tuple[float, float, float, float, float, float]


def _times(a: Matrix, b: Matrix) -> Matrix:
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    return x * matrix[0] + y * matrix[2] + matrix[4], x * matrix[1] + y * matrix[3] + matrix[5]


def tricks(page: Any) -> Iterator[str]:
    """Ways in which a page hides words, in words.

    Parameters
    ----------
    page : pikepdf.Page
        A page of a file that says it is a paper of ours.
    """
    _, _, right, high = (float(value) for value in page.obj.MediaBox)
    for form in page.obj.Resources.get("/XObject", {}).values():
        if str(form.get("/Subtype")) != "/Form":
            yield "a picture"
        elif not _a_number(form):
            yield "a drawing on a page"
    words: list[tuple[float, float]] = []
    kept: list[tuple[Matrix, list[float]]] = []
    matrix, colour, place = _UNIT, [0.0], _UNIT
    size = 10.0
    corners: list[tuple[float, float]] = []
    for operands, operator in pikepdf.parse_content_stream(page):
        word = str(operator)
        if word not in _KNOWN:
            yield f"operator {word}"
        elif word == "q":
            kept.append((matrix, colour))
        elif word == "Q":
            matrix, colour = kept.pop()
        elif word == "cm":
            matrix = _times(_six(operands), matrix)
        elif word == "rg":
            colour = [float(value) for value in operands]
        elif word == "Tf":
            size = float(operands[1])
        elif word == "Tm":
            place = _times(_six(operands), matrix)
        elif word == "Tj":
            x, y = _at(place, 0, size / 4)
            if min(colour) > _DARK or size * abs(place[3]) < _SMALLEST:
                yield "words that nobody sees"
            if not (0 <= x <= right and 0 <= y <= high):
                yield "words beside the page"
            # Its beginning and about its middle: widths are not read here.
            half = size * place[0] * 0.25 * sum(len(bytes(piece)) for piece in operands)
            words += [(x, y), (x + half, y)]
        elif word == "re":
            x, y, width, height = (float(value) for value in operands)
            corners += [_at(matrix, x, y), _at(matrix, x + width, y + height)]
        elif word in ("m", "l"):
            corners.append(_at(matrix, *(float(value) for value in operands)))
        elif word in _FILLS:
            if corners and _covers(corners, words):
                yield "something painted over words"
            corners = []
        elif word in ("S", "n"):
            corners = []


def _a_number(form: Any) -> bool:
    """Whether a drawing that a page calls is the one that ours have: the number of pages."""
    if len(form.get("/Resources", {}).get("/XObject", {})):
        return False
    parts = list(pikepdf.parse_content_stream(form))
    known = all(str(operator) in _NUMBER for _, operator in parts)
    return known and page_text(form, form.Resources).isdigit()


def _six(operands: Any) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in operands)
    return a, b, c, d, e, f


def _covers(corners: list[tuple[float, float]], words: list[tuple[float, float]]) -> bool:
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    low, high = min(y for _, y in corners), max(y for _, y in corners)
    return any(left < x < right and low < y < high for x, y in words)
