"""A new case from an old one, what changed, and one result against the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.base.canonical import canonical_json
from engine.methods.asking import read_plan
from engine.procedure import recertify
from engine.procedure.acts import add_item, apply, set_value
from engine.procedure.state import new_state
from engine.run import run

WHO = {"who": "Evaluator", "when": "2026-11-29T10:00:00+01:00"}


def old_state() -> dict[str, Any]:
    state = new_state()
    state["case"] |= {
        "system": "Loans",
        "version": "1.0",
        "reference": "A-1",
        "decider": "Somebody",
    }
    state["plan"] = {
        "protected": [{"column": "sex", "privileged": ["M"]}],
        "tolerance": {"difference": 0.1, "rule": "whole interval"},
        "methods": {"certification": {}, "intersection": {}},
        "features": ["a"],
    }
    state["certificate"] = {"number": "EAO-1", "revision": 0, "sha256": "ab"}
    item = add_item(state | {"certificate": None}, name="a.csv", bytes=3, sha256="11", role="all", **WHO)  # fmt: skip
    return {**apply(state | {"certificate": None}, item), "certificate": state["certificate"]}


def test_a_new_case_takes_over_what_was_measured_and_by_what() -> None:
    new = recertify.state_from_case(old_state())
    assert new["case"]["system"] == "Loans" and new["case"]["decider"] == ""
    assert new["plan"]["methods"] == {"certification": {}, "intersection": {}}
    assert new["follows"]["number"] == "EAO-1" and new["items"] == [] and new["set"] == {}
    assert recertify.changes(new) == [] and recertify.changes(new_state()) == []


def test_changes_are_listed_and_want_a_reason() -> None:
    state = recertify.state_from_case(old_state())
    state["case"]["version"] = "2.0"
    state["plan"] = {
        "protected": [{"column": "sex", "privileged": ["F"]}, {"column": "age", "privileged": [1]}],
        "tolerance": {"difference": 0.2, "rule": "whole interval"},
        "methods": {"certification": {}, "pricing": {}},
    }
    state = apply(state, add_item(state, name="b.csv", bytes=3, sha256="22", role="all", **WHO))
    found = {c.key: c for c in recertify.changes(state)}
    assert set(found) == {
        "case.version", "protected.sex", "protected.age", "tolerance.difference",
        "methods.intersection", "methods.pricing", "files.all",
    }  # fmt: skip
    assert "1.0 to 2.0" in found["case.version"].text
    assert (
        "0.1 to 0.2" in found["tolerance.difference"].text and found["tolerance.difference"].grave
    )
    act = set_value(
        ("changes_why", "case.version"), "Retrained in May", words="gave a reason", **WHO
    )
    state = apply(state, act)
    assert len(recertify.unjustified(state)) == len(found) - 1
    assert "case.version" not in {c.key for c in recertify.unjustified(state)}


def audited(folder: Path, rate: float, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    sex = np.repeat(["M", "F"], 600)
    ok = (rng.random(1200) < np.where(sex == "F", rate, 0.6)).astype(int)
    pd.DataFrame({"sex": sex, "ok": ok}).to_csv(folder / f"{seed}.csv", index=False)
    plan = {
        "schema": "fairassay-plan/1",
        "data": {"all": {"path": f"{seed}.csv"}},
        "outcome": {"column": "ok", "favourable": [1]},
        "protected": [{"column": "sex", "privileged": ["M"]}],
        "methods": {"certification": {}, "intersection": {}},
    }
    return run(plan=read_plan(plan), base=folder).result


def test_result_against_the_last(tmp_path: Path) -> None:
    old, new = audited(tmp_path, 0.6, 1), audited(tmp_path, 0.3, 2)
    found = recertify.compare(old, new, confidence=0.95)
    canonical_json(found)
    by_path = {tuple(m["path"]): m for m in found["metrics"]}
    spd = by_path["certification", "attributes", "sex", "metrics", "SPD"]
    change = spd["change"]
    assert change["value"] == pytest.approx(spd["after"] - spd["before"])
    assert change["low"] < change["value"] < change["high"] < 0
    assert spd["turned"] and list(("certification", "attributes", "sex", "metrics", "SPD")) in found["turned"]  # fmt: skip
    assert not found["data"]["same"] and found["data"]["files"][0]["rows_after"] == 1200
    assert found["rules_changed"] == [] and not found["versions_changed"]
    assert recertify.certified_levels(new)["sex=F"]["n"] == 600


def test_the_width_of_a_change_is_that_of_two_independent_samples(tmp_path: Path) -> None:
    old, new = audited(tmp_path, 0.5, 3), audited(tmp_path, 0.5, 4)
    spd = next(m for m in recertify.compare(old, new, confidence=0.95)["metrics"] if m["path"][-1] == "SPD")  # fmt: skip
    width = spd["change"]["high"] - spd["change"]["low"]
    se = np.sqrt(2 * (0.25 / 600 + 0.24 / 600))
    assert width == pytest.approx(2 * 1.96 * se, rel=0.12)


def test_the_same_people_have_no_independent_change(tmp_path: Path) -> None:
    old = audited(tmp_path, 0.5, 5)
    found = recertify.compare(old, old, confidence=0.95)
    assert found["data"]["same"] and found["turned"] == [] and found["only_after"] == []
    for one in found["metrics"]:
        assert one["change"]["low"] is None
        assert one["before"] is None or one["change"]["value"] == 0.0


def test_intervals_of_different_levels_are_not_joined(tmp_path: Path) -> None:
    old, new = audited(tmp_path, 0.5, 6), audited(tmp_path, 0.4, 7)
    old["plan"] = {**old["plan"], "confidence": 0.8}
    found = recertify.compare(old, new, confidence=0.95)
    assert "confidence" in found["rules_changed"]
    for one in found["metrics"]:
        assert one["change"]["low"] is None
    spd = next(m for m in found["metrics"] if m["path"][-1] == "SPD")
    assert "different levels" in spd["change"]["note"]


def test_levels_of_weighted_people_rest_on_what_they_are_worth() -> None:
    cell = {
        "groups": {"sex": "F"}, "rate": {"value": 0.4, "low": 0.3, "high": 0.5},
        "ratio": {"value": 0.8, "low": 0.7, "high": 0.9},
        "effective_n": 0.25, "kish_n": 310.0, "judged_n": 310.0,
    }  # fmt: skip
    result = {"intersection": {"cells": {"sex=F": cell}}}
    assert recertify.certified_levels(result)["sex=F"]["n"] == 310.0
