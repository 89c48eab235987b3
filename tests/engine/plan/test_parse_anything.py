"""Whatever JSON is handed in as a plan: a plan, or a refusal in words."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.methods.asking import read_plan
from engine.plan.parse import to_dict

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
PLAN: dict[str, Any] = {
    "schema": "fairassay-plan/1",
    "seed": 1,
    "case": {"reference": "", "language": "en"},
    "data": {
        "all": {
            "path": "a.csv", "format": "csv", "sheet": None, "delimiter": ",", "encoding": "utf-8",
            "decimal": ".", "header": False, "columns": ["a", "b"], "skip_lines": 0,
            "missing": {"a": ["?"]}, "rows": [{"column": "a", "keep": [1]}], "test_share": 0.2,
            "stratify": True, "types": {"a": "text", "b": "date, day first"},
            "received": {"from": "Provider", "when": "2026-11-20", "how": "on a stick"},
        }
    },
    "id": "id",
    "join": [{"path": ["b.csv", "c.csv"], "on": "id"}],
    "weight": "w",
    "outcome": {"column": "y", "favourable": [1], "unfavourable": [0]},
    "system": {
        "prediction": {"column": "p", "favourable": {"at_least": 0.5}},
        "score": {"column": "p", "high_is": "favourable"},
        "amount": {"column": "r", "adverse": "high"},
    },
    "features": ["x"],
    "protected": [
        {"column": "s", "privileged": ["M"], "unprivileged": ["F"], "left_out": []},
        {"column": "age", "privileged": {"between": [30, 60]}},
        {"name": "e", "membership": {"A": "pa", "B": "pb"}, "privileged": ["A"]},
    ],
    "tolerance": {
        "rule": "whole interval", "difference": 0.1, "ratio": [0.9, 1.1],
        "overrides": {"s": {"DI": [0.8, 1.25], "SPD": 0.05, "bias_index": 0.2}},
    },
    "confidence": 0.95,
    "resamples": 100,
    "methods": {"certification": {}},
}  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a JSON value."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(p for key, item in inner for p in places(item, (*path, key)))]


def test_the_plan_itself_is_read() -> None:
    assert read_plan(PLAN).seed == 1


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.sampled_from(places(PLAN)), ANYTHING)
def test_any_part_of_a_plan_may_be_anything(path: tuple[Any, ...], value: Any) -> None:
    changed: Any = {"plan": copy.deepcopy(PLAN)}
    inside, key = changed, "plan"
    for step in path:
        inside, key = inside[key], step
    inside[key] = value
    try:
        plan = read_plan(changed["plan"])
    except Refused as refused:
        assert refused.problems
        assert all(p.text and "{" not in p.place for p in refused.problems)
    else:
        canonical_json(to_dict(plan))
