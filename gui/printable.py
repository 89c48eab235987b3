"""Whether what is typed can be printed, said at the field; the fonts are read in a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QLineEdit

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .jobs import Jobs
    from .widgets.fields import FieldRow


def check(jobs: Jobs, texts: Mapping[str, str], then: Callable[[dict[str, str]], Any]) -> None:
    """Call ``then`` with what cannot be printed, key to sentence; at once for plain letters."""
    odd = {key: text for key, text in texts.items() if not (text.isascii() and text.isprintable())}
    if not odd:
        then({})
        return

    def work(watch: Watch) -> dict[str, str]:
        from engine.reports import printable

        return printable.faults(odd)

    jobs.start("", work, on_done=then, quiet=True)


def guard(jobs: Jobs, row: FieldRow, edit: QLineEdit) -> None:
    """Say under a field, when it is left, that what stands in it cannot be printed."""
    said = {"now": ""}

    def left() -> None:
        text = edit.text()

        def show(found: dict[str, str]) -> None:
            if edit.text() != text:
                return
            fault = found.get("text", "")
            if fault or said["now"]:
                row.set_error(fault)
            said["now"] = fault

        check(jobs, {"text": text}, show)

    edit.editingFinished.connect(left)
