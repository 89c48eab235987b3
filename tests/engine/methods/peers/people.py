"""Cohorts for the peers tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from engine.base.watch import Watch
from engine.cohort.model import Attribute, Cohort, Group, Sample
from engine.methods.base import Computed
from engine.methods.peers.compute import compute
from engine.plan.model import Data, Plan, Protected


def cohort_of(
    frame: pd.DataFrame,
    *,
    protected: Any,
    outcome: Any,
    score: Any = None,
    decision: Any = None,
    features: tuple[str, ...] | None = None,
    fitted: Any = None,
) -> Cohort:
    """A cohort with one attribute "group" (privileged B, unprivileged A)."""
    frame = frame.copy()
    for name in frame:
        if not pd.api.types.is_numeric_dtype(frame[name].dtype):
            frame[name] = frame[name].astype("category")
    sample = Sample(
        role="all",
        frame=frame,
        outcome=None if outcome is None else np.asarray(outcome, np.int8),
        decision=None if decision is None else np.asarray(decision, np.int8),
        score=None if score is None else np.asarray(score, float),
        amount=None,
        weight=None,
        ids=None,
        codes={"group": np.asarray(protected).astype(np.int16)},
        membership={},
    )
    attribute = Attribute("group", "group", (Group("B", True), Group("A", False)))
    return Cohort(
        attributes=(attribute,),
        training=None,
        test=None,
        whole=sample,
        features=features or tuple(frame.columns),
        exclusions=[],
        warnings=[],
        system_kind="none" if score is None and decision is None else "columns",
        fitted=fitted,
    )


def plan_of(seed: int = 7) -> Plan:
    return Plan(seed=seed, case={}, data=Data(), protected=(Protected("group", "group", ("B",)),))


def run(cohort: Cohort, *, seed: int = 7, **settings: Any) -> Computed:
    return compute(cohort=cohort, plan=plan_of(seed), settings=settings, watch=Watch())


def population(
    n: int, seed: int, *, effect: float = 0.0, independent: bool = False
) -> pd.DataFrame:
    """People with three features, a group that hangs on them (or not), and an outcome.

    ``effect`` is taken from the log odds of the protected at equal features.
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    lean = np.zeros(n) if independent else 0.6 * x[:, 0] - 0.4 * x[:, 1]
    group = rng.random(n) < 1 / (1 + np.exp(-(lean - 0.3)))
    odds = 0.5 * x[:, 0] + 0.7 * x[:, 2] + effect * group
    good = rng.random(n) < 1 / (1 + np.exp(-odds))
    return pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "group": group, "good": good})
