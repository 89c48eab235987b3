"""The companions: exact ranks, equivalence, group effect, balance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from engine.methods.peers.matching import find_peers, moments
from engine.methods.peers.valid import augmented_effect, balance, equivalence, exact_ranks


def _everyone(n: int, m: int):  # type: ignore[no-untyped-def]
    return find_peers(protected=np.zeros(n), unprotected=np.zeros(m), delta=1.0)


def test_rank_of_the_picture() -> None:
    """wizard-peers.png: 47 peers of whom 6 score lower gives p = 0.29."""
    values = np.concatenate((np.full(6, 0.1), np.full(41, 0.9)))
    ranks = exact_ranks(
        stretches=_everyone(1, 47), likelihood=values, own=np.array([0.25]), tested=np.array([True])
    )
    assert ranks.below[0] == 6
    assert ranks.p[0] == pytest.approx(2 * 7 / 48)
    assert round(float(ranks.p[0]), 2) == 0.29


@pytest.mark.parametrize(("peers", "reaches"), [(38, False), (39, True)])
def test_rank_needs_39_peers_for_five_per_cent(peers: int, reaches: bool) -> None:
    ranks = exact_ranks(
        stretches=_everyone(1, peers), likelihood=np.arange(peers) + 1.0, own=np.array([0.0]),
        tested=np.array([True]),
    )  # fmt: skip
    assert (ranks.p[0] <= 0.05) == reaches


def test_rank_p_is_valid_when_exchangeable() -> None:
    """Under exchangeability P(p <= a) is at most a, ties or none."""
    rng = np.random.default_rng(4)
    found = []
    for digits in (8, 1):
        p = []
        for _ in range(300):
            values = rng.random(60).round(digits)
            own = rng.random(10).round(digits)
            ranks = exact_ranks(
                stretches=_everyone(10, 60), likelihood=values, own=own, tested=np.ones(10, bool)
            )
            p += ranks.p.tolist()
        found.append(np.mean(np.array(p) <= 0.05))
    assert 0.03 < found[0] < 0.06  # 2/61 is the largest multiple below 5 %
    assert found[1] <= 0.05 + 0.01


def test_adjusted_p_is_scipys() -> None:
    rng = np.random.default_rng(8)
    values, own = rng.random(80), rng.random(30)
    tested = np.arange(30) % 3 > 0
    ranks = exact_ranks(stretches=_everyone(30, 80), likelihood=values, own=own, tested=tested)
    assert np.isnan(ranks.p[~tested]).all()
    assert ranks.adjusted[tested] == pytest.approx(stats.false_discovery_control(ranks.p[tested]))


def test_equivalence_equals_two_t_tests() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(0.8, 0.1, 50)
    stretches = _everyone(1, 50)
    own = np.array([0.78])
    found = equivalence(own=own, peers=moments(stretches, values), n=stretches.n, margin=0.1)
    low = stats.ttest_1samp(values, 0.78 - 0.078, alternative="greater").pvalue
    high = stats.ttest_1samp(values, 0.78 + 0.078, alternative="less").pvalue
    assert found[0] == pytest.approx(max(low, high))


def test_equivalence_without_spread_or_peers() -> None:
    stretches = _everyone(2, 5)
    found = equivalence(
        own=np.array([0.5, 0.2]),
        peers=moments(stretches, np.full(5, 0.52)),
        n=stretches.n,
        margin=0.1,
    )
    assert found.tolist() == [0.0, 1.0]


def test_augmented_effect_is_the_difference_of_means_in_a_trial() -> None:
    """With a constant propensity and outcome model it is the difference of the two means."""
    rng = np.random.default_rng(1)
    protected = rng.random(4000) < 0.4
    outcome = (rng.random(4000) < np.where(protected, 0.5, 0.7)).astype(float)
    share = float(protected.mean())
    effect = augmented_effect(
        outcome=outcome, protected=protected, propensity=np.full(4000, share),
        expected=np.full(4000, outcome[~protected].mean()),
    )  # fmt: skip
    wanted = outcome[protected].mean() - outcome[~protected].mean()
    assert effect.value == pytest.approx(wanted)
    a, b = outcome[protected], outcome[~protected]
    assert effect.error == pytest.approx(np.sqrt(a.var() / len(a) + b.var() / len(b)), rel=0.05)


@pytest.mark.parametrize("right", ["propensity", "outcome"])
def test_augmented_effect_is_doubly_robust(right: str) -> None:
    rng = np.random.default_rng(2)
    n = 60_000
    x = rng.integers(0, 3, n)
    e = np.array([0.2, 0.5, 0.7])[x]
    protected = rng.random(n) < e
    expected = np.array([0.3, 0.5, 0.8])[x]
    outcome = (rng.random(n) < expected - 0.1 * protected).astype(float)
    effect = augmented_effect(
        outcome=outcome, protected=protected,
        propensity=e if right == "propensity" else np.full(n, 0.45),
        expected=expected if right == "outcome" else np.full(n, 0.6),
    )  # fmt: skip
    assert effect.value == pytest.approx(-0.1, abs=4 * effect.error)
    assert effect.error < 0.01


def test_balance_shrinks_with_the_right_peers() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=3000)
    protected = rng.random(3000) < 1 / (1 + np.exp(-x))
    p = 1 / (1 + np.exp(-x))
    like = find_peers(protected=p[protected], unprotected=p[~protected], delta=0.02)
    mirror = find_peers(protected=p[protected], unprotected=1 - p[~protected], delta=0.02)
    found = balance(
        matrix=np.column_stack((x, np.ones(3000))), protected=protected, published=mirror,
        published_tested=mirror.n >= 20, like=like, like_tested=like.n >= 20,
    )  # fmt: skip
    assert np.isnan(found.raw[1])
    assert abs(found.same_propensity[0]) < 0.05 < abs(found.raw[0])
    # The untested lie beyond the others' propensities: far to one side, in the same unit.
    tested, mine, theirs = mirror.n >= 20, x[protected], x[~protected]
    unit = np.sqrt((mine.var() + theirs.var()) / 2)
    assert found.untested[0] == pytest.approx((mine[~tested].mean() - mine[tested].mean()) / unit)
