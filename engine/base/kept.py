"""Finished pieces of long work, kept in a file so that stopped work goes on where it was."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

_STAMP = "stamp"
MOST = 20_000
"""Pieces that a file keeps; the oldest go first."""


class Keep(Protocol):
    """A place for finished pieces. It may lose any of them, and never gives a changed one."""

    def get(self, key: str) -> bytes | None:
        """The bytes under a key, or None."""

    def put(self, key: str, data: bytes) -> None:
        """Lay bytes under a key; what cannot be written is not kept."""


class KeptFile:
    """A :class:`Keep` in a file of its own.

    Whatever goes wrong with the file costs the kept pieces alone: they are made again. Each piece
    has a fingerprint over key and bytes, so a damaged one is not given.

    Parameters
    ----------
    path : pathlib.Path
        Made at the first :meth:`put`.
    stamp : str
        What the pieces belong to, laid beside them for :meth:`stamped`.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> kept = KeptFile(Path(folder.name) / "fits")
    >>> kept.put("a", b"1"); kept.get("a"), kept.get("b")
    (b'1', None)
    >>> kept.remove(); kept.get("a") is None
    True
    >>> folder.cleanup()
    """

    def __init__(self, path: Path, stamp: str = "") -> None:
        self.path, self.stamp = path, stamp
        self._guard = threading.Lock()

    def get(self, key: str) -> bytes | None:
        """The bytes under a key, or None."""
        with suppress(sqlite3.Error, OSError, UnicodeError):
            return self._got(key)
        return None

    def _got(self, key: str) -> bytes | None:
        if not self.path.is_file():
            return None
        with self._open() as db:
            found = db.execute("SELECT data, print FROM kept WHERE key = ?", (key,)).fetchone()
            if found and isinstance(found[0], bytes) and found[1] == _print(key, found[0]):
                data: bytes = found[0]
                return data
        return None

    def put(self, key: str, data: bytes) -> None:
        """Lay bytes under a key; what cannot be written is not kept."""
        with suppress(sqlite3.Error, OSError), self._open() as db:
            for name, value in ((key, data), (_STAMP, self.stamp.encode())):
                db.execute(
                    "REPLACE INTO kept (key, data, print) VALUES (?, ?, ?)",
                    (name, value, _print(name, value)),
                )
            db.execute("DELETE FROM kept WHERE rowid <= (SELECT max(rowid) FROM kept) - ?", (MOST,))

    def stamped(self) -> str | None:
        """The stamp of the last put, whoever made it; None where nothing is kept."""
        found = self.get(_STAMP)
        return None if found is None else found.decode(errors="replace")

    def remove(self) -> None:
        """Forget everything."""
        with self._guard, suppress(OSError):
            self.path.unlink(missing_ok=True)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with self._guard:
            db = sqlite3.connect(self.path, timeout=2)
            try:
                db.execute("PRAGMA synchronous = OFF")
                db.execute("PRAGMA journal_mode = MEMORY")
                db.execute(
                    "CREATE TABLE IF NOT EXISTS kept (key TEXT UNIQUE, data BLOB, print TEXT)"
                )
                with db:
                    yield db
            finally:
                db.close()


def _print(key: str, data: bytes) -> str:
    return hashlib.sha256(key.encode() + b"\0" + data).hexdigest()
