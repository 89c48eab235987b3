"""One person factual and counterfactual, column by column along the arrows, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from engine.base.wording import interval, listed, number, percent
from engine.drawing.model import GraphChart
from engine.messages import say
from engine.methods.arrows import graph_chart

from .tables import ALONE, CHANGE, GRAPH, GROUP, HIGH, LOW, OTHER, PERSON, WHY, then_name

DIGITS = 3


@dataclass(frozen=True)
class Step:
    """One column of a person: as it is, as it would have been, and what moves it."""

    node: str
    now: str
    then: str
    causes: tuple[str, ...]
    moved: bool


@dataclass(frozen=True)
class Person:
    """One person's page.

    Attributes
    ----------
    name : str
        Id, or row number.
    sentence : str
        What would have been, in words.
    steps : tuple of Step
        Along the arrows, the target last; empty where the person is not evaluated.
    chart : GraphChart or None
        The graph with the person's values in its nodes.
    """

    name: str
    sentence: str
    steps: tuple[Step, ...] = ()
    chart: GraphChart | None = None


def people_of(*, table: pd.DataFrame, graph: str) -> list[str]:
    """The names of the people in a table, in its order, each once."""
    return list(dict.fromkeys(map(str, table.loc[table[GRAPH] == graph, PERSON])))


def person(
    *,
    table: pd.DataFrame,
    result: Mapping[str, Any],
    graph: str,
    name: str,
    other: str | None = None,
) -> Person:
    """One person's counterfactual under one graph.

    Parameters
    ----------
    table : DataFrame
        ``tables["counterfactual"]`` of a run.
    result : mapping
        ``result["counterfactual"]``.
    graph : str
        A graph's name.
    name : str
        The person's id, or row number as text.
    other : str, optional
        The group that they are put into; the first of their alternatives.

    Raises
    ------
    KeyError
        Where the table has no such person or alternative.
    """
    part = result["graphs"][graph]
    rows = table[(table[GRAPH] == graph) & (table[PERSON].astype(str) == str(name))]
    if other is not None and (rows[WHY] == "").any():
        rows = rows[rows[OTHER] == other]
    if not len(rows):
        raise KeyError(name)
    row = rows.iloc[0]
    if row[WHY]:
        return Person(str(name), say("counterfactual.person_not", name=name, reason=row[WHY]))
    target = result["target"]["name"]
    nodes = [n for n in part["moved"] if n != target]
    steps = [_step(row, node, part) for node in [*nodes, target]]
    direct = [p for p, end in part["edges"] if end == target]
    moved = [
        say("counterfactual.person_step", node=s.node, then=s.then, now=s.now)
        for s in steps[:-1]
        if s.moved
    ]
    code = "counterfactual.person" if steps[-1].moved else "counterfactual.person_stays"
    if result["target"]["kind"] in ("outcome", "decision"):
        code = "counterfactual.person_chance"
    text = say(
        code, name=name, attribute=result["attribute"], other=row[OTHER],
        group=row[GROUP], target=target, then=steps[-1].then, now=steps[-1].now,
        change=_value(row[CHANGE], sign=True),
        chance=percent(float(row[then_name(target)]), digits=0),
        seen="favourable" if row[target] == 1 else "unfavourable",
    )  # fmt: skip
    if code != "counterfactual.person_chance" and _value(row[HIGH]) != _value(row[LOW]):
        ends = interval(float(row[LOW]), float(row[HIGH]), digits=_digits(row[CHANGE]), sign=True)
        text += " " + say("counterfactual.person_draws", interval=ends)
    text += " " + (
        say("counterfactual.person_because", steps=listed(moved))
        if moved
        else say("counterfactual.person_same")
    )
    if steps[-1].moved and (part["root"] in direct or result["target"]["kind"] == "model"):
        text += " " + say("counterfactual.person_alone", change=_value(row[ALONE], sign=True))
    return Person(str(name), text, tuple(steps), _chart(result, part, row, steps, graph))


def _step(row: pd.Series, node: str, part: Mapping[str, Any]) -> Step:
    now, then = row[node], row[then_name(node)]
    causes = tuple(a for a, b in part["edges"] if b == node)
    same = now == then if isinstance(now, str) else bool(np.isclose(float(now), float(then)))
    return Step(node, _value(now), _value(then), causes, not same)


def _digits(value: Any) -> int:
    size = abs(float(value))
    return 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 1 else DIGITS


def _value(value: Any, *, sign: bool = False) -> str:
    """A value as a person reads it: whole numbers without decimals, few digits else."""
    if isinstance(value, str) or value is None:
        return str(value)
    rounded = float(np.round(float(value), 9))
    digits = 0 if rounded.is_integer() else _digits(rounded)
    return number(rounded, digits=digits, sign=sign)


def _chart(
    result: Mapping[str, Any],
    part: Mapping[str, Any],
    row: pd.Series,
    steps: list[Step],
    graph: str,
) -> GraphChart:
    texts = {s.node: f"{s.now} → {s.then}" if s.moved else s.now for s in steps}
    texts[part["root"]] = f"{row[GROUP]} → {row[OTHER]}"
    return graph_chart(
        key="counterfactual-person",
        title=f"Person {row[PERSON]}, {graph}",
        sentence="In each node the value now and the value it would have had.",
        edges=part["edges"],
        roles=part["roles"],
        root=part["root"],
        target=result["target"]["name"],
        labels={},
        texts=texts,
        positions=part["positions"],
    )
