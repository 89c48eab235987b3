"""The one shape in which every method hands over a number: value, interval, verdict, reason, n."""

from __future__ import annotations

import math
from typing import Any

NOT_COMPUTABLE = "not computable"
NOT_CHECKED = "not checked"


def measure(
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    verdict: str | None = None,
    reason: str = "",
    n_unprivileged: float = 0,
    n_privileged: float = 0,
    **more: Any,
) -> dict[str, Any]:
    """Build the contract's measure; further keys (``note``, ``needed``) may be added.

    Parameters
    ----------
    value, low, high : float or None
        The value and its percentile bounds. NaN and infinity are refused: say None and why.
    verdict : str or None
        ``within``, ``outside``, ``not settled``, ``not computable``, ``not checked``; None where
        no tolerance applies.
    reason : str
        One sentence that names group and count, exactly where ``value`` is None.
    n_unprivileged, n_privileged : int
        Rows used on either side.

    Raises
    ------
    ValueError
        For NaN or infinity, and for a missing value without a reason.

    Examples
    --------
    >>> measure(-0.4, -0.7, -0.1, "not settled", n_unprivileged=10, n_privileged=10)["n"]
    {'unprivileged': 10, 'privileged': 10}
    """
    for number in (value, low, high):
        if number is not None and not math.isfinite(number):
            raise ValueError(f"{number} is no measure: say None and the reason")
    if value is None and not reason:
        raise ValueError("a measure without a value needs its reason")
    return {
        "value": _plain(value),
        "low": None if value is None else _plain(low),
        "high": None if value is None else _plain(high),
        "verdict": verdict,
        "reason": reason,
        "n": {"unprivileged": n_unprivileged, "privileged": n_privileged},
        **more,
    }


def _plain(value: float | None) -> float | None:
    if value is None:
        return None
    return 0.0 if abs(value) < 1e-12 else float(value)
