"""Fingerprints of what a paper shows, laid into it when it is printed.

certificate.json holds one of each page and one of what goes with the pages: bookmarks, what
screen readers say, title and properties. Whoever paints on a page before signing it again leaves
a paper that contradicts itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import pikepdf

_DEEPEST = 12


def pages(pdf: pikepdf.Pdf) -> list[str]:
    """SHA-256 of each page: its size, its drawing, the drawings and fonts that it uses."""
    kept: dict[tuple[int, int], bytes] = {}
    return [hashlib.sha256(b"\0".join(_page(page.obj, kept))).hexdigest() for page in pdf.pages]


def _page(page: Any, kept: dict[tuple[int, int], bytes]) -> Iterator[bytes]:
    yield ",".join(f"{float(value):.2f}" for value in page.MediaBox).encode()
    pieces = page.get("/Contents", ())
    for piece in pieces if isinstance(pieces, pikepdf.Array) else (pieces,):
        yield _stream(piece, kept)
    yield from _resources(page.get("/Resources", {}), kept, depth=0)


def _resources(held: Any, kept: dict[tuple[int, int], bytes], *, depth: int) -> Iterator[bytes]:
    # The order of fonts is that of the writer; it says nothing.
    for name, font in sorted(held.get("/Font", {}).items(), key=lambda pair: str(pair[0])):
        yield str(name).encode()
        yield _font(font, kept)
    for name, form in sorted(held.get("/XObject", {}).items(), key=lambda pair: str(pair[0])):
        yield str(name).encode()
        yield _stream(form, kept)
        if depth < _DEEPEST:
            yield from _resources(form.get("/Resources", {}), kept, depth=depth + 1)


def _font(font: Any, kept: dict[tuple[int, int], bytes]) -> bytes:
    descriptor = font.get("/FontDescriptor", {})
    parts = [str(font.get(key, "")).encode() for key in ("/BaseFont", "/Subtype", "/Encoding")]
    parts.append(",".join(f"{float(width):.2f}" for width in font.get("/Widths", ())).encode())
    for stream in (font.get("/ToUnicode"), descriptor.get("/FontFile2")):
        parts.append(_stream(stream, kept) if isinstance(stream, pikepdf.Stream) else b"")
    return b"\0".join(parts)


def _stream(stream: Any, kept: dict[tuple[int, int], bytes]) -> bytes:
    if stream.objgen not in kept:
        kept[stream.objgen] = hashlib.sha256(stream.read_bytes()).digest()
    return kept[stream.objgen]


def beside(pdf: pikepdf.Pdf) -> str:
    """SHA-256 of what goes with the pages: properties, bookmarks, words for screen readers."""
    found = hashlib.sha256()
    for part in _beside(pdf):
        found.update(part + b"\0")
    return found.hexdigest()


def _beside(pdf: pikepdf.Pdf) -> Iterator[bytes]:
    # Signing writes the metadata anew; what they say for a reader to show stays.
    told = pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False)
    for key in ("dc:title", "dc:creator", "dc:description"):
        yield str(told.get(key, "")).encode()
    for key in ("/Title", "/Author", "/Subject"):
        yield str(pdf.docinfo.get(key, "")).encode()
    outlines = pdf.Root.get("/Outlines")
    if outlines is not None and "/First" in outlines:
        yield from _bookmarks(outlines.First, seen=set())
    yield from _tree(pdf.Root.StructTreeRoot.K, depth=0)


def _bookmarks(entry: Any, *, seen: set[tuple[int, int]]) -> Iterator[bytes]:
    while entry is not None and entry.objgen not in seen:
        seen.add(entry.objgen)
        yield str(entry.get("/Title", "")).encode()
        if "/First" in entry and len(seen) < 100_000:
            yield from _bookmarks(entry.First, seen=seen)
        entry = entry.get("/Next")


def _tree(kids: Any, *, depth: int) -> Iterator[bytes]:
    """Kinds and words of elements; what is in a table has its words on the page alone."""
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if not isinstance(kid, pikepdf.Dictionary) or "/S" not in kid:
            continue
        kind = str(kid.S)
        if kind == "/Form":  # the fields that signing puts in
            continue
        yield kind.encode() + b" " + str(kid.get("/Alt", "")).encode()
        yield str(kid.get("/ActualText", "")).encode()
        if kind != "/Table" and depth < _DEEPEST and "/K" in kid:
            yield from _tree(kid.K, depth=depth + 1)
