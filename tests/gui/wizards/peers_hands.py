"""Opening the peers wizard, for its tests."""

from __future__ import annotations

from typing import Any

from gui.main_window import MainWindow
from gui.wizards.peers import Wizard
from tests.gui.steps.hands import settle


def wizard(window: MainWindow, page: str = "Result") -> Wizard:
    """The wizard, opened from the menu, on a page."""
    window.open_method("peers")
    made = window.stepper_or_fail().page
    assert isinstance(made, Wizard)
    made.show_page(made.pages.index(page))
    made.result.finish()
    settle(60)
    return made


def part_of(page: Wizard) -> dict[str, Any]:
    found: dict[str, Any] = (page.session.result or {})["peers"]
    return found
