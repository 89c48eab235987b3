"""Writing what a person saves: where the disk says no, a sentence says so and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from engine.base.problems import Problem, Refused
from gui import messages


def by_disk(path: str | Path, error: OSError) -> Refused:
    """The refusal that a failed writing means."""
    why = (error.strerror or str(error)).lower()
    return Refused(Problem(Path(path).name, "", messages.text("file.not_written", why=why)))


def save(parent: QWidget, path: str | Path, write: Callable[[], object]) -> bool:
    """Call ``write``; give False, and say why in a dialog, where the file cannot be written."""
    try:
        write()
    except OSError as error:
        from gui.dialogs import ProblemDialog

        dialog = ProblemDialog(parent.window(), by_disk(path, error).problems)
        dialog.setModal(True)
        dialog.open()
        return False
    return True
