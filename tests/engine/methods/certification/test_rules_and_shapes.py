"""The contract's rules: which rows, which verdict, which recommendation, which shape."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.base.canonical import canonical_json
from engine.base.watch import Watch
from engine.methods.base import PrintedTable, Section
from engine.methods.certification.compute import compute
from engine.methods.certification.figures import figures
from engine.methods.certification.findings import findings, sections
from engine.plan.model import POINT_VALUES, Plan, Tolerance
from tests.engine.helpers import attribute, certify, cohort, plan, sample

SEX = attribute("sex", "M", "F")
AREA = attribute("area", "north", "south", "west", "east")


def rows(counts: dict[tuple[str, int, int], int]) -> tuple[list[str], list[int], list[int]]:
    """Rows from counts by group, outcome and decision."""
    cells = [key for key, n in counts.items() for _ in range(n)]
    return [g for g, _, _ in cells], [y for _, y, _ in cells], [d for _, _, d in cells]


def fair(n: int) -> dict[tuple[str, int, int], int]:
    """Counts of two groups that fare alike, n of each."""
    return {
        (sex, y, d): round(n * share)
        for sex in ("M", "F")
        for (y, d), share in {(1, 1): 0.5, (1, 0): 0.1, (0, 1): 0.1, (0, 0): 0.3}.items()
    }


def result_of(counts: dict[tuple[str, int, int], int], **changes: Any) -> dict[str, Any]:
    sex, y, d = rows(counts)
    people = sample("all", [SEX], {"sex": sex}, y, d)
    return certify(cohort([SEX], whole=people), plan([SEX], **changes))


def test_many_people_who_fare_alike_are_granted() -> None:
    result = result_of(fair(20_000))
    assert result["recommendation"]["value"] == "grant"
    assert result["recommendation"]["as_published"] == "grant"
    assert result["recommendation"]["tally"]["within"] == 5
    assert result["fairness_score"]["value"] == 1.0
    assert result["fairness_score"]["low"] >= 0.9


def test_few_people_who_fare_alike_are_not_settled() -> None:
    result = result_of(fair(20))
    assert result["recommendation"]["value"] == "not settled"
    assert result["recommendation"]["as_published"] == "grant"
    score = result["fairness_score"]
    assert score["low"] < 0.9 < score["high"] and score["verdict"] == "not settled"
    needed = result["attributes"]["sex"]["metrics"]["SPD"]["needed"]
    assert needed is not None and needed > 40


def test_point_values_are_granted_and_say_what_is_not_settled() -> None:
    result = result_of(fair(20), tolerance=Tolerance(rule=POINT_VALUES))
    assert result["recommendation"]["value"] == "grant"
    assert result["recommendation"]["whole_interval"] == "not settled"
    assert result["recommendation"]["not_settled"] == 5
    assert any("do not settle 5 of 5" in r for r in result["recommendation"]["reasons"])


def test_two_metrics_are_called_both() -> None:
    sex = ["M", "F"] * 40
    outcomes = sample("all", [SEX], {"sex": sex}, [1, 1, 0, 1] * 20, None)
    result = certify(cohort([SEX], whole=outcomes), plan([SEX]))
    assert len(result["attributes"]["sex"]["bias_index"]["metrics_used"]) == 2
    said = result["recommendation"]["reasons"][0]
    assert said.startswith("Both metrics lie outside the tolerance"), said


def test_a_shown_gap_is_refused() -> None:
    counts = fair(2000)
    counts["F", 1, 1], counts["F", 1, 0] = 400, 800
    result = result_of(counts)
    assert result["recommendation"]["value"] == "refuse"
    assert result["attributes"]["sex"]["metrics"]["EOD"]["verdict"] == "outside"
    assert result["worst"]["metric"] == "EOD"
    assert result["worst"]["share"] == pytest.approx(5.0, rel=0.01)


def test_a_single_group_that_pooling_hides_is_refused() -> None:
    rng = np.random.default_rng(1)
    n = {"north": 20_000, "south": 20_000, "west": 1500, "east": 20_000}
    area = [key for key, m in n.items() for _ in range(m)]
    rate = {"north": 0.6, "south": 0.61, "west": 0.3, "east": 0.61}
    outcome = (rng.random(len(area)) < np.array([rate[a] for a in area])).astype(int)
    people = sample("all", [AREA], {"area": area}, outcome, outcome)
    result = certify(cohort([AREA], whole=people), plan([AREA]))
    one = result["attributes"]["area"]
    assert one["metrics"]["SPD"]["verdict"] == "within"
    assert one["groups"]["west"]["metrics"]["SPD"]["verdict"] == "outside"
    assert result["recommendation"]["value"] == "refuse"
    assert result["worst"]["single_group"]["group"] == "west"
    assert len(one["pairs"]) == 6
    assert "metrics" not in one["groups"]["north"]


def test_without_a_system_nothing_is_granted() -> None:
    sex, y, _ = rows(fair(20_000))
    people = sample("all", [SEX], {"sex": sex}, y)
    result = certify(cohort([SEX], whole=people, system_kind="none"), plan([SEX]))
    assert result["attributes"]["sex"]["bias_index"]["metrics_used"] == ["SPD", "DI"]
    assert result["recommendation"]["value"] == "not settled"
    assert result["recommendation"]["as_published"] != "grant"
    assert result["attributes"]["sex"]["groups"]["M"]["counts"]["tp"] is None


def test_the_overridden_band_is_the_one_that_counts() -> None:
    tolerance = Tolerance(overrides={"sex": {"difference": 0.001, "bias_index": 0.0001}})
    result = result_of(fair(2000), tolerance=tolerance)
    assert result["attributes"]["sex"]["metrics"]["SPD"]["verdict"] == "not settled"
    assert result["attributes"]["sex"]["metrics"]["DI"]["verdict"] == "within"


def test_weights_count_as_sums_and_rows_stay_rows() -> None:
    sex, y, d = rows(fair(200))
    plain = sample("all", [SEX], {"sex": sex}, y, d)
    heavy = sample("all", [SEX], {"sex": sex}, y, d, weight=[2.0] * len(sex))
    one = certify(cohort([SEX], whole=plain), plan([SEX]))["attributes"]["sex"]
    two = certify(cohort([SEX], whole=heavy), plan([SEX]))["attributes"]["sex"]
    for metric, measure in two["metrics"].items():
        assert measure == one["metrics"][metric]  # equal weights change nothing, n stays rows
    assert two["groups"]["M"]["counts"]["tp"] == 2 * one["groups"]["M"]["counts"]["tp"]
    assert two["tests"]["fisher_p"] is None and two["tests"]["z"] == pytest.approx(
        one["tests"]["z"]
    )


def test_certain_membership_is_a_group() -> None:
    soft = attribute("sex", "M", "F", soft=True)
    sex, y, d = rows(fair(200))
    hard = sample("all", [SEX], {"sex": sex}, y, d)
    share = np.array([[s == "M", s == "F"] for s in sex], dtype=float)
    people = sample("all", [soft], {}, y, d, membership={"sex": share})
    one = certify(cohort([SEX], whole=hard), plan([SEX]))["attributes"]["sex"]
    two = certify(cohort([soft], whole=people), plan([soft]))["attributes"]["sex"]
    assert two["metrics"] == one["metrics"]


def test_membership_by_halves_carries_no_difference() -> None:
    soft = attribute("sex", "M", "F", soft=True)
    sex, y, d = rows(fair(200))
    people = sample("all", [soft], {}, y, d, membership={"sex": np.full((len(sex), 2), 0.5)})
    one = certify(cohort([soft], whole=people), plan([soft]))["attributes"]["sex"]
    assert one["metrics"]["SPD"]["value"] == 0.0
    assert one["groups"]["M"]["counts"]["training"] == len(sex) / 2


def test_warnings_name_the_lower_privileged_rate_and_what_is_missing() -> None:
    sex = ["M"] * 100 + ["F"] * 100 + [""] * 20
    outcome: list[int | None] = [1] * 40 + [0] * 60 + [1] * 50 + [0] * 20 + [None] * 30 + [1] * 20
    people = cohort([SEX], whole=sample("all", [SEX], {"sex": sex}, outcome), system_kind="none")
    computed = compute(cohort=people, plan=plan([SEX]), settings={}, watch=Watch())
    texts = {w["code"]: w["text"] for w in computed.warnings}
    assert "sex M, has the lower favourable rate" in texts["certification.privileged_lower"]
    assert "30 of 100 people with sex F" in texts["certification.missing_differs"]
    assert "20 of 220 people (9.1 %) have no sex recorded" in texts["certification.blank_groups"]


def test_adding_an_attribute_does_not_move_the_intervals_of_another() -> None:
    sex, y, d = rows(fair(100))
    area = ["north", "south"] * (len(sex) // 2)
    both = [SEX, attribute("area", "north", "south")]
    one = certify(cohort([SEX], whole=sample("all", [SEX], {"sex": sex}, y, d)), plan([SEX]))
    people = sample("all", both, {"sex": sex, "area": area}, y, d)
    two = certify(cohort(both, whole=people), plan(both))
    assert one["attributes"]["sex"] == two["attributes"]["sex"]


def test_a_score_over_two_like_attributes_is_as_wide_as_over_one() -> None:
    """The attributes describe the same people: taken as independent, it would look narrower."""
    counts = fair(300)
    counts["F", 1, 1], counts["F", 1, 0] = 100, 80
    sex, y, d = rows(counts)
    twin = attribute("twin", "M", "F")
    one = certify(cohort([SEX], whole=sample("all", [SEX], {"sex": sex}, y, d)), plan([SEX]))
    people = sample("all", [SEX, twin], {"sex": sex, "twin": sex}, y, d)
    two = certify(cohort([SEX, twin], whole=people), plan([SEX, twin]))
    first, second = one["fairness_score"], two["fairness_score"]
    assert first["value"] == pytest.approx(second["value"])
    width = [s["high"] - s["low"] for s in (first, second)]
    assert width[1] == pytest.approx(width[0], rel=0.12)


ROW = st.tuples(
    st.sampled_from(["north", "south", "west", "", "other"]),
    st.sampled_from([0, 1, None]),
    st.sampled_from([0, 1, None]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ROW, max_size=30), st.sampled_from(["both", "test", "none"]))
def test_any_table_gives_a_clean_result(table: list[Any], kind: str) -> None:
    one = attribute("area", "north", "south", "west")
    area, y, d = ([row[k] for row in table] for k in range(3))
    people = sample("all", [one], {"area": area}, y, None if kind == "none" else d)
    source = {"test": people} if kind == "test" else {"whole": people}
    asked = plan([one], resamples=60)
    result = certify(
        cohort([one], system_kind="none" if kind == "none" else "columns", **source), asked
    )
    text = canonical_json(result)
    assert "NaN" not in text and "Infinity" not in text
    assert not re.search(r"-0\.0(?!\d)", text)
    part = result["attributes"]["area"]
    measures = [*part["metrics"].values(), part["bias_index"], result["fairness_score"]]
    measures += [m for g in ("south", "west") for m in part["groups"][g]["metrics"].values()]
    for measure in measures:
        assert (measure["value"] is None) == bool(measure["reason"])
        if measure["low"] is not None:
            assert measure["low"] <= measure["high"]
        if measure["value"] is None:
            assert measure["verdict"] in ("not computable", "not checked")
    speak(result, asked)


def speak(result: dict[str, Any], asked: Plan) -> None:
    found = findings(result=result, plan=asked)
    assert found and all(f.sentence and f.grade for f in found)
    for section in sections(result=result, plan=asked):
        assert isinstance(section, Section)
        for table in section.tables:
            assert isinstance(table, PrintedTable)
            assert all(len(row) == len(table.columns) == len(table.align) for row in table.rows)
    keys = {chart.key for chart in figures(result=result, tables={})}
    assert {key for s in sections(result=result, plan=asked) for key in s.charts} == keys


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=8, max_size=40))
def test_exchanging_the_groups_turns_the_signs(table: list[tuple[bool, bool, bool]]) -> None:
    sex = ["M" if row[0] else "F" for row in table]
    y, d = ([int(row[k]) for row in table] for k in (1, 2))
    other = attribute("sex", "F", "M")
    found = []
    for one in (SEX, other):
        people = sample("all", [one], {"sex": sex}, y, d)
        metrics = certify(cohort([one], whole=people), plan([one], resamples=20))
        found.append({m: v["value"] for m, v in metrics["attributes"]["sex"]["metrics"].items()})
    for metric in ("SPD", "EOD", "EMOD", "AOD"):
        first, second = found[0][metric], found[1][metric]
        assert (first is None) == (second is None)
        assert first is None or first == pytest.approx(-second, abs=1e-12)
    if found[0]["DI"] and found[1]["DI"]:
        assert found[0]["DI"] == pytest.approx(1 / found[1]["DI"])


def test_of_many_pairs_the_farthest_are_listed_and_the_rest_is_told() -> None:
    """40 groups make 780 pairs: the two most unlike groups stand in the list, all in the table."""
    groups = [f"g{n:02d}" for n in range(40)]
    many = attribute("area", *groups)
    areas, outcomes = [], []
    for group in groups:
        favourable = 1 if group == "g07" else 19 if group == "g31" else 10
        areas += [group] * 20
        outcomes += [1] * favourable + [0] * (20 - favourable)
    people = sample("all", [many], {"area": areas}, outcomes, outcomes)
    asked = plan([many])
    found = certify(cohort([many], whole=people), asked)
    table = next(
        table for part in sections(result=found, plan=asked) for table in part.tables
        if table.title == "area: every two groups"
    )  # fmt: skip
    assert len(found["attributes"]["area"]["pairs"]) == 780
    assert len(table.rows) == 30
    named = [str(row[0]) for row in table.rows]
    assert any("g07" in name and "g31" in name for name in named)
    assert all("g07" in name or "g31" in name for name in named)
    assert any("780 pairs" in note and "tables/pairs.csv" in note for note in table.notes)
