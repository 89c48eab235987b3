"""Fits spread over processes of our own: started fresh, fed one job at a time, ended at once."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import tempfile
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import numpy as np

from engine.base.scratch import PREFIX
from engine.base.watch import Watch
from engine.messages import say

from .fitting import Done, Fit, Job, Work, fit_one

LOOK_EVERY = 0.2
"""Seconds after which a stop is looked for, however long the fits take."""


def _lay_down(work: Work, folder: Path) -> None:
    """Write the people's numbers where every process reads the same pages of them.

    Handing them over through a pipe would hold this process until the other one is ready to read,
    and a stop would wait as long.
    """
    np.save(folder / "matrix.npy", work.matrix)
    np.save(folder / "label.npy", work.label)
    np.save(folder / "designs.npy", np.stack(work.designs))


def _pick_up(folder: Path, seed: int) -> Work:
    matrix = np.load(folder / "matrix.npy", mmap_mode="r", allow_pickle=False).view(np.ndarray)
    label = np.load(folder / "label.npy", allow_pickle=False)
    designs = np.load(folder / "designs.npy", allow_pickle=False)
    return Work(matrix, label, tuple(designs), seed)


def _end_with_the_program() -> None:
    """End this process when the program is gone, be it killed, also in the middle of a fit."""
    program = multiprocessing.parent_process()
    if program is not None:
        program.join()
        os._exit(1)


def _serve(pipe: Connection, folder: Path, seed: int) -> None:
    """The other process: a job in, a fit out, until the pipe closes."""
    threading.Thread(target=_end_with_the_program, daemon=True).start()
    try:
        work = _pick_up(folder, seed)
        while True:
            pipe.send(fit_one(work, pipe.recv()))
    except (EOFError, OSError, KeyboardInterrupt):
        return


class _Worker:
    def __init__(self, folder: Path, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process: Any = context.Process(target=_serve, args=(other, folder, seed), daemon=True)
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
    with tempfile.TemporaryDirectory(prefix=PREFIX) as place:
        folder = Path(place)
        try:
            _lay_down(work, folder)
        except OSError:  # no room for the files: slower, but it goes
            for job in jobs:
                watch.check()
                done(job, fit_one(work, job))
            return
        _share_out(folder, work.seed, list(jobs)[::-1], processes, done, watch)


def _share_out(
    folder: Path, seed: int, waiting: list[Job], processes: int, done: Done, watch: Watch
) -> None:
    """Feed the processes until no job waits; they are ended however this ends."""
    workers: list[_Worker] = []
    try:
        for _ in range(processes):
            watch.check()
            workers.append(_Worker(folder, seed))
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
                    worker = _Worker(folder, seed) if waiting else worker
                    if waiting:
                        workers.append(worker)
                worker.job = None
                if waiting:
                    worker.give(waiting.pop())
                done(job, fit)
    finally:
        for worker in workers:
            worker.end()
