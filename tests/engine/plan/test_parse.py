"""The contract's sentences about plans, one by one."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from engine.base.canonical import sha256_of
from engine.base.problems import Refused
from engine.plan import keys
from engine.plan.model import SCHEMA, Plan
from engine.plan.parse import load, parse, to_dict
from engine.procedure.state import FACTS

METHODS: dict[str, dict[str, Any]] = {
    "certification": {},
    "peers": {"attribute": None, "delta_factor": 0.3, "min_peers": 35},
}


def small(**changes: Any) -> dict[str, Any]:
    plan: dict[str, Any] = {
        "schema": SCHEMA,
        "data": {"all": {"path": "people.csv"}},
        "outcome": {"column": "approved", "favourable": [1]},
        "protected": [{"column": "sex", "privileged": ["M"]}],
        "methods": {"certification": {}},
    }
    plan.update(changes)
    return plan


def read(data: Any) -> Plan:
    return parse(data, methods=METHODS)


def refusals(data: Any) -> list[str]:
    with pytest.raises(Refused) as caught:
        read(data)
    return [str(problem) for problem in caught.value.problems]


def test_defaults_are_those_of_the_contract() -> None:
    plan = read(small())
    assert (plan.confidence, plan.resamples, plan.weight, plan.system) == (0.95, 1000, None, None)
    t = plan.tolerance
    assert (t.rule, t.difference, t.ratio) == ("whole interval", 0.1, (0.9, 1.1))
    assert (t.bias_index, t.fairness_score) == (0.1, 0.9)
    assert plan.case["language"] == "en"
    assert (plan.data.test_share, plan.data.stratify) == (0.15, True)


def test_null_takes_the_default_as_a_missing_key_does() -> None:
    bare = small()
    full = small(
        seed=None, case=None, id=None, join=None, weight=None, system=None, features=None,
        tolerance=None, confidence=None, resamples=None,
    )  # fmt: skip
    full["data"]["all"] |= {"delimiter": None, "rows": None, "test_share": None}
    full["protected"][0] |= {"unprivileged": None, "left_out": None, "name": None}
    full["methods"] = {"certification": None}
    assert to_dict(read(bare)) == to_dict(read(full))


def test_the_whole_example_of_the_contract_is_read() -> None:
    plan = read(
        {
            "schema": SCHEMA,
            "seed": 20261129,
            "data": {"training": {"path": "train.csv"}, "test": {"path": "test.csv"}},
            "id": "person_id",
            "join": [{"path": "people.csv", "on": "person_id"}],
            "weight": None,
            "outcome": {"column": "Risk", "favourable": ["good"], "unfavourable": None},
            "system": {
                "prediction": {"column": "pred", "favourable": ["good"]},
                "score": {"column": "score", "high_is": "favourable"},
                "amount": {"column": "rate", "adverse": "high"},
            },
            "features": None,
            "protected": [
                {"column": "Sex", "privileged": ["male"], "unprivileged": None, "left_out": []},
                {"column": "age", "privileged": {"at_least": 30}},
                {
                    "name": "ethnicity",
                    "membership": {"A": "p_groupA", "B": "p_groupB"},
                    "privileged": ["A"],
                },
            ],
            "tolerance": {
                "rule": "whole interval",
                "difference": 0.1,
                "ratio": [0.9, 1.1],
                "overrides": {"Sex": {"difference": 0.05}},
            },
            "methods": {"certification": {}, "peers": {}},
        }
    )
    assert plan.protected[1].privileged == ({"at_least": 30},)
    assert plan.tolerance.band("SPD", "Sex") == (-0.05, 0.05)
    assert plan.methods["peers"]["attribute"] == "Sex"
    assert plan.join[0].on == "person_id"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"outcom": {}}, 'outcom: the key "outcom" is not known; did you mean "outcome"?'),
        ({"schema": "fairassay-plan/2"}, "schema: the schema is"),
        ({"schema": None}, "schema: the schema is missing"),
        ({"methods": {"certifcation": {}}}, 'did you mean "certification"?'),
        ({"methods": {"peers": {"min_peer": 3}}}, 'methods.peers.min_peer: the key "min_peer"'),
        ({"methods": {}}, "methods: no method is named"),
        ({"data": {}}, "data: there is no data"),
        ({"data": {"training": {"path": "a"}}}, 'add "test"'),
        ({"data": {"all": {"path": "a"}, "test": {"path": "b"}}}, '"all" and "test"'),
        ({"data": {"all": {"path": ""}}}, "data.all.path: no file is named"),
        ({"data": {"all": {}}}, 'data.all: "path" is missing'),
        ({"data": {"all": {"path": "a", "header": False}}}, 'needs "columns"'),
        ({"data": {"all": {"path": "a", "test_share": 1}}}, "data.all.test_share"),
        ({"data": {"test": {"path": "a", "stratify": True}}}, 'belongs to "all" alone'),
        ({"outcome": {"column": "y"}}, '"favourable" is missing'),
        ({"outcome": {"column": "y", "favourable": "yes"}}, 'write it as a list: ["yes"]'),
        ({"outcome": {"column": "y", "favourable": []}}, "outcome.favourable: the list is empty"),
        ({"outcome": {"column": "y", "favourable": [None]}}, "a blank is never a value"),
        ({"outcome": {"column": "y", "favourable": ["1"], "unfavourable": [1.0]}}, "stands in"),
        ({"protected": []}, "no protected attribute"),
        ({"protected": [{"column": "sex"}]}, '"privileged" is missing'),
        ({"protected": [{"column": "s", "privileged": {"over": 3}}]}, "a rule has one of the keys"),
        ({"protected": [{"column": "s", "privileged": {"between": [3, 1]}}]}, "the lower one first"),
        (
            {"protected": [{"column": "s", "privileged": ["a"], "unprivileged": [" a "]}]},
            "stands in privileged and in unprivileged",
        ),
        ({"protected": [{"privileged": ["a"]}]}, 'name the column, or give "membership"'),
        (
            {"protected": [{"name": "e", "membership": {"A": "p"}, "privileged": ["A"]}]},
            "two at least are needed",
        ),
        (
            {
                "protected": [
                    {"name": "e", "membership": {"A": "p", "B": "q"}, "privileged": ["C"]}
                ]
            },
            '"C" is not a group of membership',
        ),
        (
            {"protected": [{"column": "s", "privileged": ["a"]}] * 2},
            'two attributes are called "s"',
        ),
        ({"protected": [{"column": "approved", "privileged": [1]}]}, "is used as the outcome and"),
        ({"id": "approved"}, "is used as the id and as the outcome"),
        ({"confidence": 1}, "confidence: 1 is out of range"),
        ({"confidence": True}, "a number is needed"),
        ({"resamples": 0}, "resamples: 0 is out of range"),
        ({"seed": 1.5}, "a whole number is needed"),
        ({"seed": -1}, "seed: -1 is out of range"),
        ({"tolerance": {"rule": "points"}}, 'did you mean "point values"?'),
        ({"tolerance": {"ratio": [1.1, 0.9]}}, "around 1"),
        ({"tolerance": {"overrides": {"sexx": {}}}}, 'did you mean "sex"?'),
        ({"tolerance": {"overrides": {"sex": {"SPDD": 1}}}}, 'did you mean "SPD"?'),
        ({"system": {"train": {"model": "random forest"}}}, 'did you mean "random_forest"?'),
        (
            {"system": {"train": {}, "prediction": {"column": "p", "favourable": [1]}}},
            "keep one",
        ),
        ({"system": {"score": {"column": "s", "high_is": "good"}}}, "is not a choice"),
        ({"join": [{"path": "a.csv"}]}, 'join[0]: "on" is missing'),
        ({"features": []}, "features: the list is empty"),
        ({"features": ["approved"]}, "as the outcome and as a feature"),
        ({"case": {"sytem": "x"}}, 'did you mean "system"?'),
    ],
)  # fmt: skip
def test_a_wrong_plan_is_refused_with_place_and_mend(change: dict[str, Any], line: str) -> None:
    assert any(line in told for told in refusals(small(**change))), refusals(small(**change))


def test_all_problems_are_told_at_once() -> None:
    told = refusals(
        small(confidence=2, resamples="many", outcom=1, methods={"peer": {}, "certification": {}})
    )
    places = [line.split(": ")[1] for line in told]
    assert set(places) == {"confidence", "resamples", "outcom", "methods.peer"}


def test_a_stand_in_needs_training_rows_and_an_outcome() -> None:
    alone = small(data={"test": {"path": "t.csv"}}, system={"train": {}}, outcome=None)
    told = refusals(alone)
    assert any("a stand-in is trained here" in line for line in told)
    assert any("learns the recorded outcome" in line for line in told)


def test_one_column_may_be_a_score_and_the_decision_cut_from_it() -> None:
    system = {
        "prediction": {"column": "p", "favourable": {"at_least": 0.5}},
        "score": {"column": "p"},
    }
    plan = read(small(system=system))
    assert plan.system is not None and plan.system.prediction is not None


def test_one_column_may_be_protected_twice_under_two_names() -> None:
    cuts = [
        {"name": "age 25", "column": "age", "privileged": {"at_least": 25}},
        {"name": "age 60", "column": "age", "privileged": {"below": 60}},
    ]
    assert [a.name for a in read(small(protected=cuts)).protected] == ["age 25", "age 60"]


def test_settings_are_checked_by_the_caller() -> None:
    def check(method: str, key: str, value: Any) -> str | None:
        return "too few" if key == "min_peers" and value < 2 else None

    with pytest.raises(Refused, match=r"methods\.peers\.min_peers: too few"):
        parse(small(methods={"peers": {"min_peers": 1}}), methods=METHODS, check_setting=check)


def test_no_folder_gets_into_the_written_plan() -> None:
    here, there = small(), small()
    here["data"]["all"]["path"] = "people.csv"
    there["data"]["all"]["path"] = "/somebody/private/people.csv"
    assert sha256_of(to_dict(read(here))) == sha256_of(to_dict(read(there)))
    assert "private" not in json.dumps(to_dict(read(there)))


def test_two_files_of_one_name_are_kept_apart() -> None:
    plan = small(data={"training": {"path": "/x/2024/p.csv"}, "test": {"path": "/x/2025/p.csv"}})
    written = to_dict(read(plan))["data"]
    assert (written["training"]["path"], written["test"]["path"]) == ("2024/p.csv", "2025/p.csv")


def test_a_written_plan_is_read_again_to_the_same_plan() -> None:
    plan = read(small(system={"train": {}}, tolerance={"overrides": {"sex": {"DI": [0.8, 1.25]}}}))
    again = read(copy.deepcopy(to_dict(plan)))
    assert to_dict(again) == to_dict(plan)


def test_the_facts_of_a_case_are_those_of_the_case_file() -> None:
    assert set(keys.CASE) == set(FACTS)


def test_syntax_errors_name_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text('{\n  "schema": "x",\n  "seed" 3\n}', encoding="utf-8")
    with pytest.raises(Refused, match=r"plan\.json: line 3, column 10: this is not JSON"):
        load(path, methods=METHODS)


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"", "not JSON"),
        (b"[]", "an object in braces is needed"),
        (b'{"schema": 1, "schema": 2}', 'the key "schema" stands twice'),
        (b'{"seed": NaN}', "a number is needed"),
        (b'{"case": "\xff\xfe"}', "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "out of range"),
    ],
)
def test_files_that_are_no_plans(tmp_path: Path, raw: bytes, line: str) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(raw)
    with pytest.raises(Refused, match=line):
        load(path, methods=METHODS)


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no such file"):
        load(tmp_path / "plan.json", methods=METHODS)
    with pytest.raises(Refused, match="this is a folder"):
        load(tmp_path, methods=METHODS)


def test_a_byte_order_mark_is_forgiven(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(small()), encoding="utf-8-sig")
    assert load(path, methods=METHODS).name == "plan.json"
