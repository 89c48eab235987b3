"""The words of a page as its content draws them, so that checking can hold them against the files."""

from __future__ import annotations

import re
from typing import Any

import pikepdf

_PAIR = re.compile(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>")
_BLOCK = re.compile(r"beginbfchar(.*?)endbfchar", re.DOTALL)


def squeezed(text: str) -> str:
    """A text without blanks: where lines break then makes no difference.

    Examples
    --------
    >>> squeezed("Valid until\\n26 November 2027")
    'Validuntil26November2027'
    """
    return "".join(text.split())


def page_text(page: Any, resources: Any = None) -> str:
    """The text that a page of ours draws, in the order of drawing, without blanks.

    Parameters
    ----------
    page : pikepdf.Page or pikepdf.Object
        A page, or a drawing with its ``resources``; drawn with one-byte fonts that name their
        characters, as reportlab subsets them. Drawings on a page are read with it.
    """
    inner = resources is None
    resources = page.obj.Resources if inner else resources
    letters = {str(name): letters_of(font) for name, font in resources.get("/Font", {}).items()}
    own: dict[int, str] = {}
    parts: list[str] = []
    for operands, operator in pikepdf.parse_content_stream(page):
        word = str(operator)
        if word == "Tf":
            own = letters.get(str(operands[0]), {})
        elif word in ("Tj", "TJ", "'", '"'):
            given = operands[-1]
            pieces = given if isinstance(given, pikepdf.Array) else [given]
            for piece in pieces:
                if isinstance(piece, pikepdf.String):
                    parts += [own.get(code, "") for code in bytes(piece)]
        elif word == "Do" and inner:
            form = resources.XObject[str(operands[0])]
            parts.append(page_text(form, form.get("/Resources", {})))
    return squeezed("".join(parts))


def letters_of(font: Any) -> dict[int, str]:
    """Code to character of a font, as its table for readers names them."""
    if "/ToUnicode" not in font:
        return {}
    table = font.ToUnicode.read_bytes().decode("latin-1")
    return {
        int(code, 16): bytes.fromhex(text).decode("utf-16-be", "replace")
        for block in _BLOCK.findall(table)
        for code, text in _PAIR.findall(block)
        if len(code) <= 4 and len(text) % 4 == 0
    }
