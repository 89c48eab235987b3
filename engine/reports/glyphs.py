"""Fonts inside a paper, held against the faces that papers are set in.

Checking reads words by the table that a font brings along for readers. A font whose letters look
otherwise, or whose table names other letters, would show what nobody checks: so each letter must
have the outline and the width that our own face gives it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pikepdf
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from . import fonts
from .page_text import letters_of

_FONT = {
    "BaseFont", "FirstChar", "FontDescriptor", "LastChar", "Name", "Subtype", "ToUnicode", "Type",
    "Widths",
}  # fmt: skip
_MOST_UNITS = 2
"""Thousandths of the size that a stated width may be off by rounding."""


def foreign(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Fonts of the pages that do not draw what they say, in words."""
    if not all_ours(page.obj.get("/Resources", {}) for page in pdf.pages):
        yield "a font whose letters are not those of its name"


def all_ours(held: Iterable[Any]) -> bool:
    """Whether every font of some resources, and of the drawings in them, is one of ours."""
    return all(_ours(font) for font in _within(held, set(), depth=0))


def _within(held: Iterable[Any], seen: set[tuple[int, int]], *, depth: int) -> Iterator[Any]:
    for resources in held:
        for font in resources.get("/Font", {}).values():
            if font.objgen == (0, 0) or font.objgen not in seen:
                seen.add(font.objgen)
                yield font
        for form in resources.get("/XObject", {}).values():
            if form.objgen not in seen and depth < 5:
                seen.add(form.objgen)
                yield from _within([form.get("/Resources", {})], seen, depth=depth + 1)


def _ours(font: Any) -> bool:
    if str(font.get("/Subtype")) != "/TrueType" or any(
        key.removeprefix("/") not in _FONT for key in map(str, font.keys())
    ):
        return False
    face = str(font.BaseFont).partition("+")[2]
    own = _face(face)
    descriptor = font.FontDescriptor
    if own is None or "/FontFile2" not in descriptor:
        return False
    inside = TTFont(io.BytesIO(descriptor.FontFile2.read_bytes()), lazy=True)
    table = inside["cmap"].getcmap(1, 0)
    codes = letters_of(font)
    if table is None or len(inside["cmap"].tables) != 1:
        return False
    own_glyphs, own_cmap = own.getGlyphSet(), own.getBestCmap()
    glyphs = inside.getGlyphSet()
    scale = 1000 / own["head"].unitsPerEm
    if inside["head"].unitsPerEm != own["head"].unitsPerEm:
        return False
    first, widths = int(font.FirstChar), [float(width) for width in font.Widths]
    for code, letter in codes.items():
        mine, theirs = own_cmap.get(ord(letter)) if len(letter) == 1 else None, table.cmap.get(code)
        if mine is None:  # a code that no text uses
            continue
        if theirs is None or _drawn(glyphs, theirs) != _drawn(own_glyphs, mine):
            return False
        if abs(widths[code - first] - own_glyphs[mine].width * scale) > _MOST_UNITS:
            return False
    return True


def _drawn(glyphs: Any, name: str) -> list[Any]:
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    return list(pen.value)


@cache
def _face(name: str) -> TTFont | None:
    """Our own face of a PostScript name."""
    for path in sorted(fonts.FOLDER.glob("*.ttf")):
        found = TTFont(io.BytesIO(path.read_bytes()), lazy=True)
        if found["name"].getDebugName(6) == name:
            return found
    return None
