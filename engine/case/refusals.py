"""Errors of disk and database, turned into sentences that name the file and the mend."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.base.problems import Problem, Refused
from engine.messages import say

_BY_CODE = {
    sqlite3.SQLITE_FULL: "case.full",
    sqlite3.SQLITE_READONLY: "case.not_writable",
    sqlite3.SQLITE_PERM: "case.not_writable",
    sqlite3.SQLITE_CANTOPEN: "case.not_open",
    sqlite3.SQLITE_AUTH: "case.not_open",
    sqlite3.SQLITE_BUSY: "case.busy",
    sqlite3.SQLITE_LOCKED: "case.busy",
    sqlite3.SQLITE_CORRUPT: "case.damaged",
    sqlite3.SQLITE_NOTADB: "case.not_a_case",
    sqlite3.SQLITE_IOERR: "case.io",
    sqlite3.SQLITE_TOOBIG: "case.too_big",
    sqlite3.SQLITE_CONSTRAINT: "case.written_elsewhere",
}
_BY_ERRNO = {
    errno.ENOSPC: "case.full",
    errno.EDQUOT: "case.full",
    errno.EACCES: "case.not_writable",
    errno.EPERM: "case.not_writable",
    errno.EROFS: "case.not_writable",
    errno.ENOENT: "case.no_file",
    errno.EISDIR: "case.folder",
}


def refused(path: Path, code: str, *, place: str = "", **fields: object) -> Refused:
    """A refusal about a case file."""
    return Refused(Problem(path.name, place, say(code, **fields)))


def code_of(error: Exception) -> str:
    """The message code for an error of disk or database."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, "case.io")
    primary = getattr(error, "sqlite_errorcode", None)
    if primary is None:
        return "case.damaged"
    return _BY_CODE.get(primary & 0xFF, "case.damaged")


@contextmanager
def worded(path: Path, *, place: str = "") -> Iterator[None]:
    """Turn errors of disk and database inside into :class:`Refused`."""
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        raise refused(path, code_of(error), place=place) from error
