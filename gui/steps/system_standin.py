"""Step 5, a stand-in trained here: which algorithm, how many test rows, which seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from engine.base.wording import listed
from engine.plan.keys import DEFAULT_MODEL, DEFAULT_SEED
from gui.theme import theme
from gui.widgets.basic import Label, column
from gui.widgets.fields import Combo, FieldRow, NumberSpin

from .audit_texts import text
from .columns import Column, feature_names
from .system_words import MODELS

if TYPE_CHECKING:
    from gui.session import Session

SHARE = 0.15
MOST_NAMED = 12


class StandInPanel(QWidget):
    """Each field is an act of its own; ``model_picked`` sends the algorithm."""

    model_picked = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.model = Combo(MODELS, value=DEFAULT_MODEL)
        self.share = NumberSpin(1, 90, 15, decimals=1, step=1, words=text("standin.share"))
        self.share.setSuffix(" %")
        self.stratify = QCheckBox(text("standin.stratify"))
        self.stratify.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.stratify.setAccessibleDescription(text("standin.stratify_help"))
        self.evenly = Label(text("standin.stratify_help"), "help", tone="second", wrap=True)
        self.evenly.setContentsMargins(theme().px(27), 0, 0, 0)
        self.seed = QLineEdit()
        self.seed.setFixedWidth(theme().px(150))
        self.model.setMaximumWidth(theme().px(420))
        self.model_row = FieldRow(text("standin.model"), self.model, help=" ")
        self.share_row = FieldRow(
            text("standin.share"), self.share, help=text("standin.share_help")
        )
        self.seed_row = FieldRow(text("standin.seed"), self.seed, help=text("standin.seed_help"))
        self.files = Label(text("standin.share_files"), tone="second", wrap=True)
        self.learns = Label("", tone="second", wrap=True)
        self.caution = Label(text("standin.caution"), "help", tone="second", wrap=True)
        beside = QHBoxLayout()
        beside.setSpacing(24)
        for field in (self.share_row, self.seed_row):
            beside.addWidget(field, 0, Qt.AlignmentFlag.AlignTop)
        beside.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        whole.addWidget(self.model_row)
        whole.addLayout(beside)
        whole.addWidget(self.files)
        whole.addLayout(column(self.stratify, self.evenly, spacing=2))
        whole.addWidget(self.learns)
        whole.addWidget(self.caution)
        self.model.picked.connect(self.model_picked)
        self.share.valueChanged.connect(self._share_changed)
        self.stratify.clicked.connect(self._stratify_clicked)
        self.seed.editingFinished.connect(self._seed_typed)

    def _whole(self) -> list[dict[str, Any]]:
        return [i for i in self.session.state["items"] if i.get("role") == "all"]

    def _share_changed(self, percent: float) -> None:
        shown = f"{percent:g} %"
        changes = [
            (("items", item["id"], "reading", "test_share"), round(percent / 100, 6))
            for item in self._whole()
        ]
        self.session.set_many(changes, text("system.words.share", share=shown))

    def _stratify_clicked(self, on: bool) -> None:
        changes = [(("items", item["id"], "reading", "stratify"), on) for item in self._whole()]
        self.session.set_many(changes, text("system.words.stratify"))

    def _seed_typed(self) -> None:
        typed = self.seed.text().strip().replace(",", "")
        if not typed.isdecimal():
            self.seed_row.set_error(text("standin.seed_wrong"))
            return
        self.seed_row.set_error("")
        if int(typed) != self._seed():
            self.session.set(("plan", "seed"), int(typed), text("system.words.seed"))

    def _seed(self) -> int:
        seed = self.session.plan.get("seed")
        return DEFAULT_SEED if seed is None else int(seed)

    def refresh(self, columns: Mapping[str, Column]) -> None:
        """Show what the case says."""
        plan = self.session.plan
        train = (plan.get("system") or {}).get("train") or {}
        model = train.get("model") or DEFAULT_MODEL
        self.model.set_value(model)
        self.model_row.help.setText(text(f"standin.help.{model}"))
        items = self._whole()
        reading = (items[0].get("reading") or {}) if items else {}
        given = reading.get("test_share")
        self.share.blockSignals(True)
        self.share.setValue(100 * (SHARE if given is None else given))
        self.share.blockSignals(False)
        self.stratify.setChecked(reading.get("stratify") is not False)
        for widget in (self.share_row, self.stratify, self.evenly):
            widget.setVisible(bool(items))
        self.files.setVisible(not items)
        if not self.seed.hasFocus():
            self.seed.setText(str(self._seed()))
            self.seed_row.set_error("")
        names = feature_names(plan, columns)
        shown = names[:MOST_NAMED]
        more = len(names) - len(shown)
        words = listed([*shown, f"{more} more"] if more else shown)
        said = text("standin.columns", n=len(names), columns=words) if names else ""
        self.learns.setText(f"{said} {text('standin.protected')}".strip())
        self.setEnabled(not self.session.read_only)
