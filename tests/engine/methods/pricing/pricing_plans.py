"""Plans about prices, run by the public road."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from engine.methods.asking import read_plan
from engine.run import run
from engine.run.road import Run


def audit(folder: Path, **changes: Any) -> Run:
    """An audit of prices alone."""
    plan: dict[str, Any] = {
        "schema": "fairassay-plan/1",
        "data": {"all": {"path": "people.csv"}},
        "system": {"amount": {"column": "rate", "adverse": "high"}},
        "protected": [{"column": "sex", "privileged": ["M"]}],
        "methods": {"pricing": {}},
    }
    done = run(plan=read_plan(plan | changes), base=folder)
    assert done.json  # no NaN, no infinity
    return done


def told(done: Run) -> None:
    """Everything that is made of the numbers can be made."""
    from engine.drawing.tables import table_of

    assert done.findings["pricing"] and done.sections["pricing"]
    keys = {chart.key for chart in done.charts["pricing"]}
    for chart in done.charts["pricing"]:
        assert table_of(chart).columns
    for section in done.sections["pricing"]:
        assert set(section.charts) <= keys
        for table in section.tables:
            assert all(len(row) == len(table.columns) for row in table.rows)
            assert len(table.align) == len(table.columns)


def people(folder: Path, columns: dict[str, Any]) -> Path:
    """A file of people; gives its folder."""
    pd.DataFrame(columns).to_csv(folder / "people.csv", index=False)
    return folder
