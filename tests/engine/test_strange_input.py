"""Input that nobody expects: refused with file, place and mend, or counted as it should be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from driving import audit, audited, plan_of

from engine import cli

PEOPLE = "sex,approved,w\n" + "".join(f"{'MF'[i % 2]},{i % 3 % 2},1\n" for i in range(40))


def refused(
    folder: Path, capsys: pytest.CaptureFixture[str], people: str = PEOPLE, **changes: Any
) -> str:
    """The refusal of a plan: exit code 2, nothing written."""
    (folder / "people.csv").write_text(people, encoding="utf-8")
    code, out = audit(folder, plan_of(**changes))
    said = capsys.readouterr().err
    assert code == 2, said
    assert not out.exists()
    return said


@pytest.mark.parametrize("weight", ["1e20", "1e-300"])
def test_immense_weights_are_refused_by_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], weight: str
) -> None:
    people = PEOPLE + f"M,1,{weight}\n"
    said = refused(tmp_path, capsys, people, weight="w")
    assert said.startswith("plan.json: weight: 1 of 41 rows of people.csv have too ")
    assert "row 41" in said


def test_an_infinite_number_is_shown_where_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(tmp_path, capsys, PEOPLE + "M,1,inf\n", weight="w")
    assert '(row 41: "inf")' in said


def test_a_stand_in_without_two_outcomes_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = "sex,approved,x\n" + "".join(f"{'MF'[i % 2]},1,{i}\n" for i in range(40))
    said = refused(tmp_path, capsys, people, system={"train": {"model": "decision_tree"}})
    assert "all 40 people with a known outcome have the favourable one" in said


def test_half_a_character_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_of(protected=[{"column": "sex", "name": "\ud800", "privileged": ["M"]}])
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "plan.json").write_text(json.dumps(plan))  # json writes it as an escape
    assert cli.main(["audit", str(tmp_path / "plan.json"), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == (
        "plan.json: \\ud800: \\ud800 is half a character; write the whole character, or take it "
        "out\n"
    )


@pytest.mark.parametrize("name", ["  ", "a\x07b", "a\u202eb"])
def test_a_name_that_no_page_can_show_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    protected = [{"column": "sex", "name": name, "privileged": ["M"]}]
    said = refused(tmp_path, capsys, protected=protected)
    assert said.startswith("plan.json: protected[0].name: the ")


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"seed": 10**400}, "seed"),
        ({"confidence": 10**400}, "confidence"),
        ({"outcome": {"column": "approved", "favourable": [10**400]}}, "outcome.favourable[0]"),
        ({"tolerance": {"difference": 10**400}}, "tolerance.difference"),
        ({"methods": {"peers": {"draws": 10**400}}}, "methods.peers.draws"),
        (
            {"protected": [{"column": "w", "privileged": {"at_least": 10**400}}]},
            "protected[0].privileged.at_least",
        ),
    ],
)
def test_a_number_beyond_all_floats_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], place: str
) -> None:
    assert refused(tmp_path, capsys, **changes).startswith(f"plan.json: {place}: ")


def test_a_seed_too_large_is_out_of_range(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "out of range" in refused(tmp_path, capsys, seed=10**40)


def test_people_without_usable_probabilities_are_counted_once(tmp_path: Path) -> None:
    rows = ["0.5,0.6,1", *(["1,0,0", "0,1,1", "0.3,0.7,0", "0.6,0.4,1"] * 5)]
    (tmp_path / "people.csv").write_text("a,b,approved\n" + "\n".join(rows) + "\n")
    protected = [{"name": "e", "membership": {"A": "a", "B": "b"}, "privileged": ["A"]}]
    found = audited(tmp_path, plan_of(protected=protected))
    missing = found["certification"]["attributes"]["e"]["missing"]["groups"]
    assert (missing["rows"], missing["of"]) == (1, 21)


@pytest.mark.parametrize(
    ("use", "place"),
    [
        ({"system": {"score": {"column": "big"}}}, "system.score.column"),
        ({"system": {"amount": {"column": "big"}}}, "system.amount.column"),
        ({"system": {"train": {"model": "decision_tree"}}}, "features"),
        ({"protected": [{"column": "big", "privileged": {"below": 5}}]}, "protected[0].privileged"),
    ],
)
def test_numbers_whose_squares_no_machine_holds_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], use: dict[str, Any], place: str
) -> None:
    people = "sex,approved,big\n" + "".join(
        f"{'MF'[i % 2]},{i % 3 % 2},{'1.7e308' if i == 4 else i}\n" for i in range(60)
    )
    said = refused(tmp_path, capsys, people, **use)
    assert said.startswith(f'plan.json: {place}: column "big" of people.csv holds 1 numbers')
    assert "(row 5)" in said


def test_more_neighbours_than_people_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"model": "k_nearest", "parameters": {"n_neighbors": 1000}}
    said = refused(tmp_path, capsys, system={"train": asked})
    assert said.startswith("plan.json: system.train: it asks 1000 neighbours, and there are 34")


@pytest.mark.parametrize("outcomes", ["same", "apart"])
def test_a_tolerance_of_nothing_is_printed(tmp_path: Path, outcomes: str) -> None:
    rows = [("M", 1), ("M", 0), ("F", 1), ("F", 0)] * 10
    if outcomes == "apart":
        rows += [("M", 1)] * 10
    people = "sex,approved\n" + "".join(f"{s},{y}\n" for s, y in rows)
    (tmp_path / "people.csv").write_text(people)
    nothing = {"difference": 0, "ratio": [1, 1], "bias_index": 0, "fairness_score": 1}
    found = audited(tmp_path, plan_of(tolerance=nothing))["certification"]
    assert found["recommendation"]["value"] != "grant"
    assert (tmp_path / "out" / "certificate.pdf").is_file()


def test_an_accent_may_be_a_character_of_its_own(tmp_path: Path) -> None:
    rows = ["ma\u0308nnlich,1", "ma\u0308nnlich,0", "w,1", "w,0"]
    (tmp_path / "people.csv").write_text("sex,approved\n" + "\n".join(rows) + "\n", "utf-8")
    plan = plan_of(protected=[{"column": "sex", "privileged": ["m\u00e4nnlich"]}])
    groups = audited(tmp_path, plan)["certification"]["attributes"]["sex"]["groups"]
    assert [g["counts"]["training"] for g in groups.values()] == [2, 2]
