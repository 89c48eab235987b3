"""Fits spread over processes of our own: started fresh, fed one job at a time, ended at once."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from engine.base.watch import Watch
from engine.messages import say

from .fitting import Done, Fit, Job, Work, fit_one

LOOK_EVERY = 0.2
"""Seconds after which a stop is looked for, however long the fits take."""


def _serve(pipe: Connection, work: Work) -> None:
    """The other process: a job in, a fit out, until the pipe closes."""
    try:
        while True:
            pipe.send(fit_one(work, pipe.recv()))
    except (EOFError, OSError, KeyboardInterrupt):
        return


class _Worker:
    def __init__(self, work: Work) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process: Any = context.Process(target=_serve, args=(other, work), daemon=True)
        self.process.start()
        other.close()
        self.job: Job | None = None

    def give(self, job: Job) -> None:
        """Hand over a job; a process that is gone shows when its answer is read."""
        self.job = job
        with contextlib.suppress(OSError):
            self.pipe.send(job)

    def end(self) -> None:
        self.process.terminate()
        self.process.join(5)
        self.pipe.close()


def spread(*, work: Work, jobs: Sequence[Job], processes: int, done: Done, watch: Watch) -> None:
    """Make all fits on several processes; ``done`` is called here, in this process, for each.

    A process that ends without an answer (killed for want of memory, say) costs its job alone.

    Raises
    ------
    Cancelled
        Where the watch asks for it.
    """
    waiting = list(jobs)[::-1]
    workers: list[_Worker] = []
    try:
        for _ in range(processes):
            watch.check()
            workers.append(_Worker(work))
            workers[-1].give(waiting.pop())
        while any(w.job is not None for w in workers):
            watch.check()
            ready = wait([w.pipe for w in workers if w.job is not None], timeout=LOOK_EVERY)
            for worker in [w for w in workers if w.pipe in ready]:
                job = worker.job
                assert job is not None
                try:
                    fit: Fit = worker.pipe.recv()
                except (EOFError, OSError):
                    fit = Fit(None, say("crossval.process_ended"), lost=True)
                    worker.end()
                    workers.remove(worker)
                    worker = _Worker(work) if waiting else worker
                    if waiting:
                        workers.append(worker)
                worker.job = None
                if waiting:
                    worker.give(waiting.pop())
                done(job, fit)
    finally:
        for worker in workers:
            worker.end()
