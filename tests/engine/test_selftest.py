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
