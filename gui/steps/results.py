"""What the pages of a result share: when it may be shown, made ready off the window's thread."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.procedure.moments import moment
from gui.session import Session
from gui.widgets.footer import Hint

from .audit_texts import text
from .base import BETWEEN, StepPage

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.drawing.model import IntervalChart
    from engine.methods.base import Finding
    from engine.plan.model import Plan
    from gui.engine_calls import Reading
    from gui.jobs import Job
    from gui.stepper import Stepper

AGAIN = "my:again"


@dataclass(frozen=True)
class Words:
    """How the two recorded outcomes are called: ``good`` and ``bad``, else ``favourable`` and
    ``unfavourable``; ``meaning`` is then the value behind it, ``credit risk = 1``."""

    favourable: str = "favourable"
    unfavourable: str = "unfavourable"
    meaning: str = ""

    @classmethod
    def of(cls, outcome: Mapping[str, Any] | None) -> Words:
        """The words of a plan's outcome."""
        if not outcome or not outcome.get("favourable"):
            return cls()
        good, bad = outcome["favourable"], outcome.get("unfavourable")
        if isinstance(good, list) and len(good) == 1 and _is_word(good[0]):
            named = isinstance(bad, list) and len(bad) == 1 and _is_word(bad[0])
            word = str(good[0]).strip()
            return cls(word, str(bad[0]).strip() if named and bad else f"not {word}")
        return cls(meaning=f"{outcome['column']} {entry_words(good)}")


def _is_word(value: Any) -> bool:
    plain = isinstance(value, str) and value.strip().replace(" ", "").isalpha()
    return plain and len(value.strip()) <= 14 and value.strip().casefold() not in ("true", "false")


def entry_words(entries: Any) -> str:
    """A list of values or a rule in words: ``= 1 or 2``, ``at least 0.5``."""
    if isinstance(entries, Mapping):
        key, value = next(iter(entries.items()))
        if key == "between":
            return f"from {value[0]:g} to under {value[1]:g}"
        return f"{key.replace('_', ' ')} {value:g}"
    from engine.base.wording import listed

    said = [str(one) if str(one).strip().isalnum() else f"“{one}”" for one in entries]
    return "= " + listed(said, last="or")


@dataclass(frozen=True)
class View:
    """A result made ready to be shown: its certification in charts and sentences."""

    result: dict[str, Any]
    part: Mapping[str, Any]
    plan: Plan | None = None
    chart: IntervalChart | None = None
    by_group: IntervalChart | None = None
    printed_chart: IntervalChart | None = None
    findings: tuple[Finding, ...] = ()
    group_findings: Mapping[tuple[str, str], tuple[Finding, ...]] = field(default_factory=dict)
    tests: Mapping[str, Any] = field(default_factory=dict)
    words: Words = Words()

    @property
    def attributes(self) -> Mapping[str, Any]:
        """The certification's attributes."""
        found: Mapping[str, Any] = self.part.get("attributes", {})
        return found

    def finding(self, code: str, subject: str) -> Finding | None:
        """A finding by its code and what it is about."""
        return next((f for f in self.findings if f.code == code and f.subject == subject), None)

    def sentences(self, *codes: str) -> list[Finding]:
        """The findings of some codes, in their order."""
        return [f for f in self.findings if f.code in codes]


def make_view(reading: Reading, watch: Watch) -> View:
    """Everything that a page of a result shows of the certification; runs in a job."""
    from engine.methods import room

    result = reading.result
    part = in_plan_order(result.get("certification") or {}, result["plan"])
    words = Words.of(result["plan"].get("outcome"))
    if not part:
        return View(result, part, words=words)
    charts = {c.key: c for c in room("certification", "figures").figures(result=part, tables={})}
    watch.check()
    plan = reading.plan
    chart = replace(charts["metrics"], confidence=plan.confidence)
    groups = charts.get("metrics_by_group")
    return View(
        result=result,
        part=part,
        plan=plan,
        chart=_short(chart, part["attributes"], words, None),
        by_group=_short(groups, part["attributes"], words, plan.confidence) if groups else None,
        printed_chart=chart,
        findings=tuple(reading.findings("certification")),
        group_findings=_alone(part, plan),
        tests={
            name: room("certification", "printed").tests(name=name, one=one)
            for name, one in part["attributes"].items()
        },
        words=words,
    )


