"""The wizard of any method, made from its settings; its last page shows what it found."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.base.problems import Problem, Refused
from engine.methods import method
from engine.methods.asking import check_setting
from engine.methods.base import Setting
from gui import messages
from gui.steps.base import BETWEEN, StepPage
from gui.theme import theme
from gui.widgets.basic import TEXT_WIDTH, Button, Elided, Label, row
from gui.widgets.header import PageHeader, WizardHeader

from .result_view import ResultView, make_view
from .setting_fields import Offer, SettingField, Unreadable
from .words import text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.engine_calls import Reading
    from gui.session import Session
    from gui.stepper import Stepper

CERTIFICATION = "certification"


class MethodPage(StepPage):
    """One wizard for every method.

    A method's own wizard (:func:`gui.wizards.own_page`) may override :meth:`make_page` (a page of
    settings) and :meth:`make_result` / :meth:`show_result` (the result page).
    """

    def __init__(self, name: str, session: Session, stepper: Stepper | None) -> None:
        self.method = method(name)
        self.name = name
        self.number = self.method.step  # type: ignore[misc]
        self.title = self.method.title  # type: ignore[misc]
        self.sentence = self.method.question  # type: ignore[misc]
        self.help_name = name
        self.pages = self.method.pages or ("Result",)
        self.open_page_index = 0
        self.fields: dict[str, SettingField] = {}
        self._view_of = ""
        self._making = ""
        super().__init__(session, stepper)

    def make_header(self) -> PageHeader:
        head = text("head", step=self.number)
        made = WizardHeader(head, f"{self.title}: {self._short()}", self.sentence, self.pages)
        made.title.setText(self.title)
        made.page_changed.connect(self.show_page)
        return made

    def _short(self) -> str:
        return self.sentence

    # Pages --------------------------------------------------------------------------------------

    def build(self) -> None:
        self.state_words = Elided("", "help", tone="second")
        self.toggle = Button("", small=True, on_click=self._toggle)
        self.reset = Button(text("defaults"), kind="link", on_click=self._reset)
        line = row(self.state_words, self.reset, self.toggle, spacing=16)
        line.setStretch(0, 1)
        self.body.addLayout(line)
        self._offered = self._offer()
        self._parts: dict[int, QWidget] = {}
        last = len(self.pages) - 1
        self._parts[last] = self.make_result()
        self.body.addWidget(self._parts[last])
        if self.name in (self.session.result or {}) and self.session.result_current:
            self.open_page_index = len(self.pages) - 1
        header = self.header
        if isinstance(header, WizardHeader):
            header.tabs.blockSignals(True)
            header.show_page(self.open_page_index)
            header.tabs.blockSignals(False)
        self._show_part()

    def _settings_of(self, page: str) -> list[Setting]:
        """Its settings; those of a page that the method does not have stand on the first one."""
        first = self.pages[0]
        return [
            s
            for s in self.method.settings
            if s.page == page or (s.page not in self.pages and page == first)
        ]

    def _offer(self) -> Offer:
        columns: list[str] = []
        for item in self.session.state["items"]:
            table = self.session.table(item["id"])
            if table is not None:
                columns += [str(c) for c in table.frame.columns if str(c) not in columns]
        names = [
            str(entry.get("name") or entry.get("column"))
            for entry in self.session.plan.get("protected") or ()
        ]
        return Offer(columns, names)

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        """A page of settings, one field below the other."""
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(14)
        for setting in settings:
            field = self.make_field(setting, offer)
            field.setParent(self)
            field.changed.connect(lambda f=field: self._changed(f))
            field.typed.connect(self._typed)
            self.fields[setting.name] = field
            field.row.setMaximumWidth(theme().px(TEXT_WIDTH))
            inner.addWidget(field.row)
        if not settings:
            inner.addWidget(Label(text("no_settings"), tone="second", wrap=True))
        return made

    def make_field(self, setting: Setting, offer: Offer) -> SettingField:
        """The field of a setting; a wizard may give one that fits better."""
        return SettingField(setting, offer)

    def make_result(self) -> QWidget:
        """The page of the result."""
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(BETWEEN)
        self.bar = self.message("info", " ")
        inner.addWidget(self.bar)
        self.result = ResultView()
        inner.addWidget(self.result)
        return made

    def show_page(self, index: int) -> None:
        """Open a page of the wizard by its number from 0."""
        self.open_page_index = min(len(self.pages) - 1, max(0, index))
        header = self.header
        if isinstance(header, WizardHeader):
            header.show_page(self.open_page_index)
        self._show_part()
        self.scroll.verticalScrollBar().setValue(0)
        if self.on_result:
            self._see()
        self.refresh()
        self.update_footer()

    def _show_part(self) -> None:
        """Show the open page; a page is made when it is first opened."""
        index = self.open_page_index
        if index not in self._parts:
            name = self.pages[index]
            made = self._parts[index] = self.make_page(name, self._settings_of(name), self._offered)
            self.body.insertWidget(self.body.indexOf(self._parts[len(self.pages) - 1]), made)
        for place, part in self._parts.items():
            part.setVisible(place == index)

    @property
    def on_result(self) -> bool:
        """Whether the last page is open."""
        return self.open_page_index == len(self.pages) - 1

    def opened(self) -> None:
        if self.on_result:
            self._see()

    def _see(self) -> None:
        if self.session.state["result"] is not None and self.name in (self.session.result or {}):
            self.session.see_result()

    # The plan -----------------------------------------------------------------------------------

    @property
    def asked(self) -> dict[str, Any]:
        """The methods of the plan."""
        found: dict[str, Any] = self.session.plan.get("methods") or {CERTIFICATION: {}}
        return found

    @property
    def in_plan(self) -> bool:
        """Whether the method is part of the audit."""
        return self.name in self.asked

    def _given(self) -> dict[str, Any]:
        return {**self.method.defaults(), **(self.asked.get(self.name) or {})}

    def _set_methods(self, methods: dict[str, Any], words: str) -> bool:
        return self.session.set(("plan", "methods"), methods, words)

    def _toggle(self) -> None:
        methods, title = dict(self.asked), self.title
        if self.in_plan:
            methods.pop(self.name)
            self._set_methods(methods, text("words.remove", title=title))
        else:
            self._set_methods({**methods, self.name: {}}, text("words.add", title=title))

    def _reset(self) -> None:
        self.session.set_draft(self._draft_key, None)
        for field in self.fields.values():
            field.row.set_error("")
        self._set_methods({**self.asked, self.name: {}}, text("words.defaults", title=self.title))
        self.refresh()

    def _changed(self, field: SettingField) -> None:
        """A person has finished a change: check it, and enter it as an act."""
        if self.session.read_only:
            return
        setting = field.setting
        try:
            value = field.value()
        except Unreadable as error:
            field.row.set_error(str(error))
            return
        wrong = check_setting(self.name, setting.name, value)
        field.row.set_error(f"{wrong[:1].upper()}{wrong[1:]}." if wrong else "")
        if wrong:
            return
        given = dict(self.asked.get(self.name) or {})
        before = given.get(setting.name, setting.default)
        if value == before and type(value) is type(before):
            self._typed()
            return
        if value == setting.default and type(value) is type(setting.default):
            given.pop(setting.name, None)
        else:
            given[setting.name] = value
        said = text("words.set", title=self.title, setting=setting.words)
        if self._set_methods({**self.asked, self.name: given}, said):
            self._typed()

    @property
    def _draft_key(self) -> str:
        return f"wizard-{self.name}"

    def _typed(self) -> None:
        """Keep what is half typed through a crash."""
        kept = self.session.draft(self._draft_key) or {}
        half = {name: typed for name, typed in kept.items() if name not in self.fields}
        for name, field in self.fields.items():
            typed = field.text()
            if typed is None:
                continue
            try:
                whole = field.value()
            except Unreadable:
                whole = object()
            if whole != self._given()[name]:
                half[name] = typed
        self.session.set_draft(self._draft_key, half or None)

    # Showing ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        given, draft = self._given(), self.session.draft(self._draft_key) or {}
        closed = self.session.read_only
        for name, field in self.fields.items():
            if not field.busy():
                if name in draft:
                    field.show_text(draft[name])
                else:
                    field.show_value(given[name])
            field.row.field.setEnabled(not closed)
        shown = self.session.result_current and self.name in (self.session.result or {})
        self.state_words.setText(
            text("not_in_plan" if not self.in_plan else "ran" if shown else "in_plan")
        )
        self.toggle.set_text(text("remove" if self.in_plan else "add"))
        self.toggle.setVisible(self.name != CERTIFICATION)
        self.toggle.setEnabled(not closed)
        changed = bool(self.asked.get(self.name)) or bool(draft)
        self.reset.setVisible(changed and not closed and not self.on_result)
        if self.on_result:
            self.show_result()

    def show_result(self) -> None:
        """Show what the last run found, or why there is nothing."""
        session = self.session
        ran = self.name in (session.result or {})
        closed = self._cannot_run()
        link = ("", "") if closed else (text("run"), "my:run")
        if self._running():
            self.bar.show_message("info", text("running"))
            self.bar.show()
        elif not ran:
            code = "not_run" if self.in_plan else "not_added"
            said = text("needs_data", why=closed) if closed else text(code)
            self.bar.show_message("info", said, link_text=link[0], link=link[1])
            self.bar.show()
        elif not session.result_current or not self.in_plan:
            said = text("stale_closed", why=closed) if closed else text("stale")
            self.bar.show_message("warning", said, link_text=link[0], link=link[1])
            self.bar.show()
        else:
            self.bar.hide()
        if not ran:
            self.result.clear()
            self._view_of = ""
            return
        sha = session.state["result"]["result_sha256"]
        reading = session.reading
        if sha in (self._view_of, self._making) or reading is None:
            return
        self._making = sha
        session.jobs.start(
            text("making"), lambda watch: self.read_result(reading, watch),
            on_done=lambda view: self._made(sha, view), on_failed=lambda _e: self._lost(),
            quiet=True,
        )  # fmt: skip

    def read_result(self, reading: Reading, watch: Watch) -> Any:
        """Everything that the result page shows; runs in a job."""
        return make_view(reading, self.name, watch)

    def _made(self, sha: str, view: Any) -> None:
        self._view_of, self._making = sha, ""
        self.result.show_view(view, self._export)

    def _lost(self) -> None:
        self._making = ""

    def _export(self, stem: str, path: Path) -> None:
        data = self.session.result_table(stem) or b""
        try:
            path.write_bytes(data)
        except OSError as error:
            why = error.strerror or str(error)
            self.session.refused.emit(Refused(Problem(path.name, "", why)))

    # Running ------------------------------------------------------------------------------------

    def _running(self) -> bool:
        name = messages.text("job.audit")
        return any(job.name == name for job in self.session.jobs.running())

    def _cannot_run(self) -> str:
        if self.session.read_only:
            return self.session.read_only_words
        view = self.session.views()[6]
        return view.why if view.blocked_by is not None else ""

    def run(self) -> None:
        """Add the method where it is not part of the audit, and run."""
        if self._running() or self._cannot_run():
            return
        if not self.in_plan:
            self._toggle()
        self.session.run_audit(on_done=self._ran)
        self.refresh()
        self.update_footer()

    def _ran(self) -> None:
        if self.stepper is not None and self.stepper.page is self and self.on_result:
            self._see()

    def follow(self, link: str) -> bool:
        if link == "my:run":
            self.run()
            return True
        return False

    # Frame --------------------------------------------------------------------------------------

    def on_back(self) -> bool:
        """The page before; False leaves the wizard."""
        if self.open_page_index == 0:
            return False
        self.show_page(self.open_page_index - 1)
        return True

    def on_continue(self) -> bool:
        """The next page; after the last one the step that the wizard hangs on."""
        for field in self.fields.values():
            if field.busy():
                self._changed(field)
        if not self.on_result:
            self.show_page(self.open_page_index + 1)
        elif self.stepper is not None:
            self.stepper.close_wizard()
        return False

    def hint(self) -> str:
        return text("page_of", n=self.open_page_index + 1, total=len(self.pages))

    def help_html(self) -> str:
        page = self.pages[self.open_page_index]
        settings = [] if self.on_result else self._settings_of(page)
        words_of = "".join(
            f"<dt>{html.escape(s.words)}</dt><dd>{html.escape(s.help)}</dd>"
            for s in settings
            if s.help
        )
        asked = f"<h3>What this page asks</h3><dl>{words_of}</dl>" if words_of else ""
        grades = (
            """
<h3>Words used here</h3>
<dl><dt>Shown</dt><dd>The data show the gap: the whole interval says so.</dd>
<dt>Ruled out</dt><dd>A gap of that size does not fit the data.</dd>
<dt>Not settled</dt><dd>The data can tell neither.</dd></dl>"""
            if self.on_result
            else ""
        )
        return f"""
<p><b>{html.escape(self.method.question)}</b></p>
<p>A method answers a question of its own beside the certification. What it finds is printed
behind page 1.</p>
{asked}{grades}
<p><a href="help:{self.name}">More about this method</a></p>
"""
