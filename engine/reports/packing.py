"""How far a PDF may unpack, found before any reader unpacks it.

A few kilobytes can unpack to gigabytes. Every stream is therefore unpacked here first, piece by
piece, counted and thrown away; what a paper of ours never holds is not unpacked at all.
"""

from __future__ import annotations

import re
import zlib

MOST = 256 * 1024 * 1024
"""More bytes than the streams of any paper of ours unpack to, all together."""
_PIECE = 1 << 20
_BEFORE = 4096
_STREAM = re.compile(rb"stream[\x00\t\n\x0c\r ]{0,8}")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_FILTER = re.compile(rb"/(?:Filter|F)\s*(\[[^\]]*\]|/[^\s/<>\[\]()]+)")
_FOREIGN = re.compile(rb"/(?:LZW|RunLength|RL\b|JBIG2|JPX|Crypt)")
_COLUMNS = re.compile(rb"/(?:Columns|Colors|BitsPerComponent)\s+\+?(\d+)")
_WIDEST = 100_000


class Packed(Exception):
    """The file unpacks too far, or is packed as no paper of ours is."""


def check(content: bytes, *, most: int = MOST) -> None:
    """Count what all streams of a PDF unpack to.

    Parameters
    ----------
    content : bytes
        The whole file.
    most : int
        Bytes allowed in total.

    Raises
    ------
    Packed
        Above ``most``; for a stream packed twice; for a way of packing that we never use and
        that can unpack a thousandfold.

    Examples
    --------
    >>> bomb = b"%PDF-1.7 << /Filter /FlateDecode >> stream\\n" + zlib.compress(b"0" * 5000)
    >>> check(bomb, most=6000)
    >>> check(bomb, most=4000)
    Traceback (most recent call last):
        ...
    engine.reports.packing.Packed
    """
    left = most
    for found in _STREAM.finditer(content):
        head = content[max(0, found.start() - _BEFORE) : found.start()]
        _look(_ESCAPE.sub(lambda m: bytes([int(m[1], 16)]), head))
        left -= _unpacked(content, found.end(), left)


def _look(head: bytes) -> None:
    for filters in _FILTER.findall(head):
        if _FOREIGN.search(filters) or filters.count(b"/Fl") > 1:
            raise Packed
    if any(len(n) > 9 or int(n) > _WIDEST for n in _COLUMNS.findall(head)):
        raise Packed


def _unpacked(content: bytes, start: int, left: int) -> int:
    """Bytes that the stream at ``start`` unpacks to; what is not packed counts nothing."""
    tool, total, place = zlib.decompressobj(), 0, start
    piece = b""
    while not tool.eof:
        if not piece:
            piece = content[place : place + _PIECE]
            place += len(piece)
            if not piece:
                break
        try:
            total += len(tool.decompress(piece, _PIECE))
        except zlib.error:
            break
        if total > left:
            raise Packed
        piece = tool.unconsumed_tail
    return total
