"""Message bars: one or two sentences, and the mend as a link on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from gui.theme import restyle, theme

from .basic import Button, IconLabel, Label

KINDS = {
    "info": ("info", "accent", "Note"),
    "good": ("circle-check", "within", "Good"),
    "warning": ("triangle-alert", "not_settled", "Warning"),
    "outside": ("circle-x", "outside", "Problem"),
    "question": ("circle-question-mark", "accent", "Question"),
}
"""Kind -> icon, colour, word for screen readers."""


class MessageBar(QFrame):
    """A message of a kind (``info``, ``good``, ``warning``, ``outside``, ``question``).

    ``link`` is what :attr:`activated` sends when the link is pressed; :class:`gui.stepper.Stepper`
    understands ``step:2`` and ``help:peers`` when the page passes the signal on (see
    :meth:`gui.steps.base.StepPage.message`).
    """

    activated = Signal(str)

    def __init__(self, kind: str, text: str, *, link_text: str = "", link: str = "") -> None:
        super().__init__()
        self._icon = IconLabel("info", "accent", 16)
        self._text = Label(text, wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._link = link
        self._button = Button(
            link_text, kind="link", on_click=lambda: self.activated.emit(self._link)
        )
        inner = QHBoxLayout(self)
        inner.setContentsMargins(theme().px(12), theme().px(9), theme().px(12), theme().px(9))
        inner.setSpacing(theme().px(10))
        top = QVBoxLayout()
        top.setContentsMargins(0, 1, 0, 0)
        top.addWidget(self._icon)
        top.addStretch(1)
        inner.addLayout(top)
        inner.addWidget(self._text, 1000)  # it is never wider than running text may be
        inner.addStretch(1)
        right = QVBoxLayout()
        right.addWidget(self._button)
        right.addStretch(1)
        inner.addLayout(right)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.show_message(kind, text, link_text=link_text, link=link)

    def show_message(self, kind: str, text: str, *, link_text: str = "", link: str = "") -> None:
        """Show another message in the same bar."""
        icon, colour, word = KINDS[kind]
        self.kind = kind
        self.setProperty("message", kind)
        self._icon.set_icon(icon, colour)
        self._text.setText(text)
        self.setAccessibleName(f"{word}: {text}")
        self._link = link
        self._button.set_text(link_text)
        self._button.setVisible(bool(link_text))
        focus = Qt.FocusPolicy.StrongFocus if link_text else Qt.FocusPolicy.NoFocus
        self._button.setFocusPolicy(focus)
        restyle(self)

    def words(self) -> str:
        """The sentence shown."""
        return self._text.text()
