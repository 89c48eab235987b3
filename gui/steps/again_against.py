"""The new result beside the last one: table, figure, and every change as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from engine.base.problems import Problem, Refused
from gui import certify_words as words
from gui import messages
from gui.widgets.basic import Button, row
from gui.wizards.result_view import MethodView, ResultView

if TYPE_CHECKING:
    from engine.base.watch import Watch

    from .base import StepPage


class AgainstPart(QWidget):
    """What moved, what turned, and whether the data are others."""

    def __init__(self, page: StepPage) -> None:
        super().__init__()
        self.page, self.session = page, page.session
        self.bar = page.message("info", " ")
        self.export_button = Button(
            words.text("against.export"), icon="download", small=True,
            on_click=lambda: self.export(),
        )  # fmt: skip
        self.result = ResultView()
        self._view_of: Any = None
        self._making: Any = None
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(16)
        whole.addWidget(self.bar)
        whole.addWidget(self.result)
        whole.addLayout(row(self.export_button, None))

    def refresh(self) -> None:
        """Compare anew where something changed; the comparison runs in a job."""
        session = self.session
        before = session.state.get("before") or {}
        ready = bool(before.get("result_sha256")) and session.result is not None
        self.export_button.setVisible(ready)
        if not ready:
            self._say(before)
            self.result.clear()
            self._view_of = None
            return
        self.bar.setVisible(not session.result_current)
        if not session.result_current:
            self._show("warning", "against.stale", run=True)
        wanted = (
            session.state["result"]["result_sha256"], before["result_sha256"],
            repr(session.state.get("changes_why")), repr(session.state["plan"]),
            repr(session.facts),
        )  # fmt: skip
        if wanted not in (self._view_of, self._making):
            self._make(wanted)

    def _say(self, before: dict[str, Any]) -> None:
        self.bar.show()
        if not before:
            self._show("info", "against.no_before", link=(words.text("again.from"), "my:again"))
        elif not before.get("result_sha256"):
            self._show("info", "against.no_last")
        else:
            self._show("info", "against.no_result", run=True)

    def _show(
        self, kind: str, code: str, *, link: tuple[str, str] = ("", ""), run: bool = False
    ) -> None:
        if run and self.session.views()[6].blocked_by is None and not self.session.read_only:
            link = (words.text("against.run"), "step:6")
        self.bar.show_message(kind, words.text(code), link_text=link[0], link=link[1])

    def _make(self, wanted: Any) -> None:
        self._making = wanted
        session = self.session
        state, result, last = session.state, session.result, session.last_result

        def work(watch: Watch) -> MethodView:
            from engine.reports import again

            watch.check()
            assert result is not None
            part = again.against(state=state, result=result, before=last)
            return MethodView((), part.sections[1:], part.charts)

        session.jobs.start(
            words.text("against.making"), work, on_done=lambda view: self._made(wanted, view),
            on_failed=lambda _error: self._lost(), quiet=True,
        )  # fmt: skip

    def _made(self, wanted: Any, view: MethodView) -> None:
        self._view_of, self._making = wanted, None
        self.result.show_view(view, lambda _stem, _path: None)

    def _lost(self) -> None:
        self._making = None

    def export(self, path: str = "") -> None:
        """Write every change as CSV; asks where if not told."""
        if not path:
            path, _ = QFileDialog.getSaveFileName(
                self, words.text("against.export_title"),
                str(self.session.path.parent / "since-last-audit.csv"), words.text("against.csv"),
            )  # fmt: skip
        if not path:
            return
        session, target = self.session, Path(path)
        result, last = session.result, session.last_result

        def work(watch: Watch) -> None:
            from engine.reports import again

            watch.check()
            assert result is not None and last is not None
            data = again.every_change(before=last, result=result)
            try:
                target.write_bytes(data)
            except OSError as error:
                why = error.strerror or str(error)
                raise Refused(Problem(target.name, "", why)) from None

        session.jobs.start(
            messages.text("table.export_title"), work, on_failed=session.refuse, icon="download"
        )
