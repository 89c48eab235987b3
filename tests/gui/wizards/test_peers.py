"""The wizard of the peers method, worked by hand on the sample of small firms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.base import wording
from gui.main_window import MainWindow
from gui.wizards.peers import STRESS, WATCHOUT, Wizard
from gui.wizards.peers_order import FeatureOffer, OrderDialog, offers
from tests.gui.steps.hands import button_called, click, focus, press, settle, write
from tests.gui.test_window import cut, nameless
from tests.gui.wizards.peers_hands import part_of, wizard


def drawn(page: Wizard) -> QWidget:
    """The canvas of the live figure."""
    page.result.figure.draw_now()
    canvas: QWidget = page.result.figure._canvas
    return canvas


def place_of(page: Wizard, name: str) -> QPoint:
    """Where a person's point lies on the canvas, in pixels."""
    canvas = drawn(page)
    figure = canvas.figure  # type: ignore[attr-defined]
    area = next(a for a in figure.chart_areas if a.key == "likelihood")
    for series in page.result.figure.chart.series:  # type: ignore[union-attr]
        if name in series.labels:
            at = series.labels.index(name)
            (x0, x1), (y0, y1) = area.x_limits, area.y_limits
            across = area.left + (series.x[at] - x0) / (x1 - x0) * (area.right - area.left)
            down = area.bottom - (series.y[at] - y0) / (y1 - y0) * (area.bottom - area.top)
            return QPoint(round(across / 0.75), round(down / 0.75))
    raise AssertionError(name)


def alone(page: Wizard) -> str:
    """A person whose point has no other close by."""
    view = page.result.view
    assert view is not None and view.scatter is not None
    points = [
        (x, y, name)
        for s in view.scatter.series
        for x, y, name in zip(s.x, s.y, s.labels, strict=True)
    ]
    return min(points, key=lambda p: p[0] + p[1])[2]


# The result ---------------------------------------------------------------------------------------


def test_both_readings_stand_side_by_side_and_say_what_the_result_says(firms: MainWindow) -> None:
    page = wizard(firms)
    part = part_of(page)
    left, right = page.result.published, page.result.carry
    assert left.share.text() == wording.percent(part["published"]["unfair_share"])
    assert {k: c.text() for k, (c, _) in left.counts.items()} == {
        k: wording.count(n) for k, n in part["published"]["counts"].items()
    }
    assert sum(part["published"]["counts"].values()) == part["n_tested"]
    assert "97.1 %" in left.warning.words() and "nothing wrong" in left.warning.words()
    effect = part["companions"]["group_effect"]
    assert right.chip.verdict == effect["verdict"]
    assert right.facts.value("difference") == wording.number(effect["value"], sign=True)
    assert right.facts.value("interval") == wording.interval(
        effect["low"], effect["high"], sign=True
    )
    untested = part["n_protected"] - part["n_tested"]
    assert right.facts.value("untested").startswith(wording.count(untested))
    assert "direct discrimination cannot show" in right.note.words()
    assert left.width() == pytest.approx(right.width(), abs=2)
    assert left.height() == right.height()
    from engine.methods.peers.findings import conclusion

    assert page.header.sentence.text() == conclusion(part)
    assert page.session.state["seen"]["result"]


def test_a_click_on_a_point_shows_the_person(firms: MainWindow) -> None:
    page = wizard(firms)
    name = alone(page)
    assert page.result.chosen != name
    QTest.mouseClick(drawn(page), Qt.MouseButton.LeftButton, pos=place_of(page, name))
    assert page.result.chosen == name
    shown = page.result.person.shown
    assert shown is not None and shown.name == name and shown.group == "micro"
    table = page.session.reading.tables["peers"]  # type: ignore[union-attr]
    row = table[table["Person"] == name].iloc[0]
    panel = page.result.person
    assert panel.title.whole() == f"{name}, micro"
    assert panel.facts.value("class") == row["As published"]
    assert panel.facts.value("peers").startswith(wording.count(int(row["Peers"])))
    assert panel.facts.value("rank") == f"p = {wording.number(float(row['Exact p']), digits=2)}"
    chart = page.result.figure.chart
    assert chart is not None and chart.chosen is not None  # type: ignore[attr-defined]
    series, at = chart.chosen  # type: ignore[attr-defined]
    assert chart.series[series].labels[at] == name  # type: ignore[attr-defined]


