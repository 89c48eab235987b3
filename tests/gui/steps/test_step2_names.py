"""Step 2: the words in which groups are printed, typed beside each value with its people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hands import button_called, click, focus, settle, write
from PySide6.QtTest import QTest

from gui.session import Session


def labels(session: Session, place: int) -> Any:
    return session.plan["protected"][place].get("labels")


def test_values_are_named_undone_and_kept(
    session: Session, upto: Callable[[int], Any], reopened: Callable[[], Session]
) -> None:
    at = upto(3).stepper
    at.open_step(2)
    part = at.page.parts[1]
    click(button_called(part, "Words for the values"))
    names = part.names
    assert names._rows["male"].text() == "male · 24 people"
    write(names.fields["male"], "men")
    write(names.fields["female"], "women")
    assert labels(session, 1) == {"male": "men", "female": "women"}
    assert part.table.model().text(0, 0) == "male · men"
    assert session.case.can_undo == "Undo: named “female” in Sex"
    session.undo()
    assert labels(session, 1) == {"male": "men"} and names.fields["female"].text() == ""
    session.redo()
    write(names.fields["male"], "")
    assert labels(session, 1) == {"female": "women"}
    # half-typed words survive the end of the program
    focus(names.fields["other"])
    QTest.keyClicks(names.fields["other"], "anoth")
    settle(700)
    assert session.draft("step-2") == {"Sex.words.other": "anoth"}
    assert labels(session, 1) == {"female": "women"}
    kept = reopened()  # closing the case leaves the field, which enters the words
    assert labels(kept, 1) == {"female": "women", "other": "anoth"}


def test_two_groups_do_not_bear_the_same_words(
    session: Session, upto: Callable[[int], Any]
) -> None:
    stepper = upto(3).stepper
    stepper.open_step(2)
    part = stepper.page.parts[1]
    click(button_called(part, "Words for the values"))
    write(part.names.fields["female"], "others")
    write(part.names.fields["other"], "others")
    assert "names two groups" in stepper.page.ready()
    write(part.names.fields["other"], "neither")
    assert stepper.page.ready() == ""


def test_the_words_of_a_cut_move_with_it(session: Session, upto: Callable[[int], Any]) -> None:
    stepper = upto(3).stepper
    stepper.open_step(2)
    part = stepper.page.parts[0]
    click(button_called(part, "Words for the values"))
    assert list(part.names.fields) == ["at least 30", "below 30"]
    write(part.names.fields["below 30"], "younger people")
    write(part.low, "35")
    assert labels(session, 0) == {"below 35": "younger people"}
    assert part.names.fields["below 35"].text() == "younger people"
