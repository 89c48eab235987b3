"""What should be known about the open graph, in words, under its canvas."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.widgets.basic import Button
from gui.widgets.message import MessageBar

from .causal_panel import KINDS
from .causal_words import text

FEW = 2
"""Refusals always show; warnings up to this many together with them; the rest is folded."""


class Remarks(QWidget):
    """Message bars, the gravest first; each leads to its arrow or variable.

    ``see(object)`` is sent with that arrow or variable, ``taken()`` when a start is taken over.
    """

    see = Signal(object)
    taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._unfolded = False
        self._told: Sequence[Mapping[str, Any]] = ()
        self._known: Container[Any] = ()
        self._first: list[tuple[str, bool]] = []

    def show_troubles(
        self, troubles: Sequence[Mapping[str, Any]], known: Container[Any], *, waiting: str,
        suggested: bool, closed: bool,
    ) -> None:  # fmt: skip
        """Show troubles, sorted; ``known`` holds the arrows and variables that can be seen."""
        self._told, self._known = troubles, known
        self._first = [(waiting, False)] if waiting else []
        if suggested:
            self._first.append((text("suggested"), not closed))
        self._show()

    def say(self, words: str) -> None:
        """Say that something failed."""
        self._layout.addWidget(MessageBar("outside", words))
        self.show()

    def _show(self) -> None:
        while (item := self._layout.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for words, take in self._first:
            link = (text("take"), "take") if take else ("", "")
            bar = MessageBar("info", words, link_text=link[0], link=link[1])
            bar.activated.connect(lambda _link: self.taken.emit())
            self._layout.addWidget(bar)
        told = self._told
        refused = sum(t["grade"] == "refusal" for t in told)
        doubted = sum(t["grade"] == "warning" for t in told)
        few = refused + min(max(0, FEW - refused), doubted)
        for one in told if self._unfolded else told[:few]:
            self._layout.addWidget(self._bar(one))
        if len(told) > few:
            code = "show_fewer" if self._unfolded else "show_all"
            button = Button(text(code, n=len(told)), kind="link", on_click=self._unfold)
            self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setVisible(bool(self._layout.count()))

    def _bar(self, one: Mapping[str, Any]) -> MessageBar:
        at: Any = tuple(one["arrow"]) if one["arrow"] else one["node"]
        if at not in self._known:
            at = one["node"] if one["node"] in self._known else None
        words = text("see") if at is not None else ""
        bar = MessageBar(KINDS.get(one["grade"], "info"), one["text"], link_text=words, link="see")
        bar.activated.connect(partial(self._see, at))
        return bar

    def _see(self, at: Any, _link: str) -> None:
        self.see.emit(at)

    def _unfold(self) -> None:
        self._unfolded = not self._unfolded
        self._show()
