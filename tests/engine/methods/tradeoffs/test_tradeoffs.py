"""Conflicting definitions against integer populations, Adult by sex, and scikit-learn."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.base.watch import Watch
from engine.drawing.tables import table_of
from engine.fairness.thresholds import threshold_for_rate
from engine.methods.tradeoffs.compute import compute
from engine.methods.tradeoffs.figures import figures
from engine.methods.tradeoffs.findings import findings, sections
from engine.methods.tradeoffs.settings import METHOD
from tests.engine import helpers

Rows = list[tuple[str, float, int, int, int]]  # group, score, people, favourable, selected


def weigh(people: Any, **changes: Any) -> dict[str, Any]:
    asked = helpers.plan(people.attributes, resamples=300)
    done = compute(
        cohort=people, plan=asked, settings={**METHOD.defaults(), **changes}, watch=Watch()
    )
    canonical_json(done.result)
    told = findings(result=done.result, plan=asked)
    assert all(f.sentence and "nan" not in f.sentence.lower().split() for f in told)
    assert sections(result=done.result, plan=asked)
    for chart in figures(result=done.result, tables=done.tables):
        assert chart.sentence and table_of(chart).rows is not None
    return done.result


def population(rows: Rows) -> Any:
    """People of given groups, scores and outcomes; the selected are taken favourable ones first."""
    groups, scores, outcomes, decisions = [], [], [], []
    for group, score, n, good, selected in rows:
        chosen_good = round(selected * good / n)
        groups += [group] * n
        scores += [score] * n
        outcomes += [1] * good + [0] * (n - good)
        decisions += [1] * chosen_good + [0] * (good - chosen_good)
        bad = selected - chosen_good
        decisions += [1] * bad + [0] * (n - good - bad)
    one = helpers.attribute("group", "A", "B")
    people = helpers.sample("test", [one], {"group": groups}, outcomes, decisions)
    return helpers.cohort(
        [one], test=dataclasses.replace(people, score=np.array(scores, np.float64))
    )


UNEQUAL = [
    ("A", 0.95, 900, 855),
    ("A", 0.45, 100, 45),
    ("B", 0.95, 500, 475),
    ("B", 0.45, 500, 225),
]
CASES: dict[str, Rows] = {
    "unequal_common_threshold": [(*r, r[2] if r[1] > 0.5 else 0) for r in UNEQUAL],
    "equal_base_rates": [
        (g, s, n, k, n if s > 0.5 else 0)
        for g in "AB"
        for s, n, k in ((0.95, 900, 855), (0.45, 100, 45))
    ],
    "dp_forced": [(*r, s) for r, s in zip(UNEQUAL, (900, 0, 500, 400), strict=True)],
    "perfect_prediction": [
        ("A", 1.0, 900, 900, 900),
        ("A", 0.0, 100, 0, 0),
        ("B", 1.0, 700, 700, 700),
        ("B", 0.0, 300, 0, 0),
    ],
}


@pytest.mark.parametrize("case", CASES)
def test_integer_populations(shared: Path, case: str) -> None:
    right = json.loads((shared / "cases/methods/expected.json").read_text())
    right = right["C_paper003"]["impossibility"][case]
    # the tolerance of the reference for "holds"; scores of 0 and 1 alone are decisions here
    found = weigh(population(CASES[case]))

    def near(value: float | None, key: str) -> None:
        assert abs(value or 0.0) == pytest.approx(right[key], abs=1e-12)

    near(found["base_rates"]["gap"]["value"], "base_rate_gap")
    near(found["parity"]["widest"], "dp_gap")
    near(found["odds"]["widest"], "eo_gap")
    near(found["odds"]["true_positive_gap"]["value"], "tpr_gap")
    near(found["odds"]["false_positive_gap"]["value"], "fpr_gap")
    near(found["odds"]["precision_gap"]["value"], "ppv_gap")
    holds = found["can_hold_together"]["holds_now"]
    assert holds["demographic parity"] == right["holds"]["demographic_parity"]
    assert holds["equalised odds"] == right["holds"]["equalized_odds"]
    if case != "perfect_prediction":
        near(found["calibration_read"]["widest_ece"], "max_group_ece")
        assert holds["calibration within groups"] == right["holds"]["calibration"]
        assert {i["residual"] for i in found["identity"].values()} == {0.0}
    possible = [c["possible"] for c in found["can_hold_together"]["combinations"]]
    assert possible == {
        "equal_base_rates": [True] * 4,
        "perfect_prediction": [False, False, True, False],
    }.get(case, [False] * 4)


def adult(shared: Path) -> Any:
    table = pd.read_csv(shared / "cases/methods/e_adult_rf_test.csv")
    one = helpers.attribute("male", "1", "0")
    people = helpers.sample("test", [one], {"male": table["male"]}, table["y"], table["pred"])
    return helpers.cohort(
        [one], test=dataclasses.replace(people, score=table["score"].to_numpy(np.float64))
    )


def test_adult_by_sex(shared: Path) -> None:
    right = json.loads((shared / "cases/methods/expected.json").read_text())
    right = right["E_real_data"]["adult_rf"]
    found = weigh(adult(shared))
    for key, exact in right["calibration_by_sex"].items():
        mine = found["calibration"][key]
        for row in exact["rows"]:
            one = mine["bins"][row["bin"]]
            assert one["n"] == row["n"]
            assert one["mean_score"] == pytest.approx(row["mean_score"], abs=1e-9)
            assert one["observed"] == pytest.approx(row["observed"], abs=1e-9)
        assert mine["ece"]["value"] == pytest.approx(exact["ece"], abs=1e-9)
        offset = mine["mean_score_less_base_rate"]["value"]
        assert offset == pytest.approx(exact["in_the_large"], abs=1e-9)
        assert mine["brier"] == pytest.approx(exact["brier"], abs=1e-9)
        assert mine["ece"]["low"] <= exact["ece"] <= mine["ece"]["high"]
    gaps = right["impossibility_sex"]
    assert found["base_rates"]["widest"] == pytest.approx(gaps["base_rate_gap"], abs=1e-9)
    assert found["parity"]["widest"] == pytest.approx(gaps["dp_gap"], abs=1e-9)
    assert found["odds"]["widest"] == pytest.approx(gaps["eo_gap"], abs=1e-9)
    assert list(found["can_hold_together"]["holds_now"].values()) == list(gaps["holds"].values())
    assert found["base_rates"]["gap"]["verdict"] == "outside"
    parity = next(c for c in found["costs"] if c["definition"] == "demographic parity")
    assert parity["widest_after"]["selection"] < 0.02
    assert parity["accuracy_after"] < parity["accuracy_before"]


def test_right_scores_lie_below_what_chance_reaches() -> None:
    rng = np.random.default_rng(4)
    inside = 0
    for _ in range(60):
        score = rng.random(600)
        outcome = (rng.random(600) < score).astype(np.int8)
        one = helpers.attribute("g", "a", "b")
        groups = {"g": np.where(np.arange(600) < 300, "a", "b")}
        people = helpers.sample("test", [one], groups, outcome, (score > 0.5).astype(int))
        found = weigh(helpers.cohort([one], test=dataclasses.replace(people, score=score)))
        mine = found["calibration"]["a"]
        inside += mine["ece"]["value"] <= mine["ece_by_chance"]
        assert mine["brier"] == pytest.approx(brier_score_loss(outcome[:300], score[:300]))
    assert 50 <= inside <= 60


def test_the_choice_is_kept_and_missed() -> None:
    people = population(CASES["dp_forced"])
    bare = weigh(people)
    assert bare["declared_choice"]["definition"] is None
    told = weigh(
        people,
        choice="demographic parity",
        choice_reason="Places are few.",
        choice_by="Evaluator, 2026-11-24",
    )
    assert told["declared_choice"] == {
        "definition": "demographic parity",
        "reason": "Places are few.",
        "by": "Evaluator, 2026-11-24",
        "holds": True,
    }


def test_group_without_positives_is_told() -> None:
    one = helpers.attribute("g", "a", "b")
    people = helpers.sample(
        "test", [one], {"g": ["a"] * 4 + ["b"] * 3}, [1, 1, 0, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0, 0]
    )
    found = weigh(helpers.cohort([one], test=people))
    assert found["odds"]["true_positive_gap"]["value"] is None
    assert (
        "g b has 0 people with a favourable outcome" in found["odds"]["true_positive_gap"]["reason"]
    )
    assert found["can_hold_together"]["holds_now"]["equalised odds"] is None
    assert "0 people have a score" in found["calibration_read"]["reason"]
    with pytest.raises(Refused, match="decisions with a recorded outcome"):
        weigh(helpers.cohort([one], test=helpers.sample("test", [one], {"g": ["a", "b"]})))


@pytest.mark.parametrize(
    ("score", "words"),
    [([5.0, 600.0, 3, 2], "run from 2 to 600"), ([0.0, 1, 1, 0], "are decisions and no prob")],
)
def test_scores_that_are_no_probabilities(score: list[float], words: str) -> None:
    one = helpers.attribute("g", "a", "b")
    people = helpers.sample("test", [one], {"g": list("aabb")}, [1, 0, 1, 0], [1, 0, 1, 0])
    found = weigh(helpers.cohort([one], test=dataclasses.replace(people, score=np.array(score))))
    assert words in found["calibration_read"]["reason"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.floats(0, 1, allow_nan=False))
def test_threshold_selects_at_least_what_is_asked_with_ties(scores: list[int], rate: float) -> None:
    values = np.array(scores, np.float64)
    found = threshold_for_rate(score=values, rate=rate)
    assert found is not None
    assert found.realised == pytest.approx(float((values >= found.value).mean()))
    weighted = threshold_for_rate(score=values, rate=rate, weight=np.ones(len(values)))
    assert weighted is not None
    assert weighted.realised >= rate - 1e-9 or rate <= 0
    assert threshold_for_rate(score=np.array([np.nan]), rate=rate) is None


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_table_gives_a_result(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 25))
    one = helpers.attribute("g", "a", "b", "c")
    known = st.sampled_from([0, 1, None])

    def column(values: st.SearchStrategy) -> list:
        return data.draw(st.lists(values, min_size=n, max_size=n))

    people = helpers.sample(
        "test",
        [one],
        {"g": column(st.sampled_from(["a", "b", "c", None]))},
        column(known),
        column(known),
    )
    score = np.array(column(st.sampled_from([0.1, 0.5, 0.93, np.nan])))
    weigh(helpers.cohort([one], test=dataclasses.replace(people, score=score)))


def test_the_help_page_lists_the_settings() -> None:
    page = Path(__file__).resolve().parents[4] / "resources/help/tradeoffs.md"
    rows = [r.split("|") for r in page.read_text().splitlines() if r.startswith("| `")]
    told = {r[1].strip(" `"): r[2].strip(" `") for r in rows}
    assert told == {s.name: json.dumps(s.default) for s in METHOD.settings}
