"""The difference between the groups at equal circumstances, as a measure with its interval."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch
from engine.fairness.measure import measure
from engine.fairness.verdict import verdict
from engine.messages import say
from engine.plan.model import Plan

from .likelihood import Fitted, out_of_fold
from .matching import Floats
from .people import People
from .valid import augmented_effect


def group_effect(
    *,
    outcome: NDArray[np.int8],
    people: People,
    matrix: Floats,
    plan: Plan,
    fitting: Fitted,
    seed: int,
    watch: Watch,
) -> dict[str, Any]:
    """Unprivileged less privileged people with the same features; a measure.

    Parameters
    ----------
    outcome : int8 array, shape (n,)
        1 favourable, 0 not, -1 unknown: recorded outcomes or decisions.
    people : People
    matrix : float array, shape (n, d)
        Encoded features.
    plan : Plan
        For tolerance and confidence.
    fitting : Fitted
        Its model and settings are used for both parts, five times each on four fifths.
    seed : int
    watch : Watch
    """
    known = outcome >= 0
    mine, others = int((known & people.protected).sum()), int((known & ~people.protected).sum())
    band = plan.tolerance.band("SPD", people.attribute.name)

    def none(reason: str) -> dict[str, Any]:
        return measure(
            None, verdict="not computable", reason=reason, n_unprivileged=mine, n_privileged=others
        )

    if mine < 2 or others < 2:
        return none(say("peers.effect_none", unprivileged=mine, privileged=others))
    x, y, s = matrix[known], outcome[known], people.protected[known]
    words = "the difference between groups"
    propensity = out_of_fold(
        matrix=x, target=s.astype(np.int8), learn=np.ones(len(s), bool), model=fitting.model,
        parameters=fitting.parameters, seed=seed, watch=watch.part(0, 0.5), words=words,
    )  # fmt: skip
    expected = out_of_fold(
        matrix=x, target=y, learn=~s, model=fitting.model, parameters=fitting.parameters,
        seed=seed, watch=watch.part(0.5, 1), words=words,
    )  # fmt: skip
    effect = augmented_effect(
        outcome=y.astype(float), protected=s, propensity=propensity, expected=expected
    )
    if not effect.error > 1e-12:
        return none(say("peers.equal_effect", unprivileged=mine, privileged=others))
    low, high = effect.interval(plan.confidence)
    return measure(
        effect.value, low, high, verdict(value=effect.value, low=low, high=high, band=band),
        n_unprivileged=mine, n_privileged=others, p=effect.p, standard_error=effect.error,
        without_like=effect.clipped, band=list(band),
    )  # fmt: skip
