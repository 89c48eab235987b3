"""One field for each kind of setting: it shows a value, and reads back what a person gave."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from engine.methods.base import Setting
from gui.theme import theme
from gui.widgets.fields import ChoiceButtons, Combo, FieldRow, NumberSpin, WholeSpin

from .graph_text import graph_from, graph_words
from .words import text

LARGEST = 1_000_000_000
EMPTY = "\0empty"
"""What a drop-down gives for "left empty"."""


class Unreadable(ValueError):
    """What was typed is no value; the text says how to mend it."""


@dataclass(frozen=True)
class Offer:
    """What the case offers: columns of its tables, names of its protected attributes."""

    columns: Sequence[str] = ()
    attributes: Sequence[str] = ()


class SettingField(QObject):
    """A setting's row. ``changed`` is sent when a person has finished a change; ``typed`` while."""

    changed = Signal()
    typed = Signal()

    def __init__(self, setting: Setting, offer: Offer) -> None:
        super().__init__()
        self.setting = setting
        self._get: Callable[[], Any]
        self._put: Callable[[Any], None]
        field, after = self._make(offer)
        self.row = FieldRow(setting.words, field, help=self._help(), after=after)
        self._field = field

    def _help(self) -> str:
        s = self.setting
        more = ""
        if s.kind == "value":
            more = text("value_help")
        elif s.kind in ("graph", "graphs"):
            more = text("graph_help")
        return " ".join(part for part in (s.help, more) if part)

    def value(self) -> Any:
        """The value given.

        Raises
        ------
        Unreadable
            Where what was typed is none.
        """
        return self._get()

    def show_value(self, value: Any) -> None:
        """Show a value, without sending it."""
        self._field.blockSignals(True)
        self._put(value)
        self._field.blockSignals(False)

    def show_text(self, typed: str) -> None:
        """Show what was half typed before."""
        if isinstance(self._field, QLineEdit):
            self._field.setText(typed)
        elif isinstance(self._field, QPlainTextEdit):
            self._field.setPlainText(typed)

    def text(self) -> str | None:
        """What is typed, of fields that are typed in."""
        if isinstance(self._field, QLineEdit):
            return self._field.text()
        return self._field.toPlainText() if isinstance(self._field, QPlainTextEdit) else None

    def busy(self) -> bool:
        """Whether a person is typing here now."""
        return self._field.hasFocus() and isinstance(self._field, QLineEdit | QPlainTextEdit)

    # Making -------------------------------------------------------------------------------------

    def _make(self, offer: Offer) -> tuple[QWidget, str]:
        s = self.setting
        made = {
            "whole": self._number, "number": self._number, "share": self._number,
            "yes-no": self._tick, "choice": self._choice, "choices": self._choices,
            "text": self._line, "numbers": self._numbers,
        }.get(s.kind)  # fmt: skip
        if made is not None:
            return made(), s.unit
        if s.kind == "attribute":
            options = [(name, name) for name in offer.attributes]
            return self._combo([(EMPTY, text("first")), *options]), ""
        if s.kind == "column":
            options = [(name, name) for name in offer.columns]
            return self._combo([(EMPTY, text("no_column")), *options]), ""
        return self._area(), ""

    def _number(self) -> QWidget:
        s = self.setting
        if s.default is None:
            return self._open_number()
        low = s.minimum if s.minimum is not None else (0.0 if s.kind == "share" else -LARGEST)
        high = s.maximum if s.maximum is not None else (1.0 if s.kind == "share" else LARGEST)
        spin: WholeSpin | NumberSpin
        if s.kind == "whole":
            spin = WholeSpin(int(low), int(high), int(s.default), words=s.words)
            self._put = lambda v: spin.setValue(int(v))
            self._get = spin.value
        else:
            digits = decimals(s)
            spin = NumberSpin(
                low, high, float(s.default), decimals=digits, step=10.0**-digits, words=s.words
            )
            self._put = lambda v: spin.setValue(float(v))
            self._get = lambda: _plain(spin.value(), s.default)
        spin.setMinimumWidth(theme().px(110))
        spin.setMaximumWidth(theme().px(180))
        spin.valueChanged.connect(lambda _v: self.changed.emit())
        return spin

    def _open_number(self) -> QWidget:
        """A number that may be left empty."""
        edit = self._line()
        whole = self.setting.kind == "whole"

        def get() -> Any:
            given = edit.text().strip().replace("\u2212", "-")
            if not given:
                return None
            try:
                found = int(given) if whole else float(given)
            except ValueError:
                raise Unreadable(text("wrong_whole" if whole else "wrong_number")) from None
            if not math.isfinite(found):
                raise Unreadable(text("wrong_number"))
            return found

        def put(value: Any) -> None:
            edit.setText("" if value is None else f"{value:g}")

        self._get, self._put = get, put
        edit.setPlaceholderText(text("empty"))
        edit.setMaximumWidth(theme().px(180))
        return edit

    def _numbers(self) -> QWidget:
        """Numbers in one line, with commas between; may be left empty."""
        edit = self._line()

        def get() -> Any:
            given = edit.text().strip()
            found = value_from(given, []) if given and given[0] not in '[{"' else []
            if bool(given) != bool(found) or any(isinstance(v, str) for v in found):
                raise Unreadable(text("wrong_numbers"))
            return found

        self._get, self._put = get, lambda v: edit.setText(value_words(v))
        edit.setPlaceholderText(text("empty_numbers"))
        edit.setMaximumWidth(theme().px(260))
        return edit

    def _tick(self) -> QWidget:
        box = QCheckBox(text("yes"))
        box.setAccessibleName(self.setting.words)
        box.clicked.connect(lambda _on: self.changed.emit())
        self._get, self._put = box.isChecked, lambda v: box.setChecked(bool(v))
        return box

    def _choice(self) -> QWidget:
        options = self.setting.choices
        short = len(options) <= 3 and sum(len(w) for _, w in options) <= 44 / theme().scale
        if not short:
            return self._combo(list(options))
        made = ChoiceButtons(list(options), words=self.setting.words)
        made.picked.connect(lambda _v: self.changed.emit())
        self._get, self._put = made.value, made.set_value
        return made

    def _combo(self, options: list[tuple[Any, str]]) -> QWidget:
        made = Combo(options, words=self.setting.words)
        made.setMinimumWidth(theme().px(220))

        def put(value: Any) -> None:
            wanted = EMPTY if value is None else value
            if wanted not in [made.itemData(n) for n in range(made.count())]:
                made.addItem(str(wanted), wanted)
            made.set_value(wanted)

        def get() -> Any:
            found = made.value()
            return None if found == EMPTY else found

        made.picked.connect(lambda _v: self.changed.emit())
        self._get, self._put = get, put
        return made

    def _choices(self) -> QWidget:
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(4)
        boxes: dict[Any, QCheckBox] = {}
        for value, words_of in self.setting.choices:
            box = QCheckBox(words_of)
            box.setAccessibleName(f"{self.setting.words}: {words_of}")
            box.clicked.connect(lambda _on: self.changed.emit())
            boxes[value] = box
            inner.addWidget(box)

        def put(value: Any) -> None:
            for key, box in boxes.items():
                box.setChecked(key in (value or ()))

        self._get = lambda: [key for key, box in boxes.items() if box.isChecked()]
        self._put = put
        return made

    def _line(self) -> QLineEdit:
        edit = QLineEdit()
        edit.setAccessibleName(self.setting.words)
        edit.textEdited.connect(lambda _t: self.typed.emit())
        edit.editingFinished.connect(self.changed.emit)
        default = self.setting.default

        def get() -> Any:
            given = edit.text().strip()
            return default if not given and not default else given or default

        self._get = get
        self._put = lambda v: edit.setText("" if v is None else str(v))
        return edit

    def _area(self) -> QWidget:
        area = Area(self.setting.words)
        graphs = self.setting.kind in ("graph", "graphs")
        area.finished.connect(self.changed.emit)
        area.textChanged.connect(self.typed.emit)

        def get() -> Any:
            given = area.toPlainText().strip()
            if not given:
                return self.setting.default if not self.setting.default else None
            try:
                if graphs:
                    return graph_from(given, several=self.setting.kind == "graphs")
                return value_from(given, self.setting.default)
            except ValueError:
                help_ = text("graph_help" if graphs else "value_help")
                raise Unreadable(text("wrong_value", help=help_)) from None

        self._get = get
        self._put = lambda v: area.setPlainText(graph_words(v) if graphs else value_words(v))
        return area


