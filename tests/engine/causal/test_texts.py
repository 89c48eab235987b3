"""Columns of texts in graphs: looked up by place, told where they are held fixed."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import softmax

from engine.causal.design import Block, Design, combine
from engine.causal.diagnose import root_troubles
from engine.causal.equations import Categories
from engine.causal.people import Values, level_differences
from tests.engine.causal.driving import ran

LEVELS = ("a", "b", "c", "d")


@pytest.mark.parametrize("draws", [None, 5])
def test_a_text_is_looked_up_as_its_column_of_zeros_and_ones_would_be(draws: int | None) -> None:
    rng = np.random.default_rng(1)
    shape = (40,) if draws is None else (draws, 40)
    codes, number = rng.integers(0, 4, shape).astype(float), rng.normal(0, 1, shape)
    design = Design((Block("T", LEVELS, False), Block("N", (), False)))
    beta = rng.normal(0, 1, 5 if draws is None else (draws, 5))
    found = combine(beta, design, {"T": codes, "N": number})
    dense = [codes == 1, codes == 2, codes == 3, number]
    at = (lambda j: beta[j]) if draws is None else (lambda j: beta[:, j : j + 1])
    wanted = at(0) + sum(at(j + 1) * column for j, column in enumerate(dense))
    np.testing.assert_allclose(found, wanted, atol=1e-12)


@pytest.mark.parametrize("size", [1.0, 400.0])
def test_chances_are_those_of_softmax_however_large_the_odds(size: float) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(0, size, 50)
    design = Design((Block("x", (), False),))
    beta = rng.normal(0, 1, (3, 2))
    equation = Categories("T", "logistic", False, design, beta, np.arange(4.0))
    lines = np.column_stack([np.zeros(50), beta[:, 0] + x[:, None] * beta[:, 1]])
    chances = np.column_stack(equation.chances({"x": x}))
    np.testing.assert_allclose(chances, softmax(lines, axis=1), atol=1e-12)
    value = rng.integers(0, 4, 50).astype(float)
    possible = chances[np.arange(50), value.astype(int)] > 1e-9
    noise = equation.noise(value, {"x": x}, rng.random(50))
    back = equation.value({"x": x}, noise)
    np.testing.assert_array_equal(back[possible], value[possible])


def test_differences_of_shares_are_those_of_a_cross_table() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, 300).astype(float)
    codes[::17] = np.nan
    group = rng.integers(0, 3, 300).astype(float)
    found = level_differences(
        values=Values("T", codes, LEVELS), group=group, weight=np.ones(300), rows=np.ones(300, bool)
    )
    table = pd.crosstab(pd.Series(group > 0), pd.Series(codes), normalize="index")
    wanted = (table.loc[True] - table.loc[False]).to_numpy()
    np.testing.assert_allclose([found[k] for k in LEVELS], wanted, atol=1e-12)


def test_leftovers_that_move_together_are_those_of_spearman() -> None:
    rng = np.random.default_rng(4)
    common = rng.normal(0, 1, 400)
    left = {k: rng.normal(0, 1, 400) + s * common for k, s in (("a", 0.9), ("b", 0.9), ("c", 0.0))}
    left["b"][:60] = np.nan
    found = root_troubles(left=left, pairs=list(combinations(left, 2)))
    assert [t.arrow for t in found] == [("a", "b")]
    both = np.isfinite(left["b"])
    r = stats.spearmanr(left["a"][both], left["b"][both]).statistic
    assert found[0].figure == f"+{r:.2f}"


def test_a_text_held_fixed_is_told_where_the_groups_differ_in_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    a = rng.integers(0, 2, 400)
    job = np.where(rng.random(400) < 0.3 + 0.4 * a, "clerk", "judge")
    town = rng.choice(["north", "south"], 400)
    table = pd.DataFrame(
        {"A": a, "job": job, "town": town, "Y": a + (job == "judge") + rng.normal(0, 1, 400)}
    )
    edges = [["A", "Y"], ["job", "Y"], ["town", "Y"]]
    graph = {"name": "g", "edges": edges}
    done = ran(tmp_path, table, {"counterfactual": {"target": "Y", "graphs": [graph]}})
    held = [
        t
        for t in done.result["counterfactual"]["graphs"]["g"]["troubles"]
        if t["code"] == "causal.held_fixed"
    ]
    assert [t["node"] for t in held] == ["job"] and held[0]["arrow"] == ["A", "job"]
    more = table.groupby("A")["job"].agg(lambda j: (j == "judge").mean())
    assert f"{abs(100 * (more[1] - more[0])):.0f} of 100 people" in held[0]["text"]


def test_many_pairs_make_one_paragraph(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    a, u = rng.integers(0, 2, 500), rng.normal(0, 1, 500)
    table = pd.DataFrame({"A": a} | {f"M{i}": a + u + rng.normal(0, 0.5, 500) for i in range(4)})
    table["Y"] = table[[f"M{i}" for i in range(4)]].sum(axis=1) + rng.normal(0, 1, 500)
    edges = [e for i in range(4) for e in (["A", f"M{i}"], [f"M{i}", "Y"])]
    for name, key in (("counterfactual", "graphs"), ("channels", "graph")):
        graph = {"name": "g", "edges": edges}
        asked = {"target": "Y", key: [graph] if key == "graphs" else graph}
        done = ran(tmp_path, table, {name: asked})
        told = [p for s in done.sections[name] for p in s.paragraphs if "common cause" in p]
        assert len(told) == 1 and told[0].startswith("What is left of 6 pairs")
