"""The few calls from the window into the heavy rooms of the engine; each imports when called.

:func:`read_table` and :func:`run_plan` run in jobs. What they import stays loaded.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from engine.base.watch import Watch
    from engine.drawing.model import Chart
    from engine.intake.model import Table
    from engine.methods.base import Finding, Section
    from engine.plan.model import Plan, Source


@dataclass(frozen=True)
class Outcome:
    """What a run leaves: canonical result.json, the plan's fingerprint, further files by name."""

    result_json: bytes
    plan_sha256: str
    files: Mapping[str, bytes]


def source_of(path: str, reading: Mapping[str, Any]) -> Source:
    """A file and how it is to be read, from an item's ``reading`` (JSON)."""
    from engine.plan.model import Source

    given = {
        k: v for k, v in reading.items() if v is not None and k not in ("test_share", "stratify")
    }
    for key in ("columns", "rows"):
        if key in given:
            given[key] = tuple(given[key])
    if isinstance(given.get("missing"), list):
        given["missing"] = tuple(given["missing"])
    elif isinstance(given.get("missing"), Mapping):
        given["missing"] = {k: tuple(v) for k, v in given["missing"].items()}
    return Source(path=(path,), **given)


def read_table(path: Path, reading: Mapping[str, Any], watch: Watch) -> Table:
    """Read a received file as its item says.

    Raises
    ------
    Refused
        Where it cannot be read so.
    """
    from engine.intake.read import read

    return read(source=source_of(path.name, reading), base=path.parent, watch=watch)


def first_rows(path: Path) -> Table:
    """The first rows of a file, as they are understood before anybody has said anything.

    Raises
    ------
    Refused
        Where they cannot be read.
    """
    from engine.intake.read import preview

    return preview(source=source_of(path.name, {}), base=path.parent)


def run_plan(plan: Mapping[str, Any], folder: Path, watch: Watch) -> Outcome:
    """Run a plan (its file form) on the files in a folder, as ``audit`` of the command line does."""
    from engine.methods.asking import read_plan
    from engine.run import run
    from engine.run.writing import csv_text

    done = run(plan=read_plan(dict(plan)), base=folder, watch=watch)
    files = {f"tables/{stem}.csv": csv_text(table).encode() for stem, table in done.tables.items()}
    return Outcome(done.json.encode(), str(done.result["plan_sha256"]), files)


_ZERO_FIRST = re.compile(rb'(?:^|[,\n])"?[-+]?0\d')


def table_from(data: bytes) -> pd.DataFrame:
    """A table as the engine made it, from its CSV.

    A blank text is an empty text; ``NA``, ``None`` and the like are the texts that they are; a name
    such as 007 keeps its zeros. A blank number is NaN.
    """
    import pandas

    plain: dict[str, Any] = {"keep_default_na": False, "na_values": [""]}
    table = pandas.read_csv(io.BytesIO(data), **plain)
    if _ZERO_FIRST.search(data):
        as_text = pandas.read_csv(io.BytesIO(data), **plain, dtype=str)
        for column in table:
            if as_text[column].str.match(r"[-+]?0\d").any():
                table[column] = as_text[column]
    for column in table:
        if not pandas.api.types.is_numeric_dtype(table[column].dtype):
            table[column] = table[column].fillna("")
    return table


class Reading:
    """A result as the window shows it: charts, findings and sections of each method, when asked.

    Made from the stored ``result.json`` and tables alone, so it is the same after reopening.
    """

    def __init__(self, result: dict[str, Any], files: Mapping[str, bytes]) -> None:
        self.result = result
        self._files = files

    @cached_property
    def plan(self) -> Plan:
        """The plan as it ran."""
        from engine.methods.asking import read_plan

        return read_plan(self.result["plan"])

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The run's tables by file stem, as written; see :func:`table_from`."""
        return {
            Path(name).stem: table_from(data)
            for name, data in self._files.items()
            if name.startswith("tables/")
        }

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that ran, in order."""
        from engine.methods import NAMES

        return tuple(name for name in NAMES if name in self.result)

    def charts(self, method: str) -> dict[str, Chart]:
        """A method's charts by key."""
        from engine.methods import room

        made = room(method, "figures").figures(result=self.result[method], tables=self.tables)
        return {chart.key: chart for chart in made}

    def findings(self, method: str) -> list[Finding]:
        """A method's findings."""
        from engine.methods import room

        return list(room(method, "findings").findings(result=self.result[method], plan=self.plan))

    def sections(self, method: str) -> list[Section]:
        """A method's sections of the report."""
        from engine.methods import room

        return list(room(method, "findings").sections(result=self.result[method], plan=self.plan))


def selftest(folder: Path, watch: Watch) -> bool:
    """Recompute the published figures; the report goes into a folder."""
    from engine import selftest as testing

    folder.mkdir(parents=True, exist_ok=True)
    return bool(testing.main(out=folder, watch=watch))


def warm(watch: Watch) -> None:
    """Load what the pages need soon, while the person reads the first page."""
    import importlib

    modules = (
        "numpy",
        "pandas",
        "engine.intake.read",
        "scipy.stats",
        "engine.run",
        "matplotlib.figure",
        "engine.drawing.screen",
    )
    for name in modules:
        watch.check()
        importlib.import_module(name)
