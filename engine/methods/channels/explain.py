"""How strong an unmeasured factor would have to be to explain the direct part away."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from engine.base.wording import number, percent
from engine.causal.fit import least_squares
from engine.messages import say

from .split import Columns, Floats


def needed_to_explain_away(
    *, columns: Columns, weight: Floats, confidence: float, size: float
) -> dict[str, Any]:
    """A bound on the unmeasured, in the terms of partial variation explained.

    A factor that is left out of the graph can make the direct part 0 only if it explains at least
    ``robustness`` of what the measured causes leave of the target *and* of the attribute (both
    alike; more of one allows less of the other).

    Parameters
    ----------
    columns : Columns
    weight : float array, shape (people,)
    confidence : float
    size : float
        Effective number of people.

    Returns
    -------
    dict
        ``robustness`` (to bring the value to 0) and ``robustness_interval`` (to let the interval
        take in 0), ``strongest`` (the measured cause with the most to say: ``node``,
        ``of_target``, ``of_attribute``), ``factor_gap`` and ``factor_effect`` (as an example: a
        factor in which the groups differ by one standard deviation, and what one standard
        deviation of it would have to move the target), ``words``, ``reason``.

    Notes
    -----
    Cinelli and Hazlett (2020), Making sense of sensitivity, eqs. 14 and 18.
    """
    causes = [c for p in columns.parents[columns.target] for c in columns.places[p]]
    target = columns.matrix[:, columns.places[columns.target][0]]
    matrix = columns.matrix[:, [0, *causes]]
    beta, rank = least_squares(matrix, target, weight)
    free = size - 1 - rank
    empty = {
        "robustness": None, "robustness_interval": None, "strongest": None, "factor_gap": None,
        "factor_effect": None, "words": "", "reason": "",
    }  # fmt: skip
    left = target - beta[0] - matrix @ beta[1:]
    scale = float(weight @ (target - np.average(target, weights=weight)) ** 2)
    rest = float(weight @ left**2)
    of_group = _left(columns.matrix[:, 0], columns.matrix[:, causes], weight)
    spread = float(weight @ of_group**2)
    direct = float(beta[1])
    if free < 2 or rest <= 1e-18 * max(scale, 1e-300) or spread <= 1e-12 * weight.sum():
        text = say("channels.no_robustness", target=columns.target)
        return empty | {"reason": text}
    standard_error = float(
        np.sqrt(rest / weight.sum() * size / free / (spread / weight.sum() * size))
    )
    t = abs(direct) / standard_error
    f = t / float(np.sqrt(free))
    shift = float(stats.t.ppf((1 + confidence) / 2, free - 1) / np.sqrt(free - 1))
    robustness = _robustness(f)
    inside = _robustness(max(0.0, f - shift))
    strongest = _strongest(columns, weight, target)
    deviation = float(np.sqrt(rest / weight.sum()))
    words = say(
        "channels.needed",
        share=percent(robustness),
        target=columns.target,
        direct=number(abs(direct)),
        deviations=number(abs(direct) / deviation, digits=2),
    )
    words += " " + (
        say("channels.needed_interval", share=percent(inside))
        if inside > 0
        else say("channels.needed_nothing")
    )
    if strongest is not None:
        words += " " + say(
            "channels.needed_strongest",
            node=strongest["node"],
            of_target=percent(strongest["of_target"]),
            of_attribute=percent(strongest["of_attribute"]),
        )
    return empty | {
        "robustness": robustness,
        "robustness_interval": inside,
        "strongest": strongest,
        "factor_gap": 1.0,
        "factor_effect": direct,
        "words": words,
    }


def _robustness(f: float) -> float:
    return float(0.5 * (np.sqrt(f**4 + 4 * f**2) - f**2))


def _left(value: Floats, causes: Floats, weight: Floats) -> Floats:
    beta, _ = least_squares(causes, value, weight)
    return np.asarray(value - beta[0] - causes @ beta[1:], dtype=np.float64)


def _strongest(columns: Columns, weight: Floats, target: Floats) -> dict[str, Any] | None:
    """The measured cause whose lesser share, of target and attribute, is the largest."""
    parents = columns.parents[columns.target]
    found: dict[str, Any] | None = None
    for node in parents:
        others = [c for p in parents if p != node for c in columns.places[p]]
        mine = columns.places[node]
        base = columns.matrix[:, [0, *others]]
        of_target = _partial(target, base, columns.matrix[:, mine], weight)
        of_group = _partial(
            columns.matrix[:, 0], columns.matrix[:, others], columns.matrix[:, mine], weight
        )
        one = {"node": node, "of_target": of_target, "of_attribute": of_group}
        if found is None or min(of_target, of_group) > min(
            found["of_target"], found["of_attribute"]
        ):
            found = one
    return found


def _partial(value: Floats, base: Floats, more: Floats, weight: Floats) -> float:
    """The share of what ``base`` leaves of a value that ``more`` explains."""
    before = float(weight @ _left(value, base, weight) ** 2)
    after = float(weight @ _left(value, np.column_stack([base, more]), weight) ** 2)
    return max(0.0, 1 - after / before) if before > 0 else 0.0
