"""Settings of methods: values, ranges, choices, graphs, and what a method needs."""

from __future__ import annotations

from typing import Any

import pytest

from engine.base.problems import Refused
from engine.methods import NAMES, asking, method
from engine.methods.asking import check_setting, read_plan
from engine.methods.base import Method, Setting
from engine.methods.graphs import wrong_graph

MADE = Method(
    name="made",
    title="Made up",
    question="",
    step=7,
    settings=(
        Setting("k", "whole", 20, "How many folds?", minimum=2, maximum=50),
        Setting("share", "share", 0.5, "Which share?"),
        Setting("again", "yes-no", True, "Draw again?"),
        Setting("scheme", "choice", "a", "Which?", choices=(("shared", "s"), ("own", "o"))),
        Setting("models", "choices", ["x"], "Which?", choices=(("x", "x"), ("y", "y"))),
        Setting("date", "column", None, "Which column holds the date?", required=True),
        Setting("graph", "graph", None, "Which graph?"),
    ),
)


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "method", lambda name: MADE if name == "made" else method(name))


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("k", 1, "too low; give 2 or more"),
        ("k", 51, "too high; give 50 or less"),
        ("k", 2.5, "a whole number"),
        ("k", "many", "a number"),
        ("k", True, "a number"),
        ("share", 1.5, "too high; give 1 or less"),
        ("again", 1, "true or false"),
        ("scheme", "shard", 'did you mean "shared"?'),
        ("models", [], "at least one choice"),
        ("models", ["x", "z"], "is not a choice"),
        ("date", None, "an answer is needed"),
        ("date", 3, "a text"),
        ("graph", {"edges": [["A"]]}, "a list of pairs"),
    ],
)
def test_wrong_settings(key: str, value: Any, told: str) -> None:
    assert told in str(check_setting("made", key, value))


@pytest.mark.parametrize(
    ("key", "value"),
    [("k", 2), ("k", 20.0), ("share", 0), ("again", False), ("scheme", "own"), ("date", "when")],
)
def test_right_settings(key: str, value: Any) -> None:
    assert check_setting("made", key, value) is None


def test_a_cyclic_graph_is_refused() -> None:
    told = wrong_graph({"name": "g", "edges": [["A", "B"], ["B", "C"], ["C", "A"], ["C", "D"]]})
    assert told is not None and "run in a circle: A, B, C, A" in told
    assert wrong_graph({"name": "g", "edges": [["A", "E"], ["A", "score"], ["E", "score"]]}) is None


def test_the_graph_of_the_contract() -> None:
    equation = {"kind": "linear", "intercept": 0, "coefficients": {"A": -2}}
    graph = {"name": "g1", "edges": [["A", "E"], ["E", "score"]], "equations": {"E": equation}}
    assert wrong_graph(graph) is None
    graph["equations"] = {"Ee": equation}
    assert 'did you mean "E"?' in str(wrong_graph(graph))


def test_no_outcome_only_where_no_method_needs_one() -> None:
    needy = next(name for name in NAMES if method(name).needs_outcome)
    plan = {
        "schema": "fairassay-plan/1",
        "data": {"all": {"path": "a.csv"}},
        "protected": [{"column": "s", "privileged": ["M"]}],
        "methods": {needy: {}},
    }
    with pytest.raises(Refused, match="needs the recorded outcome"):
        read_plan(plan)


def test_defaults_are_accepted_by_their_own_checks() -> None:
    for name in NAMES:
        for setting in method(name).settings:
            if not setting.required:
                assert check_setting(name, setting.name, setting.default) is None


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("crossval", "more_attributes"), ("crossval", "crossed"), ("intersection", "attributes"),
        ("mitigation", "proxies"), ("pricing", "models"),
    ],
)  # fmt: skip
def test_lists_of_names_are_refused_where_they_are_none(name: str, key: str) -> None:
    for wrong in (3, True, 3.5, {"x": 1}, [1], [[]], [None], [{"a": 1}], [""], ""):
        assert "list of names" in (check_setting(name, key, wrong) or ""), wrong
    for right in (None, "sex", ["sex"], ["sex", "age"]):
        assert check_setting(name, key, right) is None, right


def test_roles_and_positions_of_a_graph_are_objects() -> None:
    graph = {"name": "g", "edges": [["A", "B"]]}
    assert wrong_graph({**graph, "roles": {"A": "proxy"}, "positions": {"A": [0, 1]}}) is None
    for wrong in (["x"], {"A": 3}, "x", 3):
        assert "roles" in (wrong_graph({**graph, "roles": wrong}) or "")
    for wrong in (["x"], "x", 3):
        assert "positions" in (wrong_graph({**graph, "positions": wrong}) or "")
