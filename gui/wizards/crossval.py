"""The wizard of the cross-validated tests: question, data, algorithms, folds, running, result."""

from __future__ import annotations

import dataclasses
import html
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from PySide6.QtWidgets import QVBoxLayout, QWidget
from shiboken6 import isValid

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.methods.base import Setting
from gui import messages
from gui.jobs import Job
from gui.steps.base import BETWEEN
from gui.widgets.basic import Label
from gui.widgets.header import FoldingHeader, PageHeader

from .crossval_data import (
    SAMPLE,
    CrossvalView,
    People,
    load,
    look_ahead,
    people_key,
    read_people,
)
from .crossval_pages import (
    FoldsAhead,
    PeopleAhead,
    RunningPage,
    TimeAhead,
    complete_words,
    grid_ahead,
)
from .crossval_result import CrossvalResult
from .crossval_words import duration, text
from .method_page import MethodPage
from .setting_fields import Offer, SettingField
from .words import text as wizard_text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from gui.engine_calls import Reading
    from gui.session import Session

QUESTION, DATA, ALGORITHMS, FOLDS, RUNNING = "Question", "Data", "Algorithms", "Folds", "Running"
_PEOPLE: WeakKeyDictionary[Session, People] = WeakKeyDictionary()


class Wizard(MethodPage):
    """Cross-validated tests, with what the people allow beside each question."""

    def build(self) -> None:
        self._ahead: dict[str, Any] | None = None
        self._ahead_key = self._asked_key = ""
        self._why = text("no_data")
        self._panels: dict[str, Any] = {}
        self.running: RunningPage | None = None
        super().build()
        self.session.jobs.changed.connect(self._job_changed)
        self.session.tables_changed.connect(self._table_read)

    def make_header(self) -> PageHeader:
        head = wizard_text("head", step=self.number)
        made = FoldingHeader(head, self.title, text("sentence"), self.pages)
        made.page_changed.connect(self.show_page)
        made.tabs.currentChanged.connect(lambda _index: made.tabs.updateGeometry())
        return made

    @property
    def open_name(self) -> str:
        """The name of the open page."""
        return self.pages[self.open_page_index]

    # Pages --------------------------------------------------------------------------------------

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        if name == RUNNING:
            return self._make_running()
        settings = [self._with_names(s, offer) for s in settings]
        form = super().make_page(name, settings, offer)
        if name == QUESTION:
            self.means = Label("", wrap=True)
            inner = form.layout()
            assert isinstance(inner, QVBoxLayout)
            inner.addWidget(Label(text("means"), "section"))
            inner.addWidget(self.means)
            return form
        ahead = {DATA: PeopleAhead, ALGORITHMS: TimeAhead, FOLDS: FoldsAhead}[name]()
        ahead.asked.connect(self.follow_link)
        self._panels[name] = ahead
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(BETWEEN)
        inner.addWidget(form)
        inner.addWidget(ahead)
        if name == FOLDS:  # what is advised stands under the number of folds
            fields = form.layout()
            assert isinstance(fields, QVBoxLayout)
            fields.insertWidget(1, ahead.told)
        if name == DATA and len(offer.attributes) < 2:
            for setting in ("more_attributes", "crossed"):
                self.fields[setting].row.hide()
            inner.insertWidget(1, Label(text("one_attribute"), "help", tone="second", wrap=True))
        return made

    @staticmethod
    def _with_names(setting: Setting, offer: Offer) -> Setting:
        """Lists of attributes are ticked, not typed."""
        if setting.name not in ("more_attributes", "crossed"):
            return setting
        names = tuple((name, name) for name in offer.attributes)
        return dataclasses.replace(setting, kind="choices", choices=names)

    def _make_running(self) -> RunningPage:
        made = self.running = RunningPage()
        made.run_asked.connect(self.run)
        made.cancel_asked.connect(self._cancel)
        made.result_asked.connect(lambda: self.show_page(len(self.pages) - 1))
        made.forget_asked.connect(self._forget)
        made.refused.connect(self.session.refuse)
        return made

    def make_result(self) -> QWidget:
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(BETWEEN)
        self.bar = self.message("info", " ")
        inner.addWidget(self.bar)
        self.result: CrossvalResult = CrossvalResult()  # type: ignore[assignment]
        inner.addWidget(self.result)
        return made

    def _changed(self, field: SettingField) -> None:
        if field.setting.name == "crossed" and len(field.value()) == 1:
            field.row.set_error(text("cross_two"))  # half done: the next tick completes it
            return
        super()._changed(field)

    # Looking ahead ------------------------------------------------------------------------------

    def _table_read(self, _item: str) -> None:
        if isValid(self):
            self._offered = self._offer()
            self.refresh()

    def _look_ahead(self) -> None:
        """Have folds, fits and time worked out for the settings as they are now."""
        from gui.steps.recorded import tables_at_hand

        session = self.session
        plan = session.plan
        if not session.state["items"] or not plan.get("protected") or not plan.get("outcome"):
            self._ahead, self._ahead_key, self._why = None, "", text("no_data")
            return
        people = people_key(session.state)
        key = canonical_json([people, self._given()])
        if key in (self._ahead_key, self._asked_key):
            return
        self._asked_key, self._why = key, text("reading")
        known, state, case, given = _PEOPLE.get(session), session.state, session.case, self._given()
        tables = tables_at_hand(session)

        def work(watch: Watch) -> tuple[People, dict[str, Any]]:
            found = known
            if found is None or found.key != people:
                found = read_people(case, state, tables, watch)
            return found, look_ahead(found, given, watch)

        session.jobs.start(
            text("reading"), work, on_done=lambda made: self._seen(key, *made),
            on_failed=lambda error: self._unseen(key, error), quiet=True,
        )  # fmt: skip

    def _seen(self, key: str, people: People, ahead: dict[str, Any]) -> None:
        if not isValid(self):  # the wizard was left meanwhile
            return
        _PEOPLE[self.session] = people
        if key == self._asked_key:
            self._ahead, self._ahead_key, self._asked_key = ahead, key, ""
            self._show_ahead()

    def _unseen(self, key: str, error: Exception) -> None:
        if not isValid(self) or key != self._asked_key:
            return
        self._ahead, self._ahead_key, self._asked_key = None, key, ""
        why = error.problems[0].text if isinstance(error, Refused) else str(error)
        self._why = text("no_people", why=why)
        self._show_ahead()

    def _show_ahead(self) -> None:
        """Put what is known into the open page."""
        panel = self._panels.get(self.open_name)
        if panel is not None and self._ahead is None:
            panel.nothing(self._why)
        elif isinstance(panel, TimeAhead):
            panel.show_ahead(self._ahead or {}, SAMPLE)
        elif panel is not None:
            panel.show_ahead(self._ahead)
        if self.open_name == RUNNING:
            self._show_running()

    # Showing ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        super().refresh()
        if self.open_name == QUESTION:
            given = self._given()
            self.means.setText(f"{text(given['question'])} {text(given['scheme'])}")
        if not self.on_result and self.open_name != QUESTION:
            self._look_ahead()
            self._show_ahead()

    def read_result(self, reading: Reading, watch: Watch) -> CrossvalView:
        return load(reading, watch)

    # Running ------------------------------------------------------------------------------------

    def _audit_job(self) -> Job | None:
        name = messages.text("job.audit")
        return next((job for job in self.session.jobs.running() if job.name == name), None)

    def _job_changed(self, job: Job) -> None:
        if isValid(self) and job.name == messages.text("job.audit") and self.open_name == RUNNING:
            self._show_running()

    def _titles(self) -> dict[str, str]:
        setting = next(s for s in self.method.settings if s.name == "models")
        return dict(setting.choices)

    def _show_running(self) -> None:
        page, titles = self.running, self._titles()
        assert page is not None
        job = self._audit_job()
        ahead = self._ahead
        if job is not None:
            if ahead is not None and not job.grid:
                page.grid.show_grid(grid_ahead(ahead), titles)
            page.show_running(job, titles)
            return
        closed = self._cannot_run()
        part = (self.session.result or {}).get(self.name)
        if part is not None and self.session.result_current and self.in_plan:
            fits = part["fits"] or {}
            each = part["scheme"] == "shared model"
            words = complete_words(fits, each=each) if fits else text("no_fits", name=_system(part))
            page.show_still(words, fits, titles, result=True)
            return
        stopped = self._stopped()
        run = "" if closed else wizard_text("run")
        if stopped is not None:
            words, grid = stopped
            if closed:  # nothing goes on here, and nothing is thrown away
                page.show_still(wizard_text("needs_data", why=closed), grid, titles)
            else:
                page.show_still(words, grid, titles, run=text("go_on"), forget=True)
        elif closed:
            page.show_still(wizard_text("needs_data", why=closed), {}, titles)
        elif ahead is None:
            page.show_still(self._why, {}, titles, run=run)
        elif ahead["supplied"]:
            page.show_still(text("no_fits", name=ahead["supplied"]), {}, titles, run=run)
        else:
            many = sum(m["fits"] for m in ahead["models"].values())
            time = text("time_line", fits=many, time=duration(ahead["seconds"]))
            page.show_still(text("not_started", time=time), grid_ahead(ahead), titles, run=run)

    def _stopped(self) -> tuple[str, dict[str, str]] | None:
        """How far a run had come when it was stopped, in words and as a grid."""
        from engine.methods.crossval.kept import noted

        kept = self.session.kept
        told = noted(kept)
        if told is None or not self.in_plan:
            return None
        code = "stopped" if kept.stamped() == kept.stamp else "stopped_other"
        return text(code, done=told["done"], total=told["total"]), told["grid"]

    def run(self) -> None:
        """Run, and show the fits as they end."""
        super().run()
        if self.open_name not in (RUNNING, self.pages[-1]):
            self.show_page(self.pages.index(RUNNING))
        elif self.open_name == RUNNING:
            self._show_running()

    def _cancel(self) -> None:
        job = self._audit_job()
        if job is not None:
            self.session.jobs.cancel(job)

    def _forget(self) -> None:
        """Begin anew: nothing of a stopped run is used again."""
        from engine.methods.crossval.kept import forget

        forget()
        self.session.kept.remove()
        self.refresh()

    def follow(self, link: str) -> bool:
        ahead = self._ahead
        if link == "my:advised" and ahead is not None and ahead["advised"] is not None:
            self._give("k", ahead["advised"], text("set_k"))
            return True
        if link == "my:sample":
            self._give("svm_sample", SAMPLE, text("set_sample"))
            return True
        return super().follow(link)

    def _give(self, name: str, value: Any, words: str) -> None:
        """Put a setting into the plan as an act; a default leaves it."""
        given = dict(self.asked.get(self.name) or {})
        given.pop(name, None)
        if value != self.method.defaults()[name]:
            given[name] = value
        said = f"{self.method.title}: {words}"
        self._set_methods({**self.asked, self.name: given}, said)
        self.refresh()

    # Help ---------------------------------------------------------------------------------------

    def help_html(self) -> str:
        told = HELP.get(self.open_name)
        if told is None:
            return super().help_html()
        return f"""
<p><b>{html.escape(self.method.question)}</b></p>
{told}
<p><a href="help:{self.name}">More about this method</a></p>
"""


