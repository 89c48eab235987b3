"""Plans about monitoring, run by the public road, and simulated years."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from engine.methods.asking import read_plan
from engine.run import run
from engine.run.road import Run


def audit(folder: Path, settings: dict[str, Any] | None = None, **changes: Any) -> Run:
    """An audit of monitoring alone."""
    plan: dict[str, Any] = {
        "schema": "fairassay-plan/1",
        "data": {"test": {"path": "people.csv"}},
        "system": {"prediction": {"column": "ok", "favourable": [1]}},
        "protected": [{"column": "sex", "privileged": ["M"]}],
        "methods": {"monitoring": {"date": "date", **(settings or {})}},
    }
    done = run(plan=read_plan(plan | changes), base=folder)
    assert done.json
    return done


def told(done: Run) -> None:
    """Everything that is made of the numbers can be made."""
    from engine.drawing.tables import table_of

    assert done.findings["monitoring"]
    keys = {chart.key for chart in done.charts["monitoring"]}
    for chart in done.charts["monitoring"]:
        assert table_of(chart).columns
    for section in done.sections["monitoring"]:
        assert set(section.charts) <= keys
        for table in section.tables:
            assert all(len(row) == len(table.columns) == len(table.align) for row in table.rows)


def year(
    rates: dict[str, list[float]], *, n: int = 400, seed: int = 1, form: str = "%Y-%m-%d"
) -> pd.DataFrame:
    """A year of decisions: for each group its favourable rate in each month, met exactly."""
    rng = np.random.default_rng(seed)
    rows = []
    for sex, monthly in rates.items():
        for month, rate in enumerate(monthly, start=1):
            days = rng.integers(1, 29, n)
            for i, day in enumerate(days):
                when = pd.Timestamp(2026, month, int(day)).strftime(form)
                rows.append((when, sex, int(i < round(rate * n))))
    frame = pd.DataFrame(rows, columns=["date", "sex", "ok"])
    frame.insert(0, "id", np.arange(len(frame)) + 1)
    return frame


def save(folder: Path, frame: pd.DataFrame, name: str = "people.csv") -> Path:
    """Write a file; gives its folder."""
    frame.to_csv(folder / name, index=False)
    return folder