class Area(QPlainTextEdit):
    """A few lines of text; Tab leaves it, and ``finished`` is sent then."""

    finished = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        theme().changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        self.setFixedHeight(theme().px(18 * 3 + 14))

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finished.emit()


def decimals(setting: Setting) -> int:
    """How many decimals a number needs: those of its default and its ends, at least two.

    Examples
    --------
    >>> decimals(Setting("level", "share", 0.05, "Level", minimum=0.0001))
    4
    """
    known = [v for v in (setting.default, setting.minimum, setting.maximum) if v is not None]
    digits = [len(f"{float(v):.10f}".rstrip("0").split(".")[1]) for v in known]
    return min(8, max(2, *digits))


def _plain(value: float, default: Any) -> Any:
    """A whole number stays one where the default is one."""
    if isinstance(default, int) and float(value).is_integer():
        return int(value)
    return value


def value_words(value: Any) -> str:
    """Free JSON as a person writes it; what is no simple list or table stays JSON.

    Examples
    --------
    >>> value_words(["age", "sex"]), value_words({"savings": "higher is better"})
    ('age, sex', 'savings: higher is better')
    """
    if value is None or value == {} or value == []:
        return ""
    simple = str, int, float
    if isinstance(value, list) and all(isinstance(v, simple) and _tame(v) for v in value):
        return ", ".join(str(v) for v in value)
    if isinstance(value, Mapping) and all(
        isinstance(v, str) and _tame(v) and _tame(k) for k, v in value.items()
    ):
        return "\n".join(f"{k}: {v}" for k, v in value.items())
    return json.dumps(value, ensure_ascii=False, indent=1)


