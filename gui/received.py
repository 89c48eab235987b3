"""Received files of a case: their guessed role, how they are read, and their originals on disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.base.canonical import canonical_json
from engine.procedure.plan_of import item_paths

from . import messages

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.case.store import Case
    from engine.intake.model import Wart


TAKING_OUT = 0.1


def extract_items(case: Case, state: Mapping[str, Any], folder: Path, watch: Watch) -> None:
    """Write the originals into a folder under the paths that the plan gives them.

    That is taken for the first :data:`TAKING_OUT` of the whole job.
    """
    from engine.case.build import inside

    paths = item_paths(state)
    wanted = [i for i in state["items"] if i.get("role") not in ("document", "", None)]
    done, size = 0, sum(int(item["bytes"]) for item in wanted) or 1
    for item in wanted:
        watch.say(messages.text("job.extract", name=item["name"]))
        share = TAKING_OUT / size
        part = watch.part(done * share, (done + int(item["bytes"])) * share)
        done += int(item["bytes"])
        target = folder / inside(paths[item["id"]])
        target.parent.mkdir(parents=True, exist_ok=True)
        case.extract(item["sha256"], target.parent, target.name, part)


def wart_key(wart: Wart) -> str:
    """The key of a wart's answer in ``item["answers"]``."""
    marker = wart.suggestion.get("marker")  # several markers may be asked about in one column
    return ":".join(str(part) for part in (wart.code, wart.column, marker) if part)


def guessed_role(name: str) -> str:
    """What a file is probably for, by its name; the auditor says it in step 0."""
    suffix = Path(name).suffix.lower()
    if suffix in (".onnx", ".skops"):
        return "model"
    if suffix in (".pdf", ".doc", ".docx", ".md", ".html", ".png", ".jpg"):
        return "document"
    return ""


def reading_key(item: Mapping[str, Any]) -> str:
    return canonical_json([item["sha256"], item.get("reading") or {}])
