"""Where the program's own files and the user's settings lie."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

RESOURCES = Path(__file__).resolve().parent.parent / "resources"
"""Fonts, icons, help and samples; read only."""


def home() -> Path:
    """The folder of this user's settings; the environment's FAIRASSAY_HOME goes before."""
    given = os.environ.get("FAIRASSAY_HOME")
    if given:
        folder = Path(given)
    else:
        import platformdirs

        folder = platformdirs.user_config_path("FairAssay", appauthor=False)
    return _made(folder)


def cache() -> Path:
    """The folder of what can be made again, such as matplotlib's list of fonts."""
    if os.environ.get("FAIRASSAY_HOME"):
        return _made(home() / "cache")
    import platformdirs

    return _made(platformdirs.user_cache_path("FairAssay", appauthor=False))


KEPT = ".kept"
"""What files of finished pieces of stopped runs end in."""
KEPT_DAYS = 90


def drop_old_kept(*, but: Path) -> None:
    """Remove the kept pieces of runs that nobody came back to: they hold decisions about people.

    ``but`` is the file that is about to be gone on with.
    """
    oldest = time.time() - KEPT_DAYS * 86_400
    with suppress(OSError):
        for file in cache().glob(f"*{KEPT}"):
            with suppress(OSError):
                if file != but and file.stat().st_mtime < oldest:
                    file.unlink()


def _made(folder: Path) -> Path:
    """The folder, made where it is not there; where nothing can be written, one for this session."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return _for_this_session()
    return folder


@lru_cache(maxsize=1)
def _for_this_session() -> Path:
    return Path(tempfile.mkdtemp(prefix="fairassay-home-"))
