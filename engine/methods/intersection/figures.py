"""Crossed groups drawn: a grid whose cells are as large as their effective number, and ratios."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

from engine.base.wording import count, interval, number, percent
from engine.drawing.model import Cell, Chart, HeatGrid, IntervalChart, IntervalRow

from .findings import WORD
from .words import cell_words, crossing_words, keys_of, order_of, reference_words

MOST_ROWS = 24
MOST_RATIOS = 40


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``crossed_grid`` and ``crossed_ratios``; a great many crossings are cut to the lowest."""
    return [_grid(result), _ratios(result)]


def _grid(result: Mapping[str, Any]) -> HeatGrid:
    attributes: Mapping[str, list[str]] = result["attributes"]
    names = order_of(result)
    cells: Mapping[str, Any] = result["cells"]
    by_groups = {tuple(c["groups"][n] for n in names): c for c in cells.values()}
    columns = attributes[names[-1]]
    across = list(itertools.product(*(attributes[n] for n in names[:-1])))
    largest = max((c["effective_n"] for c in cells.values()), default=0.0)

    def lowest(row: tuple[str, ...]) -> float:
        found = [by_groups[(*row, c)]["ratio"]["value"] for c in columns]
        return min((r for r in found if r is not None), default=math.inf)

    cut = len(across) > MOST_ROWS
    if cut:
        across = sorted(across, key=lowest)[:MOST_ROWS]
    grid = tuple(tuple(_cell(by_groups[(*row, c)], largest) for c in columns) for row in across)
    flagged = sum(1 for c in cells.values() if c["flag"] == "FLAGGED")
    sentence = f"{flagged} of {len(cells)} crossings are flagged."
    if cut:
        sentence += f" The {MOST_ROWS} rows with the lowest ratios are drawn; the table holds all."
    words = result.get("words")
    rows = tuple(
        crossing_words(dict(zip(names[:-1], row, strict=True)), words) if row else "everybody"
        for row in across
    )
    return HeatGrid(
        key="crossed_grid",
        title="Crossed groups",
        sentence=sentence,
        alt=sentence
        + " Each cell holds its favourable rate and its effective number of people, and is as large as that number.",
        row_names=rows,
        column_names=tuple(crossing_words({names[-1]: c}, words) for c in columns),
        cells=grid,
    )


def _cell(cell: Mapping[str, Any], largest: float) -> Cell:
    n = cell["effective_n"]
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
