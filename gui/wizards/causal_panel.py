"""What is chosen in the graph, and what it says: role, equation, figures, remarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from engine.base.wording import count, interval, listed, number, percent
from gui.theme import theme
from gui.widgets.basic import Button, Label, line
from gui.widgets.fields import Combo, FieldRow
from gui.widgets.message import MessageBar

from .causal_data import Start, Trial
from .causal_draft import Edge, equation_with, form_of, heads_of, nodes_of, parents_of
from .causal_words import FORMS, ROLES, text

MOST_TEXTS = 6
"""Texts of a column whose figures the panel lists."""
KINDS = {"refusal": "outside", "warning": "warning", "note": "info"}


@dataclass(frozen=True)
class Shown:
    """Everything that the panel shows."""

    choice: str | Edge | None = None
    graph: Mapping[str, Any] = field(default_factory=dict)
    start: Start | None = None
    trial: Trial = field(default_factory=Trial)
    channels: bool = False
    closed: bool = False
    adding: bool = False
    offered: tuple[str, ...] = ()

    @property
    def root(self) -> str:
        """The attribute's node."""
        start = self.start
        if start is None:
            return ""
        named = {n for e in self.graph.get("edges") or () for n in e}
        own = start.own_column
        return own if own and own in named and start.attribute not in named else start.attribute


