"""Training and test rows for a stand-in that is trained here."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from .desk import Desk
from .model import Sample


def split(desk: Desk, whole: Sample) -> tuple[Sample, Sample, NDArray[np.int64]] | None:
    """Divide ``all`` into training and test (``test_share``, ``stratify``, the plan's seed).

    People without a known outcome are divided in the same share, so that both sides tell how
    many outcomes are unknown. Rows keep their order. Gives training, test, and the rows of
    ``whole`` that test holds.
    """
    assert whole.outcome is not None
    data = desk.plan.data
    known = np.flatnonzero(whole.outcome >= 0)
    unknown = np.flatnonzero(whole.outcome < 0)
    target = whole.outcome[known]
    counts = np.bincount(target, minlength=2)
    test_rows = round(len(known) * data.test_share)
    if len(known) and not counts.all():
        side = "favourable" if counts[1] else "unfavourable"
        desk.problem("data.all", "cohort.one_class_to_learn", n=len(known), side=side)
        return None
    if len(known) < 4 or counts.min() < 2 or test_rows < 2 or len(known) - test_rows < 2:
        desk.problem("data.all", "cohort.few_to_split", n=len(known))
        return None
    training, test = train_test_split(
        known,
        test_size=data.test_share,
        random_state=desk.plan.seed,
        stratify=target if data.stratify else None,
    )
    if len(unknown) * data.test_share >= 1 and len(unknown) > 1:
        more, tested = train_test_split(
            unknown, test_size=data.test_share, random_state=desk.plan.seed
        )
        training, test = np.concatenate([training, more]), np.concatenate([test, tested])
    else:
        training = np.concatenate([training, unknown])
    training, test = np.sort(training), np.sort(test)
    return take(whole, training, "training"), take(whole, test, "test"), test


def take(sample: Sample, rows: NDArray[np.int64], role: str) -> Sample:
    """The people of some rows, as a sample of their own."""

    def part(values: NDArray | None) -> NDArray | None:
        return None if values is None else values[rows]

    return dataclasses.replace(
        sample,
        role=role,
        frame=sample.frame.iloc[rows].reset_index(drop=True),
        outcome=part(sample.outcome),
        decision=part(sample.decision),
        score=part(sample.score),
        amount=part(sample.amount),
        weight=part(sample.weight),
        files=part(sample.files),
        ids=part(sample.ids),
        codes={name: codes[rows] for name, codes in sample.codes.items()},
        membership={name: shares[rows] for name, shares in sample.membership.items()},
    )
