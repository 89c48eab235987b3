"""The job of the stress tests: on the result that stands, and what is done is kept."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.base.problems import Cancelled
from engine.base.scratch import PREFIX
from engine.procedure import acts, basis
from engine.procedure.plan_of import plan_dict
from gui.session import extract_items

from .peers_words import text

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.run.stress import Stressed
    from gui.jobs import Job
    from gui.session import Session

NAME, CELLS = "peers", "stress_cells"


def job_of(session: Session) -> Job | None:
    """The job that runs the stress tests now, or None."""
    return next((j for j in session.jobs.running() if j.name == text("stress_job")), None)


def start(session: Session, *, on_done: Callable[[], object]) -> Job:
    """Run the stress tests that the plan asks for; a stop keeps the tests that are done.

    The case gets the result with the tests that were made. Where some were stopped, its plan says
    how many, so that the same plan gives the same result again.
    """
    case, by = session.case, session.by
    state = _with_methods(session.state, _methods(session, None))
    stored = state["result"]
    asked = plan_dict(state)
    finish: list[Callable[[], Stressed]] = []

    def work(watch: Watch) -> dict[str, Any]:
        from engine.methods.asking import read_plan
        from engine.run.stress import stress_tests

        old, files = None, {}
        if stored is not None:
            import json

            old = json.loads(case.read(stored["result_sha256"], name="result.json"))
            files = {
                name: case.read(sha256, name=name)
                for name, sha256 in stored["files"].items()
                if name.startswith("tables/")
            }
        with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
            extract_items(case, state, Path(folder), watch)
            made = stress_tests(
                plan=read_plan(asked), base=Path(folder), result=old, files=files, watch=watch,
                ready=finish.append,
            )  # fmt: skip
        return put(made)

    def put(made: Stressed) -> dict[str, Any]:
        files = {name: case.put_file(name, data) for name, data in made.files.items()}
        result = case.put_file("result.json", made.json.encode())
        from engine.base.canonical import plain, sha256_of
        from engine.plan.form import to_dict

        return {
            "plan_sha256": sha256_of(plain(to_dict(made.plan))), "result_sha256": result,
            "files": {"result.json": result, **files}, "done": made.done, "of": made.of,
        }  # fmt: skip

    def keep(made: dict[str, Any]) -> None:
        done, of = made.pop("done"), made.pop("of")
        part = done if done < of else None
        ran = _with_methods(state, _methods_of(state, part))
        now = _methods(session, part)
        if now != session.plan.get("methods"):
            words = text("act_stopped", done=done, of=of) if part else text("act_whole")
            session.set(("plan", "methods"), now, words)
        session.do(
            acts.store_result(
                **made, basis_sha256=basis.run_basis(ran), who=by["who"], when=session.clock()
            )
        )
        on_done()

    def lost(error: Exception) -> None:
        if isinstance(error, Cancelled) and finish:
            session.jobs.start(
                text("stress_keep"), lambda watch: put(finish[0]()),
                on_done=keep, on_failed=session.refuse, quiet=True,
            )  # fmt: skip
        else:
            session.refuse(error)

    return session.jobs.start(
        text("stress_job"), work, on_done=keep, on_failed=lost, icon="dices", page=7
    )


def _methods(session: Session, most: int | None) -> dict[str, Any]:
    return _methods_of(session.state, most)


def _methods_of(state: Mapping[str, Any], most: int | None) -> dict[str, Any]:
    """The methods of a plan with the number of runs that were made; None: all of them."""
    methods = dict(state["plan"].get("methods") or {})
    if NAME not in methods:
        return methods
    given = {k: v for k, v in (methods[NAME] or {}).items() if k != CELLS}
    methods[NAME] = given if most is None else {**given, CELLS: most}
    return methods


def _with_methods(state: Mapping[str, Any], methods: Mapping[str, Any]) -> dict[str, Any]:
    return {**state, "plan": {**state["plan"], "methods": dict(methods)}}


OWN = ("stress", "stress_levels", "stress_total", "stress_repeats", CELLS)


def stands(session: Session) -> bool:
    """Whether the last result is of what the case says now, but for the stress tests.

    Told by the run's own fingerprint: the plan as it is now, with the stress tests that ran.
    """
    result, state = session.result or {}, session.state
    ran = result["plan"]["methods"].get(NAME)
    methods = dict(state["plan"].get("methods") or {})
    if ran is None or NAME not in methods:
        return False
    from engine.methods import method

    defaults = method(NAME).defaults()
    given = {k: v for k, v in (methods[NAME] or {}).items() if k not in OWN}
    given |= {k: ran[k] for k in OWN if k in ran and ran[k] != defaults[k]}
    then = _with_methods(state, {**methods, NAME: given})
    return bool(basis.run_basis(then) == state["result"].get("basis_sha256"))
