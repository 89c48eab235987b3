"""Fits that were made stay: in memory for this program, in a file of this user for the next."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
import sklearn

from engine.base.kept import Keep
from engine.base.watch import DONE, FAILED, UNSETTLED, WAITING
from engine.models.standin import MODELS

if TYPE_CHECKING:
    from .fitting import Fit, Job, Work

NOTE = "crossval"
"""The key under which a file keeps how far the fits have come."""
_MOST_IN_MEMORY = 4000
_memory: OrderedDict[str, Fit] = OrderedDict()
_DAMAGE = ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, zlib.error
"""What reading a piece can end in that was not written here."""


def forget() -> None:
    """Forget the fits that are kept in memory."""
    _memory.clear()


def in_memory() -> int:
    """How many fits are kept in memory."""
    return len(_memory)


class Kept:
    """The fits of one work, under a key that changes with everything that a fit depends on: the
    people's numbers and outcomes, the folds, the algorithm and its parameters, the seed, and the
    versions of the libraries.

    Parameters
    ----------
    work : Work
    parameters : mapping
        What :func:`~engine.models.standin.make` is given for each algorithm.
    keep : Keep or None
    """

    def __init__(
        self, work: Work, parameters: Mapping[str, Mapping[str, Any]], keep: Keep | None
    ) -> None:
        self._keep = keep
        self._parameters = parameters
        self._work, self._seed = work, work.seed
        self._prints = _fingerprints(work)
        self._recipes: dict[str, str] = {}

    def _key(self, job: Job) -> str:
        if job.model not in self._recipes:
            made = MODELS[job.model].build(self._seed)
            kind = f"{type(made).__module__}.{type(made).__qualname__}"
            given = sorted(made.get_params().items()), self._parameters.get(job.model)
            versions = sklearn.__version__, np.__version__, scipy.__version__
            self._recipes[job.model] = repr((kind, MODELS[job.model].scaled, given, versions))
        parts = (self._prints[job.design], self._recipes[job.model], job.fold, self._seed)
        return "fit " + hashlib.sha256(repr(parts).encode()).hexdigest()

    def get(self, job: Job) -> Fit | None:
        """The fit of a job that was made before, or None."""
        key = self._key(job)
        if key in _memory:
            return _memory[key]
        data = self._keep.get(key) if self._keep is not None else None
        if data is None:
            return None
        people = int((self._work.designs[job.design] == job.fold).sum())
        return _read(data, people, int(self._work.label.max()))

    def put(self, job: Job, fit: Fit) -> None:
        """Keep a fit; one that the machine lost is tried again next time."""
        if fit.lost:
            return
        key = self._key(job)
        _memory[key] = fit
        while len(_memory) > _MOST_IN_MEMORY:
            _memory.popitem(last=False)
        if self._keep is not None:
            self._keep.put(key, _written(fit))

    def note(self, grid: Mapping[str, str], done: int, total: int) -> None:
        """Keep how far the fits have come, for the window."""
        if self._keep is not None:
            told = {"grid": dict(grid), "done": done, "total": total}
            self._keep.put(NOTE, json.dumps(told).encode())


def noted(keep: Keep) -> dict[str, Any] | None:
    """How far the fits had come when they were stopped: ``grid``, ``done``, ``total``."""
    data = keep.get(NOTE)
    try:
        told = json.loads(data) if data is not None else {}
        grid = {str(model): str(row) for model, row in told["grid"].items()}
        if set("".join(grid.values())) - {DONE, FAILED, UNSETTLED, WAITING}:
            return None
        done, total = int(told["done"]), int(told["total"])
        return {"grid": grid, "done": done, "total": total} if 0 <= done <= total else None
    except _DAMAGE:
        return None


def grid_of(jobs: Iterable[Job], found: Mapping[Job, Fit]) -> dict[str, str]:
    """A letter for each algorithm and fold (:mod:`engine.base.watch`); with several designs a fold
    is done when it is done in each, and has failed where it failed in any."""
    worst = {letter: place for place, letter in enumerate((DONE, UNSETTLED, FAILED, WAITING))}
    rows: dict[str, dict[int, str]] = {}
    for job in jobs:
        fit = found.get(job)
        if fit is None:
            letter = WAITING
        elif fit.decided is None:
            letter = FAILED
        else:
            letter = UNSETTLED if fit.rounds else DONE
        row = rows.setdefault(job.model, {})
        row[job.fold] = max(row.get(job.fold, DONE), letter, key=worst.__getitem__)
    return {model: "".join(row[fold] for fold in sorted(row)) for model, row in rows.items()}


def _written(fit: Fit) -> bytes:
    head = {"reason": fit.reason, "rounds": fit.rounds, "words": list(fit.words)}
    body = b""
    if fit.decided is not None:
        head["people"] = len(fit.decided)
        body = zlib.compress(fit.decided.astype("<i2").tobytes(), 1)
    return json.dumps(head).encode() + b"\n" + body


def _read(data: bytes, people: int, largest: int) -> Fit | None:
    """A fit as it was written; None where it is not one of so many people and such labels."""
    from .fitting import Fit

    head, _, body = data.partition(b"\n")
    try:
        told = json.loads(head)
        decided = None
        if "people" in told:
            plain = zlib.decompressobj().decompress(body, 2 * people + 1)
            decided = np.frombuffer(plain, "<i2").astype(np.int16)
            if len(decided) != people or (
                people and not 0 <= decided.min() <= decided.max() <= largest
            ):
                return None
        words = tuple(map(str, told["words"]))
        return Fit(decided, str(told["reason"]), int(told["rounds"]), words)
    except _DAMAGE:
        return None


def _fingerprints(work: Work) -> Sequence[str]:
    base = hashlib.sha256(np.ascontiguousarray(work.matrix).tobytes())
    base.update(np.ascontiguousarray(work.label).tobytes())
    prints = []
    for design in work.designs:
        one = base.copy()
        one.update(np.ascontiguousarray(design).tobytes())
        prints.append(one.hexdigest())
    return prints
