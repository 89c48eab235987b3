"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from engine.base.problems import Problem, Refused
from engine.messages import say


def write_whole(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file so that a reader finds the old one or the new one, never half of it.

    Parameters
    ----------
    path : Path
    content : bytes
    private : bool
        Readable by its owner alone (keys).

    Raises
    ------
    Refused
        Where the folder is missing or cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    except OSError as fault:
        text = say("reports.cannot_write", why=(fault.strerror or "unknown").lower())
        raise Refused(Problem(path.name, "", text)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o600 if private else 0o644)
        os.replace(name, path)
    except OSError as fault:
        Path(name).unlink(missing_ok=True)
        text = say("reports.cannot_write", why=(fault.strerror or "unknown").lower())
        raise Refused(Problem(path.name, "", text)) from None
