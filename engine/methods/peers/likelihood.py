"""The two models of the paper: who is protected, and who gets the favourable outcome."""

from __future__ import annotations

import warnings as warning_filter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, train_test_split
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from engine.base.watch import Watch

from .matching import Floats

GRIDS: dict[str, dict[str, Sequence[Any]]] = {
    "logistic_regression": {"C": (0.1, 1.0, 10.0)},
    "random_forest": {
        "n_estimators": (50, 100, 200), "max_depth": (None, 10, 20),
        "min_samples_split": (2, 5, 10), "min_samples_leaf": (1, 2, 4),
    },
    "gradient_boosting": {"max_iter": (50, 100), "max_depth": (3, 6, 10), "learning_rate": (0.1,)},
}  # fmt: skip
"""The paper's grids (its boosting also tried two subsample shares, which ours does not have)."""
MODEL_WORDS = {
    "logistic_regression": "logistic regression",
    "random_forest": "random forest",
    "gradient_boosting": "gradient boosting",
}
MOST_NEWTON = 1000
"""Columns up to which Newton's method is used: it solves a square system of that size."""
FOLDS = 5


@dataclass(frozen=True)
class Fitted:
    """Probabilities for all rows, with the chosen parameters and the area under the curve.

    ``auc`` is that of the 20 % not fitted on; None where they hold one class only.
    """

    probability: Floats
    model: str
    parameters: Mapping[str, Any]
    auc: float | None
    cross_auc: float | None


def build(model: str, parameters: Mapping[str, Any], seed: int, width: int) -> Any:
    """An unfitted estimator; logistic regression by the solver that converges."""
    if model == "logistic_regression":
        solver = "newton-cholesky" if width <= MOST_NEWTON else "lbfgs"
        return LogisticRegression(solver=solver, max_iter=1000, **parameters)
    if model == "random_forest":
        return RandomForestClassifier(random_state=seed, n_jobs=1, **parameters)
    return HistGradientBoostingClassifier(random_state=seed, **parameters)


def _trained(estimator: Any, matrix: Floats, target: NDArray[np.int8]) -> Any:
    with threadpool_limits(1), warning_filter.catch_warnings():
        warning_filter.simplefilter("ignore")
        return estimator.fit(matrix, target)


def fit(
    *,
    matrix: Floats,
    target: NDArray[np.int8],
    known: NDArray[np.bool_],
    model: str,
    tune: bool,
    seed: int,
    watch: Watch,
    words: str,
) -> Fitted:
    """Fit as the paper does: grid by five folds on 80 %, refit on them, probabilities for all.

    Parameters
    ----------
    matrix : float array, shape (n, d)
        Encoded features, not scaled (as published).
    target : int8 array, shape (n,)
    known : bool array, shape (n,)
        Rows whose target is known; both classes occur among them.
    model : str
        A key of :data:`GRIDS`.
    tune : bool
        Whether the grid is searched; else scikit-learn's own parameters are used.
    seed : int
        Of split, folds and model.
    watch : Watch
    words : str
        What is fitted, for progress.
    """
    x, y = matrix[known], target[known]
    smallest = int(np.bincount(y, minlength=2).min())
    train = np.arange(len(y))
    test = np.arange(0)
    if len(y) >= 10:
        first, second = train_test_split(train, test_size=0.2, random_state=seed)
        if len(np.unique(y[first])) == 2:
            train, test = first, second
    smallest = int(np.bincount(y[train], minlength=2).min())
    folds = min(FOLDS, smallest)
    parameters: dict[str, Any] = {}
    cross_auc = None
    if tune and folds >= 2:
        parameters, cross_auc = _search(x[train], y[train], model, folds, seed, watch, words)
    watch.say(f"Fitting {words}")
    estimator = _trained(build(model, parameters, seed, x.shape[1]), x[train], y[train])
    with threadpool_limits(1):
        probability = estimator.predict_proba(matrix)[:, 1].astype(float)
    auc = None
    if len(np.unique(y[test])) == 2:
        auc = float(roc_auc_score(y[test], probability[known][test]))
    return Fitted(probability, model, parameters, auc, cross_auc)


def _search(
    x: Floats, y: NDArray[np.int8], model: str, folds: int, seed: int, watch: Watch, words: str
) -> tuple[dict[str, Any], float]:
    """The grid's best by mean area under the curve; the first of equals."""
    grid = GRIDS[model]
    trials = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    splits = list(StratifiedKFold(folds).split(x, y))
    best: tuple[float, dict[str, Any]] = (-1.0, {})
    for number, parameters in enumerate(trials):
        watch.say(f"Choosing settings for {words}", done=number, total=len(trials))
        scores = []
        for train, test in splits:
            watch.check()
            estimator = _trained(build(model, parameters, seed, x.shape[1]), x[train], y[train])
            with threadpool_limits(1):
                scores.append(roc_auc_score(y[test], estimator.predict_proba(x[test])[:, 1]))
        mean = float(np.mean(scores))
        if mean > best[0] + 1e-12:
            best = (mean, parameters)
    return best[1], best[0]


def out_of_fold(
    *,
    matrix: Floats,
    target: NDArray[np.int8],
    learn: NDArray[np.bool_],
    model: str,
    parameters: Mapping[str, Any],
    seed: int,
    watch: Watch,
    words: str,
) -> Floats:
    """Probabilities of each row from a model that has not seen it; ``learn`` says who teaches.

    Rows that do not teach (``learn`` False) are predicted too. Falls back to one fit on all where
    a class is too rare for two folds, or to the constant where there is one class.
    """
    n = len(target)
    y = target[learn]
    if not len(y) or len(np.unique(y)) < 2:
        return np.full(n, float(y.mean()) if len(y) else 0.5)
    folds = min(FOLDS, int(np.bincount(y, minlength=2).min()))
    scale = matrix.std(axis=0)
    x = (matrix - matrix.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    if folds < 2:
        estimator = _trained(build(model, parameters, seed, x.shape[1]), x[learn], y)
        return np.asarray(estimator.predict_proba(x)[:, 1], float)
    fold = np.random.default_rng([seed, 5]).integers(0, folds, n)
    for value in (0, 1):  # every fold keeps both classes to learn from
        rows = np.flatnonzero(learn & (target == value))
        order = np.random.default_rng([seed, 6 + value]).permutation(len(rows))
        fold[rows[order]] = np.arange(len(rows)) % folds
    found = np.empty(n)
    for number in range(folds):
        watch.say(f"Fitting {words}", done=number, total=folds)
        teach = learn & (fold != number)
        estimator = _trained(build(model, parameters, seed, x.shape[1]), x[teach], target[teach])
        rows = fold == number
        if rows.any():
            with threadpool_limits(1):
                found[rows] = estimator.predict_proba(x[rows])[:, 1]
    return found
