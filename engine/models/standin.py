"""Stand-ins: the seven algorithms that can be trained here in place of the audited system."""

from __future__ import annotations

import warnings as warning_filter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from engine.base.nearest import nearest
from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import listed
from engine.messages import say

from .algorithms import MODELS, Algorithm
from .encoding import Encoder, encode

__all__ = ["MODELS", "Algorithm", "StandIn", "encode", "fit", "make"]


_OURS = ("random_state", "n_jobs", "verbose", "warm_start")


def make(model: str, seed: int, parameters: Mapping[str, Any] | None = None) -> Any:
    """An unfitted scikit-learn estimator, scaled where the algorithm needs it.

    Parameters
    ----------
    model : str
        A key of :data:`MODELS`.
    seed : int
        Fixed as ``random_state`` (scikit-learn takes 0 to 2**32 - 1; a larger one is folded).
    parameters : mapping, optional
        scikit-learn parameters of the algorithm.

    Raises
    ------
    Refused
        For an unknown algorithm or parameter.

    Examples
    --------
    >>> type(make("decision_tree", 1)).__name__
    'DecisionTreeClassifier'
    """
    if model not in MODELS:
        text = say(
            "models.unknown", name=model, guess=_guess(model, MODELS), choices=listed(list(MODELS))
        )
        raise Refused(Problem("", "system.train.model", text))
    algorithm = MODELS[model]
    estimator = algorithm.build(seed % 2**32)
    known = estimator.get_params()
    for name in parameters or {}:
        place = f"system.train.parameters.{name}"
        if name in _OURS:
            raise Refused(Problem("", place, say("models.fixed_parameter", name=name)))
        if name not in known:
            text = say(
                "models.unknown_parameter",
                model=algorithm.title,
                name=name,
                guess=_guess(name, known),
            )
            raise Refused(Problem("", place, text))
    estimator.set_params(**dict(parameters or {}))
    return make_pipeline(StandardScaler(), estimator) if algorithm.scaled else estimator


def _guess(name: str, known: Iterable[str]) -> str:
    near = nearest(str(name), [str(k) for k in known])
    return f'; did you mean "{near}"?' if near else ""


