"""The stress tests of the peers method on a result that stands: the rest is not computed again.

What comes out is, byte for byte, what the whole run gives with the same plan.
"""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from engine.base.canonical import canonical_json, plain, sha256_of
from engine.base.problems import Cancelled
from engine.base.watch import Watch
from engine.cohort.prepare import prepare
from engine.methods.peers import again, stress
from engine.models.apply import add_decisions
from engine.plan.form import to_dict
from engine.plan.model import Plan

from .inputs import inputs_of, software
from .road import read_sources, run
from .writing import csv_text

PEERS = "peers"
TABLE = "tables/stress.csv"


@dataclasses.dataclass(frozen=True)
class Stressed:
    """A result with its stress tests.

    Attributes
    ----------
    plan : Plan
        As it ran: ``stress_cells`` says how many runs were made where the others were stopped.
    json : str
        The text of result.json.
    files : mapping of name to bytes
        All tables.
    done, of : int
        Runs made, and asked for.
    """

    plan: Plan
    json: str
    files: dict[str, bytes]
    done: int
    of: int


def stress_tests(
    *,
    plan: Plan,
    base: Path,
    result: Mapping[str, Any] | None,
    files: Mapping[str, bytes],
    watch: Watch,
    ready: Callable[[Callable[[], Stressed]], object] | None = None,
) -> Stressed:
    """Run the stress tests that a plan asks for, on the result that there is.

    Where that result is not of this plan, these data and this program, the audit runs first. A
    stop while the tests run ends them after the one that runs, and keeps what is done.

    Parameters
    ----------
    plan : Plan
        Whose peers method asks for stress tests; ``stress_cells`` is not heeded.
    base : Path
        The folder to which the plan's paths are relative.
    result : mapping or None
        result.json of the last run.
    files : mapping of name to bytes
        Its tables.
    watch : Watch
    ready : callable, optional
        Gets, before the first test, a function that makes the whole of what is done by then: for
        whoever gives up this work at once and still wants to keep it.

    Raises
    ------
    Refused, Cancelled
        As :func:`engine.run.run`; cancelled only before the first test is done.
    """
    plan = _asking(plan, stress_cells=None)
    settings = plan.methods[PEERS]
    with threadpool_limits(limits=1):
        tables, joins = read_sources(plan, base, watch.part(0.0, 0.05), {}, None)
        inputs = plain(inputs_of(plan=plan, base=base, tables=tables, joins=joins))
        start = 0.1
        if result is None or not _stands(plan, result, inputs):
            start = 0.5
            bare = _asking(plan, stress=[])
            made = run(
                plan=bare, base=base, watch=watch.part(0.05, start), tables=tables, joins=joins
            )
            result = json.loads(made.json)
            files = {f"tables/{k}.csv": csv_text(t).encode() for k, t in made.tables.items()}
        assert result is not None
        known = again.known_entries(
            before=result["plan"]["methods"][PEERS], now=settings, written=_table(files, TABLE)
        )
        entries: list[stress.Entry] = []
        base_result, base_files = result, files
        mine, others = (
            _table(files, "tables/peers.csv"),
            _table(files, "tables/peers_unprotected.csv"),
        )
        if mine is None or others is None:  # nobody could be compared
            return _whole(plan, result, files, entries, 0)
        quiet = Watch(stop=watch.stop)
        cohort = prepare(plan=plan, tables=tables, joins=joins, watch=quiet)
        cohort = add_decisions(cohort=cohort, plan=plan, base=base, watch=quiet)
        setup = again.setup_of(
            cohort=cohort, plan=plan, settings=settings,
            tables={"peers": mine, "peers_unprotected": others},
        )  # fmt: skip
        cells = len(stress.cells(setup))

        def whole() -> Stressed:
            return _whole(plan, base_result, base_files, list(entries), cells)

        if ready is not None:
            ready(whole)
        try:
            stress.run(setup=setup, watch=watch.part(start, 1.0), known=known, keep=entries)
        except Cancelled:
            if not entries:
                raise
    return whole()


def _asking(plan: Plan, **settings: Any) -> Plan:
    """The plan with other settings of the peers method."""
    given = {**plan.methods[PEERS], **settings}
    return dataclasses.replace(plan, methods={**plan.methods, PEERS: given})


def _stands(plan: Plan, result: Mapping[str, Any], inputs: Any) -> bool:
    """Whether a result is that of this plan but for the stress tests, of these data and program."""
    return (
        PEERS in result
        and result["inputs"] == inputs
        and result["software"] == plain(software())
        and again.differs_only_in_stress(result["plan"], plain(to_dict(plan)))
    )


def _table(files: Mapping[str, bytes], name: str) -> pd.DataFrame | None:
    """A written table as text: pandas' own parser of numbers is not exact in every version."""
    data = files.get(name)
    if data is None:
        return None
    return pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)


def _whole(
    plan: Plan,
    result: Mapping[str, Any],
    files: Mapping[str, bytes],
    entries: list[stress.Entry],
    cells: int,
) -> Stressed:
    if len(entries) < cells:
        plan = _asking(plan, stress_cells=len(entries))
    as_run = plain(to_dict(plan))
    part, table = again.with_stress(part=result[PEERS], entries=entries, cells=cells)
    made = {**result, "plan": as_run, "plan_sha256": sha256_of(as_run), PEERS: part}
    written = {name: data for name, data in files.items() if name != TABLE}
    if not part["reason"] or cells:
        written[TABLE] = csv_text(table).encode()
    return Stressed(plan, canonical_json(made), written, len(entries), cells)
