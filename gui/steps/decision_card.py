"""The card of the recommendation on step 10: verdict and rule, the score, the reasons."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.base.wording import interval, number
from engine.messages.certification import TEXTS as RULE_TEXTS
from engine.plan.model import POINT_VALUES
from engine.procedure import reading
from gui import certify_words as words
from gui.palette import verdict_colour
from gui.theme import restyle, theme
from gui.widgets.basic import Button, Label, line, painting, row
from gui.widgets.verdict import VerdictMark, draw_mark

from .inputs import stacks

VERDICT_OF = {"grant": "within", "refuse": "outside", "not settled": "not settled"}
EDGE_OF = {"grant": "good", "refuse": "outside", "not settled": "warning"}
STEP_OF = {
    "groups_outside": 2, "small_test": 6, "no_system": 5,
    "score_within": 9, "score_outside": 9, "score_open": 9, "score_missing": 9,
    "published_pass": 9, "published_fail": 9, "published_index": 9, "published_open": 9,
    "published_missing": 9,
}  # fmt: skip
"""Reason of the rule -> the step that shows it; every other one stands on step 8."""


def step_of(reason: str) -> int:
    """The step on which a reason can be seen.

    Examples
    --------
    >>> step_of("No system was audited: the recorded outcomes themselves were. They carry no certificate.")
    5
    """
    for code, step in STEP_OF.items():
        pieces = re.split(r"\{\w+\}", RULE_TEXTS[f"certification.{code}"])
        if re.fullmatch(".+?".join(map(re.escape, pieces)), reason):
            return step
    return 8


def rule_sentence(result: Mapping[str, Any] | None) -> str:
    """The rule that the case carries, in words, and what it says here."""
    part = reading.certification(result)
    advice = part.get("recommendation") or {}
    if advice.get("rule") == POINT_VALUES:
        bound = ((result or {}).get("plan") or {}).get("tolerance") or {}
        return words.text("rule.points", bound=number(bound.get("fairness_score", 0.9), digits=2))
    tally = advice.get("tally") or {}
    outside = int(tally.get("outside") or 0)
    open_ = int(tally.get("not settled") or 0) + int(tally.get("not computable") or 0)
    value = advice.get("whole_interval", "not settled")
    checked = sum(int(n) for n in tally.values()) - int(tally.get("not checked") or 0)
    counted = {"refuse": outside, "not settled": open_}.get(value, 0)
    verb = "lies" if counted == 1 else "lie"
    if value == "not settled":
        verb = "crosses" if counted == 1 else "cross"
    said = f"{counted} of {checked} metrics {verb}" if counted else f"the score {verb}"
    here = words.text(f"rule.whole.{value}", n=said)
    return f"{words.text('rule.whole.head')} {here}"


class VerdictCard(QFrame):
    """The recommendation in words beside the Fairness Score with its interval."""

    def __init__(self) -> None:
        super().__init__()
        self._by = Label("", "help", tone="second")
        self._mark = VerdictMark("not checked", 22)
        self._word = Label("", "verdict")
        self._rule = Label("", wrap=True)
        self._other_mark = VerdictMark("not checked", 12)
        self._other = Label("", tone="second", wrap=True)
        self._other.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        left = QVBoxLayout()
        left.setSpacing(2)
        left.addWidget(self._by)
        left.addLayout(row(self._mark, self._word, None, spacing=12))
        left.addSpacing(6)
        left.addWidget(self._rule)
        left.addSpacing(4)
        self._beside = QWidget()
        beside = row(self._other_mark, self._other, None, spacing=8)
        beside.setStretch(1, 1000)
        beside.setAlignment(self._other_mark, Qt.AlignmentFlag.AlignTop)
        self._beside.setLayout(beside)
        left.addWidget(self._beside)
        left.addStretch(1)
        self.plot = ScorePlot()
        whole = QHBoxLayout(self)
        whole.setContentsMargins(18, 14, 20, 14)
        whole.setSpacing(28)
        whole.addLayout(left, 1)
        whole.addWidget(self.plot, 0, Qt.AlignmentFlag.AlignTop)
        stacks(whole)
        self.setProperty("message", "info")

    def show_result(self, result: Mapping[str, Any] | None, *, current: bool) -> None:
        """Show what the rule says of a result."""
        part = reading.certification(result) if current else {}
        advice = part.get("recommendation") or {}
        self.plot.setVisible(bool(part))
        self._beside.setVisible(bool(advice))
        if not advice:
            self._by.setText(words.text("decision.by_rule", rule="–"))
            self._mark.set_verdict("not checked")
            self._word.setText(words.text("decision.none"))
            code = "decision.no_certification" if current and result else "decision.none_words"
            self._rule.setText(words.text(code))
            self._edge("info", "second")
            return
        value, rule = advice["value"], advice["rule"]
        verdict = VERDICT_OF[value]
        self._by.setText(words.text("decision.by_rule", rule=rule))
        self._mark.set_verdict(verdict)
        self._word.setText(words.text(f"decision.value.{value}"))
        self._rule.setText(rule_sentence(result))
        points = rule == POINT_VALUES
        other = advice["whole_interval" if points else "as_published"]
        said = words.text(f"decision.value.{other}").lower()
        self._other_mark.set_verdict(VERDICT_OF[other])
        self._other.setText(
            words.text("decision.whole" if points else "decision.published", value=said)
        )
        self._edge(EDGE_OF[value], verdict_colour(verdict))
        plan = (result or {}).get("plan") or {}
        bound = (plan.get("tolerance") or {}).get("fairness_score")
        self.plot.show_score(
            part.get("fairness_score") or {}, bound=0.9 if bound is None else bound
        )
        self.setAccessibleName(
            f"{self._by.text()}: {self._word.text()}. {self._rule.text()} {self._other.text()}"
        )

    def _edge(self, kind: str, tone: str) -> None:
        self.setProperty("message", kind)
        self._word.set_tone(tone)
        restyle(self)

    def word(self) -> str:
        """The verdict's word."""
        return self._word.text()

    def words(self) -> str:
        """Every sentence of the card."""
        return " ".join((self._by.text(), self._word.text(), self._rule.text(), self._other.text()))


