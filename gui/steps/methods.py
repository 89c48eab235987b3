"""The list of further methods: what each asks, whether it runs, and the way into its wizard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from engine.methods import NAMES, method
from engine.methods.base import Method
from gui.theme import theme
from gui.widgets.basic import Button, Label, line
from gui.wizards import wizard_page

from .audit_texts import text

if TYPE_CHECKING:
    from .base import StepPage

CERTIFICATION = "certification"


class MethodList(QWidget):
    """One row a method: a tick for the plan, its question, where it stands, and Open."""

    def __init__(self, page: StepPage) -> None:
        super().__init__()
        self.page = page
        self.session = page.session
        self.ticks: dict[str, QCheckBox] = {}
        self.buttons: dict[str, Button] = {}
        self._states: dict[str, Label] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        for name in NAMES:
            if name != CERTIFICATION:
                self._add(grid, method(name))
        self.refresh()

    def _add(self, grid: QGridLayout, described: Method) -> None:
        name, place = described.name, 3 * len(self.ticks)
        tick = QCheckBox(described.title)
        tick.setAccessibleDescription(described.question)
        tick.clicked.connect(lambda on: self._toggled(name, on))
        state = Label("", "help", tone="second")
        button = Button(text("outcomes.open"), small=True, on_click=lambda: self.open(name))
        button.setAccessibleName(f"{text('outcomes.open')}: {described.title}")
        said = Label(described.question, tone="second", wrap=True)
        said.setContentsMargins(theme().px(27), 0, 0, 4)
        state.setContentsMargins(0, 0, 0, 4)
        grid.addWidget(line(), place, 0, 1, 2)
        grid.addWidget(tick, place + 1, 0, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(button, place + 1, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(said, place + 2, 0)
        grid.addWidget(state, place + 2, 1, Qt.AlignmentFlag.AlignRight)
        self.ticks[name], self.buttons[name], self._states[name] = tick, button, state

    def refresh(self) -> None:
        """Show what the plan asks and what the last result holds."""
        plan = self.session.plan
        asked = plan.get("methods") or {}
        result = self.session.result or {}
        for name, tick in self.ticks.items():
            on = name in asked
            tick.setChecked(on)
            needs = method(name).needs_decisions and "system" in plan and plan["system"] is None
            tick.setEnabled(not self.session.read_only and (on or not needs))
            ran = name in result and on and self.session.result_current
            code = (
                "ran" if ran else "in_plan" if on else "needs_decisions" if needs else "not_in_plan"
            )
            self._states[name].setText(text(f"outcomes.{code}"))

    def _toggled(self, name: str, on: bool) -> None:
        asked = dict(self.session.plan.get("methods") or {CERTIFICATION: {}})
        if on:
            asked[name] = {}
        else:
            asked.pop(name, None)
        words = text(f"outcomes.words.{'add' if on else 'remove'}", title=method(name).title)
        self.session.set(("plan", "methods"), asked, words)

    def open(self, name: str) -> None:
        """Open a method's wizard; where it has none yet, tick it for the next run."""
        stepper = self.page.stepper
        made = wizard_page(name, self.session, stepper) if stepper is not None else None
        if made is not None:
            self.page.open_page(made)
        elif not self.ticks[name].isChecked() and self.ticks[name].isEnabled():
            self._toggled(name, True)