def _alone(part: Mapping[str, Any], plan: Plan) -> dict[tuple[str, str], tuple[Finding, ...]]:
    """The sentences of each unprivileged group alone, where an attribute has several."""
    from engine.methods import room

    found: dict[tuple[str, str], tuple[Finding, ...]] = {}
    for name, one in part["attributes"].items():
        if len(one["unprivileged"]) < 2:
            continue
        for group in one["unprivileged"]:
            mine = one["groups"][group]
            gaps = [mine["metrics"][metric]["value"] for metric in ("EOD", "EMOD")]
            size = None if None in gaps else sum(abs(gap) for gap in gaps) / 2
            alone = {
                **one,
                "unprivileged": [group],
                "metrics": mine["metrics"],
                "tests": mine["tests"],
                "mean_absolute_odds": {"value": size},
            }
            whole = {**part, "attributes": {name: alone}, "worst": {"metric": None}}
            made = room("certification", "findings").findings(result=whole, plan=plan)
            found[name, group] = tuple(made)
    return found


def in_plan_order(part: Mapping[str, Any], plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """The certification with attributes as the plan names them and the privileged group first;
    result.json sorts its keys."""
    if not part:
        return part
    names = [one["name"] for one in plan["protected"]]
    attributes = {}
    for name in sorted(part["attributes"], key=names.index):
        one = part["attributes"][name]
        groups = {key: one["groups"][key] for key in (one["privileged"], *one["unprivileged"])}
        attributes[name] = {**one, "groups": groups}
    return {**part, "attributes": attributes}


def group_words(one: Mapping[str, Any], key: str) -> str:
    """A group as the plan calls it, by its key in an attribute's result."""
    return str(one["groups"][key].get("words") or key)


def sides_of(one: Mapping[str, Any], group: str | None = None) -> tuple[str, str]:
    """Who is compared with whom: a group, or all unprivileged ones, and the privileged one."""
    others = one["unprivileged"]
    alone = group or (others[0] if len(others) == 1 else None)
    who = "all others" if alone is None else group_words(one, alone)
    return who, group_words(one, one["privileged"])


def heading(name: str, one: Mapping[str, Any], group: str | None = None) -> str:
    """``age: under 30 compared with 30 and over``."""
    who, privileged = sides_of(one, group)
    return f"{name}: {who} compared with {privileged}"


def _short(
    chart: IntervalChart, attributes: Mapping[str, Any], words: Words, confidence: float | None
) -> IntervalChart:
    """The same chart with lines short enough for the window's table."""
    pairs = {}
    for name, one in attributes.items():
        for group in (None, *one["unprivileged"]):
            pairs[heading(name, one, group)] = sides_of(one, group)
    rows = [replace(r, sub=sub_line(r.label, *pairs[r.group], words)) for r in chart.rows]
    return replace(chart, rows=tuple(rows), confidence=confidence or chart.confidence)


def sub_line(label: str, who: str, other: str, words: Words) -> str:
    """Who less whom, and on what, in a line that fits under a metric's name."""
    return {
        "Statistical parity difference": f"Recorded, {who} less {other}",
        "Disparate impact": f"Recorded, {who} ÷ {other}",
        "Equal opportunity difference": f"Of {words.favourable}, {other} less {who}",
        "Equal mis-opportunity difference": f"Of {words.unfavourable}, {other} less {who}",
        "Average odds difference": f"Mean of both, {who} less {other}",
    }.get(label, "")


class Views(QObject):
    """Makes the view of a session's last result in a quiet job; :attr:`ready` follows."""

    ready = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self._made: tuple[str, View] | None = None
        self._running = ""

    def view(self) -> View | None:
        """The view of the last result; None where there is none, or while it is being made."""
        stored = self.session.state["result"]
        reading = self.session.reading if stored is not None else None
        if stored is None or reading is None:
            return None
        sha = stored["result_sha256"]
        if self._made is not None and self._made[0] == sha:
            return self._made[1]
        if self._running != sha:
            self._running = sha
            self.session.jobs.start(
                text("result.preparing"), lambda watch: make_view(reading, watch),
                on_done=lambda made: self._done(sha, made), on_failed=lambda _e: self._fail(),
                quiet=True,
            )  # fmt: skip
            if self._made is not None and self._made[0] == sha:  # jobs that run in place
                return self._made[1]
        return None

    def _done(self, sha: str, made: View) -> None:
        self._made, self._running = (sha, made), ""
        QTimer.singleShot(0, self, self.ready.emit)

    def _fail(self) -> None:
        self._running = ""


def views_of(session: Session) -> Views:
    """The one :class:`Views` of a session."""
    found = session.findChild(Views)
    return found if isinstance(found, Views) else Views(session)


def run_audit(session: Session, stepper: Stepper | None) -> Job | None:
    """Run the audit; where it ends while a page of the result is open, the result is seen then."""
    if session.read_only or running(session) is not None:
        return None

    def ended() -> None:
        if stepper is not None and isinstance(stepper.page, ResultPage):
            session.see_result()

    return session.run_audit(on_done=ended)


def running(session: Session) -> Job | None:
    """The run of the audit that is under way, or None."""
    from gui import messages

    name = messages.text("job.audit")
    return next((job for job in session.jobs.running() if job.name == name), None)


def why_closed(session: Session, number: int) -> str:
    """Why Continue is closed on a step by the procedure, or an empty text."""
    view = session.views()[number]
    if view.state in ("skipped", "not applicable"):
        return ""
    if view.blocked_by is not None:
        return view.why
    return " ".join(view.needs)


class ResultPage(StepPage):
    """A page that shows a part of the result; subclasses fill :attr:`parts` in ``show_view``.

    The result is shown only once the case has recorded that it was seen.
    """

    def build(self) -> None:
        self.bar = self.message("info", " ")
        self.bar.hide()
        self.body.addWidget(self.bar)
        self.result = QWidget()
        self.parts = QVBoxLayout(self.result)
        self.parts.setContentsMargins(0, 0, 0, 0)
        self.parts.setSpacing(BETWEEN)
        self.body.addWidget(self.result)
        self.result.hide()
        self.shown: View | None = None
        self._filled: View | None = None
        self._running = running(self.session) is not None
        self.build_parts()
        views_of(self.session).ready.connect(self._ready)
        self.session.jobs.changed.connect(self._job_changed)

    def build_parts(self) -> None:
        """Make the widgets of the result."""

    def show_view(self, view: View) -> None:
        """Fill the widgets; called once a result."""

    def lacking(self, view: View) -> str:
        """Why this page has nothing to show of a result, or an empty text."""
        return "" if view.part else text("result.no_certification")

    def opened(self) -> None:
        if self.session.state["result"] is not None:
            self.session.see_result()

    def _ready(self) -> None:
        if self.stepper is not None and self.stepper.page is self:
            self.refresh()
            self.update_footer()

    def _job_changed(self, _job: Job) -> None:
        now = running(self.session) is not None
        if now != self._running:
            self._running = now
            if self.stepper is not None and self.stepper.page is self:
                self._bar()
                self.update_footer()

    @property
    def visible_result(self) -> View | None:
        """The result, if it may be shown now."""
        if self.session.state["result"] is None:
            return None
        if not self.session.read_only and not self.session.state["seen"]["result"]:
            QTimer.singleShot(0, self, self._see)
            return None
        return views_of(self.session).view()

    def _see(self) -> None:
        if self.stepper is not None and self.stepper.page is self:
            self.session.see_result()

    def refresh(self) -> None:
        view = self.visible_result
        lacking = self.lacking(view) if view is not None else ""
        other, self.shown = view is not self.shown, view
        self._bar(lacking)
        if view is None or lacking:
            self.result.hide()
        elif self._filled is view:
            self.result.show()
        elif other:
            self.result.hide()
            QTimer.singleShot(0, self, lambda: self._fill(view))  # the page itself shows first

    def _fill(self, view: View) -> None:
        if self.shown is not view or self._filled is view:
            return
        self.show_view(view)
        self._filled = view
        self.result.show()
        self.filled()
        self.update_footer()
        self.lay_out_now()

    def filled(self) -> None:
        """The result was put into the page."""

    def _bar(self, lacking: str | None = None) -> None:
        session = self.session
        if lacking is None:
            lacking = self.lacking(self.shown) if self.shown is not None else ""
        kind, words, link_text, link = "", "", "", ""
        if running(session) is not None:
            kind, words = "info", text("run.running")
        elif session.state["result"] is None:
            kind, words, link_text, link = "info", text("result.none"), text("result.go"), "step:6"
            if self.number == 6:
                kind = ""
        elif not session.result_current and not session.read_only:
            kind, words = "warning", text("result.out_of_date")
            link_text, link = text("result.again"), AGAIN
        elif self.shown is None and not lacking:
            kind, words = "info", text("result.preparing")
        elif lacking:
            kind, words = "info", lacking
        if kind:
            self.bar.show_message(kind, words, link_text=link_text, link=link)
        self.bar.setVisible(bool(kind))

    def follow(self, link: str) -> bool:
        if link != AGAIN:
            return False
        self.go_to(6)
        run_audit(self.session, self.stepper)
        return True

    def ready(self) -> str:
        if running(self.session) is not None:
            return text("run.running")
        return why_closed(self.session, self.number)

    def hint(self) -> Hint | str:
        stored = self.session.state["result"]
        if stored is None or not stored.get("when"):
            return ""
        return text("result.ran", moment=moment(stored["when"]))


def sentences_html(found: Sequence[Finding], *, actions: bool = False) -> str:
    """Findings as a list for the panel beside the page, each sentence once."""
    said = [f.action if actions else f.sentence for f in found]
    return (
        "<ul>" + "".join(f"<li>{html.escape(s)}</li>" for s in dict.fromkeys(said) if s) + "</ul>"
    )
