"""Crossed groups drawn: a grid whose cells are as large as their effective number, and ratios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, number, percent
from engine.drawing.model import Cell, Chart, HeatGrid, IntervalChart, IntervalRow

from .findings import WORD
from .grid import MOST_ROWS, grid_of
from .words import cell_words, keys_of, reference_words, size_of

MOST_RATIOS = 40


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``crossed_grid`` and ``crossed_ratios``; a great many crossings are cut to the lowest."""
    return [_grid(result), _ratios(result)]


def _grid(result: Mapping[str, Any]) -> HeatGrid:
    cells: Mapping[str, Any] = result["cells"]
    largest = max((size_of(c) for c in cells.values()), default=0.0)
    grid = grid_of(result)
    flagged = sum(1 for c in cells.values() if c["flag"] == "FLAGGED")
    sentence = f"{flagged} of {len(cells)} crossings are flagged."
    if grid.cut:
        sentence += f" The {MOST_ROWS} rows with the lowest ratios are drawn; the table holds all."
    return HeatGrid(
        key="crossed_grid",
        title="Crossed groups",
        sentence=sentence,
        alt=sentence
        + " Each cell holds its favourable rate and its effective number of people, and is as large as that number.",
        row_names=grid.rows,
        column_names=grid.columns,
        cells=tuple(tuple(_cell(cells[key], largest) for key in line) for line in grid.keys),
    )


def _cell(cell: Mapping[str, Any], largest: float) -> Cell:
    n = size_of(cell)
    if not cell["rows"]:
        return Cell(text="0 people", size=0.0)
    people = f"{count(round(n, 1))} people"
    text = f"{percent(cell['rate']['value'])}\n{people}"
    size = n / largest if largest > 0 else 0.0  # the share of the area, not of a side
    verdict = WORD.get(cell["flag"], "not computable")
    return Cell(text=text, value=cell["rate"]["value"], verdict=verdict, size=size)


def _ratios(result: Mapping[str, Any]) -> IntervalChart:
    cells: Mapping[str, Any] = result["cells"]
    chosen = keys_of(result)
    cut = len(chosen) > MOST_RATIOS
    if cut:
        known = [k for k in chosen if cells[k]["ratio"]["value"] is not None]
        chosen = sorted(known, key=lambda k: cells[k]["ratio"]["value"])[:MOST_RATIOS]
    # one-sided: what lies above the bound is in, however high, as the verdicts read it
    ends = [v for k in chosen for v in (cells[k]["ratio"]["high"], cells[k]["ratio"]["value"])]
    top = max([2.0, *(v for v in ends if v is not None)])
    band = (result["flag_below"], top)
    rows = []
    for key in chosen:
        cell = cells[key]
        ratio = cell["ratio"]
        rows.append(
            IntervalRow(
                label=cell_words(result, key),
                sub=f"{count(cell['rows'])} people",
                group="",
                value=ratio["value"],
                low=ratio["low"],
                high=ratio["high"],
                verdict=None if cell["flag"] == "INSUFFICIENT" else ratio["verdict"],
                shown=number(ratio["value"]),
                shown_interval=interval(ratio["low"], ratio["high"]),
                reason=cell["flag_reason"] or ratio["reason"],
                band=band,
                ideal=1.0,
            )
        )
    words = (
        f"Rates of the crossings over the rate of {reference_words(result)}, with their intervals."
    )
    if cut:
        words += f" The {MOST_RATIOS} lowest are drawn; the table holds all."
    return IntervalChart(
        key="crossed_ratios",
        title="Ratio of each crossing",
        sentence=words,
        alt=words,
        x_label=f"Ratio to {reference_words(result)}, less 1",
        rows=tuple(rows),
    )
