"""How well an equation fits, and where noise that is simply added is refuted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.base.wording import number, p_value, percent
from engine.fairness.tests import holm
from engine.messages import say

from .equations import Boosted, Categories, Censored, Equation, Fitting, Linear
from .troubles import Trouble

Floats = NDArray[np.float64]

SLICES = 10
LEVEL = 0.01
"""A p-value below this, after Holm's correction over an equation's arrows, ..."""
SIZE_OF_MEAN = 0.01
"""... together with this share of the residual's variation, refutes the shape of an arrow; ..."""
SIZE_OF_SPREAD = 1.5
"""... or with this ratio of residual spreads, refutes noise that is simply added. With many people
a tiny p alone says little: size and p are asked for together."""
FEWEST = 30
ROOT_LEVEL, ROOT_SIZE = 0.001, 0.1


def residuals(equation: Equation, data: Fitting) -> Floats:
    """What the causes leave over; for categories the value less its mean. NaN where unknown."""
    rows = data.weight > 0
    causes = {k: v[rows] for k, v in data.causes.items()}
    out = np.full(len(rows), np.nan)
    if isinstance(equation, Categories):
        hit = np.zeros(int(rows.sum()))
        expected = np.zeros(int(rows.sum()))
        for place, (s, p) in enumerate(
            zip(equation.support, equation.chances(causes), strict=True)
        ):
            hit[data.value[rows] == s] = place
            expected = expected + place * p
        out[rows] = hit - expected
    else:
        out[rows] = data.value[rows] - equation.expected(causes)
    return out


def fit_of(
    equation: Equation, data: Fitting, *, without: Mapping[str, Floats] | None = None
) -> dict[str, Any]:
    """Size of the fit and the residual against each cause.

    Parameters
    ----------
    equation : Equation
    data : Fitting
    without : mapping of node to float array, optional
        Nodes that are no cause in the graph; what is left over must not follow them either.

    Returns
    -------
    dict
        ``node``, ``kind``, ``stated``, ``n``, ``r2`` (share of the variation explained; for
        categories of the place among them), ``residual_sd``, ``coefficients`` (label to number,
        where there are such), ``against`` (cause to ``mean_size``, ``mean_p``, ``spread_ratio``,
        ``spread_p``, ``refuted``), ``reason`` where residuals cannot be judged.
    """
    rows = data.weight > 0
    n = int(rows.sum())
    left = residuals(equation, data)[rows]
    value = data.value[rows]
    if isinstance(equation, Categories):
        place = {s: i for i, s in enumerate(equation.support)}
        value = np.array([place.get(v, 0) for v in value], dtype=np.float64)
    spread = float(np.var(value)) if n else 0.0
    found: dict[str, Any] = {
        "node": equation.node,
        "kind": equation.kind,
        "stated": equation.stated,
        "n": n,
        "r2": 1 - float(np.mean(left**2)) / spread if spread > 0 else None,
        "residual_sd": float(np.std(left)) if n else None,
        "coefficients": coefficients_of(equation),
        "against": {},
        "reason": "",
    }
    if isinstance(equation, Censored):
        found["r2"] = None
        found["floor"], found["noise_sd"] = equation.floor, float(equation.sd)
    if n < FEWEST:
        found["reason"] = f"{n} people are too few to judge what is left over."
        return found
    found["against"] = _against(equation, data, left, without or {})
    return found


def coefficients_of(equation: Equation) -> dict[str, float] | None:
    """The numbers of a straight or two-valued equation by label; None for the others."""
    if isinstance(equation, Boosted) or (isinstance(equation, Linear) and equation.bent):
        return None
    beta = equation.beta
    if isinstance(equation, Categories):
        if len(equation.support) != 2:
            return None
        beta = beta[0]
    labels = ["intercept", *equation.design.labels]
    return {label: float(b) for label, b in zip(labels, beta, strict=True)}


