"""The self-test reproduces what is published, names the misprints, and can fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import selftest


def test_every_figure_reproduces() -> None:
    rows = selftest.selftest()
    assert [row for row in rows if not row.reproduced] == []
    indexes = [r for r in rows if "Table 1" in r.source and r.what.endswith("Bias Index")]
    scores = [r for r in rows if "Table 1" in r.source and r.what.endswith("Fairness Score")]
    assert (len(indexes), len(scores)) == (15, 7)
    assert all(r.expected == r.found for r in indexes + scores)


def test_the_two_misprints_are_named() -> None:
    noted = [row for row in selftest.selftest() if row.note]
    assert [row.note.split(".")[0] for row in noted] == [
        "Misprinted there as +0",
        "Misprinted there as +0",
    ]
    assert "gender balanced, Race" in noted[0].what
    assert "marital status balanced, Gender" in noted[1].what


def test_the_typed_table_is_the_papers(shared: Path) -> None:
    text = (shared / "cases" / "methods" / "expected.json").read_text(encoding="utf-8")
    right = json.loads(text)["A_paper001"]
    table = json.loads(selftest.TABLE_1.read_text(encoding="utf-8"))
    rows = [row for case in table["cases"] for row in case["rows"]]
    for mine, theirs in zip(rows, right["table1"], strict=True):
        assert mine["attribute"] == theirs["attribute"]
        assert mine["bias_index"] == theirs["BI_printed"]
        for metric in ("SPD", "DI", "EOD", "EMOD", "AOD"):
            assert mine[metric] == theirs[metric]
    printed = [score["printed"] for score in right["table1_fairness_score"].values()]
    assert [case["fairness_score"] for case in table["cases"]] == printed


def test_a_wrong_figure_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = json.loads(selftest.TABLE_1.read_text(encoding="utf-8"))
    table["cases"][0]["rows"][0]["bias_index"] = 0.1865
    changed = tmp_path / "table.json"
    changed.write_text(json.dumps(table), encoding="utf-8")
    monkeypatch.setattr(selftest, "TABLE_1", changed)
    assert [row.what for row in selftest.selftest() if not row.reproduced] == [
        "UCI Adult, original, Race: Bias Index"
    ]


def test_the_sample_counts_everybody_whose_outcome_is_recorded(tmp_path: Path) -> None:
    """The file's 1,000 outcomes are audited, though the stand-in learns from 850 of them only."""
    from engine.methods.asking import load_plan
    from engine.run import run
    from engine.samples import built_in

    built_in.write("german", tmp_path)
    done = run(plan=load_plan(tmp_path / "plan.json"), base=tmp_path).result["certification"]
    sex, age = done["attributes"]["sex"]["metrics"], done["attributes"]["age"]["metrics"]
    assert sex["SPD"]["value"] == pytest.approx(-0.07480130902290782, abs=1e-9)
    assert sex["DI"]["value"] == pytest.approx(0.8965673282047968, abs=1e-9)
    assert age["SPD"]["value"] == pytest.approx(-0.11013074276115342, abs=1e-9)
    assert age["DI"]["value"] == pytest.approx(0.851347130479044, abs=1e-9)
    assert done["samples"]["decided"]["rows"] == 150
