"""The wizard of the peers method: question, peers, test and result, with two pages behind them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.base import wording
from engine.methods.base import Setting
from engine.methods.peers import called
from gui import messages, papers
from gui.jobs import Job
from gui.widgets.basic import Button, Label

from . import peers_stress, peers_view
from .method_page import MethodPage
from .peers_header import SENTENCES, STRESS, TABS, WATCHOUT, PeersHeader
from .peers_order import FeatureOffer, offers
from .peers_pages import StressPage, WatchoutPage
from .peers_paper import PaperDialog, ask_and_write, write
from .peers_result import PeersResult
from .peers_view import Paper, PeersView
from .peers_words import text
from .setting_fields import Offer
from .words import text as wizard_text

if TYPE_CHECKING:
    from pathlib import Path

    from engine.base.watch import Watch
    from gui.engine_calls import Reading


class Wizard(MethodPage):
    """Peer-induced fairness as published, and beside it what the data can carry."""

    header: PeersHeader

    # Frame --------------------------------------------------------------------------------------

    def make_header(self) -> PeersHeader:
        made = PeersHeader(self.pages, text("each_plain"))
        made.step.setText(wizard_text("head", step=self.number))
        made.page_changed.connect(lambda tab: self.show_page(made.page_of(tab)))
        return made

    def build(self) -> None:
        self._came_from = self.pages.index("Result")
        self._rate_of: tuple[Any, ...] = ()
        self._offers: list[FeatureOffer] | None = None
        self._reading_features = False
        self._view: PeersView | None = None
        self.rate_bar = self.message("warning", " ")
        self.rate_bar.hide()
        self.last_run = Label("", "help", tone="second", wrap=True)
        self.last_run.hide()
        super().build()
        self.body.insertWidget(2, self.rate_bar)
        self.session.jobs.changed.connect(self._job_changed)
        self.session.tables_changed.connect(self._tables_changed)

    @property
    def open_name(self) -> str:
        """The name of the open page."""
        return self.pages[self.open_page_index]

    def show_page(self, index: int) -> None:
        name = self.pages[min(len(self.pages) - 1, max(0, index))]
        if name in (WATCHOUT, STRESS) and self.open_name not in (WATCHOUT, STRESS):
            self._came_from = self.open_page_index
        header = self.header
        header.tabs.blockSignals(True)
        super().show_page(index)
        header.tabs.blockSignals(False)

    def open_extra(self, name: str) -> None:
        """Open the page of the watch-out list or of the stress tests."""
        self.show_page(self.pages.index(name))

    def on_back(self) -> bool:
        if self.open_name in (WATCHOUT, STRESS):
            self.show_page(self._came_from)
            return True
        tab = TABS.index(self.open_name)
        if tab == 0:
            return False
        self.show_page(self.header.page_of(tab - 1))
        return True

    def on_continue(self) -> bool:
        if self.on_result:
            return super().on_continue()
        for field in self.fields.values():
            if field.busy():
                self._changed(field)
        extra = self.open_name in (WATCHOUT, STRESS)
        tab = TABS.index(self.open_name) if not extra else len(TABS) - 2
        self.show_page(self.header.page_of(tab + 1))
        return False

    def hint(self) -> str:
        if self.on_result and self._view is not None:
            test, plan = self._view.part["test"], self.session.result or {}
            seed = (plan.get("plan") or {}).get("seed", self.session.plan.get("seed", 0))
            draws = wording.count(test["draws"])
            return text("hint", draws=draws, sample=test["sample"], seed=seed)
        if self.open_name in (WATCHOUT, STRESS):
            return text("back_words")
        return wizard_text("page_of", n=TABS.index(self.open_name) + 1, total=len(TABS))

    # Pages --------------------------------------------------------------------------------------

    def make_page(self, name: str, settings: list[Setting], offer: Offer) -> QWidget:
        if name == WATCHOUT:
            rules = [s for s in settings if s.name not in ("order", "intrinsic")]
            self.watchout = WatchoutPage(super().make_page(name, rules, offer))
            self.watchout.order.ordered.connect(self._ordered)
            self.watchout.order.fixed.connect(self._fixed)
            self.watchout.preview_asked.connect(lambda: self.preview())
            self.watchout.save_asked.connect(self._save)
            self.watchout.letters_asked.connect(self._letters)
            self.watchout.bar.activated.connect(self.follow_link)
            return self.watchout
        if name == STRESS:
            settings = [s for s in settings if s.name != peers_stress.CELLS]
        form = super().make_page(name, settings, offer)
        if name == STRESS:
            self.stress = StressPage(form)
            self.stress.run_asked.connect(self.run)
            self.stress.cancel_asked.connect(self._cancel)
            self.stress.show_job(self._audit_job())
            return self.stress
        inner = form.layout()
        assert isinstance(inner, QVBoxLayout)
        if name == "Peers":
            inner.addWidget(self.last_run)
        if name == "Test":
            self.extras = QWidget()
            inner.addWidget(Label(text("extras"), "section"))
            for words, page, icon in (
                (text("to_watchout"), WATCHOUT, "list-checks"), (text("to_stress"), STRESS, "dices")
            ):  # fmt: skip
                inner.addWidget(
                    Button(words, icon=icon, small=True, on_click=lambda p=page: self.open_extra(p))
                )
        return form

    def make_result(self) -> QWidget:
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(12)
        self.bar = self.message("info", " ")
        inner.addWidget(self.bar)
        self.result: PeersResult = PeersResult(self.session)  # type: ignore[assignment]
        self.result.page_asked.connect(lambda name: self.preview(name))
        self.result.extra_asked.connect(self.open_extra)
        inner.addWidget(self.result)
        return made

    # Showing ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        super().refresh()
        ran = self._part()
        current = self.on_result and ran is not None and self.in_plan
        for widget in (self.state_words, self.toggle):
            widget.setVisible(not current)
        self.header.set_sentence(self._sentence(ran))
        form = self.open_name != "Result"
        self.rate_bar.setVisible(form and bool(self._rate_of))
        if form:
            self._show_rate()
        if ran is not None:
            self._show_last(ran)
        if self.open_name == WATCHOUT:
            self._show_watchout()
        if self.open_name == STRESS:
            self.stress.show_settings(
                self._given(), closed=self._cannot_run(), part=ran, stands=self._stands()
            )
            self.stress.show_job(self._audit_job())
            self.show_result()
            self.stress.show_result(self._view.stress if self._view else None, self._export)

    def _part(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = (self.session.result or {}).get(self.name)
        return found

    def _sentence(self, part: dict[str, Any] | None) -> str:
        if self.open_name in SENTENCES:
            return text(SENTENCES[self.open_name])
        if part is None:
            return text("each_plain")
        if self.on_result and self._view is not None:
            return self._view.conclusion
        return text("each", mine=called.mine(part), theirs=called.theirs(part))

    def _show_last(self, part: dict[str, Any]) -> None:
        if part["delta"] is None:
            return
        count = wording.count
        self.last_run.setText(
            text(
                "last_run", tested=count(part["n_tested"]), n=count(part["n_protected"]),
                no_peer=count(part["n_no_peer"]), too_few=count(part["n_too_few"]),
                delta=wording.number(part["delta"]),
            )
        )  # fmt: skip
        self.last_run.show()

    def _show_rate(self) -> None:
        """The share flagged with nothing wrong, for the N and K that are chosen now."""
        given = self._given()
        wanted = tuple(given[k] for k in ("draws", "sample", "level", "replace", "closed_form"))
        if wanted == self._rate_of:
            return
        self._rate_of = wanted
        draws, sample, level, replace, closed = wanted

        def work(watch: Watch) -> float:
            from engine.methods.peers.published import flag_rate

            return flag_rate(
                draws=draws, sample=sample, level=level, replace=replace, exact_mean=closed
            )

        def show(rate: float) -> None:
            if wanted != self._rate_of:
                return
            said = text(
                "flags_setting", rate=wording.percent(rate), draws=wording.count(draws),
                sample=wording.count(sample),
            )  # fmt: skip
            self.rate_bar.show_message("warning", said)
            self.rate_bar.setVisible(self.open_name != "Result")

        self.session.jobs.start(text("reading"), work, on_done=show, quiet=True)

    def read_result(self, reading: Reading, watch: Watch) -> PeersView:
        return peers_view.load(reading, watch)

    def _made(self, sha: str, view: PeersView) -> None:
        self._view_of, self._making, self._view = sha, "", view
        self.result.show_view(view, self._export, self.session.reading)
        self.header.set_sentence(self._sentence(self._part()))
        if self.open_name == STRESS:
            self.stress.show_result(view.stress, self._export)
        self.update_footer()

    def show_result(self) -> None:
        if self._part() is None:
            self._view = None
        super().show_result()

    # Running ------------------------------------------------------------------------------------

    def _audit_job(self) -> Job | None:
        name = messages.text("job.audit")
        audits = (job for job in self.session.jobs.running() if job.name == name)
        return peers_stress.job_of(self.session) or next(audits, None)

    def _running(self) -> bool:
        return self._audit_job() is not None

    def _stands(self) -> bool:
        """Whether the last result is of the choices as they are now, but for the stress tests."""
        session = self.session
        if session.result is None or self._part() is None:
            return False
        if session.result_current:
            return True
        return peers_stress.stands(session)

    def run(self) -> None:
        """Run what the plan asks: with stress tests on the result that stands, where it does."""
        if not (self.in_plan and self._given()["stress"]):
            super().run()
        elif not (self._running() or self._cannot_run()):
            peers_stress.start(self.session, on_done=self._ran)
            self.refresh()
            self.update_footer()

    def _job_changed(self, job: Job) -> None:
        names = (messages.text("job.audit"), text("stress_job"))
        if job.name in names and self.open_name == STRESS:
            self.stress.show_job(job)
            if job.state not in ("running", "stopping"):
                self.refresh()

    def _cancel(self) -> None:
        job = self._audit_job()
        if job is not None:
            self.session.jobs.cancel(job)

    # The watch-out list -------------------------------------------------------------------------

    def _show_watchout(self) -> None:
        given, part = self._given(), self._part()
        if self._offers is None:
            self._read_features()
        self.watchout.order.show_values(
            given["order"] or {}, given["intrinsic"] or [], closed=self.session.read_only
        )
        words = ""
        if part is not None:
            from engine.messages import say

            told = part["explained"]
            words = say("peers.w_nobody")
            if told is not None and told["people"]:
                n, listed = told["fair_and_refused"], told["people"]
                words = say("peers.f_watchout", n=wording.people(n), listed=wording.people(listed))
        stale = part is not None and not (self.session.result_current and self.in_plan)
        self.watchout.show_list(words, ready=part is not None, stale=stale, why=self._cannot_run())

    def _feature_names(self) -> list[str]:
        """The features that ran last; before a run every column that could be one."""
        part = self._part()
        if part is not None:
            return [str(name) for name in part["features"]]
        plan = self.session.plan
        if isinstance(plan.get("features"), list):
            return [str(name) for name in plan["features"]]
        taken = {str(plan.get("id")), str((plan.get("outcome") or {}).get("column"))}
        taken |= {str(one.get("column")) for one in plan.get("protected") or ()}
        return [name for name in self._offered.columns if name not in taken]

    def _read_features(self) -> None:
        tables = [self.session.table(item["id"]) for item in self.session.state["items"]]
        frames = [table.frame for table in tables if table is not None]
        names = self._feature_names()
        if self._reading_features or not frames:
            return
        self._reading_features = True

        def show(found: list[FeatureOffer]) -> None:
            self._offers, self._reading_features = found, False
            self.watchout.order.set_offers(found)
            self.refresh()

        def lost(_error: Exception) -> None:
            self._reading_features = False

        self.session.jobs.start(
            text("features"), lambda watch: offers(frames, names, watch), on_done=show,
            on_failed=lost, quiet=True,
        )  # fmt: skip

    def _tables_changed(self, _item: str = "") -> None:
        self._offers = None
        self._offered = self._offer()
        if self.open_name == WATCHOUT:
            self.refresh()

    def _give(self, name: str, value: Any, words: str) -> None:
        """Put a setting into the plan as an act; a default leaves it."""
        given = dict(self.asked.get(self.name) or {})
        given.pop(name, None)
        if value:
            given[name] = value
        said = f"{self.method.title}: {words}"
        self._set_methods({**self.asked, self.name: given}, said)

    def _ordered(self, feature: str, value: Any) -> None:
        order = dict(self._given()["order"] or {})
        order.pop(feature, None)
        if value is not None:
            order[feature] = value
        self._give("order", order, text("act_order", name=feature))

    def _fixed(self, feature: str, fixed: bool) -> None:
        known = [f for f in self._given()["intrinsic"] or [] if f != feature]
        said = text("act_fixed", name=feature)
        self._give("intrinsic", [*known, feature] if fixed else known, said)

    def _paper(self) -> Paper:
        session = self.session
        return Paper(
            number=session.facts["reference"], organisation=session.facts["organisation"],
            kind=peers_view.annexed_to(session.state), day=papers.today_of(session),
            page_size=session.settings["office"].get("page_size", "A4"),
        )  # fmt: skip

    def _pdf(self, only: str | None = None) -> Any:
        """What makes the paper's bytes, from plain values taken now."""
        reading, paper = self.session.reading, self._paper()
        pages = bool(self._given()["person_pages"])
        assert reading is not None
        return lambda watch: peers_view.watchout_pdf(reading, paper, watch, pages=pages, only=only)

    def preview(self, person: str | None = None) -> None:
        """Show the list, or one person's page, as it is printed."""
        if self._part() is None:
            return
        title = text("preview_person", person=person) if person else text("preview_list")
        safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in person or "")
        self.dialog = PaperDialog(
            self, self.session, self._pdf(person), title=title,
            file_name=f"watchout-{safe}.pdf" if person else "watchout.pdf",
        )  # fmt: skip
        self.dialog.open()

    def save_list(self, path: Path) -> None:
        """Write ``watchout.pdf``."""
        write(self.session, path, self._pdf())

    def _save(self) -> None:
        ask_and_write(
            self.session, self, self._pdf(), name="watchout.pdf", title=text("save"),
            kind=text("pdf"),
        )  # fmt: skip

    def _letters(self) -> None:
        reading = self.session.reading
        if reading is None:
            return
        ask_and_write(
            self.session, self, lambda watch: peers_view.letters_csv(reading),
            name="watchout-letters.csv", title=text("letters_title"), kind=text("csv"),
        )  # fmt: skip

    # Help ---------------------------------------------------------------------------------------

    def help_html(self) -> str:
        if not self.on_result:
            return super().help_html()
        return f"""
<p><b>{html.escape(self.method.question)}</b></p>
<p>On the left stands the paper's answer to the letter, on the right what these data can carry.</p>
<h3>What you do now</h3>
<ul><li>Read the warning on the left first: it says what the test flags with nothing wrong.</li>
<li>Take the difference between the groups as the finding.</li>
<li>Choose a person in the figure to see the peers.</li></ul>
<h3>Words used here</h3>
<dl><dt>Peers, as published</dt><dd>People of the other group with a similar identification
coefficient. They are often unlike in other ways.</dd>
<dt>Peers of the same propensity</dt><dd>People of the other group whose features make them as
likely to belong to the group. The exact rank is among them.</dd>
<dt>Hypotheses</dt><dd>The paper's formulas of H2 and H3 are swapped. Here “discriminated” means
that the peers' mean is higher, as its text and code say.</dd></dl>
<p><a href="help:{self.name}">More about this method</a></p>
"""
