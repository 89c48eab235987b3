"""Files that appear under their name only when they are whole and safe on disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from engine.base.watch import Watch
from engine.messages import say

_PAGES = 2048


def settle(fresh: Path, target: Path) -> None:
    """Make a finished file durable, then give it its name in one step."""
    with fresh.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(fresh, target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make a new name durable, where the system allows it."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(target: Path, pieces: Iterable[bytes]) -> None:
    """Write pieces into a file; on any fault nothing is left and an older file stays."""
    fresh = target.with_name(f".{target.name}.part")
    try:
        with fresh.open("wb") as file:
            for piece in pieces:
                file.write(piece)
        settle(fresh, target)
    except BaseException:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


def beginning(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    """The first ``size`` bytes of what comes in pieces.

    Examples
    --------
    >>> list(beginning([b"abc", b"def", b"ghi"], 4))
    [b'abc', b'd']
    """
    for piece in pieces:
        yield piece[:size]
        size -= len(piece)
        if size <= 0:
            return


def watched(pieces: Iterable[bytes], size: int, name: str, watch: Watch) -> Iterator[bytes]:
    """Pieces on their way out of a case, with progress and Cancel."""
    done = 0
    for piece in pieces:
        yield piece
        done += len(piece)
        watch.say(say("case.unpacking", name=name), fraction=done / size if size else None)


def copy_database(db: sqlite3.Connection, target: Path, watch: Watch) -> None:
    """Copy an open database page by page, with progress and Cancel."""

    def progress(_: int, left: int, total: int) -> None:
        watch.say(f"Copying to {target.name}", done=total - left, total=total)

    fresh = target.with_name(f".{target.name}.part")
    try:
        fresh.unlink(missing_ok=True)
        with closing(sqlite3.connect(fresh)) as copy:
            db.backup(copy, pages=_PAGES, progress=progress)
        settle(fresh, target)
    except BaseException:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
