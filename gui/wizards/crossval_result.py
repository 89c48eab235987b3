"""The result page: the sentence that may be quoted, the grid of answers, and all the rest."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.theme import theme
from gui.widgets.basic import TEXT_WIDTH, Button, Label
from gui.widgets.figure import FigureView
from gui.widgets.flow import Flow

from .crossval_data import CrossvalView
from .crossval_words import text
from .result_view import FindingRow, ResultView, TablePart

COPIED_MS = 2000


class Quote(QFrame):
    """The sentence that may be quoted, with a button that copies it."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("panel", "true")
        self.sentence = Label("", wrap=True)
        self.sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.sentence.setMaximumWidth(theme().px(TEXT_WIDTH))
        self.copy_button = Button(text("copy"), icon="copy", small=True, on_click=self.copy)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(16, 11, 16, 13)
        inner.setSpacing(6)
        inner.addLayout(Flow(Label(text("quote"), "section"), self.copy_button, last_right=True))
        inner.addWidget(self.sentence)

    def say(self, sentence: str) -> None:
        """Show another sentence."""
        self.sentence.setText(sentence)
        self.setAccessibleName(f"{text('quote')}: {sentence}")

    def copy(self) -> None:
        """Put the sentence on the clipboard, and say so for a moment."""
        QGuiApplication.clipboard().setText(self.sentence.text())
        self.copy_button.set_text(text("copied"))
        QTimer.singleShot(
            COPIED_MS, self.copy_button, lambda: self.copy_button.set_text(text("copy"))
        )


class CrossvalResult(QWidget):
    """Shows a :class:`~gui.wizards.crossval_data.CrossvalView`, as :class:`ResultView` does."""

    def __init__(self) -> None:
        super().__init__()
        self.quote = Quote()
        self.answers = FigureView()
        self.rest = ResultView()
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(16)
        for part in (self.quote, self.answers, self.rest):
            inner.addWidget(part)
        self.clear()

    @property
    def figures(self) -> list[FigureView]:
        """Every figure on show."""
        return ([self.answers] if self.answers.chart is not None else []) + self.rest.figures

    @property
    def tables(self) -> list[TablePart]:
        """Every table on show."""
        return self.rest.tables

    @property
    def findings(self) -> list[FindingRow]:
        """Every finding on show."""
        return self.rest.findings

    def finish(self) -> None:
        """Make every part at once, for tests and pictures."""
        self.rest.finish()

    def clear(self) -> None:
        """Show nothing."""
        self.rest.clear()
        self.quote.hide()
        self.answers.hide()

    def show_view(self, view: CrossvalView, export: Any) -> None:
        """Show a result; ``export(stem, path)`` writes a whole table of the run."""
        self.quote.say(view.quote)
        self.quote.show()
        self.answers.set_chart(view.answers)
        self.answers.show()
        self.rest.show_view(view.rest, export)
