"""A plan becomes a state and comes back the same: window and command line run one plan."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.base.canonical import canonical_json, sha256_of
from engine.plan.form import to_dict
from engine.plan.keys import CASE
from engine.plan.parse import parse
from engine.procedure.plan_of import item_paths, plan_dict, sources_of, state_from_plan
from engine.procedure.state import FACTS
from engine.procedure.steps import steps

METHODS: dict[str, dict[str, Any]] = {"certification": {}, "intersection": {}}
WHO = {"who": "E", "when": "2026-11-24T10:00:00+01:00"}


def files_of(plan: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {path: {"bytes": 1, "sha256": sha256_of(path)} for path, *_ in sources_of(plan)}


def fingerprint(plan: dict[str, Any]) -> str:
    return canonical_json(to_dict(parse(plan, methods=METHODS)))


OUTCOME = {"column": "Risk", "favourable": ["good"], "unfavourable": None}
names = st.sampled_from(("a.csv", "folder/a.csv", "../other/b.csv", "c.csv"))
readings = st.fixed_dictionaries(
    {},
    optional={
        "delimiter": st.sampled_from((";", None)),
        "missing": st.sampled_from(([], ["?"], {"x": ["NA"]})),
        "rows": st.just([{"column": "model", "keep": ["m1"]}]),
        "encoding": st.just("latin-1"),
        "types": st.just({"x": "text"}),
        "received": st.sampled_from(
            (
                {"from": "P", "when": "2026-11-20", "how": "on a stick"},
                {"how": "by mail"},
                {"when": "June"},
            )
        ),
    },
)


@st.composite
def sources(draw: st.DrawFn, count: int = 2) -> dict[str, Any]:
    paths = draw(st.lists(names, min_size=1, max_size=count, unique=True))
    return {**draw(readings), "path": paths[0] if len(paths) == 1 else paths}


@st.composite
def plans(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        split = draw(st.sampled_from(({}, {"test_share": 0.2}, {"stratify": False})))
        data: dict[str, Any] = {"all": {**draw(sources()), **split}}
    else:
        data = {"test": draw(sources())}
        if draw(st.booleans()):
            data["training"] = draw(sources())
    plan: dict[str, Any] = {
        "schema": "fairassay-plan/1",
        "case": {"system": "Loans", "decider": "D"},
        "data": data,
        "outcome": OUTCOME,
        "protected": [{"column": "Sex", "privileged": ["male"]}],
        "methods": {"certification": {}},
        "system": draw(
            st.sampled_from(
                (
                    None,
                    {"train": {"model": "svm"}} if len(data) > 1 or "all" in data else None,
                    {"prediction": {"column": "p", "favourable": ["good"]}},
                    {"model_file": {"path": "models/m.onnx", "received": {"from": "P"}}},
                )
            )
        ),
    }
    if draw(st.booleans()):
        plan["join"] = [
            {"path": ["people/p1.csv", "people/p2.csv"], "on": "id"},
            {"path": "scores.csv", "on": "key", "delimiter": ";"},
        ]
        plan["id"] = "id"
    if draw(st.booleans()):
        plan["tolerance"] = {"rule": "point values", "ratio": [0.8, 1.25]}
    if draw(st.booleans()):
        plan |= {"seed": 7, "resamples": 50, "confidence": 0.9}
    return plan


@given(plans())
def test_there_and_back(plan: dict[str, Any]) -> None:
    state = state_from_plan(plan, files=files_of(plan), **WHO)
    back = plan_dict(state)
    assert fingerprint(back) == fingerprint(plan)
    # Once more, from the window's own plan: nothing drifts.
    again = state_from_plan(back, files=files_of(back), **WHO)
    assert plan_dict(again) == back
    json.dumps(state)
    for path, *_ in sources_of(back):
        assert ".." not in PurePosixPath(path).parts


@given(plans())
def test_the_plan_as_run_comes_back_too(plan: dict[str, Any]) -> None:
    """With every default filled in and every null written, as the command line hands it over."""
    full = to_dict(parse(plan, methods=METHODS))
    state = state_from_plan(full, files=files_of(full), **WHO)
    assert fingerprint(plan_dict(state)) == canonical_json(full)
    assert all(view.state in ("done", "skipped") for view in steps(state)[:6])


@given(plans())
def test_the_window_finds_every_choice_set(plan: dict[str, Any]) -> None:
    state = state_from_plan(plan, files=files_of(plan), **WHO)
    views = steps(state)
    assert all(v.state in ("done", "skipped") for v in views[:6]), views[:6]
    assert views[6].can_continue is False and views[6].blocked_by is None


def test_same_names_are_kept_apart() -> None:
    plan = {
        "schema": "fairassay-plan/1",
        "data": {"training": {"path": "a/x.csv"}, "test": {"path": "b/x.csv"}},
        "outcome": OUTCOME,
        "system": {"prediction": {"column": "p", "favourable": ["good"]}},
        "protected": [{"column": "Sex", "privileged": ["male"]}],
        "methods": {"certification": {}},
    }
    state = state_from_plan(plan, files=files_of(plan), **WHO)
    assert list(item_paths(state).values()) == ["a/x.csv", "b/x.csv"]
    for item in state["items"]:
        item.pop("path")
    assert list(item_paths(state).values()) == ["x.csv", "2-x.csv"]


def test_case_and_plan_know_the_same_facts() -> None:
    assert tuple(FACTS) == tuple(CASE)


def test_a_list_of_one_rule_is_that_rule() -> None:
    plan = {
        "schema": "fairassay-plan/1",
        "data": {"all": {"path": "x.csv"}},
        "outcome": OUTCOME,
        "system": None,
        "protected": [{"column": "age", "privileged": [{"at_least": 30}]}],
        "methods": {"certification": {}},
    }
    state = state_from_plan(plan, files=files_of(plan), **WHO)
    assert state["plan"]["protected"][0]["privileged"] == {"at_least": 30}


def test_what_the_author_of_a_plan_had_seen_is_not_claimed() -> None:
    """A plan handed in says who is privileged; whether rates were seen before is not known."""
    from engine.reports.facts_setup import setup_facts

    state = state_from_plan(
        {"protected": [{"name": "sex", "column": "sex", "privileged": ["M"]}], "data": {}},
        files={}, who="A. Person", when="2026-11-29T10:00:00+00:00",
    )  # fmt: skip
    lines = setup_facts(case=state["case"], state=state, result={"plan": state["plan"]})[15]
    assert lines[-1].endswith("Whether its author had seen a group's rate by then is not known.")
