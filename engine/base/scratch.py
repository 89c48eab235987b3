"""Temporary folders bear the number of their process, so that those of a killed one are swept.

Received files pass through the temporary folder; after a crash nothing of them may stay there.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

PREFIX = f"fairassay-{os.getpid()}-"
"""How every temporary folder of this process begins (``TemporaryDirectory(prefix=PREFIX)``)."""

_OURS = re.compile(r"fairassay-(\d+)-")


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


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
