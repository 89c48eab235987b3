"""The synthetic sample: marginals of Table 1, the paper's counts, same bytes from the same seed."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

from engine.samples import sme

# Table 1 of paper 000, with the two mended labels (1 is profit; London "yes" is 23.61 %).
TABLE_1 = {
    "previous_turn_down": {"no": 90.94, "yes": 9.06},
    "finance_qualification": {"no": 45.66, "yes": 54.34},
    "written_plan": {"no": 37.58, "yes": 62.42},
    "risk": {1: 19.59, 2: 43.11, 3: 25.98, 4: 11.31},
    "product_development": {"no": 70.25, "yes": 29.75},
    "business_innovation": {"no": 40.16, "yes": 59.84},
    "profit_or_loss": {1: 86.07, 2: 8.69, 3: 5.25},
    "turnover_growth": {1: 13.69, 2: 40.33, 3: 33.69, 4: 12.30},
    "funds_injection": {"no": 67.17, "yes": 32.83},
    "credit_purchase": {"no": 18.48, "yes": 81.52},
    "management_accounts": {"no": 19.06, "yes": 80.94},
    "startup": {"no": 97.5, "yes": 2.5},
    "london_south_east": {"no": 76.39, "yes": 23.61},
    "legal_status": {
        "sole proprietorship": 4.88,
        "partnership": 10.57,
        "limited liability partnership": 7.50,
        "limited liability company": 77.05,
    },
}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return sme.make_sme()


def test_counts(frame: pd.DataFrame) -> None:
    assert len(frame) == 4159
    assert frame.firm_size.value_counts().to_dict() == {"non-micro": 2440, "micro": 1719}
    assert frame.approved.value_counts().to_dict() == {"yes": 3391, "no": 768}
    assert frame.firm.is_unique


@pytest.mark.parametrize("feature", sorted(TABLE_1))
def test_marginals_of_the_larger_firms_are_table_1(frame: pd.DataFrame, feature: str) -> None:
    others = frame[frame.firm_size == "non-micro"]
    shares = (100 * others[feature].value_counts(normalize=True)).to_dict()
    assert shares == pytest.approx(TABLE_1[feature], abs=0.03)


def test_fifteen_features(frame: pd.DataFrame) -> None:
    assert len(frame.columns) == 15 + 3
    others = frame[frame.firm_size == "non-micro"]
    assert others.principal_activity.nunique() == 9
    assert not frame.isna().any().any()


def test_raw_approval_near_the_published(frame: pd.DataFrame) -> None:
    """71.7 % and 88.5 % in the survey."""
    rates = frame.approved.eq("yes").groupby(frame.firm_size).mean()
    assert rates["micro"] == pytest.approx(0.717, abs=0.03)
    assert rates["non-micro"] == pytest.approx(0.885, abs=0.03)


def test_planting_lowers_only_the_micro_firms_odds() -> None:
    none = sme.make_sme(planted=0.0)
    some = sme.make_sme(planted=-0.6)
    features = [c for c in none if c != "approved"]
    assert none[features].equals(some[features])
    micro = none.firm_size == "micro"
    turned = (none.approved == "yes") & (some.approved == "no")
    assert turned[micro].sum() > 0 and turned[~micro].sum() == 0


def test_same_bytes_and_a_whole_plan() -> None:
    files = sme.files()
    assert files == sme.files()
    plan = json.loads(files["plan.json"])
    data = pd.read_csv(io.BytesIO(files["sme.csv"]))
    assert len(data) == 4159
    assert set(plan["methods"]["peers"]["order"]) <= set(data)
    assert set(plan["methods"]["peers"]["intrinsic"]) <= set(data)
    assert plan["data"]["all"]["path"] in files
