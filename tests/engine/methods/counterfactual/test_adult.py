"""A fitted graph with three columns between, on the Adult census data, to the end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.drawing.alt import alt_of
from engine.methods.counterfactual.person import person
from engine.run.road import Run
from tests.engine.causal.driving import ran

COLUMNS = [
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week",
    "native-country", "income",
]  # fmt: skip
BETWEEN = ["education-num", "hours-per-week", "occupation"]
EDGES = [
    *(["sex", m] for m in BETWEEN), *([m, "income"] for m in BETWEEN), ["sex", "income"],
    ["age", "income"], ["age", "hours-per-week"], ["education-num", "occupation"],
]  # fmt: skip
GRAPH = {
    "name": "three between",
    "edges": EDGES,
    "equations": {"hours-per-week": {"kind": "additive noise"}},
    "roles": {"education-num": "historical", "occupation": "socioeconomic"},
}


@pytest.fixture(scope="module")
def adult(shared: Path) -> Run:
    source = {
        "path": "adult.data", "header": False, "columns": COLUMNS, "missing": ["?"],
        "rows": [{"column": "age", "keep": {"below": 30}}],
    }  # fmt: skip
    return ran(
        shared / "data", None,
        {"counterfactual": {"graphs": [GRAPH], "draws": 50}, "channels": {"graph": GRAPH}},
        data={"all": source}, outcome={"column": "income", "favourable": [">50K"]},
        protected=[{"column": "sex", "privileged": ["Male"]}], resamples=100,
    )  # fmt: skip


def test_runs_to_the_end_with_diagnostics(adult: Run) -> None:
    part = adult.result["counterfactual"]["graphs"]["three between"]
    assert part["moved"] == ["education-num", "hours-per-week", "occupation", "income"]
    assert part["drawn"] == ["occupation", "income"]
    assert part["not_evaluated"] == part["not_evaluated_why"]['"occupation" is not known']
    assert part["persons"] + part["not_evaluated"] == len(adult.cohort.whole)
    kinds = {node: fit["kind"] for node, fit in part["fits"].items()}
    assert kinds["hours-per-week"] == "additive noise" and kinds["occupation"] == "logistic"
    for node, fit in part["fits"].items():
        assert set(fit["against"]) == {a for a, b in EDGES if b == node}
        assert fit["n"] > 0 and fit["residual_sd"] > 0
    # hours spread differently by age: noise that is simply added is refuted there, and it is said
    refuted = {
        tuple(t["arrow"]) for t in part["troubles"] if t["code"].startswith("causal.refuted")
    }
    assert ("age", "hours-per-week") in refuted
    one = part["oriented"]
    assert one["low"] < one["value"] < one["high"] < 0


def test_parts_of_the_same_gap(adult: Run) -> None:
    part = adult.result["channels"]
    total = part["direct"]["value"] + part["unexplained"]["value"]
    total += sum(c["value"] for c in part["channels"].values())
    assert total == pytest.approx(part["gap"]["value"], abs=1e-9)
    assert set(part["channels"]) == {"age", "education-num"}


def test_everything_is_drawn_told_and_tabled(adult: Run) -> None:
    table = adult.tables["counterfactual"]
    assert len(table) == len(adult.cohort.whole)
    evaluated = table["Not evaluated because"] == ""
    assert np.isfinite(table.loc[evaluated, "Change"]).all()
    jobs = table.loc[evaluated, "occupation, would have been"]
    assert jobs.map(type).eq(str).all() and not jobs.str.startswith(" ").any()
    for name in ("counterfactual", "channels"):
        for chart in adult.charts[name]:
            assert alt_of(chart)
        assert all(f.sentence for f in adult.findings[name])
        assert all(s.title for s in adult.sections[name])
    result = adult.result["counterfactual"]
    page = person(table=table, result=result, graph="three between", name="1")
    assert "favourable with a chance of" in page.sentence
    assert page.chart is not None and alt_of(page.chart)
