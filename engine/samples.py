"""The built-in samples: a folder with data, a plan and a note each, under ``resources/samples``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.messages import say

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "samples"
PLAN = "plan.json"


def names() -> list[str]:
    """The names of the samples, sorted."""
    return sorted(path.parent.name for path in FOLDER.glob(f"*/{PLAN}"))


def purpose(name: str) -> str:
    """What a sample shows: the purpose that its plan states."""
    case = plan_of(name).get("case") or {}
    return str(case.get("purpose") or "")


def plan_of(name: str) -> dict[str, Any]:
    """A sample's plan as JSON."""
    found: dict[str, Any] = json.loads((folder(name) / PLAN).read_text(encoding="utf-8"))
    return found


def folder(name: str) -> Path:
    """Where a sample lies.

    Raises
    ------
    Refused
        For a name that is none, with the nearest.
    """
    if name not in names():
        hint = mend(name, names(), otherwise="the samples are")
        raise Refused(Problem("", "", say("cli.sample_unknown", name=name, mend=hint)))
    return FOLDER / name


def write(name: str, out: Path) -> Path:
    """Copy a sample into a folder and give the path of its plan.

    A file that is there already with the same content stays; with other content, nothing is
    written.

    Raises
    ------
    Refused
        For an unknown name, and for a folder that cannot be written or holds other files of the
        same names.
    """
    files = sorted(path for path in folder(name).iterdir() if path.is_file())
    content = {path.name: path.read_bytes() for path in files}
    try:
        out.mkdir(parents=True, exist_ok=True)
        there = {name: (out / name) for name in content if (out / name).exists()}
        for file, path in there.items():
            if not path.is_file() or path.read_bytes() != content[file]:
                raise Refused(Problem(out.name, "", say("cli.sample_exists", name=file)))
        for file, raw in content.items():
            if file not in there:
                part = out / f".{file}.part"
                part.write_bytes(raw)
                os.replace(part, out / file)
    except OSError:
        raise Refused(Problem(out.name, "", say("run.out_unwritable"))) from None
    return out / PLAN
