"""Counterfactuals of many people, against DoWhy's ``gcm.counterfactual_samples``.

Run on demand: ``FAIRASSAY_DOWHY=/path/to/python pytest -o addopts= -s
tests/bench/test_counterfactual_speed.py``, where that interpreter has DoWhy (it may be this one).
Both sides answer in the same run, on the same people and graph; processor times, so that the
ratios hold on a busy machine too. Fitting is shown apart: the answers are what is compared.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.base.watch import Watch
from engine.causal.build import ask, build
from engine.causal.world import abduct, act
from engine.methods.counterfactual.settings import METHOD
from tests.engine import helpers

LEAST_FACTOR = 5.0
PEOPLE, NODES = 100_000, 10
FEWER, DRAWS = 10_000, 200


def timed(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    best, found = float("inf"), None
    for _ in range(times):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


def people(n: int, first: str) -> tuple[pd.DataFrame, list[list[str]]]:
    """A chain of ten nodes with jumps; the first below A a number, or yes and no."""
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"A": rng.integers(0, 2, n).astype(float)})
    edges = []
    for i in range(1, NODES):
        causes = ["A", *(f"N{j}" for j in range(max(1, i - 2), i))]
        edges += [[c, f"N{i}"] for c in causes]
        line = sum(0.5 * table[c] for c in causes)
        if i == 1 and first == "yes or no":
            table[f"N{i}"] = (rng.random(n) < 1 / (1 + np.exp(-line))).astype(float)
        else:
            table[f"N{i}"] = line + rng.normal(0, 1, n)
    return table, edges


def asked(table: pd.DataFrame, edges: list[list[str]]) -> Any:
    one = helpers.attribute("A", "0", "1")
    groups = {c: table[c].to_numpy() for c in table}
    groups["A"] = table["A"].astype(int).to_numpy()
    cohort = helpers.cohort([one], test=helpers.sample("test", [one], groups))
    return ask(
        cohort=cohort, plan=helpers.plan([one], outcome=None), method="counterfactual", attribute=None,
        target=f"N{NODES - 1}", graphs=[{"name": "g", "edges": edges}], key="graphs",
    )  # fmt: skip


def answers(question: Any, built: Any, draws: int) -> dict[str, Any]:
    world = built.world
    shape = (draws, len(question.sample)) if draws else (len(question.sample),)
    rng = np.random.default_rng(2)
    chance = {node: rng.random(shape) for node in world.random}
    return act(world, abduct(world, chance), 1 - question.group.values)


def rival(
    folder: Path, table: pd.DataFrame, edges: list[list[str]], draws: int
) -> tuple[float, Any]:
    """DoWhy's processor time and its answers for the last column, a mean over draws a person."""
    python = os.environ.get("FAIRASSAY_DOWHY", "")
    if not python and importlib.util.find_spec("dowhy") is not None:
        python = sys.executable
    if not python:
        pytest.skip("FAIRASSAY_DOWHY names no interpreter with DoWhy, and DoWhy is not here")
    np.savez(folder / "people.npz", **{c: table[c].to_numpy() for c in table})
    (folder / "edges.json").write_text(json.dumps(edges))
    peer = Path(__file__).with_name("dowhy_peer.py")
    subprocess.run([python, str(peer), str(folder), str(draws)], check=True, timeout=900)
    told = json.loads((folder / "told.json").read_text())
    print(f"DoWhy {told['dowhy']}: {told['seconds']:.3f} s")
    return told["seconds"], np.load(folder / "answers.npz")["last"]


LAST = f"N{NODES - 1}"


def test_a_hundred_thousand_people_ten_straight_nodes(tmp_path: Path) -> None:
    table, edges = people(PEOPLE, "number")
    question = asked(table, edges)
    fitting, built = timed(lambda: build(question, question.graphs[0]), times=1)
    mine, found = timed(lambda: answers(question, built, 0), times=10)
    print(
        f"\n{PEOPLE} people, {NODES} nodes: fit and diagnostics {fitting:.3f} s, answers {mine:.4f} s"
    )
    theirs, other = rival(tmp_path, table, edges, 1)
    print(f"factor {theirs / mine:.1f}")
    np.testing.assert_allclose(found[LAST], other, atol=1e-6)
    assert theirs >= LEAST_FACTOR * mine


def test_ten_thousand_people_two_hundred_draws(tmp_path: Path) -> None:
    """A yes or no in the chain, drawn 200 times a person on both sides."""
    table, edges = people(FEWER, "yes or no")
    question = asked(table, edges)
    built = build(question, question.graphs[0])
    mine, found = timed(lambda: answers(question, built, DRAWS))
    drawn = found[LAST]
    assert drawn.shape == (DRAWS, FEWER)
    print(f"\n{FEWER} people x {DRAWS} draws, {NODES} nodes: {mine:.3f} s")
    theirs, other = rival(tmp_path, table, edges, DRAWS)
    print(f"factor {theirs / mine:.1f}")
    # both means are over draws of their own; the two fits agree to their stopping rules
    error = np.sqrt(2 * drawn.var(axis=0) / DRAWS)
    assert abs((drawn.mean(axis=0) - other).mean()) < 4 * np.sqrt((error**2).mean() / FEWER) + 1e-3
    assert (np.abs(drawn.mean(axis=0) - other) < 4 * error + 5e-3).mean() > 0.999
    assert theirs >= LEAST_FACTOR * mine


def test_as_many_rows_without_anything_drawn(tmp_path: Path) -> None:
    """DoWhy's quickest way over as many rows (straight lines, nothing to draw), against ours with
    a yes or no drawn."""
    table, edges = people(FEWER, "yes or no")
    question = asked(table, edges)
    built = build(question, question.graphs[0])
    mine, _ = timed(lambda: answers(question, built, DRAWS))
    straight, edges = people(FEWER, "number")
    theirs, _ = rival(tmp_path, straight, edges, DRAWS)
    print(f"\n{FEWER} people x {DRAWS}: {mine:.3f} s, factor {theirs / mine:.1f}")
    assert theirs >= LEAST_FACTOR * mine


def test_the_whole_method_with_its_intervals() -> None:
    from engine.methods.counterfactual.compute import compute

    table, edges = people(PEOPLE, "number")
    question = asked(table, edges)
    settings = METHOD.defaults() | {
        "target": f"N{NODES - 1}", "graphs": [{"name": "g", "edges": edges}],
    }  # fmt: skip
    mine, found = timed(
        lambda: compute(
            cohort=question.cohort, plan=question.plan, settings=settings, watch=Watch()
        ),
        times=1,
    )
    part = found.result["graphs"]["g"]
    print(f"\nthe whole method, {PEOPLE} people, 1000 resamples: {mine:.2f} s")
    assert part["persons"] == PEOPLE and part["oriented"]["low"] is not None
    assert mine < 30
