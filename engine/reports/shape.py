"""How a paper of ours is put together, held against a file that says it is one.

A signature proves who signed, not that what was signed is a paper of ours: a reader may show what
the checked files do not say. So everything that could hide a page, act by itself, attach another
file or draw over the signature block is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pikepdf

from . import glyphs, qr
from .page_text import page_text
from .style import PAGE_SIZES

Box = tuple[float, float, float, float]
_ROOT = {
    "Type", "Pages", "PageMode", "Outlines", "OutputIntents", "StructTreeRoot", "MarkInfo",
    "Version", "Metadata", "ViewerPreferences", "Lang", "Names", "AF", "AcroForm", "Perms", "Extensions",
}  # fmt: skip
_PAGE = {
    "Type", "Parent", "MediaBox", "Rotate", "Resources", "Contents", "Tabs", "StructParents",
    "Annots",
}  # fmt: skip
_FORM = {"Fields", "SigFlags", "DR"}
_DRAWN = {
    "q", "Q", "cm", "gs", "Do", "n", "re", "f", "f*", "rg", "BT", "ET", "Tm", "Tf", "Tj", "Td", "T*", "TL",
    "RG", "w", "g", "G",
}  # fmt: skip
_NEAR = 1.5
"""Points that a rectangle may be off by rounding."""


@dataclass(frozen=True)
class Stamp:
    """A signature as the page shows it: where, the words, and the code drawn in it (or None).

    ``odd`` says that something is drawn that no stamp of ours draws.
    """

    box: Box
    text: str
    code: qr.Matrix | None
    odd: bool

    @property
    def seen(self) -> bool:
        """Whether it takes any room."""
        return self.box[2] > self.box[0] and self.box[3] > self.box[1]


def oddities(pdf: pikepdf.Pdf, attached: tuple[str, ...]) -> Iterator[str]:
    """What a file has that no paper of ours has, in the words of the file format."""
    yield from _others(pdf.Root, _ROOT)
    yield from _others(pdf.Root.get("/AcroForm", {}), _FORM)
    yield from _others(pdf.Root.Pages, {"Type", "Kids", "Count"})
    names = pdf.Root.get("/Names", {})
    yield from _others(names, {"EmbeddedFiles"})
    yield from _files(pdf, names, attached)
    sizes = [(round(w), round(h)) for w, h in PAGE_SIZES.values()]
    for page in pdf.pages:
        yield from _others(page.obj, _PAGE)
        if not isinstance(page.obj.get("/Contents"), pikepdf.Stream):
            yield "Contents in pieces"
        left, low, right, high = (float(value) for value in page.obj.MediaBox)
        if (left, low) != (0, 0) or (round(right), round(high)) not in sizes:
            yield "MediaBox"
        if int(page.obj.get("/Rotate", 0)):
            yield "Rotate"
        for annotation in page.obj.get("/Annots", ()):
            kind, field = str(annotation.get("/Subtype", "")), str(annotation.get("/FT", ""))
            if (kind, field) != ("/Widget", "/Sig"):
                yield kind.removeprefix("/") or "unnamed"
            elif "/A" in annotation or "/AA" in annotation:
                yield "AA"


def _others(found: Any, known: set[str]) -> Iterator[str]:
    yield from (
        key.removeprefix("/") for key in map(str, found) if key.removeprefix("/") not in known
    )


def _files(pdf: pikepdf.Pdf, names: Any, attached: tuple[str, ...]) -> Iterator[str]:
    """Each file once, under one name, in the list of files and in that of related files."""
    entries = list(names.get("/EmbeddedFiles", {}).get("/Names", ()))
    listed = [str(name) for name in entries[::2]]
    yield from (f"file {name}" for name in listed if name not in attached)
    if len(set(listed)) != len(listed):
        yield "a file twice"
    related = pdf.Root.get("/AF", ())
    if {spec.objgen for spec in related} != {spec.objgen for spec in entries[1::2]}:
        yield "AF"
    for name, spec in zip(listed, entries[1::2], strict=True):
        told = {str(spec.get(key, name)) for key in ("/F", "/UF")}
        streams = {spec.EF.get(key).objgen for key in ("/F", "/UF") if key in spec.EF}
        if told != {name} or len(streams) != 1:
            yield f"file {name} under two names"


def stamps(pdf: pikepdf.Pdf) -> dict[str, Stamp]:
    """The signature fields of page 1 by name, as the page shows them."""
    found = {}
    for field in pdf.pages[0].obj.get("/Annots", ()):
        if str(field.get("/FT", "")) == "/Sig":
            found[str(field.get("/T", ""))] = _stamp(field)
    return found


def _stamp(field: Any) -> Stamp:
    left, low, right, high = (float(value) for value in field.Rect)
    box = (min(left, right), min(low, high), max(left, right), max(low, high))
    look = field.get("/AP", {}).get("/N")
    if look is None:
        return Stamp(box, "", None, False)
    texts: list[str] = []
    cells: list[Box] = []
    odd = _read(look, texts, cells, depth=0)
    odd |= not glyphs.all_ours([look.get("/Resources", {})])
    code = qr.read_back(cells) if cells else None
    return Stamp(box, "".join(texts), code, odd)


def _read(form: Any, texts: list[str], cells: list[Box], *, depth: int) -> bool:
    """Words and black rectangles of a drawing; true where it draws what no stamp of ours does."""
    texts.append(page_text(form, form.get("/Resources", {})))
    black, white, odd = False, False, depth > 2
    pending: list[Box] = []
    for operands, operator in pikepdf.parse_content_stream(form):
        word = str(operator)
        if word not in _DRAWN:
            odd = True
        elif word == "rg":
            shade = [float(value) for value in operands]
            black, white = shade == [0, 0, 0], shade == [1, 1, 1]
        elif word == "re":
            x, y, width, height = (float(value) for value in operands)
            pending.append((x, y, width, height))
        elif word in ("f", "f*"):
            if black:
                cells += pending
            elif not white or cells:  # white over the code, or any other colour, hides
                odd = True
            pending = []
        elif word == "Do":
            inner = form.Resources.XObject[str(operands[0])]
            if str(inner.get("/Subtype")) != "/Form":
                return True
            odd |= depth > 2 or _read(inner, texts, cells, depth=depth + 1)
    return odd


def within(box: Box, place: Box) -> bool:
    """Whether a rectangle lies in its place."""
    return (
        box[0] >= place[0] - _NEAR
        and box[1] >= place[1] - _NEAR
        and box[2] <= place[2] + _NEAR
        and box[3] <= place[3] + _NEAR
    )
