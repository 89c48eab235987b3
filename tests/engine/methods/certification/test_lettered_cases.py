"""The lettered cases: faults that users of comparable programs reported, with right answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from engine.methods.certification.findings import findings
from engine.plan.model import Outcome, Plan
from tests.engine.helpers import attribute, certify, cohort, plan, sample


def audited(
    shared: Path,
    case: str,
    column: str,
    privileged: str,
    unprivileged: str,
    outcome: str,
    decision: str | None = None,
    source: str = "whole",
) -> tuple[dict[str, Any], Plan]:
    data = pd.read_csv(shared / "cases" / f"{case}.csv")
    one = attribute(column, privileged, unprivileged)
    people = sample(
        "all" if source == "whole" else source,
        [one],
        {column: data[column]},
        outcome=data[outcome],
        decision=None if decision is None else data[decision],
    )
    kind = "none" if decision is None else "columns"
    asked = plan([one], outcome=Outcome(outcome, (1,)))
    return certify(cohort([one], system_kind=kind, **{source: people}), asked), asked


def sentences(result: dict[str, Any], asked: Plan) -> str:
    return "\n".join(f.sentence for f in findings(result=result, plan=asked))


def test_c01_disparate_impact_the_right_way_up(shared: Path) -> None:
    result, asked = audited(shared, "C01", "sex", "M", "F", "approved")
    one = result["attributes"]["sex"]
    assert one["metrics"]["SPD"]["value"] == pytest.approx(-0.4, abs=1e-9)
    assert one["metrics"]["DI"]["value"] == pytest.approx(0.5, abs=1e-9)
    tests = one["tests"]
    assert tests["z"] == pytest.approx(-1.825742, abs=1e-6)
    assert tests["z_p"] == pytest.approx(0.067889, abs=1e-6)
    assert tests["fisher_p"] == pytest.approx(0.169802, abs=1e-6)
    assert tests["four_fifths"] is False
    assert one["metrics"]["SPD"]["verdict"] == "not settled"
    said = sentences(result, asked)
    assert "below four fifths" in said and "0.170" in said  # both stated, neither hides the other
    assert result["recommendation"]["value"] != "grant"
    assert result["not_checked"] == ["EOD", "EMOD", "AOD"]


def test_c01_with_the_groups_exchanged_warns(shared: Path) -> None:
    result, _ = audited(shared, "C01", "sex", "F", "M", "approved")
    one = result["attributes"]["sex"]
    assert one["metrics"]["DI"]["value"] == pytest.approx(2.0)
    assert one["metrics"]["SPD"]["value"] == pytest.approx(0.4)
    right, _ = audited(shared, "C01", "sex", "M", "F", "approved")
    assert one["bias_index"]["other_labelling"] == pytest.approx(
        right["attributes"]["sex"]["bias_index"]["value"]
    )


def test_c02_average_odds_of_zero_is_not_equal_odds(shared: Path) -> None:
    result, asked = audited(shared, "C02", "sex", "M", "F", "actual_good", "predicted_good", "test")
    one = result["attributes"]["sex"]
    values = {m: v["value"] for m, v in one["metrics"].items()}
    assert values["EOD"] == pytest.approx(0.4)
    assert values["EMOD"] == pytest.approx(-0.4)
    assert str(values["AOD"]) == "0.0"
    assert values["SPD"] is None and one["metrics"]["SPD"]["verdict"] == "not checked"
    assert one["mean_absolute_odds"]["value"] == pytest.approx(0.4)
    assert one["bias_index"]["value"] == pytest.approx(0.326599, abs=1e-6)
    assert one["bias_index"]["metrics_used"] == ["EOD", "EMOD", "AOD"]
    assert result["fairness_score"]["value"] == pytest.approx(0.673401, abs=1e-6)
    assert one["decision_tests"]["difference"] == pytest.approx(0.0)
    assert one["decision_tests"]["ratio"] == pytest.approx(1.0)
    assert "opposite signs and cancel" in sentences(result, asked)
    assert result["recommendation"]["as_published"] == "refuse"

    result, _ = audited(shared, "C02", "sex", "M", "F", "actual_good", "predicted_good")
    assert result["attributes"]["sex"]["bias_index"]["value"] == pytest.approx(0.252982, abs=1e-6)
    assert result["fairness_score"]["value"] == pytest.approx(0.747018, abs=1e-6)


def test_c03_a_group_without_positives_is_never_zero(shared: Path) -> None:
    result, _ = audited(
        shared, "C03", "district", "A", "B", "actual_good", "predicted_good", "test"
    )
    one = result["attributes"]["district"]
    for metric in ("EOD", "AOD"):
        measure = one["metrics"][metric]
        assert (measure["value"], measure["low"], measure["high"]) == (None, None, None)
        assert measure["verdict"] == "not computable"
        assert measure["reason"] == (
            "Cannot be computed: district B has 0 people with actual_good = 1."
        )
    assert one["metrics"]["EMOD"]["value"] == 0.0
    assert one["metrics"]["EMOD"]["low"] < 0 < one["metrics"]["EMOD"]["high"]
    assert one["decision_tests"]["difference"] == pytest.approx(-0.2)
    assert one["decision_tests"]["ratio"] == pytest.approx(0.5)
    index = one["bias_index"]
    assert index["value"] is None and index["verdict"] == "not computable"
    assert index["metrics_used"] == ["EOD", "EMOD", "AOD"]
    assert index["partial"] == 0.0 and index["partial_metrics"] == ["EMOD"]
    assert result["fairness_score"]["value"] is None
    assert "district B has 0 people" in result["fairness_score"]["reason"]
    assert result["recommendation"]["value"] == "not settled"
    assert result["recommendation"]["as_published"] != "grant"
    assert one["groups"]["A"]["counts"] == {
        "training": None, "training_favourable": None, "tp": 6, "fp": 2, "fn": 4, "tn": 8,
        "unknown_outcome": 0, "training_rows": None, "decided_rows": 20,
        "decided_unknown_rows": 0,
    }  # fmt: skip


def test_c05_a_blank_is_never_a_group(shared: Path) -> None:
    result, _ = audited(shared, "C05", "race", "White", "Black", "approved")
    one = result["attributes"]["race"]
    assert one["metrics"]["SPD"]["value"] == pytest.approx(-0.2)
    assert one["metrics"]["DI"]["value"] == pytest.approx(2 / 3)
    bounds = one["bounds"]["DI"]
    assert bounds["low"] == pytest.approx(0.4 / 0.75)
    assert bounds["high"] == pytest.approx(1.083333, abs=1e-6)
    assert bounds["worst_case"]["low"] == pytest.approx((4 / 11) / (15 / 19))
    assert bounds["worst_case"]["high"] == pytest.approx((13 / 19) / (6 / 11))
    assert one["missing"]["groups"] == {"rows": 10, "of": 30, "favourable": 9, "share": 1 / 3}
    assert set(one["groups"]) == {"White", "Black"}


def test_c06_an_unknown_outcome_is_no_refusal(shared: Path) -> None:
    result, _ = audited(shared, "C06", "sex", "M", "F", "approved")
    one = result["attributes"]["sex"]
    assert one["metrics"]["SPD"]["value"] == pytest.approx(0.15)
    assert one["metrics"]["DI"]["value"] == pytest.approx(1.25)
    assert one["metrics"]["SPD"]["verdict"] == "not settled"
    assert one["bounds"]["SPD"]["low"] == pytest.approx(-0.3)
    assert one["bounds"]["SPD"]["high"] == pytest.approx(0.3)
    assert one["groups"]["F"]["counts"]["unknown_outcome"] == 6
    assert one["groups"]["F"]["counts"]["training"] == 4
    assert one["missing"]["outcomes"]["differs"] is True


def test_c06_stays_open_however_many_people_there_are() -> None:
    """A wide interval must not be the only thing that keeps a verdict open."""
    one = attribute("sex", "M", "F")
    sex = ["M"] * 10_000 + ["F"] * 10_000
    outcome: list[int | None] = [1] * 6000 + [0] * 4000
    outcome += [1] * 2400 + [0] * 1600 + [None] * 6000
    people = sample("all", [one], {"sex": sex}, outcome=outcome)
    result = certify(cohort([one], whole=people, system_kind="none"), plan([one]))
    spd = result["attributes"]["sex"]["metrics"]["SPD"]
    assert -0.1 < spd["low"] < 0 < spd["high"] < 0.1
    assert spd["verdict"] == "not settled"
    assert "unknown outcomes are more common on one side" in spd["note"]
