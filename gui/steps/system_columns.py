"""Step 5, decisions in the data: which columns hold them, and what is favourable in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from engine.base.wording import count, number
from gui.theme import theme
from gui.widgets.basic import Label
from gui.widgets.fields import ChoiceButtons, Combo, FieldRow, NumberSpin

from .audit_texts import text

if TYPE_CHECKING:
    from .columns import Column

VALUES, RULE = "values", "rule"


class ColumnsPanel(QWidget):
    """Fields for prediction, score and amount. ``changed`` follows every choice of a person."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.columns: Mapping[str, Column] = {}
        self.fields: dict[str, Any] = {}
        self.prediction = Combo(placeholder=text("columns.choose"))
        self.by = ChoiceButtons(
            [(VALUES, text("columns.by_values")), (RULE, text("columns.by_rule"))],
            value=VALUES, words=text("columns.by"),
        )  # fmt: skip
        self.values: dict[Any, QCheckBox] = {}
        self._ticks = QWidget()
        self._grid = QGridLayout(self._ticks)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self.direction = Combo(
            [("at_least", text("columns.at_least")), ("below", text("columns.below"))],
            value="at_least", words=text("columns.by_rule"),
        )  # fmt: skip
        self.cut = NumberSpin(
            -1e12, 1e12, 0.5, decimals=4, step=0.05, words=text("model.threshold")
        )
        self.score = Combo(placeholder=text("columns.none"))
        self.high_is = ChoiceButtons(
            [(v, text(f"columns.high_{v}")) for v in ("favourable", "unfavourable")],
            value="favourable", words=text("columns.score"),
        )  # fmt: skip
        self.amount = Combo(placeholder=text("columns.none"))
        self.adverse = ChoiceButtons(
            [(v, text(f"columns.adverse_{v}")) for v in ("high", "low")],
            words=text("columns.adverse"),
        )  # fmt: skip
        self.prediction.setMaximumWidth(theme().px(420))
        self._lay_out()
        self._built_for: Any = None
        self.prediction.picked.connect(self._prediction_picked)
        self.by.picked.connect(lambda value: self._put("by", value))
        self.direction.picked.connect(lambda value: self._put("direction", value))
        self.cut.valueChanged.connect(lambda value: self._put("cut", value))
        self.score.picked.connect(lambda value: self._put("score", value))
        self.high_is.picked.connect(lambda value: self._put("high_is", value))
        self.amount.picked.connect(self._amount_picked)
        self.adverse.picked.connect(lambda value: self._put("adverse", value))

    def _lay_out(self) -> None:
        self.prediction_row = FieldRow(
            text("columns.prediction"), self.prediction, help=text("columns.prediction_help")
        )
        self.by_row = FieldRow(text("columns.by"), self.by)
        self.values_row = FieldRow(
            text("columns.values"), self._ticks, help=text("columns.values_help")
        )
        rule = QWidget()
        inner = QHBoxLayout(rule)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(self.direction)
        inner.addWidget(self.cut)
        inner.addStretch(1)
        self.rule_row = FieldRow(text("columns.by_rule"), rule, help=" ")
        self.alone = Label(text("columns.score_alone"), "help", tone="second", wrap=True)
        self.score_row = FieldRow(
            text("columns.score"), self.score, help=text("columns.score_help")
        )
        self.amount_row = FieldRow(
            text("columns.amount"), self.amount, help=text("columns.amount_help")
        )
        self.adverse_row = FieldRow(
            text("columns.adverse"), self.adverse, help=text("columns.adverse_open")
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(12)
        grid.addWidget(self.score_row, 0, 0)
        grid.addWidget(self.high_is, 0, 1)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(self.amount_row, 1, 0, top)
        grid.addWidget(self.adverse_row, 1, 1, 1, 2, top)
        grid.setColumnStretch(2, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        for one in (self.prediction_row, self.by_row, self.values_row, self.rule_row):
            whole.addWidget(one)
        whole.addLayout(grid)
        whole.addWidget(self.alone)

    # What a person does --------------------------------------------------------------------------

    def _put(self, key: str, value: Any) -> None:
        if self.fields.get(key) != value:
            self.fields = {**self.fields, key: value}
            self._show()
            self.changed.emit()

    def _prediction_picked(self, name: str | None) -> None:
        column = self.columns.get(name or "")
        by = VALUES if column is None or column.values else RULE
        kept = {**self.fields, "prediction": name, "by": by, "favourable": []}
        if column is not None and column.low is not None and column.high is not None:
            within = column.low <= 0.5 <= column.high
            kept["cut"] = 0.5 if within else round((column.low + column.high) / 2, 4)
        self.fields = kept
        self._show()
        self.changed.emit()

    def _amount_picked(self, name: str | None) -> None:
        """Another amount: which direction of it is worse is asked anew."""
        if name != self.fields.get("amount"):
            self.fields = {k: v for k, v in self.fields.items() if k != "adverse"}
            self._put("amount", name)

    def _ticked(self) -> None:
        self._put("favourable", [v for v, box in self.values.items() if box.isChecked()])

    # Showing -------------------------------------------------------------------------------------

    def show_fields(
        self, fields: Mapping[str, Any], columns: Mapping[str, Column], enabled: bool
    ) -> None:
        """Show fields as :func:`fields_of` makes them, and the columns that can be chosen."""
        self.columns = columns
        self.fields = dict(fields)
        names = [(name, name) for name in columns]
        numbers = [(n, n) for n, c in columns.items() if c.numeric]
        none = (None, text("columns.none"))
        for combo, offered, key in (
            (self.prediction, [none, *names], "prediction"),
            (self.score, [none, *numbers], "score"),
            (self.amount, [none, *numbers], "amount"),
        ):
            chosen = self.fields.get(key)
            if chosen and chosen not in [value for value, _ in offered]:
                offered = [*offered, (chosen, chosen)]
            combo.set_options(offered, value=chosen)
            combo.setEnabled(enabled)
        self.setEnabled(enabled)
        self._show()

    def _show(self) -> None:
        fields = self.fields
        column = self.columns.get(fields.get("prediction") or "")
        by = fields.get("by") or VALUES
        self.by_row.setVisible(column is not None and column.numeric)
        self.by.set_value(by)
        self.values_row.setVisible(column is not None and by == VALUES)
        self.rule_row.setVisible(column is not None and by == RULE)
        self._show_values(column, fields.get("favourable") or [])
        self.direction.set_value(fields.get("direction") or "at_least")
        self.cut.blockSignals(True)
        self.cut.setValue(fields.get("cut") if fields.get("cut") is not None else 0.5)
        self.cut.blockSignals(False)
        if column is not None and column.low is not None:
            ends = {"low": number(column.low), "high": number(column.high)}
            self.rule_row.help.setText(text("columns.range", **ends))
        self.high_is.set_value(fields.get("high_is") or "favourable")
        self.high_is.setVisible(bool(fields.get("score")))
        self.adverse.set_value(fields.get("adverse"))
        self.adverse_row.setVisible(bool(fields.get("amount")))
        said = "columns.adverse_said" if fields.get("adverse") else "columns.adverse_open"
        self.adverse_row.help.setText(text(said))
        self.adverse.setAccessibleDescription(text(said))
        lone = bool(fields.get("score") or fields.get("amount")) and not fields.get("prediction")
        self.alone.setVisible(lone)

    def _show_values(self, column: Column | None, chosen: list[Any]) -> None:
        key = (column.name, column.values) if column is not None else None
        if key != self._built_for:
            self._built_for = key
            while self._grid.count():
                old = self._grid.takeAt(0).widget()
                if old is not None:
                    old.hide()
                    old.deleteLater()
            self.values = {}
            for place, (value, n) in enumerate(column.values if column else ()):
                box = QCheckBox(f"{value}  ({count(n)})")
                box.setAccessibleName(f"{text('columns.values')}: {value}, {count(n)} people")
                box.clicked.connect(lambda _on: self._ticked())
                self.values[value] = box
                self._grid.addWidget(box, place // 3, place % 3)
            self._grid.setColumnStretch(3, 1)
        texts = {str(one) for one in chosen}
        for value, box in self.values.items():
            box.setChecked(value in chosen or str(value) in texts)
        error = ""
        if column is not None and self.fields.get("by") != RULE:
            if not column.values:
                error = text("columns.too_many", column=column.name, n=count(column.distinct))
            elif self.values and all(box.isChecked() for box in self.values.values()):
                error = text("columns.some")
        self.values_row.set_error(error)

    def problem(self) -> str:
        """Why the choice is not complete, in one sentence, or an empty text."""
        return "" if self.system() is not None else self._why()

    def _why(self) -> str:
        if self.fields.get("prediction"):
            return self.values_row.error() or text("columns.need_value")
        return text("columns.need")

    def system(self) -> dict[str, Any] | None:
        """The plan's ``system``, or None while the choice is not complete."""
        fields = self.fields
        made: dict[str, Any] = {}
        if fields.get("prediction"):
            favourable: Any = list(fields.get("favourable") or [])
            if fields.get("by") == RULE:
                favourable = {fields.get("direction") or "at_least": float(self.cut.value())}
            elif not favourable or self.values_row.error():
                return None
            made["prediction"] = {"column": fields["prediction"], "favourable": favourable}
        if fields.get("score"):
            high = fields.get("high_is") or "favourable"
            made["score"] = {"column": fields["score"], "high_is": high}
        if fields.get("amount"):
            made["amount"] = {"column": fields["amount"]}
            if fields.get("adverse"):  # stands open until somebody says it
                made["amount"]["adverse"] = fields["adverse"]
        return made or None


def fields_of(system: Mapping[str, Any]) -> dict[str, Any]:
    """A plan's ``system`` as the panel's fields."""
    fields: dict[str, Any] = {}
    prediction = system.get("prediction") or {}
    if prediction.get("column"):
        favourable = prediction.get("favourable")
        fields["prediction"] = prediction["column"]
        if isinstance(favourable, Mapping):
            key, value = next(iter(favourable.items()))
            fields.update({"by": RULE, "direction": key, "cut": value, "favourable": []})
        else:
            fields.update({"by": VALUES, "favourable": list(favourable or [])})
    for name, more in (("score", "high_is"), ("amount", "adverse")):
        part = system.get(name) or {}
        if part.get("column"):
            fields[name] = part["column"]
            if part.get(more):
                fields[more] = part[more]
    return fields
