"""What the columns of the test data hold, looked through in a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.procedure.basis import items_of

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.intake.model import Table
    from gui.session import Session

MOST_VALUES = 24
"""More different values than this are not offered one by one."""


@dataclass(frozen=True)
class Column:
    """One column: ``type`` in words, its first ``values`` with the number of people, how many
    different ones there are, an example, and the ends of its numbers."""

    name: str
    type: str
    numeric: bool
    values: tuple[tuple[Any, int], ...]
    distinct: int
    example: str
    low: float | None = None
    high: float | None = None


def columns_of(tables: Sequence[Table], watch: Watch) -> dict[str, Column]:
    """The columns of several tables, the first that has a name wins; runs in a job."""
    found: dict[str, Column] = {}
    for table in tables:
        types = table.detected.get("types") or {}
        for name in map(str, table.frame.columns):
            watch.check()
            if name not in found:
                found[name] = _column(name, table.frame[name], str(types.get(name, "")))
    return found


def _column(name: str, series: Any, kind: str) -> Column:
    import pandas as pd

    from engine.base.wording import number
    from engine.intake.values import value_key

    numeric = bool(pd.api.types.is_numeric_dtype(series.dtype))
    counts = series.value_counts(dropna=True)
    counts = counts[counts > 0]
    distinct = len(counts)
    values: tuple[tuple[Any, int], ...] = ()
    if distinct <= MOST_VALUES:
        pairs = [(_plain(value), int(n)) for value, n in counts.items()]
        values = tuple(sorted(pairs, key=lambda p: (isinstance(p[0], str), p[0])))
    known = series.dropna()
    example = value_key(known.iloc[0]) if len(known) else ""
    low = high = None
    if numeric and len(known):
        low, high = float(known.min()), float(known.max())
    kind = kind or ("number" if numeric else "text")
    if kind == "number" and len(known):
        example = number(float(known.iloc[0]), digits=3).rstrip("0").rstrip(".")
    return Column(name, kind, numeric, values, distinct, example, low, high)


def _plain(value: Any) -> Any:
    """A value as the plan writes it."""
    if isinstance(value, str):
        return value.strip()
    item = value.item() if hasattr(value, "item") else value
    if isinstance(item, bool | int):
        return item
    if isinstance(item, float):
        return int(item) if item.is_integer() else item
    return str(item)


def test_tables(session: Session) -> list[Table] | None:
    """The tables that the decisions may stand in, and those joined to them; None while read."""
    state = session.state
    members = items_of(state, "test") or items_of(state, "all")
    tables = []
    for item in [*members, *items_of(state, "join")]:
        table = session.table(item["id"])
        if table is None:
            if session.table_problems(item["id"]):
                continue
            return None
        tables.append(table)
    return tables


def training_tables(session: Session) -> list[Table] | None:
    """The tables that a stand-in learns from where they are files of their own, and those joined
    to them; empty where there are none, None while they are read."""
    state = session.state
    members = items_of(state, "training") if items_of(state, "test") else []
    tables = []
    for item in [*members, *items_of(state, "join")] if members else []:
        table = session.table(item["id"])
        if table is not None:
            tables.append(table)
        elif not session.table_problems(item["id"]):
            return None
    return tables


def used_columns(plan: Mapping[str, Any]) -> set[str]:
    """Columns that serve as outcome, id, weight, decision, score or amount."""
    used = {plan.get("id"), plan.get("weight"), (plan.get("outcome") or {}).get("column")}
    system = plan.get("system") or {}
    used |= {(system.get(k) or {}).get("column") for k in ("prediction", "score", "amount")}
    return {name for name in used if name}


def feature_names(plan: Mapping[str, Any], columns: Mapping[str, Column]) -> list[str]:
    """The columns that a stand-in may learn from (the contract's ``features``)."""
    if plan.get("features"):
        return list(plan["features"])
    used = used_columns(plan)
    return [name for name in columns if name not in used]
