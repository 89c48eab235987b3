"""The files of decisions that monitoring reads: dropped, ordered, taken out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.base.wording import count
from gui.widgets.basic import IconButton, Label, line, row
from gui.widgets.drop import DropZone

from .list_words import text

if TYPE_CHECKING:
    from gui.session import Session

ROLES = ("test", "all")


class FilesPart(QWidget):
    """The files of the audited people, in the order in which periods follow each other."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._shown: Any = None
        self.said = Label("", "help", tone="second", wrap=True)
        self._list = QVBoxLayout()
        self._list.setSpacing(2)
        self.zone = DropZone(
            title=text("watch_drop"), sentence=text("watch_drop_help"), button=text("watch_choose")
        )
        self.zone.files_given.connect(self.add)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 8)
        whole.setSpacing(8)
        whole.addWidget(Label(text("watch_files"), "section"))
        whole.addLayout(self._list)
        whole.addWidget(self.said)
        whole.addWidget(self.zone)

    def role(self) -> str:
        """The role under which the audited people come in: that of files that are there already."""
        used = [item["role"] for item in self.session.state["items"]]
        return next((role for role in ROLES if role in used), "all")

    def files(self) -> list[dict[str, Any]]:
        """The items of that role."""
        role = self.role()
        return [item for item in self.session.state["items"] if item["role"] == role]

    def add(self, paths: list[Path]) -> None:
        """Enter files as further periods."""
        role = self.role()
        self.session.add_files(sorted(paths), role=lambda _path: role)

    def refresh(self) -> None:
        """Show the files as they are now."""
        files, closed = self.files(), self.session.read_only
        self.zone.setVisible(not closed)
        code = "watch_none" if not files else "watch_one" if len(files) == 1 else "watch_many"
        self.said.setText(text(code, n=len(files)))
        tables = [self.session.table(item["id"]) for item in files]
        rows = [None if table is None else len(table.frame) for table in tables]
        wanted = ([(item["id"], item["name"]) for item in files], rows, closed)
        if wanted == self._shown:
            return
        self._shown = wanted
        while self._list.count():
            gone = self._list.takeAt(0).widget()
            if gone is not None:
                gone.hide()
                gone.deleteLater()
        for place, (item, n) in enumerate(zip(files, rows, strict=True)):
            self._list.addWidget(self._row(item, n, first=place == 0, closed=closed))
            self._list.addWidget(line())

    def _row(self, item: dict[str, Any], n: int | None, *, first: bool, closed: bool) -> QWidget:
        name = Label(item["name"])
        size = Label("" if n is None else f"{count(n)} rows", "help", tone="second")
        made = QWidget()
        parts: list[Any] = [name, 12, size, None]
        if not closed:
            up = IconButton(
                "arrow-up", text("watch_up", name=item["name"]),
                on_click=lambda: self._up(item["id"]),
            )  # fmt: skip
            up.setEnabled(not first)
            remove = IconButton(
                "x", text("watch_remove", name=item["name"]),
                on_click=lambda: self.session.remove_item(item["id"]),
            )  # fmt: skip
            parts += [up, remove]
        made.setLayout(row(*parts))
        return made

    def _up(self, item_id: str) -> None:
        mine = [item["id"] for item in self.files()]
        before = mine[mine.index(item_id) - 1]
        items = list(self.session.state["items"])
        a, b = (next(i for i, one in enumerate(items) if one["id"] == k) for k in (before, item_id))
        items[a], items[b] = items[b], items[a]
        self.session.set(("items",), items, text("watch_moved"))
