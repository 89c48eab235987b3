"""The wizards of crossed groups, definitions and scenarios, worked by hand on the German sample."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from engine.methods.intersection.grid import MOST_ROWS
from gui.jobs import InPlaceJobs
from gui.main_window import MainWindow
from gui.session import Actor, Session
from gui.settings import Settings
from gui.wizards import crossed_map
from gui.wizards.crossed_map import CrossedMap, MapCell, MapData
from gui.wizards.intersection import Wizard as Crossed
from gui.wizards.mitigation import Wizard as Study
from gui.wizards.tradeoffs import Wizard as Definitions
from tests.gui.conftest import MOMENT
from tests.gui.steps.hands import button_called, click, focus, press, settle, write
from tests.gui.test_window import cut, nameless

OLD_WOMEN = "age=at least 30 × sex=A92"
NAMES = ("intersection", "tradeoffs", "mitigation")


@pytest.fixture(scope="module")
def crossed_file(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case file with the German sample, the three methods run once by a quick stand-in."""
    from engine.case.store import Case
    from gui.opening import fill_from_sample

    folder = tmp_path_factory.mktemp("crossed")
    case = Case.create(folder / "german.fairassay", who="Evaluator", when=MOMENT)
    made = Session(
        case, jobs=InPlaceJobs(), settings=Settings(folder / "settings.json"),
        actor=Actor("", "Evaluator"), clock=lambda: MOMENT,
    )  # fmt: skip
    fill_from_sample(made, "german", on_done=lambda: None)
    methods = {
        "certification": {},
        "intersection": {"minimum_effective_n": 20},
        "tradeoffs": {},
        "mitigation": {"scenarios": ["reweighing", "proxies left out"]},
    }
    made.set_many(
        [
            (("plan", "resamples"), 60),
            (("plan", "system"), {"train": {"model": "logistic_regression"}}),
            (("plan", "methods"), methods),
        ],
        "chose",
    )
    job = made.run_audit()
    assert job.state == "done", job.note
    made.case.close()
    return folder / "german.fairassay"


@pytest.fixture
def german(
    window: MainWindow,
    crossed_file: Path,
    tmp_path: Path,
    jobs: InPlaceJobs,
    look: Callable[..., None],
) -> Any:
    """The window with a copy of that case."""
    from engine.case.store import Case

    target = tmp_path / "german.fairassay"
    shutil.copy(crossed_file, target)
    case = Case.open(target, who="Evaluator")
    made = Session(
        case, jobs=jobs, settings=Settings(), actor=Actor("", "Evaluator"), clock=lambda: MOMENT
    )
    window.show_session(made)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    yield window
    if not made.case._closed:
        made.close()


def wizard(window: MainWindow, name: str, page: str) -> Any:
    window.open_method(name)
    made = window.stepper_or_fail().page
    made.show_page(made.pages.index(page))  # type: ignore[union-attr]
    made.result.finish()  # type: ignore[union-attr]
    settle(60)
    return made


def asked(page: Any) -> dict[str, Any]:
    """What the plan asks of the wizard's method."""
    found: dict[str, Any] = page.session.plan["methods"].get(page.name, {})
    return found


def texts(widget: QWidget) -> str:
    from PySide6.QtWidgets import QLabel

    return "\n".join(one.text() for one in widget.findChildren(QLabel))


# Crossed groups -----------------------------------------------------------------------------------


