"""Each step says where it stands, what it waits for, and what to do."""

from __future__ import annotations

from engine.procedure import acts
from engine.procedure.history import History
from engine.procedure.state import new_state
from engine.procedure.steps import steps

from .cases import WHO, confirm, decide, ready, result, run


def subs(history: History, **more: object) -> dict[int, str]:
    return {view.number: view.sub for view in steps(history.state, **more)}  # type: ignore[arg-type]


def test_an_empty_case_waits_for_its_evidence() -> None:
    views = steps(new_state(), opened=0)
    assert [v.number for v in views] == list(range(13))
    assert views[0].state == "in progress" and "Add the files" in views[0].why
    assert views[1].sub == "Waits for step 0" and views[1].blocked_by == 0
    assert "Add the files" in views[1].why and "Case and evidence" in views[1].why
    # As drawn: everything below waits for the one above it.
    waits = {v.number: v.blocked_by for v in views}
    assert waits == {
        0: None, 1: 0, 2: 1, 3: 2, 4: 3, 5: 3, 6: 5, 7: 6, 8: 7, 9: 8, 10: 9, 11: 0, 12: 10,
    }  # fmt: skip


def test_open_questions_are_counted() -> None:
    history = ready()
    view = steps(history.state, questions=1, opened=0)[0]
    assert view.sub == "In progress, 1 question open" and not view.can_continue
    assert "1 question is" in " ".join(view.needs)
    assert steps(history.state, warnings={0: 2})[0].sub == "Done, 2 warnings"
    assert steps(history.state, warnings={0: 2})[0].state == "done with warnings"


def test_the_picture_of_step_2() -> None:
    """While the groups are open but complete, the tolerance is open and the rest waits for it."""
    history = ready()
    for _ in range(5):
        history.undo()  # back to: privileged chosen, not confirmed
    got = subs(history, opened=2)
    assert got[1] == "Done" and got[2] == "In progress" and got[3] == "Not started"
    assert got[4] == got[5] == "Waits for step 3"
    assert got[6] == "Waits for step 5" and got[10] == "Waits for step 9"
    assert got[11] == "Not started" and got[12] == "Waits for step 10"


def test_the_picture_of_step_8() -> None:
    history = ready()
    run(history)
    confirm(history, 7)
    found = result(*["not settled"] * 5)
    got = subs(history, result=found, opened=8)
    assert got[3] == "Set 24 November, 10:41"
    assert got[5] == "Stand-in trained here"
    assert got[6] == "1,000 rows"
    assert got[7] == "Done, none settled"
    assert got[8] == "In progress" and got[9] == "Not started"
    assert got[10] == "Waits for step 9"


def test_the_picture_of_step_10() -> None:
    history = ready()
    run(history)
    for number in (7, 8, 9):
        confirm(history, number)
    found = result(*["not settled"] * 5)
    got = subs(history, result=found, opened=10)
    assert got[8] == "0 of 5 settled" and got[9] == "Score 0.916, not settled"
    assert got[10] == "In progress" and got[12] == "Waits for step 10"
    decide(history)
    got = subs(history, result=found)
    assert got[10] == "Decided: not settled" and got[12] == "Not started"


def test_a_change_above_marks_everything_below() -> None:
    history = ready()
    run(history)
    for number in (7, 8, 9):
        confirm(history, number)
    decide(history)
    history.do(
        acts.set_value(
            ("items", "item-1", "reading", "missing"), ["?"], words="read ? as missing", **WHO
        )
    )
    views = steps(history.state)
    stale = [v.number for v in views if v.state == "out of date"]
    assert stale == [1, 2, 4, 5, 6, 7, 8, 9, 10]
    assert "Run the audit again" in views[6].why and "Decide again" in views[10].why
    assert views[3].state == "done"  # the tolerance rests on nothing above it
    history.undo()
    assert not [v for v in steps(history.state) if v.state == "out of date"]


def test_without_training_data_step_4_is_skipped_with_its_reason() -> None:
    history = ready(role="test")
    reason = "The provider keeps them."
    history.do(acts.set_value(("not_supplied", "training data"), reason, words="", **WHO))
    view = steps(history.state)[4]
    assert view.state == "skipped" and reason in view.why
    assert "not checked" in view.why


def test_without_a_system_the_outcome_metrics_do_not_apply() -> None:
    history = ready()
    history.do(acts.set_value(("plan", "system"), None, words="chose none", **WHO))
    confirm(history, 5)
    run(history)
    views = steps(history.state, result=result(*["within"] * 5))
    assert views[5].sub == "Recorded outcomes alone"
    assert views[7].state == "not applicable"
    assert views[8].blocked_by is None


def test_step_11_wants_a_reason_for_each_gap() -> None:
    history = ready()
    view = steps(history.state)[11]
    assert "Scores of the system" in " ".join(view.needs).capitalize() or "scores" in view.why
    gaps = ("decisions of the system", "scores of the system", "the system itself", "documentation")
    for what in gaps:
        history.do(acts.set_value(("not_supplied", what), "Kept back.", words="", **WHO))
    assert steps(history.state)[11].can_continue
    confirm(history, 11)
    assert steps(history.state)[11].sub == "4 not supplied"


def test_roles_that_do_not_go_together() -> None:
    history = ready()
    history.do(acts.add_item(history.state, name="t.csv", bytes=1, sha256="bb", role="test", **WHO))
    assert "only test" in steps(history.state)[0].why or "test" in " ".join(
        steps(history.state)[0].needs
    )
    history = History()
    history.do(
        acts.add_item(history.state, name="t.csv", bytes=1, sha256="bb", role="training", **WHO)
    )
    assert "Add the test data" in steps(history.state)[0].why


def test_a_stale_run_that_waits_says_for_what() -> None:
    """Nothing can be run again until something above is done."""
    history = ready()
    run(history)
    history.do(acts.set_value(("plan", "outcome"), None, words="took it out", **WHO))
    view = steps(history.state)[6]
    assert view.state == "out of date" and view.blocked_by == 5
    assert "Run the audit again. This waits for step 5" in view.why
    # the first cause is named with its mend, not only the next step above
    assert "First comes step 0, Case and evidence. No column holds the recorded outcome" in view.why
    history.undo()
    history.do(acts.set_value(("plan", "seed"), 3, words="chose", **WHO))
    view = steps(history.state)[6]
    assert view.blocked_by is None and view.why.endswith("Run the audit again.")
