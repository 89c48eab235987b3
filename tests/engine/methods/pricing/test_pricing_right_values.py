"""Right answers: the reference values of paper 004, its printed numbers, real files to the end."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pricing_plans import audit, told
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import LabelEncoder


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, Any]:
    text = (shared / "cases" / "methods" / "expected.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["D_paper004"]
    return found


@pytest.fixture(scope="module")
def german(shared: Path) -> dict[str, Any]:
    done = audit(
        shared / "cases" / "methods",
        data={"test": {"path": "d_german_pricing.csv"}},
        outcome={"column": "approved", "favourable": [1]},
        system={"amount": {"column": "quote_linear", "adverse": "low"}},
        protected=[{"column": "under30", "privileged": [0]}],
        methods={
            "pricing": {
                "actual": "amount",
                "risk": "risk_bad",
                "quotes": ["quote_gradient_boosting"],
            }
        },
    )
    told(done)
    found: dict[str, Any] = done.result["pricing"]
    return found


def _parts(german: dict[str, Any], expected: dict[str, Any]) -> list[tuple[Any, Any, Any]]:
    values = expected["values"]
    real = german["real_gap"]
    parts = [(real, real, values["amount"])]
    for name in ("quote_linear", "quote_gradient_boosting"):
        parts.append((german["quoted"][name]["gap"], german["quoted"][name], values[name]))
    return parts


def test_gaps_are_exact(german: dict[str, Any], expected: dict[str, Any]) -> None:
    for gap, part, right in _parts(german, expected):
        assert gap["n"] == {"unprivileged": right["n_dis"], "privileged": right["n_adv"]}
        assert gap["value"] == pytest.approx(right["gap"], abs=1e-9)
        assert part["relative_gap"]["value"] == pytest.approx(right["relative"], abs=1e-9)
        assert part["means"]["unprivileged"] == pytest.approx(right["mean_dis"], abs=1e-9)
        assert part["means"]["privileged"] == pytest.approx(right["mean_adv"], abs=1e-9)
        for q, value in right["quantile_gaps"].items():
            assert part["quantiles"][q]["value"] == pytest.approx(value, abs=1e-9), q
        assert part["median_gap"] == part["quantiles"]["0.5"]
        assert gap["verdict"] is None  # no pass mark unless the auditor sets one


def test_gaps_by_stratum_are_exact(german: dict[str, Any], expected: dict[str, Any]) -> None:
    for _, part, right in _parts(german, expected):
        mine, theirs = part["by_risk_stratum"], right["strata_by_risk"]
        assert mine["edges"] == pytest.approx(theirs["edges"], abs=1e-12)
        assert mine["empty"] == theirs["undefined"] == []
        for row, wanted in zip(mine["rows"], theirs["rows"], strict=True):
            assert row["n"] == {"unprivileged": wanted["n_dis"], "privileged": wanted["n_adv"]}
            assert row["gap"]["value"] == pytest.approx(wanted["gap"], abs=1e-9)
        weighted = mine["size_weighted"]["value"], mine["unprivileged_weighted"]["value"]
        wanted = theirs["size_weighted"], theirs["dis_weighted"]
        assert weighted == pytest.approx(wanted, abs=1e-9)


def test_draws_lie_in_their_bands(german: dict[str, Any], expected: dict[str, Any]) -> None:
    for gap, part, right in _parts(german, expected):
        ends = right.get("bootstrap_paper_rng") or right["welch_ci"]
        if "bootstrap_paper_rng" in right:
            assert (gap["low"], gap["high"]) == pytest.approx(
                ends, abs=right["bootstrap_band_2000"]
            )
        for mine, theirs in (
            (part["permutation_p"], right["permutation_p"]),
            (
                part["by_risk_stratum"]["permutation_p_within_strata"],
                right.get("permutation_p_within_risk_strata"),
            ),
        ):
            if theirs is not None:
                band = 4 * math.sqrt(theirs * (1 - theirs) / 2000) + 1 / 2000
                assert mine == pytest.approx(theirs, abs=band)


def test_residual_and_approval(
    german: dict[str, Any], expected: dict[str, Any], shared: Path
) -> None:
    assert german["approval_gap"]["value"] == pytest.approx(expected["approval_gap"], abs=1e-12)
    rows = pd.read_csv(shared / "cases" / "methods" / "d_german_pricing.csv")
    left = (rows.amount - rows.quote_linear).groupby(rows.under30).mean()
    assert german["residual_gap"]["value"] == pytest.approx(left[1] - left[0], abs=1e-9)
    boosting = german["quoted"]["quote_gradient_boosting"]
    assert boosting["residual_gap"]["value"] != german["residual_gap"]["value"]
    group = german["attributes"]["under30"]["groups"]["1"]
    assert group["quoted"]["quote_linear"]["gap"] == german["quoted"]["quote_linear"]["gap"]
    assert group["approval_gap"] == german["approval_gap"]


def test_the_papers_printed_numbers(shared: Path, tmp_path: Path, expected: dict[str, Any]) -> None:
    """The paper's file, split and label encoding, by the public road with the models trained here."""
    rows = pd.read_csv(
        shared / "data" / "german_openml_credit_customers.csv", keep_default_na=False
    )
    for name in rows.select_dtypes(exclude="number"):
        if name != "class":
            rows[name] = LabelEncoder().fit_transform(rows[name])
    good = (rows["class"] == "good").to_numpy()
    train, test = train_test_split(
        np.arange(len(rows)), test_size=0.2, random_state=42, stratify=good
    )
    rows.iloc[train].to_csv(tmp_path / "train.csv", index=False)
    rows.iloc[test].to_csv(tmp_path / "test.csv", index=False)
    found = audit(
        tmp_path,
        seed=42,
        data={"training": {"path": "train.csv"}, "test": {"path": "test.csv"}},
        outcome={"column": "class", "favourable": ["good"]},
        system=None,
        features=expected["features"],
        protected=[{"column": "age", "privileged": {"at_least": 30}}],
        methods={"pricing": {"actual": "credit_amount", "adverse": "low"}},
    ).result["pricing"]
    printed = expected["paper_printed"]
    real = found["real_gap"]
    shown = [real["means"]["unprivileged"], real["means"]["privileged"], real["value"]]
    assert [round(v) for v in shown] == printed["real"]
    for model, name, column, tolerance in (
        ("linear_regression", "linear", "quote_linear", 1e-3),
        ("gradient_boosting", "gradient_boosting", "quote_gradient_boosting", 5.0),
    ):
        quoted, right = found["quoted"][model], expected["values"][column]
        assert quoted["gap"]["value"] == pytest.approx(right["gap"], abs=tolerance)
        value, relative, low, high = printed[name]
        assert quoted["gap"]["value"] == pytest.approx(value, abs=0.5 + tolerance)
        assert round(quoted["relative_gap"]["value"], 2) == relative
        band = right["bootstrap_band_2000"]
        assert (quoted["gap"]["low"], quoted["gap"]["high"]) == pytest.approx((low, high), abs=band)
        assert found["models"][model]["trained_on"] == 800
        assert "age" not in found["models"][model]["features"]