def _tame(value: Any) -> bool:
    """Whether a value reads back as itself from a list with commas or a line with a colon."""
    if not isinstance(value, str):
        return not isinstance(value, bool)
    odd = set(value) & set(',:\n[]{}"')
    return bool(value.strip()) and value == value.strip() and not odd and _scalar(value) == value


def _scalar(word: str) -> Any:
    word = word.strip()
    try:
        return int(word)
    except ValueError:
        pass
    try:
        found = float(word)
    except ValueError:
        return word
    return found if math.isfinite(found) else word


def value_from(given: str, default: Any) -> Any:
    """A value from what a person wrote: JSON, lines ``name: value``, or a list with commas.

    Raises
    ------
    ValueError
        Where it begins like JSON and is none.

    Examples
    --------
    >>> value_from("age, 30", None), value_from("savings: higher is better", {})
    (['age', 30], {'savings': 'higher is better'})
    """
    if given[0] in '[{"' or given in ("true", "false", "null"):
        return json.loads(given)
    lines = [line for line in given.splitlines() if line.strip()]
    if isinstance(default, Mapping) or (default is None and all(":" in line for line in lines)):
        made = {}
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon or not name.strip() or not value.strip():
                raise ValueError(line)
            made[name.strip()] = value.strip()
        return made
    return [_scalar(part) for line in lines for part in line.split(",") if part.strip()]
