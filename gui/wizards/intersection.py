"""The wizard of crossed groups: choices from lists, and the map of the crossings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from engine.methods.base import Setting
from gui.theme import theme
from gui.widgets.basic import TEXT_WIDTH, Label
from gui.widgets.fields import FieldRow

from .crossed_result import CrossedResult, CrossedView, load
from .crossed_words import text
from .method_page import MethodPage
from .setting_fields import Offer, SettingField

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.engine_calls import Reading

SMALL = 0.02


class LeftOut(QWidget):
    """Small crossings of the last run, each with room for the reason why it is left out."""

    def __init__(self, page: Wizard) -> None:
        super().__init__()
        self._page = page
        self.edits: dict[str, QLineEdit] = {}
        self._rows: list[QWidget] = []
        self._inner = QVBoxLayout(self)
        self._inner.setContentsMargins(0, 0, 0, 0)
        self._inner.setSpacing(10)
        self._inner.addWidget(Label(text("left_out"), "head"))
        self.said = Label("", "help", tone="second", wrap=True)
        self._inner.addWidget(self.said)
        self._shown: tuple[Any, ...] = ()

    def show_small(self, given: dict[str, str], closed: bool) -> None:
        """List the small crossings of the last run, and those left out before."""
        small = self._page.small_crossings()
        listed = {**dict.fromkeys(given, ""), **(small or {})}
        code = "left_out_note" if listed else "left_out_later" if small is None else "left_out_none"
        self.said.setText(text(code))
        if tuple(listed.items()) != self._shown:
            self._shown = tuple(listed.items())
            for made in self._rows:
                made.hide()
                made.deleteLater()
            self._rows, self.edits = [], {}
            for key, words in listed.items():
                self._add(key, words or key)
        for key, edit in self.edits.items():
            if not edit.hasFocus():
                edit.setText(given.get(key, ""))
            edit.setEnabled(not closed)

    def _add(self, key: str, words: str) -> None:
        edit = QLineEdit()
        edit.setPlaceholderText(text("left_out_reason"))
        edit.setAccessibleName(f"{text('left_out_reason')}: {words}")
        edit.editingFinished.connect(lambda: self._page.leave_out(key, edit.text().strip()))
        made = FieldRow(words, edit)
        made.setMaximumWidth(theme().px(TEXT_WIDTH))
        self.edits[key] = edit
        self._rows.append(made)
        self._inner.addWidget(made)


class Wizard(MethodPage):
    """Crossed groups."""

    def build(self) -> None:
        self.left_out: LeftOut | None = None
        super().build()

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        asked = [self._listed(s, offer) for s in settings if s.name != "left_out"]
        made = super().make_page(name, asked, offer)
        if "attributes" in self.fields and name == "Groups":
            _all_or_some(self.fields["attributes"], list(offer.attributes))
        if any(s.name == "left_out" for s in settings):
            self.left_out = LeftOut(self)
            inner = made.layout()
            assert isinstance(inner, QVBoxLayout)
            inner.addWidget(self.left_out)
        return made

    def _listed(self, setting: Setting, offer: Offer) -> Setting:
        """A setting that is typed in, with what can be chosen instead."""
        if setting.name == "reference":
            words = self._words()
            options = (
                ("highest", text("highest")),
                ("overall", text("overall")),
                *words.items(),
            )
            # a choice of two would be drawn as buttons, whose words are too long here
            return replace(setting, kind="choice", choices=options, help="")
        if setting.name == "attributes" and len(offer.attributes) > 1:
            options = tuple((name, name) for name in offer.attributes)
            return replace(setting, kind="choices", choices=options)
        return setting

    def _words(self) -> dict[str, str]:
        from engine.methods.intersection.words import cell_words, keys_of

        part = (self.session.result or {}).get(self.name)
        return {} if part is None else {key: cell_words(part, key) for key in keys_of(part)}

    # Left out -----------------------------------------------------------------------------------

    def small_crossings(self) -> dict[str, str] | None:
        """The crossings with less than 2 % of the people, in words; None before a run."""
        from engine.base.wording import count, percent
        from engine.methods.intersection.words import size_of

        part = (self.session.result or {}).get(self.name)
        if part is None:
            return None
        words = self._words()
        total = sum(c["effective_n"] for c in part["cells"].values())
        return {
            key: text(
                "left_out_row",
                cell=words[key],
                people=text("people", n=count(round(size_of(c), 1))),
                share=percent(c["effective_n"] / total),
            )
            for key, c in part["cells"].items()
            if total > 0 and 0 < c["effective_n"] < SMALL * total
        }

    def leave_out(self, key: str, reason: str) -> None:
        """Leave a crossing out for a reason; without one it counts again."""
        if self.session.read_only:
            return
        before = dict(self._given()["left_out"] or {})
        now = {k: v for k, v in before.items() if k != key}
        if reason:
            now[key] = reason
        if now == before:
            return
        given = dict(self.asked.get(self.name) or {})
        given.pop("left_out", None)
        if now:
            given["left_out"] = now
        self._set_methods({**self.asked, self.name: given}, text("set_left_out"))

    # Showing ------------------------------------------------------------------------------------

    def make_result(self) -> QWidget:
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(16)
        self.bar = self.message("info", " ")
        inner.addWidget(self.bar)
        self.result = CrossedResult()  # type: ignore[assignment]
        inner.addWidget(self.result)
        return made

    def read_result(self, reading: Reading, watch: Watch) -> CrossedView:
        return load(reading, watch)

    def refresh(self) -> None:
        super().refresh()
        if self.left_out is not None:
            self.left_out.show_small(dict(self._given()["left_out"] or {}), self.session.read_only)


def _all_or_some(field: SettingField, names: list[str]) -> None:
    """All ticked is the same as left empty."""
    get, put = field._get, field._put

    def given() -> Any:
        chosen = get()
        return (
            None if not isinstance(chosen, list) or set(chosen) in (set(), set(names)) else chosen
        )

    field._get = given
    field._put = lambda v: put(names if v is None else [v] if isinstance(v, str) else v)
