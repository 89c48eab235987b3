"""The wizard of monitoring: periods by files or dates, what they compare with, agreed triggers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.base.wording import number
from engine.methods.base import Setting
from engine.procedure import recertify
from gui.widgets.basic import Button, Label, row
from gui.widgets.fields import Combo
from gui.widgets.header import FoldingHeader, PageHeader

from .list_fields import LevelsField, SpansField
from .list_words import text
from .method_page import MethodPage
from .monitoring_files import FilesPart
from .pricing import with_files
from .result_view import make_view
from .setting_fields import Offer, SettingField
from .words import text as wizard_text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.engine_calls import Reading

FIXED = ("privileged", "highest", "overall")


class ReferenceField(SettingField):
    """What ratios compare with: three rules, or one of the crossings."""

    cells: Sequence[tuple[str, str]] = ()

    def _make(self, offer: Offer) -> tuple[QWidget, str]:
        made = Combo([(name, text(f"watch_{name}")) for name in FIXED], words=self.setting.words)

        def put(value: Any) -> None:
            known = {made.itemData(i) for i in range(made.count())}
            for key, called in (*self.cells, (value, str(value))):
                if key not in known:
                    made.addItem(called, key)
                    known.add(key)
            made.set_value(value)

        made.picked.connect(lambda _v: self.changed.emit())
        self._get, self._put = made.value, put
        return made, ""

    def _help(self) -> str:
        return ""


class Wizard(MethodPage):
    """Rates, people and scores over time, with triggers that were agreed."""

    def make_header(self) -> PageHeader:
        head = wizard_text("head", step=self.number)
        made = FoldingHeader(head, self.title, self.sentence, self.pages)
        made.page_changed.connect(self.show_page)
        return made

    def build(self) -> None:
        super().build()
        self.session.tables_changed.connect(self._tables_changed)

    # Pages --------------------------------------------------------------------------------------

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        form = super().make_page(name, settings, offer)
        inner = form.layout()
        assert isinstance(inner, QVBoxLayout)
        if name == "Periods":
            self.files = FilesPart(self.session)
            inner.insertWidget(0, self.files)
        elif name == "Compared with":
            self.take = Button(text("watch_take"), icon="history", small=True, on_click=self._take)
            self.taken = Label("", "help", tone="second", wrap=True)
            place = inner.indexOf(self.fields["certified"].row)
            inner.insertWidget(place, self.taken)
            inner.insertLayout(place, row(self.take, None))
        elif name == "Triggers":
            self.agree = self.message("info", " ")
            inner.insertWidget(0, self.agree)
            self.alarms = Label("", wrap=True)
            self.to_sheet = Button(
                text("watch_sheet"), icon="clipboard-list", small=True, on_click=self._to_sheet
            )
            inner.addWidget(self.alarms)
            inner.addLayout(row(self.to_sheet, None))
        return form

    def make_field(self, setting: Setting, offer: Offer) -> SettingField:
        if setting.name == "periods":
            return SpansField(setting, offer)
        if setting.name == "certified":
            levels = LevelsField(setting, offer)
            levels.set_names(self._called())
            return levels
        if setting.name == "reference":
            made = ReferenceField(setting, offer)
            made.cells = list(self._called().items())
            return made
        return super().make_field(setting, offer)

    def drop(self, paths: list[Path]) -> bool:
        if self.pages[self.open_page_index] != "Periods" or self.session.read_only:
            return False
        self.files.add(paths)
        return True

    def _tables_changed(self, _item: str = "") -> None:
        """A file was read: its columns can be chosen from now on."""
        self._offered = self._offer()
        field = self.fields.get("date")
        combo = field.row.field if field is not None else None
        if isinstance(combo, Combo):
            known = {combo.itemData(i) for i in range(combo.count())}
            for name in self._offered.columns:
                if name not in known:
                    combo.addItem(name, name)
        self.refresh()

    # Showing ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        super().refresh()
        closed = self.session.read_only
        if hasattr(self, "files"):
            self.files.refresh()
        if hasattr(self, "take"):
            levels, source = self._levels()
            self.take.setEnabled(bool(levels) and not closed)
            said = text("watch_taken", n=len(levels), source=source) if levels else ""
            self.taken.setText(said or text("watch_take_none"))
        if hasattr(self, "agree"):
            self._show_triggers(closed)

    def _show_triggers(self, closed: bool) -> None:
        part = (self.session.result or {}).get(self.name)
        seen = part is not None and bool(self.session.state["seen"]["result"])
        kind, code = ("warning", "watch_seen") if seen else ("info", "watch_agree")
        self.agree.show_message(kind, text(code))
        alarms = (part or {}).get("expected_false_alarms_a_year") or {}
        if alarms.get("any") is None:
            self.alarms.setText(text("watch_alarms_none"))
        else:
            shown = {k: number(alarms[k], digits=2) for k in ("any", "investigate", "roll_back")}
            self.alarms.setText(text("watch_alarms", **shown))
        written = (self.session.state.get("governance") or {}).get("triggers") == self._rules()
        self.to_sheet.setEnabled(not closed and not written)
        self.to_sheet.setToolTip(text("watch_sheet_done") if written else "")

    def _called(self) -> dict[str, str]:
        """The crossings that are known, by key, and what each is called."""
        part = (self.session.result or {}).get(self.name) or {}
        found = {key: part.get("words", {}).get(key, key) for key in part.get("cells") or ()}
        last = self.session.last_result or {}
        words = (last.get("intersection") or {}).get("words") or {}
        for key, cell in ((last.get("intersection") or {}).get("cells") or {}).items():
            groups = (cell.get("groups") or {}).items()
            called = " × ".join(f"{a} {words.get(a, {}).get(g, g)}" for a, g in groups)
            found.setdefault(key, called or key)
        return found

    def _levels(self) -> tuple[dict[str, Any], str]:
        """The levels of the last audit, and where they come from."""
        levels = recertify.certified_levels(self.session.last_result or {})
        replaced = recertify.replaced(self.session.state)
        code = "watch_source_last" if replaced else "watch_source_before"
        return levels, text(code, number=replaced)

    def _take(self) -> None:
        levels, _ = self._levels()
        given = dict(self.asked.get(self.name) or {})
        given["certified"] = levels
        follows = self.session.state.get("follows") or {}
        if follows.get("number"):
            given["certificate"] = follows["number"]
        self._set_methods({**self.asked, self.name: given}, text("watch_take_words"))

    def _rules(self) -> str:
        """The triggers as one text."""
        given = self._given()
        control = ""
        if given["control_limits"]:
            control = text("watch_control", level=f"{100 * given['control_level']:g}")
        return text(
            "watch_rules", hard=number(given["hard_floor"], digits=2),
            floor=number(given["floor"], digits=2), n=given["consecutive"],
            psi=number(given["psi_limit"], digits=2), control=control,
        )  # fmt: skip

    def _to_sheet(self) -> None:
        values: list[tuple[tuple[str, str], Any]] = [(("governance", "triggers"), self._rules())]
        agreed = str(self._given()["agreed"]).strip()
        if agreed:
            values.append((("governance", "agreed_by"), agreed))
        self.session.set_many(values, text("watch_sheet_words"))

    def read_result(self, reading: Reading, watch: Watch) -> Any:
        return with_files(make_view(reading, self.name, watch), reading, self.name)
