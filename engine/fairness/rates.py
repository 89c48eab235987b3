"""Rates of one group, each None where its denominator is empty (never 0 for 0/0)."""

from __future__ import annotations

from .counts import Cells


def rate(part: float, whole: float) -> float | None:
    """A share, or None where nobody stands in the denominator.

    Examples
    --------
    >>> rate(3, 4)
    0.75
    >>> rate(0, 0) is None
    True
    """
    return part / whole if whole > 0 else None


def group_rates(cells: Cells) -> dict[str, float | None]:
    """Every rate that a certificate prints of a group.

    Returns
    -------
    dict
        ``recorded`` (favourable among known outcomes), ``selection`` (decided favourable),
        ``base`` (recorded favourable among the decided), ``TPR``, ``FPR``, ``FNR``, ``TNR``,
        ``PPV``, ``NPV``, ``accuracy``.
    """
    positives, negatives = cells.tp + cells.fn, cells.fp + cells.tn
    return {
        "recorded": rate(cells.favourable, cells.n),
        "selection": rate(cells.selected, cells.decided),
        "base": rate(positives, cells.decided),
        "TPR": rate(cells.tp, positives),
        "FPR": rate(cells.fp, negatives),
        "FNR": rate(cells.fn, positives),
        "TNR": rate(cells.tn, negatives),
        "PPV": rate(cells.tp, cells.tp + cells.fp),
        "NPV": rate(cells.tn, cells.tn + cells.fn),
        "accuracy": rate(cells.tp + cells.tn, cells.decided),
    }
