"""Warts of the roles: seen once somebody has said which column is the outcome and the like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.wording import count, percent
from engine.messages import say

from .model import Wart
from .roles import counts_rows, favourable_of, is_id_name
from .values import keys_of, same_value

_ALMOST = 0.55
"""Share of the errors of a blind guess that a feature alone takes away, from which it leaks."""
_BINS = 64
_MOST_VALUES = 200
_ROWS_EACH = 20
"""Rows a value needs on average, or small files would be learnt by heart."""


def judge_roles(
    *,
    frame: pd.DataFrame,
    outcome: str | None,
    favourable: Sequence[Any] = (),
    prediction: str | None = None,
    prediction_favourable: Sequence[Any] = (),
    features: Sequence[str] = (),
) -> tuple[Wart, ...]:
    """Judge a table by the roles of its columns: leaks, reversed decisions, favourable in doubt.

    Parameters
    ----------
    frame : pandas.DataFrame
    outcome, prediction : str or None
        Columns of the recorded outcome and of the system's decision.
    favourable, prediction_favourable : sequence of plan values
        Empty where nobody has said it yet: the favourable value is then asked about, and the
        decision's is taken to be the outcome's.
    features : sequence of str
        Columns that a stand-in may learn from.

    Returns
    -------
    tuple of Wart
        Questions first.
    """
    found: list[Wart] = []
    if outcome is not None and outcome in frame.columns:
        codes, keys = keys_of(frame[outcome])
        if not favourable and 2 <= len(keys) <= 20:
            found.append(_doubt(outcome, codes, keys))
        found += _leaks(frame, outcome, codes, keys, [f for f in features if f != outcome])
        if prediction is not None and prediction in frame.columns:
            found += _reversed(frame, outcome, codes, keys, favourable, prediction, prediction_favourable)  # fmt: skip
    for feature in features:
        if feature in frame.columns and _is_id(frame[feature], feature):
            text = say("intake.id_as_feature", feature=feature)
            found.append(Wart("intake.id_as_feature", "warning", text, feature, 0, (), {"leave_out": [feature]}))  # fmt: skip
    order = {"question": 0, "warning": 1, "note": 2}
    return tuple(sorted(found, key=lambda one: order[one.grade]))


def _is_id(series: pd.Series, name: str) -> bool:
    if counts_rows(series):
        return True
    if pd.api.types.is_float_dtype(series.dtype) or len(series) < 50:
        return False
    if pd.api.types.is_numeric_dtype(series.dtype) and not is_id_name(name):
        return False
    return bool(series.nunique() >= 0.9 * len(series))


def _doubt(outcome: str, codes: NDArray[np.int32], keys: list[str]) -> Wart:
    value, _, reason = favourable_of(column=outcome, keys=keys)
    sizes = np.bincount(codes[codes >= 0], minlength=len(keys))
    chosen = keys[int(np.argmax(sizes))] if value is None else value
    told = ", ".join(
        f"{count(int(sizes[place]))} people have {keys[place]}" for place in np.argsort(-sizes, kind="stable")[:4]
    )  # fmt: skip
    reason = reason[:1].upper() + reason[1:] + "."
    text = say("intake.favourable_in_doubt", value=chosen, outcome=outcome, counts=told, reason=reason)  # fmt: skip
    suggestion = {"outcome": {"column": outcome, "favourable": [chosen]}} if value is not None else {}  # fmt: skip
    return Wart("intake.favourable_in_doubt", "question", text, outcome, int(sizes.sum()), (), suggestion)  # fmt: skip


def _leaks(
    frame: pd.DataFrame,
    outcome: str,
    codes: NDArray[np.int32],
    keys: list[str],
    features: Sequence[str],
) -> list[Wart]:
    """Guess the outcome from each feature alone, by the commonest outcome of each value."""
    found: list[Wart] = []
    if not 2 <= len(keys) <= 50:
        return found
    base = float(np.bincount(codes[codes >= 0]).max() / max(1, (codes >= 0).sum()))
    for feature in features:
        if feature not in frame.columns:
            continue
        bins, several = _binned(frame[feature])
        use = (codes >= 0) & (bins >= 0)
        rows = int(use.sum())
        if not several or rows < 20 or rows < 0.5 * len(frame):
            continue
        cross = np.bincount(
            bins[use].astype(np.int64) * len(keys) + codes[use], minlength=several * len(keys)
        ).reshape(several, len(keys))
        right = float(cross.max(axis=1).sum() / rows)
        blind = float(cross.sum(axis=0).max() / rows)
        if blind >= 1:
            continue
        if right == 1.0:
            text = say("intake.leak_same", feature=feature, outcome=outcome)
            found.append(Wart("intake.leak_same", "question", text, feature, rows, (), {"leave_out": [feature]}))  # fmt: skip
        elif (right - blind) / (1 - blind) >= _ALMOST:
            text = say("intake.leak", feature=feature, outcome=outcome, right=percent(right), base=percent(base))  # fmt: skip
            found.append(Wart("intake.leak", "warning", text, feature, rows, (), {"leave_out": [feature]}))  # fmt: skip
    return found


def _binned(series: pd.Series) -> tuple[NDArray[np.int32], int]:
    """A feature as few values: its own, or for numbers bins of like size."""
    if pd.api.types.is_numeric_dtype(series.dtype):
        values = series.to_numpy(dtype=np.float64, na_value=np.nan)
        known = values[np.isfinite(values)]
        distinct = np.unique(known)
        most = max(2, min(_MOST_VALUES, len(known) // _ROWS_EACH))
        if len(distinct) > most:
            edges = np.unique(np.quantile(known, np.linspace(0, 1, min(_BINS, most) + 1)[1:-1]))
            bins = np.searchsorted(edges, values, side="right").astype(np.int32)
        else:
            edges = distinct
            bins = np.searchsorted(distinct, values).astype(np.int32)
        bins[~np.isfinite(values)] = -1
        return bins, len(edges) + 1
    codes, keys = keys_of(series)
    return (
        (codes, len(keys))
        if len(keys) <= max(2, min(_MOST_VALUES, len(series) // _ROWS_EACH))
        else (codes, 0)
    )


def _reversed(
    frame: pd.DataFrame,
    outcome: str,
    codes: NDArray[np.int32],
    keys: list[str],
    favourable: Sequence[Any],
    prediction: str,
    prediction_favourable: Sequence[Any],
) -> list[Wart]:
    """Notice decisions that agree with the reversed outcome."""
    good = favourable or [favourable_of(column=outcome, keys=keys)[0]]
    other_codes, other_keys = keys_of(frame[prediction])
    other_good = prediction_favourable or good
    mine = _marked(codes, keys, good)
    theirs = _marked(other_codes, other_keys, other_good)
    turned = [key for key in other_keys if not any(same_value(value, key) for value in other_good)]
    wart = reversed_decisions(outcome=mine, decision=theirs, outcome_name=outcome, decision_name=prediction, turned=turned)  # fmt: skip
    return [] if wart is None else [wart]


def reversed_decisions(
    *,
    outcome: NDArray[np.int8],
    decision: NDArray[np.int8],
    outcome_name: str,
    decision_name: str,
    turned: Sequence[str] = (),
) -> Wart | None:
    """Notice decisions that agree with the reversed outcome, as where 1 means "bad" in one column.

    Parameters
    ----------
    outcome, decision : int8 array, shape (rows,)
        1 favourable, 0 unfavourable, -1 unknown.
    outcome_name, decision_name : str
        What the columns are called.
    turned : sequence of str
        The decision's other values, which would then be favourable.
    """
    use = (outcome >= 0) & (decision >= 0)
    mine, theirs = outcome[use], decision[use]
    rows = len(mine)
    if rows < 20 or mine.min() == mine.max() or theirs.min() == theirs.max():
        return None
    same = mine == theirs
    agree = int(same.sum())
    # Both kinds of people must be contradicted, or an unequal split alone would raise it.
    if agree >= 0.5 * rows or same[mine == 1].mean() + same[mine == 0].mean() >= 0.9:
        return None
    text = say("intake.reversed", prediction=decision_name, outcome=outcome_name, agree=percent(agree / rows), rows=count(rows), other=percent(1 - agree / rows))  # fmt: skip
    suggestion = {"system": {"prediction": {"column": decision_name, "favourable": list(turned)}}}
    return Wart("intake.reversed", "question", text, decision_name, rows - agree, (), suggestion)


def _marked(codes: NDArray[np.int32], keys: list[str], good: Sequence[Any]) -> NDArray[np.int8]:
    table = np.array([any(same_value(value, key) for value in good) for key in keys] + [-1], dtype=np.int8)  # fmt: skip
    return table[codes]
