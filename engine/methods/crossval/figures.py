"""Cross-validated tests drawn: answers in a grid, the paper's table 3, folds, pooled intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from engine.base.wording import listed, number
from engine.drawing.model import (
    BarChart,
    Cell,
    Chart,
    HeatGrid,
    IntervalChart,
    IntervalRow,
    Panels,
    ScatterChart,
    Series,
)

from .answers import DEFINITIONS, SHOWN, UNDECIDED
from .findings import GRADE, ends, points, published_cell
from .foldtests import rates_of
from .tables import WORDS

MOST_GROUPS = 6
"""Fold plots draw at most this many groups, the largest ones."""


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``crossval_answers``, ``crossval_published``, ``crossval_pooled``, ``crossval_rates``,
    ``crossval_folds_tpr`` and ``crossval_folds_fpr``."""
    charts: list[Chart] = [_answers(result), _published(result), _pooled(result), _rates(result)]
    folds = tables.get("folds")
    if folds is not None:
        charts += [_folds(result, folds, "TPR"), _folds(result, folds, "FPR")]
    return charts


def _names(result: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    several = len(result["attributes"]) > 1
    return [
        (f"{model['title']}: {name}" if several else model["title"], model)
        for name, attribute in result["attributes"].items()
        for model in attribute["models"].values()
    ]


def _answers(result: Mapping[str, Any]) -> HeatGrid:
    rows = _names(result)
    words = [d["verdict"] for _, m in rows for d in m["definitions"].values()]
    sentence = (
        f"{words.count(SHOWN)} of {len(words)} cells show a difference, "
        f"{words.count(UNDECIDED)} are undecided."
    )
    return HeatGrid(
        key="crossval_answers",
        title="Answers by algorithm and definition",
        sentence=sentence,
        alt=sentence + " Each cell holds its answer in words.",
        x_label="Definition",
        y_label="Algorithm",
        row_names=tuple(name for name, _ in rows),
        column_names=tuple(d[:1].upper() + d[1:] for d in DEFINITIONS),
        cells=tuple(
            tuple(
                Cell(text=d["verdict"], verdict=GRADE[d["verdict"]])
                for d in m["definitions"].values()
            )
            for _, m in rows
        ),
    )


def _published(result: Mapping[str, Any]) -> HeatGrid:
    rows = _names(result)
    level = number(result["level"], digits=2)
    sentence = (
        f"p-values below {level} as the paper prints them; a dash is a larger p and shows nothing."
    )
    return HeatGrid(
        key="crossval_published",
        title="The paper's table 3",
        sentence=sentence,
        alt=sentence,
        x_label="Definition",
        y_label="Algorithm",
        row_names=tuple(name for name, _ in rows),
        column_names=tuple(d[:1].upper() + d[1:] for d in DEFINITIONS),
        cells=tuple(
            tuple(Cell(text=published_cell(m, d, result["level"])) for d in DEFINITIONS)
            for _, m in rows
        ),
    )


def _pooled(result: Mapping[str, Any]) -> IntervalChart:
    rows = []
    for name, attribute in result["attributes"].items():
        for model in attribute["models"].values():
            for metric, one in model["pooled"].items():
                n = one["n"]
                rows.append(
                    IntervalRow(
                        label=f"{model['title']}: {WORDS[metric].lower()}",
                        sub=f"{n['privileged']:,} and {n['unprivileged']:,} people",
                        group=f"{name}: {attribute['privileged']} less the others",
                        value=one["value"],
                        low=one["low"],
                        high=one["high"],
                        verdict=one["verdict"],
                        shown=points(one["value"]),
                        shown_interval=ends(one) if one["value"] is not None else "",
                        reason=one["reason"],
                        band=(-one["margin"], one["margin"]),
                        ideal=0.0,
                    )
                )
    sentence = "Differences of pooled out-of-fold rates with their intervals, against the margin."
    return IntervalChart(
        key="crossval_pooled",
        title="Differences between groups",
        sentence=sentence,
        x_label="Difference of rates (0.10 is 10 points)",
        rows=tuple(rows),
    )


def _style(place: int) -> str:
    return "privileged" if place == 0 else "unprivileged" if place == 1 else "plain"


def _kept(result: Mapping[str, Any]) -> list[str]:
    """The privileged group, then the largest others."""
    groups = result["attributes"][result["attribute"]]["groups"]
    first, *rest = groups
    rest.sort(key=lambda key: -groups[key]["people"])
    return [first, *rest[: MOST_GROUPS - 1]]


def _rates(result: Mapping[str, Any]) -> Panels:
    models = list(result["models"].values())
    keys = _kept(result)
    charts = []
    for metric in ("TPR", "FPR", "FN_share"):
        series = []
        for place, key in enumerate(keys):
            groups = [m["groups"][key] for m in models]
            bounds = [g["intervals"][metric] or (None, None) for g in groups]
            series.append(
                Series(
                    name=key,
                    x=tuple(m["title"] for m in models),
                    y=tuple(g[metric] for g in groups),
                    low=tuple(b[0] for b in bounds),
                    high=tuple(b[1] for b in bounds),
                    style=_style(place),
                )
            )
        charts.append(
            BarChart(
                key=f"crossval_rates_{metric.lower()}",
                title=WORDS[metric],
                sentence=f"{WORDS[metric]} by group, out of fold.",
                x_label="Share",
                series=tuple(series),
                horizontal=True,
            )
        )
    sentence = f"Rates of {listed(keys)} by algorithm, with Wilson's intervals."
    return Panels(
        key="crossval_rates",
        title=f"Rates by group: {result['attribute']}",
        sentence=sentence,
        charts=tuple(charts),
        across=1,
    )


def _folds(result: Mapping[str, Any], table: pd.DataFrame, metric: str) -> Panels:
    mine = table[table["attribute"] == result["attribute"]]
    keys = _kept(result)
    charts = []
    for model, one in result["models"].items():
        part = mine[mine["model"] == model]
        series = []
        for place, key in enumerate(keys):
            rows = part[part["group"] == key]
            values = rates_of(rows[["tp", "fp", "fn", "tn"]].to_numpy(float))[metric]
            at = np.flatnonzero(np.isfinite(values))
            series.append(
                Series(
                    name=key,
                    x=tuple(float(i + 1) for i in at),
                    y=tuple(float(values[i]) for i in at),
                    style=_style(place),
                )
            )
        charts.append(
            ScatterChart(
                key=f"crossval_folds_{metric.lower()}_{model}",
                title=one["title"],
                sentence=f"{WORDS[metric]} in each fold.",
                x_label="Fold",
                y_label=WORDS[metric],
                series=tuple(series),
            )
        )
    return Panels(
        key=f"crossval_folds_{metric.lower()}",
        title=f"{WORDS[metric]}, fold by fold",
        sentence=f"Each dot is the {WORDS[metric].lower()} of a group in a fold; folds without a value have no dot.",
        charts=tuple(charts),
        across=2,
    )
