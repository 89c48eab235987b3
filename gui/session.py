"""One open case, as the window sees it: its state, who acts, its tables and its result."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from engine.base.kept import KeptFile
from engine.base.problems import Problem, Refused
from engine.base.scratch import PREFIX
from engine.procedure import acts, basis
from engine.procedure.acts import Act
from engine.procedure.plan_of import plan_dict
from engine.procedure.steps import StepView, steps

from . import engine_calls, messages, paths
from .alive import tell
from .jobs import Job, Jobs
from .received import TAKING_OUT, reading_key
from .received import extract_items as extract_items
from .received import guessed_role as guessed_role
from .received import wart_key as wart_key
from .settings import Settings
from .standing import standing

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.case.store import Case
    from engine.intake.model import Table, Wart

ROLES = ("Evaluator", "Reviewer", "Decider", "Assistant")


@dataclass(frozen=True)
class Actor:
    """Who works on the case now."""

    name: str = ""
    role: str = "Evaluator"

    @property
    def who(self) -> str:
        """As the trail names this person: ``Name, Evaluator``, or the role alone."""
        return f"{self.name}, {self.role}" if self.name else self.role


def now() -> str:
    """This moment with its offset, to the second: the engine has no clock."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


class Session(QObject):
    """An open case. Pages read :attr:`state` and write by :meth:`set` and :meth:`do` alone.

    Signals
    -------
    changed() : after every act, undo, redo and result.
    tables_changed(str) : a file was read, or could not be; the id of its item.
    refused(Refused) : an act was refused; the window shows the sentences.
    opened_step(int) : the step on show changed (set by the stepper).
    """

    changed = Signal()
    tables_changed = Signal(str)
    refused = Signal(object)

    def __init__(
        self, case: Case, *, jobs: Jobs, settings: Settings | None = None, actor: Actor | None = None,
        clock: Callable[[], str] = now,
    ) -> None:  # fmt: skip
        super().__init__()
        self.case, self.jobs = case, jobs
        self.settings = settings or Settings()
        person = self.settings["person"]
        self.actor = actor or Actor(person.get("name", ""), person.get("role", "Evaluator"))
        self.clock = clock
        self.opened = 0
        self._tables: dict[str, tuple[str, Table]] = {}
        self._faults: dict[str, tuple[str, tuple[Problem, ...]]] = {}
        self._reading: dict[str, Job] = {}
        self._result: dict[str, Any] | None = None
        self._result_sha = ""
        self._views: tuple[dict[str, Any], tuple[Any, ...], list[StepView]] | None = None
        self._view: engine_calls.Reading | None = None
        self._last: tuple[str, dict[str, Any] | None] = ("", None)
        self.role_warts: list[tuple[str, Wart]] = []
        """What is odd about the roles of columns, set by :mod:`gui.steps.people`."""

    # State and acts ------------------------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        """The state document (:mod:`engine.procedure.state`); never change it in place."""
        return self.case.state

    @property
    def plan(self) -> dict[str, Any]:
        """The draft of the plan."""
        found: dict[str, Any] = self.state["plan"]
        return found

    @property
    def facts(self) -> dict[str, str]:
        """The facts of the case in words."""
        found: dict[str, str] = self.state["case"]
        return found

    @property
    def path(self) -> Path:
        """The case file."""
        return self.case.path

    @property
    def read_only(self) -> bool:
        """Whether nothing can be changed: the file is held elsewhere, or the case was issued."""
        return self.case.read_only or self.state["certificate"] is not None

    @property
    def read_only_words(self) -> str:
        """Why nothing can be changed; empty where it can."""
        if self.case.read_only:
            return self.case.read_only_why
        return messages.text("read_only.signed") if self.read_only else ""

    @property
    def saved_text(self) -> str:
        """What stands in the window's corner."""
        return messages.text("saved.read_only" if self.case.read_only else "saved.all")

    def do(self, act: Act | None) -> bool:
        """Carry out an act; False where it was refused, and :attr:`refused` then says why."""
        if act is None:
            return True
        return self._write(lambda: self.case.do(act))

    def set(self, path: Sequence[str | int], value: Any, words: str) -> bool:
        """Set one value of the state: ``session.set(("plan", "seed"), 1, "chose the seed")``."""
        return self.do(acts.set_value(path, value, words=words, **self.by))

    def set_many(self, changes: Sequence[tuple[Sequence[str | int], Any]], words: str) -> bool:
        """Set several values as one act, undone together."""
        return self.do(acts.set_many(changes, words=words, **self.by))

    def confirm(self, step: int) -> bool:
        """Record that Continue was pressed on a step."""
        return self.do(acts.confirm_step(step, **self.by))

    @property
    def by(self) -> dict[str, str]:
        """Who and when, for the functions of :mod:`engine.procedure.acts`."""
        return {"who": self.actor.who, "when": self.clock()}

    def see_rates(self) -> bool:
        """Record that favourable rates by group were opened; once is enough."""
        return self.case.read_only or self.do(acts.see_rates(self.state, **self.by))

    def see_result(self) -> bool:
        """Record that the result is on show; once is enough."""
        return self.case.read_only or self.do(acts.see_result(self.state, **self.by))

    def undo(self) -> bool:
        """Take back the last choice."""
        return self._write(lambda: self.case.undo(**self.by))

    def redo(self) -> bool:
        """Put back what was undone last."""
        return self._write(lambda: self.case.redo(**self.by))

    def draft(self, page: str) -> Any:
        """The half-filled fields of a page, or None."""
        return self.state["drafts"].get(page)

    def set_draft(self, page: str, fields: Any) -> None:
        """Keep half-filled fields through a crash; None clears them. Emits nothing."""
        if not self.case.read_only and self.draft(page) != fields:
            try:
                self.case.do(acts.draft(page, fields, **self.by))
            except Refused as error:
                self.refused.emit(error)

    def _write(self, what: Callable[[], Any]) -> bool:
        try:
            what()
        except Refused as error:
            self.refused.emit(error)
            return False
        self.changed.emit()
        return True

    def views(self) -> list[StepView]:
        """Where each step stands, with open questions and warnings of the files counted in."""
        state = self.state
        rests = (len(self.open_questions()), self._warning_count(), self.opened)
        known = self._views
        if known is not None and known[1] == rests and _same(known[0], state):
            return known[2]
        warnings = {0: rests[1]}
        views = steps(state, questions=rests[0], warnings=warnings, result=self.result, opened=self.opened)  # fmt: skip
        self._views = (state, rests, views)
        return views

    # Files ---------------------------------------------------------------------------------------

    def item(self, item_id: str) -> dict[str, Any] | None:
        """A received item by its id."""
        return next((one for one in self.state["items"] if one["id"] == item_id), None)

    def add_files(
        self, paths: Sequence[Path], *, role: Callable[[Path], str] | None = None,
        on_done: Callable[[], object] | None = None,
    ) -> None:  # fmt: skip
        """Keep files as they came, one job for all; each then becomes an item."""
        files = list(paths)
        if not files or self.read_only:
            return

        def keep(watch: Watch) -> list[Any]:
            part = [watch.part(n / len(files), (n + 1) / len(files)) for n in range(len(files))]
            return [self.case.add_file(file, one) for file, one in zip(files, part, strict=True)]

        def enter(received: list[Any]) -> None:
            for file, one in zip(files, received, strict=True):
                given = role(file) if role else guessed_role(file.name)
                self.do(
                    acts.add_item(
                        self.state, name=one.name, bytes=one.bytes, sha256=one.sha256, role=given,
                        **self.by,
                    )
                )  # fmt: skip
            if on_done:
                on_done()

        name = messages.text(
            "job.keep", name=files[0].name if len(files) == 1 else f"{len(files)} files"
        )
        self.jobs.start(name, keep, on_done=enter, on_failed=self.refuse, icon="file-plus")

    def remove_item(self, item_id: str) -> bool:
        """Take an item out of the audit; its bytes stay in the case."""
        return self.do(acts.remove_item(self.state, item_id, **self.by))

    def table(self, item_id: str) -> Table | None:
        """The typed table of an item as it is read now; None while it is being read.

        The first call starts the reading in a job; :attr:`tables_changed` follows. A change of
        the item's ``reading`` makes it be read again.
        """
        item = self.item(item_id)
        if item is None or item.get("role") in ("document", "model"):
            return None
        key = reading_key(item)
        if item_id in self._tables and self._tables[item_id][0] == key:
            return self._tables[item_id][1]
        known = self._faults.get(item_id)
        if (known is None or known[0] != key) and item_id not in self._reading:
            self._read(item, key)
            if item_id in self._tables:  # jobs that run in place are done by now
                return self._tables[item_id][1]
        return None

    def table_problems(self, item_id: str) -> tuple[Problem, ...]:
        """Why an item cannot be read as it is; empty where it can, or is being read."""
        item, known = self.item(item_id), self._faults.get(item_id)
        if item is None or known is None or known[0] != reading_key(item):
            return ()
        return known[1] or (Problem(item["name"], "", messages.text("job.read_stopped")),)

    def reading_stopped(self, item_id: str) -> bool:
        """Whether an item is not read because somebody stopped its reading."""
        return bool(self.table_problems(item_id)) and not self._faults[item_id][1]

    def read_again(self, item_id: str) -> None:
        """Read an item whose reading was stopped."""
        self._faults.pop(item_id, None)
        self.tables_changed.emit(item_id)

    def _read(self, item: Mapping[str, Any], key: str) -> None:
        item_id, case = str(item["id"]), self.case

        def work(watch: Watch) -> Table:
            with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
                out = watch.part(0.0, 0.2)
                path = case.extract(item["sha256"], folder, item["name"], out)
                rest = watch.part(0.2, 1.0)
                return engine_calls.read_table(path, item.get("reading") or {}, rest)

        def done(table: Table) -> None:
            self._reading.pop(item_id, None)
            self._tables[item_id] = (key, table)
            self._faults.pop(item_id, None)
            self.tables_changed.emit(item_id)

        def failed(error: Exception) -> None:
            self._reading.pop(item_id, None)
            problems = error.problems if isinstance(error, Refused) else ()
            self._faults[item_id] = (key, problems)
            self.tables_changed.emit(item_id)

        name = messages.text("job.read", name=item["name"])
        self._reading[item_id] = self.jobs.start(
            name, work, on_done=done, on_failed=failed, icon="file-search"
        )
        if self._reading[item_id].state != "running":
            self._reading.pop(item_id, None)

    def warts(self) -> list[tuple[dict[str, Any], Wart]]:
        """What is odd about the files read so far: item and wart; nothing of one now refused."""
        found = []
        for item in self.state["items"]:
            known = None if self.table_problems(item["id"]) else self._tables.get(item["id"])
            if known is not None and item.get("role") not in ("document", "model"):
                found += [(item, wart) for wart in known[1].warts]
        for item_id, wart in self.role_warts:
            of = self.item(item_id)
            if of is not None:
                found.append((of, wart))
        return found

    def open_questions(self) -> list[tuple[dict[str, Any], Wart]]:
        """Warts that have to be answered and are not yet."""
        return [
            (item, wart)
            for item, wart in self.warts()
            if wart.grade == "question" and wart_key(wart) not in item.get("answers", {})
        ]

    def _warning_count(self) -> int:
        return sum(wart.grade == "warning" for _, wart in self.warts())

    # The run -------------------------------------------------------------------------------------

    @property
    def result(self) -> dict[str, Any] | None:
        """result.json of the last run, or None."""
        stored = self.state["result"]
        if stored is None:
            return None
        if self._result_sha != stored["result_sha256"]:
            try:
                self._result = self.case.get_result()
            except Refused as error:
                self._result = None
                self.refused.emit(error)
            self._result_sha = stored["result_sha256"]
        return self._result

    @property
    def reading(self) -> engine_calls.Reading | None:
        """The last result with its charts, findings and sections, or None."""
        result = self.result
        if result is None:
            return None
        if self._view is None or self._view.result is not result:
            names = self.state["result"]["files"]
            files = {name: self.case.result_file(name) or b"" for name in names}
            self._view = engine_calls.Reading(result, files)
        return self._view

    @property
    def last_result(self) -> dict[str, Any] | None:
        """The result of the audit that this one follows, as the case keeps it; None without one."""
        sha256 = (self.state.get("before") or {}).get("result_sha256")
        if sha256 and self._last[0] != sha256 and self.case.has(sha256):
            self._last = sha256, json.loads(self.case.read(sha256, name="result.json"))
        return self._last[1] if sha256 and self._last[0] == sha256 else None

    @property
    def result_current(self) -> bool:
        """Whether the result was made from what the case says now."""
        return basis.result_is_current(self.state)

    def result_table(self, stem: str) -> bytes | None:
        """A table of the last run as CSV bytes, by its file stem."""
        return self.case.result_file(f"tables/{stem}.csv")

    @property
    def kept(self) -> KeptFile:
        """Finished pieces of a run that was stopped.

        They lie in this user's own folder: beside the case, others could exchange what a later
        run takes for its own work.
        """
        name = hashlib.sha256(str(self.case.path.resolve()).encode()).hexdigest()
        return KeptFile(paths.cache() / f"{name[:32]}{paths.KEPT}", basis.run_basis(self.state))

    def run_audit(self, *, on_done: Callable[[], object] | None = None) -> Job:
        """Run the plan exactly as the command line does, and keep the result in the case."""
        state, case, by = self.state, self.case, self.by
        run_basis = basis.run_basis(state)
        kept = self.kept
        paths.drop_old_kept(but=kept.path)

        def work(watch: Watch) -> dict[str, Any]:
            watch.keep = kept
            with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
                extract_items(case, state, Path(folder), watch)
                rest = watch.part(TAKING_OUT, 1.0)
                outcome = engine_calls.run_plan(plan_dict(state), Path(folder), rest)
            files = {name: case.put_file(name, data) for name, data in outcome.files.items()}
            result = case.put_file("result.json", outcome.result_json)
            return {
                "plan_sha256": outcome.plan_sha256,
                "result_sha256": result,
                "files": {"result.json": result, **files},
            }

        def keep(made: dict[str, Any]) -> None:
            self.do(
                acts.store_result(**made, basis_sha256=run_basis, who=by["who"], when=self.clock())
            )
            kept.remove()
            tell(on_done)

        return self.jobs.start(
            messages.text("job.audit"),
            work,
            on_done=keep,
            on_failed=self.refuse,
            icon="play",
            page=6,
        )

    def refuse(self, error: Exception) -> None:
        """Show why a job was refused; other endings say so themselves."""
        if isinstance(error, Refused):
            self.refused.emit(error)

    # Closing -------------------------------------------------------------------------------------

    def recent_entry(self) -> dict[str, Any]:
        """What the start page remembers of this case."""
        facts, state = self.facts, self.state
        name = " ".join(part for part in (facts["system"], facts["version"]) if part)
        where, verdict, words = standing(state, self.views(), self.result)
        return {
            "path": str(self.path), "system": name or self.path.stem,
            "reference": facts["reference"], "where": where, "verdict": verdict, "words": words,
            "opened": self.clock(),
        }  # fmt: skip

    def close(self) -> None:
        """Close the file; what runs for it is given up."""
        for job in list(self._reading.values()):
            self.jobs.end_now(job)
        self.settings.remember_case(self.recent_entry())
        self.case.close()


def _same(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether two documents hold the very same parts; an act makes those that it changes anew."""
    return before.keys() == after.keys() and all(after[key] is before[key] for key in after)
