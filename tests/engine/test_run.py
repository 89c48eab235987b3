"""Known right answers through the whole road, and what a result always holds."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from driving import audit, audited, plan_of, result_of

from engine.base.canonical import canonical_json, sha256_of
from engine.run.writing import csv_text

TOLERANCE = 1e-6
DECISIONS = {"prediction": {"column": "predicted_good", "favourable": [1]}}


@pytest.fixture()
def case(shared: Path, tmp_path: Path) -> Any:
    """Copies a shared case and audits it."""

    def run(name: str, **changes: Any) -> dict[str, Any]:
        shutil.copy(shared / "cases" / f"{name}.csv", tmp_path / f"{name}.csv")
        data = {"all": {"path": f"{name}.csv"}}
        return audited(tmp_path, plan_of(data=data, id="person_id", **changes))

    return run


def metrics(result: dict[str, Any], attribute: str) -> dict[str, Any]:
    found: dict[str, Any] = result["certification"]["attributes"][attribute]["metrics"]
    return found


def test_c01_the_ratio_is_unprivileged_over_privileged(case: Any) -> None:
    result = case("C01")
    found = metrics(result, "sex")
    assert found["SPD"]["value"] == pytest.approx(-0.4, abs=TOLERANCE)
    assert found["DI"]["value"] == pytest.approx(0.5, abs=TOLERANCE)
    tests = result["certification"]["attributes"]["sex"]["tests"]
    assert tests["z"] == pytest.approx(-1.825742, abs=1e-4)
    assert tests["z_p"] == pytest.approx(0.067889, abs=1e-4)
    assert tests["fisher_p"] == pytest.approx(0.169802, abs=1e-4)
    assert tests["four_fifths"] is False


def test_c01_turned_round_warns_that_the_privileged_rate_is_lower(case: Any) -> None:
    result = case("C01", protected=[{"column": "sex", "privileged": ["F"]}])
    assert metrics(result, "sex")["DI"]["value"] == pytest.approx(2.0, abs=TOLERANCE)
    assert metrics(result, "sex")["SPD"]["value"] == pytest.approx(0.4, abs=TOLERANCE)
    assert any("lower" in w["text"] and "sex" in w["text"] for w in result["warnings"])


def test_c02_average_odds_zero_is_not_equal_odds(case: Any) -> None:
    outcome = {"column": "actual_good", "favourable": [1]}
    result = case("C02", outcome=outcome, system=DECISIONS)
    found = metrics(result, "sex")
    assert found["EOD"]["value"] == pytest.approx(0.4, abs=TOLERANCE)
    assert found["EMOD"]["value"] == pytest.approx(-0.4, abs=TOLERANCE)
    assert found["AOD"]["value"] == pytest.approx(0, abs=1e-12)
    index = result["certification"]["attributes"]["sex"]["bias_index"]
    assert index["value"] == pytest.approx(0.252982, abs=TOLERANCE)
    score = result["certification"]["fairness_score"]
    assert score["value"] == pytest.approx(0.747018, abs=TOLERANCE)


def test_c02_with_test_alone_uses_three_metrics(shared: Path, tmp_path: Path) -> None:
    shutil.copy(shared / "cases" / "C02.csv", tmp_path / "C02.csv")
    outcome = {"column": "actual_good", "favourable": [1]}
    plan = plan_of(data={"test": {"path": "C02.csv"}}, outcome=outcome, system=DECISIONS)
    result = audited(tmp_path, plan)
    index = result["certification"]["attributes"]["sex"]["bias_index"]
    assert index["value"] == pytest.approx(0.326599, abs=TOLERANCE)
    assert result["certification"]["fairness_score"]["value"] == pytest.approx(
        0.673401, abs=TOLERANCE
    )
    assert metrics(result, "sex")["SPD"]["verdict"] == "not checked"
    states = {s["number"]: s["state"] for s in result["steps"]}
    assert (states[4], states[5], states[7]) == ("skipped", "skipped", "done")


def test_c03_a_group_without_positives_is_not_computable(case: Any) -> None:
    result = case(
        "C03",
        outcome={"column": "actual_good", "favourable": [1]},
        system=DECISIONS,
        protected=[{"column": "district", "privileged": ["A"]}],
    )
    found = metrics(result, "district")
    assert found["EOD"]["value"] is None and found["AOD"]["value"] is None
    assert "B" in found["EOD"]["reason"] and "0" in found["EOD"]["reason"]
    assert found["EMOD"]["value"] == pytest.approx(0, abs=1e-12)
    certification = result["certification"]
    assert certification["attributes"]["district"]["bias_index"]["value"] is None
    assert certification["fairness_score"]["value"] is None
    assert certification["recommendation"]["value"] != "grant"


def test_c05_blanks_are_no_group(case: Any) -> None:
    result = case("C05", protected=[{"column": "race", "privileged": ["White"]}])
    assert metrics(result, "race")["SPD"]["value"] == pytest.approx(-0.2, abs=TOLERANCE)
    assert metrics(result, "race")["DI"]["value"] == pytest.approx(0.666667, abs=TOLERANCE)
    bounds = result["certification"]["attributes"]["race"]["bounds"]["DI"]
    assert bounds["low"] == pytest.approx(0.533333, abs=TOLERANCE)
    assert bounds["high"] == pytest.approx(1.083333, abs=TOLERANCE)
    (told,) = [e for e in result["exclusions"] if e["attribute"] == "race"]
    assert told["rows"] == 10
    assert "10 of 30 people (33.3 %)" in told["why"] and "9 of these 10" in told["why"]


def test_c06_a_blank_outcome_is_no_refusal(case: Any) -> None:
    result = case("C06")
    found = metrics(result, "sex")
    assert found["SPD"]["value"] == pytest.approx(0.15, abs=TOLERANCE)
    assert found["DI"]["value"] == pytest.approx(1.25, abs=TOLERANCE)
    bounds = result["certification"]["attributes"]["sex"]["bounds"]["SPD"]
    assert bounds["low"] == pytest.approx(-0.3, abs=TOLERANCE)
    assert bounds["high"] == pytest.approx(0.3, abs=TOLERANCE)
    (told,) = result["exclusions"]
    assert "6 of 10 in F and 0 of 10 in M" in told["why"]
    groups = result["certification"]["attributes"]["sex"]["groups"]
    assert groups["F"]["counts"]["unknown_outcome"] == 6


def c08(shared: Path, tmp_path: Path) -> dict[str, Any]:
    for name in ("C08_decisions.csv", "C08_people.csv"):
        shutil.copy(shared / "cases" / name, tmp_path / name)
    return plan_of(
        data={"all": {"path": "C08_decisions.csv"}},
        id="person_id",
        join=[{"path": "C08_people.csv", "on": "person_id"}],
    )


def test_c08_files_are_joined_by_their_key(shared: Path, tmp_path: Path) -> None:
    result = audited(tmp_path, c08(shared, tmp_path))
    assert metrics(result, "sex")["SPD"]["value"] == -1
    assert metrics(result, "sex")["DI"]["value"] == 0
    assert [i["role"] for i in result["inputs"]] == ["all", "join"]


def test_c08_a_row_without_a_match_is_named(shared: Path, tmp_path: Path) -> None:
    plan = c08(shared, tmp_path)
    people = tmp_path / "C08_people.csv"
    lines = [li for li in people.read_text().splitlines() if not li.startswith("P008")]
    people.write_text("\n".join(lines) + "\n")
    result = audited(tmp_path, plan)
    assert any("P008" in w["text"] for w in result["warnings"])
    assert any(e["rows"] == 1 and e["cause"] == "unmatched" for e in result["exclusions"])


def test_c08_a_repeated_id_is_refused_and_named(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = c08(shared, tmp_path)
    with (tmp_path / "C08_people.csv").open("a") as file:
        file.write("P001,F\n")
    code, out = audit(tmp_path, plan)
    assert code == 2 and not out.exists()
    assert "P001" in capsys.readouterr().err


# What every result holds


def people(folder: Path) -> bytes:
    rows = [("M", 1)] * 30 + [("M", 0)] * 20 + [("F", 1)] * 25 + [("F", 0)] * 25
    text = "sex,approved\n" + "".join(f"{s},{y}\n" for s, y in rows)
    (folder / "people.csv").write_text(text)
    return text.encode()


def test_a_result_holds_all_that_the_contract_names(tmp_path: Path) -> None:
    raw = people(tmp_path)
    result = audited(tmp_path, plan_of())
    assert result["schema"] == "fairassay-result/1"
    assert {"name", "version", "python"} <= set(result["software"])
    assert {"numpy", "pandas", "scipy", "scikit-learn"} <= set(result["software"]["libraries"])
    assert result["plan_sha256"] == sha256_of(result["plan"])
    (entry,) = result["inputs"]
    assert entry["sha256"] == hashlib.sha256(raw).hexdigest()
    assert (entry["role"], entry["name"], entry["bytes"]) == ("all", "people.csv", len(raw))
    assert (entry["rows"], entry["columns"]) == (100, 2)
    assert [s["number"] for s in result["steps"]] == list(range(1, 13))
    assert {s["state"] for s in result["steps"]} <= {"done", "skipped", "not applicable"}
    states = {s["number"]: s["state"] for s in result["steps"]}
    assert (states[5], states[6], states[7]) == ("not applicable",) * 3
    assert result["certification"]["recommendation"]["value"] != "grant"


def test_the_same_inputs_give_the_same_bytes(tmp_path: Path) -> None:
    people(tmp_path)
    _, first = audit(tmp_path, plan_of(), out="first")
    _, second = audit(tmp_path, plan_of(), out="second")
    text = (first / "result.json").read_bytes()
    assert text == (second / "result.json").read_bytes()
    assert text.decode() == canonical_json(json.loads(text))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    people(elsewhere)
    _, third = audit(elsewhere, plan_of())
    assert text == (third / "result.json").read_bytes()
    assert str(tmp_path) not in text.decode()


def test_tables_have_headings_in_words(tmp_path: Path) -> None:
    people(tmp_path)
    _, out = audit(tmp_path, plan_of())
    tables = sorted((out / "tables").glob("*.csv"))
    assert tables
    for table in tables:
        assert "_" not in table.read_text(encoding="utf-8").splitlines()[0]


def test_all_may_be_several_files(tmp_path: Path) -> None:
    people(tmp_path)
    text = (tmp_path / "people.csv").read_text().splitlines()
    (tmp_path / "a.csv").write_text("\n".join(text[:41]) + "\n")
    (tmp_path / "b.csv").write_text("\n".join([text[0], *text[41:]]) + "\n")
    result = audited(tmp_path, plan_of(data={"all": {"path": ["a.csv", "b.csv"]}}))
    assert [i["rows"] for i in result["inputs"]] == [40, 60]
    whole = audited(tmp_path, plan_of())
    assert metrics(result, "sex") == metrics(whole, "sex")


def test_a_formula_in_a_cell_is_defused() -> None:
    table = pd.DataFrame(
        {"Group": ["=HYPERLINK(1)", "+1", "@x", "\ttab", "-", "3"], "n": [-0.0] * 6}
    )
    lines = csv_text(table).splitlines()
    assert lines[1:] == ["'=HYPERLINK(1),0.0", "+1,0.0", "'@x,0.0", "'\ttab,0.0", "'-,0.0", "3,0.0"]


@pytest.fixture(scope="module")
def adult(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """adult.data and adult.test as published: no header, a stray first line, blanks, ``?``,
    labels with dots."""
    folder = tmp_path_factory.mktemp("adult")
    for name in ("adult.data", "adult.test"):
        (folder / name).symlink_to(shared / "data" / name)
    columns = [
        "age",
        "workclass",
        "fnlwgt",
        "education",
        "education-num",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
        "native-country",
        "income",
    ]
    source = {"header": False, "columns": columns, "missing": ["?"]}
    plan = plan_of(
        data={
            "training": {"path": "adult.data", **source},
            "test": {"path": "adult.test", "skip_lines": 1, **source},
        },
        outcome={"column": "income", "favourable": [">50K", ">50K."]},
        system={"train": {"model": "decision_tree"}},
        protected=[
            {"column": "race", "privileged": ["White"]},
            {"column": "sex", "privileged": ["Male"]},
            {"name": "marital", "column": "marital-status", "privileged": ["Married-civ-spouse"]},
        ],
    )
    return audited(folder, plan)


def test_adult_as_published(adult: dict[str, Any], shared: Path) -> None:
    expected = json.loads((shared / "cases" / "methods" / "expected.json").read_text())
    labels = expected["E_real_data"]["adult_data_32561"]
    for attribute, block in (("race", "white"), ("sex", "male")):
        found = metrics(adult, attribute)
        assert found["SPD"]["value"] == pytest.approx(labels[block]["SPD"], abs=TOLERANCE)
        assert found["DI"]["value"] == pytest.approx(labels[block]["DI"], abs=TOLERANCE)
    assert [i["rows"] for i in adult["inputs"]] == [32561, 16281]
    assert [i["columns"] for i in adult["inputs"]] == [15, 15]
    codes = {w["code"] for w in adult["warnings"]}
    assert "cohort.outer_blanks" in codes
    assert metrics(adult, "sex")["EOD"]["value"] is not None


def test_the_readme_sample_runs(tmp_path: Path, shared: Path) -> None:
    from engine import cli

    assert cli.main(["sample", "german", "--out", str(tmp_path)]) == 0
    out = tmp_path / "out"
    assert cli.main(["audit", str(tmp_path / "plan.json"), "--out", str(out)]) == 0
    result = result_of(out)
    counts = result["certification"]["attributes"]["age"]["groups"]["at least 30"]["counts"]
    tested = sum(
        g["counts"][c]
        for g in result["certification"]["attributes"]["age"]["groups"].values()
        for c in ("tp", "fp", "fn", "tn")
    )
    assert tested == 150 and counts["training"] > 0
    assert result["inputs"][0]["rows"] == 1000
