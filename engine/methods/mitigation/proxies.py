"""Which features tell the protected attribute, and which of them move decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from engine.base.watch import Watch
from engine.cohort.model import Attribute, Sample
from engine.messages import say
from engine.models.apart import answers
from engine.models.encoding import encode
from engine.models.standin import StandIn

MOST_ROWS = 20_000
SHUFFLES = 3
SURE = 1 - 1e-9


def own_columns(attribute: Attribute, membership: Sequence[str] = ()) -> tuple[str, ...]:
    """The columns that are the attribute itself."""
    return tuple(c for c in (attribute.column, *membership) if c)


def told_by(
    *,
    attribute: Attribute,
    sample: Sample,
    features: Sequence[str],
    own: Sequence[str],
    folds: int,
    seed: int,
    watch: Watch,
) -> dict[str, Any]:
    """How well features tell the privileged group from the others, alone and together.

    Out of fold, so that a feature with many values does not tell by remembering. Alone: a small
    decision tree; together: gradient boosting over all features but the attribute's own columns.
    People whose group is only a probability are left aside.

    Returns
    -------
    dict
        ``features`` (column to area under the curve, None with the reason), ``together``,
        ``reason``, ``people``.
    """
    belongs = _belongs(attribute, sample)
    rows = np.flatnonzero(belongs >= 0)
    rng = np.random.default_rng([seed, 1])
    if len(rows) > MOST_ROWS:
        rows = np.sort(rng.choice(rows, MOST_ROWS, replace=False))
    target = belongs[rows]
    counts = np.bincount(target, minlength=2)
    if counts.min() < folds:
        reason = say("mitigation.few_for_proxies", n=int(counts.min()), folds=folds)
        return {"features": {}, "together": None, "reason": reason, "people": len(rows)}
    split = StratifiedKFold(folds, shuffle=True, random_state=seed % 2**32)
    frame = sample.frame.iloc[rows]
    others = [f for f in features if f not in own]
    leaf = max(5, len(rows) // 200)
    found: dict[str, float] = {}
    for place, name in enumerate(others):
        watch.say(f"What {name} tells", done=place, total=len(others) + 1)
        tree = DecisionTreeClassifier(
            max_leaf_nodes=32, min_samples_leaf=leaf, random_state=seed % 2**32
        )
        found[name] = _auc(tree, encode(frame, [name]), target, split, watch)
    together = None
    if others:
        watch.say("What all features tell", done=len(others), total=len(others) + 1)
        boost = HistGradientBoostingClassifier(random_state=seed % 2**32, max_iter=60)
        together = _auc(boost, encode(frame, others), target, split, watch)
    return {"features": found, "together": together, "reason": "", "people": len(rows)}


def _belongs(attribute: Attribute, sample: Sample) -> NDArray[np.int8]:
    """1 privileged, 0 not, -1 unknown or uncertain."""
    if not attribute.soft:
        codes = sample.codes[attribute.name]
        return np.where(codes < 0, -1, codes == 0).astype(np.int8)
    chances = sample.membership[attribute.name]
    known = chances.max(axis=1, initial=0.0) >= SURE
    return np.where(known, chances[:, 0] >= SURE, -1).astype(np.int8)


def _auc(
    estimator: Any,
    matrix: NDArray[np.float64],
    target: NDArray[np.int8],
    split: StratifiedKFold,
    watch: Watch,
) -> float:
    """Out of fold, one fold after the other with a look for a stop before each."""
    shares = np.empty(len(target))
    with threadpool_limits(1):
        for learnt, told in split.split(matrix, target):
            watch.check()
            fitted = clone(estimator).fit(matrix[learnt], target[learnt])
            shares[told] = fitted.predict_proba(matrix[told])[:, 1]
    return float(roc_auc_score(target, shares))


def moved_by(*, model: StandIn, frame: pd.DataFrame, seed: int, watch: Watch) -> dict[str, float]:
    """The share of decisions that change when one feature is shuffled among people.

    The mean of three shuffles, on at most 20,000 people.
    """
    rng = np.random.default_rng([seed, 2])
    if len(frame) > MOST_ROWS:
        frame = frame.iloc[np.sort(rng.choice(len(frame), MOST_ROWS, replace=False))]
    _, before = answers(model=model, frame=frame, watch=watch)
    found = {}
    for place, name in enumerate(model.columns):
        watch.say(f"What {name} moves", done=place, total=len(model.columns))
        changes = []
        for _ in range(SHUFFLES):
            order = rng.permutation(len(frame))
            shuffled = frame.assign(**{name: frame[name].array.take(order)})
            _, after = answers(model=model, frame=shuffled, watch=watch)
            changes.append(float((after != before).mean()))
        found[name] = float(np.mean(changes)) if len(frame) else 0.0
    return found
