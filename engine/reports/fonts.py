"""The faces of the paper, and the check that every character can be drawn with them.

A missing glyph can vanish in silence and still pass PDF/A. So a text is cut into runs before it
is drawn: the face that was asked for where it has the character, DejaVu Sans where it has not,
and a refusal that names the character where neither has it.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from engine.base.problems import Problem, Refused
from engine.messages import say

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "fonts"

SERIF = "PlexSerif-Medium"
SERIF_TEXT = "PlexSerif"
SERIF_BOLD = "PlexSerif-SemiBold"
SANS = "PlexSans"
SANS_MEDIUM = "PlexSans-Medium"
SANS_BOLD = "PlexSans-SemiBold"
MONO = "PlexMono"
STAND_IN = "DejaVuSans"
STAND_IN_BOLD = "DejaVuSans-Bold"

_FILES = {
    SERIF: "IBMPlexSerif-Medium.ttf",
    SERIF_TEXT: "IBMPlexSerif-Regular.ttf",
    SERIF_BOLD: "IBMPlexSerif-SemiBold.ttf",
    SANS: "IBMPlexSans-Regular.ttf",
    SANS_MEDIUM: "IBMPlexSans-Medium.ttf",
    SANS_BOLD: "IBMPlexSans-SemiBold.ttf",
    MONO: "IBMPlexMono-Regular.ttf",
    STAND_IN: "DejaVuSans.ttf",
    STAND_IN_BOLD: "DejaVuSans-Bold.ttf",
}
_BOLD = {SERIF, SERIF_BOLD, SANS_BOLD}

Run = tuple[str, str]
"""A face's name and the text that is drawn with it."""


@cache
def register() -> None:
    """Make the faces known to reportlab; safe to call again."""
    for name, file in _FILES.items():
        pdfmetrics.registerFont(TTFont(name, str(FOLDER / file)))


@cache
def _glyphs(face: str) -> frozenset[int]:
    register()
    mapping: dict[int, int] = pdfmetrics.getFont(face).face.charToGlyph
    return frozenset(code for code, glyph in mapping.items() if glyph)


def cleaned(text: str) -> str:
    """A text as it can be set: composed characters, every white space a blank, no invisible marks.

    Examples
    --------
    >>> cleaned("a\\tb\\u200b")
    'a b'
    """
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", text)
    out = []
    for char in composed:
        kind = unicodedata.category(char)
        if kind in ("Zl", "Zp") or char in "\t\n\r\v\f":
            out.append(" ")
        elif kind != "Cf":
            out.append(char)
    return "".join(out)


@lru_cache(maxsize=65536)
def runs(text: str, face: str, field: str = "") -> tuple[Run, ...]:
    """Cut a text into runs of one face each.

    Parameters
    ----------
    text : str
    face : str
        One of the faces of this module.
    field : str
        What the text is, for the refusal: ``provider``, ``group``.

    Raises
    ------
    Refused
        For a character that neither the face nor DejaVu Sans can draw, and for scripts that run
        from right to left, which this paper cannot set in the right order.
    """
    text = cleaned(text)
    own = _glyphs(face)
    if text.isascii() and all(ord(char) in own for char in text):
        return ((face, text),) if text else ()
    stand_in = STAND_IN_BOLD if face in _BOLD else STAND_IN
    found: list[list[str]] = []
    for char in text:
        code = ord(char)
        if unicodedata.bidirectional(char) in ("R", "AL", "AN"):
            raise _unprintable(char, field, "reports.right_to_left")
        if code in own:
            use = face
        elif code in _glyphs(stand_in):
            use = stand_in
        elif code in _glyphs(STAND_IN):
            use = STAND_IN
        else:
            raise _unprintable(char, field, "reports.no_glyph")
        if found and (found[-1][0] == use):
            found[-1][1] += char
        else:
            found.append([use, char])
    return tuple((use, part) for use, part in found)


def _unprintable(char: str, field: str, code: str) -> Refused:
    text = say(code, char=char, point=f"U+{ord(char):04X}")
    return Refused(Problem("certificate", field or "text", text))


@lru_cache(maxsize=65536)
def width(text: str, face: str, size: float, field: str = "") -> float:
    """Width of a text in points, set in its runs."""
    return float(
        sum(pdfmetrics.stringWidth(part, use, size) for use, part in runs(text, face, field))
    )