def test_the_map_is_to_scale_and_a_click_shows_every_number(german: MainWindow) -> None:
    page = wizard(german, "intersection", "Result")
    assert isinstance(page, Crossed)
    result, drawn = page.result, page.result.map
    cells = (page.session.result or {})["intersection"]["cells"]
    n = {key: c["effective_n"] for key, c in cells.items()}
    areas = {
        cell.key: drawn.square((r, c)).width() ** 2
        for r, line in enumerate(drawn.data.cells)
        for c, cell in enumerate(line)
    }
    assert set(areas) == set(n) and len(n) == 4
    largest = max(n, key=lambda k: n[k])
    for key in n:
        assert areas[key] / areas[largest] == pytest.approx(n[key] / n[largest], rel=0.02)
    place = next(
        (r, c)
        for r, line in enumerate(drawn.data.cells)
        for c, cell in enumerate(line)
        if cell.key == OLD_WOMEN
    )
    told: list[str] = []
    result.chosen.connect(told.append)
    where = drawn.area(place).center().toPoint()
    QTest.mouseClick(drawn, Qt.MouseButton.LeftButton, pos=where)
    settle()
    cell = cells[OLD_WOMEN]
    assert told == [OLD_WOMEN] and result.panel.title.text() == "age 30 and over × sex female"
    facts = result.panel.facts
    assert facts["People"] == str(cell["rows"])
    assert facts["Favourable"].startswith(f"{100 * cell['rate']['value']:.1f} % (")
    ratio = next(v for k, v in facts.items() if k.startswith("Ratio to") and "everybody" not in k)
    assert ratio.startswith(f"{cell['ratio']['value']:.3f} ({cell['ratio']['low']:.3f} to")
    assert result.table.selected_rows() == [list(cells).index(OLD_WOMEN)]
    # hover names it too, and so does a screen reader
    assert drawn._cell(place).tip.startswith("age 30 and over × sex female: ")
    assert drawn.accessibleDescription() == drawn._cell(place).tip
    # arrow keys walk, and stop at the edge
    focus(drawn)
    press(Qt.Key.Key_Left)
    assert result.key == "age=at least 30 × sex=A91, A93, A94"
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_Left)
    assert result.key == "age=at least 30 × sex=A91, A93, A94"
    press(Qt.Key.Key_Down)
    assert result.key == "age=below 30 × sex=A91, A93, A94"
    # a row of the table chooses as well
    result.table.row_chosen.emit(0)
    assert result.key == next(iter(cells)) and drawn.place == (0, 0)


def test_the_map_and_every_number_can_be_taken_along(german: MainWindow, tmp_path: Path) -> None:
    page = wizard(german, "intersection", "Result")
    page.result.save_map(str(tmp_path / "map.png"))
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    page.result.export(str(tmp_path / "cells.csv"))
    lines = (tmp_path / "cells.csv").read_text().splitlines()
    assert len(lines) == 5 and lines[0].startswith("Crossing,age,sex,Rows,")
    assert "age 30 and over × sex female" in lines[2] and lines[2].endswith(OLD_WOMEN)
    page.result.table.copy()
    assert "age under 30 × sex female" in QApplication.clipboard().text()


def test_empty_crossings_have_no_square_and_many_rows_are_cut(qapp: QApplication) -> None:
    empty = MapCell("b", "b", "", "0 people", "INSUFFICIENT", 0.0, "b: 0 people")
    full = MapCell("a", "a", "50.0 %", "9 people", "OK", 1.0, "a: 50 %")
    drawn = CrossedMap()
    drawn.show_data(MapData(("one",), ("x", "y"), ((full, empty),)))
    drawn.resize(300, 120)
    assert drawn.square((0, 1)).width() == 0 and drawn.square((0, 0)).width() > 20
    assert drawn.place_at(QPointF(1, 1)) is None
    keys = [f"g{i}" for i in range(40)]
    ratio = {"value": 1.0}
    part = {
        "attributes": {"a": keys, "b": ["x"]},
        "cells": {
            f"a={k} × b=x": {
                "groups": {"a": k, "b": "x"}, "rows": 5, "effective_n": 5.0, "flag": "OK",
                "rate": {"value": 0.5}, "ratio": {**ratio, "value": 1 - i / 100},
            }
            for i, k in enumerate(keys)
        },
    }  # fmt: skip
    data = crossed_map.map_of(part)
    assert data.cut and len(data.rows) == MOST_ROWS and data.rows[0] == "a g39"
    # an attribute with many groups goes down, whatever its place; one alone does too
    assert len(data.columns) == 1
    turned = {**part, "attributes": {"b": ["x"], "a": keys}, "order": ["b", "a"]}
    assert crossed_map.map_of(turned).columns == ("b x",)
    alone = {"attributes": {"a": keys[:3]}, "cells": {}}
    alone["cells"] = {
        f"a={k}": {**part["cells"][f"a={k} × b=x"], "groups": {"a": k}} for k in keys[:3]
    }
    data = crossed_map.map_of(alone)
    assert (data.rows, data.columns) == (("a g0", "a g1", "a g2"), ("Rate and people",))


