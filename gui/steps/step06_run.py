"""Step 6: run the audit, and see who was decided for and against."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from engine.base.wording import count, listed, people, percent
from engine.methods import method
from engine.plan.keys import DEFAULT_CONFIDENCE, DEFAULT_RESAMPLES, DEFAULT_SEED
from engine.procedure.basis import items_of
from gui.widgets.basic import Label, column
from gui.widgets.fields import Combo, FieldRow
from gui.widgets.message import MessageBar
from gui.widgets.table import Cell, DataTable, TableModel

from .audit_texts import text
from .counts import CountTable, Pair
from .results import ResultPage, View, group_words, run_audit, running, why_closed
from .system_words import system_words

RESAMPLES = (200, 500, 1000, 2000, 5000, 10000)
GLOSS = {
    "tp": "true positives",
    "fn": "false negatives",
    "tn": "true negatives",
    "fp": "false positives",
}
LEVELS = (0.8, 0.9, 0.95, 0.99)


class Page(ResultPage):
    """What will run, the run itself through the footer's button, and the tally per group."""

    number: ClassVar[int] = 6
    title: ClassVar[str] = "Test run and tally"
    sentence: ClassVar[str] = text("run.sentence")

    def build_parts(self) -> None:
        self.meaning = Label("", tone="second", wrap=True)
        self.parts.addWidget(self.meaning)
        self._tallies = column(spacing=16)
        self.parts.addLayout(self._tallies)
        self._notes = column(spacing=8)
        self.parts.addLayout(self._notes)
        self.tables: dict[str, CountTable] = {}
        self._what = Label(text("run.what"), "section")
        self.plan_table = DataTable(
            TableModel(), words=text("run.what"), stretch=1, wrap=True, row_height=27
        )
        self.plan_table.horizontalHeader().hide()
        self.body.addLayout(column(self._what, self.plan_table, spacing=6))
        self.resamples = Combo([(n, count(n)) for n in RESAMPLES])
        self.confidence = Combo([(level, percent(level, digits=0)) for level in LEVELS])
        self.resamples.picked.connect(self._resamples_picked)
        self.confidence.picked.connect(self._confidence_picked)
        fields = QHBoxLayout()
        fields.setSpacing(24)
        for field, code in ((self.resamples, "resamples"), (self.confidence, "confidence")):
            made = FieldRow(text(f"run.{code}"), field, help=text(f"run.{code}_help"))
            fields.addWidget(made, 0, Qt.AlignmentFlag.AlignTop)
        fields.addStretch(1)
        whole = QVBoxLayout()
        whole.setSpacing(6)
        whole.addWidget(Label(text("run.settings"), "section"))
        whole.addLayout(fields)
        self.body.addLayout(whole)

    def _resamples_picked(self, n: int) -> None:
        self.session.set(("plan", "resamples"), n, text("run.words.resamples", n=count(n)))

    def _confidence_picked(self, level: float) -> None:
        words = text("run.words.confidence", level=percent(level, digits=0))
        self.session.set(("plan", "confidence"), level, words)

    # What runs -----------------------------------------------------------------------------------

    def refresh(self) -> None:
        super().refresh()
        plan = self.session.plan
        current = self.session.result_current
        self._what.setText(text("run.ran" if current else "run.what"))
        self.plan_table.set_table(("", ""), list(self._plan_rows(plan)), "ll")
        for field, options, value, words in (
            (self.resamples, RESAMPLES, plan.get("resamples") or DEFAULT_RESAMPLES, count),
            (self.confidence, LEVELS, plan.get("confidence") or DEFAULT_CONFIDENCE, _level),
        ):
            offered = sorted({*options, value})
            field.set_options([(one, words(one)) for one in offered], value=value)
            field.setEnabled(not self.session.read_only)
        self.continue_text, self.continue_icon = "", "chevron-right"
        if not current and not self.session.read_only:
            again = self.session.state["result"] is not None
            self.continue_text = text("run.again" if again else "run.run")
            self.continue_icon = "play"

    def _plan_rows(self, plan: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        state = self.session.state
        files = [i["name"] for i in items_of(state, "all", "training", "test", "join")]
        names = [p.get("name") or p.get("column") or "" for p in plan.get("protected") or []]
        asked = plan.get("methods") or {"certification": {}}
        draws = text(
            "run.draws_words",
            confidence=_level(plan.get("confidence") or DEFAULT_CONFIDENCE),
            resamples=count(plan.get("resamples") or DEFAULT_RESAMPLES),
            seed=plan.get("seed") if plan.get("seed") is not None else DEFAULT_SEED,
        )
        rows = (
            ("run.data", listed(files)),
            ("run.attributes", listed(names)),
            ("run.system", system_words(plan)),
            ("run.methods", listed([method(n).title for n in asked])),
            ("run.draws", draws),
        )
        return [(Cell(text(code), tone="second"), words or "–") for code, words in rows]

    # The run -------------------------------------------------------------------------------------

    def ready(self) -> str:
        if running(self.session) is not None:
            return text("run.running")
        if self.session.result_current or self.session.read_only:
            return why_closed(self.session, 6)
        view = self.session.views()[6]
        return view.why if view.blocked_by is not None else ""

    def on_continue(self) -> bool:
        if self.session.read_only or self.session.result_current:
            return super().on_continue()
        run_audit(self.session, self.stepper)
        return False

    # The tally -----------------------------------------------------------------------------------

    def show_view(self, view: View) -> None:
        self.clear(self._tallies)
        self.clear(self._notes)
        self.tables.clear()
        decided = view.part["samples"]["decided"]
        said = []
        if decided is not None:
            said.append(text("run.rows", people=people(decided["rows"])))
        if view.words.meaning:
            said.append(text("run.favourable_is", words=view.words.meaning))
        self.meaning.setText(" ".join(said))
        self.meaning.setVisible(bool(said))
        for name, one in view.attributes.items():
            table = CountTable(words=text("run.tally", attribute=name), row_height=27, widest=860)
            table.fill(
                ("", *(group_words(one, key) for key in one["groups"])), list(tally_rows(view, one))
            )
            self.tables[name] = table
            self._tallies.addLayout(
                column(Label(text("run.tally", attribute=name), "section"), table, spacing=4)
            )
        self._say(text("run.warnings"), "warning", [w["text"] for w in view.result["warnings"]])
        self._say(
            text("run.excluded"),
            "info",
            [f"{e['what']}: {count(e['rows'])}. {e['why']}" for e in view.result["exclusions"]],
        )

    def _say(self, heading: str, kind: str, sentences: list[str]) -> None:
        if sentences:
            self._notes.addWidget(Label(heading, "section"))
            for one in dict.fromkeys(sentences):
                self._notes.addWidget(MessageBar(kind, one))

    def help_html(self) -> str:
        parts = [
            "<p>The run does what a plan file does on the command line, with the same result to the "
            "last byte. It can be cancelled at any time, and nothing is lost.</p>"
        ]
        view = self.shown
        if view is not None and view.part and not self.result.isHidden():
            good, bad = html.escape(view.words.favourable), html.escape(view.words.unfavourable)
            parts.append(
                "<h3>Words used here</h3><dl>"
                f"<dt>True positives</dt><dd>Recorded {good}, and decided for.</dd>"
                f"<dt>False negatives</dt><dd>Recorded {good}, yet decided against.</dd>"
                f"<dt>True negatives</dt><dd>Recorded {bad}, and decided against.</dd>"
                f"<dt>False positives</dt><dd>Recorded {bad}, yet decided for.</dd></dl>"
            )
        todo = "Go on to the metrics." if self.session.result_current else "Press Run the audit."
        parts.append(
            f"<h3>What you do now</h3><ul><li>{todo}</li><li>Look for small groups: few people give "
            "wide intervals.</li></ul><h3>Good to know</h3><p>A change in an earlier step makes the "
            "result out of date. Nothing out of date can be certified.</p>"
        )
        return "".join(parts)


def tally_rows(view: View, one: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The tally of an attribute: one row a kind of decision, one column a group."""
    groups = list(one["groups"].values())
    good, bad = view.words.favourable.capitalize(), view.words.unfavourable.capitalize()
    rows: list[tuple[Any, ...]] = []
    if any("decided" in g["rates"] for g in groups):
        for kind, whole in (("tp", "fn"), ("fn", "tp"), ("tn", "fp"), ("fp", "tn")):
            words = text(f"run.{kind}", fav=good, unfav=bad)
            cells = [
                Pair.share_of(g["counts"][kind], g["counts"][kind] + g["counts"][whole])
                for g in groups
            ]
            rows.append((text("run.with_gloss", words=words, gloss=GLOSS[kind]), *cells))
        rows.append((text("run.all_for"), *(Pair.of(g["rates"].get("decided")) for g in groups)))
    if any("recorded" in g["rates"] for g in groups):
        rows.append((text("run.recorded"), *(Pair.of(g["rates"].get("recorded")) for g in groups)))
    unknown = [g["counts"].get("unknown_outcome") or 0 for g in groups]
    rows.append((text("run.unknown_outcome"), *(count(n) for n in unknown)))
    lost = [g["counts"].get("decided_unknown_rows") for g in groups]
    if any(lost):
        rows.append((text("run.unknown_decision"), *(count(n or 0) for n in lost)))
    return rows


def _level(level: float) -> str:
    digits = 0 if abs(100 * level - round(100 * level)) < 1e-9 else 1
    return percent(level, digits=digits)
