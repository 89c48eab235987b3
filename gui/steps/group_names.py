"""The words in which groups are printed, typed beside each value with its people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from engine.base.wording import count
from gui.session import Session
from gui.theme import theme
from gui.widgets.basic import Button, Label

from .bands import PRIVILEGED, Part, sides, values
from .inputs import DraftLine

if TYPE_CHECKING:
    from .people import Counts

PAGE = "step-2"
MOST = 60
TEXTS = {
    "show": "Words for the values…",
    "hide": "Hide the words for the values",
    "of": "{text}: {name}",
    "help": "What you type here stands in the window, on the certificate and in the tables in place "
    "of the value. The files keep their own values.",
    "row": "{value} · {people} people",
    "one": "{value} · 1 person",
    "field": "Words for {value} in {name}",
    "placeholder": "As in the file",
    "act": "named “{value}” in {name}",
    "twice": "“{words}” names two groups of “{name}”. Give them different words.",
}


class NamesPart(QWidget):
    """A field for each value or side of an attribute. ``on_labels(labels, words)`` gets what the
    plan's ``labels`` are to be and how the act is called."""

    def __init__(
        self, session: Session, name: str, on_labels: Callable[[dict[str, str], str], object]
    ) -> None:
        super().__init__()
        self.session, self.name, self._on_labels = session, name, on_labels
        self.fields: dict[str, DraftLine] = {}
        self.problem = ""
        self._rows: dict[str, Label] = {}
        self._labels: dict[str, str] = {}
        self.button = Button(TEXTS["show"], kind="link", on_click=self._fold)
        self._help = Label(TEXTS["help"], "help", tone="second", wrap=True)
        self._error = Label("", "help", tone="outside", wrap=True)
        self._place = QWidget()
        self._form = QFormLayout(self._place)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addWidget(self.button)
        for part in (self._help, self._place, self._error):
            whole.addWidget(part)
            part.hide()
        self._place.setMaximumWidth(theme().px(560))
        self._open = False
        self._name_button()

    def show_groups(self, entry: Mapping[str, Any], parts: Sequence[tuple[str, int]]) -> None:
        """Show the values or sides, each with its people, and the words that the plan gives them."""
        self._labels = {str(key): str(words) for key, words in (entry.get("labels") or {}).items()}
        keys = [key for key, _ in parts[:MOST]]
        if keys != list(self.fields):
            self._remake(keys)
        for key, people in parts[:MOST]:
            code = "one" if people == 1 else "row"
            self._rows[key].setText(TEXTS[code].format(value=key, people=count(people)))
            self.fields[key].show_value(self._labels.get(key, ""))
        drafts = self.session.draft(PAGE) or {}
        if any(f"{self.name}.words.{key}" in drafts for key in keys):
            self._open = True
        self.problem = self._twice(entry)
        self._error.setText(self.problem)
        self._show()

    def _remake(self, keys: Sequence[str]) -> None:
        while self._form.rowCount():
            self._form.removeRow(0)
        self.fields, self._rows = {}, {}
        for key in keys:
            field = DraftLine(
                self.session, PAGE, f"{self.name}.words.{key}",
                lambda text, key=key: self._typed(key, text),
                words=TEXTS["field"].format(value=key, name=self.name),
                placeholder=TEXTS["placeholder"],
            )  # fmt: skip
            label = Label("", wrap=True)
            label.setBuddy(field)
            self._form.addRow(label, field)
            self.fields[key], self._rows[key] = field, label

    def _typed(self, key: str, text: str) -> None:
        labels = {k: v for k, v in self._labels.items() if k != key}
        if text:
            labels[key] = text
        self._on_labels(labels, TEXTS["act"].format(value=key, name=self.name))

    def _twice(self, entry: Mapping[str, Any]) -> str:
        """Which words would print two groups alike; the privileged values are one group."""
        privileged = entry.get("privileged")
        together = {str(one) for one in privileged} if isinstance(privileged, list) else set()
        left_out = {str(one) for one in entry.get("left_out") or []}
        seen: dict[str, str] = {}
        for key in self.fields:
            if key in left_out:
                continue
            group = PRIVILEGED if key in together else key
            words = self._labels.get(key, key)
            if seen.setdefault(words, group) != group:
                return TEXTS["twice"].format(words=words, name=self.name)
        return ""

    def _fold(self) -> None:
        self._open = not self._open
        self._show()
        if self._open and self.fields:
            next(iter(self.fields.values())).setFocus()

    def _show(self) -> None:
        self.setVisible(bool(self.fields))
        for part in (self._help, self._place):
            part.setVisible(self._open)
        self._error.setVisible(bool(self.problem))
        self._name_button()

    def _name_button(self) -> None:
        text = TEXTS["hide" if self._open else "show"]
        self.button.set_text(text)
        self.button.setAccessibleName(TEXTS["of"].format(text=text, name=self.name))


def named_parts(entry: Mapping[str, Any], counts: Counts, *, cut: bool) -> list[tuple[str, int]]:
    """What can be named in an attribute, by its key in the plan's ``labels``, with its people."""
    if not cut:
        return [(part.label, part.people) for part in values(counts, entry)]
    rule = entry.get("privileged")
    if not isinstance(rule, Mapping):
        return []
    found: list[Part] = sides(counts, rule)
    return [(key, part.people) for key, part in zip(cut_keys(rule), found, strict=True)]


def cut_keys(rule: Mapping[str, Any]) -> tuple[str, str]:
    """The keys of the two groups of a cut, the privileged first.

    Examples
    --------
    >>> cut_keys({"at_least": 30})
    ('at least 30', 'below 30')
    """
    from engine.cohort.rules import complement_words, words

    return words(dict(rule)), complement_words([dict(rule)])


def carried(
    entry: Mapping[str, Any], rule: Mapping[str, Any], labels: Mapping[str, str]
) -> dict[str, str]:
    """Words given to the sides of a cut, kept for the same sides where the cut moves."""
    before = entry.get("privileged")
    if not isinstance(before, Mapping):
        return {}
    moved = dict(zip(cut_keys(before), cut_keys(rule), strict=True))
    return {moved[key]: words for key, words in labels.items() if key in moved}