def test_choices_of_crossed_groups_come_from_lists(german: MainWindow) -> None:
    page = wizard(german, "intersection", "Groups")
    reference = page.fields["reference"]._field
    offered = [reference.itemText(n) for n in range(reference.count())]
    assert offered[2:] == [
        "age 30 and over × sex male", "age 30 and over × sex female",
        "age under 30 × sex male", "age under 30 × sex female",
    ]  # fmt: skip
    reference.setCurrentIndex(2)
    reference.picked.emit(reference.value())
    assert asked(page)["reference"] == "age=at least 30 × sex=A91, A93, A94"
    page.session.undo()
    assert "reference" not in asked(page)
    button_called(page, "Attributes that are crossed: sex").click()
    assert asked(page)["attributes"] == ["age"]
    button_called(page, "Attributes that are crossed: sex").click()
    assert "attributes" not in asked(page)
    # no crossing is small here; one that was left out before keeps its reason to be changed
    assert page.left_out.said.text() == "No crossing has less than 2 % of the people."
    page.leave_out(OLD_WOMEN, "coded by mistake")
    assert asked(page)["left_out"] == {OLD_WOMEN: "coded by mistake"}
    settle()
    edit = page.left_out.edits[OLD_WOMEN]
    assert edit.text() == "coded by mistake"
    write(edit, "")
    assert "left_out" not in asked(page)


# Definitions --------------------------------------------------------------------------------------


def test_a_definition_is_declared_with_a_reason_and_printed(german: MainWindow) -> None:
    page = wizard(german, "tradeoffs", "Your choice")
    assert isinstance(page, Definitions)
    session, choice = page.session, page.choice
    assert choice is not None
    assert choice.state.text() == "Nothing is declared yet. The report says so."
    assert "In the last run: " in texts(choice) and "changes " in texts(choice)
    acts = len(session.case.trail())
    click(choice.declare_button)
    assert choice.ask_error.isVisible() and choice.reason_row.error() == "Write why; it is printed."
    click(choice.buttons["equalised odds"])
    focus(choice.reason)
    QTest.keyClicks(choice.reason, "Refusing a good payer harms most.")
    assert len(session.case.trail()) == acts and "choice" not in asked(page)
    # what is not declared yet survives leaving the page
    german.stepper_or_fail().open_step(7)
    page = wizard(german, "tradeoffs", "Your choice")
    choice = page.choice
    assert choice is not None and choice.chosen() == "equalised odds"
    assert choice.reason.toPlainText() == "Refusing a good payer harms most."
    click(choice.declare_button)
    event = session.case.trail()[-1]
    assert (event.who, event.when) == ("Evaluator", MOMENT)
    assert "declared that the audit rests on equalised odds" in event.words
    given = asked(page)
    assert given["choice"] == "equalised odds"
    assert given["choice_reason"] == "Refusing a good payer harms most."
    assert given["choice_by"] == "Evaluator, 24 November 2026"
    assert choice.state.text().startswith(
        "This audit rests on equalised odds, declared by Evaluator, 24 November 2026."
    )
    quick = {k: v for k, v in session.plan["methods"].items() if k != "mitigation"}
    session.set(("plan", "methods"), quick, "took out the scenarios")
    assert session.run_audit().state == "done"
    assert session.reading is not None
    said = [f.sentence for f in session.reading.findings("tradeoffs")]
    printed = next(s for s in said if s.startswith("This audit rests on equalised odds"))
    assert "declared by Evaluator, 24 November 2026." in printed
    assert printed.endswith("Reason: Refusing a good payer harms most.")
    click(choice.withdraw_button)
    assert session.case.trail()[-1].words.startswith("withdrew the declared definition")
    assert "choice" not in asked(page) and choice.chosen() == ""
    session.undo()
    assert asked(page)["choice"] == "equalised odds" and choice.chosen() == "equalised odds"


# Scenarios ----------------------------------------------------------------------------------------


def test_the_study_is_marked_on_every_page_and_counts_its_fits(german: MainWindow) -> None:
    page = wizard(german, "mitigation", "Scenarios")
    assert isinstance(page, Study)
    for name in page.pages:
        page.show_page(page.pages.index(name))
        settle()
        assert page.study_bar.isVisible()
    words = texts(page.study_bar)
    assert "never part of the certificate's verdict, and no advice on the law" in words
    page.show_page(0)
    assert page.fits is not None and page.fits.text().startswith("3 stand-ins are trained")
    each = next(b for n, b in page.fields.items() if n == "each_attribute")._field
    each.click()
    assert page.fits.text().startswith("4 stand-ins are trained")


