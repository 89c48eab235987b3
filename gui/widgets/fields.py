"""Fields: label above, field, help under it, and an error in words with its mend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.theme import restyle, theme

from .basic import IconLabel, Label


class FieldRow(QWidget):
    """A field with its label above (its buddy), help under it and, where wrong, the mend."""

    def __init__(self, label: str, field: QWidget, *, help: str = "", after: str = "") -> None:
        super().__init__()
        self.field = field
        self.label = Label(label, "head")
        self.label.setBuddy(field)
        if not field.accessibleName():
            field.setAccessibleName(label.replace("&", ""))
        if isinstance(field, QComboBox):
            field.view().setAccessibleName(label.replace("&", ""))
        if help:
            field.setAccessibleDescription(help)
        self.help = Label(help, "help", tone="second", wrap=True)
        if not help:  # showing a label that has no parent yet would open a window of its own
            self.help.hide()
        self._error = Label("", "help", tone="outside", wrap=True)
        self._error.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._error_row = QWidget()
        inner = QHBoxLayout(self._error_row)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(6)
        inner.addWidget(IconLabel("circle-x", "outside", 14), 0, Qt.AlignmentFlag.AlignTop)
        inner.addWidget(self._error, 1)
        self._error_row.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addWidget(self.label)
        if after:
            beside = QHBoxLayout()
            beside.setSpacing(8)
            beside.addWidget(field)
            beside.addWidget(Label(after, "help", tone="second"))
            beside.addStretch(1)
            whole.addLayout(beside)
        else:
            whole.addWidget(field)
        whole.addWidget(self.help)
        whole.addWidget(self._error_row)

    def set_error(self, text: str) -> None:
        """Show what is wrong and how to mend it; an empty text takes it away."""
        self._error.setText(text)
        self._error_row.setVisible(bool(text))
        self.field.setProperty("error", bool(text))
        self.field.setAccessibleDescription(text or self.help.text())
        restyle(self.field)

    def error(self) -> str:
        """The error shown, or an empty text."""
        return self._error.text() if not self._error_row.isHidden() else ""


class NoWheel:
    """A mixin: the wheel scrolls the page and changes no field that it happens to pass."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Combo(NoWheel, QComboBox):
    """A drop-down of ``(value, words)`` pairs; ``picked`` sends the value chosen by a person."""

    picked = Signal(object)

    def __init__(
        self, options: Sequence[tuple[Any, str]] = (), *, value: Any = None, placeholder: str = "",
        words: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self.setAccessibleName(words)
        self.view().setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._placeholder = placeholder
        self.set_options(options, value=value)
        self.activated.connect(lambda index: self.picked.emit(self.itemData(index)))

    def minimumSizeHint(self) -> QSize:
        """Narrower than its longest option, where there is no room for that."""
        least = super().minimumSizeHint()
        return QSize(min(least.width(), theme().px(140)), least.height())

    def set_options(self, options: Sequence[tuple[Any, str]], *, value: Any = None) -> None:
        """Offer other options; a value that is not among them leaves the placeholder."""
        self.blockSignals(True)
        self.clear()
        for one, text in options:
            self.addItem(text, one)
        self.setPlaceholderText(self._placeholder)
        self.setCurrentIndex(-1)
        self.set_value(value)
        self.blockSignals(False)

    def set_value(self, value: Any) -> None:
        """Choose an option by its value, without sending ``picked``."""
        for index in range(self.count()):
            if self.itemData(index) == value:
                self.setCurrentIndex(index)
                return
        self.setCurrentIndex(-1)

    def value(self) -> Any:
        """The chosen value, None where nothing is chosen."""
        return self.currentData() if self.currentIndex() >= 0 else None


class WholeSpin(NoWheel, QSpinBox):
    """A whole number."""

    def __init__(self, low: int, high: int, value: int, *, words: str = "") -> None:
        super().__init__()
        self.setRange(low, high)
        self.setValue(value)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(words)
        self.setKeyboardTracking(False)


class NumberSpin(NoWheel, QDoubleSpinBox):
    """A number with a fixed count of decimals."""

    def __init__(
        self, low: float, high: float, value: float, *, decimals: int = 2, step: float = 0.01,
        words: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self.setDecimals(decimals)
        self.setRange(low, high)
        self.setSingleStep(step)
        self.setValue(value)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(words)
        self.setKeyboardTracking(False)


class ChoiceButtons(QFrame):
    """A choice of two or three as joined buttons; the chosen one is filled and in bold.

    Arrow keys move between the buttons. ``picked`` sends the value chosen by a person.
    """

    picked = Signal(object)

    def __init__(
        self, options: Sequence[tuple[Any, str]], *, value: Any = None, words: str = ""
    ) -> None:
        super().__init__()
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._values = [one for one, _ in options]
        inner = QHBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        for index, (_, text) in enumerate(options):
            button = QToolButton()
            button.setText(text)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            place = "first" if index == 0 else "last" if index == len(options) - 1 else "middle"
            button.setProperty("joined", "only" if len(options) == 1 else place)
            button.setAccessibleName(f"{words}: {text}" if words else text)
            self._group.addButton(button, index)
            inner.addWidget(button)
        self._group.idClicked.connect(lambda index: self.picked.emit(self._values[index]))
        self.set_value(value)

    def set_value(self, value: Any) -> None:
        """Choose by value, without sending ``picked``; an unknown value chooses none."""
        self._group.setExclusive(False)
        for index, one in enumerate(self._values):
            self._group.button(index).setChecked(one == value and value is not None)
        self._group.setExclusive(True)

    def value(self) -> Any:
        """The chosen value, None where nothing is chosen."""
        index = self._group.checkedId()
        return self._values[index] if index >= 0 else None

    def set_enabled(self, value: Any, enabled: bool) -> None:
        """Open or close one of the options."""
        self._group.button(self._values.index(value)).setEnabled(enabled)
