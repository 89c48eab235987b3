"""The head of the peers wizard: four pages as words, and two that belong to the result."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy

from gui.theme import theme
from gui.widgets.header import WizardHeader

from .peers_words import text

TABS = ("Question", "Peers", "Test", "Result")
WATCHOUT, STRESS = "Watch-out", "Stress tests"
TITLES = {WATCHOUT: "watchout_title", STRESS: "stress_title"}
SENTENCES = {WATCHOUT: "watchout_help", STRESS: "stress_help"}


class PeersHeader(WizardHeader):
    """The four pages as words; the two behind them belong to the result."""

    def __init__(self, pages: tuple[str, ...], sentence: str) -> None:
        self._names = pages
        self._places = tuple(pages.index(name) for name in TABS)
        super().__init__("", text("title"), sentence, TABS)
        self.title.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.title.setSizePolicy(policy)
        self.tabs.setUsesScrollButtons(True)  # where large letters leave no room for all four

    def page_of(self, tab: int) -> int:
        """The page that a tab opens."""
        return self._places[tab]

    def show_page(self, index: int) -> None:
        tab = self._places.index(index) if index in self._places else len(TABS) - 1
        self.title.setText(text(TITLES.get(self._names[index], "title")))
        super().show_page(tab)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        whole = self.layout()
        top = whole.itemAt(0).layout() if whole is not None else None
        if isinstance(top, QBoxLayout):
            title = self.title.fontMetrics().horizontalAdvance(self.title.text())
            beside = self.tabs.sizeHint().width() + title / 2 + 24 <= event.size().width()
            way = QBoxLayout.Direction
            wanted = way.LeftToRight if beside else way.TopToBottom
            if top.direction() != wanted:
                top.setDirection(wanted)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(200), super().minimumSizeHint().height())
