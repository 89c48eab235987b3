"""Fields for settings that are lists: columns, periods of one's own, levels by crossing."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from gui.theme import theme
from gui.widgets.basic import Button, Elided, IconButton, Label, row
from gui.widgets.fields import ChoiceButtons, Combo

from .list_words import text
from .setting_fields import Offer, SettingField, Unreadable


class ColumnsField(SettingField):
    """Columns chosen from a list, one line each, with the direction that is worse in it."""

    def _make(self, offer: Offer) -> tuple[QWidget, str]:
        made = _Columns(self.setting.words, offer.columns)
        made.picked.connect(self.changed)
        self._get, self._put = made.value, made.show_value
        return made, ""

    def _help(self) -> str:
        return text("columns_help")


class _Columns(QWidget):
    picked = Signal()

    def __init__(self, name: str, columns: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._columns = list(columns)
        self._chosen: dict[str, str] | None = None
        self._lines = QVBoxLayout()
        self._lines.setSpacing(4)
        self.combo = Combo(placeholder=text("columns_add"), words=f"{name}: {text('columns_add')}")
        self.combo.setMinimumWidth(theme().px(220))
        self.combo.picked.connect(self._add)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addLayout(self._lines)
        whole.addLayout(row(self.combo, None))
        self.show_value([])

    def value(self) -> list[Any]:
        return [
            {"column": name, "adverse": worse} if worse else name
            for name, worse in (self._chosen or {}).items()
        ]

    def show_value(self, value: Any) -> None:
        wanted = {
            str(v["column"] if isinstance(v, Mapping) else v): str(
                (v.get("adverse") if isinstance(v, Mapping) else "") or ""
            )
            for v in value or ()
        }
        if wanted == self._chosen:
            return
        self._chosen = wanted
        while self._lines.count():
            gone = self._lines.takeAt(0).widget()
            if gone is not None:
                gone.hide()
                gone.deleteLater()
        for name, worse in wanted.items():
            self._lines.addWidget(self._line(name, worse))
        left = [c for c in self._columns if c not in wanted]
        self.combo.set_options([(c, c) for c in left])
        self.combo.setVisible(bool(left))

    def _line(self, name: str, worse: str) -> QWidget:
        made = QWidget()
        label = Elided(name, "key")
        label.setMinimumWidth(theme().px(120))
        way = Combo(
            [(v, text(f"columns_{v or 'same'}")) for v in ("", "high", "low")], value=worse,
            words=text("columns_way", name=name),
        )  # fmt: skip
        way.picked.connect(lambda value: self._turn(name, value))
        remove = IconButton(
            "x", text("columns_remove", name=name), on_click=lambda: self._remove(name)
        )
        line = row(label, way, remove)
        line.setStretch(0, 1)
        made.setLayout(line)
        made.setMaximumWidth(theme().px(560))
        return made

    def _give(self, chosen: dict[str, str]) -> None:
        self.show_value([{"column": n, "adverse": w} for n, w in chosen.items()])
        self.picked.emit()

    def _add(self, name: str) -> None:
        self._give({**(self._chosen or {}), name: ""})

    def _turn(self, name: str, worse: str) -> None:
        self._give({**(self._chosen or {}), name: worse})

    def _remove(self, name: str) -> None:
        self._give({n: w for n, w in (self._chosen or {}).items() if n != name})


class OneOfField(SettingField):
    """A drop-down over values that are no plain text, such as lists or nothing."""

    OPTIONS: Sequence[tuple[Any, str]] = ()

    def _make(self, offer: Offer) -> tuple[QWidget, str]:
        made = Combo(list(enumerate(w for _, w in self.OPTIONS)), words=self.setting.words)
        made.setMinimumWidth(theme().px(260))
        values = [v for v, _ in self.OPTIONS]

        def put(value: Any) -> None:
            given = list(value) if isinstance(value, list | tuple) else value
            made.set_value(values.index(given) if given in values else None)

        made.picked.connect(lambda _v: self.changed.emit())
        self._get = lambda: values[made.value()] if made.value() is not None else None
        self._put = put
        return made, ""


class TwoWaysField(SettingField):
    """A choice of two that may stand open; what the plan says beside it is shown as chosen."""

    OPEN = "as the plan says"

    def __init__(self, setting: Any, offer: Offer, planned: str | None) -> None:
        self._planned = planned
        super().__init__(setting, offer)

    def _make(self, offer: Offer) -> tuple[QWidget, str]:
        options = [(v, w) for v, w in self.setting.choices if v != self.OPEN]
        made = ChoiceButtons(options, words=self.setting.words)
        made.picked.connect(lambda _v: self.changed.emit())

        def put(value: Any) -> None:
            made.set_value(self._planned if value == self.OPEN else value)

        self._get = lambda: made.value() or self.OPEN
        self._put = put
        return made, ""


class GridField(SettingField):
    """Lines of typed cells: subclasses say which, and what they read as."""

    HEADS: Sequence[str] = ()
    STRETCH: Sequence[int] = ()

    def _make(self, offer: Offer) -> tuple[QWidget, str]:
        made = self.grid = Lines(
            self.setting.words, [text(h) for h in self.HEADS], self.STRETCH, text(f"{self.setting.name}_add")
        )  # fmt: skip
        made.finished.connect(self.changed)
        made.typed.connect(self.typed)
        self._get, self._put = (
            lambda: self.read(made.cells()),
            lambda v: made.show_cells(self.write(v)),
        )
        return made, ""

    def busy(self) -> bool:
        return self.grid.busy()

    def text(self) -> str | None:
        return json.dumps(self.grid.cells(), ensure_ascii=False)

    def show_text(self, typed: str) -> None:
        try:
            cells = json.loads(typed)
        except ValueError:
            return  # the draft of another kind of field
        wide = len(self.HEADS)
        fits = isinstance(cells, list) and all(
            isinstance(one, list) and len(one) == wide and all(isinstance(c, str) for c in one)
            for one in cells
        )
        if fits:
            self.grid.show_cells(cells)

    def read(self, cells: Sequence[Sequence[str]]) -> Any:
        """The value that the cells hold."""
        raise NotImplementedError

    def write(self, value: Any) -> list[list[str]]:
        """The cells of a value."""
        raise NotImplementedError


class Lines(QWidget):
    """Rows of line edits under headings, with Add and a way to take each row out."""

    finished = Signal()
    typed = Signal()

    def __init__(self, name: str, heads: Sequence[str], stretch: Sequence[int], add: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._name, self._names = name, list(heads)
        self._rows: list[list[QLineEdit]] = []
        self._shown: list[list[str]] | None = None
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        for place, part in enumerate(stretch):
            self._grid.setColumnStretch(place, part)
        self.heads = [Label(head, "help", tone="second") for head in heads]
        self.add = Button(add, icon="plus", small=True, on_click=self._more)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addLayout(self._grid)
        whole.addLayout(row(self.add, None))
        self.show_cells([])

    def cells(self) -> list[list[str]]:
        """The rows that hold anything."""
        found = [[edit.text().strip() for edit in edits] for edits in self._rows]
        return [cells for cells in found if any(cells)]

    def busy(self) -> bool:
        """Whether a person is typing here now."""
        return any(edit.hasFocus() for edits in self._rows for edit in edits)

    def show_cells(self, cells: list[list[str]]) -> None:
        """Show rows; rows that are shown already, with what is half typed, stay."""
        if cells == self._shown:
            return
        self._shown = cells
        while self._grid.count():
            gone = self._grid.takeAt(0).widget()
            if gone is not None and gone not in self.heads:
                gone.hide()
                gone.deleteLater()
        self._rows = []
        for place, head in enumerate(self.heads):
            self._grid.addWidget(head, 0, place)
            head.setVisible(bool(cells))
        for one in cells:
            self._row(one)

    def _row(self, cells: Sequence[str]) -> None:
        place = self._grid.rowCount()
        edits = []
        for column, value in enumerate(cells):
            edit = QLineEdit(value)
            edit.setAccessibleName(f"{self._name}: {self._names[column]} {len(self._rows) + 1}")
            edit.textEdited.connect(lambda _t: self.typed.emit())
            edit.editingFinished.connect(lambda: QTimer.singleShot(0, self, self._left))
            self._grid.addWidget(edit, place, column)
            edits.append(edit)
        self._rows.append(edits)
        name = cells[0] or str(len(self._rows))
        remove = IconButton(
            "x", text("row_remove", name=name), on_click=lambda: self._remove(edits)
        )
        self._grid.addWidget(remove, place, len(self._names))

    def _left(self) -> None:
        """A cell was left: what was typed counts once the person is out of all of them."""
        if not self.busy():
            self.finished.emit()

    def _more(self) -> None:
        for head in self.heads:
            head.show()
        self._row([""] * len(self._names))
        self._rows[-1][0].setFocus()

    def _remove(self, edits: list[QLineEdit]) -> None:
        for edit in edits:
            edit.setText("")
        left = self.cells()
        self._shown = None
        self.show_cells(left)
        self.finished.emit()


class SpansField(GridField):
    """Periods of one's own: name, first and last day."""

    HEADS, STRETCH = ("span_name", "span_from", "span_to"), (3, 2, 2)

    def _help(self) -> str:
        return text("periods_help")

    def read(self, cells: Sequence[Sequence[str]]) -> Any:
        from datetime import date

        found = []
        for name, start, end in cells:
            for day in (start, end):
                try:
                    date.fromisoformat(day)
                except ValueError:
                    raise Unreadable(text("span_day", day=day or "–")) from None
            found.append({"name": name or f"{start} to {end}", "from": start, "to": end})
        return found or None

    def write(self, value: Any) -> list[list[str]]:
        return [[str(one.get(k) or "") for k in ("name", "from", "to")] for one in value or ()]


