"""Setting of text: lines broken to a width, drawn run by run at exact baselines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .fonts import runs, width
from .style import INK

Span = tuple[str, str]
"""A text and the face in which it is set."""
_PIECES = re.compile(r"[^ ]+ *| +")
_SOFT_ENDS = re.compile(r"(?<=[-/_.,;:×=|])(?=[^\s\d])")


@dataclass(frozen=True)
class Line:
    """A set line: its spans and its width in points without the closing blank."""

    spans: tuple[Span, ...]
    width: float

    @property
    def text(self) -> str:
        """The line's text."""
        return "".join(text for text, _ in self.spans)


def spans_of(text: str | Iterable[Span], face: str) -> tuple[Span, ...]:
    """Spans as given, or one span of a plain text."""
    return ((text, face),) if isinstance(text, str) else tuple(text)


@lru_cache(maxsize=16384)
def break_lines(
    spans: tuple[Span, ...], size: float, room: float, field: str = ""
) -> tuple[Line, ...]:
    """Break spans into lines no wider than ``room`` points.

    Breaks stand after blanks; a word wider than the room is broken after a hyphen, a slash or the
    like, and failing that between any two characters. Nothing is ever cut off.

    Raises
    ------
    Refused
        For a character that cannot be printed.
    """
    if len(spans) == 1:
        whole = width(spans[0][0], spans[0][1], size, field)
        if whole <= room and not spans[0][0].endswith(" "):
            return (Line(spans, whole),)
    lines: list[Line] = []
    open_spans: list[Span] = []
    used = 0.0

    def close() -> None:
        nonlocal open_spans, used
        if open_spans:
            text, face = open_spans[-1]
            open_spans[-1] = (text.rstrip(" "), face)
            whole = sum(width(part, face, size) for part, face in open_spans)
            lines.append(Line(_merged(open_spans), whole))
        open_spans, used = [], 0.0

    def put(piece: str, face: str) -> None:
        nonlocal used
        bare = width(piece.rstrip(" "), face, size, field)
        if used and used + bare > room + 0.01:
            close()
            piece = piece.lstrip(" ")
        open_spans.append((piece, face))
        used += width(piece, face, size, field)

    for text, face in spans:
        for piece in _PIECES.findall("".join(part for _, part in runs(text, face, field))):
            if width(piece.rstrip(" "), face, size, field) <= room:
                put(piece, face)
                continue
            for part in _cut(piece, face, size, room):
                put(part, face)
    close()
    return tuple(lines) or (Line((), 0.0),)


def _cut(piece: str, face: str, size: float, room: float) -> list[str]:
    """Cut a word that is wider than the room."""
    parts: list[str] = []
    for part in _SOFT_ENDS.split(piece):
        while width(part, face, size) > room and len(part) > 1:
            n = max(1, int(len(part) * room / width(part, face, size)))
            while n > 1 and width(part[:n], face, size) > room:
                n -= 1
            parts.append(part[:n])
            part = part[n:]
        parts.append(part)
    return parts


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    out: list[Span] = []
    for text, face in spans:
        if out and out[-1][1] == face:
            out[-1] = (out[-1][0] + text, face)
        elif text:
            out.append((text, face))
    return tuple(out)


def draw_line(
    canvas: Any,
    line: Line,
    *,
    x: float,
    y: float,
    size: float,
    align: str = "l",
    room: float = 0.0,
    color: tuple[float, float, float] = INK,
) -> None:
    """Draw a line at baseline ``y``; ``align`` is ``l``, ``r`` or ``c`` within ``room``."""
    if align == "r":
        x += room - line.width
    elif align == "c":
        x += (room - line.width) / 2
    pieces = (run for part, face in line.spans for run in runs(part, face))
    canvas.show(pieces, x=x, y=y, size=size, color=color)


@dataclass(frozen=True)
class Block:
    """A set text of one size: lines, leading, alignment.

    ``height`` is what it takes from the page: one leading a line.
    """

    lines: tuple[Line, ...]
    size: float
    leading: float
    room: float
    align: str = "l"
    color: tuple[float, float, float] = INK

    @classmethod
    def of(
        cls,
        text: str | Iterable[Span],
        *,
        face: str,
        size: float,
        leading: float,
        room: float,
        align: str = "l",
        color: tuple[float, float, float] = INK,
        field: str = "",
    ) -> Block:
        """Set a text (or spans) into a room."""
        lines = break_lines(spans_of(text, face), size, room, field)
        return cls(lines, size, leading, room, align, color)

    @property
    def height(self) -> float:
        """Height in points."""
        return self.leading * len(self.lines)

    @property
    def text(self) -> str:
        """The whole text."""
        return " ".join(line.text for line in self.lines)

    def draw(self, canvas: Any, *, x: float, top: float) -> float:
        """Draw below ``top``; gives the y below the block.

        The baseline of a line lies so that the letters stand in the middle of their leading.
        """
        y = top - (self.leading + self.size * 0.7) / 2
        for line in self.lines:
            draw_line(
                canvas,
                line,
                x=x,
                y=y,
                size=self.size,
                align=self.align,
                room=self.room,
                color=self.color,
            )
            y -= self.leading
        return top - self.height
