"""Stress tests on a result that stands: its models are not fitted again, its answer is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.canonical import plain
from engine.base.watch import Watch
from engine.cohort.model import Cohort
from engine.models.encoding import Encoder
from engine.plan.model import Plan

from . import stress
from .audit import audit
from .matching import Floats
from .numbers import Result, stress_numbers
from .people import gather
from .settings import METHOD

OWN = ("stress", "stress_levels", "stress_total", "stress_repeats", "stress_cells")
"""Settings of the stress tests alone: what else the result holds does not hang on them."""
SAME_CELLS = ("stress_levels", "stress_total")
"""Settings under which a cell that ran is the same cell again."""


def differs_only_in_stress(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two plans (file form, complete) ask the same but for the stress tests.

    The facts of the case (names, addresses) are left out: no number depends on them.

    Examples
    --------
    >>> differs_only_in_stress({"seed": 1, "methods": {"peers": {"stress": ["delta"]}}},
    ...                        {"seed": 1, "methods": {"peers": {}}})
    True
    >>> differs_only_in_stress({"seed": 1, "methods": {"peers": {}}}, {"seed": 2, "methods": {"peers": {}}})
    False
    """

    def bare(plan: Mapping[str, Any]) -> dict[str, Any]:
        methods = dict(plan.get("methods") or {})
        given = methods.get("peers")
        if given is None:
            return {}
        methods["peers"] = {k: v for k, v in given.items() if k not in OWN and v is not None}
        return {**{k: v for k, v in plan.items() if k != "case"}, "methods": methods}

    return bool(bare(one)) and bare(one) == bare(other)


def setup_of(
    *, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]
) -> stress.Setup:
    """What the stress tests start from, with the probabilities that the run has written.

    Parameters
    ----------
    cohort, plan
        As for the run.
    settings : mapping
        The stress settings may be others than the run's.
    tables : mapping
        ``peers`` and ``peers_unprotected`` of the run as written: cells are text.
    """
    settings = {**METHOD.defaults(), **{k: v for k, v in settings.items() if v is not None}}
    people = gather(cohort=cohort, plan=plan, settings=settings)
    matrix = Encoder.learn(frame=people.frame, features=people.features).transform(people.frame)
    mine, others = tables["peers"], tables["peers_unprotected"]
    propensity = _whole(people.protected, mine["Propensity"], others["Propensity"])
    likelihood = _whole(people.protected, mine["Own likelihood"], others["Likelihood"])
    found = audit(
        propensity=propensity, likelihood=likelihood, protected=people.protected,
        settings=settings, rng=np.random.default_rng([plan.seed, 7, 1]), watch=Watch(),
    )  # fmt: skip
    return stress.Setup(
        matrix, people.protected, people.target, people.score, people.score_model, propensity,
        likelihood, found, settings, plan.seed,
    )  # fmt: skip


def _whole(protected: NDArray[np.bool_], mine: pd.Series, others: pd.Series) -> Floats:
    found = np.empty(len(protected))
    found[protected], found[~protected] = _numbers(mine), _numbers(others)
    return found


def _numbers(texts: pd.Series) -> Floats:
    return np.array([float(t) if t else np.nan for t in texts])


def known_entries(
    *, before: Mapping[str, Any], now: Mapping[str, Any], written: pd.DataFrame | None
) -> list[stress.Entry]:
    """Cells of an earlier run that need not run again.

    Parameters
    ----------
    before, now : mapping
        The method's settings then and now, which differ in those of the stress tests alone.
    written : DataFrame or None
        The earlier ``stress`` table as written: cells are text.
    """
    if written is None or not len(written):
        return []
    entries = stress.entries_of(written)
    if all((before.get(key) or None) == (now.get(key) or None) for key in SAME_CELLS):
        return entries
    return [e for e in entries if e["test"] != stress.IMBALANCE]


def with_stress(
    *, part: Mapping[str, Any], entries: Sequence[stress.Entry], cells: int
) -> tuple[Result, pd.DataFrame]:
    """The method's part of the result with other stress tests, and their table."""
    made: Result = plain({**part, **stress_numbers(entries, cells)})
    return made, stress.table(list(entries))
