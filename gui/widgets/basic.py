"""Labels, buttons, icons and lines in the roles of the look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui import icons
from gui.theme import restyle, theme

TEXT_WIDTH = 690
"""No line of running text is wider than this, in pixels at 100 %."""


@contextmanager
def painting(widget: QWidget) -> Iterator[QPainter]:
    """A painter on a widget that is ended even where painting fails: a painter left open is fatal."""
    painter = QPainter(widget)
    try:
        yield painter
    finally:
        painter.end()


class Label(QLabel):
    """Plain text in a role of type (``text``, ``help``, ``section``, ``title`` ...) and a tone
    (``""``, ``second``, ``accent``, a verdict's colour name).

    ``wrap`` breaks lines and keeps them under :data:`TEXT_WIDTH`, unless ``wide``, as for headings
    that stand in a row. ``rich`` allows ``<b>`` and
    links, which go out by :attr:`QLabel.linkActivated`; without it, ``<`` is just a character, as
    texts may hold what a received file holds.
    """

    def __init__(
        self,
        text: str = "",
        role: str = "text",
        *,
        tone: str = "",
        wrap: bool = False,
        wide: bool = False,
        rich: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText if rich else Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setProperty("tone", tone)
        self.setText(text)
        self.setWordWrap(wrap)
        if rich:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
            self.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus if "<a " in text else Qt.FocusPolicy.NoFocus
            )
            self.setAccessibleName(text)
        if wrap:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
            if not wide:
                theme().changed.connect(self._limit)
                self._limit()

    def set_tone(self, tone: str) -> None:
        """Change the colour by its name."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            restyle(self)

    def set_role(self, role: str) -> None:
        """Change the type."""
        self.setProperty("role", role)
        restyle(self)

    def _limit(self) -> None:
        self.setMaximumWidth(theme().px(TEXT_WIDTH))

    def heightForWidth(self, width: int) -> int:
        """The height at the width that the label will have: layouts ask for wider ones too."""
        return super().heightForWidth(min(width, self.maximumWidth()))


class Elided(QLabel):
    """One line of text that is shortened with an ellipsis where there is no room; the whole text
    is in the tool tip and in the accessible name. ``breaks`` lets it stand in several lines first,
    as many as its height holds."""

    def __init__(
        self, text: str = "", role: str = "text", *, tone: str = "", breaks: bool = False
    ) -> None:
        super().__init__()
        self._breaks = breaks
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setProperty("tone", tone)
        self._whole = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        self._whole = text
        self.setAccessibleName(text)
        self.setToolTip(text)
        super().setText(text)
        self.updateGeometry()

    def whole(self) -> str:
        """The text without the ellipsis."""
        return self._whole

    def sizeHint(self) -> QSize:
        return QSize(
            self.fontMetrics().horizontalAdvance(self._whole) + 2, super().sizeHint().height()
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(24), super().minimumSizeHint().height())

    def shown(self) -> str:
        """The text as it stands: the whole of it where that fits."""
        metrics = self.fontMetrics()
        if metrics.horizontalAdvance(self._whole) <= self.width():
            return self._whole
        if not self._breaks:
            return metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        words = self._whole.split(" ")
        for kept in range(len(words), 0, -1):
            text = " ".join(words[:kept]) + ("" if kept == len(words) else "\u2026")
            box = metrics.boundingRect(
                QRect(0, 0, self.width(), 10000), int(Qt.TextFlag.TextWordWrap), text
            )
            if box.height() <= self.height() and box.width() <= self.width():
                return text
        return metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            flags = int(self.alignment()) | (int(Qt.TextFlag.TextWordWrap) if self._breaks else 0)
            painter.drawText(self.rect(), flags, self.shown())


class IconLabel(QWidget):
    """An icon in a colour of the palette; decoration unless it is given a name."""

    def __init__(
        self, name: str, colour: str = "text", size: float = 18, *, words: str = ""
    ) -> None:
        super().__init__()
        self._name, self._colour, self._size = name, colour, size
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def set_icon(self, name: str, colour: str | None = None) -> None:
        """Show another icon."""
        self._name, self._colour = name, colour or self._colour
        self.update()

    def sizeHint(self) -> QSize:
        side = theme().px(self._size)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._name:
            return
        side = theme().px(self._size)
        with painting(self) as painter:
            icons.paint(painter, self._name, QRectF(0, 0, side, side), self._colour)


class Button(QPushButton):
    """A button; ``kind`` is ``""``, ``primary`` or ``link``. An icon-less name is its text."""

    def __init__(
        self,
        text: str,
        *,
        icon: str = "",
        icon_right: str = "",
        kind: str = "",
        small: bool = False,
        on_click: Callable[[], object] | None = None,
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._icon, self._kind = icon or icon_right, kind
        if icon_right:
            self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        if kind == "primary":
            self.setProperty("primary", True)
        elif kind == "link":
            self.setProperty("link", True)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty("small", small)
        self.setAutoDefault(False)
        self.setAccessibleName(text.replace("&", ""))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if tip:
            self.setToolTip(tip)
        if on_click is not None:
            self.clicked.connect(lambda _checked=False: on_click())
        theme().changed.connect(self._colour_icon)
        self._colour_icon()

    def set_text(self, text: str) -> None:
        """Change the words, and with them the accessible name."""
        self.setText(text)
        self.setAccessibleName(text.replace("&", ""))

    def set_icon(self, name: str) -> None:
        """Change the icon."""
        self._icon = name
        self._colour_icon()

    def _colour_icon(self) -> None:
        if self._icon:
            colour = {"primary": "on_accent", "link": "accent"}.get(self._kind, "text")
            gap = 0 if self._kind == "link" else 5
            right = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            self.setIcon(icons.icon(self._icon, colour, gap=gap, gap_left=right))
            self.setIconSize(QSize(theme().px(16 + gap), theme().px(16)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._kind == "primary" and self.hasFocus():
            with painting(self) as painter:
                ring(painter, QRectF(self.rect()), "on_accent", inset=3.0, radius=3.0)


class IconButton(QToolButton):
    """A button that shows an icon alone; ``words`` are its accessible name and tool tip."""

    def __init__(
        self,
        icon: str,
        words: str,
        *,
        on_click: Callable[[], object] | None = None,
        size: float = 16,
    ) -> None:
        super().__init__()
        self._icon, self._size = icon, size
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_words(words)
        if on_click is not None:
            self.clicked.connect(lambda _checked=False: on_click())
        theme().changed.connect(self._colour_icon)
        self._colour_icon()

    def set_words(self, words: str) -> None:
        """Change the accessible name and tool tip."""
        self.setAccessibleName(words)
        self.setToolTip(words)

    def set_icon(self, icon: str) -> None:
        """Change the icon."""
        self._icon = icon
        self._colour_icon()

    def _colour_icon(self) -> None:
        side = theme().px(self._size)
        self.setIcon(icons.icon(self._icon, "text2", self._size))
        self.setIconSize(QSize(side, side))


def ring(
    painter: QPainter,
    rect: QRectF,
    colour: str = "accent",
    *,
    inset: float = 1.0,
    radius: float = 4.0,
) -> None:
    """Paint the focus ring of own-painted parts, 2 pixels wide, inside a rectangle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme().colour(colour)), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.restore()


def line(kind: str = "hair") -> QFrame:
    """A horizontal line: ``hair`` (decoration) or ``rule`` (under a heading)."""
    made = QFrame()
    made.setProperty("line", kind)
    made.setFixedHeight(1)
    return made


def panel() -> QFrame:
    """A boxed part of a page: hairline, radius 6. Lay out inside it with padding 16."""
    made = QFrame()
    made.setProperty("panel", "true")
    return made


def row(*parts: QWidget | int | None, spacing: int = 8) -> QHBoxLayout:
    """A horizontal layout; None is a stretch, a number a gap in pixels."""
    made = QHBoxLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setSpacing(spacing)
    for part in parts:
        if part is None:
            made.addStretch(1)
        elif isinstance(part, int):
            made.addSpacing(part)
        else:
            made.addWidget(part)
    return made


def column(*parts: QWidget | QHBoxLayout | int | None, spacing: int = 8) -> QVBoxLayout:
    """A vertical layout of widgets, rows and gaps; None is a stretch."""
    made = QVBoxLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setSpacing(spacing)
    for part in parts:
        if part is None:
            made.addStretch(1)
        elif isinstance(part, int):
            made.addSpacing(part)
        elif isinstance(part, QWidget):
            # A part of fixed width would otherwise narrow the whole column to its own width.
            fixed = part.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Fixed
            left = Qt.AlignmentFlag.AlignLeft
            made.addWidget(part, 0, left) if fixed else made.addWidget(part)
        else:
            made.addLayout(part)
    return made


def stacks(layout: QBoxLayout, *, above: float = 1.4) -> None:
    """Set a row's parts one under the other while the text scale is large."""

    def turn() -> None:
        under = theme().scale > above
        way = QBoxLayout.Direction.TopToBottom if under else QBoxLayout.Direction.LeftToRight
        layout.setDirection(way)

    owner = layout.parentWidget()
    if owner is None:
        raise ValueError("set the layout on its widget first")
    turn()
    handle = theme().changed.connect(turn)
    owner.destroyed.connect(lambda: theme().changed.disconnect(handle))


def section(text: str, *, note: str = "", right: QWidget | None = None) -> QWidget:
    """A heading of a part of a page, with a thin note beside it and something on its right."""
    made = QWidget()
    heading = Label(text, "section")
    parts: list[QWidget | None] = [heading]
    if note:
        parts.append(Label(note, "help", tone="second"))
    parts.append(None)
    if right is not None:
        parts.append(right)
    inner = row(*parts)
    made.setLayout(inner)
    if note:
        stacks(inner)
    return made


class Clickable(QFrame):
    """A frame that is clicked like a button, for cards with several lines of text."""

    clicked = Signal()

    def __init__(self, words: str) -> None:
        super().__init__()
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
