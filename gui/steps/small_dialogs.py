"""Small dialogs of the first steps: favourable values, rows that count, lines not read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.base.wording import count
from gui import messages
from gui.dialogs import Dialog
from gui.session import Session
from gui.widgets.basic import Button, Label, column, row
from gui.widgets.fields import ChoiceButtons, Combo, FieldRow, NumberSpin
from gui.widgets.table import DataTable, TableModel, as_csv

from . import evidence_texts as texts
from . import roles as roles_of

if TYPE_CHECKING:
    import pandas as pd

    from .people import Profile

MOST_VALUES = 20
MOST_LINES = 1000
MOST_LISTED = 60
GOOD, BAD, UNKNOWN = "favourable", "unfavourable", "unknown"


class OutcomeDialog(Dialog):
    """Marks each value of the outcome, or gives a rule where it holds many numbers."""

    def __init__(
        self, parent: QWidget | None, session: Session, profile: Profile, name: str
    ) -> None:
        super().__init__(
            parent, texts.text("outcome.title"), texts.text("outcome.sentence", column=name)
        )
        self.session, self.profile, self.column = session, profile, name
        self.counts = profile.counts[name]
        self.choices: dict[str, ChoiceButtons] = {}
        self.others: list[str] = []
        self.by_rule = self.counts.numeric and len(self.counts.keys) > MOST_VALUES
        if self.by_rule:
            self._build_rule()
        else:
            self._build_values()
        self._need = Label(texts.text("outcome.need"), "help", tone="second", wrap=True)
        self.body.addWidget(self._need)
        self.add_button(texts.text("button.cancel"), self.reject)
        self.use = self.add_button(texts.text("outcome.use"), self.keep, primary=True)
        self._check()

    def _build_values(self) -> None:
        roles = self.profile.roles
        same = roles.outcome == self.column
        good = [str(v) for v in roles.favourable] if same and isinstance(roles.favourable, list | tuple) else []  # fmt: skip
        bad = roles.unfavourable
        wart = next((w for w in self.profile.warts if w.code == "intake.favourable_in_doubt"), None)
        if not good and wart is not None:
            good = list((wart.suggestion.get("outcome") or {}).get("favourable") or [])
        every = sorted(self.counts.keys, key=lambda key: -self.counts.of(key))
        order, self.others = every[:MOST_LISTED], every[MOST_LISTED:]
        rows = [(key, self.counts.of(key), "") for key in order]
        model = TableModel((texts.text("outcome.value"), texts.text("outcome.people"), ""), rows, "lrl")  # fmt: skip
        table = DataTable(
            model, words=self.column, boxed=True, fit_rows=10, row_height=34, selectable=False,
            least={2: 300},
        )  # fmt: skip
        for place, key in enumerate(order):
            listed_bad = isinstance(bad, list | tuple)
            value = GOOD if key in good else UNKNOWN if listed_bad and key not in map(str, bad) else BAD if good else None  # fmt: skip
            choice = ChoiceButtons(
                [
                    (GOOD, texts.text("outcome.good")),
                    (BAD, texts.text("outcome.bad")),
                    (UNKNOWN, texts.text("outcome.unknown")),
                ],
                value=value, words=key,
            )  # fmt: skip
            choice.picked.connect(lambda _value: self._check())
            self.choices[key] = choice
            holder = QWidget()
            holder.setLayout(row(choice, None))
            table.set_widget(place, 2, holder)
        self.body.addWidget(table)
        if self.others:
            note = texts.text("outcome.others", n=count(len(self.others)))
            self.body.addWidget(Label(note, "help", tone="second", wrap=True))

    def _build_rule(self) -> None:
        numbers = self.counts.numbers
        assert numbers is not None
        low, high = float(numbers[0]), float(numbers[-1])
        given = self.profile.roles.favourable
        kind, value = "at_least", (low + high) / 2
        if isinstance(given, dict) and self.profile.roles.outcome == self.column:
            kind, value = next(iter(given.items()))
            value = value if isinstance(value, int | float) else low
        self.kind = Combo(
            [("at_least", texts.text("groups.at_least")), ("below", texts.text("groups.below"))],
            value=kind,
        )
        self.limit = NumberSpin(low, high, value, decimals=3, step=1.0)
        self.body.addLayout(
            row(
                FieldRow(texts.text("outcome.rule_kind"), self.kind),
                FieldRow(texts.text("outcome.rule"), self.limit),
                None,
            )
        )

    def chosen(self) -> tuple[Any, Any]:
        """Favourable and unfavourable as the plan writes them; None: every other known value."""
        if self.by_rule:
            value = self.limit.value()
            return {self.kind.value(): int(value) if value.is_integer() else value}, None
        by = {key: choice.value() for key, choice in self.choices.items()}
        good = [key for key, value in by.items() if value == GOOD]
        bad = [key for key, value in by.items() if value == BAD]
        unknown = any(value == UNKNOWN for value in by.values())
        return good, ([*bad, *self.others] if unknown else None)

    def _check(self) -> None:
        good, _ = self.chosen()
        both = self.by_rule or (bool(good) and any(c.value() == BAD for c in self.choices.values()))
        self._need.setVisible(not both)
        self.use.setEnabled(both and not self.session.read_only)

    def keep(self) -> None:
        """Enter the favourable outcome."""
        good, bad = self.chosen()
        roles = replace(self.profile.roles, outcome=self.column, favourable=good, unfavourable=bad)
        changes = roles_of.changes_between(
            self.session.plan, self.profile.roles, roles, self.profile.columns
        )
        if not changes or self.session.set_many(changes, texts.text("act.favourable")):
            self.accept()


class RowsDialog(Dialog):
    """Chooses the one value whose rows count."""

    def __init__(
        self, parent: QWidget | None, name: str, values: Sequence[str],
        on_keep: Callable[[str], object],
    ) -> None:  # fmt: skip
        super().__init__(parent, texts.text("rows.title"), texts.text("rows.sentence", column=name))
        self.value = Combo([(v, v) for v in values], value=values[0] if values else None)
        self.body.addWidget(FieldRow(name, self.value))

        def keep() -> None:
            on_keep(str(self.value.value()))
            self.accept()

        self.add_button(texts.text("button.cancel"), self.reject)
        self.add_button(texts.text("outcome.use"), keep, primary=True)


class UnreadDialog(Dialog):
    """The lines that could not be read, with the reason of each; all of them are copied or written."""

    def __init__(
        self, parent: QWidget | None, unread: pd.DataFrame, *, name: str, total: int
    ) -> None:
        several = unread["file"].nunique() > 1
        keys = [*(["file"] if several else []), "line", "text", "reason"]
        every = list(zip(*(unread[key].tolist() for key in keys), strict=True))
        shown = [tuple(_short(cell) for cell in row) for row in every[:MOST_LINES]]
        few = len(shown) < total
        super().__init__(
            parent, texts.text("unread.title"),
            texts.text("unread.sentence_few" if few else "unread.sentence", n=count(len(shown)), total=count(total)),
            width=760,
        )  # fmt: skip
        columns = tuple(texts.text(f"unread.{key}") for key in keys)
        self.name = name
        self.table = DataTable(
            TableModel(columns, shown, ("l" if several else "") + "rll"), words=texts.text("unread.title"),
            boxed=True, stretch=len(keys) - 2, fit_rows=12,
        )  # fmt: skip
        self._every = TableModel(columns, [tuple(map(str, row)) for row in every])
        self._said = Label("", tone="outside", wrap=True)
        self._said.hide()
        self.body.addLayout(column(self.table, self._said))
        self.buttons.insertWidget(0, Button(messages.text("table.copy"), on_click=self.copy))
        self.buttons.insertWidget(1, Button(texts.text("unread.export"), on_click=self.export))
        self.add_button(texts.text("button.close"), self.accept, primary=True)

    def copy(self) -> None:
        """Put the chosen lines, or all of them, on the clipboard as they stand in the file."""
        chosen = self.table.selected_rows() or range(self._every.rowCount())
        rows = [self._every.columns, *(self._every.rows[place] for place in chosen)]
        lines = ["\t".join(str(cell).replace("\t", " ") for cell in row) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def export(self, path: str = "") -> None:
        """Write all the lines as CSV; asks for the file where none is given."""
        if not path:
            title = messages.text("table.export_title")
            start = f"{PurePath(self.name).stem} - {texts.text('unread.title')}.csv"
            path, _ = QFileDialog.getSaveFileName(self, title, start, "CSV (*.csv)")
        if path:
            try:
                Path(path).write_text(as_csv(self._every), "utf-8-sig", newline="")
            except OSError as error:
                why = (error.strerror or str(error)).lower()
                self._said.setText(texts.text("unread.not_written", why=why))
                self._said.show()


def _short(cell: Any) -> Any:
    return f"{cell[:159]}…" if isinstance(cell, str) and len(cell) > 160 else cell