class PropertiesPanel(QWidget):
    """Made anew for every choice.

    Signals
    -------
    role_set(str, str), equation_set(str, object), accepted_set(str, object) with the reason or
    None, start_asked(object), column_asked(str), closed()
    """

    role_set = Signal(str, str)
    equation_set = Signal(str, object)
    accepted_set = Signal(str, object)
    start_asked = Signal(object)
    column_asked = Signal(str)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("ground", "page")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(16, 12, 16, 12)
        self._layout.setSpacing(10)
        self.shown: Shown | None = None

    def show_choice(self, shown: Shown) -> None:
        """Show what is chosen; the field in use keeps the focus."""
        if shown == self.shown:
            return
        at = self.focusWidget()
        had = at.accessibleName() if at is not None and at.hasFocus() else ""
        half = at.text() if had and isinstance(at, QLineEdit) and at.isModified() else None
        same_choice = self.shown is not None and self.shown.choice == shown.choice
        self.shown = shown
        while (item := self._layout.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.blockSignals(True)
                old.hide()
                old.setParent(None)
                old.deleteLater()
        if shown.adding:
            self._adding(shown)
        elif isinstance(shown.choice, tuple):
            self._arrow(shown, shown.choice)
        elif shown.choice:
            self._node(shown, shown.choice)
        else:
            self._nothing(shown)
        self._layout.addStretch(1)
        if had:
            same = [w for w in self.findChildren(QWidget) if w.accessibleName() == had]
            if same:
                same[0].setFocus()
                if half is not None and same_choice and isinstance(same[0], QLineEdit):
                    # figures came while a person was typing: what is typed stays
                    same[0].setText(half)
                    same[0].setModified(True)
                    same[0].textEdited.emit(half)

    def _add(self, widget: QWidget) -> None:
        self._layout.addWidget(widget)

    def _title(self, words: str) -> None:
        self._add(Label(words, "section", wrap=True))

    # Nothing, and a variable to add -------------------------------------------------------------

    def _nothing(self, shown: Shown) -> None:
        self._title(text("nothing"))
        self._add(Label(text("nothing_help"), "help", tone="second", wrap=True))
        if shown.start is None or shown.closed:
            return
        self._add(Label(text("start"), "head"))
        options = list(shown.start.graphs)
        empty = {
            "name": str(shown.graph.get("name") or text("new_graph", n=1)), "edges": [],
            "roles": {shown.start.attribute: "protected", shown.start.target: "outcome"},
        }  # fmt: skip
        for graph, words in [*((g, str(g["name"])) for g in options), (empty, text("start_empty"))]:
            words = words[:1].upper() + words[1:]
            button = Button(words, kind="link", on_click=partial(self.start_asked.emit, graph))
            button.setAccessibleName(f"{text('start')}: {words}")
            self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def _adding(self, shown: Shown) -> None:
        self._title(text("add_title"))
        edit, offered = QLineEdit(), QListWidget()
        edit.setAccessibleName(text("add_field"))
        offered.setAccessibleName(text("columns_left"))
        offered.addItems(list(shown.offered))
        offered.setMinimumHeight(theme().px(110))
        row = FieldRow(text("add_field"), edit, help=text("add_help"))

        def found(typed: str) -> list[str]:
            return [c for c in shown.offered if typed.strip().lower() in c.lower()]

        def narrow(typed: str) -> None:
            offered.clear()
            offered.addItems(found(typed))
            row.set_error("" if found(typed) or not typed.strip() else text("add_none"))

        def take() -> None:
            typed = edit.text().strip()
            there = nodes_of(shown.graph)  # typed whole, it is none that holds the same letters
            exact = [c for c in (*shown.offered, *there) if c.lower() == typed.lower()]
            name = next(iter([*exact, *found(typed)]), typed)
            if typed and name:
                self.column_asked.emit(name)

        edit.textEdited.connect(narrow)
        edit.returnPressed.connect(take)
        offered.itemActivated.connect(lambda item: self.column_asked.emit(item.text()))
        offered.itemDoubleClicked.connect(lambda item: self.column_asked.emit(item.text()))
        self._add(row)
        self._add(offered)
        button = Button(text("close"), small=True, on_click=self.closed.emit)
        self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        edit.setFocus()

    # A variable, an arrow -----------------------------------------------------------------------

    def _node(self, shown: Shown, node: str) -> None:
        self._title(text("node", node=node))
        self._remarks(shown, node)
        if node == shown.root:
            self._add(Label(text("root_help"), "help", tone="second", wrap=True))
            return
        self._role(shown, node, text("role"))
        self._accept(shown, node)
        parents = parents_of(shown.graph, node)
        if not parents:
            self._add(Label(text("alone_help"), "help", tone="second", wrap=True))
            return
        self._form(shown, node, text("form_of", node=node))
        self._equation(shown, node, parents)
        self._figures(shown, node)

    def _arrow(self, shown: Shown, edge: Edge) -> None:
        start, end = edge
        self._title(text("arrow_title", start=start, end=end))
        self._remarks(shown, edge)
        self._form(shown, end, text("form"))
        fit = shown.trial.fits.get(end)
        if fit is not None:
            stated = fit["stated"]
            label = shown.trial.labels.get(edge) or text("several")
            if start in (fit.get("coefficients") or {}) or edge in shown.trial.labels:
                self._pair(text("stated" if stated else "fitted"), label)
            called = shown.trial.words if start == shown.root else {}
            own = {
                label.removeprefix(f"{start} = "): value
                for label, value in (fit.get("coefficients") or {}).items()
                if label.startswith(f"{start} = ")
            }
            self._by_text({called.get(k, k): number(v, sign=True) for k, v in own.items()})
            ends = (fit.get("intervals") or {}).get(start)
            if ends:
                self._pair(text("interval"), interval(ends[0], ends[1], sign=True))
            self._pair(text("people"), count(fit["n"]))
            self._against(fit, start)
        shares = shown.trial.differences.get(edge) or {}
        if shares:
            self._add(Label(text("differences"), "help", tone="second", wrap=True))
            ranked = sorted(shares.items(), key=lambda one: -abs(one[1]))
            self._by_text(
                {k: text("points", n=number(100 * v, digits=0, sign=True)) for k, v in ranked}
            )
        self._equation(shown, end, parents_of(shown.graph, end))
        if start != shown.root:
            self._role(shown, start, text("role_of", node=start))
            self._accept(shown, start)

    def _by_text(self, figures: Mapping[str, str]) -> None:
        """A figure for each of a column's texts, and how many are left out."""
        for words, value in list(figures.items())[:MOST_TEXTS]:
            self._pair(words, value)
        if len(figures) > MOST_TEXTS:
            more = text("more_texts", n=len(figures) - MOST_TEXTS)
            self._add(Label(more, "help", tone="second"))

    def _accept(self, shown: Shown, node: str) -> None:
        """Whether the auditor counts a channel as accepted, and why."""
        target = shown.start.target if shown.start is not None else ""
        if not shown.channels or node in (shown.root, target):
            return
        heads = heads_of(shown.graph, node, shown.root)
        if heads != [node]:
            words = text("accept_elsewhere", node=node, others=listed([f"“{h}”" for h in heads]))
            self._add(Label(words, "help", tone="second", wrap=True))
            return
        accepted = shown.graph.get("accepted") or {}
        box = QCheckBox(text("accept"))
        box.setAccessibleName(text("accept"))
        box.setChecked(node in accepted)
        box.setEnabled(not shown.closed)
        box.clicked.connect(lambda on: self.accepted_set.emit(node, "" if on else None))
        self._add(box)
        if node not in accepted:
            self._add(Label(text("accept_help"), "help", tone="second", wrap=True))
            return
        edit = QLineEdit(str(accepted[node]))
        edit.setAccessibleName(text("accept_reason"))
        edit.setEnabled(not shown.closed)
        row = FieldRow(text("accept_reason"), edit, help=text("accept_reason_help"))
        row.set_error("" if accepted[node].strip() else text("accept_missing"))

        def typed() -> None:
            edit.setModified(False)  # done: no longer half typed
            if edit.text().strip() != accepted[node]:
                self.accepted_set.emit(node, edit.text().strip())

        edit.editingFinished.connect(typed)
        self._add(row)

    def _remarks(self, shown: Shown, what: str | Edge) -> None:
        for one in shown.trial.troubles:
            at = tuple(one["arrow"]) if one["arrow"] else one["node"]
            if what == at or (isinstance(what, str) and one["node"] == what):
                self._add(MessageBar(KINDS.get(one["grade"], "info"), one["text"]))

    def _role(self, shown: Shown, node: str, words: str) -> None:
        given = str((shown.graph.get("roles") or {}).get(node) or "")
        options: list[tuple[str, str]] = list(ROLES)
        if given not in [v for v, _ in options]:
            options.append((given, given.capitalize()))
        combo = self._combo(options, given, words, shown.closed)
        combo.picked.connect(lambda role: self.role_set.emit(node, str(role)))
        self._add(FieldRow(words, combo))

    def _form(self, shown: Shown, node: str, words: str) -> None:
        equation = (shown.graph.get("equations") or {}).get(node)
        fit = shown.trial.fits.get(node) or {}
        combo = self._combo(FORMS, form_of(equation), words, shown.closed)

        def pick(form: str) -> None:
            parents = parents_of(shown.graph, node)
            made = equation_with(form, parents, fit.get("coefficients"))
            self.equation_set.emit(node, made)

        combo.picked.connect(pick)
        several = len(parents_of(shown.graph, node)) > 1
        self._add(FieldRow(words, combo, help=text("form_help", node=node) if several else ""))

    def _combo(
        self, options: Sequence[tuple[str, str]], value: str, words: str, closed: bool
    ) -> Combo:
        made = Combo(list(options), value=value, words=words)
        made.setSizeAdjustPolicy(Combo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        made.setMinimumContentsLength(12)
        made.setEnabled(not closed)
        return made

    def _equation(self, shown: Shown, node: str, parents: Sequence[str]) -> None:
        """The numbers of a stated equation, and the floor of a straight line."""
        equation = (shown.graph.get("equations") or {}).get(node)
        if not equation:
            return
        if shown.channels and equation.get("coefficients") is not None:
            self._add(Label(text("channels_stated"), "help", tone="second", wrap=True))
        grid_host = QWidget()
        grid = QGridLayout(grid_host)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        rows: list[tuple[str, str, Any]] = []
        if equation.get("coefficients") is not None:
            rows.append(("intercept", text("intercept"), equation.get("intercept")))
            labels = dict.fromkeys([*equation["coefficients"], *parents])
            many = [p for p in parents if any(k.startswith(f"{p} = ") for k in labels)]
            rows += [
                (f"={k}", text("coefficient", parent=k), equation["coefficients"].get(k))
                for k in labels
                if k not in many
            ]
        if equation.get("kind") == "linear":
            rows.append(("floor", text("floor"), equation.get("floor")))
            if equation.get("floor") is not None:
                rows.append(("noise_sd", text("noise_sd"), equation.get("noise_sd")))
        error = Label(text("wrong_number"), "help", tone="outside", wrap=True)
        for place, (key, words, value) in enumerate(rows):
            edit = QLineEdit("" if value is None else f"{value:g}".replace("-", "\u2212"))
            edit.setAlignment(Qt.AlignmentFlag.AlignRight)
            edit.setAccessibleName(words)
            edit.setFixedWidth(theme().px(92))
            edit.setEnabled(not shown.closed)
            if key in ("floor", "noise_sd", "intercept"):
                edit.setPlaceholderText(text("empty"))
            label = Label(words, wrap=True)
            label.setBuddy(edit)
            edit.editingFinished.connect(
                lambda k=key, e=edit, v=value: self._typed(node, equation, k, e, v, error)
            )
            grid.addWidget(label, place, 0)
            grid.addWidget(edit, place, 1)
        if rows:
            self._add(grid_host)
            self._add(error)
            error.hide()

    def _typed(
        self, node: str, equation: Mapping[str, Any], key: str, edit: QLineEdit, before: Any,
        error: Label,
    ) -> None:  # fmt: skip
        typed = edit.text().strip().replace("\u2212", "-").replace(",", ".")
        try:
            value = float(typed) if typed else None
            if value is not None and not abs(value) < 1e300:
                raise ValueError(typed)
        except ValueError:
            error.show()
            return
        error.hide()
        edit.setModified(False)
        if value is not None and value.is_integer():
            value = int(value)
        if value == before or (before is None and value is None):
            return
        made = dict(equation)
        if key.startswith("="):
            made["coefficients"] = {**made["coefficients"], key[1:]: value or 0}
        elif value is None:
            made.pop(key, None)
        else:
            made[key] = value
        if made.get("floor") is None:
            made.pop("noise_sd", None)
        elif made.get("coefficients") is not None and not made.get("noise_sd"):
            made["noise_sd"] = 1
        self.equation_set.emit(node, made)

    def _figures(self, shown: Shown, node: str) -> None:
        fit = shown.trial.fits.get(node)
        if fit is None:
            return
        self._pair(text("people"), count(fit["n"]))
        if fit.get("r2") is not None:
            self._pair(text("explained"), percent(fit["r2"], digits=0))
        if fit.get("residual_sd") is not None:
            self._pair(text("left"), number(fit["residual_sd"]))
        for parent in fit.get("against") or {}:
            self._against(fit, parent)
        if fit.get("reason"):
            self._add(Label(fit["reason"], "help", tone="second", wrap=True))

    def _against(self, fit: Mapping[str, Any], parent: str) -> None:
        one = (fit.get("against") or {}).get(parent)
        if one is not None:
            words = text(f"against.{one['refuted'] or 'none'}")
            self._pair(text("against", parent=parent), words)

    def _pair(self, words: str, value: str) -> None:
        host = QWidget()
        grid = QGridLayout(host)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        grid.addWidget(Label(words, wrap=True), 0, 0)
        grid.addWidget(Label(value, "key"), 0, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(line(), 1, 0, 1, 2)
        self._add(host)
