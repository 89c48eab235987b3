"""People, one row each: as they are, as they would have been, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from engine.causal.build import Built, Question
from engine.causal.people import known
from engine.cohort.labels import words_of

from .shifts import Pass

GRAPH, PERSON, GROUP, OTHER = "Graph", "Person", "Group", "Instead in group"
CHANGE, LOW, HIGH, ALONE = "Change", "Change from", "Change to", "Change if only the group flips"
OVER, WHY = "Share of draws that matter", "Not evaluated because"
UP, DOWN = "Chance of a flip to favourable", "Chance of a flip to unfavourable"


def called(result: Mapping[str, Any], key: str) -> str:
    """The printed name of a group, by its key."""
    return str(result.get("words", {}).get(key, key))


def then_name(node: str) -> str:
    """The heading of a column as it would have been."""
    return f"{node}, would have been"


def person_table(
    *, question: Question, built: Built, passes: Sequence[Pass], result: Mapping[str, Any]
) -> pd.DataFrame:
    """One row a person and alternative; people who are not evaluated stand once, with the reason.

    Returns
    -------
    DataFrame
        ``Graph``, ``Person`` (id, else row from 1), ``Group`` and ``Instead in group`` by their
        printed names, every column
        between as it is and as it would have been, the target likewise, ``Change`` with its bounds
        over draws, the change if only the group flips.
    """
    n = len(question.sample)
    name, plan = question.attribute.name, question.plan
    called = [words_of(plan=plan, attribute=name, key=g.key) for g in question.attribute.groups]
    keys = np.array([*called, ""], dtype=object)
    ids = question.sample.ids
    persons = np.arange(1, n + 1).astype(object) if ids is None else ids
    group = question.group.values
    codes = np.where(np.isfinite(group), group, len(keys) - 1).astype(int)
    between = [node for node in built.world.moved if node != built.world.target]
    target = question.target
    parts = []
    for place, one in enumerate(passes):
        rows = np.arange(n) if place == 0 else np.flatnonzero(built.evaluated)
        evaluated = built.evaluated[rows]
        data: dict[str, Any] = {
            GRAPH: built.graph.name,
            PERSON: persons[rows],
            GROUP: keys[codes[rows]],
            OTHER: np.where(evaluated, keys[one.other[rows]], ""),
        }
        for node in between:
            values = built.values[node]
            data[node] = values.shown(values.values[rows])
            data[then_name(node)] = values.shown(one.nodes[node][rows])
        now = target.values.values[rows]
        data[target.name] = now
        data[then_name(target.name)] = one.target[rows]
        data[CHANGE] = one.shift[rows]
        data[LOW] = one.low[rows] - now
        data[HIGH] = one.high[rows] - now
        data[ALONE] = one.along[0, rows]
        data[OVER] = one.over[rows]
        if one.up is not None and one.down is not None:
            data[UP], data[DOWN] = one.up[rows], one.down[rows]
        data[WHY] = np.where(evaluated, "", _why(question, built, rows))
        parts.append(pd.DataFrame(data))
    return pd.concat(parts, ignore_index=True)


def _why(question: Question, built: Built, rows: Any) -> Any:
    reason = np.full(len(rows), "weight is 0", dtype=object)
    for node in reversed(list(built.values)):
        if node != built.root:
            unknown = ~known(built.values, [node])[rows]
            reason[unknown] = f'"{node}" is not known'
    reason[~np.isfinite(question.group.values[rows])] = f"{question.attribute.name} is not known"
    return reason
