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
from engine.messages import say

from .answers import DEFINITIONS, EQUIVALENT, NONE, SHOWN, UNDECIDED
from .foldtests import rates_of
from .order import in_order
from .printed import published_cell
from .tables import WORDS
from .words import GRADE, called, ends, points

ALL_FOLDS = "all"
MOST_ROWS = 48
"""A grid with the rows of each class has at most this many."""
MOST_NAMED = 3
"""Groups that a cell names."""
MOST_GROUPS = 6
"""Fold plots draw at most this many groups, the largest ones."""


def figures(*, result: Mapping[str, Any], tables: Mapping[str, Any]) -> list[Chart]:
    """``crossval_answers``, ``crossval_published``, ``crossval_pooled``; for each attribute
    ``crossval_rates``, ``crossval_folds_tpr`` and ``crossval_folds_fpr`` (with ``_2``, ``_3`` for
    the further ones)."""
    result = in_order(result)
    charts: list[Chart] = [_answers(result), _published(result), _pooled(result)]
    folds = tables.get("folds")
    for place, (name, attribute) in enumerate(result["attributes"].items()):
        charts.append(_rates(name, attribute, place))
        if folds is not None:
            charts += [_folds(result, folds, name, place, m) for m in ("TPR", "FPR")]
    return charts


def charts_of(kind: str, place: int) -> str:
    """The key of an attribute's chart, by the attribute's place."""
    return f"crossval_{kind}{_suffix(place)}"


Row = tuple[str, Mapping[str, Any], Mapping[str, Any]]
"""A row of a grid: its name, the attribute, and the algorithm or one class of it."""


def _rows(result: Mapping[str, Any]) -> list[Row]:
    several = len(result["attributes"]) > 1
    return [
        (f"{model['title']}: {name}" if several else model["title"], attribute, model)
        for name, attribute in result["attributes"].items()
        for model in attribute["models"].values()
    ]


def _answers(result: Mapping[str, Any]) -> HeatGrid:
    plain = _rows(result)
    classes = [
        (f"{name}, class {label}", attribute, part)
        for name, attribute, model in plain
        for label, part in model.get("classes", {}).items()
    ]
    rows = [
        (f"{name} ({'; '.join(model['marks'])})" if model["marks"] else name, attribute, model)
        for name, attribute, model in plain
    ]
    left = "" if len(rows) + len(classes) <= MOST_ROWS else " The tables hold those of each class."
    rows += [] if left else classes
    words = [d["verdict"] for *_, m in rows for d in m["definitions"].values()]
    sentence = (
        f"Of {len(words)} cells {words.count(SHOWN)} show a difference, {words.count(EQUIVALENT)} "
        f"show equivalence, {words.count(UNDECIDED)} are undecided.{left}"
    )
    return HeatGrid(
        key="crossval_answers",
        title="Answers by algorithm and definition",
        sentence=sentence,
        alt=sentence + " Each cell holds its answer in words.",
        row_names=tuple(name for name, *_ in rows),
        column_names=tuple(d[:1].upper() + d[1:] for d in DEFINITIONS),
        cells=tuple(
            tuple(
                Cell(text=_cell_words(attribute, model, d), verdict=GRADE[d["verdict"]])
                for d in model["definitions"].values()
            )
            for _, attribute, model in rows
        ),
    )


def _cell_words(
    attribute: Mapping[str, Any], model: Mapping[str, Any], definition: Mapping[str, Any]
) -> str:
    """An answer, with the groups that hold nobody of a kind that it needs."""
    verdict = str(definition["verdict"])
    empty = dict.fromkeys(
        key for metric in definition["needs"] for key in model["pooled"][metric]["not_counted"]
    )
    if not empty or len(empty) == len(attribute["groups"]):
        return verdict
    groups = listed([called(attribute, key) for key in empty])
    if len(empty) > MOST_NAMED:
        groups = f"{len(empty)} groups"
    code = "crossval.mark_nobody" if verdict == NONE else "crossval.mark_without"
    return say(code, verdict=verdict, groups=groups)


