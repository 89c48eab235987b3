"""Write an old Excel workbook (.xls, BIFF8 in an OLE container) for the tests; no library here does.

Layout after the published [MS-XLS] and [MS-CFB] specifications, as small as it can be.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def old_book(rows: Sequence[Sequence[object]], *, sheet: str = "People") -> bytes:
    """A workbook of one sheet with these rows of numbers, truth values and text."""
    return _container(_stream(rows, sheet))


def _record(code: int, body: bytes) -> bytes:
    return struct.pack("<HH", code, len(body)) + body


def _stream(rows: Sequence[Sequence[object]], sheet: str) -> bytes:
    def begin(kind: int) -> bytes:
        return _record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))

    end = _record(0x000A, b"")
    texts = list(dict.fromkeys(str(c) for row in rows for c in row if isinstance(c, str)))
    shared = struct.pack("<II", len(texts), len(texts))
    for text in texts:
        shared += struct.pack("<HB", len(text), 1) + text.encode("utf-16-le")
    assert len(shared) < 8000, "longer ones need CONTINUE records"
    name = struct.pack("<BB", len(sheet), 1) + sheet.encode("utf-16-le")
    head = begin(0x0005) + _record(0x0042, struct.pack("<H", 1200))
    tail = _record(0x00FC, shared) + end
    offset = len(head) + 4 + 6 + len(name) + len(tail)
    book = head + _record(0x0085, struct.pack("<IH", offset, 0) + name) + tail
    wide = max(map(len, rows))
    cells = begin(0x0010) + _record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, wide, 0))
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            at = struct.pack("<HHH", y, x, 0)
            if isinstance(cell, bool):
                cells += _record(0x0205, at + struct.pack("<BB", cell, 0))
            elif isinstance(cell, int | float):
                cells += _record(0x0203, at + struct.pack("<d", cell))
            elif cell is not None:
                cells += _record(0x00FD, at + struct.pack("<I", texts.index(str(cell))))
    return book + cells + end


def _entry(name: str, *, kind: int, child: int, start: int, size: int) -> bytes:
    raw = name.encode("utf-16-le") + b"\0\0"
    head = raw.ljust(64, b"\0") + struct.pack("<HBB", len(raw), kind, 1)
    links = struct.pack("<III", _FREE, _FREE, child)
    return head + links + bytes(16 + 4 + 16) + struct.pack("<IQ", start, size)


def _container(stream: bytes) -> bytes:
    stream = stream.ljust(4096, b"\0")  # shorter ones would lie in a mini stream
    stream += bytes(-len(stream) % _SECTOR)
    sectors = len(stream) // _SECTOR
    assert sectors + 2 <= 128, "longer ones need a second sector of the allocation table"
    chain = [_FAT, _END] + [i + 3 for i in range(sectors - 1)] + [_END]
    table = struct.pack("<128I", *chain, *[_FREE] * (128 - len(chain)))
    entries = _entry("Root Entry", kind=5, child=1, start=_END, size=0)
    entries += _entry("Workbook", kind=2, child=_FREE, start=2, size=len(stream))
    entries = entries.ljust(_SECTOR, b"\0")
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    head += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, _END, 0, _END, 0)
    head += struct.pack("<109I", 0, *[_FREE] * 108)
    return head + table + entries + stream
