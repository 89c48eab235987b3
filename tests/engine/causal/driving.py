"""Audits by causal graphs, from a table and a plan to a run: the public road."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from engine.methods.asking import read_plan
from engine.run.road import Run, run


def ran(folder: Path, table: pd.DataFrame | None, methods: dict[str, Any], **plan: Any) -> Run:
    """Write the table into the folder and run the plan on it."""
    if table is not None:
        table.to_csv(folder / "people.csv", index=False)
    asked = {
        "schema": "fairassay-plan/1",
        "seed": 7,
        "data": {"test": {"path": "people.csv"}},
        "protected": [{"column": "A", "privileged": [0]}],
        "resamples": 200,
        "methods": methods,
    } | plan
    return run(plan=read_plan(asked), base=folder)


def linear(intercept: float = 0.0, **coefficients: float) -> dict[str, Any]:
    """A stated straight line."""
    return {"kind": "linear", "intercept": intercept, "coefficients": coefficients}
