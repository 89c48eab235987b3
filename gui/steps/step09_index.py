"""Step 9: the worst first, then Bias Index and Fairness Score, in both readings."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any, ClassVar

from engine.base.wording import interval, listed, number, percent
from engine.drawing.model import IntervalChart, IntervalRow
from gui.widgets.basic import Label, column
from gui.widgets.interval import IntervalTable
from gui.widgets.message import MessageBar

from .audit_texts import text
from .counts import Sentences
from .readings import Readings
from .results import ResultPage, View

WORST = ("certification.worst", "certification.worst_group", "certification.worst_attribute")
AVERAGES = ("certification.index", "certification.score")


class Page(ResultPage):
    """Worst metric and attribute, both readings, indexes and score with their intervals."""

    number: ClassVar[int] = 9
    title: ClassVar[str] = "Index and score"
    sentence: ClassVar[str] = text("index.sentence")

    def build_parts(self) -> None:
        self.worst = Sentences(words=text("index.worst"))
        self.parts.addLayout(column(Label(text("index.worst"), "section"), self.worst, spacing=6))
        self._bars = column(spacing=8)
        self.parts.addLayout(self._bars)
        self.readings = Readings()
        self.parts.addWidget(self.readings)
        self.table: IntervalTable | None = None
        self.used = Label("", "help", tone="second", wrap=True)
        self._averages = column(Label(text("index.averages"), "section"), spacing=2)
        self.parts.addLayout(self._averages)
        self.parts.addWidget(self.used)
        self.says = Sentences(words=text("index.reads"))
        self.parts.addLayout(column(Label(text("index.reads"), "section"), self.says, spacing=6))

    def show_view(self, view: View) -> None:
        part = view.part
        self.worst.say(view.sentences(*WORST))
        self.says.say(view.sentences(*AVERAGES))
        self._show_bars(view)
        self._show_readings(view)
        chart = index_chart(view)
        if self.table is None:
            self.table = IntervalTable(chart, words=text("index.averages"))
            self._averages.addWidget(self.table)
        else:
            self.table.set_chart(chart)
        self.used.setText(used_words(part))

    def _show_bars(self, view: View) -> None:
        self.clear(self._bars)
        warned = [
            w for w in view.result["warnings"] if w["code"] == "certification.privileged_lower"
        ]
        for warning in warned:
            self._bars.addWidget(
                self.message(
                    "warning", warning["text"], link_text=text("index.to_groups"), link="step:2"
                )
            )
        for name, one in view.attributes.items():
            index = one["bias_index"]
            if index["partial"] is not None:
                words = text(
                    "index.partial",
                    attribute=name,
                    k=len(index["partial_metrics"]),
                    n=len(index["metrics_used"]),
                    value=number(index["partial"]),
                )
                self._bars.addWidget(MessageBar("info", f"{index['reason']} {words}"))

    def _show_readings(self, view: View) -> None:
        assert view.plan is not None
        part = view.part
        found, score = part["recommendation"], part["fairness_score"]
        bound = number(view.plan.tolerance.fairness_score, digits=2)
        value = number(score["value"])
        figure = text("index.score_of", value=value) if value else text("index.no_score")
        ends = interval(score["low"], score["high"])
        level = percent(view.plan.confidence, digits=0)
        needs = text("index.needs", bound=bound)
        indexes = [
            (f"Bias Index by {name}", one["bias_index"]) for name, one in view.attributes.items()
        ]
        whole = found["rule"] == "whole interval"
        self.readings.carry.show_reading(
            recommends=found["whole_interval"],
            in_force=whole,
            figure=figure,
            under=" · ".join(
                p
                for p in (
                    text("index.interval", level=level, interval=ends) if ends else "",
                    needs if value else score["reason"],
                )
                if p
            ),
            facts=[
                (
                    words,
                    interval(one["low"], one["high"]) or number(one["value"]) or one["verdict"],
                )
                for words, one in indexes
            ],
        )
        self.readings.published.show_reading(
            recommends=found["as_published"],
            in_force=not whole,
            figure=figure,
            under=f"{text('index.value_alone')} · {needs}" if value else score["reason"],
            facts=[(words, number(one["value"]) or one["verdict"]) for words, one in indexes],
        )

    def help_html(self) -> str:
        parts = [
            "<p>The Bias Index of an attribute is the root of the mean of the squared distances of "
            "its metrics from their ideals: 0 is none. The Fairness Score is 1 less the root of "
            "the mean of the squared indexes: 1 is the best.</p>"
        ]
        view = self.shown
        if view is not None and view.part and not self.result.isHidden():
            reasons = view.part["recommendation"]["reasons"]
            said = "".join(f"<li>{html.escape(one)}</li>" for one in reasons)
            parts.append(f"<h3>Why this recommendation</h3><ul>{said}</ul>")
        parts.append(
            "<h3>What you do now</h3><ul><li>Read the worst metric before the averages: an average "
            "can hide it.</li><li>Go on to the decision. You may decide below the recommendation, "
            "never above it.</li></ul>"
            "<h3>Good to know</h3><p>Indexes over different metrics are never compared. An index "
            "cannot fall below 0, so chance alone pushes it up: the interval says how far.</p>"
        )
        return "".join(parts)


def used_words(part: Mapping[str, Any]) -> str:
    """Which metrics the indexes rest on, in words."""
    from engine.fairness.metrics import WORDS

    used = next(iter(part["attributes"].values()))["bias_index"]["metrics_used"]
    words = [WORDS[m] if not k else WORDS[m].lower() for k, m in enumerate(used)]
    return text("index.used", metrics=listed(words) or "none")


def index_chart(view: View) -> IntervalChart:
    """Bias Indexes and Fairness Score as rows of an interval table."""
    assert view.plan is not None
    rows = []
    for name, one in view.attributes.items():
        index, bound = one["bias_index"], one["bias_index_bound"]
        rows.append(
            IntervalRow(
                label=name,
                sub=text(
                    "index.at_most", n=len(index["metrics_used"]), bound=number(bound, digits=2)
                ),
                group="Bias Index",
                value=index["value"], low=index["low"], high=index["high"],
                verdict=index["verdict"],
                shown=number(index["value"]),
                shown_interval=interval(index["low"], index["high"]),
                reason=index["reason"],
                band=(0.0, bound),
                ideal=0.0,
            )
        )  # fmt: skip
    score, needed = view.part["fairness_score"], view.plan.tolerance.fairness_score
    n = len(view.attributes)
    words = "index.at_least_one" if n == 1 else "index.at_least"
    rows.append(
        IntervalRow(
            label="All attributes",
            sub=text(words, n=n, bound=number(needed, digits=2)),
            group="Fairness Score",
            value=score["value"], low=score["low"], high=score["high"], verdict=score["verdict"],
            shown=number(score["value"]),
            shown_interval=interval(score["low"], score["high"]),
            reason=score["reason"],
            band=(needed, 1.0),
            ideal=1.0,
        )
    )  # fmt: skip
    return IntervalChart(
        key="index_and_score",
        title=text("index.averages"),
        sentence="",
        x_label=text("index.axis"),
        rows=tuple(rows),
        confidence=view.plan.confidence,
    )
