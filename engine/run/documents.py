"""The documents that belong to a run, as bytes."""

from __future__ import annotations

from engine.base.watch import Watch

from .road import Run


def documents(run: Run, *, watch: Watch) -> dict[str, bytes]:
    """Certificate, case file and watch-out list of a run, by file name."""
    return {}
