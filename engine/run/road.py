"""Read the files, make the cohort, run the methods, assemble the result."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from engine.base.canonical import canonical_json, plain, sha256_of
from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.cohort.model import Cohort
from engine.cohort.prepare import prepare
from engine.drawing.model import Chart
from engine.intake.model import Table
from engine.intake.read import read
from engine.messages import say
from engine.methods import NAMES, method, room
from engine.methods.asking import columns_of
from engine.methods.base import Computed, Finding, Section
from engine.models.apply import add_decisions
from engine.plan.form import to_dict
from engine.plan.model import Plan

from .inputs import inputs_of, software, unread_rows
from .roles import role_warnings
from .steps import steps

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "fairassay-result/1"
ROLES = ("training", "test", "all")


@dataclass(frozen=True)
class Run:
    """One audit, done.

    Attributes
    ----------
    plan : Plan
    result : dict
        The contract's result: plain values, no NaN.
    tables : mapping of file stem to table
        Written to ``tables/<stem>.csv``; headings are in words.
    base : Path
        The folder to which the plan's paths are relative.
    cohort : Cohort
        The people, for pages that show single ones.
    """

    plan: Plan
    result: dict[str, Any]
    tables: Mapping[str, pd.DataFrame]
    base: Path
    cohort: Cohort

    @cached_property
    def json(self) -> str:
        """The result as canonical JSON, the text of ``result.json``."""
        return canonical_json(self.result)

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that ran, in the order in which they are printed."""
        return tuple(name for name in NAMES if name in self.result)

    @cached_property
    def charts(self) -> dict[str, tuple[Chart, ...]]:
        """Each method's charts."""
        return {
            name: tuple(room(name, "figures").figures(result=self.result[name], tables=self.tables))
            for name in self.methods
        }

    @cached_property
    def findings(self) -> dict[str, tuple[Finding, ...]]:
        """Each method's findings, numbers as sentences."""
        return {
            name: tuple(room(name, "findings").findings(result=self.result[name], plan=self.plan))
            for name in self.methods
        }

    @cached_property
    def sections(self) -> dict[str, tuple[Section, ...]]:
        """Each method's sections of the report."""
        return {
            name: tuple(room(name, "findings").sections(result=self.result[name], plan=self.plan))
            for name in self.methods
        }


def run(
    *,
    plan: Plan,
    base: Path,
    watch: Watch | None = None,
    tables: Mapping[str, Table] | None = None,
    joins: Sequence[Table] | None = None,
) -> Run:
    """Do an audit as its plan asks.

    Parameters
    ----------
    plan : Plan
    base : pathlib.Path
        The folder to which the plan's paths are relative.
    watch : Watch, optional
    tables : mapping of role to Table, optional
        Tables that were read already, from these very files; the others are read.
    joins : sequence of Table, optional
        The same for the files to be joined, in the order of the plan.

    Raises
    ------
    Refused
        Where the plan and the data do not go together.
    Cancelled
        Where the watch asks for it.
    """
    watch = watch or Watch()
    with threadpool_limits(limits=1):
        tables, joins = read_sources(plan, base, watch.part(0.0, 0.3), tables or {}, joins)
        cohort = prepare(plan=plan, tables=tables, joins=joins, watch=watch.part(0.3, 0.4))
        _check_columns(plan, cohort)
        cohort = add_decisions(cohort=cohort, plan=plan, base=base, watch=watch.part(0.4, 0.5))
        computed, skipped = _compute(plan, cohort, watch.part(0.5, 1.0))
    as_run = plain(to_dict(plan))
    exclusions, warnings = list(cohort.exclusions), list(cohort.warnings)
    warnings.extend(role_warnings(plan=plan, cohort=cohort))
    for name in skipped:
        text = say("run.not_applicable", title=method(name).title)
        warnings.append({"code": "run.not_applicable", "text": text, "where": f"methods.{name}"})
    for part in computed.values():
        exclusions.extend(part.exclusions)
        warnings.extend(part.warnings)
    result: dict[str, Any] = {
        "schema": SCHEMA,
        "software": software(),
        "plan": as_run,
        "plan_sha256": sha256_of(as_run),
        "inputs": inputs_of(plan=plan, base=base, tables=tables, joins=joins),
        "exclusions": exclusions,
        "warnings": _once(warnings),
        "steps": steps(plan=plan, cohort=cohort),
    }
    if cohort.fitted is not None:
        result["system"] = cohort.fitted.describe()
    for name, part in computed.items():
        result[name] = part.result
    written = {stem: table for part in computed.values() for stem, table in part.tables.items()}
    written |= unread_rows([*tables.values(), *joins])
    return Run(plan=plan, result=plain(result), tables=written, base=base, cohort=cohort)


def _once(warnings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for warning in warnings:
        if warning not in kept:
            kept.append(warning)
    return kept


def read_sources(
    plan: Plan,
    base: Path,
    watch: Watch,
    tables: Mapping[str, Table],
    joins: Sequence[Table] | None,
) -> tuple[dict[str, Table], list[Table]]:
    """Read what was not read yet; problems of all files are told together."""
    wanted = [(role, getattr(plan.data, role)) for role in ROLES]
    wanted = [(role, source) for role, source in wanted if source is not None]
    ready = dict(tables)
    further = list(joins) if joins is not None else []
    todo: list[tuple[str, Any]] = [(role, source) for role, source in wanted if role not in ready]
    if joins is None:
        todo += [("", join.source) for join in plan.join]
    problems: list[Problem] = []
    for i, (role, source) in enumerate(todo):
        part = watch.part(i / len(todo), (i + 1) / len(todo))
        try:
            table = read(source=source, base=base, watch=part)
        except Refused as refused:
            problems += [p for p in refused.problems if p not in problems]
            continue
        if role:
            ready[role] = table
        else:
            further.append(table)
    if problems:
        raise Refused(problems)
    return {role: ready[role] for role, _ in wanted}, further


def _check_columns(plan: Plan, cohort: Cohort) -> None:
    """Refuse a method's setting that names a column which no source has."""
    samples = [s for s in (cohort.training, cohort.test, cohort.whole) if s is not None]
    known = list(dict.fromkeys(str(c) for s in samples for c in s.frame.columns))
    problems = [
        Problem(
            plan.name,
            f"methods.{name}.{setting}",
            say(
                "run.no_method_column",
                column=column,
                mend=mend(column, known, otherwise="the columns are"),
            ),
        )
        for name, settings in plan.methods.items()
        for setting, column in columns_of(name, settings)
        if column not in known
    ]
    if problems:
        raise Refused(problems)


def _compute(plan: Plan, cohort: Cohort, watch: Watch) -> tuple[dict[str, Computed], list[str]]:
    """Run the methods that the plan names, in the registry's order."""
    asked = [name for name in NAMES if name in plan.methods]
    computed: dict[str, Computed] = {}
    skipped: list[str] = []
    for i, name in enumerate(asked):
        described = method(name)
        part = watch.part(i / len(asked), (i + 1) / len(asked))
        if described.needs_decisions and cohort.decided is None:
            skipped.append(name)
            continue
        part.say(described.title, fraction=0.0)
        try:
            computed[name] = room(name, "compute").compute(
                cohort=cohort, plan=plan, settings=plan.methods[name], watch=part
            )
        except Refused as refused:
            raise Refused(
                dataclasses.replace(
                    problem,
                    file=problem.file or plan.name,
                    place=problem.place or f"methods.{name}",
                )
                for problem in refused.problems
            ) from None
    return computed, skipped
