"""The wizard of prices and amounts, worked by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gui.main_window import MainWindow
from gui.session import Session
from gui.wizards.list_fields import ColumnsField, TwoWaysField
from gui.wizards.pricing import LINEAR, ModelsField, Wizard
from tests.gui.grab import settle
from tests.gui.steps.hands import button_called, click
from tests.gui.test_window import cut, nameless


@pytest.fixture
def quotes(case_window: MainWindow, session: Session, tmp_path: Path) -> Session:
    """A case with 200 quotes whose plan names their column, without a direction."""
    rng = np.random.default_rng(3)
    sex = np.where(np.arange(200) % 2, "F", "M")
    rate = (5 + rng.random(200) + 0.6 * (sex == "F")).round(3)
    frame = pd.DataFrame(
        {"sex": sex, "rate": rate, "credit": (1e4 / rate).round(0), "town": "x", "risk": rng.random(200).round(2)}
    )  # fmt: skip
    frame.to_csv(tmp_path / "quotes.csv", index=False)
    session.add_files([tmp_path / "quotes.csv"], role=lambda _path: "all")
    session.set_many(
        [
            (("plan", "protected"), [{"column": "sex", "privileged": ["M"], "labels": {"F": "women", "M": "men"}}]),
            (("plan", "outcome"), None),
            (("plan", "system"), {"amount": {"column": "rate"}}),
            (("plan", "methods"), {"pricing": {"permutations": 99, "resamples": 100}}),
        ],
        "chose",
    )  # fmt: skip
    for step in range(6):
        session.confirm(step)
    return session


def wizard(window: MainWindow, page: str) -> Wizard:
    window.open_method("pricing")
    found = window.stepper_or_fail().page
    assert isinstance(found, Wizard)
    found.show_page(found.pages.index(page))
    settle()
    return found


def given(session: Session) -> dict[str, object]:
    return dict(session.plan["methods"]["pricing"])


def test_the_direction_is_asked_and_answered(case_window: MainWindow, quotes: Session) -> None:
    page = wizard(case_window, "Amounts")
    assert page.quoted.kind == "question" and "Which direction is worse" in page.quoted.words()
    field = page.fields["adverse"]
    assert isinstance(field, TwoWaysField) and field.value() == "as the plan says"
    click(button_called(page, f"{field.setting.words}: A high figure"))
    assert given(quotes)["adverse"] == "high"
    assert "“rate”. A high figure is worse" in page.quoted.words()
    quotes.undo()
    assert page.quoted.kind == "question" and field.value() == "as the plan says"
    quotes.set(("plan", "system"), {"amount": {"column": "rate", "adverse": "low"}}, "said")
    assert "A low figure is worse" in page.quoted.words()


def test_columns_are_chosen_from_a_list_of_numbers(
    case_window: MainWindow, quotes: Session
) -> None:
    page = wizard(case_window, "Amounts")
    field = page.fields["quotes"]
    assert isinstance(field, ColumnsField)
    combo = field._field.combo  # type: ignore[attr-defined]
    offered = [combo.itemData(i) for i in range(combo.count())]
    assert offered == ["rate", "credit", "risk"], "no texts"
    combo.picked.emit("credit")
    assert given(quotes)["quotes"] == ["credit"]
    field._field._turn("credit", "low")  # type: ignore[attr-defined]
    assert given(quotes)["quotes"] == [{"column": "credit", "adverse": "low"}]
    settle()
    click(button_called(page, "Take out credit"))
    assert "quotes" not in given(quotes)
    models = page.fields["models"]
    assert isinstance(models, ModelsField)
    models._field.setCurrentIndex(2)  # type: ignore[attr-defined]
    models._field.activated.emit(2)  # type: ignore[attr-defined]
    assert given(quotes)["models"] == [LINEAR]
    quotes.undo()
    assert "models" not in given(quotes) and models.value() is None


def test_a_mark_after_the_result_is_told(
    case_window: MainWindow, quotes: Session, tmp_path: Path
) -> None:
    quotes.set(("plan", "methods", "pricing", "adverse"), "high", "said")
    page = wizard(case_window, "Pass mark")
    assert "no standard for prices" in page.mark.words()
    assert quotes.run_audit().state == "done"
    page = wizard(case_window, "Result")
    page.result.finish()
    said = " ".join(f.accessibleName() for f in page.result.findings)
    assert "sex women get" in said and "sex=" not in said
    assert [v.chart.key for v in page.result.figures] == [
        "pricing_distribution", "pricing_quantiles"
    ]  # fmt: skip
    settle(200)
    for figure in page.result.figures:
        assert button_called(figure, "Save graph") and figure.chart.title
    stems = [b.accessibleName() for b in page.result.findChildren(type(page.toggle)) if "Pricing" in b.accessibleName()]  # fmt: skip
    assert len(stems) == 3, "every table of the run can be exported"
    page._export("pricing_gaps", tmp_path / "gaps.csv")
    assert "sex" in (tmp_path / "gaps.csv").read_text("utf-8")
    page.show_page(page.pages.index("Pass mark"))
    assert "was not set beforehand" in page.mark.words()


@pytest.mark.parametrize("scale", [100, 200])
def test_there_is_room(case_window: MainWindow, quotes: Session, look, scale: int) -> None:
    look(scale=scale)
    case_window.resize(1024, 700)
    quotes.set(("plan", "methods", "pricing", "quotes"), ["credit"], "chose")
    page = wizard(case_window, "Amounts")
    settle(200)
    assert cut(page) == [] and nameless(page) == []
    assert page.scroll.horizontalScrollBar().maximum() == 0
