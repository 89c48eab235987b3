"""The bootstrap of a million quotes against scipy's, in the same run, with the ends compared.

Run on demand with ``pytest tests/bench/test_pricing_speed.py -s``. Processor times, so that the
ratio holds on a busy machine too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from engine.methods.pricing.gaps import Terms, compare
from engine.methods.pricing.people import Pair, Quote
from engine.methods.pricing.resampling import mean_draws, quantile_draws

PEOPLE, RESAMPLES = 1_000_000, 2_000
WANTED = 20.0
TERMS = Terms(seed=1, confidence=0.95, resamples=RESAMPLES, permutations=RESAMPLES)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


@pytest.fixture(scope="module")
def quotes() -> tuple[np.ndarray, np.ndarray]:
    """A million quotes with a heavy tail, 30 % of them of the unprivileged group."""
    rng = np.random.default_rng(20261129)
    group = rng.random(PEOPLE) < 0.3
    return np.exp(8 + 0.8 * rng.standard_normal(PEOPLE) + 0.02 * group), group


def quote_and_pair(values: np.ndarray, group: np.ndarray) -> tuple[Quote, Pair]:
    pair = Pair(group.astype(float), (~group).astype(float), ("one", "other"))
    return Quote.of("rate", values, None), pair


def band(se: float) -> float:
    """Three Monte Carlo standard errors of a 2.5 % percentile, of two runs."""
    one = se * np.sqrt(0.025 * 0.975 / RESAMPLES) / stats.norm.pdf(1.96)
    return float(3 * np.sqrt(2) * one)


def test_interval_of_the_mean_gap(quotes: tuple[np.ndarray, np.ndarray]) -> None:
    values, group = quotes

    def ours() -> tuple[float, float]:
        quote, pair = quote_and_pair(values, group)
        rng = np.random.default_rng(2)
        sides = (quote.side(pair.unprivileged, False), quote.side(pair.privileged, False))
        drawn = [mean_draws(side=s, resamples=RESAMPLES, rng=rng)[0] for s in sides]
        low, high = np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
        return float(low), float(high)

    def theirs() -> tuple[float, float]:
        found = stats.bootstrap(
            (values[group], values[~group]),
            lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
            n_resamples=RESAMPLES, batch=5, method="percentile", vectorized=True,
            rng=np.random.default_rng(3),
        )  # fmt: skip
        return float(found.confidence_interval.low), float(found.confidence_interval.high)

    mine, quick = timed(ours)
    other, slow = timed(theirs)
    se = float(np.sqrt(values[group].var() / group.sum() + values[~group].var() / (~group).sum()))
    print(f"ours {quick:.2f} s {mine}, scipy {slow:.1f} s {other}, ratio {slow / quick:.0f}")
    assert mine == pytest.approx(other, abs=band(se))
    assert slow / quick >= WANTED


def test_everything_at_once_is_faster_than_scipys_mean_alone(
    quotes: tuple[np.ndarray, np.ndarray],
) -> None:
    """Mean, relative gap, five quantiles, log ratio and permutation p together."""
    values, group = quotes

    def ours() -> dict[str, Any]:
        quote, pair = quote_and_pair(values, group)
        return compare(quote=quote, pair=pair, terms=TERMS, key="bench")

    found, quick = timed(ours)
    few = 50  # scipy's cost is straight in the resamples
    _, slow = timed(
        lambda: stats.bootstrap(
            (values[group], values[~group]),
            lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
            n_resamples=few, batch=5, method="percentile", vectorized=True,
            rng=np.random.default_rng(3),
        )
    )  # fmt: skip
    slow *= RESAMPLES / few
    print(f"all gaps {quick:.2f} s, scipy's mean gap {slow:.1f} s, ratio {slow / quick:.0f}")
    print("drawn", found["drawn"])
    assert slow / quick >= WANTED


def test_interval_of_the_median(quotes: tuple[np.ndarray, np.ndarray]) -> None:
    """Quantiles are exact: against scipy's median of 100,000 people, whose ends must agree."""
    values = quotes[0][:100_000]

    def ours() -> tuple[float, float]:
        quote = Quote.of("rate", values, None)
        side = quote.side(np.ones(len(values)), False)
        draws = quantile_draws(side=side, q=0.5, resamples=RESAMPLES, rng=np.random.default_rng(2))
        low, high = np.quantile(draws, [0.025, 0.975])
        return float(low), float(high)

    mine, quick = timed(ours)
    other, slow = timed(
        lambda: stats.bootstrap(
            (values,), np.median, n_resamples=RESAMPLES, batch=20, method="percentile",
            rng=np.random.default_rng(3),
        ).confidence_interval
    )  # fmt: skip
    se = (other.high - other.low) / (2 * 1.96)
    print(f"median: ours {quick:.3f} s {mine}, scipy {slow:.1f} s, ratio {slow / quick:.0f}")
    assert mine == pytest.approx((other.low, other.high), abs=band(se))
    assert slow / quick >= WANTED
