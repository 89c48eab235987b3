"""The two readings side by side, equal in size: as published, and what the data can carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.base import wording
from gui.theme import restyle, theme
from gui.widgets.basic import Label, line, row
from gui.widgets.flow import Flow
from gui.widgets.message import MessageBar
from gui.widgets.verdict import VerdictChip

from .peers_figures import ClassBar, ClassMark
from .peers_words import text

CLASSES = {
    "ED": "Extremely discriminated",
    "SD": "Slightly discriminated",
    "FT": "Fairly treated",
    "SP": "Slightly privileged",
    "EP": "Extremely privileged",
}


class Pair(QWidget):
    """Two parts side by side, or one below the other where there is no room for both."""

    def __init__(
        self, first: QWidget, second: QWidget, *, shares: tuple[int, int], needs: float
    ) -> None:
        super().__init__()
        self._needs = needs
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(16)
        self._box.addWidget(first, shares[0])
        self._box.addWidget(second, shares[1])
        for part in (first, second):  # shares of the room, whatever the parts would like
            policy = part.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            part.setSizePolicy(policy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = event.size().width() >= theme().px(self._needs)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        wanted = across if side else down
        if self._box.direction() != wanted:
            self._box.setDirection(wanted)


class Facts(QWidget):
    """Lines of a word on the left and a value on the right, with hairlines between."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self._values: dict[str, tuple[Label, Label]] = {}

    def add(self, key: str, *, value: str = "key", after: QWidget | None = None) -> None:
        """Add a line; ``value`` is the type of the value, ``after`` something right of it."""
        left, right = Label("", wrap=True), Label("", value)
        left.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        made = row(left, right, spacing=10)
        made.setStretch(0, 1)
        if after is not None:
            made.addWidget(after)
        made.setContentsMargins(0, 4, 0, 4)
        self._lines.addLayout(made)
        self._lines.addWidget(line())
        self._values[key] = (left, right)

    def say(self, key: str, left: str, right: str) -> None:
        """Fill a line."""
        words, value = self._values[key]
        words.setText(left)
        value.setText(right)
        value.setAccessibleName(f"{left}: {right}")

    def value(self, key: str) -> str:
        """What stands on the right of a line."""
        return self._values[key][1].text()


def _panel(name: str) -> tuple[QFrame, QVBoxLayout]:
    made = QFrame()
    made.setProperty("panel", "true")
    made.setAccessibleName(name)
    inner = QVBoxLayout(made)
    inner.setContentsMargins(16, 11, 16, 13)
    inner.setSpacing(6)
    return made, inner


class PublishedPanel(QWidget):
    """The paper's own answer, and what it would be with nothing wrong."""

    def __init__(self) -> None:
        super().__init__()
        frame, inner = _panel(text("published"))
        self.tested = Label("", "help", tone="second")
        inner.addLayout(Flow(Label(text("published"), "section"), self.tested, last_right=True))
        self.share = Label("", "figure")
        self.meaning = Label(text("unequal"), wrap=True)
        self.meaning.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        inner.addLayout(row(self.share, self.meaning))
        self.bar = ClassBar()
        inner.addWidget(self.bar)
        grid = QGridLayout()
        grid.setContentsMargins(0, 2, 0, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.counts: dict[str, tuple[Label, Label]] = {}
        for place, (key, words) in enumerate(CLASSES.items()):
            count, share = Label("", "key"), Label("", "help", tone="second")
            for label in (count, share):
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(ClassMark(key), place, 0)
            grid.addWidget(Label(words, wrap=True), place, 1)
            grid.addWidget(count, place, 2)
            grid.addWidget(share, place, 3)
            self.counts[key] = (count, share)
        grid.setColumnMinimumWidth(3, theme().px(56))
        inner.addLayout(grid)
        self.warning = MessageBar("warning", " ")
        inner.addWidget(self.warning)
        inner.addStretch(1)
        _fill(self, frame)

    def show_part(self, part: Mapping[str, Any]) -> None:
        """Show a result."""
        published = part["published"]
        self.tested.setText(text("tested", n=wording.people(part["n_tested"])))
        share = published["unfair_share"]
        self.share.setText(wording.percent(share) if share is not None else "—")
        self.meaning.setText(text("unequal") if share is not None else published["reason"])
        parts = []
        for key, (count, percent) in self.counts.items():
            count.setText(wording.count(published["counts"][key]))
            percent.setText(wording.percent(published["shares"][key]) or "")
            count.setAccessibleName(f"{CLASSES[key]}: {count.text()} {percent.text()}")
            parts.append((key, float(published["shares"][key] or 0.0)))
        said = "; ".join(label.accessibleName() for label, _ in self.counts.values())
        self.bar.set_shares(tuple(parts), f"{text('bar')}. {said}")
        rate = wording.percent(part["flag_rate_if_nothing_wrong"])
        self.warning.show_message("warning", text("flags", rate=rate))


class CarryPanel(QWidget):
    """The valid answers: exact ranks, the group difference, and who was not tested."""

    def __init__(self) -> None:
        super().__init__()
        frame, inner = _panel(text("carry"))
        self.chip = VerdictChip("not settled")
        inner.addLayout(Flow(Label(text("carry"), "section"), self.chip, last_right=True))
        self.share = Label("", "figure")
        self.meaning = Label("", wrap=True)
        self.meaning.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        inner.addLayout(row(self.share, self.meaning))
        self.facts = Facts()
        self.facts.add("rank")
        self.facts.add("difference")
        self.facts.add("interval", value="text")
        self.facts.add("smallest", value="text")
        self.facts.add("untested")
        inner.addWidget(self.facts)
        inner.addSpacing(4)
        self.note = MessageBar("info", " ")
        inner.addWidget(self.note)
        inner.addStretch(1)
        _fill(self, frame)

    def show_part(self, part: Mapping[str, Any]) -> None:
        """Show a result."""
        beside = part["companions"]
        rank, effect = beside["rank"], beside["group_effect"]
        none = text("none")

        def of(n: int) -> str:
            return text("of", n=wording.count(n), total=wording.count(rank["n"]))

        ranked = bool(rank["n"])
        self.chip.set_verdict(effect["verdict"] or "not computable")
        self.share.setText(of(rank["flagged_adjusted"]) if ranked else "—")
        self.meaning.setText(text("stand_out") if ranked else rank["reason"])
        say = self.facts.say
        say("rank", text("rank"), of(rank["flagged"]) if ranked else none)
        say("difference", text("difference"), wording.number(effect["value"], sign=True) or none)
        level = f"{100 * part['confidence']:g}"
        ends = wording.interval(effect["low"], effect["high"], sign=True)
        say("interval", "  " + text("interval", level=level), ends or none)
        middle = wording.number(rank.get("median_peers"), digits=0) or "0"
        smallest = wording.number(rank.get("smallest_p"))
        say("smallest", text("smallest", n=middle), text("p", p=smallest) if smallest else none)
        untested = part["n_protected"] - part["n_tested"]
        words = text("untested", no_peer=part["n_no_peer"] or 0, too_few=part["n_too_few"] or 0)
        total = wording.count(part["n_protected"])
        say("untested", words, text("of", n=wording.count(untested), total=total))
        uses = part["score_uses_protected"]
        code = {False: "blind", None: "unknown", True: "uses"}[uses]
        self.note.show_message("info", text(code, attribute=part["attribute"]))


def _fill(widget: QWidget, frame: QFrame) -> None:
    whole = QVBoxLayout(widget)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.addWidget(frame)
    restyle(frame)
