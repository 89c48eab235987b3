"""How a file is read: overrule what was detected, with the first rows following at once."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPlainTextEdit, QScrollArea, QWidget

from engine.base.problems import Refused
from engine.base.scratch import PREFIX
from gui.dialogs import Dialog
from gui.session import Session
from gui.theme import theme
from gui.widgets.basic import Button, Label, column, row
from gui.widgets.fields import Combo, FieldRow, WholeSpin

from . import evidence_texts as texts
from . import roles as roles_of
from .preview_table import ColumnsShown, PreviewTable

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.intake.model import Table

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks", ":": "colon"}
DECIMALS = {".": "point, 1.5", ",": "comma, 1,5"}
ENCODINGS = (
    "utf-8", "utf-16", "cp1252", "iso-8859-1", "iso-8859-15", "cp1250", "cp1251", "cp1253",
    "iso-8859-2", "iso-8859-7", "mac-roman", "cp437", "cp850",
)  # fmt: skip
FOLLOW_AFTER_MS = 250
BEGINNING = 64 * 2**20
AUTO = ""
_SHEETS = ("sheets", "hidden_sheets", "other_sheets")


class ReadingDialog(Dialog):
    """Overrules how one file is read; the change is one act, with the columns' new names in it.

    ``at`` names the field that has the focus at first: ``sheet``, ``decimal`` or ``types``, the
    first rows, where a type is pressed.
    """

    def __init__(
        self, parent: QWidget | None, session: Session, item_id: str, *, at: str = ""
    ) -> None:
        self.session, self.item_id = session, item_id
        item = session.item(item_id) or {}
        self.item = item
        super().__init__(
            parent, texts.text("reading.title", name=item.get("name", "")),
            texts.text("reading.sentence"), width=880,
        )  # fmt: skip
        self.given: dict[str, Any] = dict(item.get("reading") or {})
        table = session.table(item_id)
        self.detected: Mapping[str, Any] = table.detected if table is not None else {}
        self._before = _names(table) or list(self.given.get("columns") or [])
        self._shown = self._before
        text = self.detected.get("format") in ("csv", "json")
        self._plain = text and not self.detected.get("packed")
        # By place: names may change while they are typed.
        said = dict(self.given.get("types") or {})
        self.types = {n: said[name] for n, name in enumerate(self._before) if name in said}
        self._width = len(self._before)
        self._folder = tempfile.TemporaryDirectory(prefix=PREFIX)
        self._wanted = self._running = 0
        self._build(table)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FOLLOW_AFTER_MS)
        self._timer.timeout.connect(self.follow)
        self.finished.connect(lambda _code: self._folder.cleanup())
        first = {"sheet": self.sheet, "decimal": self.decimal, "types": self.preview}.get(at)
        if first is not None:
            first.setFocus()
        self.follow()

    # Fields --------------------------------------------------------------------------------------

    def _build(self, table: Table | None) -> None:
        t, given, found = texts.text, self.given, self.detected
        csv = found.get("format", "csv") == "csv"
        sheets = [one for key in _SHEETS for one in found.get(key) or ()]
        self.delimiter = self._choice(
            "delimiter", DELIMITERS, found=DELIMITERS.get(str(found.get("delimiter")), found.get("delimiter"))
        )  # fmt: skip
        self.encoding = self._choice(
            "encoding", {one: one for one in ENCODINGS}, found=found.get("encoding")
        )
        self.decimal = self._choice(
            "decimal", DECIMALS, found=DECIMALS.get(str(found.get("decimal")), found.get("decimal"))
        )
        header = given.get("header")
        is_header = found.get("header", True)
        as_found = t("reading.header_yes") if is_header else t("reading.header_no")
        self.header_line = Combo(
            [
                (AUTO, t("reading.found", value=as_found) if header is None else t("reading.auto")),
                (True, t("reading.header_yes")),
                (False, t("reading.header_no")),
            ],
            value=AUTO if header is None else header,
        )
        self.skip = WholeSpin(-1, 100000, int(given.get("skip_lines", -1)))
        self.skip.setSpecialValueText(t("reading.found", value=found.get("skip_lines", 0)) if "skip_lines" not in given else t("reading.auto"))  # fmt: skip
        self.sheet = self._choice("sheet", {one: one for one in sheets}, found=found.get("sheet"))
        missing = given.get("missing")
        self.missing = QLineEdit(", ".join(missing) if isinstance(missing, list) else "")
        if isinstance(missing, Mapping) and missing:
            self.missing.setPlaceholderText(t("reading.missing_set"))
        self.names = QPlainTextEdit("\n".join(given.get("columns") or self._before))
        self.names.setTabChangesFocus(True)
        self.names_row = FieldRow(
            t("reading.names"), self.names, help=t("reading.names_help", count=self._width)
        )
        others = {
            one["id"]: one["name"]
            for one in self.session.state["items"]
            if one["id"] != self.item_id and _names(self.session.table(one["id"]))
        }
        self.names_from = Combo(list(others.items()), placeholder=t("reading.names_choose"))
        self.names_from.picked.connect(self.take_names)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        fields = [
            ("delimiter", self.delimiter, csv), ("encoding", self.encoding, csv),
            ("decimal", self.decimal, True), ("sheet", self.sheet, bool(sheets)),
            ("header", self.header_line, True), ("skip", self.skip, True),
            ("missing", self.missing, True), ("names_from", self.names_from, bool(others)),
        ]  # fmt: skip
        place = 0
        self._field_rows: list[FieldRow] = []
        for key, field, shown in fields:
            help_text = t("reading.missing_help") if key == "missing" else ""
            made = FieldRow(t(f"reading.{key}"), field, help=help_text)
            self._field_rows.append(made)  # those that do not apply live on unseen
            if shown:
                grid.addWidget(made, place // 2, place % 2, Qt.AlignmentFlag.AlignTop)
                place += 1
        self.names.setMinimumHeight(theme().px(150))
        top = row(spacing=16)
        left = QWidget()
        left.setLayout(column(grid, None, spacing=0))
        top.addWidget(left, 3)
        top.addWidget(self.names_row, 2)
        self.preview = PreviewTable(words=t("reading.preview"))
        self._said = Label(t("reading.busy"), tone="second", wrap=True)
        inside = QWidget()
        body = column(spacing=10)
        body.addLayout(top)
        self.preview.type_asked.connect(self.set_type)
        shown = ColumnsShown(self.preview)
        body.addLayout(row(Label(t("reading.preview"), "section"), shown, None))
        body.addWidget(self._said)
        body.addWidget(self.preview)
        body.addStretch(1)
        inside.setLayout(body)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        room = self.screen().availableGeometry().height() - theme().px(230)
        scroll.setMinimumHeight(max(theme().px(120), min(theme().px(470), room)))
        self.body.addWidget(scroll)
        reset = Button(t("reading.reset"), on_click=self.reset)
        self.buttons.insertWidget(0, reset)
        self.add_button(t("button.cancel"), self.reject)
        self.use = self.add_button(t("reading.use"), self.keep, primary=True)
        for combo in (self.delimiter, self.encoding, self.decimal, self.sheet, self.header_line):
            combo.picked.connect(self._changed)
        for combo in (self.delimiter, self.sheet):
            combo.picked.connect(lambda _value: self.types.clear())  # other columns now
        self.skip.valueChanged.connect(self._changed)
        self.missing.textChanged.connect(self._changed)
        self.names.textChanged.connect(self._changed)

    def _choice(self, key: str, known: Mapping[str, str], *, found: Any) -> Combo:
        given = self.given.get(key)
        words = texts.text("reading.auto")
        if given is None and found is not None:
            words = texts.text("reading.found", value=found)
        choices = [(AUTO, words), *known.items()]
        if given is not None and given not in known:
            choices.append((given, str(given)))
        return Combo(choices, value=AUTO if given is None else given)

    def take_names(self, item_id: str) -> None:
        """Take the names of the columns from another file."""
        names = _names(self.session.table(item_id))
        self.names.setPlainText("\n".join(names))

    def reset(self) -> None:
        """Everything as found."""
        for combo in (self.delimiter, self.encoding, self.decimal, self.sheet, self.header_line):
            combo.set_value(AUTO)
        self.skip.setValue(-1)
        self.missing.clear()
        self.types = {}
        self.given = {k: v for k, v in self.given.items() if k in ("rows", "test_share", "stratify", "format")}  # fmt: skip
        self.names.setPlainText("")

    def set_type(self, name: str, kind: str) -> None:
        """Read a column as a type; empty: as it is found."""
        place = self._shown.index(name)
        self.types.pop(place, None)
        if kind:
            self.types[place] = kind
        self._changed()

    # What they say -------------------------------------------------------------------------------

    def typed_names(self) -> list[str]:
        """The names as typed: one a line, or all in one line with commas, semicolons or tabs."""
        text = self.names.toPlainText().strip()
        parts = text.splitlines() if "\n" in text else re.split(r"[,;\t]", text)
        return [" ".join(one.strip().strip('"').split()) for one in parts if one.strip()]

    def reading(self) -> dict[str, Any]:
        """The reading as the fields say it: an item's ``reading``."""
        made = {k: v for k, v in self.given.items() if k in ("rows", "test_share", "stratify", "format")}  # fmt: skip
        for key, combo in (
            ("delimiter", self.delimiter), ("encoding", self.encoding),
            ("decimal", self.decimal), ("sheet", self.sheet), ("header", self.header_line),
        ):  # fmt: skip
            if combo.value() not in (AUTO, None):
                made[key] = combo.value()
        if self.skip.value() >= 0:
            made["skip_lines"] = self.skip.value()
        text = self.missing.text().strip()
        if text:
            made["missing"] = [one.strip() for one in text.split(",") if one.strip()]
        elif isinstance(self.given.get("missing"), Mapping):
            made["missing"] = self.given["missing"]
        renames = self._renames()
        if isinstance(made.get("missing"), Mapping) and renames:
            made["missing"] = {renames.get(k, k): v for k, v in made["missing"].items()}
        header = made.get("header", self.detected.get("header", True))
        names = self.typed_names()
        if header is False:
            # Without names of their own the columns keep the numbers that they have.
            made["header"] = False
            if names:
                made["columns"] = names
        columns = made.get("columns") or self._shown
        types = {columns[n]: kind for n, kind in self.types.items() if n < len(columns)}
        return {**made, "types": types} if types else made

    def _renames(self) -> dict[str, str]:
        """Names of now to the names typed, place by place."""
        after = self.typed_names()
        if len(after) != len(self._before):
            return {}
        return {a: b for a, b in zip(self._before, after, strict=True) if a != b}

    def names_problem(self) -> str:
        """What is wrong with the names; empty where nothing is."""
        names = self.typed_names()
        if not names or self.reading().get("header") is not False:
            return ""
        twice = next((one for one in names if names.count(one) > 1), None)
        if twice is not None:
            return texts.text("reading.names_twice", name=twice)
        if self._width and len(names) != self._width:
            return texts.text("reading.names_few", given=len(names), count=self._width)
        return ""

    def _changed(self, *_given: object) -> None:
        self._wanted += 1
        self._timer.start()

    def follow(self) -> None:
        """Read the first rows as the fields say, in a job; the last wish wins."""
        reading = self.reading()
        names_on = reading.get("header") is False
        self.names.setEnabled(names_on)
        self._wanted += 1
        wish, folder, session, item = self._wanted, Path(self._folder.name), self.session, self.item
        left = ("rows", "types", "columns") if self.names_problem() else ("rows", "types")
        shown = {k: v for k, v in reading.items() if k not in left}
        types, plain = dict(self.types), self._plain

        def work(watch: Watch) -> Table:
            from engine.intake.read import preview
            from gui.engine_calls import source_of

            path = folder / str(item["name"])
            if not path.exists():
                take_out(session, item, plain, folder)
            try:
                first = preview(source=source_of(path.name, shown), base=folder, rows=100)
            except Refused:
                if shown.pop("columns", None) is None:
                    raise  # else these names are of other columns, which is said beside them
                first = preview(source=source_of(path.name, shown), base=folder, rows=100)
            names = [str(c) for c in first.frame.columns]
            said = {names[n]: kind for n, kind in types.items() if n < len(names)}
            if not said:
                return first
            return preview(source=source_of(path.name, {**shown, "types": said}), base=folder, rows=100)  # fmt: skip

        def done(table: Table) -> None:
            if (wish == self._wanted and self.isVisible()) or not self._running:
                self._show(table)
            self._running = wish

        def failed(error: Exception) -> None:
            if wish == self._wanted and isinstance(error, Refused):
                # A type that does not fit is changed in the table itself, so it stays.
                of_column = any(one.place.startswith("column ") for one in error.problems)
                self.preview.setVisible(of_column and bool(self._shown))
                self._said.set_tone("outside")
                self._said.setText(" ".join(texts.curly(str(one)) for one in error.problems[:3]))
                self._said.show()
                self.use.setEnabled(False)

        session.jobs.start("", work, on_done=done, on_failed=failed, quiet=True)

    def _show(self, table: Table) -> None:
        self._width = len(table.frame.columns)
        problem = self.names_problem()
        self.names_row.set_error(problem)
        self.names_row.help.setText(texts.text("reading.names_help", count=self._width))
        self._shown = _names(table)
        said = {name: self.types[n] for n, name in enumerate(self._shown) if n in self.types}
        locked = self.session.read_only
        self.preview.show_frame(
            table.frame, None, types=table.detected.get("types"), said=said, locked=locked
        )
        self.preview.show()
        self._said.hide()
        self._said.set_tone("second")
        self.use.setEnabled(not problem and not self.session.read_only)
        if not self.typed_names() and self.reading().get("header") is False:
            self.names.setPlaceholderText("\n".join(map(str, table.frame.columns)))

    # Keeping -------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Enter the reading as one act; the roles and answers follow columns that were renamed."""
        if self.names_problem():
            self.names_row.set_error(self.names_problem())
            return
        reading = self.reading()
        if reading == self.given:
            self.accept()
            return
        names = self._renames() if reading.get("columns") else {}
        answers = dict(self.item.get("answers") or {})
        changes: list[roles_of.Change] = []
        if names:
            made = {_renamed_key(key, names): value for key, value in answers.items()}
            if made != answers:
                changes.append((("items", self.item_id, "answers"), made))
            changes += roles_of.renamed(self.session.plan, names)
        changes.insert(0, (("items", self.item_id, "reading"), reading))
        words = texts.text("act.reading", name=self.item.get("name", ""))
        if self.session.set_many(changes, words):
            self.accept()


def take_out(session: Session, item: Mapping[str, Any], plain: bool, folder: Path) -> None:
    """Lay a file out for a look at its first rows: of a large text the beginning is enough."""
    if plain and int(item["bytes"]) > BEGINNING:
        session.case.extract_beginning(item["sha256"], folder, item["name"], BEGINNING)
    else:
        session.case.extract(item["sha256"], folder, item["name"])


def _renamed_key(key: str, names: Mapping[str, str]) -> str:
    parts = key.split(":")
    return ":".join([parts[0], *(names.get(one, one) for one in parts[1:])])


def _names(table: Table | None) -> list[str]:
    return [str(c) for c in table.frame.columns] if table is not None else []
