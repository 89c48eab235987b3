"""Groups that are given by columns of probabilities, one a group."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QScrollArea, QWidget

from gui.dialogs import Dialog
from gui.theme import theme
from gui.widgets.basic import Label
from gui.widgets.fields import FieldRow

from . import evidence_texts as texts
from .people import Profile


def probability_columns(profile: Profile) -> list[str]:
    """Columns that hold only numbers from 0 to 1, and more than two of them."""
    found = []
    for name in profile.columns:
        if name not in profile.base.numeric or profile.base.distinct.get(name, 0) < 3:
            continue
        frames = [f[name] for f in profile.base.frames if name in f.columns]
        if frames and all(float(s.min()) >= 0 and float(s.max()) <= 1 for s in frames if s.notna().any()):  # fmt: skip
            found.append(name)
    return found


class MembershipDialog(Dialog):
    """Asks for the attribute's name, its columns, and the group that each stands for."""

    def __init__(
        self, parent: QWidget | None, profile: Profile,
        on_use: Callable[[str, dict[str, str]], object],
    ) -> None:  # fmt: skip
        super().__init__(
            parent, texts.text("membership.title"), texts.text("membership.sentence"), width=560
        )
        self._on_use = on_use
        self.name = QLineEdit()
        self.body.addWidget(
            FieldRow(
                texts.text("membership.name"), self.name, help=texts.text("membership.name_help")
            )
        )
        self.fields: dict[str, tuple[QCheckBox, QLineEdit]] = {}
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 12, 0)
        for place, column in enumerate(probability_columns(profile)):
            check, group = QCheckBox(column), QLineEdit(column.removeprefix("p_"))
            group.setAccessibleName(f"{texts.text('membership.group')}: {column}")
            group.setEnabled(False)
            check.toggled.connect(group.setEnabled)
            check.toggled.connect(self._check)
            group.textChanged.connect(self._check)
            grid.addWidget(check, place, 0)
            grid.addWidget(group, place, 1)
            self.fields[column] = (check, group)
        grid.setRowStretch(len(self.fields), 1)
        if not self.fields:
            grid.addWidget(Label(texts.text("membership.none"), tone="second", wrap=True), 0, 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        scroll.setMinimumHeight(theme().px(220))
        self.body.addWidget(scroll)
        self._need = Label(texts.text("membership.need"), "help", tone="second", wrap=True)
        self.body.addWidget(self._need)
        self.name.textChanged.connect(self._check)
        self.add_button(texts.text("button.cancel"), self.reject)
        self.use = self.add_button(texts.text("membership.use"), self.keep, primary=True)
        self._check()

    def groups(self) -> dict[str, str]:
        """Group to column, as ticked."""
        return {
            group.text().strip(): column
            for column, (check, group) in self.fields.items()
            if check.isChecked() and group.text().strip()
        }

    def _check(self, *_given: object) -> None:
        ready = bool(self.name.text().strip()) and len(self.groups()) >= 2
        self.use.setEnabled(ready)
        self._need.setVisible(not ready)

    def keep(self) -> None:
        """Enter the attribute."""
        self._on_use(self.name.text().strip(), self.groups())
        self.accept()
