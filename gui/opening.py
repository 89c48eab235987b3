"""Filling a fresh case from a plan and its files, as samples and plan files come."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.base.scratch import PREFIX
from engine.procedure.acts import Act
from engine.procedure.plan_of import sources_of, state_from_plan

from . import messages

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .session import Session


def fill_from_sample(session: Session, name: str, *, on_done: Callable[[], object]) -> None:
    """Fill a fresh case with a built-in sample, which may be made from its seed first."""

    def load(folder: Path) -> Path:
        from engine.samples import built_in

        return built_in.write(name, folder)

    fill_from_plan(session, load, on_done=on_done)


def fill_from_plan(
    session: Session, load: Callable[[Path], Path], *, on_done: Callable[[], object]
) -> None:
    """Keep a plan's files in the case and make every choice of the plan, as the command line does.

    Parameters
    ----------
    load : gives the path of the plan, whose own paths are relative to its folder; runs in the
        job and may write into the temporary folder that it is handed.
    on_done : called in the window's thread when the case stands as the plan says.
    """

    def keep(watch: Watch) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        files: dict[str, dict[str, Any]] = {}
        with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
            file = load(Path(folder))
            plan: dict[str, Any] = json.loads(file.read_text("utf-8"))
            paths = list(dict.fromkeys(path for path, *_ in sources_of(plan)))
            for number, path in enumerate(paths):
                part = watch.part(number / len(paths), (number + 1) / len(paths))
                received = session.case.add_file(file.parent / path, part)
                files[path] = {"bytes": received.bytes, "sha256": received.sha256}
        return plan, files

    def enter(kept: tuple[dict[str, Any], dict[str, dict[str, Any]]]) -> None:
        plan, files = kept
        by = session.by
        wanted = state_from_plan(plan, files=files, **by)
        session.do(
            Act("restore", (), wanted, messages.text("opening.words"), by["who"], by["when"])
        )
        on_done()

    session.jobs.start(
        messages.text("job.plan"),
        keep,
        on_done=enter,
        on_failed=session.refuse,
        icon="file-plus",
    )
