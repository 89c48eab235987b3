"""The steps of the procedure: where each stands, what it waits for and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.base.wording import count, listed, number
from engine.messages import say

from . import reading
from .basis import (
    decision_is_current,
    items_of,
    missing_keys,
    result_is_current,
    step_basis,
)
from .moments import day, moment

DONE = "done"
WARNED = "done with warnings"
IN_PROGRESS = "in progress"
NOT_STARTED = "not started"
WAITS = "waits"
OUT_OF_DATE = "out of date"
SKIPPED = "skipped"
NOT_APPLICABLE = "not applicable"

LAST = 12
_WAITS_FOR = {1: 0, 2: 1, 3: 2, 4: 3, 5: 3, 6: 5, 7: 6, 8: 7, 9: 8, 10: 9, 11: 0, 12: 10}


@dataclass(frozen=True)
class StepView:
    """A step as the window lists it.

    Attributes
    ----------
    number : int
        0 to 12.
    title : str
    state : str
        ``done``, ``done with warnings``, ``in progress``, ``not started``, ``waits``,
        ``out of date``, ``skipped`` or ``not applicable``.
    sub : str
        The line under the title, in words.
    blocked_by : int or None
        The step that it waits for; the page leads there. The step can be looked at all the same.
    why : str
        Why it is not done, and what to do; empty where there is nothing to say.
    needs : tuple of str
        Every single thing that is missing here, one sentence each. Continue is open when empty.
    """

    number: int
    title: str
    state: str
    sub: str
    blocked_by: int | None = None
    why: str = ""
    needs: tuple[str, ...] = ()

    @property
    def can_continue(self) -> bool:
        """Whether Continue is open on this step."""
        return self.blocked_by is None and not self.needs


def steps(
    state: Mapping[str, Any],
    *,
    questions: int = 0,
    warnings: Mapping[int, int] | None = None,
    result: Mapping[str, Any] | None = None,
    opened: int | None = None,
) -> list[StepView]:
    """Where each of the steps 0 to 12 stands.

    Parameters
    ----------
    state : mapping
        The state document.
    questions : int
        Open questions about the files (warts of grade ``question`` without an answer).
    warnings : mapping of step to number, optional
        Warnings to be shown with a step that is done, for example ``{0: 2}``.
    result : mapping, optional
        result.json of the last run, for the lines of steps 6 to 9.
    opened : int, optional
        The step that the window shows.
    """
    walk = _Walk(state, questions, dict(warnings or {}), result, opened)
    return [walk.view(n) for n in range(LAST + 1)]


class _Walk:
    def __init__(
        self,
        state: Mapping[str, Any],
        questions: int,
        warnings: dict[int, int],
        result: Mapping[str, Any] | None,
        opened: int | None,
    ) -> None:
        self.state = state
        self.questions = questions
        self.warnings = warnings
        self.result = result
        self.opened = opened
        self.current = result_is_current(state)
        self.needs = {n: tuple(self._needs(n)) for n in range(LAST + 1)}
        self.confirmed = {n: str(n) in state["confirmed"] for n in range(LAST + 1)}
        self.stale = {n: self._stale(n) for n in range(LAST + 1)}

    # What is missing ---------------------------------------------------------------------------

    def _needs(self, n: int) -> list[str]:
        plan = self.state["plan"]
        match n:
            case 0:
                return self._evidence_needs()
            case 1:
                return [] if plan.get("protected") else [say("procedure.need.attributes")]
            case 2:
                return [
                    say("procedure.need.privileged", name=entry.get("name") or entry.get("column"))
                    for entry in plan.get("protected") or []
                    if not entry.get("privileged")
                ]
            case 3:
                return (
                    [] if self.state["set"].get("tolerance") else [say("procedure.need.tolerance")]
                )
            case 5:
                return self._system_needs()
            case 6:
                if self.current:
                    return []
                again = self.state["result"] is not None
                return [say("procedure.need.rerun" if again else "procedure.need.run")]
            case 10:
                if decision_is_current(self.state):
                    return []
                again = self.state["decision"] is not None
                return [say("procedure.need.redecide" if again else "procedure.need.decision")]
            case 11:
                return self._reason_needs()
        return []

    def _evidence_needs(self) -> list[str]:
        state, plan = self.state, self.state["plan"]
        roles = {item.get("role") for item in state["items"]}
        needs = []
        if not roles & {"all", "test", "training"}:
            needs.append(say("procedure.need.data"))
        elif "all" in roles and roles & {"test", "training"}:
            other = listed(sorted(roles & {"test", "training"}))
            needs.append(say("procedure.need.both", other=other))
        elif not roles & {"all", "test"}:
            needs.append(say("procedure.need.test"))
        for item in state["items"]:
            if not item.get("role"):
                needs.append(say("procedure.need.role", name=item["name"]))
        for item in items_of(state, "join"):
            if not item.get("on") and not item.get("part_of"):
                needs.append(say("procedure.need.key", name=item["name"]))
        if self.questions:
            needs.append(say("procedure.need.questions", questions=self._question_words()))
        outcome = plan.get("outcome")
        if needs and not outcome:
            return needs
        if not outcome and not state["not_supplied"].get("recorded outcomes"):
            needs.append(say("procedure.need.outcome"))
        elif outcome and not outcome.get("favourable"):
            needs.append(say("procedure.need.favourable", column=outcome.get("column", "")))
        return needs

    def _question_words(self) -> str:
        return "1 question is" if self.questions == 1 else f"{self.questions} questions are"

    def _system_needs(self) -> list[str]:
        plan = self.state["plan"]
        if "system" not in plan:
            return [say("procedure.need.system")]
        system = plan["system"] or {}
        if system.get("model_file") is not None and not items_of(self.state, "model"):
            return [say("procedure.need.model_file")]
        prediction = system.get("prediction")
        if prediction is not None and not (
            prediction.get("column") and prediction.get("favourable")
        ):
            return [say("procedure.need.prediction")]
        return []

    def _reason_needs(self) -> list[str]:
        given = self.state["not_supplied"]
        lacking = [what for what in missing_keys(self.state) if not given.get(what)]
        if not lacking:
            return []
        return [say("procedure.need.reason", lacking=listed(lacking))]

    # Where it stands ---------------------------------------------------------------------------

    def _stale(self, n: int) -> bool:
        made_from = self.state["made_from"].get(str(n))
        if n == 6:
            return self.state["result"] is not None and not self.current
        if n == 10:
            return self.state["decision"] is not None and not decision_is_current(self.state)
        if n in (11, 12) and self.state["certificate"] is not None:
            return False
        return made_from is not None and made_from != step_basis(self.state, n)

    def _satisfied(self, n: int) -> bool:
        """Whether what waits for this step may begin."""
        if self._applies(n) is not None:
            return n not in _WAITS_FOR or self._satisfied(_WAITS_FOR[n])
        if n in _WAITS_FOR and not self._satisfied(_WAITS_FOR[n]):
            return False
        if n == 9:
            return self.confirmed[n] and not self.stale[n]
        if n in (7, 8):
            return True
        return not self.needs[n] and not self.stale[n]

    def _applies(self, n: int) -> str | None:
        """``skipped`` or ``not applicable``, or None where the step is to be done."""
        state = self.state
        if n == 4 and items_of(state, "test") and not items_of(state, "training", "all"):
            return SKIPPED
        if n == 7 and "system" in state["plan"] and state["plan"]["system"] is None:
            return NOT_APPLICABLE
        return None

    def view(self, n: int) -> StepView:
        title = say(f"procedure.step.{n}")
        applies = self._applies(n)
        if applies == SKIPPED:
            reason = self.state["not_supplied"].get("training data", "")
            why = " ".join(part for part in (say("procedure.skipped.training"), reason) if part)
            return StepView(n, title, SKIPPED, say("procedure.sub.skipped_training"), None, why)
        if applies == NOT_APPLICABLE:
            why = say("procedure.not_applicable")
            return StepView(n, title, applies, say("procedure.sub.not_applicable"), None, why)
        needs = self.needs[n]
        above = _WAITS_FOR.get(n)
        blocked = above if above is not None and not self._satisfied(above) else None
        if self.stale[n]:
            why = needs[0] if n in (6, 10) else say("procedure.need.again")
            if n in (6, 10) and blocked is not None:  # nothing can be run or decided again yet
                why = f"{why} {self._waits_words(blocked)}"
            return StepView(
                n, title, OUT_OF_DATE, say("procedure.sub.out_of_date"), blocked, why, needs
            )
        if blocked is not None and not self._finished(n):
            why = self._waits_words(blocked)
            return StepView(
                n, title, WAITS, say("procedure.sub.waits", step=blocked), blocked, why, needs
            )
        if self._finished(n):
            state = WARNED if self.warnings.get(n) else DONE
            return StepView(n, title, state, self._done_words(n), blocked, "", needs)
        why = " ".join(needs)
        if n == self.opened or self._begun(n):
            return StepView(n, title, IN_PROGRESS, self._progress_words(n), blocked, why, needs)
        return StepView(
            n, title, NOT_STARTED, say("procedure.sub.not_started"), blocked, why, needs
        )

    def _waits_words(self, blocked: int) -> str:
        """That a step waits for another one, and for what."""
        title, need = say(f"procedure.step.{blocked}"), self._why_waits(blocked)
        return say("procedure.blocked", step=blocked, title=title, need=need)

    def _why_waits(self, n: int) -> str:
        """What to do about a step that others wait for, following it up to the first cause."""
        first = n
        while (above := _WAITS_FOR.get(first)) is not None and not self._satisfied(above):
            first = above
        if first != n:
            title, need = say(f"procedure.step.{first}"), self._why_waits(first)
            return say("procedure.first", step=first, title=title, need=need)
        if self.stale[n] and n not in (6, 10):
            return say("procedure.need.again")
        return " ".join(self.needs[n]) or say("procedure.need.look")

    def _finished(self, n: int) -> bool:
        if n == 6:
            return self.current
        if n == 10:
            return decision_is_current(self.state)
        if n in (7, 8, 9) and not self.current:
            return False
        if n in (11, 12) and self.state["certificate"] is not None:
            return True  # what they hold stands on the paper, and nothing can be confirmed now
        return self.confirmed[n] and not self.needs[n]

    def _begun(self, n: int) -> bool:
        state = self.state
        if str(n) in state["drafts"] or f"step-{n}" in state["drafts"]:
            return True
        return {
            0: bool(state["items"]),
            1: bool(state["plan"].get("protected")),
            2: any(entry.get("privileged") for entry in state["plan"].get("protected") or []),
            # step 0 takes over a suggested column; what it means has still to be said
            5: "system" in state["plan"] and not self.needs[5],
            11: bool(state["not_supplied"]),
        }.get(n, False)

    def _progress_words(self, n: int) -> str:
        if n == 0 and self.questions:
            plural = "question" if self.questions == 1 else "questions"
            return say("procedure.sub.open_questions", questions=f"{self.questions} {plural}")
        return say("procedure.sub.in_progress")

    def _done_words(self, n: int) -> str:
        state = self.state
        warned = self.warnings.get(n, 0)
        if warned:
            plural = "warning" if warned == 1 else "warnings"
            return say("procedure.sub.warnings", warnings=f"{warned} {plural}")
        if n == 3:
            return say("procedure.sub.set", moment=_moment(state["set"]["tolerance"]["when"]))
        if n == 5:
            return self._system_words()
        if n in (6, 7, 8, 9) and self.result is not None:
            return self._result_words(n)
        if n == 10:
            certificate = state["certificate"]
            if certificate is not None:
                return say("procedure.sub.issued", number=certificate.get("number", ""))
            return say(f"procedure.sub.decided.{state['decision']['value']}")
        lacking = missing_keys(state)
        if n == 11 and lacking:
            return say("procedure.sub.lacking", lacking=len(lacking))
        next_check = (state["certificate"] or {}).get("next_check")
        if n == 12 and next_check:
            return say("procedure.sub.next_check", day=day(next_check))
        return say("procedure.sub.done")

    def _system_words(self) -> str:
        system = self.state["plan"].get("system")
        if system is None:
            return say("procedure.sub.no_system")
        if system.get("train") is not None:
            return say("procedure.sub.stand_in")
        if system.get("model_file") is not None:
            return say("procedure.sub.model_file")
        return say("procedure.sub.supplied")

    def _result_words(self, n: int) -> str:
        if n == 6:
            found = reading.test_rows(self.result)
            if found is None:
                return say("procedure.sub.done")
            rows, test = found
            return say(f"procedure.sub.rows{'' if test else '_all'}", rows=count(rows))
        if n == 9:
            score = reading.certification(self.result).get("fairness_score") or {}
            if score.get("value") is None:
                return say("procedure.sub.no_score")
            return say(
                "procedure.sub.score", score=number(score["value"]), verdict=score.get("verdict")
            )
        metrics = reading.OUTCOME_METRICS if n == 7 else ()
        done, total = reading.settled(self.result, *metrics)
        if n == 7 and total and done in (0, total):
            return say(f"procedure.sub.settled_{'all' if done else 'none'}")
        return say("procedure.sub.settled", settled=done, all=total)


def _moment(text: str) -> str:
    """The moment in words, or nothing where it is not recorded."""
    return moment(text) if text else ""
