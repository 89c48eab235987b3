"""Two pages of the peers wizard: the watch-out list, and the stress tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from gui.jobs import Job, time_left
from gui.theme import theme
from gui.widgets.basic import Button, Elided, Label, row
from gui.widgets.flow import Flow
from gui.widgets.message import MessageBar

from .peers_order import OrderList
from .peers_words import text
from .result_view import MethodView, ResultView
from .words import text as wizard_text

LEVELS, SIZES, FACTORS, MODELS = 6, 6, 4, 3


def _buttons(*buttons: Button) -> QWidget:
    made = QWidget()
    made.setLayout(Flow(*buttons, spacing=8))
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made


class WatchoutPage(QWidget):
    """What is better in each feature, who gets a list, and the list itself.

    Signals
    -------
    preview_asked(), save_asked(), letters_asked()
    """

    preview_asked = Signal()
    save_asked = Signal()
    letters_asked = Signal()

    def __init__(self, rules: QWidget) -> None:
        super().__init__()
        self.order = OrderList()
        self.bar = MessageBar("info", " ")
        self.said = Label("", wrap=True)
        self.preview = Button(text("preview"), icon="eye", on_click=self.preview_asked.emit)
        self.save = Button(text("save_list"), icon="download", on_click=self.save_asked.emit)
        self.letters = Button(text("letters"), icon="mail", on_click=self.letters_asked.emit)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        inner.addWidget(Label(text("order"), "section", wrap=True))
        inner.addWidget(Label(text("order_help"), "help", tone="second", wrap=True))
        inner.addWidget(self.order)
        inner.addSpacing(8)
        inner.addWidget(Label(text("rules"), "section"))
        inner.addWidget(rules)
        inner.addSpacing(8)
        inner.addWidget(Label(text("list"), "section"))
        inner.addWidget(self.said)
        inner.addWidget(self.bar)
        inner.addWidget(_buttons(self.preview, self.save, self.letters))

    def show_list(self, words: str, *, ready: bool, stale: bool, why: str) -> None:
        """Say what the last run gave, and whether the list can be made."""
        self.said.setText(words)
        self.said.setVisible(bool(words))
        for button in (self.preview, self.save, self.letters):
            button.setEnabled(ready)
        link = ("", "") if why else (wizard_text("run"), "my:run")
        if not ready:
            said = wizard_text("needs_data", why=why) if why else text("list_none")
            self.bar.show_message("info", said, link_text=link[0], link=link[1])
        elif stale:
            self.bar.show_message("warning", wizard_text("stale"), link_text=link[0], link=link[1])
        self.bar.setVisible(not ready or stale)


class StressPage(QWidget):
    """Which tests, how far they are, and what they found.

    Signals
    -------
    run_asked(), cancel_asked()
    """

    run_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, fields: QWidget) -> None:
        super().__init__()
        self.cells = Label("", "help", tone="second", wrap=True)
        self.run = Button(text("stress_run"), icon="play", on_click=self.run_asked.emit)
        self.cancel = Button(text("stress_cancel"), on_click=self.cancel_asked.emit)
        self.now = Elided("", "help", tone="second")
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(text("to_stress"))
        self.progress.setMaximumWidth(theme().px(420))
        self.bar = MessageBar("info", " ")
        self.result = ResultView()
        self._shown: MethodView | None = None
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(10)
        inner.addWidget(fields)
        inner.addWidget(self.cells)
        inner.addWidget(_buttons(self.run, self.cancel))
        running = row(self.now)
        inner.addLayout(running)
        inner.addWidget(self.progress)
        inner.addSpacing(8)
        inner.addWidget(self.bar)
        inner.addWidget(self.result)

    def show_settings(
        self, given: Mapping[str, Any], *, closed: str, part: Mapping[str, Any] | None, stands: bool
    ) -> None:
        """Say how many runs the chosen tests take and how many are done, or what is missing.

        Parameters
        ----------
        given : mapping
            The method's settings as they are chosen now.
        closed : str
            Why nothing can run, or empty.
        part : mapping or None
            The method's part of the last result.
        stands : bool
            Whether that result is of the choices as they stand, but for the stress tests.
        """
        wanted = given["stress"] or []
        n = cells(given, part)
        runs = (part or {}).get("stress_runs") or {}
        left = runs["of"] - runs["done"] if runs and stands else 0
        said = text("stress_cells", n=n) if wanted else text("stress_none")
        if wanted and left and runs["of"] == n:
            said = text("stress_done", **{k: runs[k] for k in ("done", "of")})
            self.run.set_text(text("stress_rest", n=left))
        else:
            self.run.set_text(text("stress_run"))
        if wanted and not stands and not closed:
            said = f"{said} {text('stress_first')}"
        self.cells.setText(said)
        self.run.setEnabled(bool(wanted) and not closed)

    def show_job(self, job: Job | None) -> None:
        """Show how far the run is; None: nothing runs."""
        running = job is not None and job.state in ("running", "stopping")
        self.cancel.setEnabled(running and job is not None and job.state == "running")
        for part in (self.now, self.progress, self.cancel):
            part.setVisible(running)
        self.run.setVisible(not running)
        if job is None or not running:
            return
        left = time_left(job.seconds_left())
        stopping = job.state == "stopping"
        words = text("stress_stopping") if stopping else job.sentence()
        count = f"{job.done} of {job.total}" if job.total and not stopping else ""
        self.now.setText(" · ".join(p for p in (words, count, left) if p))
        self.progress.setValue(round(1000 * (job.fraction or 0)))

    def show_result(self, view: MethodView | None, export: Callable[..., object]) -> None:
        """Show what the tests of the last run found."""
        some = view is not None and bool(view.sections)
        self.bar.show_message("info", text("stress_empty"))
        self.bar.setVisible(not some)
        if view is self._shown:
            return
        self._shown = view
        if some and view is not None:
            self.result.show_view(view, export)
        else:
            self.result.clear()


def cells(given: Mapping[str, Any], part: Mapping[str, Any] | None = None) -> int:
    """How many runs of the published test the chosen stress tests take, after a last result."""
    wanted = given["stress"] or []
    levels = len(given["stress_levels"] or ())
    scored = False
    if part is not None:
        people = part["n_protected"] + part["n_unprotected"]
        share = 100 * part["n_protected"] / people if people else 0.0
        levels = levels or sum(share - 5 * k >= 2 for k in range(1, LEVELS + 1))
        scored = ((part["models"] or {}).get("prediction") or {}).get("model") == "supplied score"
    levels = levels or (LEVELS if part is None else 0)
    sizes = {
        "imbalance": levels * int(given["stress_repeats"]),
        "delta": FACTORS,
        "draws": SIZES,
        "models": MODELS * (1 if scored else 2),
    }
    return sum(sizes[name] for name in wanted)
