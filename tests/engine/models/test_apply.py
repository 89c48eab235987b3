"""Decisions added to a cohort: stand-in, model file, supplied columns; German and Adult bands."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.base.problems import Refused
from engine.methods.asking import read_plan
from engine.models.apply import add_decisions
from engine.plan.model import System
from engine.run.road import run
from tests.engine import helpers

from . import onnx_bytes


def people() -> Any:
    rng = np.random.default_rng(0)
    one = helpers.attribute("g", "a", "b")

    def part(role: str, n: int) -> Any:
        x = rng.normal(size=n)
        sample = helpers.sample(role, [one], {"g": rng.choice(["a", "b"], n)}, (x > 0).astype(int))
        return dataclasses.replace(sample, frame=pd.DataFrame({"x": x}))

    cohort = helpers.cohort([one], training=part("training", 80), test=part("test", 40))
    return dataclasses.replace(cohort, features=("x",))


def asked(**system: Any) -> Any:
    return dataclasses.replace(helpers.plan(people().attributes), system=System(**system))


def test_a_stand_in_is_trained_on_training_and_decides_on_test(tmp_path: Path) -> None:
    cohort = people()
    plan = asked(train={"model": "decision_tree"})
    done = add_decisions(cohort=cohort, plan=plan, base=tmp_path)
    assert done.fitted.rows == 80
    assert (done.test.decision == done.test.outcome).mean() > 0.9
    assert np.isfinite(done.test.score).all()
    assert done.training.decision is None
    with pytest.raises(
        Refused, match=r"plan\.json: system\.train: .*trained on data with recorded"
    ):
        add_decisions(cohort=dataclasses.replace(cohort, training=None), plan=plan, base=tmp_path)


def test_a_model_file_decides_by_its_threshold(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(onnx_bytes.logistic([5.0], 0.0))
    plan = asked(model_file={"path": "model.onnx", "threshold": 0.5})
    cohort = dataclasses.replace(people(), training=None)
    done = add_decisions(cohort=cohort, plan=plan, base=tmp_path)
    assert (done.test.decision == done.test.outcome).all()
    assert done.fitted.describe()["kind"] == "model file"
    with pytest.raises(Refused, match=r"gone\.onnx: there is no file"):
        add_decisions(cohort=cohort, plan=asked(model_file={"path": "gone.onnx"}), base=tmp_path)


def test_supplied_columns_need_nothing(tmp_path: Path) -> None:
    cohort = people()
    assert add_decisions(cohort=cohort, plan=asked(), base=tmp_path) is cohort


def test_german_forest_lies_in_its_band(shared: Path) -> None:
    right = json.loads((shared / "cases/methods/expected.json").read_text())
    right = right["E_real_data"]["german_rf"]
    plan = read_plan(
        {
            "schema": "fairassay-plan/1",
            "seed": 42,
            "case": {},
            "data": {"all": {"path": str(shared / "data/german_kaggle_risk.csv"), "missing": []}},
            "outcome": {"column": "Risk", "favourable": ["good"]},
            "system": {"train": {"model": "random_forest"}},
            "protected": [{"column": "Sex", "privileged": ["male"]}],
            "methods": {"certification": {}},
        }
    )
    found = run(plan=plan, base=shared).result["certification"]["attributes"]["Sex"]
    for name, side in (("male", "priv"), ("female", "unpriv")):
        counts = found["groups"][name]["counts"]
        exact = right["test"][side]
        decided = counts["tp"] + counts["fp"] + counts["fn"] + counts["tn"]
        # other people may be drawn into the 150, so the band is that of a rate in a sample
        rate = (counts["tp"] + counts["fp"]) / decided
        assert rate == pytest.approx(exact["selection_rate"], abs=0.1)
        assert counts["tp"] / (counts["tp"] + counts["fn"]) == pytest.approx(exact["TPR"], abs=0.12)
