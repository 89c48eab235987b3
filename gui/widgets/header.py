"""Page headers: step, title, one sentence, and at most two small buttons; or a wizard's pages."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QTabBar, QVBoxLayout, QWidget

from gui.theme import theme

from .basic import Label

UNDER_FROM = 1.4
"""The text scale above which buttons stand under the title."""


class PageHeader(QWidget):
    """``Step 8``, the title in serif, and the sentence that says what the page is for."""

    def __init__(self, step: str, title: str, sentence: str) -> None:
        super().__init__()
        self.step = Label(step, "help", tone="second")
        self.title = Label(title, "title")
        self.title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.sentence = Label(sentence, tone="second", wrap=True)
        self.right = QHBoxLayout()
        self.right.setSpacing(8)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self.step)
        left.addWidget(self.title)
        top = self._top = QHBoxLayout()
        top.addLayout(left, 1)
        side = self._side = QVBoxLayout()
        side.addStretch(1)
        side.addLayout(self.right)
        top.addLayout(side)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2)
        whole.addLayout(top)
        whole.addWidget(self.sentence)
        self.setAccessibleName(title)
        theme().changed.connect(self._turn)
        self._turn()

    def _turn(self) -> None:
        """Set the buttons under the title while the letters are large."""
        under = theme().scale > UNDER_FROM
        way = QBoxLayout.Direction
        self._top.setDirection(way.TopToBottom if under else way.LeftToRight)
        self._top.setSpacing(8 if under else 16)
        self._side.setAlignment(Qt.AlignmentFlag.AlignLeft if under else Qt.AlignmentFlag(0))

    def add(self, widget: QWidget) -> None:
        """Put a small button on the right."""
        self.right.addWidget(widget)

    def set_sentence(self, text: str) -> None:
        """Change the sentence, for example to name the tolerance in force."""
        self.sentence.setText(text)


class WizardHeader(PageHeader):
    """The same, with the wizard's pages as words; a 2 px line stands under the open one."""

    page_changed = Signal(int)

    def __init__(self, step: str, title: str, sentence: str, pages: tuple[str, ...]) -> None:
        super().__init__(step, title, sentence)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)  # where not all pages fit, as at a large text scale
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.tabs.setAccessibleName(f"Pages of {title}")
        for number, name in enumerate(pages, start=1):
            self.tabs.addTab(f"{number}  {name}")
        self.tabs.currentChanged.connect(self.page_changed)
        self.right.addWidget(self.tabs)

    def show_page(self, index: int) -> None:
        """Open a page by its index from 0."""
        self.tabs.setCurrentIndex(index)


class FoldingHeader(WizardHeader):
    """A wizard's head whose pages stand under the title where the window is too narrow for both."""

    def __init__(self, step: str, title: str, sentence: str, pages: tuple[str, ...]) -> None:
        super().__init__(step, title, sentence, pages)
        self.tabs.setUsesScrollButtons(True)  # where large letters leave no room for all

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        title = self.title.fontMetrics().horizontalAdvance(self.title.text())
        beside = self.tabs.sizeHint().width() + title + 24 <= event.size().width()
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._top.direction() != way:
            self._top.setDirection(way)
            self._top.setSpacing(16 if beside else 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(200), super().minimumSizeHint().height())
