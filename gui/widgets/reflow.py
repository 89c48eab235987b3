"""How a table shares scarce room among its columns: text breaks into lines, numbers never."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gui.theme import theme

from .values import AxisHead, Cell

if TYPE_CHECKING:
    from .table import DataTable

LEAST_TEXT, LEAST_PLOT = 72, 104
"""No column of text, and no column of dots on an axis, is narrower than this, in pixels at 100 %."""


def fitted(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths that fit into ``room``: the widest columns give first, none more than it can.

    Examples
    --------
    >>> fitted([300, 80, 200], [100, 80, 120], 400)
    [160, 80, 160]
    >>> fitted([300, 80], [200, 80], 250)
    [200, 80]
    """
    if sum(wanted) <= room:
        return list(wanted)
    low, high = 0, max(wanted, default=0)
    while low < high:  # the highest level to which all can be cut
        level = (low + high + 1) // 2
        if sum(min(w, max(s, level)) for w, s in zip(wanted, least, strict=True)) <= room:
            low = level
        else:
            high = level - 1
    return [min(w, max(s, low)) for w, s in zip(wanted, least, strict=True)]


def least_width(view: DataTable, column: int, cells: int) -> int:
    """How narrow a column may be without a word being cut; ``cells`` is what its cells want."""
    model, t = view.model(), theme()
    head = model.columns[column]
    if isinstance(head, AxisHead):
        return t.px(min(head.width, LEAST_PLOT))
    edge = t.px(12) if view.boxed else t.px(8)
    pad = t.px(8) + edge + 2
    words = _longest(str(head or ""), "head") + t.px(18) + (t.px(6) if view.boxed else 0)
    if model.align[column] != "l":
        kept = [getattr(model.raw(row, column), "least", None) for row in range(model.rowCount())]
        if not any(kept):
            return max(words, cells)
        metrics, rows = t.metrics("text"), range(model.rowCount())
        lines = [kept[row] or model.text(row, column) for row in rows]
        return max(words, *(metrics.horizontalAdvance(line) + pad for line in lines))
    for row in range(model.rowCount()):
        value = model.raw(row, column)
        if view.indexWidget(model.index(row, column)) is not None or not view.may_break(value):
            return max(words, cells)
        if isinstance(value, Cell):
            role = value.role or ("key" if value.bold else "text")
            wide = _longest(value.text, role)
            if value.icon or value.mark:
                wide += t.px(24)
            wide = max(wide, _longest(value.sub, "help"))
        else:
            wide = _longest(model.text(row, column), "key" if row in model.total_rows else "text")
        words = max(words, wide + pad)
    return max(words, t.px(LEAST_TEXT))


def _longest(text: str, role: str) -> int:
    metrics = theme().metrics(role)
    return max((metrics.horizontalAdvance(word) for word in text.split()), default=0)
