"""Tests of two rates and bounds, against scipy, statistics in print, and brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine.fairness.bounds import parity_bounds
from engine.fairness.counts import count_table
from engine.fairness.tests import holm, katz, newcombe, passes_four_fifths, two_rates, wilson

COUNT = st.integers(0, 40)


@given(a=COUNT, b=COUNT, more_a=st.integers(1, 40), more_b=st.integers(1, 40))
def test_z_is_the_square_root_of_pearsons_chi_square(
    a: int, b: int, more_a: int, more_b: int
) -> None:
    n = (a + more_a, b + more_b)
    found = two_rates(favourable=(a, b), n=n)
    if a + b == 0:
        assert found.z is None
        return
    chi2, p, *_ = stats.chi2_contingency([[a, more_a], [b, more_b]], correction=False)
    assert found.z is not None and found.z_p is not None
    assert found.z**2 == pytest.approx(chi2, abs=1e-9)
    assert found.z_p == pytest.approx(p, abs=1e-9)
    assert found.fisher_p == pytest.approx(
        min(1.0, stats.fisher_exact([[a, more_a], [b, more_b]]).pvalue)
    )


def test_flip_flop_and_shortfall_by_hand() -> None:
    found = two_rates(favourable=(7, 9), n=(10, 10))
    assert (found.four_fifths, found.flip_flop) == (False, True)  # 8/10 against 8/10
    assert found.shortfall == pytest.approx(2.0)
    found = two_rates(favourable=(4, 8), n=(10, 10))
    assert (found.four_fifths, found.flip_flop) == (False, False)  # 5/7 stays below 0.8
    found = two_rates(favourable=(9, 5), n=(10, 10))
    assert (found.four_fifths, found.flip_flop, found.shortfall) == (True, False, 0.0)


@pytest.mark.parametrize(("k", "m"), [(4, 5), (8, 10), (24, 30), (12, 15)])
def test_exactly_four_fifths_passes(k: int, m: int) -> None:
    assert passes_four_fifths(favourable=(k, m), n=(100, 100)) is True
    assert passes_four_fifths(favourable=(k, m), n=(101, 100)) is False


def test_no_rate_no_ratio() -> None:
    assert passes_four_fifths(favourable=(0, 0), n=(5, 5)) is None
    assert two_rates(favourable=(0, 0), n=(0, 5)).shortfall is None


def test_weighted_counts_have_no_fisher_test_and_a_z_at_kishs_size() -> None:
    plain = two_rates(favourable=(4, 8), n=(10, 10))
    found = two_rates(favourable=(40, 80), n=(100, 100), effective_n=(10, 10), weighted=True)
    assert found.fisher_p is None
    assert found.z == pytest.approx(plain.z)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_never_lowers_and_keeps_the_order(ps: list[float]) -> None:
    found = [p for p in holm(ps) if p is not None]
    assert all(q >= p for p, q in zip(ps, found, strict=True))
    order = np.argsort(ps, kind="stable")
    assert list(np.array(found)[order]) == sorted(found)
    assert min(found) == pytest.approx(min(1.0, len(ps) * min(ps)))


def test_printed_intervals() -> None:
    # Newcombe (1998), Table II: 56/70 - 48/80, 9/10 - 3/10, 0/20 - 0/10 by method 10.
    for favourable, n, low, high in (
        ((56, 48), (70, 80), 0.0524, 0.3339),
        ((9, 3), (10, 10), 0.1705, 0.8090),
        ((0, 0), (20, 10), -0.2775, 0.1611),
    ):
        ends = newcombe(favourable=favourable, n=n, confidence=0.95)
        assert ends == pytest.approx((low, high), abs=5.1e-5)
    exact = stats.binomtest(8, 10).proportion_ci(0.95, method="wilson")
    assert wilson(favourable=8, n=10, confidence=0.95) == pytest.approx((exact.low, exact.high))
    relative = stats.contingency.relative_risk(4, 10, 8, 10).confidence_interval(0.95)
    assert katz(favourable=(4, 8), n=(10, 10), confidence=0.95) == pytest.approx(
        (relative.low, relative.high)
    )


def _rate(f: int, n: int) -> float | None:
    return f / n if n else None


@settings(max_examples=60, deadline=None)
@given(
    groups=st.lists(
        st.tuples(st.sampled_from([0, 1, -1]), st.sampled_from([0, 1, -1])), min_size=2, max_size=9
    )
)
def test_bounds_against_every_way_of_filling_in(groups: list[tuple[int, int]]) -> None:
    codes = np.array([g for g, _ in groups], dtype=np.int16)
    outcome = np.array([y for _, y in groups], dtype=np.int8)
    table = count_table(groups=2, codes=codes, outcome=outcome)
    privileged, unprivileged = table.side(0), table.side(1)
    if min(privileged.n + privileged.unknown_outcome,
           unprivileged.n + unprivileged.unknown_outcome) == 0:  # fmt: skip
        return
    found = parity_bounds(unprivileged=unprivileged, privileged=privileged, blank=table.blank)
    free = [i for i, (g, _) in enumerate(groups) if g == -1]
    open_ = [i for i, (_, y) in enumerate(groups) if y == -1]
    differences = []
    for sides in product((0, 1), repeat=len(free)):
        for filled in product((0, 1), repeat=len(open_)):
            g, y = codes.copy(), outcome.copy()
            g[free], y[open_] = sides, filled
            p0, p1 = (_rate(int(y[g == k].sum()), int((g == k).sum())) for k in (1, 0))
            if p0 is not None and p1 is not None:
                differences.append(p0 - p1)
    worst = found["SPD"].worst_case
    assert worst.low == pytest.approx(min(differences), abs=1e-12)
    assert worst.high == pytest.approx(max(differences), abs=1e-12)
    corners = found["SPD"].corners
    assert corners.low is not None and corners.high is not None
    assert worst.low is not None and worst.high is not None
    assert worst.low - 1e-12 <= corners.low <= corners.high <= worst.high + 1e-12
