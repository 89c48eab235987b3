"""A threshold for a wanted rate of favourable decisions, and what ties make of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Threshold:
    """A threshold and what it does: people at or above it are selected.

    Attributes
    ----------
    value : float
    wanted, realised : float
        The rate asked for and the rate that comes out.
    ties : int
        People exactly at the threshold, beyond the one that sets it.
    """

    value: float
    wanted: float
    realised: float
    ties: int


def threshold_for_rate(
    *, score: NDArray[np.float64], rate: float, weight: NDArray[np.float64] | None = None
) -> Threshold | None:
    """The threshold at or above which a given share of people lies.

    Without weights this is the linear quantile of paper 003's listing, ``quantile(1 - rate)``.
    People with the same score are selected together, so more (or fewer) than asked for may be:
    ``realised`` says how many.

    Parameters
    ----------
    score : float array, shape (n,)
        NaN is left aside.
    rate : float
        0 to 1.
    weight : float array, shape (n,), optional

    Returns
    -------
    Threshold or None
        None without any score.

    Examples
    --------
    >>> import numpy as np
    >>> found = threshold_for_rate(score=np.array([0.1, 0.5, 0.5, 0.9]), rate=0.5)
    >>> found.value, found.realised, found.ties
    (0.5, 0.75, 1)
    """
    known = np.isfinite(score)
    values = score[known]
    mass = np.ones(len(values)) if weight is None else weight[known]
    if not len(values) or mass.sum() <= 0:
        return None
    if weight is None:
        value = float(np.quantile(values, 1 - rate))
    else:
        order = np.argsort(-values, kind="stable")
        above = np.cumsum(mass[order]) / mass.sum()
        value = float(
            values[order][min(int(np.searchsorted(above, rate - 1e-12)), len(values) - 1)]
        )
    if rate <= 0:
        value = float(np.nextafter(values.max(), np.inf))
    chosen = values >= value
    return Threshold(
        value=value,
        wanted=float(rate),
        realised=float(mass[chosen].sum() / mass.sum()),
        ties=max(0, int((values == value).sum()) - 1),
    )
