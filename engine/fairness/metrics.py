"""The five metrics of paper 001, its Bias Index and its Fairness Score, with the paper's signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.messages import say

from .counts import Cells

METRICS: tuple[str, ...] = ("SPD", "DI", "EOD", "EMOD", "AOD")
"""The paper's metrics in its order."""
RECORDED: tuple[str, ...] = ("SPD", "DI")
"""Those that come from recorded outcomes."""
DECIDED: tuple[str, ...] = ("EOD", "EMOD", "AOD")
"""Those that come from decisions."""
IDEAL: Mapping[str, float] = {"SPD": 0.0, "DI": 1.0, "EOD": 0.0, "EMOD": 0.0, "AOD": 0.0}
WORDS: Mapping[str, str] = {
    "SPD": "Statistical parity difference",
    "DI": "Disparate impact",
    "EOD": "Equal opportunity difference",
    "EMOD": "Equal mis-opportunity difference",
    "AOD": "Average odds difference",
    "MAOD": "Mean absolute odds difference",
    "BI": "Bias Index",
    "FS": "Fairness Score",
}
SMALL = 1e-12
"""What is closer to 0 than this is 0: sums of rates leave such crumbs (and "-0.0")."""


def tidy(value: float) -> float:
    """Turn crumbs of rounding and -0.0 into 0.0.

    Examples
    --------
    >>> tidy(-1e-17)
    0.0
    """
    return 0.0 if abs(value) < SMALL else float(value)


@dataclass(frozen=True)
class Names:
    """How the two sides and the two outcomes are called in a sentence of reason."""

    unprivileged: str = "the unprivileged group"
    privileged: str = "the privileged group"
    positive: str = "a favourable outcome"
    negative: str = "an unfavourable outcome"


def metric_arrays(
    *,
    recorded: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
    decided: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
) -> dict[str, NDArray[np.float64]]:
    """The five metrics and the mean absolute odds difference over many tables at once.

    Parameters
    ----------
    recorded, decided : pair of float arrays of shape (..., 2, 3), or None
        Cells ``[outcome, decision]`` of the unprivileged and of the privileged side.

    Returns
    -------
    dict of float arrays
        ``SPD``, ``DI`` where ``recorded`` is given; ``EOD``, ``EMOD``, ``AOD``, ``MAOD`` where
        ``decided`` is. NaN marks what is undefined; it never leaves the engine's arithmetic.

    Source: paper 001, equations (2) to (6); AOD = -(EOD + EMOD) / 2.
    """
    found: dict[str, NDArray[np.float64]] = {}
    with np.errstate(divide="ignore", invalid="ignore"):
        if recorded is not None:
            low, high = (_recorded_rate(cells) for cells in recorded)
            found["SPD"] = low - high
            found["DI"] = np.where(high > 0, low / high, np.nan)
        if decided is not None:
            unprivileged, privileged = decided
            opportunity = _row_rate(privileged, 1) - _row_rate(unprivileged, 1)
            mistaken = _row_rate(privileged, 0) - _row_rate(unprivileged, 0)
            found["EOD"] = opportunity
            found["EMOD"] = mistaken
            found["AOD"] = -(opportunity + mistaken) / 2
            found["MAOD"] = (np.abs(opportunity) + np.abs(mistaken)) / 2
    return found