class LevelsField(GridField):
    """Levels of the last certificate: crossing, rate, ratio with its ends, people."""

    HEADS = ("level_cell", "level_rate", "level_ratio", "level_low", "level_high", "level_n")
    STRETCH = (5, 2, 2, 2, 2, 2)
    KEYS = ("rate", "ratio", "low", "high", "n")

    def _make(self, offer: Offer) -> tuple[QWidget, str]:
        self._more: dict[str, Mapping[str, Any]] = {}
        self._names: dict[str, str] = {}
        return super()._make(offer)

    def _help(self) -> str:
        return text("certified_help")

    def set_names(self, names: Mapping[str, str]) -> None:
        """What crossings are called: key to words. Cells show the words, the value has keys."""
        self._names = dict(names)

    def read(self, cells: Sequence[Sequence[str]]) -> Any:
        found: dict[str, dict[str, float]] = {}
        keys = {words: key for key, words in self._names.items()}
        for typed, *numbers in cells:
            cell = keys.get(typed, typed)
            if not cell:
                raise Unreadable(text("level_nameless"))
            one: dict[str, float] = {}
            for key, given in zip(self.KEYS, numbers, strict=True):
                if given:
                    one[key] = _number(given)
            known = self._more.get(cell, {})
            if "people" in known:
                one["people"] = known["people"]
            found[cell] = one
        return found or None

    def write(self, value: Any) -> list[list[str]]:
        self._more = dict(value or {})
        return [
            [
                self._names.get(cell, cell),
                *("" if one.get(k) is None else f"{one[k]:.6g}" for k in self.KEYS),
            ]
            for cell, one in (value or {}).items()
        ]


def _number(typed: str) -> float:
    try:
        found = float(typed.replace("\u2212", "-"))
    except ValueError:
        raise Unreadable(text("level_number", typed=typed)) from None
    if not math.isfinite(found):
        raise Unreadable(text("level_number", typed=typed))
    return int(found) if found.is_integer() else found
