"""The panel "What this means": plain words beside the page; it folds away to a narrow strip."""

from __future__ import annotations

import re

from PySide6.QtCore import QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedLayout,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from gui import messages
from gui.theme import theme

from .basic import IconButton, Label, painting

WIDE, NARROW = 248, 40
"""Width open and folded, in pixels at 100 %."""


def as_document(html: str) -> str:
    """Turn a page's simple HTML into what Qt's rich text can set as the look wants it.

    Known: ``<p> <b> <h3> <ul><li> <dl><dt><dd> <a href="step:8">``; lists get a thin dash.
    """
    html = re.sub(r"<dt>(.*?)</dt>", r'<p class="term">\1</p>', html, flags=re.S)
    html = re.sub(r"<dd>(.*?)</dd>", r'<p class="gloss">\1</p>', html, flags=re.S)
    html = re.sub(r"</?dl>", "", html)
    # Qt enlarges its own headings whatever the style says; a paragraph keeps the size it is given
    html = re.sub(r"<h3>(.*?)</h3>", r'<p class="head">\1</p>', html, flags=re.S)
    item = (
        '<table cellspacing="0" cellpadding="0"><tr><td class="dash">\u2013&nbsp;&nbsp;</td>'
        r'<td class="item">\1</td></tr></table>'
    )
    html = re.sub(r"<li>(.*?)</li>", item, html, flags=re.S)
    return re.sub(r"</?ul>", "", html)


def document_css() -> str:
    """The style of the panel's and the help pages' text."""
    c, s = theme().colours, theme().scale
    return f"""
    body, p, td {{ color: {c.text}; font-size: {9.75 * s:.2f}pt; line-height: 112%; }}
    p {{ margin: 0 0 {round(8 * s)}px 0; }}
    h1, h2 {{ color: {c.text}; font-size: {13 * s:.2f}pt; font-weight: 600; margin: {round(12 * s)}px 0 {round(6 * s)}px 0; }}
    p.head {{ font-size: {9 * s:.2f}pt; font-weight: 600; margin: {round(14 * s)}px 0 {round(4 * s)}px 0; }}
    p.term {{ font-size: {9 * s:.2f}pt; font-weight: 600; margin: {round(6 * s)}px 0 0 0; }}
    p.gloss {{ color: {c.text2}; font-size: {9 * s:.2f}pt; margin: 0; }}
    b {{ font-weight: 600; }}
    td.dash {{ color: {c.text2}; }}
    td.item {{ padding-bottom: {round(5 * s)}px; }}
    a {{ color: {c.accent}; font-weight: 500; text-decoration: underline; }}
    """


class _Turned(QWidget):
    """The panel's title, turned by a quarter, while it is folded."""

    def sizeHint(self) -> QSize:
        return QSize(theme().px(NARROW), theme().px(140))

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        painter.setFont(theme().font("head"))
        painter.setPen(theme().colour("text2"))
        painter.translate(self.width() / 2 - painter.fontMetrics().height() / 2, 0)
        painter.rotate(90)
        words = messages.text("help.title")
        box = QRectF(
            0, -painter.fontMetrics().height(), self.height(), painter.fontMetrics().height()
        )
        painter.drawText(
            box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words
        )


class HelpPanel(QFrame):
    """What the page is about, in plain words.

    ``fold_asked(bool)`` is sent when a person folds or opens it; ``followed(str)`` when a link in
    it is pressed.
    """

    fold_asked = Signal(bool)
    followed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("line", "left")
        self.setProperty("ground", "window")
        self.folded = False
        self._html = ""
        self.browser = QTextBrowser()
        self.browser.setOpenLinks(False)
        self.browser.setAccessibleName(messages.text("help.title"))
        self.browser.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.browser.document().setDocumentMargin(0)
        self.browser.viewport().setAutoFillBackground(False)
        self.browser.anchorClicked.connect(self._clicked)
        self._fold = IconButton(
            "panel-right-close",
            messages.text("help.fold"),
            on_click=lambda: self.fold_asked.emit(True),
        )
        self._unfold = IconButton(
            "panel-right-open",
            messages.text("help.unfold"),
            on_click=lambda: self.fold_asked.emit(False),
        )
        self._open_part = QWidget()
        inner = QVBoxLayout(self._open_part)
        inner.setContentsMargins(18, 16, 12, 8)
        inner.setSpacing(6)
        top = QHBoxLayout()
        top.addWidget(Label(messages.text("help.title"), "key"))
        top.addStretch(1)
        top.addWidget(self._fold)
        inner.addLayout(top)
        inner.addWidget(self.browser, 1)
        self._narrow_part = QWidget()
        narrow = QVBoxLayout(self._narrow_part)
        narrow.setContentsMargins(0, 14, 0, 0)
        narrow.setSpacing(8)
        narrow.addWidget(self._unfold, 0, Qt.AlignmentFlag.AlignHCenter)
        narrow.addWidget(_Turned(), 1)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self._open_part)
        self._stack.addWidget(self._narrow_part)
        theme().changed.connect(self._again)
        self.set_folded(False)

    def set_html(self, html: str) -> None:
        """Show the words of a page; where it stands in the text is kept if they are the same."""
        if html != self._html:
            self._html = html
            self._again()
            self.browser.verticalScrollBar().setValue(0)

    def words(self) -> str:
        """The words shown, as plain text."""
        return self.browser.toPlainText()

    def set_folded(self, folded: bool) -> None:
        """Fold to a narrow strip, or open."""
        self.folded = folded
        self._stack.setCurrentWidget(self._narrow_part if folded else self._open_part)
        self._widen()

    def _widen(self) -> None:
        self.setFixedWidth(theme().px(NARROW if self.folded else WIDE))

    def _again(self) -> None:
        self._widen()
        self.browser.document().setDefaultStyleSheet(document_css())
        self.browser.document().setDefaultFont(theme().font())
        self.browser.setHtml(as_document(self._html))

    def _clicked(self, url: QUrl) -> None:
        self.followed.emit(url.toString())

    def sizeHint(self) -> QSize:
        return QSize(theme().px(NARROW if self.folded else WIDE), 400)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(NARROW), 100)