def test_a_click_beside_the_points_chooses_nobody(firms: MainWindow) -> None:
    page = wizard(firms)
    before = page.result.chosen
    QTest.mouseClick(drawn(page), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert page.result.chosen == before


def test_people_are_chosen_by_keyboard_table_and_name(firms: MainWindow) -> None:
    page = wizard(firms)
    names = page.result.view.names  # type: ignore[union-attr]
    assert page.result.chosen == names[0]
    canvas = drawn(page)
    focus(canvas)
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert page.result.chosen == names[1]
    click(page.result.person.before)
    click(page.result.person.before)
    assert page.result.chosen == names[-1]
    page.scroll.ensureWidgetVisible(page.result.find)
    write(page.result.find, names[4].lower())
    focus(page.result.find)
    press(Qt.Key.Key_Return)
    assert page.result.chosen == names[4]
    write(page.result.find, "nobody")
    focus(page.result.find)
    press(Qt.Key.Key_Return)
    assert page.result.find_row.error() and page.result.chosen == names[4]
    table = page.result.table
    focus(table)
    table.selectRow(0)
    press(Qt.Key.Key_Return)
    first = table.model().text(0, 0)
    assert page.result.chosen == first
    click(page.result.figure.table_button)
    table = page.result.figure.table
    focus(table)
    table.setCurrentIndex(table.model().index(2, 0))
    press(Qt.Key.Key_Space)
    assert page.result.chosen == table.model().text(2, 1)


def test_those_without_peers_are_shown_with_the_reason(firms: MainWindow) -> None:
    page = wizard(firms)
    table = page.session.reading.tables["peers"]  # type: ignore[union-attr]
    name = str(table[table["Why not"] == "no peer"].iloc[0]["Person"])
    page.result.choose(name)
    panel = page.result.person
    assert "no peer" in panel.facts.value("class")
    assert not panel.figure.isVisible() and not panel.peers_button.isEnabled()
    click(panel.page_button)
    assert "no peer" in panel.why.words()


def test_peers_can_be_seen_and_exported(firms: MainWindow, tmp_path: Path) -> None:
    page = wizard(firms)
    panel = page.result.person
    assert panel.shown is not None
    click(panel.peers_button)
    dialog = page.result.dialog
    settle()
    assert dialog.view.model().rowCount() == panel.shown.n_peers
    assert nameless(dialog) == []
    dialog.view.export(str(tmp_path / "peers.csv"))
    assert (tmp_path / "peers.csv").read_text("utf-8-sig").count("\n") == panel.shown.n_peers + 1
    dialog.accept()
    click(button_called(panel, "What the figure shows: Draws"))
    assert panel.figure.chart is not None and panel.figure.chart.key == "person-draws"
    assert len(panel.figure.chart.samples[0][1]) == 100  # type: ignore[attr-defined]
    click(panel.figure.as_table)
    assert panel.figure.shows_table


def test_figures_have_a_table_and_can_be_saved(firms: MainWindow, tmp_path: Path) -> None:
    page = wizard(firms)
    keys = {f.chart.key for f in page.result.figures if f.chart is not None}
    assert {"likelihood", "classes", "ranks", "group-effect", "balance", "worlds"} <= keys
    assert {"refusals", "densities", "features"} <= keys
    for figure in page.result.figures:
        assert figure.table.model().rowCount() > 0, figure.chart
    for number, kind in enumerate(("png", "svg", "pdf")):
        target = tmp_path / f"figure.{kind}"
        page.result.figures[number].save(str(target))
        assert target.stat().st_size > 1000
    worlds = next(f for f in page.result.figures if f.chart and f.chart.key == "worlds")
    assert "dashed arrow" in worlds.chart.sentence  # type: ignore[union-attr]


# Settings -----------------------------------------------------------------------------------------


def test_the_share_flagged_with_nothing_wrong_follows_n_and_k(firms: MainWindow) -> None:
    page = wizard(firms, "Test")
    assert "97.1 %" in page.rate_bar.words()
    spin = page.fields["draws"].row.field
    focus(spin)
    spin.selectAll()  # type: ignore[attr-defined]
    QTest.keyClicks(spin, "10")
    QTest.keyClick(spin, Qt.Key.Key_Tab)
    assert page.session.plan["methods"]["peers"]["draws"] == 10
    assert "89.6 %" in page.rate_bar.words()
    page.session.undo()
    assert "97.1 %" in page.rate_bar.words()


def test_continue_and_back_lead_through_four_pages(firms: MainWindow) -> None:
    page = wizard(firms, "Question")
    stepper = firms.stepper_or_fail()
    seen = [page.open_name]
    for _ in range(3):
        stepper.go_on()
        seen.append(page.open_name)
    assert seen == ["Question", "Peers", "Test", "Result"]
    click(page.result.stress_button)
    assert page.open_name == STRESS
    stepper.go_back()
    assert page.open_name == "Result"
    stepper.go_back()
    assert page.open_name == "Test"
    click(button_called(page, "Watch-out list"))
    assert page.open_name == WATCHOUT
    stepper.go_back()
    assert page.open_name == "Test"
    page.header.tabs.setCurrentIndex(0)
    assert page.open_name == "Question"


def test_the_order_of_values_is_asked_for_and_never_assumed(firms: MainWindow) -> None:
    page = wizard(firms, WATCHOUT)
    rows = page.watchout.order.rows
    assert set(rows) == set(part_of(page)["features"])
    assert rows["risk"].combo.value() == "lower is better"
    assert rows["written_plan"].combo.value() == ["no", "yes"]
    assert rows["turnover_growth"].combo.value() is None
    assert rows["legal_status"].tick.isChecked() and not rows["risk"].tick.isChecked()
    combo = rows["turnover_growth"].combo
    focus(combo)
    QTest.keyClicks(combo, "Higher")
    order = page.session.plan["methods"]["peers"]["order"]
    assert order["turnover_growth"] == "higher is better"
    rows["profit_or_loss"].ask()
    dialog = rows["profit_or_loss"].dialog
    assert dialog.values() == ["1", "2", "3"]
    dialog.list.setCurrentRow(0)
    click(dialog.down)
    click(dialog.down)
    dialog.accept()
    order = page.session.plan["methods"]["peers"]["order"]
    assert order["profit_or_loss"] == ["2", "3", "1"]
    assert page.session.case.can_undo.endswith("said what is better in profit_or_loss")
    click(rows["startup"].tick)
    assert page.session.plan["methods"]["peers"]["intrinsic"] == ["legal_status", "startup"]
    page.session.undo()
    page.session.undo()
    assert "profit_or_loss" not in page.session.plan["methods"]["peers"]["order"]
    assert not page.watchout.bar.isHidden() and "earlier" in page.watchout.bar.words()


def test_feature_offers_name_kind_and_values() -> None:
    import pandas as pd

    from engine.base.watch import Watch

    frame = pd.DataFrame(
        {"code": [3, 1, 2, 1], "wide": range(4), "word": ["b", None, "a", "a"], "share": [0.5] * 4}
    )
    long = pd.DataFrame({"wide": range(100)})
    found = offers([frame, long], ["code", "wide", "word", "share", "absent"], Watch())
    assert found == [
        FeatureOffer("code", True, ("1", "2", "3")),
        FeatureOffer("wide", True, ()),
        FeatureOffer("word", False, ("a", "b")),
        FeatureOffer("share", True, ("0.5",)),
    ]


def test_values_are_moved_by_buttons_and_stay_within_the_list(window: MainWindow) -> None:
    dialog = OrderDialog(window, "size", ["a", "b", "c"])
    dialog.list.setCurrentRow(2)
    dialog.move(1)
    assert dialog.values() == ["a", "b", "c"]
    dialog.move(-1)
    assert dialog.values() == ["a", "c", "b"]


# Paper and case -----------------------------------------------------------------------------------


def answer(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """What the system's file dialog gives."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))


def words_of(pdf: bytes) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    found = "\n".join(document[n].get_textpage().get_text_bounded() for n in range(len(document)))
    document.close()
    return found


def test_only_the_fairly_treated_and_refused_have_a_page(firms: MainWindow) -> None:
    page = wizard(firms)
    reading = page.session.reading
    assert reading is not None
    listed = list(dict.fromkeys(reading.tables["watchout"]["Person"]))
    assert listed
    page.result.choose(str(listed[0]))
    click(page.result.person.page_button)
    dialog = page.dialog
    settle()
    said = words_of(dialog.pdf)
    assert f"{listed[0]}" in said and "accuses nobody" in said
    assert "Share of these people" not in said
    assert dialog.file_name == f"watchout-{listed[0]}.pdf"
    assert nameless(dialog) == []
    dialog.accept()
    table = reading.tables["peers"]
    other = str(table[table["As published"] == "Extremely discriminated"].iloc[0]["Person"])
    page.result.choose(other)
    click(page.result.person.page_button)
    assert "the fault lies with the system" in page.result.person.why.words()


def test_from_choice_to_case_file_and_watchout_pdf(
    firms: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.case.store import Case

    page = wizard(firms, WATCHOUT)
    session = page.session
    combo = page.watchout.order.rows["turnover_growth"].combo
    focus(combo)
    QTest.keyClicks(combo, "Lower")
    box = page.fields["person_pages"].row.field
    page.scroll.ensureWidgetVisible(box)
    focus(box)
    press(Qt.Key.Key_Space)
    assert session.plan["methods"]["peers"]["person_pages"] is True
    assert "earlier" in page.watchout.bar.words()
    page.follow_link("my:run")
    assert session.result_current and page.watchout.bar.isHidden()
    told = part_of(page)["explained"]
    assert wording.people(told["people"]) in page.watchout.said.text()
    target = tmp_path / "out" / "watchout.pdf"
    target.parent.mkdir()
    answer(monkeypatch, target)
    page.scroll.ensureWidgetVisible(page.watchout.save)
    click(page.watchout.save)
    pdf = target.read_bytes()
    assert pdf.startswith(b"%PDF")
    said = words_of(pdf)
    assert "Watch-out list" in said and said.count("accuses nobody") >= told["people"]
    letters = tmp_path / "out" / "letters.csv"
    answer(monkeypatch, letters)
    click(page.watchout.letters)
    lines = letters.read_text("utf-8-sig").splitlines()
    assert len(lines) == told["people"] + 1 and lines[0].startswith("Person,Group")
    click(page.watchout.preview)
    assert page.dialog.pdf == pdf
    page.dialog.accept()
    path, result = session.path, session.result
    session.close()
    again = Case.open(path, read_only=True)
    kept = again.state["plan"]["methods"]["peers"]
    assert kept["person_pages"] is True and kept["order"]["turnover_growth"] == "lower is better"
    assert again.get_result() == result
    assert again.result_file("tables/watchout.csv")
    again.close()


def test_nothing_has_run_yet(case_window: MainWindow) -> None:
    case_window.open_method("peers")
    page = case_window.stepper_or_fail().page
    assert isinstance(page, Wizard)
    for name in page.pages:
        page.show_page(page.pages.index(name))
        settle()
        assert nameless(page) == [], name
        assert cut(page) == [], name
    assert page.header.sentence.text().startswith("Each person of an unprivileged group")
    page.show_page(page.pages.index(WATCHOUT))
    assert not page.watchout.save.isEnabled()


# How it looks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "scale", "appearance"),
    [((1920, 1080), 100, "light"), ((1024, 700), 100, "dark"), ((1024, 700), 200, "light")],
)
def test_nothing_is_cut_and_everything_has_a_name(
    firms: MainWindow, look: Callable[..., None], size: tuple[int, int], scale: int, appearance: str
) -> None:
    look(scale=scale, appearance=appearance)
    firms.resize(*size)
    page = wizard(firms)
    for name in page.pages:
        page.show_page(page.pages.index(name))
        page.result.finish()
        assert nameless(page) == [], name
        for _ in range(20):  # figures are drawn one by one, and the page grows with each
            settle(300)
            if not cut(page):
                break
        assert cut(page) == [], name
        assert page.scroll.horizontalScrollBar().maximum() == 0, name
        for figure in page.result.figures if name == "Result" else ():
            figure.draw_now()
            assert figure.chart is not None
            assert figure._canvas.width() <= figure.width() + 1, figure.chart.key
