"""The paper's own test, to the letter: draws of peers, one-sample t, five classes.

The p-values hang on the number of draws, which the analyst chooses; :func:`flag_rate` says how
many people they would flag with nothing wrong. See the help page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.base.watch import Watch

from .matching import Floats, Moments, Places, Stretches

CLASSES = ("ED", "SD", "FT", "SP", "EP")
CLASS_WORDS = {
    "ED": "Extremely discriminated",
    "SD": "Slightly discriminated",
    "FT": "Fairly treated",
    "SP": "Slightly privileged",
    "EP": "Extremely privileged",
}
CHUNK = 3_000_000
"""Draws held in memory at a time."""


def draw_means(
    *,
    stretches: Stretches,
    likelihood: Floats,
    persons: Places,
    draws: int,
    sample: int,
    replace: bool,
    rng: np.random.Generator,
    watch: Watch | None = None,
) -> tuple[Floats, Floats]:
    """Mean and standard deviation (ddof 1) of the drawn means of each person (equation 16).

    Parameters
    ----------
    stretches : Stretches
    likelihood : float array, shape (m,)
        Of the unprotected people.
    persons : int array, shape (k,)
        The tested persons. Without replacement each needs at least ``sample`` peers.
    draws, sample : int
        N and K.
    replace : bool
    rng : numpy Generator

    Returns
    -------
    mean, sd : float arrays, shape (k,)
    """
    values = likelihood[stretches.order]
    mean = np.empty(len(persons))
    sd = np.empty(len(persons))
    step = max(1, CHUNK // (draws * sample))
    for start in range(0, len(persons), step):
        part = persons[start : start + step]
        low = stretches.low[part][:, None]
        n = stretches.n[part][:, None]
        if replace:
            chosen = rng.integers(0, np.broadcast_to(n[:, :, None], (len(part), draws, sample)))
        else:
            chosen = _without_replacement(n, draws, sample, rng)
        drawn = values[low[:, :, None] + chosen].mean(axis=2)
        mean[start : start + step] = drawn.mean(axis=1)
        sd[start : start + step] = drawn.std(axis=1, ddof=1)
        if watch is not None:
            done = min(start + step, len(persons))
            watch.say("Comparing people with their peers", done=done, total=len(persons))
    return mean, sd


def _without_replacement(n: Places, draws: int, sample: int, rng: np.random.Generator) -> Places:
    """Floyd's algorithm for all persons and draws at once: ``sample`` distinct places below n."""
    chosen = np.empty((len(n), draws, sample), np.int64)
    for place in range(sample):
        top = np.broadcast_to(n - sample + place, (len(n), draws))
        pick = rng.integers(0, top + 1)
        taken = (chosen[:, :, :place] == pick[:, :, None]).any(axis=2)
        chosen[:, :, place] = np.where(taken, top, pick)
    return chosen


def closed_form(
    *, moments: Moments, n: Places, draws: int, sample: int, replace: bool
) -> tuple[Floats, Floats]:
    """What :func:`draw_means` gives with endless luck: expected mean, and sd of one drawn mean.

    With replacement the variance of one mean is ``sigma^2 / K``; without, it is
    ``S^2 / K * (1 - K / n)`` with ``S`` the standard deviation with ddof 1.
    """
    if replace:
        return moments.mean, moments.sd / math.sqrt(sample)
    size = np.maximum(n, 2).astype(float)
    variance = moments.sd**2 * size / (size - 1) / sample * np.clip(1 - sample / size, 0, None)
    return moments.mean, np.sqrt(variance)


@dataclass(frozen=True)
class Answers:
    """The paper's tests, one entry a tested person; p-values of 0 and 1 where nothing varies."""

    t: Floats
    two_sided: Floats
    peers_higher: Floats
    peers_lower: Floats


def one_sample(*, own: Floats, mean: Floats, sd: Floats, draws: int) -> Answers:
    """One-sample t of the N drawn means against the person's own likelihood (section 3.5).

    ``peers_higher`` small means discriminated, ``peers_lower`` small means privileged. The
    paper's formulas for H2 and H3 are swapped; its text and its code are as here.
    """
    gap = mean - own
    still = sd <= 1e-12 * np.maximum(np.abs(mean), 1.0)
    gap = np.where(np.abs(gap) <= 1e-12 * np.maximum(np.abs(mean), 1.0), 0.0, gap)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(
            still, np.where(gap == 0, 0.0, np.copysign(np.inf, gap)), gap * math.sqrt(draws) / sd
        )
    return Answers(
        t,
        np.minimum(2 * stats.t.sf(np.abs(t), draws - 1), 1.0),
        stats.t.sf(t, draws - 1),
        stats.t.cdf(t, draws - 1),
    )


def classify(
    *, own: Floats, mean: Floats, two_sided: Floats, level: float, extreme: float
) -> NDArray[np.int8]:
    """The five classes as places in :data:`CLASSES`; the two-sided test decides who is "fair".

    A gap is extreme beyond ``extreme`` times one's own likelihood (strictly).

    Examples
    --------
    >>> classify(own=np.array([0.5, 0.5, 0.5, 0.5]), mean=np.array([0.6, 0.52, 0.5, 0.4]),
    ...          two_sided=np.array([0.0, 0.0, 0.9, 0.0]), level=0.05, extreme=0.1).tolist()
    [0, 1, 2, 4]
    """
    far = np.abs(own - mean) > extreme * np.abs(own)
    lower = mean > own
    unfair = np.where(lower, np.where(far, 0, 1), np.where(far, 4, 3))
    return np.where(two_sided > level, 2, unfair).astype(np.int8)


def flag_rate(
    *,
    draws: int,
    sample: int,
    level: float,
    replace: bool = True,
    exact_mean: bool = False,
    n: Places | None = None,
) -> float:
    """Share that the published test flags when nothing is wrong, in closed form.

    For a person who is simply one of the (normal) peers, the statistic is normal with variance
    N K + 1, so ``P = 2 Phi(-t / sqrt(N K + 1))`` with t the critical value of N - 1 degrees of
    freedom. Without replacement N K becomes ``N K / (1 - K / n)``, averaged over the persons.

    Parameters
    ----------
    draws, sample : int
        N and K.
    level : float
        Of the two-sided test.
    replace : bool
    exact_mean : bool
        True where the test itself is in closed form (no draws).
    n : int array, optional
        Numbers of peers; needed without replacement.

    Examples
    --------
    >>> [round(flag_rate(draws=d, sample=30, level=0.05), 3) for d in (10, 30, 100, 1000)]
    [0.896, 0.946, 0.971, 0.991]
    """
    critical = float(stats.t.isf(level / 2, draws - 1))
    spread = np.array([float(draws * sample)])
    if not replace:
        size = np.asarray(n if n is not None and len(n) else [np.inf], float)
        room = np.clip(1 - sample / size, 1e-12, None)
        spread = draws * sample / room
    return float(np.mean(2 * stats.norm.cdf(-critical / np.sqrt(spread + (not exact_mean)))))
