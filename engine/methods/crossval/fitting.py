"""Every fold fitted once, on as many processes as are asked for, with the same result."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from engine.base.watch import Watch
from engine.messages import say
from engine.models.standin import MODELS, make

from .kept import Kept, forget, grid_of

__all__ = ["Fit", "Job", "Work", "expected_seconds", "fit_all", "fit_one", "forget", "work_seconds"]

PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "logistic_regression": {"solver": "lbfgs", "max_iter": 100},
    "neural_network": {"max_iter": 200},
}
"""What brings a stand-in back to the defaults of scikit-learn, which the paper takes."""
WORTH_A_PROCESS = 12.0
"""Expected seconds of work from which further processes are started (starting takes seconds)."""
LONG_FIT = 2.0
"""Expected seconds of one fit from which it runs in a process of its own, so that it can be ended."""
MOST_BY_ITSELF = 8

_SECONDS = {
    "svm": (0.01, 0.0, 3.2e-10),
    "logistic_regression": (0.01, 4.0e-8, 0.0),
    "decision_tree": (0.01, 6.0e-8, 0.0),
    "random_forest": (0.1, 1.0e-6, 0.0),
    "k_nearest": (0.01, 2.0e-8, 6.0e-12),
    "neural_network": (0.1, 8.5e-6, 0.0),
    "gradient_boosting": (0.4, 9.0e-7, 0.0),
}
"""Seconds of one fit: fixed, times people and places, times squared people and places. Measured on
an ordinary machine; they only order the work and announce what takes long."""


@dataclass(frozen=True)
class Job:
    """One fit: an algorithm, the design (an index) whose fold is left out, and that fold."""

    model: str
    design: int
    fold: int


@dataclass(frozen=True)
class Fit:
    """What a fit gives: the labels decided for the people of the fold, or why there are none.

    ``rounds`` is how many rounds it made where it stopped before it settled, else 0. ``lost``
    says that the reason lies in the machine, so that another try may give an answer.
    """

    decided: NDArray[np.int16] | None
    reason: str = ""
    rounds: int = 0
    words: tuple[str, ...] = ()
    lost: bool = False


@dataclass(frozen=True)
class Work:
    """All that a fit needs.

    Attributes
    ----------
    matrix : float array, shape (n, places)
    label : int16 array, shape (n,)
    designs : tuple of int16 arrays, shape (n,)
        Fold of each person; below 0 takes no part.
    seed : int
    """

    matrix: NDArray[np.float64]
    label: NDArray[np.int16]
    designs: tuple[NDArray[np.int16], ...]
    seed: int


def expected_seconds(*, model: str, people: int, places: int) -> float:
    """About how long one fit takes on an ordinary machine, in seconds.

    Examples
    --------
    >>> expected_seconds(model="svm", people=40_000, places=100) > 30
    True
    """
    fixed, linear, square = _SECONDS.get(model, _SECONDS["random_forest"])
    return fixed + linear * people * places + square * people * people * places


def work_seconds(work: Work, job: Job) -> float:
    """:func:`expected_seconds` of a job, from the people that its design holds."""
    people = int((work.designs[job.design] >= 0).sum())
    return expected_seconds(model=job.model, people=people, places=work.matrix.shape[1])


def fit_one(work: Work, job: Job) -> Fit:
    """Train on the other folds, decide on this one. A failure is a reason, never an exception."""
    fold = work.designs[job.design]
    train = np.flatnonzero((fold >= 0) & (fold != job.fold))
    test = np.flatnonzero(fold == job.fold)
    if not len(test):
        return Fit(np.empty(0, np.int16))
    label = work.label[train]
    if len(np.unique(label)) < 2:
        return Fit(None, say("crossval.one_outcome", n=len(train)))
    try:
        with threadpool_limits(1), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            estimator = make(job.model, work.seed, PARAMETERS.get(job.model))
            estimator.fit(work.matrix[train], label)
            decided = np.asarray(estimator.predict(work.matrix[test]), np.int16)
    except MemoryError:
        return Fit(None, say("crossval.no_memory"), lost=True)
    except (ValueError, ArithmeticError, np.linalg.LinAlgError) as error:
        why = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        if any(word in why for word in ("NaN", "infinity", "too large")):  # no blanks are given
            return Fit(None, say("crossval.too_large"))
        return Fit(None, say("crossval.fit_failed", why=why))
    rounds, words = 0, []
    inner = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    for one in caught:
        if issubclass(one.category, ConvergenceWarning):
            rounds = int(np.max(getattr(inner, "n_iter_", 1)))
        elif issubclass(one.category, UserWarning | RuntimeWarning):
            words.append(str(one.message).splitlines()[0])
    return Fit(decided, "", rounds, tuple(dict.fromkeys(words)))


def fit_all(
    *, work: Work, jobs: Sequence[Job], folds: int, processes: int | None, watch: Watch
) -> dict[Job, Fit]:
    """Make every fit, each once.

    What was done stays, in memory and in the watch's ``keep``, so that a run that was cancelled
    goes on where it stopped, also after the program was closed.

    Parameters
    ----------
    work : Work
    jobs : sequence of Job
    folds : int
        How many folds there are, for the words of the progress.
    processes : int or None
        None takes one a core for long work.
    watch : Watch
        Told after each fit, with how many are done of how many, and which.

    Raises
    ------
    Cancelled
        Where the watch asks for it; all processes are ended first.
    """
    kept = Kept(work, PARAMETERS, watch.keep)
    wanted = list(dict.fromkeys(jobs))
    found: dict[Job, Fit] = {}
    for job in wanted:
        if (fit := kept.get(job)) is not None:
            found[job] = fit
    todo = [job for job in wanted if job not in found]

    def done(job: Job, fit: Fit) -> None:
        found[job] = fit
        kept.put(job, fit)
        grid = grid_of(wanted, found)
        kept.note(grid, len(found), len(wanted))
        text = say("crossval.fitted", model=MODELS[job.model].title, fold=job.fold + 1, folds=folds)
        spent[0] += cost[job]
        part = spent[0] / whole
        watch.say(
            text, fraction=part, done=len(found), total=len(wanted), grid=grid, share=part
        )  # fmt: skip

    cost = {job: work_seconds(work, job) for job in todo}
    whole, spent = sum(cost.values()), [0.0]  # the bar goes by time, not by number
    todo.sort(key=lambda j: -cost[j])  # the longest first, so that all processes end together
    number = processes
    if number is None:
        number = min(os.cpu_count() or 1, MOST_BY_ITSELF)
        if whole < WORTH_A_PROCESS:
            number = 1
    number = min(number, len(todo))
    begun = 0.0 if todo else None
    watch.say(say("crossval.starting"), fraction=0.0, grid=grid_of(wanted, found), share=begun)
    if number < 2 and max(cost.values(), default=0.0) < LONG_FIT:
        for job in todo:
            watch.check()
            done(job, fit_one(work, job))
    else:
        from .workers import spread

        spread(work=work, jobs=todo, processes=number, done=done, watch=watch)
    return found


Done = Callable[[Job, Fit], None]
