"""What the paper will bear, and what stops it from being issued."""

from __future__ import annotations

from datetime import date
from typing import Any

from engine.procedure import acts, issue
from engine.procedure.basis import run_basis
from engine.procedure.state import new_state

BY = {"who": "D", "when": "2026-11-26T09:00:00+01:00"}
TODAY = date(2026, 11, 27)


def decided(value: str, **more: Any) -> dict[str, Any]:
    state = new_state()
    state["case"] |= {"evaluator": "E", "decider": "D"}
    state["plan"] = {"system": {"model_file": {"path": "m.onnx"}}, "outcome": {"column": "y"}}  # fmt: skip
    state["items"] = [
        {"id": f"item-{n}", "role": role, "name": role, "sha256": role}
        for n, role in enumerate(("all", "document", "model"))
    ]
    state |= more
    ran = acts.store_result(
        plan_sha256="p", result_sha256="r", basis_sha256=run_basis(state), files={}, **BY
    )
    state = acts.apply(state, ran)
    act = acts.decide(value=value, reasons="so", recommendation=value, by="D", **BY)
    return acts.apply(state, act)


def places(state: dict[str, Any]) -> list[str]:
    return [problem.place for problem in issue.problems(state, today=TODAY)]


def test_a_grant_runs_out_a_year_after_the_decision_and_a_statement_never() -> None:
    granted = issue.planned(decided("grant"), today=TODAY)
    assert (granted["expires"], granted["next_check"]) == ("2027-11-26", "2027-05-26")
    assert (granted["issued"], granted["revision"]) == ("2026-11-27", 0)
    assert issue.planned(decided("refuse"), today=TODAY)["expires"] is None


def test_what_was_set_goes_before_what_follows() -> None:
    state = decided("grant", issue={"number": "E-1", "expires": "2027-02-01", "triggers": ["x"]})
    made = issue.planned(state, today=TODAY)
    assert (made["number"], made["expires"], made["triggers"]) == ("E-1", "2027-02-01", ["x"])
    assert places(state) == []


def test_everything_that_stops_the_issue_is_named() -> None:
    assert places(new_state())[0] == "decision" and "number" in places(new_state())
    assert {"evaluator", "decider", "not_supplied"} <= set(places(new_state()))
    assert places(decided("grant")) == ["number"]
    assert places(decided("more evidence", issue={"number": "E-1"})) == ["decision"]
    early = {"number": "E-1", "issued": "2026-11-20", "expires": "2026-11-20", "next_check": "2026-11-19"}  # fmt: skip
    assert places(decided("grant", issue=early)) == ["issued", "expires", "next_check"]


def test_a_revision_keeps_the_number_and_says_what_it_replaces_and_why() -> None:
    state = decided("grant", issue={"number": "E-1"})
    made = issue.planned(state, today=TODAY)
    state = acts.apply(state, acts.issue_certificate({**made, "signed": True}, **BY))
    assert issue.problems(state, today=TODAY) == []
    assert issue.planned(state, today=TODAY)["signed"]
    state = acts.apply(state, acts.revise(reason="misprint", **BY))
    again = issue.planned(state, today=TODAY)
    assert (again["number"], again["revision"]) == ("E-1", 1)
    assert (again["replaces"], again["replaces_why"]) == ("E-1, revision 0", "misprint")
    assert issue.as_issued(state, today=TODAY)["certificate"] == again
