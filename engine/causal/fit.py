"""Equations fitted to people, or built from the numbers that the auditor states."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lstsq
from scipy.optimize import minimize
from scipy.special import log_ndtr
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression

from engine.base.problems import Problem, Refused
from engine.messages import say

from .design import Design, design_of
from .equations import Boosted, Categories, Censored, Equation, Fitting, Linear
from .graph import Graph
from .packets import Packets
from .people import Values

Floats = NDArray[np.float64]

MOST_CATEGORIES = 30
"""A text with more values than this is no mediator: each value would get its own equation."""
RIDGE = 1e5
"""Inverse strength of the ridge that keeps logistic coefficients finite where groups separate."""
REFITS = 20
"""Refits of gradient boosting that stand for all resamples."""
ENOUGH_FOR_BINARY = 10


def default_kind(values: Values, rows: NDArray[np.bool_]) -> str:
    """``logistic`` for texts and for numbers with two values, else ``linear``."""
    if values.levels:
        return "logistic"
    seen = np.unique(values.values[rows])
    zero_one = np.isin(seen, (0.0, 1.0)).all()
    return (
        "logistic" if len(seen) == 2 and (zero_one or rows.sum() >= ENOUGH_FOR_BINARY) else "linear"
    )


def fitting_of(
    *, node: str, graph: Graph, values: Mapping[str, Values], weight: Floats, group: Floats
) -> Fitting:
    """A node, its causes and the people of whom both are known."""
    parents = graph.parents(node)
    known = np.isfinite(group) & np.isfinite(values[node].values) & (weight > 0)
    for parent in parents:
        known = known & np.isfinite(values[parent].values)
    return Fitting(
        value=values[node].values,
        causes={p: values[p].values for p in parents},
        weight=np.where(known, weight, 0.0),
        group=group,
    )


def equation_of(
    *, node: str, graph: Graph, values: Mapping[str, Values], data: Fitting, seed: int
) -> Equation:
    """Build the equation of a node as stated, or fit it.

    Raises
    ------
    Refused
        With the arrow: texts that cannot be linear, more numbers to be fitted than people, no
        person with everything known.
    """
    given = graph.equations.get(node) or {}
    rows = data.weight > 0
    kind = str(given.get("kind") or default_kind(values[node], rows))
    parents = graph.parents(node)
    stated = given.get("coefficients") is not None or (
        given.get("intercept") is not None and not parents
    )
    arrow = graph.arrow(parents[-1], node)
    if not rows.any() and not stated:
        text = say("causal.no_rows", n=len(rows), node=node, start=parents[-1], end=node)
        raise Refused(Problem("", arrow, text))
    if values[node].levels and kind != "logistic":
        raise Refused(Problem("", arrow, say("causal.kind_of_text", node=node, kind=kind)))
    design = design_of(
        parents=parents, values=values, rows=rows,
        bent=kind == "additive noise" and given.get("by") != "gradient boosting",
    )  # fmt: skip
    if stated:
        return _stated(node, kind, design, values[node], given, arrow, rows)
    if kind == "additive noise" and given.get("by") == "gradient boosting":
        return _boosted(node, kind, design, data, seed)
    support = _support(values[node], data) if kind == "logistic" else np.empty(0)
    if kind == "logistic" and len(support) > MOST_CATEGORIES:
        text = say("causal.logistic_number", node=node, n=len(support))
        raise Refused(Problem("", arrow, text))
    equations = max(1, len(support) - 1)
    parameters = (1 + len(design.labels)) * equations
    if parameters > rows.sum():
        text = say(
            "causal.too_many_parents", node=node, parameters=parameters, n=int(rows.sum()),
            start=parents[-1], end=node,
        )  # fmt: skip
        raise Refused(Problem("", arrow, text))
    if kind == "logistic":
        return _logistic(node, design, support, data)
    if given.get("floor") is not None:
        return _censored(node, kind, design, data, float(given["floor"]))
    return _linear(node, kind, design, data)


def _stated(
    node: str,
    kind: str,
    design: Design,
    values: Values,
    given: Mapping[str, Any],
    arrow: str,
    rows: NDArray[np.bool_],
) -> Equation:
    named = {str(k): float(v) for k, v in (given.get("coefficients") or {}).items()}
    beta = [float(given.get("intercept") or 0.0)]
    for block in design.blocks:
        for place, label in enumerate(block.labels, start=1):
            level = f"{block.parent} = {block.levels[place].strip()}" if block.levels else label
            whole = block.groups or len(block.levels) == 2
            beta.append(
                named.get(level, named.get(label, named.get(block.parent, 0.0) if whole else 0.0))
            )
    line = np.array(beta)
    if kind == "logistic":
        support = (
            np.arange(float(len(values.levels)))
            if values.levels
            else np.unique(values.values[np.isfinite(values.values)])
        )
        if not values.levels and len(support) < 2:
            support = np.array([0.0, 1.0])
        if len(support) != 2:
            text = say("causal.stated_categories", node=node, n=len(support))
            raise Refused(Problem("", arrow, text))
        return Categories(node, kind, True, design, line[None, :], support)
    if given.get("floor") is not None:
        sd = np.array(float(given["noise_sd"]))
        return Censored(node, kind, True, design, line, sd, float(given["floor"]))
    return Linear(node, kind, True, design, line)


def _linear(node: str, kind: str, design: Design, data: Fitting) -> Linear:
    rows = data.weight > 0
    matrix = design.matrix({k: v[rows] for k, v in data.causes.items()}, int(rows.sum()))
    beta, rank = least_squares(matrix, data.value[rows], data.weight[rows])
    bent = any(block.spline is not None for block in design.blocks)
    return Linear(node, kind, False, design, beta, bent, rank < matrix.shape[1])


def least_squares(matrix: Floats, target: Floats, weight: Floats) -> tuple[Floats, int]:
    """Weighted least squares with an intercept: coefficients (intercept first), rank of columns.

    Columns are centred and scaled first, so that sums come out to the last digits.
    """
    total = weight.sum()
    middle = weight @ matrix / total
    level = float(weight @ target / total)
    centred = matrix - middle
    spread = np.sqrt(weight @ centred**2 / total)
    spread = np.where(spread > 0, spread, 1.0)
    root = np.sqrt(weight)
    slopes, _, rank, _ = lstsq(
        (centred / spread) * root[:, None], (target - level) * root, cond=1e-11
    )
    slopes = slopes / spread
    return np.concatenate([[level - slopes @ middle], slopes]), int(rank)


def _support(values: Values, data: Fitting) -> Floats:
    """The categories in order: numbers by size, texts by the share of the privileged group.

    Texts have no order of their own; one is needed to say what it means that a person keeps their
    place. Sorting by how much a category is the privileged group's makes a person who changes
    group move from the categories of the one to those of the other and never back.
    """
    rows = data.weight > 0
    seen = np.unique(values.values[rows])
    if not values.levels:
        return seen
    privileged = data.group[rows] == 0
    share = [
        np.average(
            privileged[data.value[rows] == s], weights=data.weight[rows][data.value[rows] == s]
        )
        for s in seen
    ]
    return seen[np.argsort(share, kind="stable")]


def _logistic(node: str, design: Design, support: Floats, data: Fitting) -> Categories:
    rows = data.weight > 0
    matrix = design.matrix({k: v[rows] for k, v in data.causes.items()}, int(rows.sum()))
    order = np.argsort(support)
    y = order[np.searchsorted(support[order], data.value[rows])]
    width = matrix.shape[1]
    if len(support) < 2:
        return Categories(node, "logistic", False, design, np.zeros((0, 1 + width)), support)
    middle, spread = matrix.mean(axis=0), matrix.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    model = LogisticRegression(C=RIDGE, solver="newton-cholesky", max_iter=200, tol=1e-8)
    model.fit((matrix - middle) / spread, y, sample_weight=data.weight[rows])
    slopes = model.coef_ / spread
    starts = model.intercept_ - slopes @ middle
    beta = np.column_stack([starts, slopes])
    if len(support) > 2:
        beta = beta[1:] - beta[:1]
    return Categories(node, "logistic", False, design, beta, support)


def category_scores(equation: Categories, data: Fitting, packets: Packets) -> Floats:
    """Coefficients of every resample by one Newton step from the fit (score bootstrap)."""
    rows = data.weight > 0
    n = int(rows.sum())
    causes = {k: v[rows] for k, v in data.causes.items()}
    matrix = np.column_stack([np.ones(n), equation.design.matrix(causes, n)])
    chances = [np.broadcast_to(p, n) for p in equation.chances(causes)]
    equations, q = len(chances) - 1, matrix.shape[1]
    if not equations:
        return np.zeros((packets.resamples, 0, q))
    weight = data.weight[rows]
    scores = np.zeros((packets.n, equations * q))
    bend = np.zeros((equations * q, equations * q))
    for k in range(1, len(chances)):
        hit = data.value[rows] == equation.support[k]
        own = slice((k - 1) * q, k * q)
        scores[rows, own] = (weight * (hit - chances[k]))[:, None] * matrix
        for m in range(1, len(chances)):
            mass = weight * chances[k] * ((k == m) - chances[m])
            bend[own, (m - 1) * q : m * q] = matrix.T @ (matrix * mass[:, None])
    return _one_step(equation.beta.reshape(-1), scores, bend, packets, data).reshape(
        packets.resamples, equations, q
    )


def _one_step(
    beta: Floats, scores: Floats, bend: Floats, packets: Packets, data: Fitting
) -> Floats:
    from .equations import _every_group

    scale = np.sqrt(np.maximum(np.diag(bend), 1e-300))
    inverse = np.linalg.pinv(bend / np.outer(scale, scale), rcond=1e-9, hermitian=True)
    drawn = packets.drawn(scores - scores.sum(axis=0) / len(scores)) / scale
    step = (drawn @ inverse) / scale
    out = beta + step
    out[~_every_group(packets, data.weight, data.group)] = np.nan
    return np.asarray(out, dtype=np.float64)


def _censored_parts(
    line: Floats, gamma: float, y: Floats, at: NDArray[np.bool_], matrix: Floats
) -> tuple[Floats, Floats]:
    """Log likelihood of each person and its slopes, in Olsen's form (concave)."""
    z = gamma * y - line
    low = np.where(at, z, 0.0)
    log_tail = log_ndtr(low)
    mill = np.exp(-0.5 * low**2 - 0.5 * np.log(2 * np.pi) - log_tail)
    value = np.where(at, log_tail, np.log(gamma) - 0.5 * z**2 - 0.5 * np.log(2 * np.pi))
    to_line = np.where(at, -mill, z)
    to_gamma = np.where(at, mill * y, 1 / gamma - z * y)
    return value, np.column_stack([to_line[:, None] * matrix, to_gamma])


