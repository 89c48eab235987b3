"""Audits driven as from outside: a plan and files in a folder, the command line in place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine import cli


def plan_of(**changes: Any) -> dict[str, Any]:
    """A small plan in its file form."""
    plan: dict[str, Any] = {
        "schema": "fairassay-plan/1",
        "data": {"all": {"path": "people.csv"}},
        "outcome": {"column": "approved", "favourable": [1]},
        "protected": [{"column": "sex", "privileged": ["M"]}],
        "resamples": 200,
        "methods": {"certification": {}},
    }
    return plan | changes


def audit(folder: Path, plan: dict[str, Any], *, out: str = "out") -> tuple[int, Path]:
    """Write the plan, run ``audit``, give the exit code and the output folder."""
    path = folder / "plan.json"
    path.write_text(json.dumps(plan), encoding="utf-8")
    return cli.main(["audit", str(path), "--out", str(folder / out)]), folder / out


def result_of(out: Path) -> dict[str, Any]:
    """result.json of a folder, refusing what JSON itself does not know (NaN, Infinity)."""

    def never(text: str) -> Any:
        raise AssertionError(f"{text} in result.json")

    text = (out / "result.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text, parse_constant=never)
    return found


def audited(folder: Path, plan: dict[str, Any]) -> dict[str, Any]:
    """The result of a plan that is to run."""
    code, out = audit(folder, plan)
    assert code == 0
    return result_of(out)
