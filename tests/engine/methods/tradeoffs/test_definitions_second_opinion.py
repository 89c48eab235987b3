"""Conflicting definitions against fairlearn, scikit-learn, exact fractions and plain pandas."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import accuracy_score, brier_score_loss, precision_score

from engine.base.watch import Watch
from engine.methods.tradeoffs.calibration import FEWEST_IN_BIN, edges_of
from engine.methods.tradeoffs.compute import compute
from engine.methods.tradeoffs.findings import findings
from engine.methods.tradeoffs.settings import METHOD
from tests.engine import helpers

GROUPS = ("a", "b", "c")


def drawn(n: int = 6000) -> pd.DataFrame:
    """People of three groups with different base rates, and a score that is off for one."""
    rng = np.random.default_rng(8)
    group = rng.choice(GROUPS, n, p=[0.5, 0.3, 0.2])
    score = np.clip(rng.beta(2, 2, n) + 0.12 * (group == "a"), 0.001, 0.999)
    truth = np.clip(score - 0.1 * (group == "c"), 0, 1)
    outcome = (rng.random(n) < truth).astype(int)
    return pd.DataFrame({"g": group, "score": score, "y": outcome, "d": (score > 0.55).astype(int)})


def weigh(table: pd.DataFrame, **changes: Any) -> dict[str, Any]:
    one = helpers.attribute("g", *GROUPS)
    people = helpers.sample("test", [one], {"g": table["g"]}, table["y"], table["d"])
    people = dataclasses.replace(people, score=table["score"].to_numpy(float))
    if "w" in table:
        people = dataclasses.replace(people, weight=table["w"].to_numpy(float))
    return compute(
        cohort=helpers.cohort([one], test=people),
        plan=helpers.plan([one], resamples=200),
        settings={**METHOD.defaults(), **changes},
        watch=Watch(),
    ).result


def test_the_scale_of_weights_does_not_matter() -> None:
    """Weights that sum to 1 say the same as weights that sum to a country."""
    table = drawn()
    weight = np.random.default_rng(2).gamma(4.0, 1.0, len(table))
    one, other = (weigh(table.assign(w=weight * scale)) for scale in (1 / weight.sum(), 250.0))
    for key in GROUPS:
        bins, others = (r["calibration"][key]["bins"] for r in (one, other))
        assert len(bins) == 10 and [b["n"] for b in bins] == pytest.approx([b["n"] for b in others])
        mine = weight[table["g"] == key]
        total = sum(b["n"] for b in bins)
        worth = weight.sum() ** 2 / (weight**2).sum()
        assert total == pytest.approx(worth * mine.sum() / weight.sum())
    for cost, same in zip(one["costs"], other["costs"], strict=True):
        assert cost["changed"] == pytest.approx(same["changed"]) and cost["of"] > 1000


def test_rates_and_gaps_equal_fairlearns() -> None:
    metrics = pytest.importorskip("fairlearn.metrics")
    table = drawn()
    found = weigh(table)
    frame = metrics.MetricFrame(
        metrics={
            "base": lambda y_true, y_pred: float(np.mean(y_true)),
            "selection": metrics.selection_rate,
            "TPR": metrics.true_positive_rate,
            "FPR": metrics.false_positive_rate,
            "FNR": metrics.false_negative_rate,
            "PPV": precision_score,
        },
        y_true=table["y"],
        y_pred=table["d"],
        sensitive_features=table["g"],
    ).by_group
    for g in GROUPS:
        assert found["base_rates"]["groups"][g]["rate"] == pytest.approx(frame["base"][g])
        assert found["parity"]["groups"][g]["rate"] == pytest.approx(frame["selection"][g])
        for name in ("TPR", "FPR", "FNR", "PPV"):
            assert found["odds"]["groups"][g][name] == pytest.approx(frame[name][g], abs=1e-12)
    asked = {"y_true": table["y"], "y_pred": table["d"], "sensitive_features": table["g"]}
    parity = metrics.demographic_parity_difference(**asked)
    assert found["parity"]["widest"] == pytest.approx(parity, abs=1e-12)
    odds = metrics.equalized_odds_difference(**asked)
    assert found["odds"]["widest"] == pytest.approx(odds, abs=1e-12)


def test_reliability_equals_scikit_learns() -> None:
    table = drawn()
    found = weigh(table)
    for g in GROUPS:
        mine = table[table["g"] == g]
        observed, mean = calibration_curve(mine["y"], mine["score"], n_bins=10)
        bins = [b for b in found["calibration"][g]["bins"] if b["n"]]
        assert len(bins) == len(observed)
        shown = [i for i, b in enumerate(bins) if b["observed"] is not None]
        assert [bins[i]["observed"] for i in shown] == pytest.approx(observed[shown], abs=1e-12)
        assert [bins[i]["mean_score"] for i in shown] == pytest.approx(mean[shown], abs=1e-12)
        assert all(b["n"] < FEWEST_IN_BIN for i, b in enumerate(bins) if i not in shown)
        n = np.array([b["n"] for b in bins])
        error = float((n * np.abs(observed - mean)).sum() / n.sum())
        assert found["calibration"][g]["ece"]["value"] == pytest.approx(error, abs=1e-12)
        brier = brier_score_loss(mine["y"], mine["score"])
        assert found["calibration"][g]["brier"] == pytest.approx(brier, abs=1e-12)
    # the group whose scores promise 10 points too much is found out, the others are not
    offset = {g: found["calibration"][g]["mean_score_less_base_rate"] for g in GROUPS}
    assert offset["c"]["low"] > 0.05
    assert offset["a"]["low"] < 0.02 and offset["b"]["low"] < 0.02


def test_bins_of_equal_numbers_are_quantiles_and_few_for_small_groups() -> None:
    score = np.arange(1000) / 1000
    cut = edges_of(score=score, bins=4, binning="equal numbers", smallest=1000)
    assert np.bincount(np.searchsorted(cut, score, side="right")).tolist() == [250] * 4
    few = edges_of(score=score, bins=10, binning="auto", smallest=50)
    assert len(few) + 1 == 3
    assert len(edges_of(score=score, bins=10, binning="auto", smallest=500)) + 1 == 10
    assert len(edges_of(score=score, bins=10, binning="equal numbers", smallest=50)) + 1 == 10


@settings(max_examples=60, deadline=None)
@given(tp=st.integers(1, 60), fn=st.integers(0, 60), fp=st.integers(0, 60), tn=st.integers(1, 60))
def test_the_identity_is_exact(tp: int, fn: int, fp: int, tn: int) -> None:
    """In fractions it holds with no rest at all; in the result the rest is 0."""
    n = tp + fn + fp + tn
    base, ppv = Fraction(tp + fn, n), Fraction(tp, tp + fp)
    fnr, fpr = Fraction(fn, tp + fn), Fraction(fp, fp + tn)
    assert fpr == base / (1 - base) * (1 - ppv) / ppv * (1 - fnr)
    rows = [(1, 1)] * tp + [(1, 0)] * fn + [(0, 1)] * fp + [(0, 0)] * tn
    table = pd.DataFrame(rows * 2, columns=["y", "d"])
    table["g"] = np.repeat(["a", "b"], n)
    one = helpers.attribute("g", "a", "b")
    people = helpers.sample("test", [one], {"g": table["g"]}, table["y"], table["d"])
    found = compute(
        cohort=helpers.cohort([one], test=people),
        plan=helpers.plan([one], resamples=20),
        settings=METHOD.defaults(),
        watch=Watch(),
    ).result
    assert [i["residual"] for i in found["identity"].values()] == [0.0, 0.0]


@pytest.mark.parametrize("definition", ["demographic parity", "equal opportunity"])
def test_the_cost_by_plain_pandas(definition: str) -> None:
    table = drawn()
    cost = next(c for c in weigh(table)["costs"] if c["definition"] == definition)
    counted = table if definition == "demographic parity" else table[table["y"] == 1]
    rate = counted["d"].mean()
    after = table["d"].copy()
    for g, mine in table.groupby("g"):
        cut = counted.loc[counted["g"] == g, "score"].quantile(1 - rate)
        after[mine.index] = (mine["score"] >= cut).astype(int)
        assert cost["thresholds"][g]["threshold"] == pytest.approx(cut)
    assert cost["changed"] == int((after != table["d"]).sum())
    assert cost["accuracy_before"] == pytest.approx(accuracy_score(table["y"], table["d"]))
    assert cost["accuracy_after"] == pytest.approx(accuracy_score(table["y"], after))
    wide = table.assign(after=after)
    wide = wide if definition == "demographic parity" else wide[wide["y"] == 1]
    rates = wide.groupby("g")["after"].mean()
    key = "selection" if definition == "demographic parity" else "TPR"
    assert cost["widest_after"][key] == pytest.approx(rates.max() - rates.min(), abs=1e-12)
    assert cost["widest_after"][key] < 0.002


def test_groups_that_cancel_when_pooled_are_not_called_equal() -> None:
    """b gets 20 points less than a, c 20 more: pooled, nothing is left to see."""
    n = 1000
    rates = {"a": 0.5, "b": 0.3, "c": 0.7}
    table = pd.concat(
        pd.DataFrame(
            {"g": g, "score": 0.5, "y": [0, 1] * (n // 2), "d": np.arange(n) % 100 < 100 * rate}
        )
        for g, rate in rates.items()
    )
    result = weigh(table.assign(d=table["d"].astype(int)))
    assert result["parity"]["gap"]["value"] == pytest.approx(0)
    assert result["parity"]["each"]["b"]["value"] == pytest.approx(-0.2)
    assert result["parity"]["verdict"] == result["odds"]["verdict"] == "outside"
    one = helpers.attribute("g", *GROUPS)
    found = {f.code: f for f in findings(result=result, plan=helpers.plan([one]))}
    assert found["tradeoffs.parity"].grade == found["tradeoffs.odds"].grade == "shown"
    assert "does not hold. Between any two groups they differ by up to 40.0 points" in (
        found["tradeoffs.parity"].sentence
    )
    assert "do not settle whether base rates differ" in found["tradeoffs.base_rates"].sentence


def test_base_rates_whose_interval_leaves_0_are_settled_to_differ() -> None:
    table = pd.DataFrame({"g": np.repeat(GROUPS, 3000), "score": 0.5, "d": [0, 1] * 4500})
    table["y"] = (np.arange(9000) % 100 < np.where(table["g"] == "a", 50, 44)).astype(int)
    result = weigh(table)
    gap = result["base_rates"]["gap"]
    assert gap["verdict"] == "not settled" and gap["high"] < 0, "near the margin, and not 0"
    one = helpers.attribute("g", *GROUPS)
    found = {f.code: f for f in findings(result=result, plan=helpers.plan([one]))}
    assert "do not settle" not in found["tradeoffs.base_rates"].sentence