def _recorded_rate(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    by_outcome = cells.sum(axis=-1)
    rate: NDArray[np.float64] = by_outcome[..., 1] / by_outcome.sum(axis=-1)
    return rate


def _row_rate(cells: NDArray[np.float64], outcome: int) -> NDArray[np.float64]:
    selected, not_selected = cells[..., outcome, 1], cells[..., outcome, 0]
    rate: NDArray[np.float64] = selected / (selected + not_selected)
    return rate


@dataclass(frozen=True)
class Point:
    """A metric's value, or None and one sentence of reason."""

    value: float | None
    reason: str = ""


def metric_points(
    *,
    recorded: tuple[Cells, Cells] | None,
    decided: tuple[Cells, Cells] | None,
    names: Names | None = None,
) -> dict[str, Point]:
    """The metrics of two sides, each with a value or with the reason why there is none.

    Parameters
    ----------
    recorded, decided : pair of Cells (unprivileged, privileged), or None
        None leaves their metrics out.
    names : Names
        Words for the reasons.

    Examples
    --------
    >>> import numpy as np
    >>> from engine.fairness.counts import count_table
    >>> table = count_table(groups=2, codes=np.array([0, 0, 1, 1], np.int16),
    ...                     outcome=np.array([0, 0, 1, 0], np.int8))
    >>> found = metric_points(recorded=(table.side(1), table.side(0)), decided=None)
    >>> found["SPD"].value, found["DI"].value
    (0.5, None)
    >>> found["DI"].reason
    'Cannot be computed: the privileged group has 0 people with a favourable outcome, of 2, and a ratio to 0 has no value.'
    """
    names = names or Names()
    arrays = metric_arrays(
        recorded=None if recorded is None else (recorded[0].weight[:2], recorded[1].weight[:2]),
        decided=None if decided is None else (decided[0].weight[:2], decided[1].weight[:2]),
    )
    found: dict[str, Point] = {}
    for metric, array in arrays.items():
        value = float(array)
        if np.isfinite(value):
            found[metric] = Point(tidy(value))
        elif metric in RECORDED and recorded is not None:
            found[metric] = Point(None, _recorded_reason(recorded, names))
        elif decided is not None:
            found[metric] = Point(None, _decided_reason(metric, decided, names))
    return found


def _recorded_reason(recorded: tuple[Cells, Cells], names: Names) -> str:
    for cells, who in zip(recorded, (names.unprivileged, names.privileged), strict=True):
        if cells.n <= 0:
            if cells.unknown_rows:
                return say("fairness.outcomes_unknown", group=who, n=cells.unknown_rows)
            return say("fairness.nobody", group=who)
    return say(
        "fairness.ratio_to_zero",
        group=names.privileged,
        outcome=names.positive,
        n=recorded[1].n_rows,
    )


def _decided_reason(metric: str, decided: tuple[Cells, Cells], names: Names) -> str:
    sides = tuple(zip(decided, (names.unprivileged, names.privileged), strict=True))
    for cells, who in sides:
        if cells.decided <= 0:
            return say("fairness.nobody_decided", group=who)
    wanted = {"EOD": (1,), "EMOD": (0,)}.get(metric, (1, 0))
    for outcome in wanted:
        for cells, who in sides:
            if cells.weight[outcome, :2].sum() <= 0:
                words = names.positive if outcome else names.negative
                return say("fairness.none_with", group=who, outcome=words)
    raise AssertionError(f"{metric} is undefined for no known reason")


def bias_index(values: Mapping[str, float]) -> float | None:
    """Root mean square distance of metrics from their ideals; None without any metric.

    Source: paper 001, equation (7).

    Examples
    --------
    >>> round(bias_index({"SPD": -0.0854, "DI": 0.8816, "EOD": 0.0679, "EMOD": 0.1333,
    ...                   "AOD": -0.1006}), 4)
    0.1037
    """
    if not values:
        return None
    return tidy(float(np.sqrt(np.mean([(v - IDEAL[m]) ** 2 for m, v in values.items()]))))


def bias_index_arrays(values: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """:func:`bias_index` over many draws at once; NaN where any metric is."""
    total = sum((array - IDEAL[metric]) ** 2 for metric, array in values.items())
    return np.asarray(np.sqrt(total / len(values)), dtype=np.float64)


def fairness_score(indexes: Sequence[float]) -> float | None:
    """One less the root mean square of the Bias Indexes; None without any.

    Source: paper 001, equation (8).

    Examples
    --------
    >>> round(fairness_score([0.1864, 0.3114, 0.4948]), 4)
    0.6457
    """
    if not indexes:
        return None
    return tidy(1.0 - float(np.sqrt(np.mean(np.square(indexes)))))


def implied_privileged_rate(*, difference: float, ratio: float) -> float | None:
    """The privileged rate that a printed difference and ratio imply: ``SPD / (DI - 1)``.

    A pair whose implied rate lies outside 0 to 1 cannot both be right. None for a ratio of 1.

    Examples
    --------
    >>> round(implied_privileged_rate(difference=0.038, ratio=0.8881), 2)
    -0.34
    """
    return None if abs(ratio - 1.0) < SMALL else difference / (ratio - 1.0)
