"""The one place where work leaves the window's thread.

A job gets plain inputs and returns a plain result; it never touches the window or the case file.
What it says on its way are events on a queue, taken off by a timer in the window's thread.
"""

from __future__ import annotations

import ctypes
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.base.problems import Cancelled, Refused
from engine.base.watch import Progress, Watch

from . import messages
from .alive import tell

TICK_MS = 40
"""How often events are taken off the queue; the window is told at most that often."""
ESTIMATE_AFTER = 2.0
"""Seconds before a guess of the time left is shown."""

Work = Callable[[Watch], Any]


@dataclass(eq=False)
class Job:
    """A piece of work as the window sees it.

    ``state`` is ``running``, ``stopping``, ``done``, ``failed`` or ``cancelled``; ``text`` what
    is being done now; ``note`` a few words shown when it is done; ``page`` the step that the
    footer's Show button opens.
    """

    name: str
    icon: str = "refresh-cw"
    page: int | None = None
    quiet: bool = False
    state: str = "running"
    fraction: float | None = None
    text: str = ""
    done: int | None = None
    total: int | None = None
    grid: Mapping[str, str] | None = None
    share: float | None = None
    share_started: float = 0.0
    note: str = ""
    started: float = field(default_factory=time.monotonic)
    watch: Watch = field(default_factory=Watch)
    thread: threading.Thread | None = None

    def sentence(self) -> str:
        """The job in the footer's words."""
        if self.state == "running":
            return self.text or self.name
        if self.state == "stopping":
            return messages.text("footer.stopping_plain")
        code = {"done": "footer.done", "failed": "footer.failed", "cancelled": "footer.stopped"}
        return messages.text(code[self.state], what=self.name)

    def seconds_left(self, now: float | None = None) -> float | None:
        """The time left if the rest goes as fast as what is done; None while that is a guess.

        While a long part tells its own share, the guess is of that part.
        """
        now = time.monotonic() if now is None else now
        fraction, started = self.fraction, self.started
        if self.share is not None and self.share < 1:
            fraction, started = self.share, self.share_started
        spent = now - started
        if not fraction or fraction < 0.02 or spent < ESTIMATE_AFTER:
            return None
        return spent / fraction * (1 - fraction)


def time_left(seconds: float | None) -> str:
    """Time left in words: ``about 20 s left``, ``about 2 min left``; empty if not known."""
    if seconds is None:
        return ""
    if seconds < 50:
        return messages.text("time.seconds", n=max(5, 5 * round(seconds / 5)))
    return messages.text("time.minutes", n=max(1, round(seconds / 60)))


class Jobs(QObject):
    """Runs jobs in threads. ``changed(Job)`` is sent at a start, on progress and at the end.

    Signals
    -------
    changed(Job)
    crashed(Job, Exception) : an unexpected fault, which is ours.
    """

    changed = Signal(object)
    crashed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events: queue.SimpleQueue[tuple[Job, str, Any]] = queue.SimpleQueue()
        self._callbacks: dict[Job, tuple[Any, Any, Any]] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.drain)

    def start(
        self,
        name: str,
        function: Work,
        *,
        on_done: Callable[[Any], object] | None = None,
        on_failed: Callable[[Exception], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        icon: str = "refresh-cw",
        page: int | None = None,
        quiet: bool = False,
    ) -> Job:
        """Start ``function(watch)`` off the window's thread.

        Parameters
        ----------
        name : what is done, for the footer, such as ``Running the audit``.
        on_done, on_failed, on_progress : called in the window's thread. ``on_failed`` gets
            :class:`Refused` or :class:`Cancelled`; where it is None, a refusal is only shown as
            the job's note. Other exceptions are faults of ours: they go to ``crashed`` too.
        quiet : True keeps the job out of the footer.
        """
        job = Job(name=name, icon=icon, page=page, quiet=quiet)
        job.watch = Watch(report=lambda p: self._events.put((job, "progress", p)))
        self._callbacks[job] = (on_done, on_failed, on_progress)
        self.changed.emit(job)
        self._launch(job, function)
        return job

    def _launch(self, job: Job, function: Work) -> None:
        job.thread = threading.Thread(
            target=self._work, args=(job, function), daemon=True, name=job.name
        )
        self._timer.start()
        job.thread.start()

    def _work(self, job: Job, function: Work) -> None:
        try:
            from threadpoolctl import threadpool_limits

            with threadpool_limits(limits=1):
                outcome = function(job.watch)
            self._events.put((job, "done", outcome))
        except (Refused, Cancelled) as error:
            self._events.put((job, "failed", error))
        except Exception as error:
            self._events.put((job, "crashed", error))

    def cancel(self, job: Job) -> None:
        """Ask a job to stop at its next named point."""
        if job.state == "running":
            job.watch.stop.set()
            job.state = "stopping"
            self.changed.emit(job)

    def end_now(self, job: Job) -> None:
        """Give up a job at once: its thread is told to end, and what it still says is ignored."""
        if job not in self._callbacks:
            return
        job.watch.stop.set()
        _, on_failed, _ = self._callbacks.pop(job)
        if job.thread is not None and job.thread.ident is not None and job.thread.is_alive():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(job.thread.ident), ctypes.py_object(Cancelled)
            )
        job.state = "cancelled"
        self.changed.emit(job)
        tell(on_failed, Cancelled())

    def running(self) -> list[Job]:
        """The jobs that have not ended."""
        return list(self._callbacks)

    def end_all(self) -> None:
        """Give up every job, as the window closes."""
        for job in self.running():
            self.end_now(job)

    def drain(self) -> None:
        """Take the events off the queue; of several reports of one job only the last counts."""
        latest: dict[Job, Progress] = {}
        endings: list[tuple[Job, str, Any]] = []
        while True:
            try:
                job, kind, value = self._events.get_nowait()
            except queue.Empty:
                break
            if kind == "progress":
                latest[job] = value
            else:
                endings.append((job, kind, value))
        for job, progress in latest.items():
            self._progress(job, progress)
        for job, kind, value in endings:
            self._end(job, kind, value)
        if not self._callbacks:
            self._timer.stop()

    def _progress(self, job: Job, progress: Progress) -> None:
        if job not in self._callbacks:
            return
        if progress.fraction is not None:
            job.fraction = progress.fraction
        job.text, job.done, job.total = progress.text, progress.done, progress.total
        job.grid = progress.grid or job.grid
        if progress.share is not None:
            if job.share is None:
                job.share_started = time.monotonic()
            job.share = progress.share
        on_progress = self._callbacks[job][2]
        tell(on_progress, progress)
        self.changed.emit(job)

    def _end(self, job: Job, kind: str, value: Any) -> None:
        if job not in self._callbacks:
            return
        on_done, on_failed, _ = self._callbacks.pop(job)
        if kind == "done":
            job.state, job.fraction = "done", 1.0
        else:
            job.state = "cancelled" if isinstance(value, Cancelled) else "failed"
            if isinstance(value, Refused) and value.problems:
                job.note = value.problems[0].text
        self.changed.emit(job)
        if kind == "crashed":
            self.crashed.emit(job, value)
        tell(on_done if kind == "done" else on_failed, value)


class InPlaceJobs(Jobs):
    """The same, run at once in the caller's thread: for tests and for pictures."""

    def _launch(self, job: Job, function: Work) -> None:
        self._work(job, function)
        self.drain()
