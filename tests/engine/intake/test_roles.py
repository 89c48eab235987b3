"""What columns may be for, and what is odd about the roles they were given."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.intake.roles import suggest
from engine.intake.warts import judge_roles

from .conftest import Reader

# file, protected among others, outcome, favourable, must it be asked
OUTCOMES = [
    ("german_kaggle_risk.csv", {"Age", "Sex"}, "Risk", "good", False),
    ("hmda_boston_aer.csv", {"afam"}, "deny", "no", True),
    ("hmda_sample_50k.csv", {"applicant_race-1", "applicant_sex", "applicant_age"}, "approved", "1", True),
    ("compas_two_years.csv", {"race", "sex", "age"}, "two_year_recid", "0", True),
    ("oulad_students.csv", {"gender", "disability", "age_band"}, "final_result", "Pass", False),
    ("recruitment_utrecht.csv", {"gender", "nationality", "age"}, "decision", "TRUE", True),
    ("ricci_promotion.csv", {"Race"}, "Promoted", "1", True),
    ("student_portuguese.csv", {"sex", "age"}, "class", "High", False),
    ("credit_card_clients_taiwan.csv", {"SEX", "AGE", "MARRIAGE"}, "default payment", "0", True),
]  # fmt: skip


@pytest.mark.parametrize(("name", "protected", "outcome", "favourable", "doubt"), OUTCOMES)
def test_suggestions(
    shared: Path, reader: Reader, name: str, protected: set[str], outcome: str, favourable: str, doubt: bool
) -> None:  # fmt: skip
    found = suggest(reader(shared / "data" / name).frame)
    assert protected <= {one.column for one in found if one.role == "protected"}
    (mine,) = [one for one in found if one.role == "outcome"]
    assert (mine.column, mine.favourable, mine.doubt) == (outcome, favourable, doubt)
    assert all(one.reason for one in found)


def test_predictions_scores_ids(shared: Path, reader: Reader) -> None:
    found = suggest(reader(shared / "data" / "derived_german_rf_predictions.csv").frame)
    roles = {one.column: one.role for one in found}
    assert roles["Predicted"] == "prediction" and roles["Score"] == "score"
    assert roles["column 1"] == "id"


def test_reversed_decisions_are_noticed(shared: Path, reader: Reader) -> None:
    frame = reader(shared / "data" / "adult_rf_binary_scored.csv").frame
    found = judge_roles(frame=frame, outcome="label_value", favourable=[1], prediction="score")
    (wart,) = [one for one in found if one.code == "intake.reversed"]
    assert "15.3 %" in wart.text  # the README's accuracy
    assert wart.suggestion["system"]["prediction"]["favourable"] == ["0"]
    turned = judge_roles(frame=frame, outcome="label_value", favourable=[1], prediction="score", prediction_favourable=[0])  # fmt: skip
    assert not [one for one in turned if one.code == "intake.reversed"]


def test_good_decisions_raise_nothing(shared: Path, reader: Reader) -> None:
    frame = reader(shared / "data" / "derived_german_rf_predictions.csv").frame
    found = judge_roles(frame=frame, outcome="Risk", favourable=["good"], prediction="Predicted")
    assert found == ()


@pytest.mark.parametrize(
    ("name", "outcome", "leaks"),
    [("hmda_boston_loanapp.csv", "approve", {"action", "reject"}), ("student_portuguese.csv", "class", {"G2"}), ("german_kaggle_risk.csv", "Risk", set())],
)  # fmt: skip
def test_leaks(shared: Path, reader: Reader, name: str, outcome: str, leaks: set[str]) -> None:
    frame = reader(shared / "data" / name).frame
    features = [str(column) for column in frame.columns]
    found = judge_roles(frame=frame, outcome=outcome, favourable=["x"], features=features)
    assert leaks == {one.column for one in found if one.code.startswith("intake.leak")}


def test_the_favourable_value_is_asked_about_until_it_is_said(shared: Path, reader: Reader) -> None:
    frame = reader(shared / "data" / "hmda_boston_aer.csv").frame
    (asked,) = judge_roles(frame=frame, outcome="deny")
    assert asked.grade == "question"
    assert asked.suggestion == {"outcome": {"column": "deny", "favourable": ["no"]}}
    assert judge_roles(frame=frame, outcome="deny", favourable=["no"]) == ()
    (ids,) = judge_roles(frame=frame, outcome="deny", favourable=["no"], features=["rownames"])
    assert ids.code == "intake.id_as_feature"
