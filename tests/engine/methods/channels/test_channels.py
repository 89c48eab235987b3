"""Channels: the paper's numbers to the last digits, an identity in any data, intervals that cover."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.base.problems import Refused
from engine.causal.graph import read_graph
from engine.causal.people import Values
from engine.methods.channels.advice import advice
from engine.methods.channels.split import columns_of, split
from tests.engine.causal.driving import ran

EDGES = [["A", "H"], ["H", "CH"], ["A", "S"], ["S", "Y"], ["CH", "Y"], ["R", "CH"], ["A", "Y"]]
ROLES = {"H": "historical", "S": "socioeconomic", "R": "behaviour", "Y": "outcome"}
GRAPH = {"name": "three channels", "edges": EDGES, "roles": ROLES}


@pytest.fixture(scope="module")
def right(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "cases/methods/expected.json").read_text())
    return found["C_paper003"]["channels"]


@pytest.fixture(scope="module")
def paper(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    table = pd.read_csv(shared / "cases/methods/c_channels5000.csv")
    done = ran(tmp_path_factory.mktemp("c"), table, {"channels": {"target": "Y", "graph": GRAPH}})
    assert set(done.tables) == {"channels"}
    assert [c.key for c in done.charts["channels"]] == ["channels", "channels-graph"]
    found: dict[str, Any] = done.result["channels"]
    found["_findings"] = done.findings["channels"]
    return found


def test_parts_of_the_paper(paper: dict[str, Any], right: dict[str, Any]) -> None:
    wanted = right["first_5000_rounded_6"]
    assert paper["gap"]["value"] == pytest.approx(wanted["gap"], abs=1e-9)
    parts = wanted["parts"]
    assert paper["direct"]["value"] == pytest.approx(parts["model_itself"], abs=1e-9)
    channels = {node: part["value"] for node, part in paper["channels"].items()}
    assert channels == pytest.approx(
        {
            "S": parts["socioeconomic_S"],
            "H": parts["history_H_via_CH"],
            "R": parts["behaviour_R_via_CH"],
        },
        abs=1e-9,
    )
    assert paper["unexplained"]["value"] == pytest.approx(parts["unexplained_in_CH"], abs=1e-9)
    shares = wanted["share_of_total"]
    assert paper["direct"]["share_of_gap"] == pytest.approx(shares["model_itself"], abs=1e-9)
    slopes = paper["fits"]["Y"]["coefficients"]
    assert slopes["A"] == pytest.approx(wanted["coef_A"], abs=1e-9)
    assert slopes["CH"] == pytest.approx(wanted["coef_CH"], abs=1e-9)
    assert slopes["S"] == pytest.approx(wanted["coef_S"], abs=1e-9)


def test_parts_add_up_with_intervals_around_them(paper: dict[str, Any]) -> None:
    parts = [paper["direct"], paper["unexplained"], *paper["channels"].values()]
    assert sum(p["value"] for p in parts) == pytest.approx(paper["gap"]["value"], abs=1e-9)
    for part in (*parts, paper["gap"]):
        assert part["low"] < part["value"] < part["high"]
        assert part["n"]["unprivileged"] + part["n"]["privileged"] == 5000


def test_advice_in_the_papers_order(paper: dict[str, Any]) -> None:
    assert [step["place"] for step in paper["advice"]] == ["model", "feature", "policy"]
    texts = [f.sentence for f in paper["_findings"]]
    assert any("an unmeasured" in t.lower() for t in texts)
    assert advice({**paper, "direct": {**paper["direct"], "low": -1.0}})[0]["place"] == "feature"


def test_the_bound_on_the_unmeasured(paper: dict[str, Any]) -> None:
    """Cinelli and Hazlett's robustness value, from the t value of an ordinary regression."""
    bound = paper["needed_to_explain_away"]
    assert 0 < bound["robustness_interval"] < bound["robustness"] < 1
    assert bound["strongest"]["node"] in ("S", "CH")
    assert bound["factor_effect"] == paper["direct"]["value"]


