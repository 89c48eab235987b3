"""The table of an attribute's groups: values, people, rates and sides, alike in every attribute."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.base.wording import count, percent
from gui.theme import theme
from gui.widgets.table import AxisHead, Cell, DataTable, RateCell, TableModel

from . import evidence_texts as texts
from .bands import PRIVILEGED, UNPRIVILEGED, Part
from .base import LARGE

PLOT, PLOT_WIDTH = 4, 186
LEAST = (104, 64, 84, 68)
"""Least widths of the first columns, so that they stand alike in every attribute."""


def axis_of(parts: Sequence[Part], level: float) -> AxisHead:
    """An axis that holds every rate and its interval, in steps of a fifth."""
    known = [p for p in parts if p.known]
    low = min([_interval(p, level)[0] for p in known] or [0.0])
    high = max([_interval(p, level)[1] for p in known] or [1.0])
    start, end = math.floor(low * 5) / 5, min(1.0, math.ceil(high * 5) / 5)
    if end - start < 0.4:
        start, end = max(0.0, end - 0.4), max(end, 0.4)
    ticks = tuple(round(start + 0.2 * k, 1) for k in range(round((end - start) / 0.2) + 1))
    words = texts.text("groups.rate_interval", level=percent(level, digits=0))
    return AxisHead(words, start, end, ticks, PLOT_WIDTH)


def _interval(part: Part, level: float) -> tuple[float, float]:
    from engine.fairness.tests import wilson

    found = wilson(favourable=part.favourable, n=part.known, confidence=level)
    return found or (0.0, 1.0)


def rate_cells(part: Part, level: float) -> list[Any]:
    bold = part.total
    if not part.known:
        return [Cell("0", bold=bold), "", RateCell(None, text="")]
    low, high = _interval(part, level)
    return [
        Cell(count(part.favourable), bold=bold), Cell(percent(part.rate), bold=bold),
        RateCell(part.rate, low, high, filled=part.side == PRIVILEGED),
    ]  # fmt: skip


def side_cell(part: Part) -> Cell:
    if part.side is None:
        return Cell(texts.text("groups.not_chosen"), tone="second")
    mark = {PRIVILEGED: "privileged", UNPRIVILEGED: "unprivileged"}.get(part.side, "")
    return Cell(part.side, mark=mark, bold=part.total)


class GroupTable(DataTable):
    """Values, people, rates and groups; the columns stand alike in every attribute."""

    def __init__(self, *, words: str) -> None:
        self._held = self._placing = False
        super().__init__(
            TableModel(), words=words, boxed=True, stretch=-1, fit_rows=16, row_height=25,
            selectable=False,
        )  # fmt: skip

    def measure(self) -> None:
        if not self._held:
            super().measure()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Measure nothing while rows and buttons are put in; once is enough, afterwards."""
        self._held = True
        try:
            yield
        finally:
            self._held = False

    def place_columns(self) -> None:
        if self._placing or len(self._needs) != self.model().columnCount():
            return  # a scroll bar that comes or goes resizes the view again
        self._placing = True
        try:
            t, last = theme(), self.model().columnCount() - 1
            wanted = self._needs[:]
            for index in range(last):
                if index == PLOT:
                    wanted[index] = t.px(PLOT_WIDTH)
                elif t.scale <= LARGE:
                    wanted[index] = max(t.px(LEAST[index]), wanted[index])
            self._needs = wanted
            super().place_columns()
            self.updateGeometries()
            self.setFixedHeight(self._height())
        finally:
            self._placing = False