@dataclass
class StandIn:
    """A fitted stand-in (a :class:`~engine.models.base.Predictor`)."""

    model: str
    encoder: Encoder
    estimator: Any
    seed: int
    rows: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    curve: tuple[float, float] | None = None
    """Slope and intercept that turn a distance into a probability (Platt), where one is needed."""

    @property
    def name(self) -> str:
        """The algorithm in words."""
        return MODELS[self.model].title

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it was trained on."""
        return tuple(part.name for part in self.encoder.parts)

    def describe(self) -> dict[str, Any]:
        """What it is, for result and certificate."""
        return {
            "kind": "stand-in",
            "model": self.model,
            "title": self.name,
            "columns": list(self.columns),
            "parameters": dict(self.parameters),
            "seed": self.seed,
            "trained_on": self.rows,
            "warnings": list(self.warnings),
        }

    def score(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        """The estimated probability of the favourable outcome, a row."""
        return self.both(frame)[0]

    def decide(self, frame: pd.DataFrame) -> NDArray[np.int8]:
        """The algorithm's own decision, a row."""
        return self.both(frame)[1]

    def both(self, frame: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """Score and decision together, from one pass over the rows.

        The decision is the algorithm's own: the likelier outcome, and the unfavourable one where
        both are as likely; for the support vector machine, the side of its boundary.
        """
        if not len(frame):
            return np.empty(0), np.empty(0, np.int8)
        matrix = self.encoder.transform(frame)
        with threadpool_limits(1):
            if self.curve is not None:
                distance = self.estimator.decision_function(matrix)
                slope, start = self.curve
                score = 1.0 / (1.0 + np.exp(-np.clip(slope * distance + start, -500, 500)))
                return score, (distance > 0).astype(np.int8)
            score = self.estimator.predict_proba(matrix)[:, 1]
        return score.astype(np.float64), (score > 0.5).astype(np.int8)


def fit(
    *,
    model: str,
    frame: pd.DataFrame,
    target: NDArray[np.int8],
    features: Sequence[str],
    seed: int,
    parameters: Mapping[str, Any] | None = None,
    weight: NDArray[np.float64] | None = None,
    watch: Watch | None = None,
) -> StandIn:
    """Train a stand-in on the people with a known outcome.

    Parameters
    ----------
    model : str
        A key of :data:`MODELS`.
    frame : DataFrame, n rows
    target : int8 array, shape (n,)
        1 favourable, 0 unfavourable, -1 unknown (not trained on).
    features : sequence of str
        Columns of ``frame`` that are used.
    seed : int
    parameters : mapping, optional
        Parameters of the algorithm, as scikit-learn names them.
    weight : float array, shape (n,), optional
        Weights of the rows; rows of weight 0 are left out.
    watch : Watch, optional

    Raises
    ------
    Refused
        Where there is nothing to learn from (no outcome, one outcome only), or the algorithm
        cannot weigh people.
    """
    watch = watch or Watch()
    title = MODELS[model].title if model in MODELS else model
    estimator = make(model, seed, parameters)
    if weight is not None and not MODELS[model].weighs:
        text = say("models.no_weights", model=title)
        raise Refused(Problem("", "system.train.model", text))
    use = np.asarray(target) >= 0
    if weight is not None:
        use = use & (weight > 0)
    y = np.asarray(target)[use]
    classes = np.unique(y)
    if not len(y):
        raise Refused(Problem("", "outcome", say("models.no_outcomes")))
    if len(classes) == 1:
        which = "favourable" if classes[0] else "unfavourable"
        raise Refused(Problem("", "outcome", say("models.one_class", n=len(y), which=which)))
    neighbours = next(
        (v for k, v in estimator.get_params().items() if k.endswith("n_neighbors")), 0
    )
    if isinstance(neighbours, int) and neighbours > len(y):
        text = say("models.few_neighbours", neighbours=neighbours, n=len(y))
        raise Refused(Problem("", "system.train", text))
    watch.say(f"Training: {title}")
    rows = frame.iloc[np.flatnonzero(use)]
    encoder = Encoder.learn(frame=rows, features=features)
    matrix = encoder.transform(rows)
    extra: dict[str, Any] = {}
    if weight is not None:
        step = estimator.steps[-1][0] + "__" if hasattr(estimator, "steps") else ""
        extra[step + "sample_weight"] = weight[use]
    told: list[str] = list(encoder.warnings)
    if "n_jobs" in estimator.get_params() and model == "random_forest":
        estimator.set_params(n_jobs=-1)  # each tree has its own seed: cores do not change the fit
    try:
        # one thread of arithmetic: sums in another order would change the last digits
        with threadpool_limits(1), warning_filter.catch_warnings(record=True) as caught:
            warning_filter.simplefilter("always")
            estimator.fit(matrix, y, **extra)
            curve = None
            if not hasattr(estimator, "predict_proba"):
                watch.say(f"Finding the probabilities: {title}")
                curve = _curve(make(model, seed, parameters), matrix, y, seed)
    except (ValueError, TypeError) as error:
        why = str(error).splitlines()[0]
        text = say("models.bad_parameter", model=title, why=why)
        raise Refused(Problem("", "system.train.parameters", text)) from None
    if model == "random_forest":
        estimator.set_params(n_jobs=1)  # votes are added up in a fixed order
    told += _in_words(caught, title, estimator)
    watch.check()
    return StandIn(model, encoder, estimator, seed, len(y), dict(parameters or {}), told, curve)


CURVE_ROWS = 6_000
"""So many people are enough to find two numbers; more would only cost time."""


def _curve(
    estimator: Any, matrix: NDArray[np.float64], y: NDArray[np.int8], seed: int
) -> tuple[float, float]:
    """Platt's curve from out-of-fold distances (three folds), so that it is not too sure."""
    if np.bincount(y).min() * CURVE_ROWS >= 3 * len(y) > 3 * CURVE_ROWS:
        rows, _ = train_test_split(
            np.arange(len(y)), train_size=CURVE_ROWS, stratify=y, random_state=seed % 2**32
        )
        matrix, y = matrix[rows], y[rows]
    smallest = int(np.bincount(y).min())
    if smallest < 3:
        distance = estimator.fit(matrix, y).decision_function(matrix)
    else:
        folds = StratifiedKFold(3, shuffle=True, random_state=seed % 2**32)
        distance = cross_val_predict(estimator, matrix, y, cv=folds, method="decision_function")
    line = LogisticRegression(C=1e6, max_iter=1000).fit(distance[:, None], y)
    return float(line.coef_[0, 0]), float(line.intercept_[0])


def _in_words(caught: Sequence[Any], title: str, estimator: Any) -> list[str]:
    told: list[str] = []
    inner = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    for one in caught:
        text = str(one.message)
        if issubclass(one.category, ConvergenceWarning):
            rounds = np.max(getattr(inner, "n_iter_", 0))
            told.append(say("models.not_converged", model=title, iterations=int(rounds)))
        elif "ill-conditioned" in text or "singular" in text.lower():
            told.append(say("models.ill_posed", model=title))
        elif issubclass(one.category, UserWarning | RuntimeWarning):
            told.append(say("models.other_warning", model=title, text=text.splitlines()[0]))
    return list(dict.fromkeys(told))
