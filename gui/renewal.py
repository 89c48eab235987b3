"""A new case from an earlier one: from the open case, a case file, or an old certificate alone.

Facts, groups, tolerance, methods and the governance sheet go over; data, result and decision do
not (:mod:`engine.procedure.recertify`). The earlier result is kept in the new case, so that step
12 and the paper can set the new one against it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog

from engine.base.problems import Problem, Refused
from engine.procedure import recertify
from engine.procedure.acts import Act

from . import certify_words as words
from . import dialogs, messages

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .main_window import MainWindow
    from .session import Session

SUFFIX = ".fairassay"
RESULT_SCHEMA = "fairassay-result/1"


@dataclass(frozen=True)
class Earlier:
    """What a new case begins with: its state, the earlier result, and what was said of the paper.

    ``path`` is the earlier case file, which the new one must not replace.
    """

    state: dict[str, Any]
    result: bytes = b""
    said: tuple[str, ...] = ()
    path: Path | None = None


def of_session(session: Session) -> Earlier:
    """What the open case hands on."""
    stored = session.state["result"]
    result = b""
    if stored is not None and session.case.has(stored["result_sha256"]):
        result = session.case.read(stored["result_sha256"], name="result.json")
    return Earlier(recertify.state_from_case(session.state), result, path=session.path)


def read(path: Path, trust: Path | None, watch: Watch) -> Earlier:
    """What an old case file, or an old certificate as PDF, hands on; runs in a job.

    Raises
    ------
    Refused
        For a file that is neither, and for a paper whose signature or content does not hold.
    """
    return _paper(path, trust, watch) if path.suffix.lower() == ".pdf" else _case(path, watch)


def _case(path: Path, watch: Watch) -> Earlier:
    from engine.case.store import Case

    watch.say(words.text("again.reading", name=path.name))
    with Case.open(path, read_only=True) as case:
        stored, result = case.state["result"], b""
        if stored is not None and case.has(stored["result_sha256"]):
            result = case.read(stored["result_sha256"], name="result.json")
        return Earlier(recertify.state_from_case(case.state), result, path=path)


def _paper(path: Path, trust: Path | None, watch: Watch) -> Earlier:
    from engine.base.canonical import sha256_of
    from engine.messages import say
    from engine.reports.paper_file import PLAN_NAME, RESULT_NAME, open_paper, read_bytes
    from engine.reports.verify import verify

    watch.say(words.text("again.reading", name=path.name))
    content = read_bytes(path)
    verdict = verify(path, trust=trust)
    if not verdict.intact:
        text = words.text("again.not_intact", why=verdict.lines[0])
        raise Refused(Problem(path.name, "", text))
    paper = open_paper(content)
    attached = {} if paper is None else paper.attached
    if paper is None or not {RESULT_NAME, PLAN_NAME} <= attached.keys():
        raise Refused(Problem(path.name, "", say("recertify.not_ours")))
    try:
        result, plan = (json.loads(attached[name]) for name in (RESULT_NAME, PLAN_NAME))
    except ValueError:
        raise Refused(Problem(path.name, "", say("recertify.not_ours"))) from None
    if result.get("schema") != RESULT_SCHEMA:
        raise Refused(Problem(path.name, "", say("recertify.other_schema")))
    made = recertify.state_from_paper(
        summary=paper.summary, plan=_as_written(plan), result=result,
        result_sha256=sha256_of(attached[RESULT_NAME]), sha256=verdict.sha256,
    )  # fmt: skip
    return Earlier(made, attached[RESULT_NAME], verdict.lines[:1])


def _as_written(plan: dict[str, Any]) -> dict[str, Any]:
    """A plan as it ran, without the settings that were the methods' own defaults."""
    from engine.methods import NAMES, method

    methods = {}
    for name, given in (plan.get("methods") or {}).items():
        usual = method(name).defaults() if name in NAMES else {}
        methods[name] = {k: v for k, v in given.items() if k not in usual or v != usual[k]}
    return {**plan, "methods": methods}


def begin(window: MainWindow, earlier: Earlier, path: Path, *, actor: Any = None) -> Session | None:
    """Make the new case under a path, fill it, and open it; None where it cannot be made."""
    target = path if path.name.endswith(SUFFIX) else path.with_name(path.name + SUFFIX)
    if earlier.path is not None and target.resolve() == earlier.path.resolve():
        from engine.messages import say

        window.show_problems(Refused(Problem(target.name, "", say("recertify.same_file"))))
        return None
    session = window.create_case(target, actor=actor)
    if session is None:
        return None
    if earlier.result:
        session.case.put_file("result.json", earlier.result)
    by, said = session.by, words.text("again.new_words")
    session.do(Act("restore", (), earlier.state, said, by["who"], by["when"]))
    if window.stepper is not None:
        window.stepper.open_step(0)
    window.show_dialog(dialogs.NoticeDialog(window, words.text("again.notice"), told(earlier)))
    return session


def told(earlier: Earlier) -> list[str]:
    """What was taken over and what comes next, for the notice."""
    state = earlier.state
    number = recertify.replaced(state)
    names = [str(a.get("name") or a.get("column")) for a in state["plan"].get("protected") or ()]
    lines = [
        words.text("again.taken", system=state["case"]["system"] or "–",
                   attributes=", ".join(names) or "–", n=len(state["plan"].get("methods") or {})),
        words.text("again.replaces", number=number) if number else words.text("again.no_paper"),
        *earlier.said,
        words.text("again.compared" if earlier.result else "again.not_compared"),
        words.text("again.next_steps"),
    ]  # fmt: skip
    return lines


def ask(window: MainWindow, path: str = "", target: str = "") -> None:
    """Ask for an old certificate or its case, then where the new case is to be kept."""
    if not path:
        path, _ = QFileDialog.getOpenFileName(
            window, words.text("again.old_title"), str(window.folder()),
            words.text("again.old_filter"),
        )  # fmt: skip
    if not path:
        return
    office = window.settings["office"].get("trust", "")
    trust = Path(office) if office and Path(office).is_file() else None

    def chosen(earlier: Earlier) -> None:
        place = target
        if not place:
            start = Path(path).with_name(f"{Path(path).stem} again{SUFFIX}")
            place, _ = QFileDialog.getSaveFileName(
                window, words.text("again.new_title"), str(start),
                messages.text("file.case_filter"),
            )  # fmt: skip
        if place:
            begin(window, earlier, Path(place))

    session = window.session
    if session is not None and Path(path).resolve() == session.path.resolve():
        chosen(of_session(session))
        return
    window.jobs.start(
        words.text("again.reading", name=Path(path).name),
        lambda watch: read(Path(path), trust, watch), on_done=chosen, on_failed=window.failed,
        icon="history",
    )  # fmt: skip
