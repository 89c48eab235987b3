"""Steps 7 to 9: metrics with their sentences, the band, index and score, in both readings."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits import (
    PEOPLE_PLAN,
    choose,
    from_plan,
    german,
    open_step,
    people,
    session_of,
    stored,
)
from hands import click, settle
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from gui.main_window import MainWindow
from gui.session import Session
from gui.widgets.basic import Label

DECISIONS = {"prediction": {"column": "decision", "favourable": ["yes"]}}


@pytest.fixture
def ran(case_window: MainWindow) -> Session:
    """The German sample, run; nobody has looked yet."""
    session = german(case_window)
    assert session.run_audit().state == "done"
    return session


@pytest.fixture
def regions(case_window: MainWindow) -> Session:
    """A run with decisions in the test data alone, and an attribute of three groups."""
    session = session_of(case_window)
    from_plan(session, {**PEOPLE_PLAN, "system": DECISIONS}, people())
    assert session.run_audit().state == "done"
    return session


@pytest.mark.parametrize("number", [7, 8, 9])
def test_the_first_page_that_shows_a_result_records_it(
    case_window: MainWindow, ran: Session, number: int
) -> None:
    assert ran.state["seen"]["result"] is None
    page = open_step(case_window, number)
    assert page.result.isVisible() and stored(ran)["seen"]["result"]


def test_a_result_that_comes_while_a_page_is_open_is_recorded(
    case_window: MainWindow, qtbot
) -> None:
    session = german(case_window)
    page = open_step(case_window, 8)
    assert page.result.isHidden() and "not run" in page.bar.words()
    session.run_audit()
    qtbot.waitUntil(page.result.isVisible, timeout=5000)
    assert session.state["seen"]["result"]


def test_without_a_result_the_page_leads_to_step_6(case_window: MainWindow) -> None:
    german(case_window)
    page = open_step(case_window, 9)
    click(page.bar._button)
    assert case_window.stepper_or_fail().page.number == 6


def test_outcome_metrics_show_both_signs_and_a_sentence(
    case_window: MainWindow, ran: Session
) -> None:
    page = open_step(case_window, 7)
    part = page.attributes[0]
    table = part.table.model()
    eod = ran.result["certification"]["attributes"]["age"]["metrics"]["EOD"]["value"]
    assert table.text(0, 1) == f"{eod:+.3f}".replace("-", "\u2212")
    assert table.text(0, 2) == f"{-eod:+.3f}".replace("-", "\u2212")
    assert "the system decides for" in part.says.model().text(0, 1)
    assert part.tests.isHidden()
    click(part.more)
    assert part.tests.isVisible()
    names = [part.tests.model().text(row, 0) for row in range(part.tests.model().rowCount())]
    assert names[:3] == ["z", "p of z", "p, Fisher"]


def test_each_group_can_be_shown_alone(case_window: MainWindow, regions: Session) -> None:
    page = open_step(case_window, 7)
    part = next(one for one in page.attributes if one.name == "region")
    choose(part.choice, "west")
    one = regions.result["certification"]["attributes"]["region"]
    value = one["groups"]["west"]["metrics"]["EOD"]["value"]
    assert part.table.model().text(0, 1) == f"{value:+.3f}".replace("-", "\u2212")
    assert "region west" in part.says.model().text(0, 1)


def test_a_method_is_added_to_the_plan_and_taken_out(case_window: MainWindow, ran: Session) -> None:
    page = open_step(case_window, 7)
    tick = page.methods.ticks["intersection"]
    page.scroll.ensureWidgetVisible(tick)
    click(tick)
    assert stored(ran)["plan"]["methods"] == {"certification": {}, "intersection": {}}
    assert not ran.result_current
    assert ran.undo() and ran.result_current and not tick.isChecked()


def test_the_band_is_a_table_that_can_be_copied(case_window: MainWindow, ran: Session) -> None:
    page = open_step(case_window, 8)
    part = ran.result["certification"]
    for verdict, number in page.tally._numbers.items():
        assert int(number.text()) == part["recommendation"]["tally"][verdict]
    click(page.copy_button)
    lines = QApplication.clipboard().text().splitlines()
    value = part["attributes"]["age"]["metrics"]["SPD"]["value"]
    shown = f"{value:.3f}".replace("-", "\u2212")
    row = next(one for one in lines if one.startswith("Statistical parity difference"))
    assert shown in row and "Not settled" in row
    counts = page.counts.model()
    assert counts.rowCount() == 4 and counts.text(0, 1) == "466 of 629, 74.1 %"


def test_the_graph_is_saved(case_window: MainWindow, ran: Session, tmp_path: Path) -> None:
    page = open_step(case_window, 8)
    for kind, head in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")):
        page.save_graph(str(tmp_path / f"band.{kind}"))
        assert (tmp_path / f"band.{kind}").read_bytes().startswith(head)


def test_both_readings_stand_side_by_side_in_equal_size(
    case_window: MainWindow, ran: Session
) -> None:
    found = ran.result["certification"]["recommendation"]
    for number in (8, 9):
        page = open_step(case_window, number)
        carry, published = page.readings.carry, page.readings.published
        assert abs(carry.width() - published.width()) <= 1
        assert carry.height() == published.height()
        assert carry.accessibleDescription().endswith(found["whole_interval"])
        assert published.accessibleDescription().endswith(found["as_published"])
    page = open_step(case_window, 8)
    assert page.follow("my:readings")
    assert (
        page.scroll.viewport()
        .rect()
        .intersects(
            page.readings.rect().translated(
                page.readings.mapTo(page.scroll.viewport(), page.readings.rect().topLeft())
            )
        )
    )


def test_the_worst_stands_before_the_averages(case_window: MainWindow, ran: Session) -> None:
    page = open_step(case_window, 9)
    part = ran.result["certification"]
    assert part["worst"]["attribute"] in page.worst.model().text(0, 1)
    assert page.worst.y() < page.readings.y() < page.table.y()
    rows = page.table.model()
    score = f"{part['fairness_score']['value']:.3f}"
    assert score in [rows.text(r, 2) for r in range(rows.rowCount())]
    assert "Statistical parity difference" in page.used.text()


def test_three_metrics_where_decisions_stand_alone(
    case_window: MainWindow, regions: Session
) -> None:
    page = open_step(case_window, 9)
    assert page.used.text() == (
        "Metrics in each index: Equal opportunity difference, equal mis-opportunity difference "
        "and average odds difference."
    )
    page = open_step(case_window, 8)
    assert page.groups is not None and page.groups.isVisible()
    assert page.tally._numbers["not checked"].text() == "4"


def test_an_index_that_cannot_be_computed_gives_the_rest(case_window: MainWindow) -> None:
    session = session_of(case_window)
    frame = people(300)
    frame.loc[(frame["sex"] == "F"), "Risk"] = "good"
    from_plan(session, {**PEOPLE_PLAN, "system": DECISIONS}, frame)
    assert session.run_audit().state == "done"
    index = session.result["certification"]["attributes"]["sex"]["bias_index"]
    assert index["value"] is None and index["partial"] is not None
    page = open_step(case_window, 9)
    from gui.widgets.message import MessageBar

    said = " ".join(bar.words() for bar in page.findChildren(MessageBar) if bar.isVisible())
    assert f"{index['partial']:.3f}" in said and "must not be compared" in said
    assert page.readings.carry.figure.text() == "No Fairness Score"
    page = open_step(case_window, 8)
    assert int(page.tally._numbers["not computable"].text()) >= 1


def test_the_other_labelling_is_named_where_the_privileged_have_less(
    case_window: MainWindow,
) -> None:
    session = session_of(case_window)
    plan = {
        **PEOPLE_PLAN, "system": DECISIONS,
        "protected": [{"column": "sex", "privileged": ["F"]}],
    }  # fmt: skip
    from_plan(session, plan, people())
    assert session.run_audit().state == "done"
    other = session.result["certification"]["attributes"]["sex"]["bias_index"]["other_labelling"]
    page = open_step(case_window, 9)
    bar = page._bars.itemAt(0).widget()
    assert f"{other:.3f}" in bar.words()
    click(bar._button)
    assert case_window.stepper_or_fail().page.number == 2


def test_recorded_outcomes_alone_make_step_7_not_applicable(case_window: MainWindow) -> None:
    session = session_of(case_window)
    from_plan(session, {**PEOPLE_PLAN, "system": None}, people())
    assert session.run_audit().state == "done"
    page = open_step(case_window, 7)
    assert "No system was audited" in page.bar.words() and page.result.isHidden()
    page = open_step(case_window, 8)
    assert page.table.isVisible() and page.tally._numbers["not checked"].text() == "6"


@pytest.mark.parametrize(("scale", "size"), [(100, (1024, 700)), (200, (1280, 800))])
def test_names_and_no_cut_words(
    case_window: MainWindow, ran: Session, look, scale: int, size: tuple[int, int]
) -> None:
    from test_window import cut, nameless

    case_window.resize(*size)
    look(scale=scale)
    for number in range(4, 10):
        page = open_step(case_window, number)
        QApplication.processEvents()
        assert nameless(page) == [], number
        assert cut(page) == [], number
        labels = [one for one in page.findChildren(Label) if one.isVisible()]
        right = page.scroll.viewport().width()
        wide = [
            one.text() for one in labels
            if one.mapTo(page.content, one.rect().topRight()).x() > right + 1
        ]  # fmt: skip
        assert wide == [], number


class Shown(QObject):
    """Remembers every window that opens."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.windows.append(type(watched).__name__)
        return False


def test_no_part_of_a_page_flashes_as_a_window(case_window: MainWindow, regions: Session) -> None:
    seen = Shown()
    QApplication.instance().installEventFilter(seen)
    for number in range(4, 10):
        page = open_step(case_window, number)
        if number == 5:
            for radio in page.radios.values():
                if radio.isEnabled():
                    click(radio)
            while regions.plan["system"] != DECISIONS:
                regions.undo()
    QApplication.instance().removeEventFilter(seen)
    assert seen.windows == []


def test_a_page_with_its_figures_says_no_more_that_they_are_being_prepared(
    german_window: MainWindow,
) -> None:
    for number in (7, 8, 9):
        page = open_step(german_window, number)
        settle()
        assert page.result.isVisible() and page.bar.isHidden(), number
