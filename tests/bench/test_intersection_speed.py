"""Crossing six attributes of a million people, against one pandas groupby and fairlearn.

Run on demand with ``pytest tests/bench -s``. Processor times, so that the ratios hold on a busy
machine too.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.base.watch import Watch
from engine.methods.intersection.compute import compute
from engine.methods.intersection.settings import METHOD
from tests.engine import helpers

LEVELS = (5, 5, 5, 2, 2)  # with the sixth attribute 500 crossings
PEOPLE = 1_000_000
LARGEST_FACTOR = 5.0


def timed(work: Callable[[], Any], times: int = 3) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


@pytest.fixture(scope="module")
def people() -> tuple[pd.DataFrame, Any, Any]:
    """A table of people, their cohort and its plan: 500 crossings of six attributes."""
    rng = np.random.default_rng(1)
    attributes, groups, codes = [], {}, {}
    for place, levels in enumerate((*LEVELS, 2)):
        keys = [f"g{level}" for level in range(levels)]
        drawn = rng.integers(0, levels, PEOPLE)
        if place == len(LEVELS):  # the sixth follows the fifth: half of its crossings are empty
            drawn = codes[f"a{place - 1}"].astype(np.int64)
        attributes.append(helpers.attribute(f"a{place}", *keys))
        groups[f"a{place}"] = pd.Categorical.from_codes(drawn, keys)
        codes[f"a{place}"] = drawn.astype(np.int16)
    decision = (rng.random(PEOPLE) < 0.3 + 0.02 * codes["a0"]).astype(np.int8)
    table = pd.DataFrame({**groups, "decision": decision})
    few = {name: list(values[:1]) for name, values in groups.items()}
    sample = helpers.sample("test", attributes, few, decision=[1])
    sample = dataclasses.replace(sample, frame=table, decision=decision, codes=codes)
    return table, helpers.cohort(attributes, test=sample), helpers.plan(attributes, resamples=1000)


def test_crossing_costs_at_most_five_groupbys(people: tuple[pd.DataFrame, Any, Any]) -> None:
    table, cohort, plan = people
    columns = [c for c in table if c != "decision"]
    ours = timed(
        lambda: compute(cohort=cohort, plan=plan, settings=METHOD.defaults(), watch=Watch())
    )
    pandas = timed(lambda: table.groupby(columns, observed=True)["decision"].agg(["sum", "size"]))
    print(f"crossed groups {ours:.3f} s, groupby {pandas:.3f} s, factor {ours / pandas:.2f}")
    assert ours <= LARGEST_FACTOR * pandas


def test_crossing_is_faster_than_fairlearns_rates_alone(
    people: tuple[pd.DataFrame, Any, Any],
) -> None:
    metrics = pytest.importorskip("fairlearn.metrics")
    table, cohort, plan = people
    columns = [c for c in table if c != "decision"]

    def rival() -> Any:
        return metrics.MetricFrame(
            metrics=metrics.selection_rate,
            y_true=table["decision"],
            y_pred=table["decision"],
            sensitive_features=table[columns],
        ).by_group

    ours = timed(
        lambda: compute(cohort=cohort, plan=plan, settings=METHOD.defaults(), watch=Watch())
    )
    theirs = timed(rival, times=1)
    print(f"crossed groups with intervals {ours:.3f} s, fairlearn's rates {theirs:.3f} s")
    assert ours < theirs
