"""What the reading of a file leaves in an audit's result: warnings, chosen rows, unread lines."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from driving import audited, plan_of


def _audited(folder: Path, **changes: Any) -> dict[str, Any]:
    return audited(folder, plan_of(**changes))


def _codes(result: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in result["warnings"]]


def test_reversed_decisions_are_warned_of(shared: Path, tmp_path: Path) -> None:
    name = "adult_rf_binary_scored.csv"
    shutil.copy(shared / "data" / name, tmp_path)
    wanted: dict[str, Any] = {
        "data": {"all": {"path": name}},
        "id": None,
        "outcome": {"column": "label_value", "favourable": [1]},
        "protected": [{"column": "gender", "privileged": ["Male"]}],
    }
    straight = {"prediction": {"column": "score", "favourable": [1]}}
    result = _audited(tmp_path, **wanted, system=straight)
    (said,) = [w for w in result["warnings"] if w["code"] == "intake.reversed"]
    assert "15.3 %" in said["text"]  # the accuracy that the README of the data tells
    turned = {"prediction": {"column": "score", "favourable": [0]}}
    assert "intake.reversed" not in _codes(_audited(tmp_path, **wanted, system=turned))


def test_one_of_several_models_is_chosen_by_rows(shared: Path, tmp_path: Path) -> None:
    name = "nyc_sqf_scored_multi.csv"
    shutil.copy(shared / "data" / name, tmp_path)
    frame = pd.read_csv(shared / "data" / name)
    largest = int(frame["model_id"].value_counts().index[0])
    wanted: dict[str, Any] = {
        "id": None,
        "outcome": {"column": "label_value", "favourable": [0]},
        "system": {"prediction": {"column": "score", "favourable": [0]}},
        "protected": [{"column": "race", "privileged": ["WHITE"]}],
    }
    every = _audited(tmp_path, data={"all": {"path": name}}, **wanted)
    assert "intake.stacked_models" in _codes(every)
    rows = [{"column": "model_id", "keep": [largest]}]
    one = _audited(tmp_path, data={"all": {"path": name, "rows": rows}}, **wanted)
    left_out = sum(e["rows"] for e in one["exclusions"] if "model_id" in e["what"] + e["why"])
    assert left_out == int((frame["model_id"] != largest).sum())
    groups = one["certification"]["attributes"]["race"]["groups"]
    mine = frame[(frame["model_id"] == largest) & (frame["race"] == "WHITE")]
    assert groups["WHITE"]["counts"]["tp"] == int(
        ((mine["label_value"] == 0) & (mine["score"] == 0)).sum()
    )


@pytest.mark.parametrize(("favourable", "warned"), [("yes", True), ("no", False)])
def test_yes_to_deny_is_not_favourable(
    shared: Path, tmp_path: Path, favourable: str, warned: bool
) -> None:
    shutil.copy(shared / "data" / "hmda_boston_aer.csv", tmp_path)
    result = _audited(
        tmp_path,
        data={"all": {"path": "hmda_boston_aer.csv"}},
        id=None,
        outcome={"column": "deny", "favourable": [favourable]},
        system=None,
        protected=[{"column": "afam", "privileged": ["no"]}],
    )
    assert ("run.favourable_sounds_bad" in _codes(result)) is warned


def test_unread_rows_are_counted_and_written_out(tmp_path: Path) -> None:
    body = "".join(f"p{i},{'MF'[i % 2]},{i % 3 % 2}\n" for i in range(60))
    (tmp_path / "t.csv").write_text("person_id,sex,approved\n" + body + "p60,M\n=1+1,F,0,9\n")
    result = _audited(tmp_path, data={"all": {"path": "t.csv"}}, system=None)
    assert any(e["rows"] == 2 and "cannot be read" in e["why"] for e in result["exclusions"])
    assert result["inputs"][0]["rows"] == 62
    (path,) = tmp_path.rglob("unread.csv")
    unread = pd.read_csv(path)
    assert unread["Line"].tolist() == [62, 63]
    assert unread["Text as it stands"].tolist() == ["p60,M", "'=1+1,F,0,9"]  # no formula runs
