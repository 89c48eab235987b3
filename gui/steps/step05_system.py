"""Step 5: where the decisions come from: columns, a model file, a stand-in, or none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from engine.base.canonical import canonical_json
from engine.procedure.basis import items_of
from gui.theme import theme
from gui.widgets.basic import Label, column, line

from .audit_texts import text
from .base import StepPage
from .columns import Column, columns_of, test_tables, training_tables
from .results import why_closed
from .system_columns import ColumnsPanel
from .system_columns import fields_of as column_fields
from .system_features import FeaturesPart, reasons_of
from .system_model import ModelPanel
from .system_model import fields_of as model_fields
from .system_standin import StandInPanel
from .system_words import MODELS, kind_of, system_words

if TYPE_CHECKING:
    from engine.base.watch import Watch

KINDS = ("columns", "model_file", "train", "none")
DRAFT = "step-5"


class Page(StepPage):
    """The choice of the source, and the fields of the chosen one."""

    number: ClassVar[int] = 5
    title: ClassVar[str] = "The system"
    sentence: ClassVar[str] = text("system.sentence")

    def build(self) -> None:
        self.columns: dict[str, Column] = {}
        self._reasons: dict[str, str] = {}
        self._elsewhere: set[str] = set()
        self._tables: tuple[Any, ...] = ()
        self.bar = self.message("info", " ")
        self.bar.hide()
        self.body.addWidget(self.bar)
        self.radios: dict[str, QRadioButton] = {}
        self._closed = Label(text("system.closed.train"), "help", tone="second", wrap=True)
        self._group = QButtonGroup(self)
        choices = QVBoxLayout()
        choices.setSpacing(2)
        choices.addWidget(Label(text("system.source"), "section"))
        for kind in KINDS:
            radio = QRadioButton(text(f"system.kind.{kind}"))
            help_words = text(f"system.kind.{kind}.help")
            radio.setAccessibleDescription(help_words)
            radio.clicked.connect(lambda _on, kind=kind: self._kind_picked(kind))
            self._group.addButton(radio)
            self.radios[kind] = radio
            said = Label(help_words, "help", tone="second", wrap=True)
            said.setContentsMargins(theme().px(27), 0, 0, 4)
            choices.addWidget(radio, 0, Qt.AlignmentFlag.AlignLeft)
            choices.addWidget(said)
            if kind == "train":
                self._closed.setContentsMargins(theme().px(27), 0, 0, 4)
                choices.addWidget(self._closed)
        self.body.addLayout(choices)
        self.body.addWidget(line())
        self.by_columns = ColumnsPanel()
        self.by_model = ModelPanel(self.session)
        self.by_standin = StandInPanel(self.session)
        self.by_none = QWidget()
        self.by_none.setLayout(
            column(
                *(Label(text(f"none.{code}"), wrap=True) for code in ("means", "limit", "use")),
                spacing=8,
            )
        )
        self._panel_of: dict[str, QWidget] = {
            "columns": self.by_columns,
            "model_file": self.by_model,
            "train": self.by_standin,
            "none": self.by_none,
        }
        self._places = QVBoxLayout()
        for panel in self._panel_of.values():
            self._places.addWidget(panel)
        self.body.addLayout(self._places)
        self.features = FeaturesPart(self.session)
        self.features.hide()
        self.body.addWidget(self.features)
        self.by_columns.changed.connect(lambda: self._fields_changed("columns"))
        self.by_model.changed.connect(lambda: self._fields_changed("model_file"))
        self.by_standin.model_picked.connect(self._model_picked)
        self.session.tables_changed.connect(self._tables_changed)

    # What a person does --------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """The chosen source: that of the half-filled page, else that of the plan, else empty."""
        draft = self.session.draft(DRAFT)
        if isinstance(draft, dict) and draft.get("kind") in KINDS:
            return str(draft["kind"])
        found = kind_of(self.session.plan)
        return "" if found == "unset" else found

    def _kind_picked(self, kind: str) -> None:
        session = self.session
        now = kind_of(session.plan)
        session.set_draft(DRAFT, None)
        if kind == now:
            session.changed.emit()
        elif kind == "train":
            self._set({"train": {"model": "random_forest"}}, "train")
        elif kind == "none":
            self._set(None, "none")
        else:
            session.set_draft(DRAFT, {"kind": kind, "fields": {}})
            self.refresh()
            self._fields_changed(kind)

    def _set(self, system: dict[str, Any] | None, kind: str) -> None:
        self.session.set_draft(DRAFT, None)
        self.session.set(("plan", "system"), system, text(f"system.words.{kind}"))

    def _model_picked(self, model: str) -> None:
        self.session.set_draft(DRAFT, None)
        words = text("system.words.model", model=dict(MODELS)[model].lower())
        self.session.set(("plan", "system"), {"train": {"model": model}}, words)

    def _fields_changed(self, kind: str) -> None:
        """Enter the fields as an act where they are complete, else keep them as a draft."""
        if self.kind != kind or self.session.read_only:
            return
        panel: ColumnsPanel | ModelPanel = self.by_columns if kind == "columns" else self.by_model
        system = panel.system()
        if system is None:
            if not self._as_stored(kind, panel.fields):
                self.session.set_draft(DRAFT, {"kind": kind, "fields": panel.fields})
        elif system != self._stored(kind):
            self._set(system, kind)
        else:
            self.session.set_draft(DRAFT, None)
        self._show_bar()
        self.update_footer()

    def _stored(self, kind: str) -> dict[str, Any] | None:
        """What the plan says of this kind, as the panels write it."""
        system = self.session.plan.get("system")
        if kind_of(self.session.plan) != kind or not system:
            return None
        if kind == "model_file":
            file = {k: v for k, v in system["model_file"].items() if k != "path"}
            return {"model_file": file}
        return dict(system)

    def _as_stored(self, kind: str, fields: dict[str, Any]) -> bool:
        stored = self._stored(kind)
        if stored is None:
            return False
        made = column_fields(stored) if kind == "columns" else model_fields(stored)
        return made == fields

    def drop(self, paths: list[Any]) -> bool:
        models = [Path(p) for p in paths if Path(p).suffix.lower() in (".onnx", ".skops")]
        if len(models) != len(paths) or not models:
            return False
        self.by_model.add(models)
        if self.kind != "model_file":
            self._kind_picked("model_file")
        return True

    # The columns ---------------------------------------------------------------------------------

    def _tables_changed(self, _item: str) -> None:
        if self.stepper is not None and self.stepper.page is self:
            self.refresh()

    def _look(self) -> None:
        """Look through the columns, in a quiet job, once for each set of tables."""
        tables = test_tables(self.session)
        if tables is None:
            return
        learnt = training_tables(self.session)
        if learnt is None:
            return
        plan = self.session.plan
        used = canonical_json([plan.get(k) for k in ("outcome", "id", "weight", "system")])
        key = (*(id(table.frame) for table in [*tables, *learnt]), used)
        if key == self._tables:
            return
        self._tables = key

        def work(watch: Watch) -> tuple[dict[str, Column], set[str], dict[str, str]]:
            found = columns_of(tables, watch)
            here = {str(c) for table in learnt for c in table.frame.columns}
            elsewhere = {name for name in found if learnt and name not in here}
            return found, elsewhere, reasons_of([*learnt, *tables], plan, watch)

        def done(made: tuple[dict[str, Column], set[str], dict[str, str]]) -> None:
            if self._tables == key:
                self.columns, self._elsewhere, self._reasons = made
                if self.stepper is not None and self.stepper.page is self:
                    self.refresh()
                    self.update_footer()

        self.session.jobs.start(
            text("system.reading"), work, on_done=done,
            on_failed=lambda _error: None, quiet=True,
        )  # fmt: skip

    # Showing -------------------------------------------------------------------------------------

    def refresh(self) -> None:
        self._look()
        state, plan = self.session.state, self.session.plan
        trainable = bool(items_of(state, "training", "all")) and bool(plan.get("outcome"))
        self._closed.setVisible(not trainable)
        kind = self.kind
        for name, radio in self.radios.items():
            radio.setChecked(name == kind)
            radio.setEnabled(not self.session.read_only and (name != "train" or trainable))
        for name, panel in self._panel_of.items():
            panel.setVisible(name == kind)
        draft = self.session.draft(DRAFT)
        fields = draft.get("fields") or {} if isinstance(draft, dict) else None
        system = plan.get("system") or {}
        if kind == "columns":
            shown = fields if fields is not None else column_fields(system)
            self.by_columns.show_fields(shown, self.columns, not self.session.read_only)
        elif kind == "model_file":
            self.by_model.show_fields(
                fields if fields is not None else model_fields(system), self.columns
            )
        elif kind == "train":
            self.by_standin.refresh(self.columns)
        self.features.show_columns(self.columns, self._elsewhere, self._reasons, kind)
        self._show_bar()

    def _show_bar(self) -> None:
        kind, words = "", ""
        if not items_of(self.session.state, "test", "all"):
            kind, words = "info", text("system.no_data")
        elif isinstance(self.session.draft(DRAFT), dict):
            kind, words = "warning", text("system.draft", now=system_words(self.session.plan))
        elif not self.columns and self.kind in ("columns", "model_file"):
            kind, words = "info", text("system.reading")
        if kind:
            self.bar.show_message(kind, words)
        self.bar.setVisible(bool(kind))

    def ready(self) -> str:
        kind = self.kind
        if isinstance(self.session.draft(DRAFT), dict):
            panel = self.by_columns if kind == "columns" else self.by_model
            return panel.problem() or text("columns.need")
        return why_closed(self.session, 5)

    def help_html(self) -> str:
        return (
            "<p>An audit is only as good as its access. The provider's own decisions are the best "
            "source; the system itself can also decide on new cases; a stand-in says something "
            "about the data, not about the system.</p>"
            "<h3>What you do now</h3><ul><li>Choose the source that you really have.</li>"
            "<li>Ask for decisions where you only have a stand-in.</li></ul>"
            "<h3>Words used here</h3><dl><dt>Score</dt><dd>A number that says how likely the "
            "favourable outcome seems to the system.</dd><dt>Threshold</dt><dd>The score from "
            "which the decision is favourable.</dd><dt>Stand-in</dt><dd>A usual algorithm, trained "
            "here in the system's place.</dd></dl><h3>Good to know</h3><p>A model file runs in a "
            "process of its own with limits on time and memory, and never with a network.</p>"
        )
