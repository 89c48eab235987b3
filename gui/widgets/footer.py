"""The footer: a hint or the running job on the left, Back and Continue on the right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QStackedWidget, QWidget

from gui import messages
from gui.jobs import Job, time_left
from gui.theme import theme

from .basic import Button, Elided, IconLabel, Label, row

QWIDGETSIZE_MAX = (1 << 24) - 1


@dataclass(frozen=True)
class Hint:
    """What the footer says while no job runs: text, an icon with its colour, a fingerprint."""

    text: str
    icon: str = ""
    colour: str = "text2"
    mono: str = ""
    strong: bool = False


class Footer(QFrame):
    """The footer of the case: 52 high.

    Signals
    -------
    back(), go_on() : the two buttons.
    cancel_asked(), end_asked(), show_asked() : of the running or finished job.
    """

    back = Signal()
    go_on = Signal()
    cancel_asked = Signal()
    end_asked = Signal()
    show_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("line", "top")
        self.setProperty("ground", "window")
        self.setAccessibleName("Progress, Back and Continue")
        self._job: Job | None = None
        self._hint_icon = IconLabel("info", "text2", 16)
        self._hint = Elided("", "help", tone="second", breaks=True)
        self._hint_mono = Label("", "mono", tone="second")
        self._hint_part = self._part(row(self._hint_icon, self._hint, self._hint_mono, None))
        self._hint_part.layout().setStretch(1, 1000)
        self._job_icon = IconLabel("users", "accent", 18)
        self._job_text = Elided(breaks=True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 1000)
        self._figures = Label("", "help", tone="second")
        self._cancel = Button(
            messages.text("footer.cancel"), small=True, on_click=self.cancel_asked.emit
        )
        self._end = Button(
            messages.text("footer.end_now"), small=True, on_click=self.end_asked.emit
        )
        self._show = Button(messages.text("footer.show"), small=True, on_click=self.show_asked.emit)
        job = row(self._job_icon, self._job_text, self._bar, self._figures, self._cancel, self._end,
                  self._show, None, spacing=12)  # fmt: skip
        job.setStretch(1, 1000)
        self._job_part = self._part(job)
        self._left = QStackedWidget()
        self._left.addWidget(self._hint_part)
        self._left.addWidget(self._job_part)
        self._back = Button(
            messages.text("footer.back"), icon="chevron-left", on_click=self.back.emit
        )
        self._continue = Button(
            messages.text("footer.continue"), icon_right="chevron-right", kind="primary",
            on_click=self.go_on.emit,
        )  # fmt: skip
        self._extra: list[QWidget] = []
        self._whole = QHBoxLayout(self)
        self._whole.setContentsMargins(16, 0, 24, 0)
        self._whole.setSpacing(12)
        self._whole.addWidget(self._left, 1)
        self._whole.addWidget(self._back)
        self._whole.addWidget(self._continue)
        theme().changed.connect(self._measure)
        self._measure()

    def _part(self, layout: QHBoxLayout) -> QWidget:
        made = QWidget()
        made.setLayout(layout)
        return made

    def _measure(self) -> None:
        self.setFixedHeight(theme().px(52))
        self._bar.setFixedWidth(theme().px(200 if theme().scale <= 1.4 else 80))
        large = theme().scale > 1.4
        self._whole.setContentsMargins(16, 0, 12 if large else 24, 0)
        self._whole.setSpacing(8 if large else 12)

    def set_page(
        self,
        *,
        hint: Hint | str,
        blocked: str = "",
        first: bool = False,
        continue_text: str = "",
        continue_icon: str = "chevron-right",
        extra: tuple[tuple[str, str, Callable[[], object]], ...] = (),
    ) -> None:
        """Show a page's hint and buttons; ``blocked`` says why Continue is closed.

        ``extra`` holds ``(words, icon, what to do)`` of buttons between Back and Continue.
        """
        given = Hint(hint) if isinstance(hint, str) else hint
        if blocked:
            given = Hint(blocked, given.icon if given.text == blocked else "")
        self._hint.setText(given.text)
        self._hint.setProperty("role", "text" if given.strong else "help")
        # The fingerprint stands right behind the words, not at the far end of the room.
        wide = self._hint.sizeHint().width() + 4 if given.mono else QWIDGETSIZE_MAX
        self._hint.setMaximumWidth(wide)
        self._hint_icon.set_icon(given.icon or "info", given.colour)
        self._hint_icon.setVisible(bool(given.icon))
        self._hint_mono.setText(given.mono)
        self._back.setEnabled(not first)
        self._continue.setEnabled(not blocked)
        words = continue_text or messages.text("footer.continue")
        self._continue.set_text(words)
        self._continue.setToolTip(blocked)
        self._continue.setAccessibleDescription(blocked)
        self._continue.set_icon(continue_icon)
        right = continue_icon == "chevron-right"
        self._continue.setLayoutDirection(
            Qt.LayoutDirection.RightToLeft if right else Qt.LayoutDirection.LeftToRight
        )
        for old in self._extra:
            self._whole.removeWidget(old)
            old.deleteLater()
        self._extra = []
        for text, icon, action in extra:
            button = Button(text, icon=icon, on_click=action)
            self._whole.insertWidget(self._whole.count() - 1, button)
            self._extra.append(button)

    def show_job(self, job: Job | None) -> None:
        """Show how a job stands; None shows the page's hint again."""
        self._job = job
        self._left.setCurrentWidget(self._job_part if job else self._hint_part)
        if job is None:
            return
        running = job.state in ("running", "stopping")
        icon, colour = {
            "done": ("circle-check", "within"),
            "failed": ("circle-x", "outside"),
            "stopping": ("circle-stop", "text2"),
            "cancelled": ("circle-stop", "text2"),
        }.get(job.state, (job.icon, "accent"))
        self._job_icon.set_icon(icon, colour)
        self._job_text.setText(job.sentence())
        self._job_text.setMaximumWidth(self._job_text.sizeHint().width() + 4)
        self._bar.setVisible(job.state == "running" and job.fraction is not None)
        self._bar.setValue(round(1000 * (job.fraction or 0.0)))
        self._bar.setAccessibleName(job.name)
        parts = []
        if job.state == "running":
            if job.total:
                parts.append(
                    messages.text("footer.of", done=f"{job.done or 0:,}", total=f"{job.total:,}")
                )
            left = time_left(job.seconds_left())
            if left:
                parts.append(left)
        elif job.note:
            parts.append(job.note)
        self._figures.setText(" · ".join(parts))
        self._cancel.setVisible(job.state == "running")
        self._end.setVisible(job.state == "stopping")
        self._show.setVisible(not running)

    @property
    def continue_button(self) -> Button:
        """The page's one primary button."""
        return self._continue

    @property
    def back_button(self) -> Button:
        """The way to the step before."""
        return self._back

    def hint_text(self) -> str:
        """What the hint says, for the tests."""
        return self._hint.whole()
