"""A case file of a run from the command line: the window opens it with everything set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.base.canonical import canonical_json
from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.messages import say
from engine.procedure.acts import Act
from engine.procedure.basis import run_basis
from engine.procedure.plan_of import item_paths, plan_dict, sources_of, state_from_plan

from .refusals import refused
from .store import Case


@dataclass(frozen=True)
class Run:
    """What a finished run hands over.

    ``result`` is result.json (or its canonical bytes), ``plan_sha256`` the fingerprint in it;
    ``files`` maps further names (``tables/peers.csv``, ``certificate.pdf``) to their bytes.
    """

    result: Mapping[str, Any] | bytes
    plan_sha256: str
    files: Mapping[str, bytes]


def case_from_run(
    *,
    path: str | Path,
    plan: Mapping[str, Any],
    run: Run,
    files: Mapping[str, str | Path],
    who: str,
    when: str,
    watch: Watch | None = None,
) -> Path:
    """Write the case of a run: evidence verbatim, every choice, the result.

    Parameters
    ----------
    path : str or pathlib.Path
        The case file to be made.
    plan : mapping
        The plan in its file form, as it was handed in, already checked.
    run : Run
    files : mapping
        Every path that the plan names, as the plan writes it -> the file on this disk.
    who, when : str
        Who ran it and when (ISO 8601 with offset); every act bears them.
    watch : Watch, optional

    Returns
    -------
    pathlib.Path
        The case. The same arguments give the same content: state, trail and head.

    Raises
    ------
    Refused
        If the file is there already, or the disk refuses; nothing is then left behind.
    """
    path = Path(path)
    watch = watch or Watch()
    if path.exists():
        raise refused(path, "case.exists")
    try:
        with Case.create(path, who=who, when=when) as case:
            kept: dict[str, dict[str, Any]] = {}
            named = list(dict.fromkeys(source for source, *_ in sources_of(plan)))
            for index, source in enumerate(named):
                part = watch.part(index / len(named), (index + 1) / len(named))
                received = case.add_file(files[source], part)
                kept[source] = {"bytes": received.bytes, "sha256": received.sha256}
            state = state_from_plan(plan, files=kept, who=who, when=when)
            case.do(Act("restore", (), state, "took everything from the plan", who, when))
            case.put_result(
                result=run.result,
                tables=run.files,
                plan_sha256=run.plan_sha256,
                basis_sha256=run_basis(case.state),
                who=who,
                when=when,
            )
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def write_inputs(case: Case, folder: str | Path, watch: Watch | None = None) -> Path:
    """Write a case's plan and the files that it names into a folder, ready to be run there.

    Window and command line take the same road from here: the plan that this writes gives the
    same result by either.

    Returns
    -------
    pathlib.Path
        ``plan.json`` in the folder; the files lie beside it under the names in the plan.

    Raises
    ------
    Refused
        If kept bytes are damaged or missing, or the folder cannot be written.
    """
    folder = Path(folder)
    watch = watch or Watch()
    state = case.state
    paths = item_paths(state)
    for item in state["items"]:
        if item.get("role") in ("", "document", None):
            continue
        watch.say(f"Unpacking {item['name']}")
        target = folder / inside(paths[item["id"]])
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            case.extract(item["sha256"], target.parent, target.name)
    plan = folder / "plan.json"
    plan.write_text(canonical_json(plan_dict(state)), encoding="utf-8")
    return plan


def inside(path: str) -> Path:
    """A path from a case, which may be a stranger's, kept inside the folder it is written to."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts or ".." in parts or ":" in parts[0]:
        raise Refused(Problem(path, "", say("case.path_outside")))
    return Path(*parts)
