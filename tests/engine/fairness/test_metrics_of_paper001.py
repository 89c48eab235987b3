"""The five metrics, index and score against independently computed values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.fairness.counts import CountTable, count_table
from engine.fairness.metrics import (
    METRICS,
    bias_index,
    fairness_score,
    implied_privileged_rate,
    metric_points,
)
from engine.fairness.rates import group_rates


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, Any]:
    text = (shared / "cases" / "methods" / "expected.json").read_text(encoding="utf-8")
    return json.loads(text)["A_paper001"]


def table(case: dict[str, Any]) -> CountTable:
    privileged = np.array(case["priv"])
    return count_table(
        groups=2,
        codes=np.where(privileged == 1, 0, 1).astype(np.int16),
        outcome=np.array(case["y"], dtype=np.int8),
        decision=np.array(case["pred"], dtype=np.int8),
    )


def points(case: dict[str, Any]) -> dict[str, Any]:
    counted = table(case)
    sides = (counted.side(1), counted.side(0))
    return metric_points(recorded=sides, decided=sides)


def test_all_fifteen_rows_of_table_1(expected: dict[str, Any]) -> None:
    assert len(expected["table1"]) == 15
    for row in expected["table1"]:
        index = bias_index({m: row[m] for m in METRICS})
        assert index == pytest.approx(row["BI"], abs=1e-9)
        assert index == pytest.approx(row["BI_printed"], abs=5.1e-5)
        assert -(row["EOD"] + row["EMOD"]) / 2 == pytest.approx(row["AOD_formula"], abs=1e-9)
        implied = implied_privileged_rate(difference=row["SPD"], ratio=row["DI"])
        assert implied == pytest.approx(row["implied_priv_rate"], abs=1e-9)
        assert (implied is None or 0 <= implied <= 1) == row["SPD_DI_consistent"]


def test_all_seven_scores_of_table_1(expected: dict[str, Any]) -> None:
    for case, score in expected["table1_fairness_score"].items():
        indexes = [
            bias_index({m: row[m] for m in METRICS})
            for row in expected["table1"]
            if row["case"] == case
        ]
        found = fairness_score([index for index in indexes if index is not None])
        assert found == pytest.approx(score["recomputed"], abs=1e-9)
        assert found == pytest.approx(score["printed"], abs=5.1e-5)


def test_hand_case(expected: dict[str, Any]) -> None:
    case = expected["hand_case"]
    found = points(case)
    for metric in ("SPD", "DI"):
        assert found[metric].value == pytest.approx(case["data"][metric], abs=1e-9)
    for metric in ("EOD", "EMOD", "AOD"):
        assert found[metric].value == pytest.approx(case["outcome"][metric], abs=1e-9)
    assert found["MAOD"].value == pytest.approx(case["outcome"]["avg_abs_odds"], abs=1e-9)
    index = bias_index({m: found[m].value for m in METRICS})
    assert index == pytest.approx(case["BI"], abs=1e-9)
    assert fairness_score([index]) == pytest.approx(case["FS_one_attribute"], abs=1e-9)
    rates = group_rates(table(case).side(0))
    for ours, theirs in (("TPR", "TPR"), ("FPR", "FPR"), ("PPV", "PPV"), ("FNR", "FNR")):
        assert rates[ours] == pytest.approx(case["outcome"]["priv"][theirs], abs=1e-9)
    assert rates["selection"] == pytest.approx(case["outcome"]["priv"]["selection_rate"])


def test_degenerate_cases_have_a_reason_and_never_a_number(expected: dict[str, Any]) -> None:
    for name, case in expected["degenerate"].items():
        found = points(case)
        for metric, value in case["metrics"].items():
            if value is None:
                assert found[metric].value is None, (name, metric)
                assert found[metric].reason.startswith("Cannot be computed: "), (name, metric)
                assert " 0 people" in found[metric].reason, (name, metric)
            else:
                assert found[metric].value == pytest.approx(value, abs=1e-9), (name, metric)
                assert str(found[metric].value) != "-0.0"
                assert found[metric].reason == ""
        defined = {m: found[m].value for m in METRICS if found[m].value is not None}
        index = bias_index(defined)
        assert index == pytest.approx(case["bias_index"]["value"], abs=1e-9)
        assert len(defined) == case["bias_index"]["n"]


def test_the_ratio_is_not_symmetric(expected: dict[str, Any]) -> None:
    case = expected["di_asymmetry"]
    assert bias_index({"SPD": case["SPD"], "DI": case["DI"]}) == pytest.approx(case["BI_SPD_DI"])
    other = case["swapped"]
    assert bias_index({"SPD": other["SPD"], "DI": other["DI"]}) == pytest.approx(other["BI_SPD_DI"])


def test_no_metric_no_index() -> None:
    assert bias_index({}) is None
    assert fairness_score([]) is None