def test_lending_club_rates_run_to_the_end(shared: Path) -> None:
    done = audit(
        shared / "data",
        data={"all": {"path": "lendingclub_loans_full_schema.csv"}},
        system={"amount": {"column": "interest_rate", "adverse": "high"}},
        protected=[
            {"column": "homeownership", "privileged": ["MORTGAGE"]},
            {"column": "verified_income", "privileged": ["Verified"]},
        ],
        methods={"pricing": {"risk": "grade", "quotes": ["loan_amount"], "permutations": 199}},
    )
    told(done)
    found = done.result["pricing"]
    rows = pd.read_csv(shared / "data" / "lendingclub_loans_full_schema.csv")
    means = rows.groupby("homeownership")["interest_rate"].mean()
    groups = found["attributes"]["homeownership"]["groups"]
    for key in ("OWN", "RENT"):
        gap = groups[key]["quoted"]["interest_rate"]["gap"]
        assert gap["value"] == pytest.approx(means[key] - means["MORTGAGE"], abs=1e-9)
        assert gap["low"] < gap["value"] < gap["high"]
    grades = [r["risk"] for r in found["quoted"]["interest_rate"]["by_risk_stratum"]["rows"]]
    assert grades == list("ABCDEFG")
    assert len(found["crossed"]) == 3 * 3 - 1


def test_hmda_amounts_run_to_the_end(shared: Path) -> None:
    done = audit(
        shared / "data",
        data={"all": {"path": "hmda_sample_50k.csv"}},
        outcome={"column": "approved", "favourable": [1]},
        system={"amount": {"column": "loan_amount", "adverse": "low"}},
        protected=[
            {"column": "applicant_sex", "privileged": [1], "unprivileged": [2]},
            {"column": "applicant_race-1", "privileged": [5], "unprivileged": [3, 2]},
        ],
        methods={"pricing": {"risk": "income", "permutations": 199, "resamples": 500}},
    )
    told(done)
    found = done.result["pricing"]
    rows = pd.read_csv(shared / "data" / "hmda_sample_50k.csv")
    sides = [rows.loc[rows.applicant_sex == k, "loan_amount"] for k in (2, 1)]
    quoted = found["quoted"]["loan_amount"]
    assert quoted["gap"]["value"] == pytest.approx(sides[0].mean() - sides[1].mean(), rel=1e-12)
    assert quoted["median_gap"]["value"] == sides[0].median() - sides[1].median()
    assert found["quoted"]["loan_amount"]["worse_off"] is True
