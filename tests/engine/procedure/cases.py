"""Cases to test with: one that is ready to run, and results made by hand."""

from __future__ import annotations

from typing import Any

from engine.procedure import acts
from engine.procedure.basis import run_basis
from engine.procedure.history import History

WHO = {"who": "Evaluator", "when": "2026-11-24T10:41:00+01:00"}


def ready(*, role: str = "all", rule: str = "whole interval") -> History:
    """Evidence, attributes, groups, tolerance and system are chosen and confirmed."""
    history = History()
    item = acts.add_item(history.state, name="german.csv", bytes=9, sha256="aa", role=role, **WHO)
    history.do(item)
    outcome = {"column": "Risk", "favourable": ["good"]}
    history.do(acts.set_value(("plan", "outcome"), outcome, words="chose the outcome", **WHO))
    confirm(history, 0)
    protected = [{"column": "age"}]
    history.do(acts.set_value(("plan", "protected"), protected, words="chose age", **WHO))
    confirm(history, 1)
    who = [{"at_least": 30}]
    path = ("plan", "protected", 0, "privileged")
    history.do(acts.set_value(path, who, words="chose the privileged", **WHO))
    confirm(history, 2)
    history.do(acts.set_tolerance({"rule": rule}, words="set the tolerance", **WHO))
    if role == "all":
        confirm(history, 4)
    system = {"train": {"model": "random_forest"}}
    history.do(acts.set_value(("plan", "system"), system, words="chose a stand-in", **WHO))
    confirm(history, 5)
    return history


def confirm(history: History, number: int) -> None:
    history.do(acts.confirm_step(number, **WHO))


def run(history: History, sha256: str = "r1") -> None:
    history.do(
        acts.store_result(
            plan_sha256="p",
            result_sha256=sha256,
            basis_sha256=run_basis(history.state),
            files={},
            **WHO,
        )
    )


def decide(history: History, value: str = "not settled") -> None:
    history.do(
        acts.decide(
            value=value, reasons="Too few rows.", recommendation="not settled", by="Decider", **WHO
        )
    )


def result(
    *verdicts: str,
    score: str = "not settled",
    value: str = "not settled",
    rule: str = "whole interval",
) -> dict[str, Any]:
    """A result with five metrics of age, in the contract's form."""
    names = ("SPD", "DI", "EOD", "EMOD", "AOD")
    metrics = {n: {"value": 0.0, "verdict": v} for n, v in zip(names, verdicts, strict=True)}
    return {
        "inputs": [{"role": "all", "rows": 1000}],
        "certification": {
            "attributes": {"age": {"metrics": metrics}},
            "fairness_score": {"value": 0.916, "verdict": score},
            "recommendation": {"value": value, "rule": rule, "as_published": "grant"},
        },
    }
