"""What is better in each feature: asked for, one feature a line, never assumed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QListWidget, QSizePolicy, QVBoxLayout, QWidget

from gui.dialogs import Dialog
from gui.theme import theme
from gui.widgets.basic import Button, Elided, IconButton, Label, line, row
from gui.widgets.fields import Combo
from gui.widgets.flow import Flow

from .peers_words import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.base.watch import Watch

HIGHER, LOWER = "higher is better", "lower is better"
LISTED = "\0listed"
MOST_VALUES = 40
"""Different values up to which an order may be given by a list."""


@dataclass(frozen=True)
class FeatureOffer:
    """A feature: whether it holds numbers, and its values where they are few."""

    name: str
    numeric: bool
    values: tuple[str, ...]


def offers(frames: Sequence[Any], names: Sequence[str], watch: Watch) -> list[FeatureOffer]:
    """Read kind and values of each feature out of the tables; runs in a job."""
    import pandas

    from engine.models.encoding import is_numeric, numbers, texts

    found = []
    for place, name in enumerate(names):
        watch.say(text("features"), done=place, total=len(names))
        parts = [f[name] for f in frames if name in f.columns]
        if not parts:
            continue
        column = pandas.concat([p.astype("object") for p in parts]) if len(parts) > 1 else parts[0]
        numeric = all(is_numeric(p) for p in parts)
        if numeric:
            known = [v for p in parts for v in pandas.unique(numbers(p)) if math.isfinite(v)]
            distinct = sorted(set(known))
            words = [str(int(v)) if float(v).is_integer() else str(v) for v in distinct]
        else:
            category = texts(column.astype("string"))
            used = sorted(set(category.codes.tolist()) - {-1})
            words = [str(category.categories[c]) for c in used]
        found.append(FeatureOffer(name, numeric, tuple(words) if len(words) <= MOST_VALUES else ()))
    return found


class OrderDialog(Dialog):
    """The values of a feature, to be moved into their order; all by keyboard too."""

    def __init__(self, parent: QWidget, name: str, values: Sequence[str]) -> None:
        super().__init__(parent, text("order_of", name=name), text("order_sentence"), width=420)
        self.list = QListWidget()
        self.list.setAccessibleName(text("order_of", name=name))
        self.list.addItems(list(values))
        self.list.setCurrentRow(0)
        self.list.setMinimumHeight(theme().px(40 + 27 * min(8, len(values))))
        self.up = IconButton("arrow-up", text("up"), on_click=lambda: self.move(-1))
        self.down = IconButton("arrow-down", text("down"), on_click=lambda: self.move(1))
        side = QVBoxLayout()
        side.addWidget(self.up)
        side.addWidget(self.down)
        side.addStretch(1)
        inner = row(self.list, spacing=8)
        inner.addLayout(side)
        self.body.addLayout(inner)
        self.add_button(text("cancel"), self.reject)
        self.add_button(text("use"), self.accept, primary=True)

    def move(self, by: int) -> None:  # type: ignore[override]
        """Move the chosen value up or down."""
        at = self.list.currentRow()
        to = at + by
        if at >= 0 and 0 <= to < self.list.count():
            self.list.insertItem(to, self.list.takeItem(at))
            self.list.setCurrentRow(to)

    def values(self) -> list[str]:
        """The values, worst first."""
        return [self.list.item(n).text() for n in range(self.list.count())]


class FeatureRow(QWidget):
    """One feature: what is better, and whether a person can change it.

    ``ordered(object)`` sends None, a direction or a list; ``fixed(bool)`` the other answer.
    """

    ordered = Signal(object)
    fixed = Signal(bool)

    def __init__(self, offer: FeatureOffer) -> None:
        super().__init__()
        self.offer = offer
        self._value: Any = None
        options: list[tuple[Any, str]] = [(None, text("unsaid"))]
        if offer.numeric:
            options += [(HIGHER, HIGHER.capitalize()), (LOWER, LOWER.capitalize())]
        if len(offer.values) == 2:
            first, last = offer.values
            options += [
                ([first, last], text("from_to", first=first, last=last)),
                ([last, first], text("from_to", first=last, last=first)),
            ]
        elif len(offer.values) > 2:
            options.append((LISTED, text("listed")))
        self.name = Elided(offer.name, "key")
        self.combo = Combo(options, words=text("feature_is", name=offer.name))
        self.combo.picked.connect(self._picked)
        self.change = Button(text("change_order"), kind="link", on_click=self.ask)
        self.change.setAccessibleName(f"{text('change_order')} {offer.name}")
        self.tick = QCheckBox(text("fixed"))
        self.tick.setAccessibleName(text("feature_fixed", name=offer.name))
        self.tick.clicked.connect(lambda on: self.fixed.emit(bool(on)))
        self.words = Label("", "help", tone="second", wrap=True)
        tools = QWidget()
        tools.setLayout(Flow(self.name, self.combo, self.tick, self.change, spacing=16))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        tools.setSizePolicy(policy)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 5, 0, 5)
        inner.setSpacing(2)
        inner.addWidget(tools)
        inner.addWidget(self.words)
        theme().changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        self.name.setFixedWidth(theme().px(190))
        self.name.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.combo.setMinimumWidth(theme().px(210))

    def show_value(self, value: Any, *, fixed: bool, closed: bool) -> None:
        """Show what the plan says of this feature."""
        self._value = value
        listed = isinstance(value, list | tuple)
        given = [self.combo.itemData(n) for n in range(self.combo.count())]
        shown = list(value) if listed else value
        self.combo.set_value(shown if shown in given else LISTED if listed else None)
        if self.combo.currentIndex() < 0:
            self.combo.setCurrentIndex(0)
        self.change.setVisible(listed and shown not in given)
        many = listed and shown not in given
        self.words.setText(text("from_order", values=", ".join(map(str, value))) if many else "")
        self.words.setVisible(many)
        self.tick.setChecked(fixed)
        for field in (self.combo, self.tick, self.change):
            field.setEnabled(not closed)

    def _picked(self, value: Any) -> None:
        if value == LISTED:
            self.ask()
        else:
            self.ordered.emit(value)

    def ask(self) -> None:
        """Ask for the order of the values."""
        known = [str(v) for v in self._value] if isinstance(self._value, list | tuple) else []
        values = [*known, *(v for v in self.offer.values if v not in known)]
        self.dialog = OrderDialog(self, self.offer.name, values)
        self.dialog.accepted.connect(lambda: self.ordered.emit(self.dialog.values()))
        self.dialog.rejected.connect(lambda: self.combo.set_value(self._shown()))
        self.dialog.open()

    def _shown(self) -> Any:
        given = [self.combo.itemData(n) for n in range(self.combo.count())]
        if isinstance(self._value, list | tuple):
            return list(self._value) if list(self._value) in given else LISTED
        return self._value


class OrderList(QWidget):
    """All features. ``ordered(str, object)`` and ``fixed(str, bool)`` say what a person chose."""

    ordered = Signal(str, object)
    fixed = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, FeatureRow] = {}
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self.none = Label(text("no_features"), tone="second", wrap=True)
        self._lines.addWidget(self.none)

    def set_offers(self, found: Sequence[FeatureOffer]) -> None:
        """Show these features."""
        while self._lines.count() > 1:
            item = self._lines.takeAt(1)
            if item.widget() is not None:
                item.widget().hide()
                item.widget().deleteLater()
        self.rows = {}
        self.none.setVisible(not found)
        for offer in found:
            made = self.rows[offer.name] = FeatureRow(offer)
            made.ordered.connect(lambda v, n=offer.name: self.ordered.emit(n, v))
            made.fixed.connect(lambda on, n=offer.name: self.fixed.emit(n, on))
            self._lines.addWidget(made)
            self._lines.addWidget(line())

    def show_values(
        self, order: Mapping[str, Any], intrinsic: Sequence[str], *, closed: bool
    ) -> None:
        """Show what the plan says."""
        for name, one in self.rows.items():
            one.show_value(order.get(name), fixed=name in intrinsic, closed=closed)
