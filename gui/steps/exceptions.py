"""Exceptions from the tolerance: one row each, for an attribute and all or one of its metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.theme import theme
from gui.widgets.basic import Button, IconButton, Label, row
from gui.widgets.fields import Combo, NumberSpin

from . import evidence_texts as texts
from .inputs import stacks

RATIOS = ("ratio", "DI")
METRICS = (
    ("difference", "tolerance.all_differences"), ("ratio", "tolerance.all_ratios"),
    ("bias_index", "tolerance.index"), ("SPD", "metric.SPD"), ("DI", "metric.DI"),
    ("EOD", "metric.EOD"), ("EMOD", "metric.EMOD"), ("AOD", "metric.AOD"),
)  # fmt: skip


class ExceptionRow(QWidget):
    """One exception: attribute, metric, and its number or its two ends."""

    def __init__(
        self, number: int, names: Sequence[str], values: tuple[str, str, Any],
        on_change: Callable[[], object], on_remove: Callable[[ExceptionRow], object],
    ) -> None:  # fmt: skip
        super().__init__()
        t = texts.text
        name, metric, value = values
        self.attribute = Combo(
            [(one, one) for one in names], value=name, words=t("tolerance.attribute", n=number)
        )
        # not "metric": Qt asks a widget for its dots an inch by that name
        self.of_metric = Combo(
            [(key, t(words)) for key, words in METRICS], value=metric,
            words=t("tolerance.metric", n=number),
        )  # fmt: skip
        low, high = value if isinstance(value, list | tuple) else (0.9, 1.1)
        self.low = NumberSpin(0, 1, float(low), words=t("tolerance.low", n=number))
        self.high = NumberSpin(1, 100, float(high), words=t("tolerance.high", n=number))
        one = float(value) if isinstance(value, int | float) else 0.1
        self.one = NumberSpin(0, 1, one, words=t("tolerance.at_most", n=number))
        self.remove = IconButton(
            "trash-2", t("tolerance.remove", n=number), on_click=lambda: on_remove(self)
        )
        for field in (self.low, self.high, self.one):
            field.setFixedWidth(theme().px(84))
            field.valueChanged.connect(lambda _value: on_change())
        self._to = Label(t("tolerance.ratio_high"), "help", tone="second")
        self._either = Label(t("tolerance.either"), "help", tone="second")
        self.attribute.picked.connect(lambda _value: on_change())
        self.of_metric.picked.connect(lambda _value: self._metric_picked(on_change))
        whole = row()
        whole.addLayout(row(self.attribute, self.of_metric))
        whole.addLayout(
            row(self.low, self._to, self.high, self.one, self._either, self.remove, None)
        )
        self.setLayout(whole)
        stacks(whole)
        self._show()

    def _metric_picked(self, on_change: Callable[[], object]) -> None:
        self._show()
        on_change()

    def _show(self) -> None:
        ratio = self.of_metric.value() in RATIOS
        for widget in (self.low, self._to, self.high):
            widget.setVisible(ratio)
        self.one.setVisible(not ratio)
        self._either.setVisible(not ratio and self.of_metric.value() != "bias_index")

    def values(self) -> tuple[str, str, Any]:
        """Attribute, metric and value."""
        ratio = self.of_metric.value() in RATIOS
        value: Any = round(self.one.value(), 4)
        if ratio:
            value = [round(self.low.value(), 4), round(self.high.value(), 4)]
        return str(self.attribute.value() or ""), str(self.of_metric.value() or ""), value


class Exceptions(QWidget):
    """All exceptions, and a button to add one."""

    def __init__(self, on_change: Callable[[], object]) -> None:
        super().__init__()
        self._on_change = on_change
        self.rows: list[ExceptionRow] = []
        self._names: tuple[str, ...] = ()
        self._none = Label(texts.text("tolerance.no_exceptions"), tone="second", wrap=True)
        self.add_button = Button(
            texts.text("tolerance.add"), icon="plus", small=True, on_click=self.add
        )
        self._place = QVBoxLayout()
        self._place.setSpacing(6)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self._none)
        whole.addLayout(self._place)
        whole.addWidget(self.add_button)

    def set_values(self, names: Sequence[str], overrides: Mapping[str, Mapping[str, Any]]) -> None:
        """Show other exceptions."""
        wanted = [
            (name, metric, value)
            for name, own in overrides.items()
            for metric, value in own.items()
        ]
        if tuple(names) == self._names and wanted == [one.values() for one in self.rows]:
            return
        self._names = tuple(names)
        for one in list(self.rows):
            self._take_out(one)
        for values in wanted:
            self._put(values)
        self._show()

    def _put(self, values: tuple[str, str, Any]) -> ExceptionRow:
        names = [*self._names, *([values[0]] if values[0] not in self._names else [])]
        made = ExceptionRow(len(self.rows) + 1, names, values, self._on_change, self._removed)
        self.rows.append(made)
        self._place.addWidget(made)
        return made

    def _take_out(self, one: ExceptionRow) -> None:
        self.rows.remove(one)
        self._place.removeWidget(one)
        one.hide()
        one.deleteLater()

    def add(self) -> None:
        """Add an exception for the first pair that has none."""
        taken = {one.values()[:2] for one in self.rows}
        pairs = [(n, m) for n in self._names for m, _ in METRICS if (n, m) not in taken]
        if not pairs:
            return
        name, metric = pairs[0]
        made = self._put((name, metric, [0.9, 1.1] if metric in RATIOS else 0.1))
        self._show()
        made.attribute.setFocus()
        self._on_change()

    def _removed(self, one: ExceptionRow) -> None:
        self._take_out(one)
        self._show()
        self.add_button.setFocus()
        self._on_change()

    def _show(self) -> None:
        self._none.setVisible(not self.rows)

    def set_locked(self, locked: bool) -> None:
        """Close or open every control."""
        self.add_button.setEnabled(not locked and bool(self._names))
        for one in self.rows:
            one.setEnabled(not locked)

    def overrides(self) -> dict[str, dict[str, Any]]:
        """The exceptions as the plan writes them."""
        made: dict[str, dict[str, Any]] = {}
        for one in self.rows:
            name, metric, value = one.values()
            made.setdefault(name, {})[metric] = value
        return made

    def problem(self) -> str:
        """What is wrong; empty where nothing is."""
        pairs = [one.values()[:2] for one in self.rows]
        twice = next((pair for pair in pairs if pairs.count(pair) > 1), None)
        return texts.text("tolerance.twice", name=twice[0]) if twice else ""
