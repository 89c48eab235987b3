"""Moments in words. They are handed in as ISO 8601 text: the engine has no clock."""

from __future__ import annotations

from datetime import datetime

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def moment(text: str) -> str:
    """A moment as day and time, as it stood on the clock where it was written.

    Examples
    --------
    >>> moment("2026-11-24T10:41:07+01:00")
    '24 November, 10:41'
    """
    return f"{day(text)}, {datetime.fromisoformat(text):%H:%M}"


def day(text: str, *, year: bool = False) -> str:
    """A moment or date as day and month, with the year if asked.

    Examples
    --------
    >>> day("2026-11-24", year=True)
    '24 November 2026'
    """
    when = datetime.fromisoformat(text)
    words = f"{when.day} {MONTHS[when.month - 1]}"
    return f"{words} {when.year}" if year else words
