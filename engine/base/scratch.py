"""Temporary folders bear the number of their process, so that those of a killed one are swept.

Received files pass through the temporary folder; after a crash nothing of them may stay there.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import tempfile
from pathlib import Path

PREFIX = f"fairassay-{os.getpid()}-"
"""How every temporary folder of this process begins (``TemporaryDirectory(prefix=PREFIX)``)."""

_MACHINE = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
_OURS = re.compile(r"fairassay-(\d+)-")


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def beside(name: str) -> str:
    """How a hidden folder of this process begins in which something is made beside its place.

    It bears the machine too, since the place may be a shared drive.
    """
    return f".{name}-{_MACHINE}-{os.getpid()}-"


def sweep_beside(*, folder: Path, name: str) -> int:
    """Remove what killed processes of this machine were making beside ``name``.

    Returns
    -------
    int
        How many folders were removed.
    """
    removed = 0
    ours = re.compile(re.escape(f".{name}-{_MACHINE}-") + r"(\d+)-")
    for path in folder.iterdir():
        found = ours.match(path.name)
        if found and not _alive(int(found[1])) and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
            removed += 1
    return removed


def sweep(*, folder: Path | None = None) -> int:
    """Remove the temporary folders that ended processes of this user left behind.

    Parameters
    ----------
    folder : Path, optional
        Where to look; the machine's temporary folder by default.

    Returns
    -------
    int
        How many folders were removed.
    """
    removed = 0
    for path in (folder or Path(tempfile.gettempdir())).glob("fairassay-*"):
        found = _OURS.match(path.name)
        if not found or _alive(int(found[1])) or path.is_symlink() or not path.is_dir():
            continue
        if path.stat().st_uid == os.getuid():
            shutil.rmtree(path, ignore_errors=True)
            removed += 1
    return removed