def _published(result: Mapping[str, Any]) -> HeatGrid:
    rows = _rows(result)
    level = number(result["level"], digits=2)
    sentence = (
        f"p-values below {level} as the paper prints them; a dash is a larger p and shows nothing."
    )
    return HeatGrid(
        key="crossval_published",
        title="The paper's table 3",
        sentence=sentence,
        alt=sentence,
        row_names=tuple(name for name, *_ in rows),
        column_names=tuple(d[:1].upper() + d[1:] for d in DEFINITIONS),
        cells=tuple(
            tuple(Cell(text=published_cell(m, d, result["level"])) for d in DEFINITIONS)
            for *_, m in rows
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
                        group=f"{name}: {called(attribute, attribute['privileged'])} less the others",
                        value=one["value"],
                        low=one["low"],
                        high=one["high"],
                        verdict=GRADE[one["answer"]],
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


def _suffix(place: int) -> str:
    """What the keys of an attribute's charts end in; those of the first have none."""
    return f"_{place + 1}" if place else ""


def _drawn(attribute: Mapping[str, Any]) -> list[str]:
    """The privileged group, then the largest others."""
    groups = attribute["groups"]
    first, *rest = groups
    rest.sort(key=lambda key: -groups[key]["people"])
    return [first, *rest[: MOST_GROUPS - 1]]


def _rates(name: str, attribute: Mapping[str, Any], place: int) -> Panels:
    models = list(attribute["models"].values())
    keys = _drawn(attribute)
    charts = []
    for metric in ("TPR", "FPR", "FN_share"):
        series = []
        for number_, key in enumerate(keys):
            groups = [m["groups"][key] for m in models]
            bounds = [g["intervals"][metric] or (None, None) for g in groups]
            series.append(
                Series(
                    name=called(attribute, key),
                    x=tuple(m["title"] for m in models),
                    y=tuple(g[metric] for g in groups),
                    low=tuple(b[0] for b in bounds),
                    high=tuple(b[1] for b in bounds),
                    style=_style(number_),
                )
            )
        charts.append(
            BarChart(
                key=f"crossval_rates_{metric.lower()}{_suffix(place)}",
                title=WORDS[metric],
                sentence=f"{WORDS[metric]} by group, out of fold.",
                x_label="Share",
                series=tuple(series),
                horizontal=True,
            )
        )
    words = listed([called(attribute, key) for key in keys])
    return Panels(
        key=f"crossval_rates{_suffix(place)}",
        title=f"Rates by group: {name}",
        sentence=f"Rates of {words} by algorithm, with Wilson's intervals.",
        charts=tuple(charts),
        across=1,
    )


def _folds(
    result: Mapping[str, Any], table: pd.DataFrame, name: str, place: int, metric: str
) -> Panels:
    """Dots fold by fold, and beside them the rate of all folds together with its interval."""
    attribute = result["attributes"][name]
    groups, models, k = list(attribute["groups"]), list(attribute["models"]), result["k"]
    # Rows lie attribute by attribute, algorithm by algorithm, group by group: names read back
    # from a file may have lost their form ("01" becomes 1).
    start = sum(
        len(a["groups"]) * len(a["models"]) * k for a in list(result["attributes"].values())[:place]
    )
    size = len(models) * len(groups) * k
    counts = table[["tp", "fp", "fn", "tn"]].to_numpy(float)[start : start + size]
    rates = rates_of(counts.reshape(len(models), len(groups), k, 4))[metric]
    names = result["fold_names"] or [str(f + 1) for f in range(k)]
    charts = []
    for at, model in enumerate(models):
        one = attribute["models"][model]
        series = []
        for number_, key in enumerate(_drawn(attribute)):
            values = rates[at, groups.index(key)]
            folds = np.flatnonzero(np.isfinite(values))
            whole, ends_ = one["groups"][key][metric], one["groups"][key]["intervals"][metric]
            x = [float(f) for f in folds]
            y: list[float | None] = [float(values[f]) for f in folds]
            low: list[float | None] = [None] * len(x)
            high: list[float | None] = [None] * len(x)
            if whole is not None and ends_ is not None:
                x.append(k + 1.0 + number_)
                y.append(whole)
                low.append(ends_[0])
                high.append(ends_[1])
            series.append(
                Series(
                    name=called(attribute, key), x=tuple(x), y=tuple(y), low=tuple(low),
                    high=tuple(high), style=_style(number_),
                )
            )  # fmt: skip
        charts.append(
            ScatterChart(
                key=f"crossval_folds_{metric.lower()}_{model}{_suffix(place)}",
                title=one["title"],
                sentence=f"{WORDS[metric]} in each fold.",
                x_label="Fold",
                x_words=(*names, "", *[ALL_FOLDS] * len(_drawn(attribute))),
                y_label=WORDS[metric],
                series=tuple(series),
            )
        )
    sentence = (
        f"Each dot is the {WORDS[metric].lower()} of a group in a fold; folds without a value have "
        "no dot. At the right stands the rate of all folds together, with Wilson's interval."
    )
    return Panels(
        key=f"crossval_folds_{metric.lower()}{_suffix(place)}",
        title=f"{WORDS[metric]}, fold by fold: {name}",
        sentence=sentence,
        charts=tuple(charts),
        across=2,
    )