def _against(
    equation: Equation, data: Fitting, left: Floats, without: Mapping[str, Floats]
) -> dict[str, dict[str, Any]]:
    rows = data.weight > 0
    spread = float(np.var(left))
    raw: dict[str, tuple[float | None, float | None, float | None, float | None]] = {}
    for parent, values in {**data.causes, **without}.items():
        parts = _slices(values[rows], left)
        if len(parts) < 2 or spread <= 1e-18 * max(1.0, float(np.mean(data.value[rows] ** 2))):
            raw[parent] = (None, None, None, None)
            continue
        total = sum(len(p) for p in parts)
        grand = np.mean(np.concatenate(parts))
        size = sum(len(p) * (p.mean() - grand) ** 2 for p in parts) / (total * spread)
        mean_p = float(stats.f_oneway(*parts).pvalue)
        widths = [float(np.median(np.abs(p - np.median(p)))) for p in parts]
        ratio: float | None = None
        spread_p = float("nan")
        if not isinstance(equation, Categories | Censored) and max(widths) > 0:
            ratio = max(widths) / min(widths) if min(widths) > 0 else None
            spread_p = float(stats.levene(*parts, center="median").pvalue)
        raw[parent] = (
            float(size),
            mean_p if np.isfinite(mean_p) else None,
            ratio,
            spread_p if np.isfinite(spread_p) else None,
        )
    flat = [p for one in raw.values() for p in (one[1], one[3])]
    adjusted = iter(holm(flat))
    found = {}
    for parent, (size_of, _, ratio_of, _) in raw.items():
        mean_p_of, spread_p_of = next(adjusted), next(adjusted)
        mean_bad = (
            mean_p_of is not None
            and size_of is not None
            and mean_p_of < LEVEL
            and size_of > SIZE_OF_MEAN
        )
        spread_bad = (
            spread_p_of is not None
            and ratio_of is not None
            and spread_p_of < LEVEL
            and ratio_of > SIZE_OF_SPREAD
        )
        if isinstance(equation, Censored):
            mean_bad = False  # what is hidden below the floor makes the plain residual lean
        found[parent] = {
            "mean_size": size_of,
            "mean_p": mean_p_of,
            "spread_ratio": ratio_of,
            "spread_p": spread_p_of,
            "refuted": "mean" if mean_bad else "spread" if spread_bad else None,
        }
        if parent in without:
            found[parent]["refuted"] = "arrow" if mean_bad else None
    return found


def _slices(cause: Floats, left: Floats) -> list[Floats]:
    """The residuals in slices of the cause: its values, or tenths of the people."""
    values = np.unique(cause)
    if len(values) > SLICES:
        edges = np.unique(np.quantile(cause, np.linspace(0, 1, SLICES + 1)[1:-1]))
        code = np.searchsorted(edges, cause, side="right")
    else:
        code = np.searchsorted(values, cause)
    parts = [left[code == c] for c in np.unique(code)]
    return [p for p in parts if len(p) >= 5]


def fit_troubles(fits: Mapping[str, Mapping[str, Any]]) -> list[Trouble]:
    """Arrows whose shape or whose added noise the people refute."""
    found = []
    for node, fit in fits.items():
        for parent, one in fit["against"].items():
            if one["refuted"] == "mean":
                code = "causal.refuted_mean"
                if fit["stated"]:
                    code = "causal.refuted_stated"
                elif fit["kind"] == "additive noise":
                    code = "causal.refuted_smooth"
                elif fit["kind"] == "logistic":
                    code = "causal.refuted_logistic"
                text = say(
                    code, end=node, start=parent, size=percent(one["mean_size"]), p=p_value(one["mean_p"])
                )  # fmt: skip
                found.append(Trouble(code, "warning", text, (parent, node), node))
            if one["refuted"] == "arrow":
                text = say(
                    "causal.missing_arrow", end=node, start=parent,
                    size=percent(one["mean_size"]), p=p_value(one["mean_p"]),
                )  # fmt: skip
                found.append(Trouble("causal.missing_arrow", "warning", text, (parent, node), node))
            if one["refuted"] == "spread":
                text = say(
                    "causal.refuted_spread", end=node, start=parent,
                    ratio=number(one["spread_ratio"], digits=1), p=p_value(one["spread_p"]),
                )  # fmt: skip
                found.append(
                    Trouble("causal.refuted_spread", "warning", text, (parent, node), node)
                )
    return found


def root_troubles(*, left: Mapping[str, Floats], pairs: Sequence[tuple[str, str]]) -> list[Trouble]:
    """Pairs of nodes whose leftovers move together: a common cause may be missing.

    Parameters
    ----------
    left : mapping of node to float array, shape (n,)
        Residuals.
    pairs : sequence of (node, node)
        Pairs of which neither is a direct cause of the other.
    """
    found = []
    tests = []
    known = {node: np.isfinite(values) for node, values in left.items()}
    ranks = {n: stats.rankdata(v[known[n]]) if known[n].any() else v for n, v in left.items()}
    for a, b in pairs:
        both = known[a] & known[b]
        if both.sum() < FEWEST or np.std(left[a][both]) == 0 or np.std(left[b][both]) == 0:
            continue
        # ranks hold for a pair too where neither column is blank for people of the other
        x, y = (
            ranks[n] if known[n].sum() == both.sum() else stats.rankdata(left[n][both])
            for n in (a, b)
        )
        r, p = stats.pearsonr(x, y)
        tests.append((a, b, float(r), float(p)))
    for a, b, r, p in tests:
        if p * len(tests) < ROOT_LEVEL and abs(r) >= ROOT_SIZE:
            shown = number(r, digits=2, sign=True)
            text = say("causal.missing_root", start=a, end=b, r=shown)
            found.append(Trouble("causal.missing_root", "warning", text, (a, b), figure=shown))
    return found
