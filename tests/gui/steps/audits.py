"""Cases for the tests of steps 4 to 9: the German sample, and a small table with decisions."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from hands import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.main_window import MainWindow
from gui.opening import fill_from_plan, fill_from_sample
from gui.session import Session
from gui.widgets.fields import Combo

MOMENT = "2026-11-24T10:41:00+01:00"


def onnx_file(path: Path, weights: list[float], constant: float) -> Path:
    """A logistic model as an ONNX file, written by hand: input ``x``, output ``score``."""
    there = Path(__file__).parents[2] / "engine" / "models" / "onnx_bytes.py"
    spec = importlib.util.spec_from_file_location("onnx_bytes", there)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path.write_bytes(module.logistic(weights, constant))
    return path


def german(window: MainWindow, *, resamples: int = 100) -> Session:
    """The German sample in the open case, ready to run."""
    session = session_of(window)
    fill_from_sample(session, "german", on_done=lambda: None)
    assert session.set(("plan", "resamples"), resamples, "chose resamples")
    return session


def session_of(window: MainWindow) -> Session:
    """The session of the open case."""
    assert window.session is not None
    return window.session


def people(n: int = 400, seed: int = 5) -> pd.DataFrame:
    """Made-up people with outcome, decision, score and rate; three regions."""
    rng = np.random.default_rng(seed)
    sex = rng.choice(["F", "M"], n)
    region = rng.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2])
    score = np.round(rng.uniform(0, 1, n), 3)
    outcome = np.where(rng.uniform(0, 1, n) < 0.3 + 0.5 * score, "good", "bad")
    decision = np.where(score + 0.08 * (sex == "M") > 0.5, "yes", "no")
    rate = np.round(4 + 3 * (1 - score), 2)
    age = rng.integers(18, 80, n)
    return pd.DataFrame(
        {"sex": sex, "region": region, "age": age, "score": score, "rate": rate,
         "decision": decision, "Risk": outcome}
    )  # fmt: skip


PEOPLE_PLAN: dict[str, Any] = {
    "schema": "fairassay-plan/1",
    "resamples": 60,
    "data": {"test": {"path": "people.csv"}},
    "outcome": {"column": "Risk", "favourable": ["good"], "unfavourable": ["bad"]},
    "protected": [
        {"column": "sex", "privileged": ["M"]},
        {"column": "region", "privileged": ["north"]},
    ],
    "methods": {"certification": {}},
}


def from_plan(
    session: Session, plan: Mapping[str, Any], frame: pd.DataFrame, name: str = "people.csv"
) -> None:
    """Fill a case with a plan and one table."""

    def load(folder: Path) -> Path:
        frame.to_csv(folder / name, index=False)
        file = folder / "plan.json"
        file.write_text(json.dumps(plan))
        return file

    fill_from_plan(session, load, on_done=lambda: None)


def choose(combo: Combo, words: str) -> None:
    """Choose an entry of a drop-down by typing its first letters."""
    assert combo.isVisible() and combo.isEnabled()
    combo.setFocus()
    QTest.keyClicks(combo, words)
    settle()
    if combo.currentText() != words:
        index = combo.findText(words)
        assert index >= 0, words
        while combo.currentIndex() != index:
            down = combo.currentIndex() < index
            QTest.keyClick(combo, Qt.Key.Key_Down if down else Qt.Key.Key_Up)
        settle()
    assert combo.currentText() == words


def open_step(window: MainWindow, number: int) -> Any:
    """Open a step as the list does, and give its page."""
    window.activateWindow()
    window.stepper_or_fail().open_step(number)
    settle()
    return window.stepper_or_fail().page


def stored(session: Session) -> dict[str, Any]:
    """The state as the case file holds it, read by a second, fresh reader."""
    from engine.case.store import Case

    case = Case.open(session.path, read_only=True)
    try:
        return case.state
    finally:
        case.close()
