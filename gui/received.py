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


def extract_items(case: Case, state: Mapping[str, Any], folder: Path, watch: Watch) -> None:
    """Write the originals into a folder under the paths that the plan gives them."""
    from engine.case.build import inside

    paths = item_paths(state)
    for item in state["items"]:
        if item.get("role") in ("document", "", None):
            continue
        watch.say(messages.text("job.extract", name=item["name"]))
        target = folder / inside(paths[item["id"]])
        target.parent.mkdir(parents=True, exist_ok=True)
        case.extract(item["sha256"], target.parent, target.name)


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
