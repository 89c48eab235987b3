"""The system asked anew: a stand-in or a model file scores people as they would have been."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.causal.build import Question
from engine.causal.people import Values
from engine.messages import say
from engine.models.encoding import is_numeric, numbers, texts

Floats = NDArray[np.float64]

MOST_ROWS = 200_000
"""Rows that a model is handed at once."""


@dataclass(frozen=True)
class Rescorer:
    """A model and what it needs to score people in another group.

    Attributes
    ----------
    fitted : Predictor
    frame : DataFrame, n rows
        The people as they are.
    values : mapping of node to Values
    swapped : object array of shape (groups, n), or None
        The protected column's value that each person gets in each group, where the model reads it.
    column : str or None
    note : str
        How the protected column's value was chosen; empty where the model does not read it.
    """

    fitted: Any
    frame: pd.DataFrame
    values: Mapping[str, Values]
    swapped: Any = None
    column: str | None = None
    note: str = ""

    def score(
        self, rows: NDArray[np.int64], other: NDArray[np.int64], then: Mapping[str, Floats]
    ) -> tuple[Floats, NDArray[np.int8]]:
        """Score and decision of people in their other group.

        Parameters
        ----------
        rows : int array, shape (m,)
            Which people.
        other : int array, shape (m,)
            The group that each is put into.
        then : mapping of node to float array, shape (m,) or (draws, m)
            Their columns as they would have been.

        Returns
        -------
        float array and int8 array, shape (m,) or (draws, m)
        """
        shape = np.broadcast_shapes((len(rows),), *(np.shape(v) for v in then.values()))
        draws = shape[0] if len(shape) == 2 else 1
        step = max(1, MOST_ROWS // max(1, len(rows)))
        scores, decisions = [], []
        for start in range(0, draws, step):
            take = min(step, draws - start)
            part = self.frame.iloc[np.tile(rows, take)].reset_index(drop=True)
            changed: dict[str, Any] = {}
            for node, values in then.items():
                if node in self.fitted.columns:
                    flat = values[start : start + take] if values.ndim == 2 else values[None]
                    flat = np.broadcast_to(flat, (take, len(rows))).reshape(-1)
                    changed[node] = self._column(node, flat)
            if self.swapped is not None and self.column is not None:
                mine = self.swapped[other, rows]
                changed[self.column] = self._own(np.tile(mine, take))
            score, decision = self.fitted.both(part.assign(**changed))
            scores.append(score.reshape(take, len(rows)))
            decisions.append(decision.reshape(take, len(rows)))
        score, decision = np.concatenate(scores), np.concatenate(decisions)
        return (score, decision) if len(shape) == 2 else (score[0], decision[0])

    def _column(self, node: str, flat: Floats) -> Any:
        one = self.values[node]
        if not one.levels:
            return flat
        codes = np.where(np.isfinite(flat), flat, -1).astype(np.int64)
        return pd.Categorical.from_codes(codes, categories=pd.Index(one.levels))

    def _own(self, values: Any) -> Any:
        assert self.column is not None
        if is_numeric(self.frame[self.column]):
            return values.astype(np.float64)
        return pd.Categorical(values)


def rescorer_of(question: Question, values: Mapping[str, Values]) -> Rescorer:
    """Prepare a model, and the protected column's value of each person in each group."""
    fitted, frame = question.cohort.fitted, question.sample.frame
    column = question.attribute.column
    if column is None or column not in fitted.columns:
        return Rescorer(fitted, frame, values)
    swapped, how = swap(frame[column], question.group.values, len(question.attribute.groups))
    note = say("causal.assume_place", column=column, how=how)
    return Rescorer(fitted, frame, values, swapped, column, note)


def swap(series: pd.Series, group: Floats, groups: int) -> tuple[Any, str]:
    """Each person's value of the protected column in every group.

    Numbers keep the person's rank (the 30th of 100 youngest becomes the 30th of 100 oldest), texts
    become the other group's most frequent one. In their own group people keep their value.

    Returns
    -------
    object array of shape (groups, n), and how it was done in words
    """
    n = len(series)
    if is_numeric(series):
        own = numbers(series)
        out = np.tile(own, (groups, 1))
        rank = np.full(n, np.nan)
        for g in range(groups):
            mine = np.flatnonzero((group == g) & np.isfinite(own))
            order = np.argsort(own[mine], kind="stable")
            rank[mine[order]] = (np.arange(len(mine)) + 0.5) / max(1, len(mine))
        for g in range(groups):
            seen = own[(group == g) & np.isfinite(own)]
            others = np.isfinite(rank) & (group != g)
            if len(seen):
                out[g, others] = np.quantile(seen, rank[others], method="inverted_cdf")
        return out, "the number at the same rank"
    category = texts(series)
    labels = np.array([*map(str, category.categories), None], dtype=object)
    own_texts = labels[category.codes]
    table = np.tile(own_texts, (groups, 1))
    for g in range(groups):
        codes = category.codes[(group == g) & (category.codes >= 0)]
        if len(codes):
            table[g, group != g] = labels[np.bincount(codes).argmax()]
    return table, "the most frequent value"
