"""Amounts predicted without the protected attributes, where no quote is supplied (paper 004)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import count
from engine.cohort.model import Cohort, Sample
from engine.fairness.intervals import generator, percentile_interval
from engine.fairness.measure import measure
from engine.messages import say
from engine.models.encoding import Encoder
from engine.plan.model import Plan

from .people import Pair, amounts_in
from .side import Floats

MODELS = {"linear_regression": "Linear regression", "gradient_boosting": "Gradient boosting"}
HISTOGRAMS_ABOVE = 20_000
"""With more people, gradient boosting grows its trees on binned columns (and that is said)."""


@dataclass(frozen=True)
class Predicted:
    """Predicted amounts of the audited people, and how they came about."""

    model: str
    values: Floats
    described: dict[str, Any]


@dataclass(frozen=True)
class Task:
    """What is predicted from what, ready for fitting again and again.

    ``train`` is None where the audited people are predicted part by part.
    """

    train: tuple[Floats, Floats, Floats | None] | None
    people: Floats
    target: Floats
    weight: Floats | None
    folds: NDArray[np.int64] | None
    features: tuple[str, ...]
    seed: int
    told: tuple[str, ...] = ()


def wanted(settings: Mapping[str, Any], *, supplied: bool) -> tuple[str, ...]:
    """The models that are to predict: those named, else both where no quote is supplied."""
    named = settings.get("models")
    if named is None:
        return () if supplied or not settings.get("actual") else tuple(MODELS)
    place = "methods.pricing.models"
    if not isinstance(named, list | tuple):
        raise Refused(Problem("", place, say("pricing.models_form")))
    for name in named:
        if name not in MODELS:
            hint = mend(str(name), MODELS, otherwise="choose from")
            raise Refused(Problem("", place, say("pricing.no_model", name=name, mend=hint)))
    if named and not settings.get("actual"):
        raise Refused(Problem("", "methods.pricing.actual", say("pricing.needs_actual")))
    return tuple(dict.fromkeys(named))


def prepare_task(
    *, cohort: Cohort, plan: Plan, sample: Sample, settings: Mapping[str, Any]
) -> Task:
    """Encode the columns that may be used: all features but the protected ones and the amounts."""
    own = {settings["actual"], settings.get("currency"), *chosen_quotes(settings, plan)}
    if plan.features is None:
        own.add(settings.get("risk"))
    for one in plan.protected:
        own |= {one.column, *(one.membership or {}).values()}
    features = tuple(c for c in cohort.features if c not in own)
    if not features:
        raise Refused(Problem("", "features", say("pricing.no_features")))
    actual = str(settings["actual"])
    place = "methods.pricing.actual"
    training = cohort.training if cohort.training is not sample else None
    target = amounts_in(sample, actual, place)
    if training is None or actual not in training.frame:
        known = np.flatnonzero(np.isfinite(target))
        folds = int(settings["folds"])
        if len(known) < 2 * folds:
            text = say("pricing.few_to_learn", n=count(len(known)), column=actual)
            raise Refused(Problem("", place, text))
        encoder = Encoder.learn(frame=sample.frame, features=features)
        part = np.arange(len(sample)) % folds
        part = generator(plan.seed, "pricing", "folds").permutation(part)
        return Task(
            None, encoder.transform(sample.frame), target, sample.weight, part, features,
            plan.seed, tuple(encoder.warnings),
        )  # fmt: skip
    learnt = amounts_in(training, actual, place)
    use = np.flatnonzero(np.isfinite(learnt))
    if len(use) < 10:
        text = say("pricing.few_to_learn", n=count(len(use)), column=actual)
        raise Refused(Problem("", place, text))
    rows = training.frame.iloc[use]
    encoder = Encoder.learn(frame=rows, features=features)
    weight = None if training.weight is None else training.weight[use]
    train = (encoder.transform(rows), learnt[use], weight)
    return Task(
        train, encoder.transform(sample.frame), target, sample.weight, None, features,
        plan.seed, tuple(encoder.warnings),
    )  # fmt: skip


def predict(*, task: Task, model: str, watch: Watch) -> Predicted:
    """Fit one model and predict the audited people."""
    watch.say(f"Training: {MODELS[model]}")
    with threadpool_limits(1):
        if task.train is not None:
            x, y, weight = task.train
            fitted = _fitted(model, x, y, weight, task.seed)
            values = np.asarray(fitted.predict(task.people), dtype=np.float64)
            trained_on, how = len(y), "training data"
        else:
            assert task.folds is not None
            values = np.empty(len(task.people))
            known = np.isfinite(task.target)
            for fold in range(int(task.folds.max()) + 1):
                watch.check()
                use = known & (task.folds != fold)
                weight = None if task.weight is None else task.weight[use]
                fitted = _fitted(model, task.people[use], task.target[use], weight, task.seed)
                mine = task.folds == fold
                values[mine] = fitted.predict(task.people[mine])
            trained_on, how = int(known.sum()), "out of fold"
    return Predicted(
        model,
        values,
        {
            "title": MODELS[model],
            "algorithm": _algorithm(model, trained_on),
            "features": list(task.features),
            "trained_on": trained_on,
            "how": how,
            "seed": task.seed,
        },
    )


def _algorithm(model: str, rows: int) -> str:
    if model == "linear_regression":
        return "ordinary least squares"
    return "gradient boosting on binned columns" if rows > HISTOGRAMS_ABOVE else "gradient boosting"


def _fitted(model: str, x: Floats, y: Floats, weight: Floats | None, seed: int) -> Any:
    if model == "linear_regression":
        return LinearRegression().fit(x, y, sample_weight=weight)
    make: Any = GradientBoostingRegressor
    if len(y) > HISTOGRAMS_ABOVE:
        make = HistGradientBoostingRegressor
    return make(random_state=seed % 2**32).fit(x, y, sample_weight=weight)


def refitted_gap(
    *,
    task: Task,
    model: str,
    pair: Pair,
    refits: int,
    confidence: float,
    value: float | None,
    watch: Watch,
) -> dict[str, Any]:
    """The interval of the gap with the model trained anew in every resample.

    The training people are drawn anew, and the audited ones of each side by themselves. Where
    there are no training data apart, the audited people themselves are drawn for the training.
    """
    sides = [np.flatnonzero(side > 0) for side in (pair.unprivileged, pair.privileged)]
    n = (len(sides[0]), len(sides[1]))
    if value is None or min(n) < 2:
        reason = say("pricing.no_refit", n=min(n))
        return measure(None, reason=reason, n_unprivileged=n[0], n_privileged=n[1])
    known = np.flatnonzero(np.isfinite(task.target))
    x, y, weight = task.train or (task.people[known], task.target[known], None)
    rng = generator(task.seed, "pricing", model, "refits")
    mass = np.ones(len(task.people)) if task.weight is None else task.weight
    draws = np.empty(refits)
    with threadpool_limits(1):
        for i in range(refits):
            watch.say(f"Training anew: {MODELS[model]}", done=i, total=refits)
            rows = rng.integers(0, len(y), len(y))
            drawn = None if weight is None else weight[rows]
            fitted = _fitted(model, x[rows], y[rows], drawn, task.seed)
            quoted = fitted.predict(task.people)
            means = []
            for side, belongs in zip(sides, (pair.unprivileged, pair.privileged), strict=True):
                chosen = side[rng.integers(0, len(side), len(side))]
                means.append(np.average(quoted[chosen], weights=(mass * belongs)[chosen]))
            draws[i] = means[0] - means[1]
    found = percentile_interval(draws, confidence=confidence)
    return measure(value, found.low, found.high, None, "", n[0], n[1])


def chosen_quotes(settings: Mapping[str, Any], plan: Plan) -> dict[str, str | None]:
    """The columns of supplied quotes, the plan's amount first, each with the direction that is
    worse for a person where that column has one of its own.

    Raises
    ------
    Refused
        Where the list has another form, or names another direction.
    """
    first = plan.system.amount_column if plan.system is not None else None
    further = settings.get("quotes") or []
    where = "methods.pricing.quotes"
    if not isinstance(further, list | tuple):
        raise Refused(Problem("", where, say("pricing.quotes_form")))
    found: dict[str, str | None] = {first: None} if first else {}
    for one in further:
        column = one.get("column") if isinstance(one, Mapping) else one
        worse = one.get("adverse") if isinstance(one, Mapping) else None
        fits = isinstance(column, str) and (not isinstance(one, Mapping) or one.keys() <= {"column", "adverse"})  # fmt: skip
        if not fits or worse not in (None, "high", "low"):
            raise Refused(Problem("", where, say("pricing.quotes_form")))
        found.setdefault(str(column), worse)
    return found
