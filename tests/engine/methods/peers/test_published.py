"""Draws against their closed form, the tests against scipy, classes and flag rates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine.methods.peers.matching import Moments, find_peers, moments
from engine.methods.peers.published import (
    CLASSES,
    classify,
    closed_form,
    draw_means,
    flag_rate,
    one_sample,
)


@pytest.mark.parametrize("replace", [True, False])
def test_draws_agree_with_the_closed_form(replace: bool) -> None:
    rng = np.random.default_rng(5)
    values = rng.beta(2, 5, 120)
    stretches = find_peers(
        protected=np.array([0.5, 0.1]), unprotected=np.linspace(0, 1, 120), delta=0.35
    )
    persons = np.array([0, 1])
    draws, sample = 20_000, 30
    mean, sd = draw_means(
        stretches=stretches, likelihood=values, persons=persons, draws=draws, sample=sample,
        replace=replace, rng=np.random.default_rng(6),
    )  # fmt: skip
    peers = moments(stretches, values)
    exact_mean, exact_sd = closed_form(
        moments=peers, n=stretches.n, draws=draws, sample=sample, replace=replace
    )
    error = exact_sd / np.sqrt(draws)
    assert (np.abs(mean - exact_mean) < 4.5 * error).all()
    assert sd == pytest.approx(exact_sd, rel=0.03)
    for i in range(2):
        mine = values[stretches.of(i)]
        if replace:
            assert exact_sd[i] ** 2 == pytest.approx(mine.var() / sample)
        else:
            n = len(mine)
            assert exact_sd[i] ** 2 == pytest.approx(mine.var(ddof=1) / sample * (1 - sample / n))


def test_without_replacement_every_peer_is_drawn_as_often() -> None:
    """Floyd's algorithm, for all at once: all of n when K = n, and flat inclusion."""
    values = np.arange(8.0)
    stretches = find_peers(protected=np.array([0.0]), unprotected=np.zeros(8), delta=1.0)
    mean, sd = draw_means(
        stretches=stretches, likelihood=values, persons=np.array([0]), draws=50, sample=8,
        replace=False, rng=np.random.default_rng(1),
    )  # fmt: skip
    assert mean[0] == pytest.approx(3.5) and sd[0] == pytest.approx(0, abs=1e-12)
    inclusion = []
    for one in range(8):
        mean, _ = draw_means(
            stretches=stretches, likelihood=(values == one).astype(float), persons=np.array([0]),
            draws=20_000, sample=3, replace=False, rng=np.random.default_rng(one),
        )  # fmt: skip
        inclusion.append(mean[0] * 3)
    assert inclusion == pytest.approx([3 / 8] * 8, abs=0.015)


def test_one_sample_equals_scipy() -> None:
    rng = np.random.default_rng(2)
    drawn = rng.normal(0.7, 0.02, (4, 100))
    own = np.array([0.69, 0.70, 0.705, 0.72])
    found = one_sample(own=own, mean=drawn.mean(axis=1), sd=drawn.std(axis=1, ddof=1), draws=100)
    for i in range(4):
        both = stats.ttest_1samp(drawn[i], own[i])
        assert found.t[i] == pytest.approx(both.statistic)
        assert found.two_sided[i] == pytest.approx(both.pvalue)
        higher = stats.ttest_1samp(drawn[i], own[i], alternative="greater")
        assert found.peers_higher[i] == pytest.approx(higher.pvalue)
        assert found.peers_lower[i] == pytest.approx(1 - higher.pvalue)


def test_peers_without_spread() -> None:
    found = one_sample(
        own=np.array([0.5, 0.4]), mean=np.array([0.5, 0.5]), sd=np.zeros(2), draws=100
    )
    assert found.two_sided.tolist() == [1.0, 0.0]
    assert found.peers_higher[1] == 0.0


@settings(max_examples=200, deadline=None)
@given(own=st.floats(0.01, 1), mean=st.floats(0, 1), p=st.floats(0, 1), level=st.floats(0.01, 0.2))
def test_classes_are_disjoint_and_signed(own: float, mean: float, p: float, level: float) -> None:
    (place,) = classify(
        own=np.array([own]),
        mean=np.array([mean]),
        two_sided=np.array([p]),
        level=level,
        extreme=0.1,
    )
    name = CLASSES[place]
    assert (name == "FT") == (p > level)
    if name in ("ED", "SD"):
        assert mean > own  # discriminated: the peers' mean is higher (H2 of the paper is swapped)
    if name in ("ED", "EP"):
        assert abs(own - mean) > 0.1 * own


@pytest.mark.parametrize(
    ("draws", "wanted"), [(10, 0.896), (30, 0.946), (100, 0.971), (1000, 0.991), (10_000, 0.997)]
)
def test_flag_rate_closed_form(draws: int, wanted: float) -> None:
    """methods/peers.md, section 2: 2 Phi(-t / sqrt(NK + 1))."""
    assert flag_rate(draws=draws, sample=30, level=0.05) == pytest.approx(wanted, abs=0.0005)


@pytest.mark.parametrize("draws", [10, 100])
@pytest.mark.parametrize("replace", [True, False])
def test_flag_rate_by_simulation(draws: int, replace: bool) -> None:
    """A person who is simply one of the peers, drawn from the same normal."""
    rng = np.random.default_rng(9)
    flagged = []
    for _ in range(60):
        n = 300
        values = rng.normal(size=n)
        own = rng.normal(size=40)
        stretches = find_peers(protected=np.zeros(40), unprotected=np.zeros(n), delta=1.0)
        mean, sd = draw_means(
            stretches=stretches, likelihood=values, persons=np.arange(40), draws=draws, sample=30,
            replace=replace, rng=rng,
        )  # fmt: skip
        found = one_sample(own=own, mean=mean, sd=sd, draws=draws)
        flagged.append((found.two_sided < 0.05).mean())
    wanted = flag_rate(draws=draws, sample=30, level=0.05, replace=replace, n=np.full(1, 300))
    assert np.mean(flagged) == pytest.approx(wanted, abs=0.012)


def test_closed_form_test_of_the_exact_mean() -> None:
    same = Moments(np.array([0.5]), np.array([0.2]))
    mean, sd = closed_form(moments=same, n=np.array([100]), draws=100, sample=30, replace=True)
    assert mean[0] == 0.5
    assert sd[0] == pytest.approx(0.2 / np.sqrt(30))
    # draws add a little luck of their own, so the test without them flags a shade less
    assert flag_rate(draws=2, sample=1, level=0.05, exact_mean=True) < flag_rate(
        draws=2, sample=1, level=0.05
    )
