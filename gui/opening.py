"""Filling a fresh case from a plan and its files, as samples and plan files come."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.procedure import acts
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
    """Keep a plan's files in the case and make every choice of the plan as an act.

    Parameters
    ----------
    load : gives the path of the plan, whose own paths are relative to its folder; runs in the
        job and may write into the temporary folder that it is handed.
    on_done : called in the window's thread when the case stands as the plan says.
    """

    def keep(watch: Watch) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        files: dict[str, dict[str, Any]] = {}
        with tempfile.TemporaryDirectory(prefix="fairassay-") as folder:
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
        wanted = state_from_plan(plan, files=files, **session.by)
        for item in wanted["items"]:
            session.do(
                acts.add_item(
                    session.state, name=item["name"], bytes=item["bytes"], sha256=item["sha256"],
                    role=item["role"], reading=item["reading"], on=item["on"], **session.by,
                )
            )  # fmt: skip
        changes: list[tuple[tuple[str | int, ...], Any]] = []
        for item in wanted["items"]:
            changes += [
                (("items", item["id"], key), item[key])
                for key in ("path", "part_of")
                if key in item
            ]
        changes += [(("case", key), value) for key, value in wanted["case"].items() if value]
        changes += [
            (("plan", key), value) for key, value in wanted["plan"].items() if key != "tolerance"
        ]
        session.set_many(changes, messages.text("opening.words"))
        session.do(
            acts.set_tolerance(
                wanted["plan"].get("tolerance") or {}, words=messages.text("opening.tolerance"),
                **session.by,
            )
        )  # fmt: skip
        for number in (0, 1, 2, 4, 5):
            session.confirm(number)
        on_done()

    session.jobs.start(
        messages.text("job.plan"),
        keep,
        on_done=enter,
        on_failed=session.refuse,
        icon="file-plus",
    )
