"""What the data can carry and what was published, side by side in two equal panels."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.widgets.basic import Label, line, row, stacks
from gui.widgets.flow import Flow
from gui.widgets.verdict import VerdictMark

from .audit_texts import text

RECOMMENDED = {"grant": "within", "refuse": "outside", "not settled": "not settled"}
"""Recommendation -> the mark that it bears."""


class ReadingPanel(QFrame):
    """One reading: what it is, a large figure, a few facts, and what it recommends."""

    def __init__(self, title: str, words: str) -> None:
        super().__init__()
        self.setProperty("panel", "true")
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.title = Label(title, "section")
        self.words = Label(words, "help", tone="second", wrap=True)
        self.figure = Label("", "figure", wrap=True)
        self.under = Label("", "help", tone="second", wrap=True)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(12)
        self._facts.setVerticalSpacing(2)
        self._facts.setColumnStretch(0, 1)
        self._mark = VerdictMark("not settled")
        self._verdict = Label("", "key")
        self._rule = Label("", "help", tone="second")
        recommends = QWidget()
        said = Label(text("band.recommends"), "help", tone="second")
        recommends.setLayout(row(self._mark, self._verdict, spacing=7))
        foot = QWidget()
        foot.setLayout(Flow(said, recommends, self._rule, spacing=8, last_right=True))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        foot.setSizePolicy(policy)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 12)
        whole.setSpacing(6)
        for part in (self.title, self.words, self.figure, self.under):
            whole.addWidget(part)
        whole.addLayout(self._facts)
        whole.addStretch(1)
        whole.addWidget(line())
        whole.addWidget(foot)

    def show_reading(
        self,
        *,
        recommends: str,
        in_force: bool,
        facts: Sequence[tuple[str, str]] = (),
        figure: str = "",
        under: str = "",
    ) -> None:
        """Show a reading; ``facts`` are words and numbers, ``figure`` stands large above them."""
        self.figure.setText(figure)
        self.figure.setVisible(bool(figure))
        self.under.setText(under)
        self.under.setVisible(bool(under))
        while self._facts.count():
            old = self._facts.takeAt(0).widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for place, (words, number) in enumerate(facts):
            self._facts.addWidget(Label(words, wrap=True), place, 0)
            value = Label(number, "key")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._facts.addWidget(value, place, 1)
        self._mark.set_verdict(RECOMMENDED.get(recommends, "not settled"))
        self._verdict.setText(recommends)
        self._rule.setText(text("band.in_force") if in_force else "")
        said = [self.title.text(), figure, under, *(f"{w} {n}" for w, n in facts)]
        self.setAccessibleDescription(
            ". ".join(one for one in said if one) + f". {text('band.recommends')} {recommends}"
        )


class Readings(QWidget):
    """The two panels, equal in size."""

    def __init__(self) -> None:
        super().__init__()
        self.carry = ReadingPanel(text("band.carry"), text("band.carry_words"))
        self.published = ReadingPanel(text("band.published"), text("band.published_words"))
        inner = QHBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(16)
        inner.addWidget(self.carry, 1)
        inner.addWidget(self.published, 1)
        stacks(inner)
