"""A PDF inside the window: list of pages, one page at a time, zoom, all by keyboard too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QKeySequence, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui import certify_words as words
from gui.theme import theme

from .basic import Button, IconButton, Label, painting, ring, row

if TYPE_CHECKING:
    from gui.jobs import Jobs

ZOOMS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
KEPT = 24
"""Pictures of pages that are kept."""


class _Sheet(QWidget):
    """The page itself; it paints what has been drawn of it so far."""

    def __init__(self, view: PdfView) -> None:
        super().__init__()
        self.view = view
        self.image: QImage | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = (QKeySequence.StandardKey.ZoomIn, QKeySequence.StandardKey.ZoomOut)
            if any(event.matches(key) for key in keys):
                event.accept()  # here they change the page's size, not that of the window's text
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.view.keyPressEvent(event)  # the scroll area around it would keep Page Down to itself

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.fillRect(self.rect(), Qt.GlobalColor.white)  # paper is white in the dark too
            if self.image is not None:
                painter.drawImage(self.rect(), self.image)
            painter.setPen(QPen(theme().colour("control"), 1))
            painter.drawRect(box)
            if self.hasFocus():
                ring(painter, QRectF(self.rect()))


class PdfView(QWidget):
    """Shows the pages of a PDF. ``page_shown(int)`` is sent with the page's number from 0."""

    page_shown = Signal(int)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._pages: Any = None
        self._kept: dict[tuple[int, int], QImage] = {}
        self._wanted: set[tuple[int, int]] = set()
        self.page = 0
        self.zoom: float | None = None
        """None fits the width."""
        self.list = QListWidget()
        self.list.setAccessibleName(words.text("preview.pages"))
        self.list.currentRowChanged.connect(self._row_changed)
        self.sheet = _Sheet(self)
        self.scroll = QScrollArea()
        self.scroll.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.scroll.setWidget(self.sheet)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._where = Label(words.text("preview.waiting"), "help", tone="second")
        self.smaller = IconButton(
            "zoom-out", words.text("preview.out"), on_click=lambda: self.step_zoom(-1)
        )
        self.larger = IconButton(
            "zoom-in", words.text("preview.in"), on_click=lambda: self.step_zoom(1)
        )
        self.fit = Button(
            words.text("preview.width"), small=True, on_click=lambda: self.set_zoom(None)
        )
        self._percent = Label("", "help", tone="second")
        tools = row(self._where, None, self.smaller, self._percent, self.larger, self.fit)
        right = QVBoxLayout()
        right.setSpacing(6)
        right.addLayout(tools)
        right.addWidget(self.scroll, 1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(16)
        whole.addWidget(self.list)
        whole.addLayout(right, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        self.list.setFixedWidth(theme().px(96))
        self.setMinimumHeight(theme().px(300))
        self._draw()

    def set_pages(self, pages: Any, *, keep_page: bool = False) -> None:
        """Show a document (:class:`gui.papers.Pages`)."""
        page = self.page if keep_page else 0
        self.close_pages()
        self._pages = pages
        self._kept.clear()
        self._wanted.clear()
        self.list.blockSignals(True)
        self.list.clear()
        for number in range(len(pages.sizes)):
            self.list.addItem(QListWidgetItem(words.text("preview.page", n=number + 1)))
        self.list.blockSignals(False)
        self.show_page(min(page, len(pages.sizes) - 1))

    def close_pages(self) -> None:
        """Give the document back."""
        if self._pages is not None:
            self._pages.close()
            self._pages = None

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self._pages.sizes) if self._pages else 0

    def show_page(self, number: int) -> None:
        """Open a page by its number from 0."""
        if not self.count:
            return
        self.page = min(self.count - 1, max(0, number))
        self.list.blockSignals(True)
        self.list.setCurrentRow(self.page)
        self.list.blockSignals(False)
        self._where.setText(words.text("preview.of", n=self.page + 1, total=self.count))
        self.sheet.setAccessibleName(self._where.text())
        self.scroll.verticalScrollBar().setValue(0)
        self._draw()
        self.page_shown.emit(self.page)

    def _row_changed(self, row_: int) -> None:
        if row_ >= 0:
            self.show_page(row_)

    def set_zoom(self, zoom: float | None) -> None:
        """Change the size; None fits the width."""
        self.zoom = zoom
        self._draw()

    def step_zoom(self, by: int) -> None:
        """The next larger or smaller size."""
        now = self._scale() * 72 / 96
        if by > 0:
            wanted = next((z for z in ZOOMS if z > now + 0.01), ZOOMS[-1])
        else:
            wanted = next((z for z in reversed(ZOOMS) if z < now - 0.01), ZOOMS[0])
        self.set_zoom(wanted)

    def _scale(self) -> float:
        """Pixels a point."""
        if self.zoom is not None:
            return self.zoom * 96 / 72
        wide = self._pages.sizes[self.page][0] if self.count else 595
        bar = self.scroll.verticalScrollBar().sizeHint().width()
        return float(max(0.4, (self.scroll.width() - bar - 4) / wide))

    def _draw(self) -> None:
        if not self.count:
            return
        scale, ratio = self._scale(), self.devicePixelRatioF()
        wide, high = self._pages.sizes[self.page]
        size = QSize(round(wide * scale), round(high * scale))
        self.sheet.setFixedSize(size)
        self._percent.setText(f"{round(100 * scale * 72 / 96)} %")
        key = (self.page, round(wide * scale * ratio))
        if key in self._kept:
            self._show(key)
            return
        self.sheet.image = next((i for k, i in self._kept.items() if k[0] == self.page), None)
        self.sheet.update()
        if key not in self._wanted:
            self._wanted.add(key)
            pages = self._pages
            number, pixels = key
            self._jobs.start(
                words.text("job.pages"),
                lambda watch: (pages.image(number, pixels / wide), pages.text(number)),
                on_done=lambda made: self._drawn(pages, key, *made),
                quiet=True,
            )

    def _drawn(self, pages: Any, key: tuple[int, int], image: QImage, text: str) -> None:
        if pages is not self._pages:
            return
        self._wanted.discard(key)
        self._kept[key] = image
        while len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))
        if key[0] == self.page:
            self.sheet.setAccessibleDescription(text)
            self._show(key)

    def _show(self, key: tuple[int, int]) -> None:
        self.sheet.image = self._kept[key]
        self.sheet.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.zoom is None:
            self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.scroll.verticalScrollBar()
        key = event.key()
        if event.matches(QKeySequence.StandardKey.ZoomIn):
            self.step_zoom(1)
        elif event.matches(QKeySequence.StandardKey.ZoomOut):
            self.step_zoom(-1)
        elif key == Qt.Key.Key_PageDown:
            self.show_page(self.page + 1)
        elif key == Qt.Key.Key_PageUp:
            self.show_page(self.page - 1)
        elif key == Qt.Key.Key_Home:
            self.show_page(0)
        elif key == Qt.Key.Key_End:
            self.show_page(self.count - 1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Space):
            self._down(bar.singleStep() * 3 if key == Qt.Key.Key_Down else bar.pageStep())
        elif key == Qt.Key.Key_Up:
            bar.setValue(bar.value() - bar.singleStep() * 3)
        else:
            super().keyPressEvent(event)

    def _down(self, by: int) -> None:
        bar = self.scroll.verticalScrollBar()
        if bar.value() < bar.maximum():
            bar.setValue(bar.value() + by)
        else:
            self.show_page(self.page + 1)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(720), theme().px(560))
