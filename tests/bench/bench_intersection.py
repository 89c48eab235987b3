"""Crossing six attributes of a million people, against one pandas groupby and fairlearn.

Run: ``python tests/bench/bench_intersection.py``. The aim is at most five times one groupby over
the same columns, with 1,000 resamples and intervals for every crossing included.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.base.watch import Watch
from engine.methods.intersection.compute import compute
from engine.methods.intersection.settings import METHOD
from tests.engine import helpers

LEVELS = (4, 4, 4, 2, 2, 2)  # 512 crossings
PEOPLE = 1_000_000
LARGEST_FACTOR = 5.0


def best_of(times: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def people(n: int = PEOPLE) -> tuple[pd.DataFrame, object, object]:
    """A table of people, their cohort and its plan."""
    rng = np.random.default_rng(1)
    attributes, groups, codes = [], {}, {}
    for place, levels in enumerate(LEVELS):
        keys = [f"g{level}" for level in range(levels)]
        drawn = rng.integers(0, levels, n)
        attributes.append(helpers.attribute(f"a{place}", *keys))
        groups[f"a{place}"] = pd.Categorical.from_codes(drawn, keys)
        codes[f"a{place}"] = drawn.astype(np.int16)
    decision = (rng.random(n) < 0.3 + 0.02 * codes["a0"]).astype(np.int8)
    few = {name: list(values[:1]) for name, values in groups.items()}
    sample = helpers.sample("test", attributes, few, decision=[1])
    table = pd.DataFrame(groups)
    table["decision"] = decision
    import dataclasses

    whole = dataclasses.replace(sample, frame=table, decision=decision, codes=codes)
    return table, helpers.cohort(attributes, test=whole), helpers.plan(attributes)


def main() -> int:
    """Print the times; 1 where the aim is missed."""
    table, cohort, plan = people()
    columns = [f"a{place}" for place in range(len(LEVELS))]
    asked = {**METHOD.defaults(), "minimum_effective_n": 50}
    ours = best_of(3, lambda: compute(cohort=cohort, plan=plan, settings=asked, watch=Watch()))
    pandas = best_of(
        3, lambda: table.groupby(columns, observed=True)["decision"].agg(["sum", "size"])
    )
    print(f"crossed groups, 1,000 resamples, tests: {ours:7.3f} s")
    print(f"one pandas groupby                    : {pandas:7.3f} s   factor {ours / pandas:.2f}")
    try:
        from fairlearn.metrics import MetricFrame, selection_rate
    except ImportError:
        print("fairlearn is not installed")
    else:

        def rival() -> None:
            frame = MetricFrame(
                metrics=selection_rate,
                y_true=table["decision"],
                y_pred=table["decision"],
                sensitive_features=table[columns],
            )
            frame.by_group  # noqa: B018

        theirs = best_of(1, rival)
        print(
            f"fairlearn, the rates alone            : {theirs:7.3f} s   factor {theirs / ours:.1f}"
        )
    return int(ours > LARGEST_FACTOR * pandas)


if __name__ == "__main__":
    sys.exit(main())
