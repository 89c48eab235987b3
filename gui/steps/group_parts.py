"""The two ways of forming groups: a cut through numbers, or a side for each value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from engine.base.wording import count, percent
from gui.session import Session
from gui.theme import theme
from gui.widgets.basic import Label, row, stacks
from gui.widgets.fields import ChoiceButtons, Combo, FieldRow
from gui.widgets.message import MessageBar
from gui.widgets.table import AxisHead, Cell, RateCell

from . import evidence_texts as texts
from .bands import (
    LEFT_OUT,
    PRIVILEGED,
    UNPRIVILEGED,
    Part,
    bands,
    cuts_of,
    plain,
    pooled,
    shown,
    sides,
    values,
)
from .base import LARGE
from .group_names import NamesPart, carried, named_parts
from .group_table import GroupTable, rate_cells, side_cell
from .inputs import DraftLine
from .roles import protected_kind_words

if TYPE_CHECKING:
    from .people import Counts

PAGE = "step-2"
SIDES = (PRIVILEGED, UNPRIVILEGED, LEFT_OUT)
MOST_SHOWN = 60
MOST_MODES = 40
CUTS = ("at_least", "below", "between")


class GroupPart(QWidget):
    """One attribute. ``on_entry(place, entry)`` is called with the plan's new entry for it, and
    with the words of the act where it is not a choice of groups."""

    changed = Signal()

    def __init__(
        self, session: Session, place: int, name: str,
        on_entry: Callable[..., object],
    ) -> None:  # fmt: skip
        super().__init__()
        self.session, self.place, self.name = session, place, name
        self._on_entry = on_entry
        self.entry: dict[str, Any] = {}
        self._note = Label("", "help", tone="second")
        self.mode = ChoiceButtons(
            [("cut", texts.text("groups.by_cut")), ("values", texts.text("groups.by_value"))],
            value="cut", words=name,
        )  # fmt: skip
        self.mode.picked.connect(self._mode_picked)
        theme().changed.connect(self.changed)  # controls of a size of their own are made anew
        self.own_mode = ""
        self._own_kind: tuple[str, dict[str, Any]] = ("", {})
        self._build_cut()
        title = Label(name, "section", wrap=True, wide=True)
        head = row(title, self.mode, self._note, self._cut, spacing=10)
        head.setStretch(0, 1)
        head_part = QWidget()
        head_part.setLayout(head)
        stacks(head)
        self.table = GroupTable(words=texts.text("groups.words", name=name))
        self.message = MessageBar("warning", " ")
        self.message.hide()
        self.problem = ""
        self.names = NamesPart(session, name, self._named)
        self.reasons = QVBoxLayout()
        self.reasons.setSpacing(8)
        self.why: dict[str, DraftLine] = {}
        self.choices: dict[str, ChoiceButtons | Combo] = {}
        self._shape: tuple[Any, ...] = ()
        self._rows: list[list[Any]] = []
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addWidget(head_part)
        whole.addWidget(self.table)
        whole.addWidget(self.names)
        whole.addLayout(self.reasons)
        whole.addWidget(self.message)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def _build_cut(self) -> None:
        t = texts.text
        self.kind = Combo(
            [(kind, t(f"groups.{kind}")) for kind in CUTS], value="at_least",
            words=t("groups.cut_kind", name=self.name),
        )  # fmt: skip
        self.low = DraftLine(self.session, PAGE, f"{self.name}.low", self._cut_typed, words=t("groups.cut_at", name=self.name))  # fmt: skip
        self.high = DraftLine(self.session, PAGE, f"{self.name}.high", self._cut_typed, words=t("groups.cut_to", name=self.name))  # fmt: skip
        for field in (self.low, self.high):
            field.setFixedWidth(theme().px(56))
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
        for widget in (self.kind, self.low, self.high):
            widget.setProperty("small", True)
        self.kind.picked.connect(lambda _kind: self._kind_picked())
        self._and = Label(t("groups.and"), "help", tone="second")
        self._unit = Label("", "help", tone="second")
        self._cut = QWidget()
        label = Label(t("groups.privileged"), "help", tone="second")
        self._cut.setLayout(row(label, self.kind, self.low, self._and, self.high, self._unit))

    # What a person does --------------------------------------------------------------------------

    def _mode_picked(self, mode: str) -> None:
        self.own_mode = mode
        kept = {k: v for k, v in self.entry.items() if k in ("name", "column", "membership")}
        if kept != self.entry:
            self._on_entry(self.place, kept)
        else:
            self.changed.emit()

    def _kind_picked(self) -> None:
        self._own_kind = (self.kind.value(), dict(self.entry))
        self._show_fields(self.kind.value())
        self._cut_typed("")
        self.changed.emit()

    def _numbers(self) -> list[float] | None:
        found = []
        for field in (self.low, self.high):
            if field.isHidden():
                continue
            text = field.text().strip().replace("\u2212", "-").replace(",", ".")
            try:
                found.append(float(text))
            except ValueError:
                return None
        return found

    def _cut_typed(self, _text: str) -> None:
        numbers = self._numbers()
        if numbers is None or any(n != n or abs(n) == float("inf") for n in numbers):
            return
        kind = self.kind.value()
        if kind == "between" and (len(numbers) < 2 or numbers[0] >= numbers[1]):
            self.changed.emit()
            return
        rule = {kind: [plain(n) for n in numbers] if kind == "between" else plain(numbers[0])}
        if rule == self.entry.get("privileged"):
            return
        kept = {k: v for k, v in self.entry.items() if k in ("name", "column", "membership")}
        labels = carried(self.entry, rule, self.entry.get("labels") or {})
        if labels:
            kept["labels"] = labels
        self._on_entry(self.place, {**kept, "privileged": rule})

    def _side_picked(self, key: str, side: str) -> None:
        """Put a value on a side; everything on no list is unprivileged."""
        on = {k: choice.value() for k, choice in self.choices.items()}
        on[key] = side
        kept = ("name", "column", "membership", "labels")
        entry = {k: v for k, v in self.entry.items() if k in kept}
        privileged = [k for k, s in on.items() if s == PRIVILEGED]
        left_out = [k for k, s in on.items() if s == LEFT_OUT]
        if privileged:
            entry["privileged"] = privileged
        if left_out:
            entry["left_out"] = left_out
        if not privileged and side == UNPRIVILEGED:
            rest = [k for k in on if k != key and k not in left_out]
            if len(rest) == 1:  # of two values the other one is meant
                entry["privileged"] = rest
        self._on_entry(self.place, entry)

    def _named(self, labels: dict[str, str], words: str) -> None:
        """Enter the words in which values are printed."""
        entry = {k: v for k, v in self.entry.items() if k != "labels"}
        if labels:
            entry["labels"] = labels
        self._on_entry(self.place, entry, words)

    # Showing -------------------------------------------------------------------------------------

    def is_cut(self, counts: Counts) -> bool:
        """Whether the numbers are cut: as the plan says, as was clicked, else by their kind."""
        return is_cut(self.entry, counts, self.own_mode)

    def _show_fields(self, kind: str | None) -> None:
        between = kind == "between"
        self._and.setVisible(between)
        self.high.setVisible(between)

    def show_counts(
        self, entry: Mapping[str, Any], counts: Counts, *, axis: AxisHead | None, level: float,
        why: Mapping[str, str],
    ) -> None:  # fmt: skip
        """Show the attribute as the plan has it; without an axis the rates stay folded."""
        rates = axis is not None
        self.entry = dict(entry)
        cut = self.is_cut(counts)
        self._cut.setVisible(cut)
        self.mode.setVisible(counts.numeric and len(counts.keys) <= MOST_MODES)
        self.mode.set_value("cut" if cut else "values")
        for widget in (self.mode, self.kind):
            widget.setEnabled(not self.session.read_only)
        years = protected_kind_words(str(entry.get("column") or "")) == "age"
        self._unit.setText(texts.text("groups.years") if years else "")
        self._unit.setVisible(years)
        rule = entry.get("privileged") if isinstance(entry.get("privileged"), Mapping) else None
        if cut:
            if rule:
                own, of = self._own_kind
                if not own or of != dict(entry):  # else numbers of a new kind are being typed
                    self.kind.set_value(next(iter(rule)))
                    numbers = [shown(v) for v in cuts_of(rule)]
                    self.low.show_value(numbers[0])
                    self.high.show_value(numbers[1] if len(numbers) > 1 else "")
            else:
                self.low.show_value("")
                self.high.show_value("")
            self._show_fields(self.kind.value())
            parts = bands(counts, rule)
            totals = sides(counts, rule) if rule else []
            head = texts.text("groups.years_head") if years else str(entry.get("column") or "")
            self._note.setText("")
        else:
            every = values(counts, entry)
            parts = every[:MOST_SHOWN]
            totals = [pooled(every, side) for side in (PRIVILEGED, UNPRIVILEGED) if sum(p.side == side for p in every) > 1]  # fmt: skip
            head = texts.text("groups.value")
            more = len(every) - len(parts)
            others = texts.text("groups.other_values", n=count(more)) if more else ""
            self._note.setText(" · ".join(one for one in (_note(counts), others) if one))
        self._note.setVisible(not cut)
        self._fill(head, parts, totals, counts.blank, axis=axis, level=level, buttons=not cut)
        soft = bool(entry.get("membership"))
        self.names.show_groups(entry, [] if soft else named_parts(entry, counts, cut=cut))
        self._show_why([p.label for p in parts if p.side == LEFT_OUT] if not cut else [], why)
        self._show_message(parts, totals, counts, rule, rates=rates, cut=cut)

    def _fill(
        self, head: str, parts: Sequence[Part], totals: Sequence[Part], blank: int, *,
        axis: AxisHead | None, level: float, buttons: bool,
    ) -> None:  # fmt: skip
        t = texts.text
        everyone = [*parts, *totals]
        columns: list[Any] = [head, t("groups.people")]
        align = "lr"
        rates = axis is not None
        if rates:
            columns += [t("groups.favourable"), t("groups.rate"), axis]
            align += "rrl"
        columns.append(t("groups.group"))
        align += "l"
        rows: list[list[Any]] = []
        for part in everyone:
            said = self._called(part)
            cells: list[Any] = [Cell(said, bold=part.total), Cell(count(part.people), bold=part.total)]  # fmt: skip
            if rates:
                cells += rate_cells(part, level)
            rows.append([*cells, "" if buttons and not part.total else side_cell(part)])
        if blank:
            empty: list[Any] = [None, None, RateCell(None)] if rates else []
            rows.append(
                [
                    Cell(t("groups.blank"), tone="second"), Cell(count(blank), tone="second"),
                    *empty, Cell(t("groups.no_group"), tone="second"),
                ]
            )  # fmt: skip
        total_rows = range(len(parts), len(everyone))
        large = theme().scale > LARGE
        shape = (tuple(p.label for p in parts), axis, buttons, self.session.read_only, large)
        same = shape == self._shape and rows == self._rows
        self._rows = rows
        keep = buttons and shape == self._shape and len(rows) == self.table.model().rowCount()
        if same:
            pass  # only sides may have changed, which the buttons show
        elif keep:
            self.table.model().rows = [tuple(one) for one in rows]
            self.table.viewport().update()
        else:
            focused = next((k for k, c in self.choices.items() if _inside(c)), None)
            self.table.row_height = 29 if buttons else 25
            self.choices = {}
            with self.table.held():
                self.table.set_table(columns, rows, align, total_rows=total_rows)
                self._shape = shape
                if buttons:
                    self._put_buttons(parts)
            if focused in self.choices:
                choice = self.choices[focused]
                inside = choice if isinstance(choice, Combo) else choice.findChildren(QWidget)[0]
                inside.setFocus()
            self.table.measure()
        for part in parts:
            if part.label in self.choices:
                self.choices[part.label].set_value(part.side)

    def _called(self, part: Part) -> str:
        """A value with the word that the plan gives it: ``A92 · female``."""
        given = {str(key): word for key, word in (self.entry.get("labels") or {}).items()}
        return f"{part.label} · {given[part.label]}" if part.label in given else part.label

    def _put_buttons(self, parts: Sequence[Part]) -> None:
        last = self.table.model().columnCount() - 1
        for place, part in enumerate(parts):
            kind = Combo if theme().scale > LARGE else ChoiceButtons
            choice = kind(
                [(side, texts.text(f"groups.{side}")) for side in SIDES],
                value=part.side, words=texts.text("groups.of", value=part.label, name=self.name),
            )  # fmt: skip
            choice.setEnabled(not self.session.read_only)
            choice.picked.connect(lambda side, key=part.label: self._side_picked(key, side))
            self.choices[part.label] = choice
            holder = QWidget()
            inside = row(choice, None)
            inside.setContentsMargins(theme().px(8), 0, theme().px(4), 0)
            holder.setLayout(inside)
            self.table.set_widget(place, last, holder)

    def _show_why(self, keys: Sequence[str], why: Mapping[str, str]) -> None:
        if list(self.why) != list(keys):
            while self.reasons.count():
                gone = self.reasons.takeAt(0).widget()
                if gone is not None:
                    gone.hide()
                    gone.deleteLater()
            self.why = {}
            for key in keys:
                field = DraftLine(
                    self.session, PAGE, f"{self.name}.why.{key}",
                    lambda text, key=key: self._why_typed(key, text),
                )  # fmt: skip
                label = texts.text("groups.why", value=key)
                made = FieldRow(label, field, help=texts.text("groups.why_help"))
                made.setMaximumWidth(theme().px(560))
                self.reasons.addWidget(made)
                self.why[key] = field
        for key, field in self.why.items():
            field.show_value(str(why.get(key, "")))

    def _why_typed(self, key: str, text: str) -> None:
        words = texts.text("act.why_left_out", value=key)
        self.session.set(("left_out_why", self.name, key), text, words)

    def _show_message(
        self, parts: Sequence[Part], totals: Sequence[Part], counts: Counts,
        rule: Mapping[str, Any] | None, *, rates: bool, cut: bool,
    ) -> None:  # fmt: skip
        text = ""
        good, bad = pooled([*parts], PRIVILEGED), pooled([*parts], UNPRIVILEGED)
        if cut and totals:
            good, bad = totals[0], totals[1]
        unfinished = False
        if cut and self.kind.value() == "between" and "between" not in (rule or {}):
            unfinished = True
            text = texts.text("groups.order")
        elif rule and (not good.people or not bad.people):
            text = texts.text(
                "groups.empty_cut", name=self.name, low=shown(float(counts.numbers[0])),  # type: ignore[index]
                high=shown(float(counts.numbers[-1])),  # type: ignore[index]
            )  # fmt: skip
        elif not cut and good.people and not bad.people:
            text = texts.text("groups.no_unprivileged", name=self.name)
        elif rates and good.rate is not None and bad.rate is not None and good.rate < bad.rate:
            text = texts.text(
                "groups.lower", name=self.name, privileged=percent(good.rate),
                unprivileged=percent(bad.rate),
            )  # fmt: skip
        empty = (rule or not cut) and (not good.people or not bad.people)
        self.problem = text if unfinished or empty else self.names.problem
        self.message.setVisible(bool(text))
        self.message.show_message("warning", text or " ")


def is_cut(entry: Mapping[str, Any], counts: Counts, mode: str = "") -> bool:
    """Whether an attribute is cut: as its entry says, as was clicked, else by its kind."""
    given = entry.get("privileged")
    if isinstance(given, Mapping):
        return True
    if given or not counts.numeric:
        return False
    return mode == "cut" if mode else len(counts.keys) > 12


def rows_of(entry: Mapping[str, Any], counts: Counts, mode: str = "") -> list[Part]:
    """The rows of an attribute, those of its sides included."""
    if not is_cut(entry, counts, mode):
        return values(counts, entry)[:MOST_SHOWN]
    rule = entry.get("privileged")
    return [*bands(counts, rule), *(sides(counts, rule) if rule else [])]


def _inside(choice: ChoiceButtons | Combo) -> bool:
    return any(one.hasFocus() for one in (choice, *choice.findChildren(QWidget)))


def _note(counts: Counts) -> str:
    n = len(counts.keys)
    if n == 2 and not counts.blank:
        return texts.text("groups.two_none")
    if not counts.blank:
        return texts.text("groups.note_values_none", n=n)
    return texts.text("groups.note_values", n=n, blank=count(counts.blank))
