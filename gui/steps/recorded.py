"""The recorded outcomes of the training data, counted in a job before anything is run."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.base.scratch import PREFIX
from engine.procedure.basis import DATA_ROLES, items_of
from engine.procedure.plan_of import plan_dict
from gui.session import Session, extract_items

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.intake.model import Table
    from engine.plan.model import Plan


@dataclass(frozen=True)
class Recorded:
    """What step 4 shows.

    Attributes
    ----------
    part : mapping
        The certification of the recorded outcomes alone.
    plan : Plan
    rows : int
        Rows that a stand-in learns from where a part is kept for the test, else those counted.
    all_rows : int
        Rows of the people counted here.
    role : str
        ``training`` or ``all``, as the rows are used.
    warnings : tuple of str
        What the preparation says about these rows.
    """

    part: Mapping[str, Any]
    plan: Plan
    rows: int
    all_rows: int
    role: str
    warnings: tuple[str, ...]


def training_plan(state: Mapping[str, Any]) -> dict[str, Any]:
    """The case's plan with no system but a stand-in, whose split decides who is learnt from."""
    plan = plan_dict(state)
    train = (plan.pop("system", None) or {}).get("train")
    if train is not None:
        plan["system"] = {"train": train}
    plan["methods"] = {"certification": {}}
    return plan


def tables_at_hand(session: Session) -> tuple[dict[str, Table], list[Table]] | None:
    """The tables that the session has read, by role and in the order of the joins; None where a
    source has several files, which the engine reads as one."""
    state = session.state
    tables: dict[str, Table] = {}
    for role in DATA_ROLES:
        members = items_of(state, role)
        if len(members) > 1:
            return None
        for item in members:
            table = session.table(item["id"])
            if table is None:
                return None
            tables[role] = table
    joins: list[Table] = []
    for item in items_of(state, "join"):
        table = session.table(item["id"])
        if table is None or item.get("part_of"):
            return None
        joins.append(table)
    return tables, joins


def count_recorded(
    session: Session, state: Mapping[str, Any], known: Any, watch: Watch
) -> Recorded:
    """Count the recorded outcomes of the training data; runs in a job.

    Raises
    ------
    Refused
        Where plan and data do not go together yet; the texts say what to mend.
    """
    from engine.cohort.prepare import prepare
    from engine.methods import room
    from engine.methods.asking import read_plan

    plan = read_plan(training_plan(state))
    tables, joins = known if known is not None else _read(session, state, plan, watch)
    cohort = prepare(plan=plan, tables=tables, joins=joins, watch=watch.part(0.4, 0.7))
    computed = room("certification", "compute").compute(
        cohort=cohort, plan=plan, settings={}, watch=watch.part(0.7, 1.0)
    )
    sample = cohort.recorded
    rows = len(sample) if sample is not None else 0
    split = cohort.test_rows is not None and cohort.training is not None
    warnings = [w["text"] for w in (*cohort.warnings, *computed.warnings)]
    return Recorded(
        part=computed.result,
        plan=plan,
        rows=len(cohort.training) if split and cohort.training is not None else rows,
        all_rows=rows,
        role=sample.role if sample is not None else "",
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _read(
    session: Session, state: Mapping[str, Any], plan: Plan, watch: Watch
) -> tuple[dict[str, Table], list[Table]]:
    from engine.intake.read import read

    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        base = Path(folder)
        extract_items(session.case, state, base, watch)
        tables = {
            role: read(source=source, base=base, watch=watch.part(0.0, 0.4))
            for role in DATA_ROLES
            if (source := getattr(plan.data, role)) is not None
        }
        joins = [read(source=join.source, base=base, watch=watch) for join in plan.join]
    return tables, joins
