"""Who may decide what, and what is said about when the tolerance was set."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.base.problems import Refused
from engine.plan.model import POINT_VALUES
from engine.procedure import acts
from engine.procedure.decision import (
    check_decision,
    choices,
    missing_sheet,
    next_dates,
    roles,
    tolerance_setting,
)
from engine.procedure.fields import TITLES, gaps
from engine.procedure.history import History
from engine.procedure.plan_of import state_from_plan
from engine.procedure.presets import PRESETS, preset_of, tolerance_words
from engine.procedure.state import FACTS, new_state

from .cases import WHO, decide, ready, result, run

OPEN = {
    "grant": {"grant", "not settled", "refuse", "more evidence"},
    "not settled": {"not settled", "refuse", "more evidence"},
    "refuse": {"refuse", "more evidence"},
}


def open_values(history: History, found: dict) -> set[str]:
    return {choice.value for choice in choices(history.state, found) if choice.open}


@pytest.mark.parametrize("value", sorted(OPEN))
def test_below_the_recommendation_but_never_above(value: str) -> None:
    history = ready()
    run(history)
    assert open_values(history, result(*["within"] * 5, value=value)) == OPEN[value]


def test_nothing_out_of_date_can_be_decided_or_issued() -> None:
    history = ready()
    found = result(*["within"] * 5, value="grant")
    assert not open_values(history, found)
    with pytest.raises(Refused, match="no up-to-date result"):
        decide(history)
    run(history)
    decide(history)
    history.do(acts.set_value(("plan", "resamples"), 2000, words="", **WHO))
    assert not open_values(history, found)
    with pytest.raises(Refused, match="Decide again"):
        history.do(acts.issue_certificate({"number": "1"}, **WHO))
    run(history, "r2")
    with pytest.raises(Refused, match="Decide again"):
        history.do(acts.issue_certificate({"number": "1"}, **WHO))
    decide(history)
    history.do(acts.issue_certificate({"number": "1"}, **WHO))


def test_names_of_people_do_not_make_a_result_out_of_date() -> None:
    history = ready()
    run(history)
    history.do(acts.set_value(("case", "decider"), "Decider", words="", **WHO))
    decide(history)


def test_after_issue_only_a_revision_opens_the_case() -> None:
    history = ready()
    run(history)
    decide(history)
    history.do(acts.issue_certificate({"number": "EAO-1", "revision": 1}, **WHO))
    assert history.undo_words is None
    with pytest.raises(Refused, match="EAO-1"):
        history.do(acts.set_value(("case", "client"), "x", words="", **WHO))
    history.do(acts.sign_certificate(sha256="cc", **WHO))
    history.do(acts.set_status("suspended", reason="drift", **WHO))
    assert history.state["certificate"]["signed"] is True
    history.do(acts.revise(reason="A name was misspelt.", **WHO))
    assert history.undo_words is None and history.state["certificate"] is None
    assert history.state["earlier"][0]["revised_why"] == "A name was misspelt."
    history.do(acts.set_value(("case", "client"), "x", words="named the client", **WHO))
    assert history.undo_words == "named the client"


def test_point_values_grant_only_if_chosen_before_a_result_was_seen() -> None:
    found = result(*["not settled"] * 5, value="grant", rule=POINT_VALUES)
    early = ready(rule=POINT_VALUES)
    run(early)
    early.do(acts.see_result(early.state, **WHO))  # type: ignore[arg-type]
    assert "grant" in open_values(early, found)

    late = ready()
    run(late)
    late.do(acts.see_result(late.state, **WHO))  # type: ignore[arg-type]
    late.do(acts.set_tolerance({"rule": POINT_VALUES}, words="changed the rule", **WHO))
    run(late, "r2")
    assert open_values(late, found) == OPEN["not settled"]
    grant = choices(late.state, found)[0]
    assert "after the result was seen" in grant.words


def test_without_a_system_nothing_is_granted() -> None:
    history = ready()
    history.do(acts.set_value(("plan", "system"), None, words="", **WHO))
    run(history)
    assert "grant" not in open_values(history, result(*["within"] * 5, value="grant"))


def test_a_decision_needs_reasons_and_a_name() -> None:
    history = ready()
    run(history)
    found = result(*["within"] * 5, value="not settled")
    with pytest.raises(Refused) as refused:
        check_decision(history.state, found, value="grant", reasons=" ", by="")
    assert [p.place for p in refused.value.problems] == ["decision", "reasons", "decider"]
    with pytest.raises(Refused, match="1001"):
        check_decision(history.state, found, value="refuse", reasons="x" * 1001, by="D")
    with pytest.raises(Refused, match="not a decision"):
        check_decision(history.state, found, value="perhaps", reasons="x", by="D")
    check_decision(history.state, found, value="refuse", reasons="x", by="D")


A, B = {"difference": 0.1}, {"difference": 0.2}


@pytest.mark.parametrize(
    ("road", "late"),
    [
        ("A see", False),
        ("see A", True),
        ("A see B", True),
        ("A see B undo", False),  # the one in force when the result was seen
        ("A B see undo", True),  # picked the other one afterwards
        ("A B undo see redo", True),
        ("A see undo redo", False),
        ("A B undo redo see", False),
    ],
)
def test_a_tolerance_picked_after_the_result_is_told_however_it_came(road: str, late: bool) -> None:
    history = History()
    for word in road.split():
        if word == "see":
            history.do(acts.see_result(history.state, **WHO))  # type: ignore[arg-type]
        elif word in ("undo", "redo"):
            getattr(history, word)()
        else:
            history.do(acts.set_tolerance({"A": A, "B": B}[word], words=word, **WHO))
    found = tolerance_setting(history.state)
    assert found.result_visible is late
    assert ("after a result" in found.words) is late


def test_rates_seen_before_the_tolerance_are_told() -> None:
    history = History()
    history.do(acts.see_rates(history.state, **WHO))  # type: ignore[arg-type]
    history.do(acts.set_tolerance(A, words="", **WHO))
    found = tolerance_setting(history.state)
    assert found.rates_visible and not found.result_visible
    assert "after favourable rates" in found.words and "24 November, 10:41" in found.words


def test_of_a_plan_handed_in_nobody_knows_what_was_seen() -> None:
    plan = {"data": {"all": {"path": "x.csv"}}, "tolerance": A}
    files = {"x.csv": {"bytes": 1, "sha256": "aa"}}
    history = History(state_from_plan(plan, files=files, **WHO))
    found = tolerance_setting(history.state)
    assert not found.known and "is not known" in found.words
    history.do(acts.see_result(history.state, **WHO))  # type: ignore[arg-type]
    assert not tolerance_setting(history.state).known
    history.do(acts.set_tolerance(B, words="", **WHO))
    found = tolerance_setting(history.state)
    assert found.known and found.result_visible


@pytest.mark.parametrize(
    ("evaluator", "decider", "fine", "word"),
    [
        ("A", "B", True, "different people"),
        ("Ann  Lee", "ann lee ", False, "same person"),
        ("", "B", False, "evaluator"),
        ("A", " ", False, "decider"),
    ],
)
def test_roles(evaluator: str, decider: str, fine: bool, word: str) -> None:
    state = new_state()
    state["case"] |= {"evaluator": evaluator, "decider": decider}
    found, words = roles(state)
    assert found is fine and word in words


def test_gaps_of_an_empty_case_and_of_a_full_one() -> None:
    empty = gaps(new_state(), None)
    assert {gap.field for gap in empty} >= {3, 4, 5, 6, 14, 17, 21, 26, 33, 39, 43}
    assert [gap.field for gap in empty] == sorted(gap.field for gap in empty)
    assert all(gap.text.endswith(".") and "not known" in gap.text for gap in empty)
    assert len(TITLES) == 43
    history = ready()
    facts = {key: "x" for key in FACTS}
    history.do(acts.set_value(("case",), facts, words="", **WHO))
    run(history)
    decide(history)
    found = result(*["within"] * 5)
    assert {gap.field for gap in gaps(history.state, found)} == {1, 11, 12, 40}
    certificate = {"number": "1", "issued": "2026-11-24", "next_check": "2027-05-24"}
    history.do(acts.issue_certificate({**certificate, "signed": True}, **WHO))
    assert gaps(history.state, found) == []


def test_what_was_not_supplied_and_what_that_limits() -> None:
    history = ready(role="test")
    rows = {row.what: row for row in missing_sheet(history.state)}
    assert "training data" in rows and "test data" not in rows
    assert "disparate impact" in rows["training data"].limits.lower()
    history.do(acts.set_value(("not_supplied", "training data"), "Lost.", words="", **WHO))
    assert {r.what: r.reason for r in missing_sheet(history.state)}["training data"] == "Lost."


def test_next_dates() -> None:
    history = ready()
    run(history)
    decide(history, "grant")
    found = next_dates(history.state, today=date(2024, 2, 29))
    assert (found.expires, found.next_check) == ("2025-02-28", "2024-08-29")
    assert "28 February 2025" in found.words
    decide(history, "refuse")
    assert next_dates(history.state, today=date(2026, 11, 30)).expires is None


@given(st.sampled_from(PRESETS), st.sampled_from(("whole interval", POINT_VALUES)))
def test_a_preset_is_recognised(preset, rule) -> None:  # type: ignore[no-untyped-def]
    assert preset_of({**preset.values, "rule": rule}) == preset.name
    assert preset_of({**preset.values, "difference": 0.05}) == "custom"


def test_defaults_are_the_papers() -> None:
    assert preset_of({}) == preset_of(None) == "ten per cent"
    assert preset_of({"overrides": {"Sex": {"difference": 0.05}}}) == "custom"
    assert tolerance_words({}) == "differences within ±0.10, ratios from 0.90 to 1.10"
