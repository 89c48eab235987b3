"""How crossings lie in a grid, for paper and window alike."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .words import crossing_words, order_of

MOST_ROWS = 24
"""With more rows than this, those with the lowest ratios are drawn."""
MOST_COLUMNS = 6
"""An attribute with more groups than this goes down the grid, not across it."""


@dataclass(frozen=True)
class Grid:
    """Names of rows and columns, the key of each cell, and whether rows are left to the table."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    cut: bool


def grid_of(result: Mapping[str, Any]) -> Grid:
    """Lay the crossings of a result out.

    Across go the groups of the last attribute that has few of them, down the crossings of the
    others; one attribute alone goes down.
    """
    names = order_of(result)
    groups: Mapping[str, list[str]] = result["attributes"]
    cells: Mapping[str, Any] = result["cells"]
    words = result.get("words")
    narrow = [n for n in names if len(groups[n]) <= MOST_COLUMNS] if len(names) > 1 else []
    across = narrow[-1] if narrow else None
    down = [n for n in names if n != across]
    key_of = {tuple(c["groups"][n] for n in names): key for key, c in cells.items()}
    columns: list[dict[str, str]] = [{across: g} for g in groups[across]] if across else [{}]
    rows: list[dict[str, str]] = [
        dict(zip(down, one, strict=True)) for one in itertools.product(*(groups[n] for n in down))
    ]
    keys = [
        [key_of[tuple({**row, **column}[n] for n in names)] for column in columns] for row in rows
    ]

    def lowest(place: int) -> float:
        ratios = [cells[key]["ratio"]["value"] for key in keys[place]]
        return min((r for r in ratios if r is not None), default=math.inf)

    chosen = list(range(len(rows)))
    if len(rows) > MOST_ROWS:
        chosen = sorted(chosen, key=lowest)[:MOST_ROWS]
    return Grid(
        tuple(crossing_words(rows[i], words) for i in chosen),
        tuple(crossing_words(c, words) if c else "Rate and people" for c in columns),
        tuple(tuple(keys[i]) for i in chosen),
        len(rows) > MOST_ROWS,
    )