def _censored(node: str, kind: str, design: Design, data: Fitting, floor: float) -> Censored:
    rows = data.weight > 0
    n = int(rows.sum())
    plain = _linear(node, kind, design, data)
    causes = {k: v[rows] for k, v in data.causes.items()}
    raw = design.matrix(causes, n)
    middle, spread = raw.mean(axis=0), raw.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    matrix = np.column_stack([np.ones(n), (raw - middle) / spread])
    y = np.maximum(data.value[rows], floor) - floor
    unit = float(np.std(y)) or 1.0
    y = y / unit
    at = y <= 0
    weight = data.weight[rows]

    def loss(theta: Floats) -> tuple[float, Floats]:
        gamma = float(np.exp(theta[-1]))
        value, slope = _censored_parts(matrix @ theta[:-1], gamma, y, at, matrix)
        slope[:, -1] *= gamma
        return -float(weight @ value) / n, -(weight @ slope) / n

    start = np.zeros(matrix.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 500})
    sd = 1 / float(np.exp(found.x[-1]))
    beta = found.x[:-1] * sd * unit
    slopes = beta[1:] / spread
    line = np.concatenate([[beta[0] - slopes @ middle + floor], slopes])
    return Censored(node, kind, False, plain.design, line, np.array(sd * unit), floor)


