"""A run written into a folder: all of it, or nothing."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from engine.base.problems import Problem, Refused
from engine.base.scratch import beside, sweep_beside
from engine.messages import say

if TYPE_CHECKING:
    from .road import Run

RESULT, TABLES, CERTIFICATE = "result.json", "tables", "certificate.pdf"
CASE, WATCHOUT = "case.fairassay", "watchout.pdf"
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)*|[.,]\d+)([eE][+-]?\d+)?\s*%?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def write(run: Run, out: Path, *, more: Callable[[Path], None] | None = None) -> None:
    """Write ``result.json``, ``tables/*.csv`` and further documents into a folder.

    Everything is made beside the folder first and then moved in, so that the folder stays as it
    was where anything fails. What an earlier run left there is replaced.

    Parameters
    ----------
    run : Run
    out : pathlib.Path
        The folder; it is made where it is missing.
    more : callable, optional
        Writes what else belongs to the run into the folder it is given, where the result and
        the tables lie already.

    Raises
    ------
    Refused
        Where the folder cannot be written.
    """
    check_folder(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        sweep_beside(folder=out.parent, name=out.name)
        made = Path(tempfile.mkdtemp(prefix=beside(out.name), dir=out.parent))
    except OSError as fault:
        raise _unwritable(out, fault) from None
    try:
        _fill(run, made)
        if more is not None:
            more(made)
        _move(made, out)
    except OSError as fault:
        raise _unwritable(out, fault) from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def check_folder(out: Path) -> None:
    """Refuse a folder that cannot be written, before the long work begins."""
    if out.exists() and not out.is_dir():
        raise Refused(Problem(out.name, "", say("run.out_is_file")))
    there = out
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise _unwritable(out)


def _unwritable(out: Path, fault: OSError | None = None) -> Refused:
    full = fault is not None and fault.errno in (errno.ENOSPC, errno.EDQUOT)
    return Refused(Problem(out.name, "", say("run.out_full" if full else "run.out_unwritable")))


def _fill(run: Run, folder: Path) -> None:
    (folder / RESULT).write_text(run.json, encoding="utf-8", newline="\n")
    (folder / TABLES).mkdir()
    for stem, table in run.tables.items():
        (folder / TABLES / f"{stem}.csv").write_text(csv_text(table), encoding="utf-8", newline="")


def _move(made: Path, out: Path) -> None:
    """Move a finished run into its folder; result.json comes last, as the seal."""
    earlier = (out / RESULT).exists()
    if not out.exists():
        os.chmod(made, 0o777 & ~_umask())
        os.replace(made, out)
        return
    tables = out / TABLES
    if earlier and tables.is_dir():
        for old in tables.glob("*.csv"):
            old.unlink()
    tables.mkdir(exist_ok=True)
    for table in sorted((made / TABLES).iterdir()):
        os.replace(table, tables / table.name)
    if earlier and not (made / WATCHOUT).exists():
        (out / WATCHOUT).unlink(missing_ok=True)
    files = sorted(p for p in made.iterdir() if p.is_file())
    for file in sorted(files, key=lambda p: p.name == RESULT):
        os.replace(file, out / file.name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def csv_text(table: pd.DataFrame) -> str:
    """A table as CSV, with cells that a spreadsheet would run as formulas defused.

    Examples
    --------
    >>> csv_text(pd.DataFrame({"Group": ["=1+1", "-5", "F"], "People": [1, 2, 3]}))
    "Group,People\\n'=1+1,1\\n-5,2\\nF,3\\n"
    """
    safe = table.copy(deep=False)
    safe.columns = pd.Index([defused(str(c)) for c in table.columns])
    for i, kind in enumerate(table.dtypes):
        column = table.iloc[:, i]
        if (
            isinstance(kind, pd.CategoricalDtype)
            or pd.api.types.is_object_dtype(kind)
            or (pd.api.types.is_string_dtype(kind))
        ):
            safe.isetitem(i, [defused(v) if isinstance(v, str) else v for v in column])
        elif pd.api.types.is_float_dtype(kind):
            safe.isetitem(i, (column + 0.0).array)  # no -0.0
    text: str = safe.to_csv(index=False, lineterminator="\n")
    return text


def defused(text: str) -> str:
    """A text with an apostrophe before it where a spreadsheet would take it for a formula.

    Examples
    --------
    >>> defused("@SUM(A1)"), defused("-0.5"), defused("plain")
    ("'@SUM(A1)", '-0.5', 'plain')
    """
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text
