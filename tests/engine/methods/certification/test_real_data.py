"""Given predictions on German credit and Adult, against independently computed values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.engine.helpers import attribute, certify, cohort, plan, sample


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, Any]:
    text = (shared / "cases" / "methods" / "expected.json").read_text(encoding="utf-8")
    return json.loads(text)["E_real_data"]


def check(one: dict[str, Any], right: dict[str, Any]) -> None:
    for metric in ("EOD", "EMOD", "AOD"):
        assert one["metrics"][metric]["value"] == pytest.approx(right[metric], abs=1e-9)
        measure = one["metrics"][metric]
        assert measure["low"] <= measure["value"] <= measure["high"]
    odds = one["mean_absolute_odds"]["value"]
    assert odds == pytest.approx(right["avg_abs_odds"], abs=1e-9)
    for key, side in (("1", "priv"), ("0", "unpriv")):
        counts = one["groups"][key]["counts"]
        for name in ("tp", "fp", "fn", "tn"):
            assert counts[name] == right[side][name.upper()]
        rates = one["groups"][key]["rates"]
        assert rates["decided"]["value"] == pytest.approx(right[side]["selection_rate"])
        assert rates["true_positive"]["value"] == pytest.approx(right[side]["TPR"])


def test_german_test_decisions(shared: Path, expected: dict[str, Any]) -> None:
    data = pd.read_csv(shared / "cases" / "methods" / "e_german_rf_test.csv")
    one = attribute("male", "1", "0")
    people = sample("test", [one], {"male": data["male"]}, data["y"], data["pred"])
    result = certify(cohort([one], test=people), plan([one]))
    check(result["attributes"]["male"], expected["german_rf"]["test"])
    assert result["not_checked"] == ["SPD", "DI"]
    # 150 test rows settle nothing, whatever the values alone say [methods A 4].
    assert result["recommendation"]["value"] == "not settled"
    assert result["recommendation"]["as_published"] == "grant"
    assert result["recommendation"]["not_settled"] == 3


def test_adult_test_decisions_by_three_attributes(shared: Path, expected: dict[str, Any]) -> None:
    data = pd.read_csv(shared / "cases" / "methods" / "e_adult_rf_test.csv")
    attributes = [attribute(name, "1", "0") for name in ("white", "male", "married")]
    groups = {a.name: data[a.name] for a in attributes}
    people = sample("test", attributes, groups, data["y"], data["pred"])
    result = certify(cohort(attributes, test=people), plan(attributes))
    for name, one in result["attributes"].items():
        check(one, expected["adult_rf"][name]["test"])
    assert result["worst"]["attribute"] == result["worst_attribute"] == "married"
    assert result["fairness_score"]["dependence"] == "joint"


def test_index_and_score_with_training_labels(shared: Path, expected: dict[str, Any]) -> None:
    """The training side rebuilt from its counts; the paper's index and score follow to 1e-9."""
    data = pd.read_csv(shared / "cases" / "methods" / "e_adult_rf_test.csv")
    names = ("white", "male", "married")
    for name in names:
        right = expected["adult_rf"][name]
        one = attribute(name, "1", "0")
        test = sample("test", [one], {name: data[name]}, data["y"], data["pred"])
        rates = right["train"]
        favourable, totals = [], []
        for rate in (rates["rate_priv"], rates["rate_unpriv"]):
            totals.append(
                next(n for n in range(4000, 41516) if abs(rate * n - round(rate * n)) < 1e-8)
            )
            favourable.append(round(rate * totals[-1]))
        groups = ["1"] * totals[0] + ["0"] * totals[1]
        outcome = np.concatenate(
            [np.arange(n) < f for f, n in zip(favourable, totals, strict=True)]
        )
        training = sample("training", [one], {name: groups}, outcome.astype(int))
        result = certify(cohort([one], training=training, test=test), plan([one]))
        index = result["attributes"][name]["bias_index"]
        assert index["value"] == pytest.approx(right["BI"], abs=1e-9)
        assert index["low"] <= index["value"] <= index["high"]
        assert result["fairness_score"]["value"] == pytest.approx(1 - right["BI"], abs=1e-9)
        assert result["fairness_score"]["low"] == pytest.approx(1 - index["high"], abs=1e-12)


@pytest.mark.parametrize("name", ["white", "male", "married"])
def test_against_fairlearn(shared: Path, name: str) -> None:
    fairlearn = pytest.importorskip("fairlearn.metrics")
    data = pd.read_csv(shared / "cases" / "methods" / "e_adult_rf_test.csv")
    one = attribute(name, "1", "0")
    people = sample("all", [one], {name: data[name]}, data["y"], data["pred"])
    mine = certify(cohort([one], whole=people), plan([one]))["attributes"][name]
    frame = fairlearn.MetricFrame(
        metrics={
            "TPR": fairlearn.true_positive_rate,
            "FPR": fairlearn.false_positive_rate,
            "selected": fairlearn.selection_rate,
        },
        y_true=data["y"],
        y_pred=data["pred"],
        sensitive_features=data[name],
    ).by_group
    eod = frame["TPR"][1] - frame["TPR"][0]
    emod = frame["FPR"][1] - frame["FPR"][0]
    values = {m: v["value"] for m, v in mine["metrics"].items()}
    assert values["EOD"] == pytest.approx(eod, abs=1e-12)
    assert values["EMOD"] == pytest.approx(emod, abs=1e-12)
    assert values["AOD"] == pytest.approx(-(eod + emod) / 2, abs=1e-12)
    gap = frame["selected"][0] - frame["selected"][1]
    assert mine["decision_tests"]["difference"] == pytest.approx(gap, abs=1e-12)
