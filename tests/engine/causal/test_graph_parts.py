"""Drafts of graphs, troubles at their arrows, packets, the other group's value."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LogisticRegression

from engine.causal.equations import Categories, Censored
from engine.causal.fit import equation_of, fitting_of, least_squares
from engine.causal.graph import read_graph
from engine.causal.packets import packets_of
from engine.causal.people import Values
from engine.causal.suggest import suggest_graphs
from engine.causal.troubles import draft_troubles
from engine.methods.counterfactual.scoring import swap
from engine.methods.graphs import wrong_graph


def test_suggested_graphs_are_graphs_with_the_attribute_as_root() -> None:
    found = suggest_graphs(columns=["sex", "job", "score", "pay"], attribute="sex", target="score")
    assert len(found) == 3
    for graph in found:
        assert wrong_graph(graph) is None
        assert not any(b == "sex" for _, b in graph["edges"])
        assert not any(a == "score" for a, _ in graph["edges"])
    assert ["sex", "score"] in found[0]["edges"] and ["sex", "score"] not in found[1]["edges"]
    assert suggest_graphs(columns=[], attribute="a", target="y")[0]["edges"] == [["a", "y"]]


def test_suggesting_loads_nothing_heavy() -> None:
    code = (
        "import sys, engine.causal.suggest\n"
        "heavy = {'pandas', 'sklearn', 'scipy', 'networkx', 'numpy'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("edges", "code", "arrow", "grade"),
    [
        ([["A", "M"], ["M", "Y"], ["Y", "M"]], "methods.graph_cycle", None, "refusal"),
        ([["A", "Y"], ["C", "A"]], "causal.attribute_with_parent", ("C", "A"), "warning"),
        ([["A", "Mm"], ["Mm", "Y"]], "causal.unknown_column", ("A", "Mm"), "refusal"),
        ([["M", "Y"]], "causal.no_attribute", None, "refusal"),
        ([["A", "M"]], "causal.no_target", None, "refusal"),
        ([["A", "M"], ["C", "Y"]], "causal.no_path", None, "warning"),
        ([["A", "Y"], ["Y", "C"]], "causal.collider_after", ("Y", "C"), "note"),
    ],
)
def test_troubles_as_they_arise(
    edges: list[list[str]], code: str, arrow: tuple[str, str] | None, grade: str
) -> None:
    found = draft_troubles(edges=edges, columns=["A", "M", "C", "Y"], attribute="A", target="Y")
    mine = [t for t in found if t.code == code]
    assert len(mine) == 1 and mine[0].grade == grade and mine[0].text
    if arrow is not None:
        assert mine[0].arrow == arrow


def test_a_sound_draft_has_no_trouble() -> None:
    edges = [["A", "M"], ["M", "Y"], ["A", "Y"]]
    assert draft_troubles(edges=edges, columns=["A", "M", "Y"], attribute="A", target="Y") == []
    own = [["sex", "M"], ["M", "Y"]]
    assert not draft_troubles(
        edges=own, columns=["sex", "M", "Y"], attribute="gender", target="Y", own_column="sex"
    )


@given(n=st.integers(1, 60), most=st.integers(1, 20))
def test_packets_hold_everybody_once(n: int, most: int) -> None:
    packets = packets_of(n=n, resamples=5, rng=np.random.default_rng(n), most=most)
    seen = packets.order[packets.order < n]
    assert sorted(seen) == list(range(n))
    values = np.arange(1.0, n + 1)
    for b in range(5):
        assert packets.drawn(values)[b] == pytest.approx(packets.row_times(b) @ values)
    matrix = np.column_stack([values, np.ones(n)])
    direct = (matrix * packets.row_times(2)[:, None]).T @ matrix
    np.testing.assert_allclose(packets.products(matrix, np.ones(n))[2], direct, rtol=1e-9)


def test_packets_give_the_spread_of_a_mean() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(0, 3, 50_000)
    packets = packets_of(n=len(values), resamples=4000, rng=rng)
    means = packets.drawn(values) / packets.drawn(np.ones(len(values)))
    assert means.std() == pytest.approx(3 / np.sqrt(len(values)), rel=0.08)


def fitted(kind: str | None, columns: dict[str, np.ndarray], **more: object) -> object:
    equation = {"kind": kind, **more} if kind else None
    graph, wrong = read_graph(
        {"edges": [["A", "Y"], ["X", "Y"]], "equations": {"Y": equation} if equation else {}},
        place="", name="g",
    )  # fmt: skip
    assert not wrong
    values = {k: Values(k, np.asarray(v, float)) for k, v in columns.items()}
    weight = np.ones(len(values["Y"].values))
    data = fitting_of(node="Y", graph=graph, values=values, weight=weight, group=values["A"].values)
    return equation_of(node="Y", graph=graph, values=values, data=data, seed=1)


def test_least_squares_agrees_with_numpy() -> None:
    rng = np.random.default_rng(2)
    x, y, w = rng.normal(5, 100, (200, 3)), rng.normal(0, 1, 200), rng.uniform(0.1, 2, 200)
    root = np.sqrt(w)
    wanted = np.linalg.lstsq(
        np.column_stack([np.ones(200), x]) * root[:, None], y * root, rcond=None
    )[0]
    np.testing.assert_allclose(least_squares(x, y, w)[0], wanted, rtol=1e-9, atol=1e-12)


def test_a_logistic_equation_is_scikit_learns() -> None:
    rng = np.random.default_rng(3)
    a, x = rng.integers(0, 2, 3000), rng.normal(0, 1, 3000)
    y = (rng.random(3000) < 1 / (1 + np.exp(-(0.3 - a + 2 * x)))).astype(int)
    equation = fitted(None, {"A": a, "X": x, "Y": y})
    assert isinstance(equation, Categories)
    model = LogisticRegression(C=np.inf, tol=1e-10).fit(np.column_stack([a, x]), y)
    np.testing.assert_allclose(equation.beta[0], [model.intercept_[0], *model.coef_[0]], rtol=1e-3)


def test_a_fitted_floor_finds_the_line_below_it() -> None:
    rng = np.random.default_rng(4)
    a, x = rng.integers(0, 2, 20_000).astype(float), rng.normal(0, 1, 20_000)
    y = np.maximum(1.0, 1.2 - a + 0.8 * x + rng.normal(0, 1.5, 20_000))
    equation = fitted("linear", {"A": a, "X": x, "Y": y}, floor=1)
    assert isinstance(equation, Censored)
    np.testing.assert_allclose(equation.beta, [1.2, -1.0, 0.8], atol=0.06)
    assert float(equation.sd) == pytest.approx(1.5, abs=0.03)
    noise = equation.noise(y, {"A": a, "X": x}, rng.random(len(y)))
    assert stats.kstest(noise / float(equation.sd), "norm").pvalue > 0.001
    np.testing.assert_allclose(equation.value({"A": a, "X": x}, noise), y, atol=1e-9)


@given(seed=st.integers(0, 500))
def test_every_equation_gives_back_what_it_abducted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 80
    a, x = rng.integers(0, 2, n).astype(float), rng.normal(0, 1, n)
    y = a + x + rng.normal(0, 1, n)
    for kind, value in (("linear", y), ("additive noise", y), ("logistic", (y > 0).astype(float))):
        a[:2] = (0, 1)
        equation = fitted(kind, {"A": a, "X": x, "Y": value})
        causes = {"A": a, "X": x}
        noise = equation.noise(value, causes, rng.random((7, n)))  # type: ignore[attr-defined]
        back = equation.value(causes, noise)  # type: ignore[attr-defined]
        np.testing.assert_allclose(back, np.broadcast_to(value, back.shape), atol=1e-9)


def test_the_other_groups_value_keeps_the_rank() -> None:
    age = pd.Series([20.0, 25.0, 29.0, 30.0, 50.0, 70.0])
    group = np.array([1, 1, 1, 0, 0, 0], float)
    table, how = swap(age, group, 2)
    assert table[0].tolist() == [30, 50, 70, 30, 50, 70]
    assert table[1].tolist() == [20, 25, 29, 20, 25, 29]
    assert "rank" in how
    kinds = pd.Series(["a", "b", "b", "c", "c", "d"], dtype="category")
    table, _ = swap(kinds, group, 2)
    assert table[0].tolist() == ["c", "c", "c", "c", "c", "d"]
    assert table[1].tolist() == ["a", "b", "b", "b", "b", "b"]
