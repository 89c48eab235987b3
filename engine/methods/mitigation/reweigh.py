"""Weights that level the outcomes of groups in the training data, with soft membership."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cohort.model import Attribute, Sample

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Factors:
    """Factors of groups by outcome, shape (groups, 2), and each person's weight."""

    factors: Floats
    weight: Floats


def shares_of(*, attribute: Attribute, sample: Sample) -> Floats:
    """How far each row counts in each group, shape (rows, groups): 0 or 1, or a probability."""
    if attribute.soft:
        return np.asarray(sample.membership[attribute.name], np.float64)
    codes = sample.codes[attribute.name]
    return np.asarray(codes[:, None] == np.arange(len(attribute.groups)), np.float64)


def kamiran_calders(
    *, shares: Floats, outcome: NDArray[np.int8], weight: Floats | None = None
) -> Factors:
    """The reweighing of Kamiran and Calders, with people in several groups by probability.

    Group k and outcome y get the factor P(k) P(y) / P(k, y); a person's weight is the mean of the
    factors of their outcome over their groups. With known groups every group then has the same
    weighted rate of favourable outcomes, exactly.

    Parameters
    ----------
    shares : float array, shape (n, groups)
        Rows that are zero throughout (group unknown) keep the weight they have.
    outcome : int8 array, shape (n,)
        1, 0, -1 unknown (weight kept, not counted).
    weight : float array, shape (n,), optional
        Weights that the people already have.

    Source: Kamiran and Calders (2012), Knowledge and Information Systems 33, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> shares = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], float)
    >>> found = kamiran_calders(shares=shares, outcome=np.array([1, 1, 1, 0], np.int8))
    >>> found.weight.tolist()
    [0.75, 0.75, 1.5, 0.5]
    """
    joint, total = _joint(shares, outcome, weight)
    groups = joint.sum(axis=1, keepdims=True)
    outcomes = joint.sum(axis=0, keepdims=True)
    factors = np.divide(groups * outcomes, total * joint, out=np.ones_like(joint), where=joint > 0)
    return Factors(factors, _apply(shares, outcome, weight, factors))


def cell_factor(
    *, shares: Floats, outcome: NDArray[np.int8], weight: Floats | None = None
) -> Factors:
    """The paper's own weighting: one factor a group, overall rate over the group's rate.

    Favourable and unfavourable people of a group are scaled alike, so the group's weighted rate
    does not move; it is offered to reproduce the paper, not as a remedy.

    Source: paper 003, the listing of its first half.
    """
    joint, total = _joint(shares, outcome, weight)
    groups = joint.sum(axis=1)
    rate = np.divide(joint[:, 1], groups, out=np.zeros(len(joint)), where=groups > 0)
    overall = joint[:, 1].sum() / total if total > 0 else 0.0
    one = np.divide(overall, rate, out=np.ones(len(joint)), where=rate > 0)
    factors = np.column_stack([one, one])
    return Factors(factors, _apply(shares, outcome, weight, factors))


def _joint(
    shares: Floats, outcome: NDArray[np.int8], weight: Floats | None
) -> tuple[Floats, float]:
    mass = shares if weight is None else shares * weight[:, None]
    joint = np.column_stack([mass[outcome == y].sum(axis=0) for y in (0, 1)])
    return joint, float(joint.sum())


def _apply(
    shares: Floats, outcome: NDArray[np.int8], weight: Floats | None, factors: Floats
) -> Floats:
    base = np.ones(len(outcome)) if weight is None else weight
    total = shares.sum(axis=1)
    of_outcome = factors[:, np.maximum(outcome, 0)].T
    mean = np.divide(
        (shares * of_outcome).sum(axis=1), total, out=np.ones(len(total)), where=total > 0
    )
    return np.asarray(np.where(outcome >= 0, base * mean, base), np.float64)
