"""Step 10: the program recommends by a fixed rule; a person decides, and the paper is signed."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QWidget

from engine.base.wording import number
from engine.procedure import acts, decision, issue, reading
from engine.procedure.basis import decision_is_current, result_is_current
from gui import certify_words as words
from gui import papers, printing
from gui.theme import theme
from gui.widgets.basic import Label, column, row, section
from gui.widgets.footer import Hint

from .base import StepPage
from .decision_card import Reasons, VerdictCard
from .decision_letters import LettersBar
from .decision_paper import GapsPart, IssuePart
from .decision_parts import Options, People
from .inputs import stacks

DRAFT = "step-10"
TYPING_MS = 500
"""How long after the last key a half-filled page is kept."""


class Text(QPlainTextEdit):
    """Running text; Tab leaves it."""

    def __init__(self, name: str, *, lines: int, left: Callable[[], object]) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._lines, self._left = lines, left
        self.installEventFilter(self)
        theme().changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        self.setFixedHeight(theme().px(18 * self._lines + 14))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            QTimer.singleShot(0, self, self._left)
        return False


class Page(StepPage):
    """Verdict and rule, reasons of the rule, decision, people, and the paper itself."""

    number: ClassVar[int] = 10
    title: ClassVar[str] = "Decision and certificate"
    sentence: ClassVar[str] = words.text("decision.sentence")
    help_name = "step-10"

    def build(self) -> None:
        self._shown: Any = None
        self.save_button = printing.save_button(self.session, self)
        self.print_button = printing.print_button(self.session, self)
        self.header.add(self.save_button)
        self.header.add(self.print_button)
        self.bar = self.message("info", " ")
        self.body.addWidget(self.bar)
        self.card = VerdictCard()
        self.body.addWidget(self.card)
        self.why = Reasons()
        self.why.followed.connect(self.follow_link)
        self._why_part = QWidget()
        self._why_part.setLayout(column(section(words.text("decision.why")), self.why, spacing=6))
        self.body.addWidget(self._why_part)
        self.options = Options(decision.choices(self.session.state, None))
        self.options.picked.connect(lambda _value: self._picked())
        self.people = People(decision.ROLES)
        self.people.named.connect(self._named)
        left = column(section(words.text("decision.title")), self.options, None, spacing=6)
        right = column(section(words.text("decision.people")), self.people, None, spacing=6)
        beside = QWidget()
        both = QHBoxLayout(beside)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(24)
        both.addLayout(left, 1)
        both.addLayout(right, 1)
        stacks(both)
        self.body.addWidget(beside)
        self.reasons = Text(words.text("decision.reasons"), lines=4, left=self.commit)
        self.reasons.setPlaceholderText(words.text("decision.reasons_place"))
        self._reasons_note = Label("", "help", tone="second")
        self._count = Label("", "help", tone="second")
        label = Label(words.text("decision.reasons"), "head")
        label.setBuddy(self.reasons)
        head = QWidget()
        top = row(label, self._reasons_note, None, self._count)
        head.setLayout(top)
        stacks(top)
        self.body.addLayout(column(head, self.reasons, spacing=4))
        self.conditions = Text(words.text("decision.conditions"), lines=2, left=self.commit)
        label = Label(words.text("decision.conditions"), "head")
        label.setBuddy(self.conditions)
        about = Label(words.text("decision.conditions_help"), "help", tone="second", wrap=True)
        self.body.addLayout(column(label, self.conditions, about, spacing=4))
        self.letters = LettersBar(self)
        self.body.addWidget(self.letters)
        self.issue = IssuePart(self)
        self.body.addWidget(self.issue)
        self.gaps = GapsPart(self)
        self.body.addWidget(self.gaps)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(TYPING_MS)
        self._later.timeout.connect(self._keep_draft)
        for field in (self.reasons, self.conditions):
            field.textChanged.connect(self._typed)

    # Showing ------------------------------------------------------------------------------------

    def opened(self) -> None:
        if self.session.state["result"] is not None:
            self.session.see_result()
        self.gaps.begin()

    def left(self) -> None:
        self.commit()
        self._keep_draft()

    def refresh(self) -> None:
        session, state = self.session, self.session.state
        result = session.result
        current = result_is_current(state)
        self.card.show_result(result, current=current)
        advice = reading.certification(result).get("recommendation") if current else None
        self._why_part.setVisible(bool(advice))
        self.why.say(tuple((advice or {}).get("reasons", ())))
        self._fill()
        self._show_choice()
        good, said = decision.roles(state)
        self.people.show_people(
            session.facts, self._known_people(), good=good, said=said,
            enabled=not session.read_only,
        )  # fmt: skip
        for field in (self.reasons, self.conditions):
            field.setReadOnly(session.read_only)
        self._show_bar()
        self.issue.refresh()
        self.gaps.refresh()
        self.letters.refresh()
        for button in (self.save_button, self.print_button):
            button.setEnabled(result is not None)

    def _known_people(self) -> list[str]:
        office = self.session.settings["office"].get("people") or []
        names = [*(self.session.facts.get(role, "") for role in decision.ROLES), *office]
        names.append(self.session.settings["person"].get("name", ""))
        return list(dict.fromkeys(name for name in names if name))

    def _fill(self) -> None:
        """Put the decision, or the half-filled page, into the fields when it changed."""
        made = self.session.state["decision"]
        draft = self.session.draft(DRAFT)
        key = (made, draft if self._shown is None else None)
        if self._shown == (made,):
            return
        given = {**(made or {}), **(draft or {})} if key[1] else dict(made or {})
        self._shown = (made,)
        self._value = str(given.get("value") or "")
        for field, name in ((self.reasons, "reasons"), (self.conditions, "conditions")):
            text = str(given.get(name) or "")
            if field.toPlainText() != text and not (field.hasFocus() and made is None):
                field.blockSignals(True)
                field.setPlainText(text)
                field.blockSignals(False)
        self._say_count()

    def _show_choice(self) -> None:
        state, session = self.session.state, self.session
        view = session.views()[10]
        waits = view.blocked_by is not None and state["certificate"] is None
        self.options.show_choices(
            decision.choices(state, session.result), chosen=self._value,
            enabled=not session.read_only and not waits,
        )  # fmt: skip
        kind = papers.KIND_WORDS.get(self._value, "statement of findings")
        self._reasons_note.setText(words.text("decision.reasons_note", document=kind))

    def _show_bar(self) -> None:
        state = self.session.state
        certificate = state["certificate"]
        view = self.session.views()[10]
        kind = papers.kind_of(state).capitalize()
        link = ("", "")
        if certificate is not None:
            signed = certificate.get("signed")
            code = "decision.signed_bar" if signed else "decision.waiting_bar"
            link = (words.text("decision.revise"), "my:revise")
            self.bar.show_message(
                "good" if signed else "warning", words.text(code, kind=kind, **_named(certificate)),
                link_text=link[0], link=link[1],
            )  # fmt: skip
        elif view.blocked_by is not None:
            self.bar.show_message(
                "info", view.why, link_text=words.text("decision.step", n=view.blocked_by),
                link=f"step:{view.blocked_by}",
            )  # fmt: skip
        elif state["decision"] is not None and not decision_is_current(state):
            self.bar.show_message("warning", words.text("decision.out_of_date"))
        elif (state["decision"] or {}).get("value") == decision.MORE_EVIDENCE:
            self.bar.show_message("info", words.text("decision.more_evidence"))
        else:
            self.bar.hide()
            return
        self.bar.show()

    # Acting -------------------------------------------------------------------------------------

    def _typed(self) -> None:
        self._say_count()
        self._later.start()
        self.update_footer()

    def _say_count(self) -> None:
        length = len(self.reasons.toPlainText())
        self._count.setText(words.text("decision.count", n=f"{length:,}"))
        self._count.set_tone("outside" if length > decision.REASONS_LIMIT else "second")

    def _fields(self) -> dict[str, str]:
        return {
            "value": self._value,
            "reasons": self.reasons.toPlainText().strip(),
            "conditions": self.conditions.toPlainText().strip(),
        }

    def _picked(self) -> None:
        self._value = self.options.value()
        self.commit(again=True)
        self._keep_draft()
        self._show_choice()
        self.update_footer()

    def commit(self, *, again: bool = False) -> bool:
        """Enter the decision as an act where it is whole and new; else it stays a draft.

        A decision on an earlier result is entered anew only where a person chooses it again.
        """
        session, state, given = self.session, self.session.state, self._fields()
        if session.read_only or not given["value"] or not given["reasons"]:
            return False
        made = state["decision"]
        if made is not None and not decision_is_current(state) and not again:
            return False
        entered = {**given, "by": session.facts["decider"].strip()}
        if decision_is_current(state) and all(made[k] == v for k, v in entered.items()):
            return True
        choice = next(
            c for c in decision.choices(state, session.result) if c.value == given["value"]
        )
        long = len(given["reasons"]) > decision.REASONS_LIMIT
        if not entered["by"] or long or not choice.open or not result_is_current(state):
            return False
        self._later.stop()
        done = session.do(
            acts.decide(
                **entered, recommendation=decision.recommendation(session.result), **session.by
            )
        )
        if done:
            session.set_draft(DRAFT, None)
        return done

    def _keep_draft(self) -> None:
        if self.session.read_only:
            return
        made, given = self.session.state["decision"] or {}, self._fields()
        same = all((made.get(key) or "") == value for key, value in given.items())
        self.session.set_draft(DRAFT, None if same else given)

    def _named(self, role: str, name: str) -> None:
        if name and name not in (self.session.settings["office"].get("people") or []):
            office = dict(self.session.settings["office"])
            office["people"] = [name, *(office.get("people") or [])][:12]
            self.session.settings["office"] = office
        if not self.session.read_only and name != self.session.facts.get(role, ""):
            self.session.set(
                ("case", role), name, words.text("decision.people_words", role=role.capitalize())
            )
        if role == "decider":
            self.commit()

    def preview(self) -> None:
        """Show the paper in the place of this page."""
        from gui.preview import PreviewPage

        self.commit()
        if self.session.result is None:
            self.update_footer()
            return
        self.open_page(PreviewPage(self.session, self.stepper, on_sign=self.sign))

    def sign(self) -> None:
        """Ask for the key and sign."""
        from gui.sign_dialog import SignDialog

        self.commit()
        if self.ready():
            self.update_footer()
            return
        dialog = SignDialog(self.window(), self.session)
        dialog.setModal(True)
        dialog.open()

    def follow(self, link: str) -> bool:
        if link == "my:revise":
            from gui.sign_dialog import ReviseDialog

            dialog = ReviseDialog(self.window(), self.session)
            dialog.setModal(True)
            dialog.open()
            return True
        return False

    # Frame --------------------------------------------------------------------------------------

    @property
    def continue_text(self) -> str:  # type: ignore[override]
        """Sign, or go on where nothing is to be signed."""
        certificate = self.session.state["certificate"]
        if certificate is not None:
            return "" if certificate.get("signed") else words.text("decision.sign_second")
        return "" if self._value == decision.MORE_EVIDENCE else words.text("decision.sign")

    @property
    def continue_icon(self) -> str:  # type: ignore[override]
        """The icon of the same button."""
        return "pen-line" if self.continue_text else "chevron-right"

    def footer_buttons(self) -> tuple[tuple[str, str, Callable[[], object]], ...]:
        if self.session.result is None:
            return ()
        return ((words.text("decision.preview"), "eye", self.preview),)

    def ready(self) -> str:
        state = self.session.state
        if state["certificate"] is not None:
            return ""
        view = self.session.views()[10]
        if view.blocked_by is not None:
            return view.why
        if not self._value:
            return words.text("decision.undecided")
        if not self.reasons.toPlainText().strip():
            return words.text("decision.no_reasons")
        if not self.session.facts["decider"].strip():
            return decision.roles(state)[1] if not self.session.facts["evaluator"] else (
                words_of_decider()
            )  # fmt: skip
        if self._value == decision.MORE_EVIDENCE:
            return ""
        if not decision_is_current(state):
            return "" if not state["decision"] else words.text("decision.out_of_date")
        found = issue.problems(state, today=papers.today_of(self.session))
        texts = [*(problem.text for problem in found), *self.letters.faults]
        return texts[0] if texts else ""

    def on_continue(self) -> bool:
        certificate = self.session.state["certificate"]
        self.commit()
        if (certificate or {}).get("signed"):
            return True
        if self._value == decision.MORE_EVIDENCE and certificate is None:
            return decision_is_current(self.session.state)
        self.sign()
        return False

    def hint(self) -> Hint | str:
        certificate = self.session.state["certificate"]
        office = self.session.settings["office"]
        if certificate is not None:
            if not certificate.get("signed"):
                return words.text("decision.evaluator_signed")
            last = (certificate.get("signers") or [{}])[-1]
            said = words.text("decision.signed", **_named(certificate))
            return Hint(said, "shield-check", "within", mono=_grouped(last.get("fingerprint", "")))
        if office.get("key_fingerprint"):
            said = words.text("decision.key_ready", name=office.get("key_name") or "the Decider")
            return Hint(said, "key-round", "accent", mono=_grouped(office["key_fingerprint"]))
        made = issue.planned(self.session.state, today=papers.today_of(self.session))
        kind = papers.kind_of(self.session.state)
        return words.text("decision.to_sign", kind=kind, number=made["number"])

    def help_html(self) -> str:
        return help_html(self.session)


def words_of_decider() -> str:
    """That the decider is not named."""
    from engine.messages import say

    return say("procedure.roles.missing", role="decider")


def _named(certificate: dict[str, Any]) -> dict[str, Any]:
    return {"number": certificate["number"], "revision": certificate["revision"]}


def _grouped(fingerprint: str) -> str:
    return " ".join(fingerprint[i : i + 4] for i in range(0, min(16, len(fingerprint)), 4))


def help_html(session: Any) -> str:
    """What this means, for the recommendation of the case."""
    state = session.state
    current = result_is_current(state)
    advice = reading.certification(session.result).get("recommendation") or {} if current else {}
    said = {
        "grant": "<p>Every metric that was checked lies within the tolerance with its whole "
        "interval. These data show no gap beyond it.</p>",
        "refuse": "<p>A metric or the Fairness Score lies outside its bound with its whole "
        "interval. These data show a gap beyond the tolerance.</p>",
        "not settled": "<p>“Not settled” is an honest result. It says that these data cannot "
        "answer the question, not that people fare alike or do not.</p>",
    }.get(advice.get("value", ""), "<p>The rule speaks when the audit has run.</p>")
    score = (reading.certification(session.result).get("fairness_score") or {}).get("value")
    shown = f" of {html.escape(number(score))}" if current and score is not None else ""
    return f"""
{said}
<h3>What you do now</h3>
<ul><li>Choose a decision. You may go below the recommendation, never above it.</li>
<li>Write the reasons in your own words.</li>
<li>Look at the paper, then sign with the office’s key.</li></ul>
<h3>Two readings</h3>
<p>The published rule looks at single values, such as the score{shown}. With few people such a
value is close to a coin toss, so the program also asks how far it can be trusted.</p>
<h3>Number and register</h3>
<p>The office keeps one register. Each number in it is given once, and its status can be looked
up by whoever asks.</p>
<h3>After signing</h3>
<p>Nothing can be changed. A correction is a new revision, with a reason.</p>
"""
