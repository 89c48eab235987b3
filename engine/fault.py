"""The report of a fault of ours, without a word of anybody's data.

Messages of exceptions and local variables may hold values of the audited people, so neither is
written: only the kinds of the exceptions, the places in our own files, and versions.
"""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import engine

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = (
    "duckdb",
    "numpy",
    "pandas",
    "pikepdf",
    "pyHanko",
    "reportlab",
    "scikit-learn",
    "scipy",
)


def report(fault: BaseException) -> str:
    """The text of the report.

    Examples
    --------
    >>> "secret" in report(ValueError("secret"))
    False
    """
    lines = [
        f"FairAssay {engine.__version__}",
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}",
    ]
    for name in LIBRARIES:
        try:
            lines.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            lines.append(f"{name} not installed")
    seen: BaseException | None = fault
    while seen is not None:
        kind = type(seen)
        lines += ["", f"{kind.__module__}.{kind.__qualname__}"]
        for frame in traceback.extract_tb(seen.__traceback__):
            lines.append(f"  {_place(frame.filename)}, line {frame.lineno}, in {frame.name}")
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return "\n".join(lines) + "\n"


def _place(filename: str) -> str:
    """A file of ours relative to the program; of a library, the package and file alone."""
    path = Path(filename)
    parts = path.parts
    if "site-packages" in parts:
        return "/".join(parts[len(parts) - parts[::-1].index("site-packages") :])
    try:
        return path.resolve().relative_to(ROOT).as_posix()
    except (ValueError, OSError):
        return path.name


def write(fault: BaseException) -> Path | None:
    """Write the report into a new file of the system's temporary folder; None where it cannot."""
    try:
        handle, name = tempfile.mkstemp(prefix="fairassay-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(report(fault))
    except OSError:
        return None
    return Path(name)