def _system(part: dict[str, Any]) -> str:
    """The column of the decisions that were taken as out of fold."""
    return ", ".join(m["title"] for m in part["models"].values())


HELP = {
    RUNNING: """
<p>Each square is one fit: an algorithm that has learnt from all folds but one decides about the
people of that fold.</p>
<h3>What you do now</h3>
<ul><li>Run the audit. You can go on working in the window meanwhile.</li>
<li>Cancel where it takes too long: what is done is kept, also when the program is closed.</li>
<li>Read the squares that are crossed: the result says why there are no decisions.</li></ul>
<h3>Words used here</h3>
<dl><dt>Stopped before it settled</dt><dd>The algorithm made as many rounds as it may and still
changed. Its decisions are used, and the result says so.</dd></dl>
""",
    "Result": """
<h3>What you do now</h3>
<ul><li>Read the grid: a row an algorithm, a column a definition.</li>
<li>Copy the sentence above it where you write about the result; it says no more than was found.
</li></ul>
<h3>Words used here</h3>
<dl><dt>Difference shown</dt><dd>It remains after correction for everything shown.</dd>
<dt>Equivalence shown</dt><dd>A difference as large as the margin is ruled out, after the same
correction.</dd>
<dt>Undecided</dt><dd>Neither is shown. It is the usual answer for small groups, and not equal
treatment. Beside it stands the smallest difference that so many people would have shown.</dd>
<dt>As published</dt><dd>The paper's own tests fold by fold, without correction. A dash is a p above
the level, which shows nothing.</dd></dl>
""",
}