def test_a_factor_of_that_strength_does_explain_it_away() -> None:
    from engine.methods.channels.explain import needed_to_explain_away

    rng = np.random.default_rng(3)
    n = 200_000
    u = rng.normal(0, 1, n)
    a = (rng.random(n) < 1 / (1 + np.exp(-u))).astype(float)
    y = 1.0 * u + rng.normal(0, 1, n)  # no direct part: all of it is the unmeasured u
    graph, _ = read_graph({"edges": [["A", "Y"], ["U", "Y"]]}, place="", name="g")
    values = {k: Values(k, v) for k, v in {"A": a, "Y": y, "U": u}.items()}
    rows, ones = np.ones(n, bool), np.ones(n)
    blind, _ = read_graph({"edges": [["A", "Y"]]}, place="", name="g")
    seen = columns_of(graph=blind, values=values, root="A", target="Y", side=a, rows=rows)
    bound = needed_to_explain_away(columns=seen, weight=ones, confidence=0.95, size=float(n))
    whole = columns_of(graph=graph, values=values, root="A", target="Y", side=a, rows=rows)
    factor = needed_to_explain_away(columns=whole, weight=ones, confidence=0.95, size=float(n))[
        "strongest"
    ]
    # U explains the direct part away, so it must be as strong as the bound says on one side at least
    assert max(factor["of_target"], factor["of_attribute"]) >= bound["robustness"]
    assert abs(split(whole, ones)["direct", ""]) < 0.02 < split(seen, ones)["direct", ""]


@given(
    seed=st.integers(0, 10_000),
    arrows=st.lists(st.booleans(), min_size=15, max_size=15),
    weighted=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_any_graph_splits_the_gap_exactly(seed: int, arrows: list[bool], weighted: bool) -> None:
    names = ["A", "M1", "M2", "C1", "T1", "Y"]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    edges = [[a, b] for (a, b), on in zip(pairs, arrows, strict=True) if on] or [["A", "Y"]]
    if not any(b == "Y" for _, b in edges):
        edges.append(["M1", "Y"])
    rng = np.random.default_rng(seed)
    n = 60
    a = np.r_[0.0, 1.0, rng.integers(0, 2, n - 2)]
    values = {k: Values(k, rng.normal(0, 10 ** rng.uniform(-3, 3), n) + a) for k in names[1:]}
    values["T1"] = Values("T1", rng.integers(0, 3, n).astype(float), ("x", "y", "z"))
    values["A"] = Values("A", a)
    graph, _ = read_graph({"edges": edges}, place="", name="g")
    weight = rng.uniform(0.1, 3, n) if weighted else np.ones(n)
    columns = columns_of(
        graph=graph, values=values, root="A", target="Y", side=a, rows=np.ones(n, bool)
    )
    y = values["Y"].values
    gap = np.average(y[a == 1], weights=weight[a == 1]) - np.average(
        y[a == 0], weights=weight[a == 0]
    )
    assert sum(split(columns, weight).values()) == pytest.approx(
        gap, abs=1e-9 * max(1, abs(y).max())
    )


def drawn(seed: int, n: int = 600) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, n).astype(float)
    h = 0.7 * a + rng.normal(0, 1, n)
    s = 0.5 * a + rng.normal(0, 1, n)
    r = -0.02 * a + rng.normal(0, 1, n)
    ch = r + 0.9 * h + rng.normal(0, 0.5, n)
    y = 0.6 * ch + 0.8 * s + 0.25 * a + rng.normal(0, 0.5, n)
    return pd.DataFrame({"A": a.astype(int), "H": h, "S": s, "R": r, "CH": ch, "Y": y})


TRUTH = {"direct": 0.25, "S": 0.4, "H": 0.378, "R": -0.012}


def coverage(folder: Path, seeds: range) -> dict[str, float]:
    hits = dict.fromkeys(TRUTH, 0)
    for seed in seeds:
        done = ran(
            folder, drawn(seed), {"channels": {"target": "Y", "graph": GRAPH}}, resamples=400
        )
        part = done.result["channels"]
        for name, truth in TRUTH.items():
            one = part["direct"] if name == "direct" else part["channels"][name]
            hits[name] += one["low"] <= truth <= one["high"]
    return {name: n / len(seeds) for name, n in hits.items()}


def test_intervals_cover_the_truth_quickly(tmp_path: Path) -> None:
    assert min(coverage(tmp_path, range(40)).values()) >= 34 / 40


@pytest.mark.slow
def test_intervals_cover_the_truth(tmp_path: Path) -> None:
    found = coverage(tmp_path, range(1000))
    assert all(0.93 <= share <= 0.97 for share in found.values()), found


