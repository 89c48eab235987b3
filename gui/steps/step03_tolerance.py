"""Step 3: the tolerance and the rule of decision, set before a result is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QRadioButton, QWidget

from engine.base.wording import number, percent
from engine.plan.model import WHOLE_INTERVAL
from engine.procedure import acts
from engine.procedure.decision import tolerance_setting
from engine.procedure.moments import moment
from engine.procedure.presets import CUSTOM, PRESETS, RULES, preset_of
from gui.theme import theme
from gui.widgets.basic import Label, column, panel, row, section
from gui.widgets.fields import ChoiceButtons, FieldRow, NumberSpin
from gui.widgets.message import MessageBar

from . import evidence_texts as texts
from .base import StepPage
from .exceptions import Exceptions
from .inputs import stacks
from .step01_attributes import name_of

DRAFT = "step-3"
DEFAULT = {**PRESETS[0].values, "rule": WHOLE_INTERVAL, "overrides": {}}


def complete(tolerance: Mapping[str, Any] | None) -> dict[str, Any]:
    """A tolerance with every default filled in."""
    given = {key: value for key, value in (tolerance or {}).items() if value is not None}
    return {**DEFAULT, **given}


class Page(StepPage):
    """Say how large a difference may be, and how the decision is read."""

    number = 3
    title = "Tolerance"
    sentence = texts.text("tolerance.sentence")

    def build(self) -> None:
        self._showing = False
        self.warning = MessageBar("warning", " ")
        self.body.addWidget(self.warning)
        self._build_band()
        self._build_rule()
        self._build_exceptions()

    def _build_band(self) -> None:
        t = texts.text
        self.preset = ChoiceButtons(
            [*((p.name, p.title) for p in PRESETS), (CUSTOM, t("tolerance.own"))],
            words=t("tolerance.band"),
        )
        self.preset.picked.connect(self.pick_preset)
        self._preset_words = Label("", "help", tone="second", wrap=True)
        self.difference = NumberSpin(0, 1, 0.1)
        self.low = NumberSpin(0, 1, 0.9)
        self.high = NumberSpin(1, 100, 1.1, words=f"{t('tolerance.ratio_low')} … {t('tolerance.ratio_high')}")  # fmt: skip
        self.bias = NumberSpin(0, 100, 0.1)
        self.score = NumberSpin(0, 1, 0.9)
        self._rows = {
            "difference": FieldRow(
                t("tolerance.difference"), self.difference, after=t("tolerance.either"), help=" "
            ),
            "bias": FieldRow(t("tolerance.bias"), self.bias, help=t("tolerance.bias_help")),
            "score": FieldRow(t("tolerance.score"), self.score, help=t("tolerance.score_help")),
        }
        ratio = QWidget()
        ratio.setLayout(row(self.low, Label(t("tolerance.ratio_high"), "help", tone="second"), self.high, None))  # fmt: skip
        ratio.setFocusProxy(self.low)
        self._rows["ratio"] = FieldRow(t("tolerance.ratio_low"), ratio, help=" ")
        self.low.setAccessibleName(t("tolerance.ratio_low"))
        self.confidence = NumberSpin(50, 99.9, 95, decimals=1, step=1)
        self.confidence.setSuffix(" %")
        self._rows["confidence"] = FieldRow(
            t("tolerance.confidence"), self.confidence, help=t("tolerance.confidence_help")
        )
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(12)
        self._grid = grid
        for field in (*self._fields(), self.confidence):
            field.valueChanged.connect(self._changed)
        theme().changed.connect(self._widen)
        self._widen()
        made = QWidget()
        whole = column(spacing=6)
        head_part = QWidget()
        head = row(Label(t("tolerance.band"), "section"), None, self.preset)
        head_part.setLayout(head)
        stacks(head)
        whole.addWidget(head_part)
        whole.addWidget(self._preset_words)
        whole.addSpacing(6)
        whole.addLayout(grid)
        made.setLayout(whole)
        self.body.addWidget(made)

    def _widen(self) -> None:
        for field in (*self._fields(), self.confidence):
            field.setFixedWidth(theme().px(92))
        wide = 3 if theme().scale <= 1.2 else 2 if theme().scale <= 1.4 else 1
        for place, key in enumerate(("difference", "ratio", "confidence", "bias", "score")):
            at = (place // wide, place % wide)
            self._grid.addWidget(self._rows[key], *at, Qt.AlignmentFlag.AlignTop)
        for index in range(3):
            self._grid.setColumnStretch(index, 1 if index < wide else 0)

    def _fields(self) -> tuple[NumberSpin, ...]:
        return (self.difference, self.low, self.high, self.bias, self.score)

    def _build_rule(self) -> None:
        self.rules: dict[str, QRadioButton] = {}
        group = QButtonGroup(self)
        boxes = QWidget()
        beside = row(spacing=12)
        boxes.setLayout(beside)
        stacks(beside)
        examples = ("tolerance.rule_example_whole", "tolerance.rule_example_point")
        self._rule_boxes: list[QFrame] = []
        for (value, title, words), example in zip(RULES, examples, strict=True):
            button = QRadioButton(title)
            button.setAccessibleName(title)
            button.setAccessibleDescription(words)
            button.toggled.connect(self._changed)
            group.addButton(button)
            self.rules[value] = button
            box = panel()
            inner = column(
                button, Label(words, wrap=True),
                Label(texts.text(example), "help", tone="second", wrap=True), None, spacing=6,
            )  # fmt: skip
            inner.setContentsMargins(14, 12, 14, 12)
            box.setLayout(inner)
            beside.addWidget(box, 1)
            self._rule_boxes.append(box)
        made = QWidget()
        whole = column(section(texts.text("tolerance.rule")), spacing=6)
        whole.addWidget(boxes)
        made.setLayout(whole)
        self.body.addWidget(made)

    def _build_exceptions(self) -> None:
        self.exceptions = Exceptions(self._changed)
        made = QWidget()
        head = section(
            texts.text("tolerance.exceptions"), note=texts.text("tolerance.exceptions_note")
        )
        made.setLayout(column(head, self.exceptions, spacing=6))
        self.body.addWidget(made)

    # What a person does --------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        """The tolerance as the fields say it."""
        made: dict[str, Any] = {
            "rule": next((v for v, b in self.rules.items() if b.isChecked()), WHOLE_INTERVAL),
            "difference": round(self.difference.value(), 4),
            "ratio": [round(self.low.value(), 4), round(self.high.value(), 4)],
            "bias_index": round(self.bias.value(), 4),
            "fairness_score": round(self.score.value(), 4),
            "overrides": self.exceptions.overrides(),
        }
        return made

    def level(self) -> float:
        """The confidence as the field says it."""
        return round(self.confidence.value() / 100, 6)

    def pick_preset(self, name: str) -> None:
        """Take over a preset; own numbers start from those on show."""
        preset = next((one for one in PRESETS if one.name == name), None)
        if preset is None:
            self.preset.set_value(CUSTOM)
            self._say(CUSTOM)
            self.difference.setFocus()
            self.difference.selectAll()
            return
        self._fill({**self.values(), **preset.values, "overrides": {}})
        self._changed()

    def _changed(self, *_given: object) -> None:
        if self._showing:
            return
        self._explain()
        same = self._is_kept() and bool(self.session.state["set"].get("tolerance"))
        fields = None if same else {"tolerance": self.values(), "confidence": self.level()}
        self.session.set_draft(DRAFT, fields)
        self.update_footer()

    def _is_kept(self) -> bool:
        kept = complete(self.session.plan.get("tolerance"))
        level = float(self.session.plan.get("confidence") or 0.95)
        return self.values() == kept and self.level() == level

    # Showing -------------------------------------------------------------------------------------

    def refresh(self) -> None:
        draft = self.session.draft(DRAFT) or {}
        level = draft.get("confidence") or self.session.plan.get("confidence") or 0.95
        kept = complete(draft.get("tolerance") or self.session.plan.get("tolerance"))
        if self.values() != kept or self.level() != float(level) or not self._names_shown():
            self._fill(kept, float(level))
        self._explain()
        locked = self.session.read_only
        for widget in (*self._fields(), self.preset, self.confidence, *self.rules.values()):
            widget.setEnabled(not locked)
        self.exceptions.set_locked(locked)

    def _names(self) -> list[str]:
        return [name_of(entry) for entry in self.session.plan.get("protected") or []]

    def _names_shown(self) -> bool:
        return self.exceptions._names == tuple(self._names())

    def _fill(self, values: Mapping[str, Any], level: float | None = None) -> None:
        self._showing = True
        try:
            self.difference.setValue(float(values["difference"]))
            self.low.setValue(float(values["ratio"][0]))
            self.high.setValue(float(values["ratio"][1]))
            self.bias.setValue(float(values["bias_index"]))
            self.score.setValue(float(values["fairness_score"]))
            self.rules[str(values["rule"])].setChecked(True)
            self.exceptions.set_values(self._names(), values.get("overrides") or {})
            if level is not None:
                self.confidence.setValue(100 * level)
        finally:
            self._showing = False

    def _explain(self) -> None:
        t, values = texts.text, self.values()
        preset = preset_of({**values, "overrides": {}})
        self.preset.set_value(preset)
        self._say(preset)
        difference = values["difference"]
        shown = number(difference, digits=2)
        self._rows["difference"].help.setText(
            t("tolerance.difference_help", value=shown, points=_points(difference))
        )
        low = values["ratio"][0]
        self._rows["ratio"].help.setText(
            t("tolerance.ratio_help", low=number(low, digits=2), share=_points(low))
        )
        warning = self._late()
        self.warning.setVisible(bool(warning))
        self.warning.show_message("warning", warning or " ")

    def _say(self, preset: str) -> None:
        found = next((one for one in PRESETS if one.name == preset), None)
        self._preset_words.setText(found.words if found else texts.text("tolerance.own_words"))

    def _late(self) -> str:
        seen = self.session.state["seen"]
        if self.session.read_only:
            return ""
        if seen.get("result"):
            return texts.text("tolerance.result", moment=moment(seen["result"]))
        if seen.get("rates") and not self.session.state["set"].get("tolerance"):
            return texts.text("tolerance.rates", moment=moment(seen["rates"]))
        return ""

    # Footer and help -----------------------------------------------------------------------------

    def ready(self) -> str:
        view = self.session.views()[3]
        if view.blocked_by is not None:
            return view.why
        return self.exceptions.problem()

    def hint(self) -> str:
        blocked = self.ready()
        if blocked:
            return blocked
        if not self.session.state["set"].get("tolerance") or not self._is_kept():
            return texts.text("tolerance.unset")
        return tolerance_setting(self.session.state).words

    def on_continue(self) -> bool:
        session = self.session
        if session.read_only:
            return True
        for field in (*self._fields(), self.confidence):
            field.interpretText()
        if session.state["set"].get("tolerance") and self._is_kept():
            return True
        level = self.level()
        if level != float(session.plan.get("confidence") or 0.95):
            words = texts.text("act.confidence")
            if not session.set(("plan", "confidence"), level, words):
                return False
        values = {k: v for k, v in self.values().items() if k != "overrides" or v}
        words = texts.text("act.tolerance")
        done = session.do(acts.set_tolerance(values, words=words, **session.by))
        if done:
            session.set_draft(DRAFT, None)
        return done

    def help_html(self) -> str:
        values = self.values()
        difference = number(values["difference"], digits=2)
        level = percent(self.level(), digits=0)
        return (
            "<p>No two groups are ever exactly alike. The tolerance says how far apart they may "
            f"be: with {difference}, up to {_points(values['difference'])} of 100 people.</p>"
            "<p>It is set now, before a result is seen, so that nobody can fit it to the result. "
            "The case records who set it, when, and what was on show by then.</p>"
            "<h3>What you do now</h3><ul><li>Take a preset, or set your own numbers.</li><li>Choose "
            "how the decision is read.</li><li>Press Continue: that sets it.</li></ul>"
            "<h3>Words used here</h3><dl><dt>Difference</dt><dd>The rate of one group less that of "
            "the other.</dd><dt>Ratio</dt><dd>The rate of one group divided by that of the other; 1 "
            f"is equal.</dd><dt>Interval</dt><dd>Where the true value may lie; {level} of such "
            "intervals hold it.</dd><dt>Bias Index</dt><dd>The mean distance of an attribute’s "
            "metrics from equality.</dd><dt>Fairness Score</dt><dd>1 less the mean of the Bias "
            "Indexes, over all attributes.</dd><dt>Four fifths</dt><dd>A rule of United States "
            "employment law: the lower rate is at least 80 % of the higher.</dd></dl>"
        )


def _points(share: float) -> str:
    """A share as people of 100."""
    return number(100 * share, digits=1).removesuffix(".0")
