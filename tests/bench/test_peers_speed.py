"""How fast peers are found: run on demand with ``pytest tests/bench``.

Processor times of one machine in one run, so that the ratios hold on any, busy or not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.base.watch import Watch
from engine.methods.peers.likelihood import fit
from engine.methods.peers.matching import find_peers, identification_coefficient, moments
from engine.methods.peers.published import closed_form, draw_means
from engine.methods.peers.valid import exact_ranks

N, M = 1719, 2440


def timed(work: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    best, found = float("inf"), None
    for _ in range(times):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


@pytest.fixture(scope="module")
def small() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    return {
        "a": rng.gamma(4, 0.3, N), "b": rng.gamma(4, 0.25, M), "values": rng.beta(8, 2, M),
        "own": rng.beta(6, 2, N),
    }  # fmt: skip


def test_peers_a_thousand_times_faster_than_the_double_loop(small: dict[str, Any]) -> None:
    share, delta = N / (N + M), 0.15
    p = (small["a"] * share).tolist()
    q = (1 - small["b"] * (1 - share)).tolist()

    def algorithm_1() -> list[list[int]]:
        """As printed in appendix B: the coefficient of each B is computed for each A."""
        found = []
        for mine in p:
            peers = []
            own = mine / share
            for place, other in enumerate(q):
                distance = abs(own - (1 - other) / (1 - share))
                if distance < delta:
                    peers.append(place)
            found.append(peers)
        return found

    a = np.array(p) / share
    b = (1 - np.array(q)) / (1 - share)
    slow, wanted = timed(algorithm_1)
    fast, found = timed(lambda: find_peers(protected=a, unprotected=b, delta=delta), 50)
    assert found.n.tolist() == [len(peers) for peers in wanted]
    print(f"double loop {slow:.3f} s, ours {1000 * fast:.3f} ms: {slow / fast:,.0f} times")
    assert slow / fast >= 1000


def test_draws_against_pandas_person_by_person(small: dict[str, Any]) -> None:
    stretches = find_peers(protected=small["a"], unprotected=small["b"], delta=0.15)
    persons = np.flatnonzero(stretches.n >= 35)
    frame = pd.DataFrame({"value": small["values"]})
    some = persons[:15]

    def pandas() -> list[float]:
        found = []
        for person in some:
            peers = frame.iloc[stretches.of(person)]
            means = [
                peers.sample(30, replace=True, random_state=k)["value"].mean() for k in range(100)
            ]
            found.append(float(np.mean(means)))
        return found

    slow, _ = timed(pandas)
    slow *= len(persons) / len(some)
    fast, _ = timed(
        lambda: draw_means(
            stretches=stretches, likelihood=small["values"], persons=persons, draws=100, sample=30,
            replace=True, rng=np.random.default_rng(1),
        ),
        3,
    )  # fmt: skip
    print(
        f"pandas {slow:.1f} s (from {len(some)} people), ours {fast:.3f} s: {slow / fast:,.0f} times"
    )
    assert slow / fast >= 300


def test_a_million_rows_take_less_than_their_two_models() -> None:
    rng = np.random.default_rng(2)
    rows = 1_000_000
    x = rng.normal(size=(rows, 15))
    protected = rng.random(rows) < 1 / (1 + np.exp(-(x[:, 0] - 0.4)))
    good = (rng.random(rows) < 1 / (1 + np.exp(-x[:, 1]))).astype(np.int8)
    everyone = np.ones(rows, bool)

    def models() -> list[Any]:
        return [
            fit(
                matrix=x, target=target, known=everyone, model="logistic_regression", tune=False,
                seed=1, watch=Watch(), words="",
            ).probability
            for target in (protected.astype(np.int8), good)
        ]  # fmt: skip

    slow, (propensity, likelihood) = timed(models)

    def compare() -> None:
        xi = identification_coefficient(propensity=propensity, protected=protected)
        delta = 0.3 * float(xi[protected].std())
        peers = find_peers(protected=xi[protected], unprotected=xi[~protected], delta=delta)
        peer_moments = moments(peers, likelihood[~protected])
        closed_form(moments=peer_moments, n=peers.n, draws=100, sample=30, replace=True)
        like = find_peers(
            protected=propensity[protected], unprotected=propensity[~protected],
            delta=delta * float(protected.mean()),
        )  # fmt: skip
        exact_ranks(
            stretches=like, likelihood=likelihood[~protected], own=likelihood[protected],
            tested=like.n >= 35,
        )  # fmt: skip

    fast, _ = timed(compare)
    print(f"two models {slow:.1f} s; peers, closed form and exact ranks {fast:.1f} s")
    assert fast < slow
