"""The first rows of files on their way in: a large one is looked at before it has been kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import engine_calls
from .jobs import Jobs

if TYPE_CHECKING:
    from engine.base.watch import Watch
    from engine.intake.model import Table


class FirstRows:
    """Reads the beginning of files as they are dropped, each in a quiet job.

    Keeping a file takes as long as hashing and packing it; what stands in it can be seen at once.
    ``changed`` is called in the window's thread when the first rows of another file are there.
    """

    def __init__(self, jobs: Jobs, changed: Callable[[], object]) -> None:
        self._jobs, self._changed = jobs, changed
        self._found: dict[str, Table] = {}
        self._asked: set[str] = set()

    def look(self, paths: Sequence[Path]) -> None:
        """Start to read the beginning of files that may be tables; what cannot be read is left."""
        for path in paths:
            self._look(path)

    def _look(self, path: Path) -> None:
        def work(_watch: Watch) -> Table:
            return engine_calls.first_rows(path)

        def done(table: Table) -> None:
            if path.name in self._asked:
                self._found[path.name] = table
                self._changed()

        self._asked.add(path.name)
        # The file is read in full later, and then says in words what is wrong with it.
        self._jobs.start("", work, on_done=done, on_failed=lambda _error: None, quiet=True)

    def forget(self, names: Sequence[str]) -> None:
        """Files that have been read in full, or that will not be."""
        for name in names:
            self._asked.discard(name)
            self._found.pop(name, None)

    def newest(self) -> tuple[str, Table] | None:
        """The file looked at last and its first rows; None where there is none."""
        return next(reversed(self._found.items()), None)
