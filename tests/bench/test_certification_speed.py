"""How fast the certification is. Not collected by default:

``python -m pytest -o addopts= -s tests/bench/test_certification_speed.py``

One million rows, 13 columns, three attributes, 1,000 resamples: computing against reading the
same CSV, and against fairlearn's ``MetricFrame(n_boot=...)`` on the same arrays, per resample.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from engine.base.watch import Watch
from engine.fairness.counts import count_table
from engine.fairness.intervals import percentile_interval, resample
from engine.fairness.metrics import metric_arrays
from engine.methods.certification.compute import compute
from tests.engine.helpers import attribute, cohort, plan, sample

N = 1_000_000
RESAMPLES = 1000


def seconds(run: Callable[[], object], repeat: int = 3) -> float:
    """Median of several runs."""
    taken = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["male", "female"], N, p=[0.6, 0.4]),
            "area": rng.choice(["north", "south"], N, p=[0.7, 0.3]),
            "age": rng.choice(["older", "younger"], N),
            "y": rng.integers(0, 2, N),
            "pred": rng.integers(0, 2, N),
        }
    )
    for k in range(4):
        frame[f"amount_{k}"] = rng.normal(1000, 200, N).round(2)
    for k in range(4):
        frame[f"kind_{k}"] = rng.choice(["a", "b", "c", "d"], N)
    assert frame.shape == (N, 13)
    return frame


def test_computing_takes_less_time_than_reading(people: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    people.to_csv(path, index=False)
    reading = seconds(lambda: duckdb.sql(f"SELECT * FROM read_csv('{path}')").df())
    attributes = [
        attribute("sex", "male", "female"),
        attribute("area", "north", "south"),
        attribute("age", "older", "younger"),
    ]
    groups = {a.name: people[a.name] for a in attributes}
    whole = sample("all", attributes, groups, people["y"], people["pred"])
    asked = plan(attributes, resamples=RESAMPLES)
    audited = cohort(attributes, whole=whole)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    computing = seconds(lambda: compute(cohort=audited, plan=asked, settings={}, watch=Watch()))
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(
        f"\nreading {reading:.3f} s, computing {computing:.3f} s: "
        f"{computing / reading:.2f} of the reading; {more:.0f} MB more at the peak"
    )
    assert computing < reading


def test_against_metric_frame_per_resample(people: pd.DataFrame) -> None:
    fairlearn = pytest.importorskip("fairlearn.metrics")
    y, pred = people["y"].to_numpy(np.int8), people["pred"].to_numpy(np.int8)
    codes = (people["sex"] == "female").to_numpy(np.int16)

    def theirs(n_boot: int) -> None:
        frame = fairlearn.MetricFrame(
            metrics={
                "selection": fairlearn.selection_rate,
                "TPR": fairlearn.true_positive_rate,
                "FPR": fairlearn.false_positive_rate,
            },
            y_true=y,
            y_pred=pred,
            sensitive_features=codes,
            n_boot=n_boot,
            ci_quantiles=[0.025, 0.975],
            random_state=1,
        )
        frame.difference_ci()

    table = count_table(groups=2, codes=codes, outcome=y, decision=pred)

    def ours() -> None:
        rng = np.random.default_rng(1)
        drawn = resample(sides=[table.side(1), table.side(0)], resamples=RESAMPLES, rng=rng)
        arrays = metric_arrays(recorded=(drawn[0], drawn[1]), decided=(drawn[0], drawn[1]))
        for values in arrays.values():
            percentile_interval(values, confidence=0.95)

    counting = seconds(lambda: count_table(groups=2, codes=codes, outcome=y, decision=pred))
    boots = 4
    per_theirs = seconds(lambda: theirs(boots), repeat=1) / boots
    per_ours = seconds(ours, repeat=9) / RESAMPLES
    whole = (counting + per_ours * RESAMPLES) / RESAMPLES
    print(
        f"\nper resample: MetricFrame {per_theirs:.3f} s, ours {per_ours * 1e6:.1f} µs "
        f"({per_theirs / per_ours:,.0f} times faster; {per_theirs / whole:,.0f} times with the "
        f"counting of {counting * 1e3:.1f} ms spread over {RESAMPLES:,} resamples)"
    )
    assert per_theirs / per_ours >= 10_000
