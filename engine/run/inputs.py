"""What a result states of its inputs and of the software that made it."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

import engine
from engine.intake.model import Table
from engine.plan.model import Plan

LIBRARIES = (
    "duckdb", "imbalanced-learn", "networkx", "numpy", "onnxruntime", "pandas", "python-calamine",
    "pyreadstat", "scikit-learn", "scipy", "skops",
)  # fmt: skip
"""The libraries that read or compute."""


def software() -> dict[str, Any]:
    """Name and version of the program, of Python, and of each library that numbers rest on."""
    return {
        "name": "FairAssay",
        "version": engine.__version__,
        "python": platform.python_version(),
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def inputs_of(
    *, plan: Plan, base: Path, tables: Mapping[str, Table], joins: Sequence[Table]
) -> list[dict[str, Any]]:
    """One entry a received file, in the order of the plan."""
    found = []
    for role, table in tables.items():
        source = getattr(plan.data, role, None)
        found += _files(role, table, source.received if source else None)
    for join, table in zip(plan.join, joins, strict=True):
        found += _files("join", table, join.source.received)
    if plan.system is not None and plan.system.model_file is not None:
        path = base / str(plan.system.model_file["path"])
        raw = path.read_bytes()
        found.append(
            {
                "role": "model",
                "name": path.name,
                "sha256": hashlib.sha256(raw).hexdigest(),
                "bytes": len(raw),
                "rows": None,
                "columns": None,
                "detected": {},
                **_told(plan.system.model_file.get("received")),
            }
        )
    return found


def unread_rows(tables: Sequence[Table]) -> dict[str, pd.DataFrame]:
    """The rows that could not be read, ready to be written beside the result, if there are any."""
    found = [table.unread for table in tables if table.unread is not None]
    if not found:
        return {}
    names = {"file": "File", "line": "Line", "text": "Text as it stands", "reason": "Reason"}
    return {"unread": pd.concat(found, ignore_index=True).rename(columns=names)}


def _told(received: Mapping[str, str] | None) -> dict[str, dict[str, str]]:
    return {"received": dict(received)} if received else {}


def _files(role: str, table: Table, received: Mapping[str, str] | None) -> list[dict[str, Any]]:
    """The files of a table. ``rows`` are those of the file itself, unreadable ones included."""
    each = table.detected.get("files")
    rows = [int(file["rows"]) for file in each] if each else [len(table.frame)]
    if table.unread is not None:
        names = list(table.unread["file"]) if "file" in table.unread else []
        alone = int(table.detected.get("unread", len(table.unread)))
        rows = [
            n + (names.count(file.name) if len(rows) > 1 else alone)
            for n, file in zip(rows, table.received, strict=True)
        ]
    return [
        {
            "role": role,
            "name": file.name,
            "sha256": file.sha256,
            "bytes": file.bytes,
            "rows": n,
            "columns": len(table.frame.columns),
            "detected": dict(table.detected),
            **_told(received),
        }
        for file, n in zip(table.received, rows, strict=True)
    ]
