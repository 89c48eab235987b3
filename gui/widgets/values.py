"""What a cell of a table may hold besides plain text and numbers, and how it reads as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt

from gui import messages
from gui.palette import VERDICTS

RAW = Qt.ItemDataRole.UserRole
"""Role under which a model gives the cell as it was put in."""


@dataclass(frozen=True)
class Cell:
    """A cell with more than text.

    ``sub`` is a thin second line, ``bold`` and ``tone`` change the type, ``icon`` stands before
    the text, ``link`` makes the whole cell a link (:attr:`DataTable.link_activated`), ``mark``
    puts a verdict's mark (or ``privileged`` / ``unprivileged`` discs) before the text, ``chip``
    draws a verdict as a chip.
    """

    text: str = ""
    sub: str = ""
    bold: bool = False
    tone: str = ""
    icon: str = ""
    link: str = ""
    mark: str = ""
    chip: bool = False
    tip: str = ""
    mono: bool = False
    role: str = ""

    def __str__(self) -> str:
        return f"{self.text}, {self.sub}" if self.sub else self.text


@dataclass(frozen=True)
class RateCell:
    """A rate with its interval, drawn as dot and whisker on the column's axis; all are shares.

    ``filled`` is True for the privileged group. ``value`` None draws nothing but ``text``.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    filled: bool = True
    text: str = ""

    def __str__(self) -> str:
        if self.value is None:
            return self.text or ""
        from engine.base.wording import percent

        if self.low is None or self.high is None:
            return percent(self.value)
        return f"{percent(self.value)}, {percent(self.low)} to {percent(self.high)}"


@dataclass(frozen=True)
class AxisHead:
    """The heading of a column of :class:`RateCell`: its words, and ticks from ``low`` to ``high``."""

    text: str
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    width: int = 190

    def __str__(self) -> str:
        return self.text


def shown(value: Any) -> str:
    """A cell as text: None is empty, numbers carry a real minus, verdicts their word."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        from engine.base.wording import number

        return number(value)
    if isinstance(value, int):
        return f"{value:,}".replace("-", "\u2212")
    word = getattr(value, "word", None)  # engine.methods.base.Verdict, without importing it
    if word is not None:
        return messages.verdict_word(word)
    return str(value)


def is_verdict(value: Any) -> str:
    """The verdict in a cell, or an empty text."""
    word = getattr(value, "word", None)
    if isinstance(word, str) and word in VERDICTS:
        return word
    return ""
