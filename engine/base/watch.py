"""Progress and cancelling: what a long piece of work says on its way, and how it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .kept import Keep
from .problems import Cancelled

WAITING, DONE, UNSETTLED, FAILED = ".+~x"
"""The letters of a piece of a grid; unsettled is done, but stopped before it settled."""


@dataclass(frozen=True)
class Progress:
    """How far a job has come.

    Parameters
    ----------
    fraction : float or None
        Share done, 0 to 1; None while it cannot be known.
    text : str
        What is being done, in words for the auditor, for example ``Reading german.csv``.
    done, total : int or None
        Counted pieces, where there are such (``92 of 201``).
    grid : mapping of str to str or None
        The pieces themselves where they lie in rows: a row's name and a letter for each piece
        (:data:`WAITING`, :data:`DONE`, :data:`UNSETTLED`, :data:`FAILED`).
    share : float or None
        Share done of the longest part by itself, by expected time: what a guess of the time left
        goes by, where the whole bar goes by steps of very unlike length.
    """

    fraction: float | None
    text: str
    done: int | None = None
    total: int | None = None
    grid: Mapping[str, str] | None = None
    share: float | None = None


def _quiet(_: Progress) -> None:
    return None


@dataclass
class Watch:
    """Handed to every long computation; ``say`` reports, ``check`` stops where a stop was asked.

    A computation calls :meth:`say` at named points; each call is also a place where it may be
    cancelled. ``part`` gives a nested computation its own share of the bar. ``keep`` is where
    finished pieces may be laid, so that work that was stopped goes on where it was.

    Examples
    --------
    >>> seen = []
    >>> watch = Watch(report=seen.append)
    >>> watch.part(0.5, 1.0).say("Fitting", done=1, total=2)
    >>> seen[0].fraction
    0.75
    """

    report: Callable[[Progress], None] = _quiet
    stop: threading.Event = field(default_factory=threading.Event)
    low: float = 0.0
    high: float = 1.0
    keep: Keep | None = None

    def check(self) -> None:
        """Raise :class:`Cancelled` if the person asked to stop."""
        if self.stop.is_set():
            raise Cancelled

    def say(
        self,
        text: str,
        *,
        fraction: float | None = None,
        done: int | None = None,
        total: int | None = None,
        grid: Mapping[str, str] | None = None,
        share: float | None = None,
    ) -> None:
        """Report progress within this watch's share of the bar, then check for a stop."""
        self.check()
        if fraction is None and done is not None and total:
            fraction = done / total
        if fraction is not None:
            fraction = self.low + (self.high - self.low) * min(1.0, max(0.0, fraction))
        self.report(Progress(fraction, text, done, total, grid, share))

    def part(self, low: float, high: float) -> Watch:
        """Give a nested computation the share from ``low`` to ``high`` of this watch's bar."""
        span = self.high - self.low
        low, high = self.low + span * low, self.low + span * high
        return Watch(self.report, self.stop, low, high, self.keep)
