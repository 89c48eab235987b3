"""Peers, moments and ranks equal the double loop, ties exactly on delta included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.methods.peers.matching import (
    count_below,
    find_peers,
    identification_coefficient,
    means,
    moments,
)

# Multiples of 0.1 are the hard case: a - delta and |a - b| round to different sides.
lattice = st.integers(0, 30).map(lambda k: k * 0.1)
free = st.floats(0, 5, allow_nan=False)
numbers = st.lists(st.one_of(lattice, free), min_size=0, max_size=25)


def double_loop(a: list[float], b: list[float], delta: float, strict: bool) -> list[list[int]]:
    """Algorithm 1 of the paper, as printed."""
    found = []
    for mine in a:
        peers = []
        for place, other in enumerate(b):
            distance = abs(mine - other)
            if distance < delta or (not strict and distance == delta):
                peers.append(place)
        found.append(peers)
    return found


@settings(max_examples=400, deadline=None)
@given(a=numbers, b=numbers, delta=st.one_of(lattice, free), strict=st.booleans())
def test_peers_equal_algorithm_1(
    a: list[float], b: list[float], delta: float, strict: bool
) -> None:
    stretches = find_peers(
        protected=np.array(a), unprotected=np.array(b), delta=delta, strict=strict
    )
    wanted = double_loop(a, b, delta, strict)
    assert [sorted(stretches.of(i).tolist()) for i in range(len(a))] == wanted
    assert stretches.n.tolist() == [len(p) for p in wanted]


@settings(max_examples=200, deadline=None)
@given(
    data=st.data(),
    b=st.lists(lattice, min_size=1, max_size=30),
    a=st.lists(lattice, min_size=1, max_size=15),
)
def test_moments_and_ranks_equal_the_loop(
    data: st.DataObject, a: list[float], b: list[float]
) -> None:
    values = np.array(
        data.draw(
            st.lists(st.integers(0, 6).map(lambda k: k / 6), min_size=len(b), max_size=len(b))
        )
    )
    own = np.array(
        data.draw(
            st.lists(st.integers(0, 6).map(lambda k: k / 6), min_size=len(a), max_size=len(a))
        )
    )
    stretches = find_peers(protected=np.array(a), unprotected=np.array(b), delta=0.3)
    found = moments(stretches, values)
    mean = means(stretches, values)
    below, equal = count_below(stretches, values, own)
    for i, peers in enumerate(double_loop(a, b, 0.3, True)):
        mine = values[peers]
        if peers:
            assert found.mean[i] == pytest.approx(mine.mean(), abs=1e-12)
            assert found.sd[i] == pytest.approx(mine.std(), abs=1e-7)
            assert mean[i] == pytest.approx(mine.mean(), abs=1e-12)
        else:
            assert np.isnan(found.mean[i]) and np.isnan(mean[i])
        assert below[i] == int((mine < own[i]).sum())
        assert equal[i] == int((mine == own[i]).sum())


def test_large_sample_against_broadcasting() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.uniform(0, 2, 700), rng.uniform(0, 2, 900)
    values, own = rng.random(900), rng.random(700)
    near = np.abs(a[:, None] - b[None, :]) < 0.17
    stretches = find_peers(protected=a, unprotected=b, delta=0.17)
    assert (stretches.n == near.sum(axis=1)).all()
    found = moments(stretches, values)
    wanted_mean = near @ values / near.sum(axis=1)
    wanted_sd = np.sqrt(near @ values**2 / near.sum(axis=1) - wanted_mean**2)
    assert np.abs(found.mean - wanted_mean).max() < 1e-12
    assert np.abs(found.sd - wanted_sd).max() < 1e-11
    below, _ = count_below(stretches, values, own)
    assert (below == (near & (values[None, :] < own[:, None])).sum(axis=1)).all()


def test_no_unprotected_people() -> None:
    stretches = find_peers(protected=np.array([0.1]), unprotected=np.array([]), delta=1.0)
    assert stretches.n.tolist() == [0]
    assert np.isnan(moments(stretches, np.array([])).mean).all()


def test_peers_who_are_all_alike_have_no_spread() -> None:
    stretches = find_peers(protected=np.array([0.5]), unprotected=np.linspace(0, 1, 50), delta=2.0)
    assert moments(stretches, np.full(50, 0.1)).sd[0] == 0.0


def test_identification_coefficient_averages_to_one() -> None:
    """With true propensities the coefficient's mean is E[p|s-]/pi: 1 where x tells nothing."""
    protected = np.array([True, False, False, False])
    found = identification_coefficient(propensity=np.full(4, 0.25), protected=protected)
    assert found == pytest.approx(np.ones(4))
