"""Step 0: the files received, what was understood of them, and what is still to be answered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QGridLayout, QWidget

from engine.base.wording import count, listed
from engine.procedure import acts
from engine.procedure.basis import DATA_ROLES
from gui import messages
from gui.dialogs import FACT_WORDS, FactsDialog
from gui.first_rows import FirstRows
from gui.theme import theme
from gui.widgets.basic import Button, Label, column, row, section
from gui.widgets.drop import DropZone
from gui.widgets.fields import Combo

from . import evidence_texts as texts
from . import roles as roles_of
from .answers import (  # fmt: skip
    OPENS_OUTCOME,
    OPENS_READING,
    OPENS_ROWS,
    Found,
    Option,
    answer,
    found_in,
    missing_again,
    options,
)
from .base import StepPage
from .evidence_items import ItemList, ItemRow, guessed_roles
from .evidence_words import help_html, met_by_suggestion, standing, tally
from .found_list import FoundList, Line
from .inputs import chain, stacks
from .people import hub_of
from .preview_table import SHOWN, ColumnsShown, PreviewTable

FACTS_SHOWN = (
    "reference", "system", "version", "provider", "client", "purpose", "evaluator", "reviewer",
    "decider", "organisation",
)  # fmt: skip


class Page(StepPage):
    """Drop the files, see what was understood of them, and correct it."""

    number = 0
    title = "Case and evidence"
    sentence = (
        "Drop the files you received. They are kept exactly as they came; "
        "look at what was understood of them, and correct it."
    )

    def build(self) -> None:
        self.hub = hub_of(self.session)
        self.hub.changed.connect(self._again)
        self.early = FirstRows(self.session.jobs, self._again)
        self.chosen = ""
        self._on_show: tuple[Any, ...] = ()
        self._lines: list[Found | tuple[str, str] | None] = []
        self.add_button = Button(texts.text("items.add"), icon="plus", on_click=self.ask_files)
        self.header.add(self.add_button)
        self.drop_zone = DropZone(
            title=texts.text("items.drop_title"), sentence=texts.text("items.drop"),
            button=texts.text("items.choose"),
        )  # fmt: skip
        self.drop_zone.files_given.connect(self.add)
        self.items = ItemList(self.session)
        self.items.setAccessibleName(texts.text("items.name"))
        self.items.row_made.connect(self._wire)
        self.body.addWidget(self.drop_zone)
        self.body.addWidget(self.items)
        self._build_preview()
        self._build_found()
        self._build_facts()

    def _build_preview(self) -> None:
        self.which = Combo(words=texts.text("preview.which"))
        self.which.setProperty("small", True)
        self.which.picked.connect(self.choose)
        self._preview_note = Label("", "help", tone="second")
        heading_part = QWidget()
        self.preview = PreviewTable(words=texts.text("preview.title"))
        self.columns = ColumnsShown(self.preview)
        title = Label(texts.text("preview.title"), "section")
        heading = row(title, self.which, self.columns, None, self._preview_note)
        heading_part.setLayout(heading)
        stacks(heading)
        self.preview.role_asked.connect(self.set_role)
        self._wait = Label(texts.text("preview.wait"), tone="second")
        self.understood = QWidget()
        self.understood.setLayout(column(heading_part, self.preview, self._wait, spacing=6))
        self.body.addWidget(self.understood)

    def _build_found(self) -> None:
        self._found_title = Label("", "section")
        self._found_note = Label("", "help", tone="second")
        self.found = FoundList(self.answer_line, self.follow_link)
        self._found_part = QWidget()
        self._found_part.setLayout(
            column(
                row(self._found_title, self._found_note, None, spacing=10), self.found, spacing=4
            )
        )
        self.body.addWidget(self._found_part)

    def _build_facts(self) -> None:
        self.facts_button = Button(texts.text("facts.change"), small=True, on_click=self.ask_facts)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        words = {key: label for key, label, _ in FACT_WORDS}
        self._fact_words = {k: Label(words[k], "help", tone="second") for k in FACTS_SHOWN}
        self._facts = {k: Label("", wrap=True) for k in FACTS_SHOWN}
        self._facts_grid = grid
        theme().changed.connect(self._place_facts)
        self._place_facts()
        made = QWidget()
        whole = column(section(texts.text("facts.title"), right=self.facts_button), spacing=6)
        whole.addLayout(grid)
        made.setLayout(whole)
        self.body.addWidget(made)

    def _place_facts(self) -> None:
        half = len(FACTS_SHOWN) if theme().scale > 1.4 else (len(FACTS_SHOWN) + 1) // 2
        for place, key in enumerate(FACTS_SHOWN):
            at = (place % half, 2 * (place // half))
            self._facts_grid.addWidget(self._fact_words[key], *at)
            self._facts_grid.addWidget(self._facts[key], at[0], at[1] + 1)
        self._facts_grid.setColumnStretch(1, 1)
        self._facts_grid.setColumnStretch(3, 0 if theme().scale > 1.4 else 1)

    # Files ---------------------------------------------------------------------------------------

    def ask_files(self) -> None:
        """Ask for files by the system's dialog."""
        given, _ = QFileDialog.getOpenFileNames(
            self, messages.text("file.files_title"), "", messages.text("file.all_filter")
        )
        self.add([Path(one) for one in given])

    def add(self, paths: list[Path]) -> None:
        """Keep files; each becomes an item with the role that its name suggests."""
        names = [path.name for path in paths]
        taken = [item.get("role") or "" for item in self.session.state["items"]]
        roles = dict(zip(names, guessed_roles(names, taken), strict=True))
        if not self.session.read_only:
            tables = [p for p in paths if roles.get(p.name) not in ("document", "model")]
            self.early.look(tables)
        self.session.add_files(list(paths), role=lambda path: roles.get(path.name, ""))

    def drop(self, paths: list[Any]) -> bool:
        self.add([Path(path) for path in paths])
        return True

    def _wire(self, made: ItemRow) -> None:
        made.chosen.connect(self.choose)
        made.role_picked.connect(self.set_file_role)
        made.reading_asked.connect(self.ask_reading)
        made.out_asked.connect(lambda item_id: self.session.remove_item(item_id))
        made.key_picked.connect(self.set_key)

    def set_file_role(self, item_id: str, role: str) -> None:
        """Say what a file is for."""
        item = self.session.item(item_id) or {}
        words = texts.text("act.role_file", name=item.get("name", ""))
        self.session.set(("items", item_id, "role"), role, words)

    def set_key(self, item_id: str, key: str) -> None:
        """Join a file by a column."""
        item = self.session.item(item_id) or {}
        words = texts.text("act.key", name=item.get("name", ""), column=key)
        self.session.set(("items", item_id, "on"), key, words)

    def choose(self, item_id: str) -> None:
        """Show the first rows of another file."""
        if item_id != self.chosen and self.session.table(item_id) is not None:
            self.chosen = item_id
            self._show_preview()

    def ask_reading(self, item_id: str, at: str = "") -> None:
        """Open the dialog on how a file is read, at a field; one that was stopped starts again."""
        if self.session.reading_stopped(item_id):
            self.session.read_again(item_id)
            return
        from .reading_dialog import ReadingDialog

        self.dialog = ReadingDialog(self, self.session, item_id, at=at)
        self.dialog.open()

    def ask_facts(self) -> None:
        """Open the facts of the case."""
        self.dialog = FactsDialog(self, self.session)
        self.dialog.open()

    # Roles and answers ---------------------------------------------------------------------------

    def set_role(self, name: str, role: str) -> None:
        """Give a column another role."""
        profile = self.hub.profile()
        if profile is None:
            return
        roles = roles_of.with_role(profile.roles, profile.columns, name, role)
        changes = roles_of.changes_between(self.session.plan, profile.roles, roles, profile.columns)
        words = texts.text("act.role_column", column=name, role=roles_of.ROLE_WORDS[role].lower())
        if changes:
            self.session.set_many(changes, words)

    def answer_line(self, index: int, option: Option) -> None:
        """Enter an answer, or open the dialog that it needs."""
        found = self._lines[index]
        profile = self.hub.profile()
        if isinstance(found, tuple):
            if found[0] == "outcome":
                self.ask_outcome(found[1])
            elif found[0] == "types":
                self.ask_reading(found[1])
            else:
                missing_again(self.session, found[0], found[1])
            return
        if found is None:
            return
        if option.opens == OPENS_READING:
            self.ask_reading(str(found.items[0]["id"]), str(option.value or ""))
        elif option.opens == OPENS_OUTCOME:
            self.ask_outcome(str(found.wart.column))
        elif option.opens == OPENS_ROWS:
            self._ask_unread(str(found.items[0]["id"]))
        elif option.opens == "rows":
            self._ask_rows(found)
        else:
            answer(self.session, found, option, profile)

    def ask_outcome(self, name: str) -> None:
        """Open the dialog on which values are favourable."""
        from .small_dialogs import OutcomeDialog

        profile = self.hub.profile()
        if profile is not None and name in profile.counts:
            self.dialog = OutcomeDialog(self, self.session, profile, name)
            self.dialog.open()

    def _ask_unread(self, item_id: str) -> None:
        from .small_dialogs import UnreadDialog

        table = self.session.table(item_id)
        if table is not None and table.unread is not None:
            total = int(table.detected.get("unread", len(table.unread)))
            name = str((self.session.item(item_id) or {}).get("name", ""))
            self.dialog = UnreadDialog(self, table.unread, name=name, total=total)
            self.dialog.open()

    def _ask_rows(self, found: Found) -> None:
        from .small_dialogs import RowsDialog

        item_id = str(found.items[0]["id"])
        table = self.session.table(item_id)
        if table is not None:
            name = str(found.wart.column)
            values = sorted({str(v).strip() for v in table.frame[name].dropna().unique()})[:60]

            def keep(value: str) -> None:
                option = Option(value, value, value=value)
                answer(self.session, found, option, self.hub.profile())

            self.dialog = RowsDialog(self, name, values, keep)
            self.dialog.open()

    # Showing -------------------------------------------------------------------------------------

    def _again(self) -> None:
        if self.stepper is not None and self.stepper.page is self:
            self.stepper.refresh()

    def refresh(self) -> None:
        session = self.session
        items = session.state["items"]
        self.add_button.setVisible(bool(items) and not session.read_only)
        self.drop_zone.setVisible(not items and not session.read_only)
        self.items.show_items(items)
        tables = {}
        for item in items:
            table = session.table(item["id"])
            if table is not None:
                tables[item["id"]] = table
            problem = " ".join(texts.curly(str(p)) for p in session.table_problems(item["id"]))
            shape = (len(table.frame), len(table.frame.columns)) if table is not None else None
            stopped = session.reading_stopped(item["id"])
            row_ = self.items.rows[item["id"]]
            row_.show_item(item, shape, problem, self._keys(item), stopped=stopped)
            if table is not None or problem:
                self.early.forget([item["name"]])
        shown = [i for i in items if i["id"] in tables]
        if self.chosen not in tables:
            self.chosen = shown[0]["id"] if shown else ""
        self.which.set_options([(i["id"], i["name"]) for i in shown], value=self.chosen)
        self.which.setVisible(len(shown) > 1)
        reading = [i for i in items if i.get("role") in (*DATA_ROLES, "join")]
        early = self.early.newest() is not None
        self.understood.setVisible(bool(reading) or bool(shown) or early)
        self._show_preview()
        self._show_found()
        for key, label in self._facts.items():
            value = session.facts.get(key) or ""
            label.setText(value or texts.text("facts.none"))
            label.set_tone("" if value else "second")

        rows = [w for one in self.items.rows.values() for w in one.controls()]
        answers = [button for group in self.found.buttons for button in group]
        chain([self.add_button, self.drop_zone.button, *rows, self.which, self.columns, self.preview, *answers, self.facts_button])  # fmt: skip

    def _keys(self, item: Mapping[str, Any]) -> list[str]:
        """Columns that stand both in a file to be joined and in a data file."""
        if item.get("role") != "join":
            return []
        own = self.session.table(str(item["id"]))
        if own is None:
            return []
        others = [
            self.session.table(one["id"])
            for one in self.session.state["items"]
            if one.get("role") in DATA_ROLES
        ]
        named = [set(map(str, one.frame.columns)) for one in others if one is not None]
        return [str(c) for c in own.frame.columns if named and all(str(c) in n for n in named)]

    def _show_preview(self) -> None:
        table = self.session.table(self.chosen) if self.chosen else None
        profile = self.hub.profile()
        early = self.early.newest() if table is None else None
        self.preview.setVisible(table is not None or early is not None)
        self._wait.setVisible(table is None)
        if table is None:
            name = early[0] if early else ""
            self._preview_note.setText(texts.text("preview.early", name=name) if early else "")
            if early and self._on_show != ("early", name, id(early[1])):
                self.preview.show_frame(early[1].frame, None, locked=True)
                self.preview.setAccessibleName(texts.text("preview.early", name=name))
            self._on_show = ("early", name, id(early[1])) if early else ()
            return
        item = self.session.item(self.chosen) or {}
        roles = None
        if profile is not None and item.get("role") in (*DATA_ROLES, "join"):
            roles = {str(c): profile.roles.role_of(str(c)) for c in table.frame.columns}
        locked = self.session.read_only
        key = (self.chosen, id(table), tuple((roles or {}).items()), locked)
        if key == self._on_show:
            return
        self._on_show = key
        unnamed = tuple(
            str(w.column) for w in table.warts if w.code == "intake.unnamed" and w.column
        )
        markers = tuple(
            str(w.suggestion["marker"]) for w in table.warts if w.code == "intake.like_missing"
        )
        self.preview.setAccessibleName(texts.text("preview.words", name=item.get("name", "")))
        self.preview.show_frame(table.frame, roles, locked=locked, unnamed=unnamed, markers=markers)
        shown = min(SHOWN, len(table.frame))
        code = "preview.note_locked" if locked or roles is None else "preview.note"
        self._preview_note.setText(texts.text(code, shown=shown, rows=count(len(table.frame))))
        self.which.set_value(self.chosen)

    def _show_found(self) -> None:
        profile = self.hub.profile()
        lines: list[Line] = []
        self._lines = []
        for one in found_in(self.session):
            made = tuple(options(one, profile))
            lines.append(
                Line(
                    one.grade, self._words(one), made, one.open and bool(made), one.answer
                )
            )  # fmt: skip
            self._lines.append(one)
        for line, found in standing(self.session, profile):
            place = next((i for i, one in enumerate(lines) if one.grade == "note"), len(lines))
            lines.insert(place, line)
            self._lines.insert(place, found)
        tables = any(i.get("role") in DATA_ROLES for i in self.session.state["items"])
        self._found_part.setVisible((tables and profile is not None) or bool(lines))
        many = len(self.session.state["items"]) > 1
        self._found_title.setText(texts.text("found.title_many" if many else "found.title"))
        self._found_note.setText(tally(lines))
        self.found.show_lines(lines, locked=self.session.read_only)

    def _words(self, one: Found) -> str:
        text = texts.curly(one.wart.text)
        if len(one.items) > 1:
            names = listed([str(item["name"]) for item in one.items[1:]])
            return text + texts.text("found.also", names=names)
        data = [i for i in self.session.state["items"] if i.get("role") in (*DATA_ROLES, "join")]
        if len(data) > 1 and one.wart.code != "intake.favourable_in_doubt":
            return texts.text("found.in", name=one.items[0]["name"], text=text)
        return text

    # Footer and help -----------------------------------------------------------------------------

    def ready(self) -> str:
        session = self.session
        if session.state["items"] and self.hub.reading:
            return texts.text("hint.reading")
        for item in session.state["items"]:
            if session.table_problems(item["id"]) and item.get("role") in (*DATA_ROLES, "join", ""):
                return texts.text("hint.fixed", name=item["name"])
        open_ = sum(line.open for line in self.found.lines if line.grade == "question")
        if open_:
            return texts.text("hint.questions" if open_ > 1 else "hint.question", n=open_)
        profile = self.hub.profile()
        needs = list(session.views()[0].needs)
        if profile is not None:
            if profile.base.problems:
                return texts.curly(str(profile.base.problems[0]))
            if profile.roles.outcome and profile.roles.favourable:
                outcome = met_by_suggestion(needs)
                needs = [one for one in needs if one not in outcome]
        return texts.curly(needs[0]) if needs else ""

    def hint(self) -> str:
        n = len(self.session.state["items"])
        if self.ready() or not n:
            return self.ready()
        return texts.text("hint.file" if n == 1 else "hint.files", n=n)

    def on_continue(self) -> bool:
        if self.session.read_only:
            return True
        profile = self.hub.profile()
        if profile is not None:
            changes = roles_of.changes(self.session.plan, profile.roles, profile.columns)
            if changes and not self.session.set_many(changes, texts.text("act.roles")):
                return False
        return self.session.do(acts.confirm_step(0, **self.session.by))

    def help_html(self) -> str:
        return help_html(self.session, sum(line.open for line in self.found.lines))