def test_the_results_stand_as_in_table_1(german: MainWindow) -> None:
    page = wizard(german, "mitigation", "Result")
    shown = {t.view.accessibleName(): t.view.model() for t in page.result.tables}
    overview = shown["Scenarios side by side"]
    assert [overview.text(r, 0) for r in range(3)] == [
        "1 · As it is",
        "2 · Reweighed by age",
        "3 · Without employed since and age",
    ]
    whole = shown["All metrics, as in table 1 of paper 001"]
    assert whole.columns[2:] == ("SPD", "DI", "EOD", "EMOD", "AOD", "Index", "Score")
    assert whole.rowCount() == 6  # three scenarios, two attributes
    assert (whole.text(2, 2), whole.text(2, 3)) == ("0.000", "1.000")
    assert {"scenarios", "proxies"} <= {f.chart.key for f in page.result.figures}


def test_proxies_are_chosen_from_what_columns_tell(german: MainWindow) -> None:
    page = wizard(german, "mitigation", "Proxies")
    session, proxies = page.session, page.proxies
    assert proxies.boxes["age"].isChecked() and not proxies.boxes["age"].isEnabled()
    assert proxies.boxes["employed since"].isChecked()
    assert not proxies.boxes["housing"].isChecked()
    click(proxies.boxes["housing"])
    assert asked(page)["proxies"] == ["employed since", "housing"]
    assert proxies.choice.text() == "Chosen by you: employed since and housing."
    click(proxies.back)
    assert "proxies" not in asked(page) and not proxies.boxes["housing"].isChecked()
    # another attribute was never measured: it is, without a run
    session.set(("plan", "methods", "mitigation", "attribute"), "sex", "chose")
    page.refresh()
    assert proxies.source.text().startswith("Not measured yet.") and not proxies.boxes
    click(proxies.measure_button)
    assert proxies.source.text().startswith("Measured on 850 people")
    assert proxies.boxes["personal status and sex"].isChecked()
    rows = proxies.table.model()
    told = {rows.text(r, 1): rows.text(r, 2) for r in range(rows.rowCount())}
    assert told["personal status and sex"] == "the attribute itself"
    assert 0.4 < float(told["housing"]) < 0.8
    session.set(("plan", "seed"), 5, "chose another seed")
    page.refresh()
    assert proxies.source.text().endswith(
        "Something changed after this was measured. Measure again."
    )


# How it looks -------------------------------------------------------------------------------------


LONG_PAGE = pytest.mark.slow  # many tables and figures at large letters
LOOKS = [
    *((name, (1024, 700), 100, "dark") for name in NAMES),
    *((name, (1024, 700), 200, "light") for name in NAMES[:2]),
    pytest.param("mitigation", (1024, 700), 200, "light", marks=LONG_PAGE),
]


@pytest.mark.parametrize(("name", "size", "scale", "appearance"), LOOKS)
def test_nothing_is_cut_and_everything_has_a_name(
    german: MainWindow,
    look: Callable[..., None],
    name: str,
    size: tuple[int, int],
    scale: int,
    appearance: str,
) -> None:
    look(scale=scale, appearance=appearance)
    german.resize(*size)
    page = wizard(german, name, "Result")
    for one in page.pages:
        page.show_page(page.pages.index(one))
        page.result.finish()
        assert nameless(page) == [], one
        for _ in range(20):
            settle(200)
            if not cut(page):
                break
        assert cut(page) == [], one
        assert page.scroll.horizontalScrollBar().maximum() == 0 or scale > 100, one


@pytest.mark.parametrize("name", NAMES)
def test_nothing_has_run_yet(case_window: MainWindow, name: str) -> None:
    case_window.open_method(name)
    page: Any = case_window.stepper_or_fail().page
    for one in page.pages:
        page.show_page(page.pages.index(one))
        settle()
        assert nameless(page) == [], one
        assert cut(page) == [], one
    assert page.bar.isVisible() and "cannot run yet" in texts(page.bar)
