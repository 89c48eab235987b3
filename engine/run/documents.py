"""The documents that belong to a run: certificate, case file, watch-out list."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from engine.base.canonical import canonical_json
from engine.base.watch import Watch
from engine.plan.form import every_path, short_paths
from engine.procedure.plan_of import state_from_plan

from .road import Run
from .writing import CASE, CERTIFICATE, TABLES, WATCHOUT


def write_documents(
    run: Run, folder: Path, *, who: str, when: str, watch: Watch | None = None
) -> None:
    """Write ``certificate.pdf``, ``case.fairassay`` and, after peers, ``watchout.pdf``.

    Parameters
    ----------
    run : Run
    folder : pathlib.Path
        Holds ``result.json`` and ``tables/`` already.
    who, when : str
        Who ran the audit and when (ISO 8601 with offset): the engine itself has no clock.
    watch : Watch, optional
    """
    from engine.case.build import Run as Finished
    from engine.case.build import case_from_run
    from engine.reports import certificate, parts

    watch = watch or Watch()
    plan: dict[str, Any] = run.result["plan"]
    short = short_paths(every_path(run.plan))
    files = {name: run.base / path for path, name in short.items()}
    facts = {
        name: {
            "bytes": path.stat().st_size,
            "sha256": _sha256(path),
        }
        for name, path in files.items()
    }
    watch.say("Printing the certificate", fraction=0.1)
    pdf = certificate.build(
        state=state_from_plan(plan, files=facts, who=who, when=when),
        result=run.result,
        result_bytes=run.json.encode(),
        plan_bytes=canonical_json(plan).encode(),
        parts=parts.gather(result=run.result, plan=run.plan, tables=run.tables),
    )
    annexes = {CERTIFICATE: pdf}
    if "peers" in run.result:
        watch.say("Printing the watch-out list", fraction=0.5)
        annexes[WATCHOUT] = _watchout(run)
    for name, content in annexes.items():
        (folder / name).write_bytes(content)
    watch.say("Writing the case file", fraction=0.6)
    tables = {
        f"{TABLES}/{path.name}": path.read_bytes() for path in sorted((folder / TABLES).iterdir())
    }
    case_from_run(
        path=folder / CASE,
        plan=plan,
        run=Finished(
            result=run.json.encode(),
            plan_sha256=run.result["plan_sha256"],
            files=tables | annexes,
        ),
        files=files,
        who=who,
        when=when,
        watch=watch.part(0.6, 1.0),
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:  # in pieces: evidence may be larger than the memory
        return hashlib.file_digest(file, "sha256").hexdigest()


def _watchout(run: Run) -> bytes:
    """The watch-out list: an annex for the auditor, never part of the certificate itself."""
    from engine.methods.peers.watchout import watchout
    from engine.reports.watchout import build

    return build(
        watchout=watchout(result=run.result["peers"], tables=run.tables),
        number=str(run.plan.case.get("reference") or ""),
        organisation=str(run.plan.case.get("organisation") or ""),
    )
