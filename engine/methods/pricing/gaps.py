"""Two sides of an amount compared: means, quantiles, logarithms, strata of risk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.base.wording import count, people
from engine.fairness.intervals import generator, percentile_interval
from engine.fairness.measure import measure
from engine.fairness.verdict import verdict
from engine.messages import say

from .people import Pair, Quote, Strata, only
from .resampling import (
    EXACT,
    how_drawn,
    mean_draws,
    permutation_p,
    permutation_p_within,
    quantile_draws,
)
from .side import EXACT_UP_TO, Floats, Side

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True)
class Terms:
    """How gaps are computed: draws, confidence, pass marks, direction.

    ``adverse`` is ``high``, ``low`` or None where nobody said.
    """

    seed: int
    confidence: float
    resamples: int
    permutations: int
    largest_gap: float | None = None
    largest_relative_gap: float | None = None
    adverse: str | None = None


def compare(*, quote: Quote, pair: Pair, terms: Terms, key: str) -> dict[str, Any]:
    """Every gap of one amount between two sides.

    Parameters
    ----------
    quote : Quote
    pair : Pair
    terms : Terms
    key : str
        Names the draws, so that they do not depend on what else is computed.

    Returns
    -------
    dict
        ``gap``, ``relative_gap``, ``median_gap``, ``quantiles``, ``log_ratio`` (measures),
        ``means``, ``permutation_p``, ``drawn``, ``worse_off``.

    Source: paper 004; methods.md part D.
    """
    sides = (
        quote.side(pair.unprivileged, pair.soft),
        quote.side(pair.privileged, pair.soft),
    )
    n = (len(sides[0]), len(sides[1]))
    empty = _nobody(sides, pair.names, quote.name)
    if empty:
        none = measure(None, verdict="not computable", reason=empty, n_unprivileged=n[0], n_privileged=n[1])  # fmt: skip
        return {
            "gap": none,
            "relative_gap": none,
            "median_gap": none,
            "quantiles": {str(q): none for q in QUANTILES},
            "log_ratio": none,
            "means": {
                "unprivileged": sides[0].mean() if n[0] else None,
                "privileged": sides[1].mean() if n[1] else None,
            },
            "permutation_p": None,
            "drawn": {"means": EXACT, "quantiles": EXACT, "replaced_share": 0.0},
            "worse_off": None,
        }
    positive = bool(sides[0].values[0] > 0 and sides[1].values[0] > 0)
    rng = generator(terms.seed, "pricing", key, "means")
    drawn = [mean_draws(side=s, resamples=terms.resamples, rng=rng, logs=positive) for s in sides]
    told = _Told(terms, sides, pair.names)
    low, high = sides[0].mean(), sides[1].mean()
    gap = told.measure(low - high, drawn[0][0] - drawn[1][0], terms.largest_gap)
    rng = generator(terms.seed, "pricing", key, "quantiles")
    quantiles = {}
    for q in QUANTILES:
        draws = [quantile_draws(side=s, q=q, resamples=terms.resamples, rng=rng) for s in sides]
        value = sides[0].quantile(q) - sides[1].quantile(q)
        quantiles[str(q)] = told.measure(value, draws[0] - draws[1], None)
    means = [how_drawn(s) for s in sides]
    return {
        "gap": gap,
        "relative_gap": _relative(told, low, high, drawn[0][0], drawn[1][0], quote.name),
        "median_gap": quantiles["0.5"],
        "quantiles": quantiles,
        "log_ratio": _log_ratio(told, sides, drawn, positive, quote.name),
        "means": {"unprivileged": low, "privileged": high},
        "permutation_p": _permuted(quote, pair, terms, key),
        "drawn": {
            "means": EXACT if set(means) == {EXACT} else next(m for m in means if m != EXACT),
            "quantiles": EXACT,
            "replaced_share": max(
                (s.blocks().replaced for s, m in zip(sides, means, strict=True) if m != EXACT),
                default=0.0,
            ),
        },
        "worse_off": worse_off(gap, terms.adverse),
    }


def worse_off(gap: Mapping[str, Any], adverse: str | None) -> bool | None:
    """Whether the whole interval says that the unprivileged side fares worse (True) or better
    (False); None where it says neither or nobody said which direction is worse."""
    low, high = gap["low"], gap["high"]
    if low is None or high is None or adverse is None or low <= 0 <= high:
        return None
    return bool((low > 0) == (adverse == "high"))


def plain_gap(*, quote: Quote, pair: Pair, terms: Terms, key: str) -> dict[str, Any]:
    """The gap of the means alone (residuals, strata)."""
    return gap_and_draws(quote=quote, pair=pair, terms=terms, key=key)[0]


def gap_and_draws(
    *, quote: Quote, pair: Pair, terms: Terms, key: str
) -> tuple[dict[str, Any], Floats | None]:
    """A gap of means as a measure, and its draws (None where it cannot be computed)."""
    sides = (
        quote.side(pair.unprivileged, pair.soft),
        quote.side(pair.privileged, pair.soft),
    )
    empty = _nobody(sides, pair.names, quote.name)
    if empty:
        return measure(
            None, verdict="not computable", reason=empty, n_unprivileged=len(sides[0]),
            n_privileged=len(sides[1]),
        ), None  # fmt: skip
    rng = generator(terms.seed, "pricing", key)
    drawn = [mean_draws(side=s, resamples=terms.resamples, rng=rng)[0] for s in sides]
    draws = drawn[0] - drawn[1]
    told = _Told(terms, sides, pair.names)
    return told.measure(sides[0].mean() - sides[1].mean(), draws, None), draws


@dataclass(frozen=True)
class _Told:
    """Values made into measures: no interval where a side is one person."""

    terms: Terms
    sides: tuple[Side, Side]
    names: tuple[str, str]

    def measure(self, value: float, draws: Floats, mark: float | None) -> dict[str, Any]:
        more: dict[str, Any] = {}
        low = high = None
        lonely = [n for s, n in zip(self.sides, self.names, strict=True) if s.effective < 2]
        if lonely:
            more["note"] = say("pricing.one_person", group=lonely[0])
        else:
            found = percentile_interval(draws, confidence=self.terms.confidence)
            low, high = found.low, found.high
        word = None
        if mark is not None:
            word = verdict(value=value, low=low, high=high, band=(-mark, mark))
        return measure(value, low, high, word, "", len(self.sides[0]), len(self.sides[1]), **more)

    def none(self, reason: str) -> dict[str, Any]:
        return measure(
            None, verdict="not computable", reason=reason, n_unprivileged=len(self.sides[0]),
            n_privileged=len(self.sides[1]),
        )  # fmt: skip


def _nobody(sides: tuple[Side, Side], names: tuple[str, str], what: str) -> str:
    for side, name in zip(sides, names, strict=True):
        if not len(side):
            return say("pricing.nobody", group=name, what=what)
    return ""


def _relative(
    told: _Told, low: float, high: float, drawn_low: Floats, drawn_high: Floats, what: str
) -> dict[str, Any]:
    if high <= 0:
        code = "pricing.mean_zero" if high == 0 else "pricing.mean_negative"
        return told.none(say(code, group=told.names[1], what=what, n=count(len(told.sides[1]))))
    draws = np.divide(
        drawn_low - drawn_high, drawn_high, out=np.full(len(drawn_low), np.nan),
        where=drawn_high > 0,
    )  # fmt: skip
    return told.measure((low - high) / high, draws, told.terms.largest_relative_gap)


def _log_ratio(
    told: _Told,
    sides: tuple[Side, Side],
    drawn: list[tuple[Floats, Floats | None]],
    positive: bool,
    what: str,
) -> dict[str, Any]:
    """Geometric mean of the unprivileged side over that of the privileged one."""
    first, second = drawn[0][1], drawn[1][1]
    if not positive or first is None or second is None:
        worst = next(i for i in (0, 1) if sides[i].values[0] <= 0)
        n = int((sides[worst].values <= 0).sum())
        return told.none(say("pricing.no_log", group=told.names[worst], n=people(n), what=what))
    logs = [s.mean(np.log(s.values)) for s in sides]
    return told.measure(float(np.exp(logs[0] - logs[1])), np.exp(first - second), None)


def _permuted(quote: Quote, pair: Pair, terms: Terms, key: str) -> float | None:
    rng = generator(terms.seed, "pricing", key, "permutation")
    if pair.soft:
        return _soft_permutation(quote, pair, terms, rng)
    here = quote.order[(pair.unprivileged + pair.privileged)[quote.order] > 0]
    return permutation_p(
        values=quote.values[here],
        chosen=pair.unprivileged[here] > 0,
        weight=None if quote.weight is None else quote.weight[here],
        permutations=terms.permutations,
        rng=rng,
    )


def _soft_permutation(
    quote: Quote, pair: Pair, terms: Terms, rng: np.random.Generator
) -> float | None:
    """Probabilities of belonging laid anew on the same amounts."""
    here = quote.order[(pair.unprivileged + pair.privileged)[quote.order] > 0]
    if len(here) < 3:
        return None
    mass = np.ones(len(here)) if quote.weight is None else quote.weight[here]
    share = pair.unprivileged[here] / (pair.unprivileged[here] + pair.privileged[here])
    values = quote.values[here]
    distance = mass * (values - np.average(values, weights=mass))
    observed = abs(float(share @ distance))
    if len(here) <= EXACT_UP_TO:
        drawn = np.array([distance @ rng.permutation(share) for _ in range(terms.permutations)])
    else:  # Hoeffding (1951): the sum is normal for many people
        spread = float(np.var(share) * np.var(distance)) * len(here) ** 2 / (len(here) - 1)
        drawn = np.sqrt(spread) * rng.standard_normal(terms.permutations)
    edge = 1e-9 * max(1.0, float(np.abs(distance).sum()))
    return float(((np.abs(drawn) >= observed - edge).sum() + 1) / (terms.permutations + 1))


def by_stratum(
    *, quote: Quote, pair: Pair, strata: Strata, terms: Terms, key: str
) -> dict[str, Any]:
    """The gap within each stratum of risk, empty ones listed, and their weighted means.

    Source: methods.md part D, ``stratum_gap``: weighted by all people of a stratum, and by its
    unprivileged people.
    """
    rows: list[dict[str, Any]] = []
    empty: list[str] = []
    gaps: list[tuple[float, Floats, float, float]] = []
    for i, name in enumerate(strata.names):
        here = only(pair, strata.place == i)
        gap, draws = gap_and_draws(quote=quote, pair=here, terms=terms, key=f"{key}/{i}")
        rows.append({"stratum": i, "risk": name, "n": gap["n"], "gap": gap})
        if draws is None:
            empty.append(name)
            continue
        low = quote.side(here.unprivileged, pair.soft).total
        gaps.append((gap["value"], draws, low + quote.side(here.privileged, pair.soft).total, low))
    unknown = int(
        ((strata.place < 0) & (pair.unprivileged + pair.privileged > 0) & np.isfinite(quote.values)).sum()
    )  # fmt: skip
    found: dict[str, Any] = {
        "edges": list(strata.edges),
        "rows": rows,
        "empty": empty,
        "unknown_risk": unknown,
        "reason": "",
        "size_weighted": _weighted(gaps, 2, rows, terms),
        "unprivileged_weighted": _weighted(gaps, 3, rows, terms),
        "permutation_p_within_strata": None,
        "permutation_p_at_equal_risk": None,
    }
    if not pair.soft and gaps:
        belongs = pair.unprivileged + pair.privileged
        here_all = quote.order[(belongs[quote.order] > 0) & (strata.place[quote.order] >= 0)]
        place = strata.place[here_all]
        first, second = permutation_p_within(
            values=quote.values[here_all],
            chosen=pair.unprivileged[here_all] > 0,
            weight=None if quote.weight is None else quote.weight[here_all],
            strata=[np.flatnonzero(place == i) for i in range(len(strata.names)) if (place == i).any()],
            permutations=terms.permutations,
            rng=generator(terms.seed, "pricing", key, "within strata"),
        )  # fmt: skip
        found["permutation_p_within_strata"] = first
        found["permutation_p_at_equal_risk"] = second
    return found


def _weighted(
    gaps: list[tuple[float, Floats, float, float]],
    weight: int,
    rows: list[dict[str, Any]],
    terms: Terms,
) -> dict[str, Any]:
    n = [sum(row["n"][side] for row in rows) for side in ("unprivileged", "privileged")]
    if not gaps:
        return measure(
            None, verdict="not computable", reason=say("pricing.no_stratum", n=len(rows)),
            n_unprivileged=n[0], n_privileged=n[1],
        )  # fmt: skip
    mass = np.array([g[weight] for g in gaps])
    value = float(np.average([g[0] for g in gaps], weights=mass))
    draws = np.average([g[1] for g in gaps], weights=mass, axis=0)
    found = percentile_interval(draws, confidence=terms.confidence)
    return measure(value, found.low, found.high, None, "", n[0], n[1])
