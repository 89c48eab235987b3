"""Step 5: the columns that describe people, ticked one by one, and why others are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.base.wording import count, percent
from gui.theme import theme
from gui.widgets.basic import Button, Label, row

from .columns import Column

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.intake.model import Table
    from gui.session import Session

FILTER_FROM = 20
SHOWN_ROWS = 9
MOST_WRAPPED = 500
"""Lists of more columns keep each on one line, which is quicker."""
TEXTS = {
    "title": "Columns that describe people",
    "train": "The stand-in learns from the columns that are ticked; methods that compare people use them too.",
    "columns": "The system’s decisions are supplied, so no stand-in learns. Methods that compare people use the columns that are ticked.",
    "column": "Column",
    "why": "What is known of it",
    "filter": "Show columns whose name holds",
    "some": "{n} of {of} columns are ticked.",
    "all": "Tick all again",
    "id": "It tells rows apart. It is never learnt from.",
    "weight": "It holds the weights.",
    "outcome": "It holds the recorded outcome.",
    "prediction": "It holds the system’s decisions.",
    "score": "It holds the system’s score.",
    "amount": "It holds the system’s amounts.",
    "elsewhere": "It stands in only one of the files, so nothing can learn from it.",
    "protected": "Protected. A stand-in keeps it, as the published procedure does; peers are found without it.",
    "leak_same": "It repeats the outcome. Leave it out.",
    "leak": "It alone tells the outcome right in {right} of rows. Leave it out if it was not known at the time.",
    "row_id": "It looks as if it told rows apart. Leave it out.",
    "left_out": "Left out by you.",
    "last": "Keep one column at least. “{column}” stays.",
    "act.out": "left out {column}",
    "act.in": "took in {column}",
    "act.all": "took in all columns",
}


def reasons_of(tables: Sequence[Table], plan: Mapping[str, Any], watch: Watch) -> dict[str, str]:
    """What speaks against columns as features: leaks of the outcome, and row numbers; in a job."""
    from engine.intake.leaks import judge_roles

    outcome = plan.get("outcome") or {}
    column, favourable = outcome.get("column"), outcome.get("favourable")
    found: dict[str, str] = {}
    for table in tables:
        watch.check()
        if column not in table.frame.columns:
            continue
        used = set(used_as(plan))
        names = [str(name) for name in table.frame.columns if str(name) not in used]
        warts = judge_roles(
            frame=table.frame, outcome=str(column), features=names,
            favourable=favourable if isinstance(favourable, list) else ["-"],
        )  # fmt: skip
        for wart in warts:
            code = wart.code.removeprefix("intake.")
            if code == "leak_same":
                found.setdefault(wart.column, TEXTS["leak_same"])
            elif code == "leak":
                right = percent(wart.count / max(1, len(table.frame)), digits=0)
                found.setdefault(wart.column, TEXTS["leak"].format(right=right))
            elif code == "id_as_feature":
                found.setdefault(wart.suggestion["leave_out"][0], TEXTS["row_id"])
    return found


def used_as(plan: Mapping[str, Any]) -> dict[str, str]:
    """Columns that serve something else, with what."""
    system = plan.get("system") or {}
    places = {
        "id": plan.get("id"),
        "weight": plan.get("weight"),
        "outcome": (plan.get("outcome") or {}).get("column"),
        **{key: (system.get(key) or {}).get("column") for key in ("prediction", "score", "amount")},
    }
    return {str(column): what for what, column in places.items() if column}


class FeaturesPart(QWidget):
    """The list of columns; each tick is an act on the plan's ``features``."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.names: list[str] = []
        """Every column that could be a feature, in the order of the file."""
        self._columns: Mapping[str, Column] = {}
        self._others: set[str] = set()
        self._shape: Any = None
        self._filling = False
        self._what = Label("", "help", tone="second", wrap=True)
        self.said = Label("", "help", tone="second")
        self.all = Button(TEXTS["all"], kind="link", on_click=self._take_all)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(TEXTS["filter"])
        self.filter.setAccessibleName(TEXTS["filter"])
        self.filter.setProperty("small", True)
        self.filter.setMaximumWidth(theme().px(300))
        self.filter.textChanged.connect(self._filter)
        self.list = QTreeWidget()
        self.list.setAccessibleName(TEXTS["title"])
        self.list.setHeaderLabels([TEXTS["column"], TEXTS["why"]])
        self.list.setRootIsDecorated(False)
        self.list.setWordWrap(True)
        self.list.setProperty("boxed", True)
        self.list.setTabKeyNavigation(False)
        self.list.itemChanged.connect(self._changed)
        self.list.header().setSectionsMovable(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.error = Label("", "help", tone="outside", wrap=True)
        self.error.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addWidget(Label(TEXTS["title"], "section"))
        whole.addWidget(self._what)
        whole.addWidget(self.filter)
        whole.addWidget(self.list)
        whole.addWidget(self.error)
        whole.addLayout(row(self.said, self.all, None, spacing=12))
        theme().changed.connect(self._measure)

    # What a person does --------------------------------------------------------------------------

    def chosen(self) -> list[str]:
        """The features in force, in the order of the file."""
        given = self.session.plan.get("features")
        return [name for name in self.names if given is None or name in given]

    def _changed(self, item: QTreeWidgetItem, column: int) -> None:
        if self._filling or column != 0:
            return
        name = item.text(0)
        on = item.checkState(0) == Qt.CheckState.Checked
        now = self.chosen()
        if on == (name in now):
            return
        wanted = [one for one in self.names if (one == name and on) or (one in now and one != name)]
        if not wanted:
            self.error.setText(TEXTS["last"].format(column=name))
            self.error.show()
            self._fill()
            return
        words = TEXTS["act.in" if on else "act.out"].format(column=name)
        self._set(wanted, words)

    def _take_all(self) -> None:
        self._set(list(self.names), TEXTS["act.all"])

    def _set(self, wanted: list[str], words: str) -> None:
        self.error.hide()
        whole = wanted == self.names
        self.session.set(("plan", "features"), None if whole else wanted, words)

    def _filter(self, text: str) -> None:
        wanted = text.strip().casefold()
        for place in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(place)
            item.setHidden(wanted not in item.text(0).casefold())

    # Showing -------------------------------------------------------------------------------------

    def show_columns(
        self, columns: Mapping[str, Column], elsewhere: set[str], reasons: Mapping[str, str],
        kind: str,
    ) -> None:  # fmt: skip
        """Show the columns of the data. ``elsewhere`` are those that not every file has."""
        plan = self.session.plan
        used = used_as(plan)
        self.setVisible(bool(columns) and kind in ("train", "columns"))
        self._what.setText(TEXTS.get(kind, ""))
        self.names = [n for n in columns if n not in used and n not in elsewhere]
        protected = {str(one.get("column")) for one in plan.get("protected") or []}
        known = {
            name: TEXTS[used[name]] if name in used
            else TEXTS["elsewhere"] if name in elsewhere
            else reasons.get(name) or (TEXTS["protected"] if name in protected else "")
            for name in columns
        }  # fmt: skip
        shape = (tuple(columns), tuple(known.values()), tuple(self.names))
        if shape != self._shape:
            self._shape = shape
            self._make(known)
        self._fill()
        self.filter.setVisible(len(columns) > FILTER_FROM)
        self.setEnabled(not self.session.read_only)

    def _make(self, known: Mapping[str, str]) -> None:
        self._filling = True
        self.list.clear()
        for name, why in known.items():
            item = QTreeWidgetItem([name, why])
            item.setData(1, Qt.ItemDataRole.UserRole, why)
            item.setToolTip(0, name)
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            if name in self.names:
                flags |= Qt.ItemFlag.ItemIsUserCheckable
            else:
                item.setForeground(0, theme().colour("text2"))
            item.setFlags(flags)
            self.list.addTopLevelItem(item)
        self.list.setUniformRowHeights(len(known) > MOST_WRAPPED)
        self._filling = False
        self._filter(self.filter.text())
        self._measure()

    def _fill(self) -> None:
        """Set the ticks and what is said of those left out, as the plan has them."""
        chosen = set(self.chosen())
        self._filling = True
        for place in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(place)
            name, why = item.text(0), str(item.data(1, Qt.ItemDataRole.UserRole))
            if name in self.names:
                on = name in chosen
                item.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
                why = why if on else f"{TEXTS['left_out']} {why}".strip()
            item.setText(1, why)
            item.setToolTip(1, why)
        self._filling = False
        n, of = len(chosen), len(self.names)
        self.said.setText(TEXTS["some"].format(n=count(n), of=count(of)))
        self.all.setVisible(n < of)

    def _measure(self) -> None:
        metrics = QFontMetrics(theme().font())
        names = [self.list.topLevelItem(i).text(0) for i in range(self.list.topLevelItemCount())]
        longest = max([metrics.horizontalAdvance(name) for name in names], default=0)
        wide = longest + theme().px(44)
        self.list.setColumnWidth(0, max(theme().px(120), min(wide, theme().px(300))))
        t, rows = theme(), min(SHOWN_ROWS, max(2, self.list.topLevelItemCount()))
        self.list.header().setFixedHeight(t.px(28))
        self.list.setFixedHeight(t.px(28) + rows * t.px(27) + t.px(4))