def censored_scores(equation: Censored, data: Fitting, packets: Packets) -> tuple[Floats, Floats]:
    """Coefficients and spread of every resample by one step with the scores' own spread."""
    rows = data.weight > 0
    n = int(rows.sum())
    causes = {k: v[rows] for k, v in data.causes.items()}
    matrix = np.column_stack([np.ones(n), equation.design.matrix(causes, n)])
    gamma = 1 / float(equation.sd)
    shifted = equation.beta.copy()
    shifted[0] -= equation.floor
    y = np.maximum(data.value[rows] - equation.floor, 0.0)
    _, slope = _censored_parts(matrix @ shifted * gamma, gamma, y, y <= 0, matrix)
    scores = np.zeros((packets.n, matrix.shape[1] + 1))
    scores[rows] = data.weight[rows][:, None] * slope
    bend = slope.T @ (slope * data.weight[rows][:, None])
    theta = np.concatenate([shifted * gamma, [gamma]])
    drawn = _one_step(theta, scores, bend, packets, data)
    gammas = np.maximum(drawn[:, -1:], gamma / 10)
    beta = drawn[:, :-1] / gammas
    beta[:, 0] += equation.floor
    return beta, 1 / gammas


def _booster(seed: int) -> HistGradientBoostingRegressor:
    return HistGradientBoostingRegressor(
        max_iter=100, learning_rate=0.1, max_leaf_nodes=15, min_samples_leaf=20,
        early_stopping=False, random_state=seed,
    )  # fmt: skip


def _boosted(node: str, kind: str, design: Design, data: Fitting, seed: int) -> Boosted:
    rows = data.weight > 0
    matrix = design.matrix({k: v[rows] for k, v in data.causes.items()}, int(rows.sum()))
    model = _booster(seed).fit(matrix, data.value[rows], sample_weight=data.weight[rows])
    return Boosted(node, kind, False, design, (model,), None, seed)


def boosted_refits(equation: Boosted, data: Fitting, packets: Packets) -> Boosted:
    """A few refits on resamples; each stands for its share of all resamples."""
    rows = data.weight > 0
    matrix = equation.design.matrix({k: v[rows] for k, v in data.causes.items()}, int(rows.sum()))
    number = min(REFITS, packets.resamples)
    models = []
    for r in range(number):
        weight = (data.weight * packets.row_times(r))[rows]
        use = weight > 0
        models.append(
            _booster(equation.seed).fit(
                matrix[use], data.value[rows][use], sample_weight=weight[use]
            )
        )
    which = np.arange(packets.resamples) % number
    return dataclasses.replace(equation, models=tuple(models), which=which)
