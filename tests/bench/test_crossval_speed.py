"""Cross-validated tests against one cross_val_predict an attribute and algorithm, in one run.

Run with ``pytest tests/bench/test_crossval_speed.py -s``. ``FAIRASSAY_BENCH_ROWS`` and
``FAIRASSAY_BENCH_K`` make it smaller; left out, all 48,842 rows of Adult and 20 folds. The support
vector machine takes the same stratified sample on both sides.
"""

from __future__ import annotations

import dataclasses
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, cross_val_predict
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from engine.base.watch import Watch
from engine.methods.crossval.compute import compute
from engine.methods.crossval.fitting import PARAMETERS, forget
from engine.methods.crossval.folds import stratified_sample
from engine.methods.crossval.settings import METHOD, SIX
from engine.models.encoding import encode
from engine.models.standin import make
from tests.engine import helpers

ROWS = int(os.environ.get("FAIRASSAY_BENCH_ROWS", "48842"))
K = int(os.environ.get("FAIRASSAY_BENCH_K", "20"))
SVM = 5000
NAMES = ["age", "workclass", "fnlwgt", "education", "education_num", "marital", "occupation",
         "relationship", "race", "sex", "gain", "loss", "hours", "country", "income"]  # fmt: skip


def adult(shared: Path) -> pd.DataFrame:
    parts = []
    for name, skip in (("adult.data", 0), ("adult.test", 1)):
        parts.append(
            pd.read_csv(
                shared / "data" / name, names=NAMES, skiprows=skip, skipinitialspace=True
            )
        )  # fmt: skip
    table = pd.concat(parts, ignore_index=True).dropna(subset=["income"])
    table = table.iloc[np.random.default_rng(0).permutation(len(table))[:ROWS]]
    table = table.reset_index(drop=True)
    for column in table:
        if not pd.api.types.is_numeric_dtype(table[column]):
            table[column] = table[column].astype("category")
    return table


def test_four_times_faster_than_a_call_an_attribute_and_algorithm(shared: Path) -> None:
    table = adult(shared)
    y = table["income"].astype(str).str.startswith(">50K").astype(int).to_numpy()
    groups = {
        "sex": table["sex"].astype(str),
        "race": pd.Series(np.where(table["race"] == "White", "White", "other")),
        "marital": pd.Series(
            np.where(table["marital"].astype(str).str.startswith("Married"), "married", "single")
        ),
    }
    attributes = [
        helpers.attribute("sex", "Male", "Female"),
        helpers.attribute("race", "White", "other"),
        helpers.attribute("marital", "married", "single"),
    ]
    sample = helpers.sample("all", attributes, groups, outcome=y)
    features = tuple(c for c in table if c != "income")
    sample = dataclasses.replace(sample, frame=table[list(features)])
    people = helpers.cohort(attributes, whole=sample, system_kind="none")
    people = dataclasses.replace(people, features=features)
    size = min(SVM, len(table) - 1)

    forget()
    start = time.perf_counter()
    done = compute(
        cohort=people,
        plan=helpers.plan(attributes, resamples=1000),
        settings={
            **METHOD.defaults(),
            "k": K,
            "more_attributes": ["race", "marital"],
            "svm_sample": size,
        },
        watch=Watch(),
    )
    ours = time.perf_counter() - start
    assert set(done.result["models"]) == set(SIX)

    matrix = encode(sample.frame, features)
    rows = stratified_sample(strata=y, size=size, seed=1)
    theirs = 0.0
    parts = {}
    for model in SIX:
        x, target = (matrix[rows], y[rows]) if model == "svm" else (matrix, y)
        start = time.perf_counter()
        with threadpool_limits(1):
            for _ in attributes:
                cross_val_predict(
                    make(model, 1, PARAMETERS.get(model)), x, target,
                    cv=KFold(K, shuffle=True, random_state=1),
                )  # fmt: skip
        parts[model] = time.perf_counter() - start
        theirs += parts[model]
    told = ", ".join(f"{m} {s:.0f} s" for m, s in parts.items())
    print(
        f"\n{len(table):,} rows, {K} folds, support vector machine on {size:,}: ours {ours:.0f} s, "
        f"one call an attribute and algorithm {theirs:.0f} s ({told}): {theirs / ours:.1f} times"
    )
    if (os.cpu_count() or 1) < 2:
        pytest.skip("four times needs two cores")
    assert theirs / ours >= 4
