"""Drop zones: where files may fall, with a button for those who do not drag."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QVBoxLayout

from gui import messages
from gui.theme import restyle

from .basic import Button, IconLabel, Label


def dropped_files(data: QMimeData) -> list[Path]:
    """The local files in what is dragged; folders are left out."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.is_file()]


class DropZone(QFrame):
    """A dashed field that takes files: title, one sentence, a button.

    ``files_given(list of Path)`` is sent for a drop and for files chosen by the button.
    """

    files_given = Signal(list)

    def __init__(
        self, *, title: str, sentence: str, button: str, icon: str = "upload", pattern: str = "",
        several: bool = True, dialog: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self._pattern = pattern or messages.text("file.all_filter")
        self._several, self._dialog = several, dialog or title
        self.setAcceptDrops(True)
        self.setProperty("panel", "drop")
        self.setAccessibleName(title)
        self.button = Button(button, small=True, on_click=self.choose)
        self.button.setAccessibleName(f"{title}: {button}")
        whole = QHBoxLayout(self)
        whole.setContentsMargins(18, 16, 16, 16)
        whole.setSpacing(12)
        side = QVBoxLayout()
        side.addWidget(IconLabel(icon, "accent", 20))
        side.addStretch(1)
        whole.addLayout(side)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(Label(title, "section"))
        texts.addWidget(Label(sentence, "help", tone="second", wrap=True))
        texts.addSpacing(8)
        texts.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addLayout(texts, 1)

    def choose(self) -> None:
        """Ask for files by the system's dialog."""
        ask = QFileDialog.getOpenFileNames if self._several else QFileDialog.getOpenFileName
        given, _ = ask(self, self._dialog, "", self._pattern)
        paths = [given] if isinstance(given, str) else list(given)
        if any(paths):
            self.files_given.emit([Path(path) for path in paths if path])

    def _over(self, over: bool) -> None:
        self.setProperty("panel", "over" if over else "drop")
        restyle(self)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()
            self._over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._over(False)
        files = dropped_files(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.files_given.emit(files if self._several else files[:1])
