"""Decisions where the plan asks for a stand-in or a model file."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.cohort.model import Cohort, Sample
from engine.messages import say
from engine.plan.model import Plan

from .base import Predictor
from .files import Limits, load
from .standin import fit


def add_decisions(*, cohort: Cohort, plan: Plan, base: Path, watch: Watch | None = None) -> Cohort:
    """Train the stand-in, or load the model file, and let it decide on the audited people.

    Supplied decisions need nothing: the cohort comes back as it was.

    Parameters
    ----------
    cohort : Cohort
    plan : Plan
    base : Path
        The plan's folder, to which the model file's path is relative.
    watch : Watch, optional

    Returns
    -------
    Cohort
        With ``fitted``, and with ``decision`` and ``score`` of the sample that is decided on:
        ``test``, else (for a model file) ``all``.

    Raises
    ------
    Refused
        Where there is nothing to train on, or the file cannot be used.
    """
    watch = watch or Watch()
    system = plan.system
    if system is None or (system.train is None and system.model_file is None):
        return cohort
    try:
        if system.train is not None:
            return _trained(cohort, plan, watch)
        return _loaded(cohort, plan, base, watch)
    except Refused as refused:
        raise Refused(
            dataclasses.replace(problem, file=problem.file or plan.name)
            for problem in refused.problems
        ) from None


def _trained(cohort: Cohort, plan: Plan, watch: Watch) -> Cohort:
    assert plan.system is not None and plan.system.train is not None
    asked = plan.system.train
    training = cohort.training
    if training is None or training.outcome is None:
        raise Refused(Problem("", "system.train", say("models.no_training")))
    fitted = fit(
        model=str(asked.get("model", "random_forest")),
        frame=training.frame,
        target=training.outcome,
        features=cohort.features,
        seed=plan.seed,
        parameters=asked.get("parameters"),
        weight=training.weight,
        watch=watch.part(0, 0.8),
    )
    return _decided(cohort, fitted, "system.train", watch)


def _loaded(cohort: Cohort, plan: Plan, base: Path, watch: Watch) -> Cohort:
    assert plan.system is not None and plan.system.model_file is not None
    asked = dict(plan.system.model_file)
    sample = cohort.test if cohort.test is not None else cohort.whole
    columns = list(sample.frame.columns) if sample is not None else []
    limits = Limits(
        seconds=int(asked.get("seconds") or Limits.seconds),
        megabytes=int(asked.get("megabytes") or Limits.megabytes),
    )
    watch.say("Opening the model file")
    fitted = load(
        path=base / str(asked["path"]),
        inputs=asked.get("inputs"),
        threshold=0.5 if asked.get("threshold") is None else asked["threshold"],
        output=asked.get("output"),
        favourable=_one(asked.get("favourable")),
        high_is=str(asked.get("high_is") or "favourable"),
        columns=columns,
        limits=limits,
        watch=watch,
    )
    return _decided(cohort, fitted, "system.model_file", watch)


def _decided(cohort: Cohort, fitted: Predictor, place: str, watch: Watch) -> Cohort:
    warnings = cohort.warnings + [
        {"code": "models.told", "text": text, "where": place} for text in fitted.warnings
    ]
    changed: dict[str, Any] = {"fitted": fitted, "warnings": warnings}
    part = "test" if cohort.test is not None else "whole"
    sample: Sample | None = getattr(cohort, part)
    if sample is not None:
        watch.say("Deciding on the audited people", fraction=0.9)
        score, decision = fitted.both(sample.frame)
        changed[part] = dataclasses.replace(
            sample, score=_finite(score), decision=decision.astype(np.int8)
        )
    return dataclasses.replace(cohort, **changed)


def _one(value: Any) -> Any:
    """The favourable class: a plan may name it as a list of one, as it does elsewhere."""
    return value[0] if isinstance(value, list | tuple) and len(value) == 1 else value


def _finite(score: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isfinite(score), score, np.nan)