def test_many_people_are_drawn_in_packets_to_the_same_interval(tmp_path: Path) -> None:
    """With more people than packets the interval has the width that theory gives."""
    table = drawn(1, 20_000)
    done = ran(tmp_path, table, {"channels": {"target": "Y", "graph": GRAPH}}, resamples=1000)
    gap = done.result["channels"]["gap"]
    y, a = table["Y"], table["A"]
    error = np.sqrt(y[a == 1].var() / (a == 1).sum() + y[a == 0].var() / (a == 0).sum())
    assert gap["high"] - gap["low"] == pytest.approx(2 * 1.96 * error, rel=0.1)


def test_groups_each_and_pooled(tmp_path: Path) -> None:
    table = drawn(2, 900)
    table["A"] = np.array(["a", "b", "c"])[np.arange(900) % 3]
    done = ran(
        tmp_path, table, {"channels": {"target": "Y", "graph": GRAPH}},
        protected=[{"column": "A", "privileged": ["a"]}],
    )  # fmt: skip
    part = done.result["channels"]
    assert set(part["groups"]) == {"b", "c"}
    for one in (part, *part["groups"].values()):
        total = one["direct"]["value"] + one["unexplained"]["value"]
        total += sum(p["value"] for p in one["channels"].values())
        assert total == pytest.approx(one["gap"]["value"], abs=1e-9)
    means = table.groupby("A")["Y"].mean()
    assert part["groups"]["b"]["gap"]["value"] == pytest.approx(means["b"] - means["a"], abs=1e-9)


def test_the_outcome_is_split_as_0_and_1_and_blanks_are_counted(tmp_path: Path) -> None:
    table = drawn(3, 400)
    table["good"] = np.where(table["Y"] > 0, "yes", "no")
    table.loc[:4, "S"] = np.nan
    graph = {"name": "g", "edges": [[a, "good" if b == "Y" else b] for a, b in EDGES]}
    done = ran(
        tmp_path, table, {"channels": {"graph": graph}}, outcome={"column": "good", "favourable": ["yes"]}
    )  # fmt: skip
    part = done.result["channels"]
    rest = table.iloc[5:]
    rates = (rest["good"] == "yes").groupby(rest["A"]).mean()
    assert part["target"]["kind"] == "outcome"
    assert part["gap"]["value"] == pytest.approx(rates[1] - rates[0], abs=1e-9)
    assert part["not_evaluated_why"] == {'"S" is not known': 5}


def test_a_side_without_people_has_no_gap(tmp_path: Path) -> None:
    table = drawn(4, 100)
    table.loc[table["A"] == 1, "S"] = np.nan
    done = ran(tmp_path, table, {"channels": {"target": "Y", "graph": GRAPH}})
    gap = done.result["channels"]["gap"]
    assert gap["value"] is None and gap["verdict"] == "not computable"
    assert gap["reason"].startswith("Cannot be computed: 0 people of")
    assert done.findings["channels"][0].grade == "not computable"
    assert done.charts["channels"] and done.sections["channels"]


@pytest.mark.parametrize(
    ("edges", "told"),
    [
        ([["A", "many"], ["many", "Y"]], r"edges\[0\].*300 different texts"),
        ([["A", "Z"], ["Z", "Y"]], r'edges\[0\].*no column "Z"'),
        ([["A", "S"]], 'no arrow to "Y"'),
        ([["A", "Y"], ["Y", "A"]], "run in a circle"),
    ],
)
def test_bad_graphs(tmp_path: Path, edges: list[list[str]], told: str) -> None:
    table = drawn(5, 300)
    table["many"] = [f"v{i}" for i in range(300)]
    with pytest.raises(Refused, match=told):
        ran(tmp_path, table, {"channels": {"target": "Y", "graph": {"name": "g", "edges": edges}}})


def test_more_causes_than_people(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"channels.graph.edges.*5 numbers to be fitted and 4 people"):
        graph = {"name": "g", "edges": [["A", "Y"], ["H", "Y"], ["S", "Y"], ["R", "Y"]]}
        ran(
            tmp_path,
            drawn(6, 4).assign(A=[0, 1, 0, 1]),
            {"channels": {"target": "Y", "graph": graph}},
        )
