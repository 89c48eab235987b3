"""What is drawn: exact laws where it is said to be exact, Monte Carlo bands where not."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine.methods.pricing.resampling import (
    EXACT,
    how_drawn,
    mean_draws,
    permutation_p,
    quantile_draws,
    sums_of_shuffles,
)
from engine.methods.pricing.side import EXACT_UP_TO, Side

DRAWS = 20_000


def side_of(values: np.ndarray, weight: np.ndarray | None = None) -> Side:
    order = np.argsort(values, kind="stable")
    return Side(values[order], None if weight is None else weight[order])


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60),
    st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9]),
)
@settings(max_examples=60, deadline=None)
def test_quantiles_are_numpys(values: list[float], q: float) -> None:
    found = side_of(np.array(values)).quantile(q)
    assert found == pytest.approx(np.quantile(values, q), rel=1e-12, abs=1e-9)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 4)), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_whole_weights_are_repeated_people(pairs: list[tuple[int, int]]) -> None:
    values, weight = (np.array(part, dtype=float) for part in zip(*pairs, strict=True))
    repeated = np.repeat(values, weight.astype(int))
    mine = side_of(values, weight)
    assert mine.mean() == pytest.approx(repeated.mean(), abs=1e-9)
    assert mine.quantile(0.5) == pytest.approx(np.median(repeated), abs=1e-9)
    for q in (0.1, 0.25, 0.75, 0.9):
        wanted = np.quantile(repeated, q, method="averaged_inverted_cdf")
        assert mine.quantile(q) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("q", [0.1, 0.25, 0.5, 0.9])
def test_quantile_draws_follow_the_law_of_the_bootstrap(q: float) -> None:
    """Every sample of five people drawn with replacement, each as likely: 3,125 of them."""
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    every = np.array(list(itertools.product(values, repeat=5)))
    wanted = np.quantile(every, q, axis=1)
    draws = quantile_draws(side=Side(values), q=q, resamples=DRAWS, rng=np.random.default_rng(1))
    for cut in np.unique(wanted)[:-1]:
        share = (wanted <= cut + 1e-9).mean()
        band = 4.5 * np.sqrt(share * (1 - share) / DRAWS)
        assert (draws <= cut + 1e-9).mean() == pytest.approx(share, abs=band)


def test_mean_draws_of_few_people_follow_the_law_of_the_bootstrap() -> None:
    values = np.array([1.0, 2.0, 4.0, 8.0])
    every = np.array(list(itertools.product(values, repeat=4))).mean(axis=1)
    draws, _ = mean_draws(side=Side(values), resamples=DRAWS, rng=np.random.default_rng(1))
    for cut in np.unique(every)[:-1:4]:
        share = (every <= cut + 1e-9).mean()
        band = 4.5 * np.sqrt(share * (1 - share) / DRAWS)
        assert (draws <= cut + 1e-9).mean() == pytest.approx(share, abs=band)


@pytest.mark.parametrize("kind", ["normal", "heavy tail", "few values"])
def test_blocks_give_the_interval_of_a_bootstrap_person_by_person(kind: str) -> None:
    rng = np.random.default_rng(5)
    n = 12_000
    values = {
        "normal": rng.standard_normal(n),
        "heavy tail": rng.pareto(2.5, n) * 1000,
        "few values": rng.integers(0, 40, n).astype(float),
    }[kind]
    side = side_of(values)
    assert len(side) > EXACT_UP_TO
    assert (how_drawn(side) == EXACT) == (kind == "few values")
    draws, _ = mean_draws(side=side, resamples=DRAWS, rng=np.random.default_rng(6))
    plain = np.array([rng.choice(values, n).mean() for _ in range(2_000)])
    se = values.std() / np.sqrt(n)
    assert draws.mean() == pytest.approx(values.mean(), abs=4.5 * se / np.sqrt(DRAWS))
    assert draws.std() == pytest.approx(se, rel=4.5 / np.sqrt(2 * DRAWS) * 1.2)
    for q in (0.025, 0.5, 0.975):
        deviation = np.sqrt(q * (1 - q) / 2_000) / stats.norm.pdf(stats.norm.ppf(q)) * se
        assert np.quantile(draws, q) == pytest.approx(np.quantile(plain, q), abs=4 * deviation)
    assert side.blocks().replaced < 1e-3


def test_weighted_blocks_keep_mean_and_spread() -> None:
    rng = np.random.default_rng(7)
    values, weight = np.exp(rng.standard_normal(9_000)), rng.uniform(0.5, 2, 9_000)
    side = side_of(values, weight)
    draws, logs = mean_draws(side=side, resamples=DRAWS, rng=np.random.default_rng(8), logs=True)
    mean = np.average(values, weights=weight)
    spread = np.sqrt(np.average((values - mean) ** 2, weights=weight) / side.effective)
    assert draws.mean() == pytest.approx(mean, abs=4.5 * spread / np.sqrt(DRAWS))
    assert draws.std() == pytest.approx(spread, rel=0.03)
    assert logs is not None
    assert logs.mean() == pytest.approx(np.average(np.log(values), weights=weight), abs=0.01)


def test_permutation_p_of_few_people_is_the_exact_one() -> None:
    values, chosen = np.array([1.0, 3, 4, 8, 9, 11]), np.array([1, 1, 1, 0, 0, 0], dtype=bool)
    gap = values[chosen].mean() - values[~chosen].mean()
    every = []
    for three in itertools.combinations(range(6), 3):
        mask = np.isin(np.arange(6), three)
        every.append(abs(values[mask].mean() - values[~mask].mean()) >= abs(gap) - 1e-12)
    wanted = float(np.mean(every))
    found = permutation_p(
        values=values, chosen=chosen, weight=None, permutations=DRAWS, rng=np.random.default_rng(1)
    )
    assert found == pytest.approx(wanted, abs=4.5 * np.sqrt(wanted * (1 - wanted) / DRAWS) + 1e-4)


def test_shuffles_by_blocks_have_the_spread_of_sampling_without_replacement() -> None:
    rng = np.random.default_rng(9)
    n, k = 8_000, 700
    values = rng.pareto(3, n)
    drawn = sums_of_shuffles(distance=values, k=k, permutations=DRAWS, rng=rng)
    spread = np.sqrt(k * (n - k) / (n - 1) * values.var())
    assert drawn.mean() == pytest.approx(k * values.mean(), abs=4.5 * spread / np.sqrt(DRAWS))
    assert drawn.std() == pytest.approx(spread, rel=0.03)
    plain = np.array([rng.permutation(values)[:k].sum() for _ in range(2_000)])
    assert stats.ks_2samp(drawn, plain).pvalue > 0.001