class ScorePlot(QWidget):
    """The Fairness Score as dot and whisker, with the part of the axis that is certified."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._score: Mapping[str, Any] = {}
        self._bound = 0.9
        theme().changed.connect(self.updateGeometry)

    def show_score(self, score: Mapping[str, Any], *, bound: float) -> None:
        """Show a measure and the bound from which a certificate is given."""
        self._score, self._bound = score, bound
        value = number(score.get("value")) or words.text("decision.score_none")
        self.setAccessibleName(f"{words.text('decision.score')} {value}")
        self.setAccessibleDescription(
            f"{self._interval()}. {number(bound, digits=2)}: {words.text('decision.certified_here')}"
        )
        self.update()

    def _interval(self) -> str:
        span = interval(self._score.get("low"), self._score.get("high"))
        return words.text("decision.score_interval", interval=span) if span else ""

    def sizeHint(self) -> QSize:
        return QSize(theme().px(244), theme().px(112))

    def _axis(self) -> tuple[float, float, float]:
        """Low end, high end and distance of ticks."""
        known = [self._score[k] for k in ("low", "value", "high") if self._score.get(k) is not None]
        least = min([*known, self._bound - 0.1])
        step = 0.05 if least >= 0.72 else 0.1 if least >= 0.45 else 0.25 if least >= -0.3 else 0.5
        low = math.floor((least - 0.02) / step) * step
        return low, 1.0, step

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        t, value = theme(), self._score.get("value")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = t.px(14), self.width() - t.px(16)
        top = QRectF(0, 0, self.width(), t.px(18))
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(t.colour("text"))
        painter.setFont(t.font("key", weight=500))
        painter.drawText(top, int(flags | Qt.AlignmentFlag.AlignLeft), words.text("decision.score"))
        painter.setFont(t.font("key"))
        shown = number(value) or words.text("decision.score_none")
        painter.drawText(top, int(flags | Qt.AlignmentFlag.AlignRight), shown)
        painter.setFont(t.font("help"))
        painter.setPen(t.colour("text2"))
        painter.drawText(
            top.translated(0, t.px(17)), int(flags | Qt.AlignmentFlag.AlignLeft), self._interval()
        )
        low, high, step = self._axis()

        def x(at: float) -> float:
            return left + (right - left) * (at - low) / (high - low)

        y0, y1 = t.px(52), t.px(86)
        band = QRectF(x(self._bound), y0, x(high) - x(self._bound), y1 - y0)
        painter.fillRect(band, t.colour("band"))
        painter.setPen(QPen(t.colour("band_edge"), 1))
        painter.drawLine(QPointF(x(self._bound), y0), QPointF(x(self._bound), y1))
        painter.setFont(t.font("small"))
        painter.setPen(t.colour("text2"))
        here = words.text("decision.certified_here")
        wide = painter.fontMetrics().horizontalAdvance(here)
        over = min(self.width() - wide, max(0, band.center().x() - wide / 2))
        painter.drawText(QRectF(over, t.px(35), wide + 2, t.px(16)), int(flags), here)
        painter.setPen(QPen(t.colour("control"), 1))
        painter.drawLine(QPointF(left, y1), QPointF(right, y1))
        self._ticks(painter, x, low, high, step)
        self._dot(painter, x, (y0 + y1) / 2)

    def _ticks(
        self, painter: QPainter, x: Callable[[float], float], low: float, high: float, step: float
    ) -> None:
        t = theme()
        painter.setPen(t.colour("text2"))
        painter.setFont(t.font("small"))
        for index in range(round((high - low) / step) + 1):
            at = low + index * step
            box = QRectF(x(at) - t.px(24), t.px(89), t.px(48), t.px(16))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), number(at, digits=2))

    def _dot(self, painter: QPainter, x: Callable[[float], float], y: float) -> None:
        t, score = theme(), self._score
        if score.get("value") is None:
            return
        verdict = score.get("verdict") or "not checked"
        painter.setPen(QPen(t.colour(verdict_colour(verdict)), 1.75 * t.scale))
        if score.get("low") is not None and score.get("high") is not None:
            ends, cap = (x(score["low"]), x(min(1.0, score["high"]))), t.px(5)
            painter.drawLine(QPointF(ends[0], y), QPointF(ends[1], y))
            for end in ends:
                painter.drawLine(QPointF(end, y - cap), QPointF(end, y + cap))
        draw_mark(painter, QPointF(x(score["value"]), y), t.px(13), verdict)


class Reasons(QWidget):
    """Numbered sentences, each with the way to the step that shows it."""

    followed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._grid = QVBoxLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._shown: tuple[str, ...] = ()

    def say(self, reasons: Sequence[str]) -> None:
        """Show the sentences."""
        if tuple(reasons) == self._shown:
            return
        self._shown = tuple(reasons)
        while self._grid.count():
            old = self._grid.takeAt(0).widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for place, reason in enumerate(reasons, start=1):
            if place > 1:
                self._grid.addWidget(line())
            self._grid.addWidget(self._row(place, reason))

    def _row(self, place: int, reason: str) -> QWidget:
        made = QWidget()
        mark = Label(str(place), "key", tone="second")
        mark.setFixedWidth(theme().px(18))
        said = Label(reason, wrap=True)
        said.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        step = step_of(reason)
        link = Button(
            words.text("decision.step", n=step), kind="link",
            on_click=lambda: self.followed.emit(f"step:{step}"),
        )  # fmt: skip
        link.setAccessibleName(f"{link.text()}: {reason}")
        inner = row(mark, said, None, link)
        inner.setContentsMargins(0, 5, 0, 5)
        inner.setStretch(1, 1000)
        made.setLayout(inner)
        return made

    def sentences(self) -> tuple[str, ...]:
        """What is shown."""
        return self._shown
