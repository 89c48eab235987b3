"""One writer a case: a lock beside the file that dies with its process.

The lock is held by the operating system on an open file, so a process that is killed leaves no
stale lock behind; the small file itself may stay and means nothing.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _hold(file: IO[bytes]) -> None:
        # Far behind the text, so that the name of the holder stays readable.
        file.seek(1 << 20)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _hold(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class Held(Exception):
    """Somebody else holds the lock; ``by`` is who, as far as the file says."""

    def __init__(self, by: str) -> None:
        super().__init__(by)
        self.by = by


class Lock:
    """The lock of one case file. It lies beside the case, because closing any other handle on the
    case itself would release SQLite's own locks.

    Parameters
    ----------
    path : pathlib.Path
        The case file.
    by : str
        Who takes it, for the notice in a second window.

    Raises
    ------
    Held
        If another process, or another window of this one, holds it.
    OSError
        If the folder cannot be written.
    """

    def __init__(self, path: Path, *, by: str = "") -> None:
        path = path.resolve()  # a link to a case is that case
        self.path = path.with_name(f".{path.name}.lock")
        while True:
            file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
            try:
                _hold(file)
            except OSError:
                holder = file.read(200).decode("utf-8", "replace").strip()
                file.close()
                raise Held(holder) from None
            if self._is_current(file):
                break
            file.close()  # its holder removed it between our opening and our locking
        self._file = file
        with suppress(OSError):  # the name is a courtesy; on a full disk the lock holds without
            file.seek(0)
            file.truncate()
            os.write(file.fileno(), by.encode()[:200])

    def _is_current(self, file: IO[bytes]) -> bool:
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(file.fileno()))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let go; a second call does nothing."""
        if self._file.closed:
            return
        if sys.platform != "win32":
            self.path.unlink(missing_ok=True)  # while held, so that no other can be fooled
        self._file.close()
