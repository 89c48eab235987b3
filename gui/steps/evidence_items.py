"""The list of received files: name, facts, fingerprint and role, with details that unfold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.base.wording import count
from engine.procedure.moments import moment
from gui.session import Session
from gui.theme import theme
from gui.widgets.basic import Button, Elided, IconButton, IconLabel, Label, line, panel, row
from gui.widgets.fields import Combo, FieldRow

from . import evidence_texts as texts
from .inputs import DraftLine, stacks

PAGE = "step-0"
ROLES = ("all", "training", "test", "join", "model", "document")
TABLES = (".csv", ".tsv", ".data", ".test", ".xlsx", ".xls", ".ods", ".parquet", ".sav", ".dta")


def guessed_roles(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """What files that come together are probably for, by their names; the auditor may say else.

    Examples
    --------
    >>> guessed_roles(["german_credit.csv", "model_card.pdf"], [])
    ['all', 'document']
    >>> guessed_roles(["adult.data", "adult.test"], [])
    ['training', 'test']
    """
    from gui.session import guessed_role

    made = [guessed_role(name) for name in names]
    tables = [i for i, role in enumerate(made) if not role]
    words = {i: PurePath(names[i]).name.lower() for i in tables}
    for i in tables:
        if "test" in words[i] and "latest" not in words[i]:
            made[i] = "test"
        elif "train" in words[i]:
            made[i] = "training"
    both = {*taken, *made}
    rest = [i for i in tables if not made[i]]
    if rest and not both & {"all", "training", "test"}:
        made[rest[0]] = "all"
    elif len(rest) == 1 and "test" in both and not both & {"all", "training"}:
        made[rest[0]] = "training"
    return made


def _broken(sha: str) -> str:
    """A fingerprint in groups of eight, so that it can break over lines."""
    return " ".join(sha[i : i + 8] for i in range(0, len(sha), 8))


class ItemRow(QFrame):
    """One file. ``chosen`` is sent when it is clicked, the others when a control is used."""

    chosen = Signal(str)
    role_picked = Signal(str, str)
    reading_asked = Signal(str)
    out_asked = Signal(str)
    key_picked = Signal(str, str)

    def __init__(self, session: Session, item: Mapping[str, Any]) -> None:
        super().__init__()
        self.session, self.item_id, self.name = session, str(item["id"]), str(item["name"])
        self._icon = IconLabel("file-spreadsheet", "accent", 18)
        self._name = Elided(self.name, "key")
        self._meta = Label("", "help", tone="second")
        self._print = Label(texts.text("items.fingerprint"), "help", tone="second")
        sha = str(item["sha256"])
        self._mono = Label(f"{sha[:4]} {sha[4:8]}", "mono", tone="second")
        self._mono.setToolTip(texts.text("items.sha", sha=sha))
        self.role = Combo(
            [(role, texts.text(f"role.{role}")) for role in ROLES],
            placeholder=texts.text("items.role_choose"),
            words=texts.text("items.role", name=self.name),
        )
        self.role.setProperty("small", True)
        self.role.picked.connect(lambda value: self.role_picked.emit(self.item_id, value))
        self.more = IconButton(
            "chevron-down", texts.text("items.details", name=self.name), on_click=self.toggle
        )
        first = row(spacing=10)
        first.addLayout(row(self._icon, self._name, spacing=10), 1000)
        first.addWidget(self._meta)
        first.addStretch(1)
        first_part = QWidget()
        first_part.setLayout(first)
        stacks(first)
        second = row(self._print, self._mono, self.role, self.more, spacing=10)
        top_part = QWidget()
        top = row(spacing=10)
        top.addWidget(first_part, 1)
        top.addLayout(second)
        top_part.setLayout(top)
        stacks(top)
        theme().changed.connect(self._narrow)
        self._narrow()
        self.details = self._make_details(item, sha)
        self.details.hide()
        self._problem = QWidget()
        self._problem_text = Label("", tone="outside", wrap=True)
        self._problem_text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        mend = Button(
            texts.text("items.mend_reading"), kind="link",
            on_click=lambda: self.reading_asked.emit(self.item_id),
        )  # fmt: skip
        self.mend = mend
        below = row(IconLabel("circle-x", "outside", 16), self._problem_text, mend, spacing=10)
        below.setContentsMargins(0, 0, 0, 4)
        below.setStretch(1, 1)
        self._problem.setLayout(below)
        self._problem.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(theme().px(13), theme().px(7), theme().px(12), theme().px(7))
        whole.setSpacing(8)
        whole.addWidget(top_part)
        whole.addWidget(self._problem)
        whole.addWidget(self.details)

    def _make_details(self, item: Mapping[str, Any], sha: str) -> QWidget:
        session, item_id = self.session, self.item_id

        def keep(key: str) -> Callable[[str], object]:
            words = texts.text(f"act.{key}", name=self.name)
            return lambda text: session.set(("items", item_id, key), text, words)

        self.given_by = DraftLine(session, PAGE, f"{item_id}.from", keep("from"))
        self.how = DraftLine(session, PAGE, f"{item_id}.how", keep("how"))
        self.received = DraftLine(session, PAGE, f"{item_id}.received", keep("received"))
        self.key = Combo(placeholder=texts.text("items.key_choose"))
        self.key.picked.connect(lambda value: self.key_picked.emit(item_id, value))
        fields_part = QWidget()
        fields = QHBoxLayout(fields_part)
        fields.setContentsMargins(0, 0, 0, 0)
        fields.setSpacing(16)
        told = (("from", self.given_by), ("how", self.how), ("received", self.received))
        for label, field in told:
            of = FieldRow(
                texts.text(f"items.{label}"), field, help=texts.text(f"items.{label}_help")
            )
            field.setAccessibleName(f"{texts.text(f'items.{label}')}: {self.name}")
            fields.addWidget(of, 1, Qt.AlignmentFlag.AlignTop)
        self._key_row = FieldRow(
            texts.text("items.key"), self.key, help=texts.text("items.key_help")
        )
        self.key.setAccessibleName(f"{texts.text('items.key')}: {self.name}")
        when = str(item.get("when") or "")
        entered = texts.text("items.when", moment=moment(when)) if when else ""
        facts = Label(
            " · ".join(p for p in (entered, texts.text("items.sha", sha=_broken(sha))) if p),
            "small", tone="second", wrap=True,
        )  # fmt: skip
        facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.read_button = Button(
            texts.text("items.how_read"), small=True,
            on_click=lambda: self.reading_asked.emit(item_id),
        )  # fmt: skip
        self.out_button = Button(
            texts.text("items.out"), icon="trash-2", small=True,
            on_click=lambda: self.out_asked.emit(item_id),
        )  # fmt: skip
        for button in (self.read_button, self.out_button):
            button.setAccessibleName(f"{button.text()}: {self.name}")
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 4, 0, 4)
        inner.setSpacing(8)
        inner.addWidget(self._key_row)
        inner.addWidget(fields_part)
        stacks(fields)
        inner.addWidget(facts)
        inner.addLayout(row(self.read_button, self.out_button, None))
        return made

    def controls(self) -> list[QWidget]:
        """Everything that takes the focus, in order."""
        return [
            self.role, self.more, self.mend, self.key, self.given_by, self.how,
            self.received, self.read_button, self.out_button,
        ]  # fmt: skip

    def _narrow(self) -> None:
        """At a large text scale the fingerprint stands among the details alone."""
        for label in (self._print, self._mono):
            label.setVisible(theme().scale <= 1.4)
        self._name.setMaximumWidth(self._name.sizeHint().width() + 4)

    def toggle(self) -> None:
        """Unfold or fold the details."""
        self.unfold(self.details.isHidden())

    def unfold(self, open_: bool) -> None:
        """Unfold or fold the details."""
        self.details.setVisible(open_)
        self.more.set_icon("chevron-up" if open_ else "chevron-down")
        self.more.set_words(
            texts.text("items.details_close" if open_ else "items.details", name=self.name)
        )
        if open_:
            self.chosen.emit(self.item_id)

    def show_item(
        self, item: Mapping[str, Any], shape: tuple[int, int] | None, problem: str,
        keys: Sequence[str], *, stopped: bool = False,
    ) -> None:  # fmt: skip
        """Show the item as it stands; ``shape`` is rows and columns where it has been read."""
        mend = texts.text("items.read_again" if stopped else "items.mend_reading")
        self.mend.setText(mend)
        self.mend.setAccessibleName(f"{mend}: {self.name}")
        role = item.get("role") or ""
        size = texts.size_words(int(item["bytes"]))
        if role == "document":
            meta = texts.text("items.unread", size=size)
        elif role == "model":
            meta = texts.text("items.model", size=size)
        elif problem:
            meta = texts.text("items.refused", size=size)
        elif shape is None:
            meta = texts.text("items.reading", size=size)
        else:
            meta = texts.text("items.rows", size=size, rows=count(shape[0]), columns=shape[1])
        self._meta.setText(meta)
        table = role not in ("document", "model")
        self._icon.set_icon("file-spreadsheet" if table else "file-text")
        self.role.set_value(role or None)
        self.role.setEnabled(not self.session.read_only)
        self.out_button.setEnabled(not self.session.read_only)
        self.read_button.setVisible(table)
        self._problem.setVisible(bool(problem))
        self._problem_text.setText(problem)
        self.mend.setEnabled(not self.session.read_only)
        self.given_by.show_value(str(item.get("from") or ""))
        self.how.show_value(str(item.get("how") or ""))
        self.received.show_value(str(item.get("received") or ""))
        joined = role == "join"
        self._key_row.setVisible(joined)
        if joined:
            self.key.set_options([(k, k) for k in keys], value=item.get("on"))
            self._key_row.set_error("" if keys or shape is None else texts.text("items.no_key"))
            if not item.get("on") and self.details.isHidden():
                self.unfold(True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(self.item_id)
        super().mousePressEvent(event)


class ItemList(QWidget):
    """All files, in a box; rows stay as they are while the state changes, so focus stays too."""

    row_made = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.rows: dict[str, ItemRow] = {}
        self._lines: dict[str, QFrame] = {}
        self._box = panel()
        self._inner = QVBoxLayout(self._box)
        self._inner.setContentsMargins(0, 0, 0, 0)
        self._inner.setSpacing(0)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._box)

    def show_items(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Make rows for new items and take away those that are gone."""
        wanted = [str(item["id"]) for item in items]
        for item_id in [one for one in self.rows if one not in wanted]:
            for gone in (self.rows.pop(item_id), self._lines.pop(item_id, None)):
                if gone is not None:
                    self._inner.removeWidget(gone)
                    gone.hide()
                    gone.deleteLater()
        for item in items:
            item_id = str(item["id"])
            if item_id not in self.rows:
                self._lines[item_id] = line()
                self._inner.addWidget(self._lines[item_id])
                self.rows[item_id] = ItemRow(self.session, item)
                self._inner.addWidget(self.rows[item_id])
                self.row_made.emit(self.rows[item_id])
        for place, item_id in enumerate(self.rows):
            self._lines[item_id].setVisible(place > 0)
        self._box.setVisible(bool(items))
