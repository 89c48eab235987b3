"""Step 5, a model file: its inputs matched to columns, its output, threshold and class."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from engine.base.problems import Refused
from engine.base.scratch import PREFIX
from engine.procedure.basis import items_of
from gui.theme import theme
from gui.widgets.basic import Button, Label, line
from gui.widgets.fields import ChoiceButtons, Combo, FieldRow, NumberSpin
from gui.widgets.message import MessageBar

from .audit_texts import text
from .columns import Column, feature_names

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.models.files import Inspected
    from gui.session import Session

Slot = tuple[str, int]
"""An input of the model and the place in it."""


class ModelPanel(QWidget):
    """Matching of inputs; ``changed`` follows every choice of a person."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.columns: Mapping[str, Column] = {}
        self.inspected: Inspected | None = None
        self.fields: dict[str, Any] = {}
        self.slots: dict[Slot, Combo] = {}
        self._examples: dict[Slot, Label] = {}
        self._asked = ""
        self._built: Any = None
        self._problem = ""
        self.bar = MessageBar("info", " ")
        self.add_button = Button(text("model.add"), icon="file-plus", on_click=lambda: self.add())
        self.heading = Label(text("model.inputs"), "section")
        self._grid_widget = QWidget()
        self._grid = QGridLayout(self._grid_widget)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(3, 1)
        self.output = Combo(words=text("model.output"))
        self.threshold = NumberSpin(
            -1e9, 1e9, 0.5, decimals=4, step=0.05, words=text("model.threshold")
        )
        self.high_is = ChoiceButtons(
            [(v, text(f"columns.high_{v}")) for v in ("favourable", "unfavourable")],
            value="favourable", words=text("columns.score"),
        )  # fmt: skip
        self.favourable = QLineEdit()
        self.favourable.setFixedWidth(theme().px(150))
        self.output_row = FieldRow(text("model.output"), self.output)
        self._more = QWidget()
        first, second = QHBoxLayout(), QHBoxLayout()
        for part in (first, second):
            part.setSpacing(24)
        first.addWidget(
            FieldRow(text("model.threshold"), self.threshold, help=text("model.threshold_help"))
        )
        first.addWidget(
            FieldRow(text("model.favourable"), self.favourable, help=text("model.favourable_help"))
        )
        first.addStretch(1)
        second.addWidget(self.output_row)
        second.addWidget(self.high_is)
        second.addStretch(1)
        more = QVBoxLayout(self._more)
        more.setContentsMargins(0, 0, 0, 0)
        more.setSpacing(12)
        more.addLayout(first)
        more.addLayout(second)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        for one in (self.bar, self.add_button, self.heading, self._grid_widget, self._more):
            whole.addWidget(one)
        self.output.picked.connect(lambda value: self._put("output", value))
        self.threshold.valueChanged.connect(lambda value: self._put("threshold", value))
        self.high_is.picked.connect(lambda value: self._put("high_is", value))
        self.favourable.editingFinished.connect(
            lambda: self._put("favourable", self.favourable.text().strip() or None)
        )

    def add(self, paths: list[Path] | None = None) -> None:
        """Add a model file as an item; asks for it where none is given."""
        if paths is None:
            given, _ = QFileDialog.getOpenFileNames(
                self, text("model.add"), "", text("model.filter")
            )
            paths = [Path(one) for one in given]
        self.session.add_files(paths, role=lambda _path: "model")

    def item(self) -> dict[str, Any] | None:
        """The model file that is used: the first item of that role."""
        found = items_of(self.session.state, "model")
        return found[0] if found else None

    def _put(self, key: str, value: Any) -> None:
        if self.fields.get(key) != value:
            self.fields = {**self.fields, key: value}
            self.changed.emit()

    def _slot_picked(self, slot: Slot, name: str | None) -> None:
        chosen = dict(self.fields.get("slots") or {})
        chosen[f"{slot[0]}\n{slot[1]}"] = name
        self._put("slots", chosen)
        self._show_examples()

    # The file ------------------------------------------------------------------------------------

    def inspect(self) -> None:
        """Look into the file, in a job, once for each file."""
        item = self.item()
        sha = item["sha256"] if item else ""
        if item is None or sha == self._asked:
            return
        self._asked, self.inspected, self._problem = sha, None, ""
        case = self.session.case

        def work(watch: Watch) -> Inspected:
            from engine.models.files import inspect

            with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
                return inspect(case.extract(sha, folder, item["name"]), watch=watch)

        def done(found: Inspected) -> None:
            if self._asked == sha:
                self.inspected = found
                self._again()

        def failed(error: Exception) -> None:
            if self._asked == sha:
                if isinstance(error, Refused) and error.problems:
                    self._problem = error.problems[0].text
                self._again()

        self.session.jobs.start(
            text("model.inspecting", name=item["name"]), work, on_done=done, on_failed=failed,
            icon="file-search",
        )  # fmt: skip

    def _again(self) -> None:
        self._show()
        self.changed.emit()

    # Showing -------------------------------------------------------------------------------------

    def show_fields(self, fields: Mapping[str, Any], columns: Mapping[str, Column]) -> None:
        """Show fields as :func:`fields_of` makes them."""
        self.fields, self.columns = dict(fields), columns
        self.inspect()
        self._show()

    def _show(self) -> None:
        item, found = self.item(), self.inspected
        several = len(items_of(self.session.state, "model")) > 1
        kind, words = "", ""
        if item is None:
            kind, words = "info", text("model.none")
        elif self._problem:
            kind, words = "outside", self._problem
        elif found is None:
            kind, words = "info", text("model.inspecting", name=item["name"])
        elif several:
            kind, words = "warning", text("model.several", name=item["name"])
        if kind:
            self.bar.show_message(kind, words)
        self.bar.setVisible(bool(kind))
        self.add_button.setVisible(item is None or bool(self._problem))
        for widget in (self.heading, self._grid_widget, self._more):
            widget.setVisible(found is not None)
        if found is None:
            return
        key = (self._asked, tuple(self.columns))
        if key != self._built:
            self._built = key
            self._build(found)
        for slot, combo in self.slots.items():
            combo.set_value(self._column_of(slot))
        self._show_examples()
        self.threshold.blockSignals(True)
        given = self.fields.get("threshold")
        self.threshold.setValue(0.5 if given is None else given)
        self.threshold.blockSignals(False)
        self.high_is.set_value(self.fields.get("high_is") or "favourable")
        if not self.favourable.hasFocus():
            self.favourable.setText(str(self.fields.get("favourable") or ""))
        outputs = [(None, text("model.output_auto")), *((o.name, o.name) for o in found.outputs)]
        self.output.set_options(outputs, value=self.fields.get("output"))
        self.output_row.setVisible(len(found.outputs) > 1)
        self.setEnabled(not self.session.read_only)

    def _build(self, found: Inspected) -> None:
        while self._grid.count():
            old = self._grid.takeAt(0).widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        self.slots, self._examples = {}, {}
        for place, code in enumerate(("input", "type", "column", "example")):
            self._grid.addWidget(Label(text(f"model.head.{code}"), "head", tone="second"), 0, place)
        self._grid.addWidget(line("rule"), 1, 0, 1, 4)
        row = 2
        for port in found.inputs:
            width = port.width if port.width is not None else len(self._features())
            for place in range(max(1, width)):
                name = port.name if width == 1 else f"{port.name} {place + 1}"
                combo = Combo(
                    [(c, c) for c in self.columns],
                    placeholder=text("columns.choose"),
                    words=f"{text('model.head.column')}: {name}",
                )
                slot = (port.name, place)
                combo.picked.connect(lambda value, slot=slot: self._slot_picked(slot, value))
                example = Label("", tone="second")
                self._grid.addWidget(Label(name), row, 0)
                self._grid.addWidget(Label(port.type, "help", tone="second"), row, 1)
                self._grid.addWidget(combo, row, 2)
                self._grid.addWidget(example, row, 3)
                self.slots[slot], self._examples[slot] = combo, example
                row += 1

    def _features(self) -> list[str]:
        return feature_names(self.session.plan, self.columns)

    def _column_of(self, slot: Slot) -> str | None:
        """The column of a slot: chosen, else the one of the same name, else by its place."""
        chosen = self.fields.get("slots") or {}
        key = f"{slot[0]}\n{slot[1]}"
        if key in chosen:
            return str(chosen[key]) if chosen[key] else None
        if slot[0] in self.columns:
            return slot[0]
        features = self._features()
        alone = len({port for port, _ in self.slots}) == 1
        if alone and len(self.slots) == len(features) and len(features) > 1:
            return features[slot[1]]
        return None

    def _show_examples(self) -> None:
        for slot, label in self._examples.items():
            column = self.columns.get(self._column_of(slot) or "")
            label.setText(f"{column.example} · {column.type}" if column is not None else "–")

    def problem(self) -> str:
        """Why the choice is not complete, in one sentence, or an empty text."""
        if self.item() is None:
            return text("model.none")
        if self._problem:
            return self._problem
        if self.inspected is None:
            return self.bar.words()
        open_ones = [slot for slot in self.slots if self._column_of(slot) is None]
        if open_ones:
            n = len(open_ones)
            return text("model.unmatched_one") if n == 1 else text("model.unmatched", n=n)
        return ""

    def system(self) -> dict[str, Any] | None:
        """The plan's ``system``, or None while the choice is not complete."""
        if self.problem() or self.inspected is None:
            return None
        inputs: dict[str, list[str]] = {}
        for slot in self.slots:
            inputs.setdefault(slot[0], []).append(str(self._column_of(slot)))
        made: dict[str, Any] = {
            "inputs": {k: v[0] if len(v) == 1 else v for k, v in inputs.items()},
            "threshold": float(self.threshold.value()),
        }
        for key in ("output", "favourable", "high_is"):
            if self.fields.get(key):
                made[key] = self.fields[key]
        return {"model_file": made}


def fields_of(system: Mapping[str, Any]) -> dict[str, Any]:
    """A plan's ``system`` as the panel's fields."""
    file = dict(system.get("model_file") or {})
    fields = {k: file[k] for k in ("output", "favourable", "high_is", "threshold") if k in file}
    if isinstance(fields.get("favourable"), list):
        fields["favourable"] = fields["favourable"][0]
    slots = {}
    for port, taken in (file.get("inputs") or {}).items():
        for place, name in enumerate([taken] if isinstance(taken, str) else taken):
            slots[f"{port}\n{place}"] = name
    if slots:
        fields["slots"] = slots
    return fields
