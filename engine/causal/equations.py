"""Structural equations: value from causes and noise, and noise from value and causes.

Every equation works on whole arrays, shape ``(people,)`` or ``(draws, people)``; coefficients may
have a leading axis of resamples, which then lines up with that of the values. So one piece of
code serves people, posterior draws and the bootstrap, without a loop over any of them.

Each of them has

``node``, ``kind``, ``stated``
    Whose equation it is, of what kind, and whether the auditor gave the numbers.
``random``
    Whether a person's noise cannot be read off, so that it is drawn from what is left of it.
``constant_shift``
    Whether a change of the causes moves every person alike.
``noise(value, causes, chance)``
    Abduction: each person's noise, given what was seen; ``chance`` is uniform between 0 and 1.
``value(causes, noise)``
    Prediction: the value under these causes with this noise.
``expected(causes)``
    The mean under these causes.
``resampled(data, packets)``
    The same equation fitted to every resample, with a leading axis; ``part`` takes some of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_ndtr, ndtri_exp

from .design import Design, combine, terms_of, weigh
from .packets import Packets

Floats = NDArray[np.float64]
Columns = Mapping[str, Floats]

SAFE = 500.0
"""Log odds below this can be raised without first taking the largest away."""


@dataclass(frozen=True)
class Fitting:
    """What an equation was fitted on: rows with everything known count, the others weigh 0."""

    value: Floats
    causes: Columns
    weight: Floats
    group: Floats
    """Codes of the protected attribute: a resample that misses a group has no equation."""


@dataclass(frozen=True)
class Linear:
    """A straight line (or, with splines, a bent one) plus noise; exactly invertible."""

    node: str
    kind: str
    stated: bool
    design: Design
    beta: Floats
    bent: bool = False
    redundant: bool = False

    @property
    def random(self) -> bool:
        return False

    @property
    def constant_shift(self) -> bool:
        return not self.bent

    def noise(self, value: Floats, causes: Columns, chance: Floats | None) -> Floats:
        return np.asarray(value - self.expected(causes), dtype=np.float64)

    def value(self, causes: Columns, noise: Floats) -> Floats:
        return np.asarray(self.expected(causes) + noise, dtype=np.float64)

    def expected(self, causes: Columns) -> Floats:
        return np.asarray(combine(self.beta, self.design, causes), dtype=np.float64)

    def resampled(self, data: Fitting, packets: Packets) -> Linear:
        if self.stated:
            return self
        use = data.weight > 0
        matrix = np.zeros((packets.n, len(self.beta) - 1))
        causes = {k: v[use] for k, v in data.causes.items()}
        matrix[use] = self.design.matrix(causes, int(use.sum()))
        target = np.where(use, data.value, 0.0)
        return dataclasses.replace(
            self, beta=refit_linear(matrix, target, data.weight, packets, data.group)
        )

    def part(self, resamples: slice) -> Linear:
        return self if self.beta.ndim == 1 else dataclasses.replace(self, beta=self.beta[resamples])


def refit_linear(
    matrix: Floats, target: Floats, weight: Floats, packets: Packets, group: Floats
) -> Floats:
    """Least squares in every resample: float array (resamples, 1 + columns); NaN where none.

    Columns are centred and scaled first; redundant ones share their strength (least norm).
    """
    total = weight.sum()
    middle = weight @ matrix / total
    spread = np.sqrt(weight @ (matrix - middle) ** 2 / total)
    spread = np.where(spread > 0, spread, 1.0)
    level = float(weight @ target / total)
    scaled = (matrix - middle) / spread
    everything = np.column_stack([np.ones(len(target)), scaled, target - level])
    products = packets.products(everything, weight)
    sound = _every_group(packets, weight, group) & (products[:, 0, 0] > 0)
    left = products[:, :-1, :-1]
    left[~sound] = np.eye(left.shape[1])
    inverse = np.linalg.pinv(left, rcond=1e-11, hermitian=True)
    beta = np.einsum("bij,bj->bi", inverse, products[:, :-1, -1])
    beta[:, 1:] /= spread
    beta[:, 0] += level - beta[:, 1:] @ middle
    beta[~sound] = np.nan
    return np.asarray(beta, dtype=np.float64)


def _every_group(packets: Packets, weight: Floats, group: Floats) -> NDArray[np.bool_]:
    codes = np.unique(group[np.isfinite(group) & (weight > 0)])
    indicator = np.column_stack([(group == c) * weight for c in codes])
    return np.asarray((packets.drawn(indicator) > 0).all(axis=1), dtype=bool)


@dataclass(frozen=True)
class Censored:
    """A straight line plus normal noise, cut off below: ``max(floor, line + noise)``.

    The noise of a person above the floor can be read off; that of a person at the floor is drawn
    from the normal curve below it (exact inversion, no rejection).
    """

    node: str
    kind: str
    stated: bool
    design: Design
    beta: Floats
    sd: Floats
    """A number, or one a resample in shape (resamples, 1)."""
    floor: float

    @property
    def random(self) -> bool:
        return True

    @property
    def constant_shift(self) -> bool:
        return False

    def expected(self, causes: Columns) -> Floats:
        """The line below which nothing is seen, not the mean of what is seen."""
        return np.asarray(combine(self.beta, self.design, causes), dtype=np.float64)

    def noise(self, value: Floats, causes: Columns, chance: Floats | None) -> Floats:
        line = self.expected(causes)
        assert chance is not None
        edge = (self.floor - line) / self.sd
        hidden = self.sd * ndtri_exp(np.log(np.maximum(chance, 1e-300)) + log_ndtr(edge))
        return np.where(value <= self.floor, hidden, value - line)

    def value(self, causes: Columns, noise: Floats) -> Floats:
        return np.maximum(self.floor, self.expected(causes) + noise)

    def resampled(self, data: Fitting, packets: Packets) -> Censored:
        if self.stated:
            return self
        from .fit import censored_scores

        beta, sd = censored_scores(self, data, packets)
        return dataclasses.replace(self, beta=beta, sd=sd)

    def part(self, resamples: slice) -> Censored:
        if self.beta.ndim == 1:
            return self
        return dataclasses.replace(self, beta=self.beta[resamples], sd=self.sd[resamples])


@dataclass(frozen=True)
class Categories:
    """A logistic equation for two or more categories in a fixed order.

    A person's noise is a place between 0 and 1 among the chances of the categories; the person
    keeps it when the causes change (monotone coupling). With two categories this is
    ``1[place >= 1 - p]``, whose counterfactual chances are known in closed form.

    Attributes
    ----------
    beta : float array, shape (categories - 1, 1 + columns), with resamples in front
        Log odds of each category against the first one.
    support : float array
        The node's values in their order (numbers, or places among its texts).
    """

    node: str
    kind: str
    stated: bool
    design: Design
    beta: Floats
    support: Floats

    @property
    def random(self) -> bool:
        return True

    @property
    def constant_shift(self) -> bool:
        return False

    def chances(self, causes: Columns) -> list[Floats]:
        """The chance of each category, in order."""
        terms = terms_of(self.design, causes)
        lines = [
            np.asarray(weigh(self.beta[..., k, :], self.design, terms))
            for k in range(len(self.support) - 1)
        ]
        if len(lines) == 1:
            one = expit(lines[0])
            return [np.asarray(1 - one), np.asarray(one)]
        first: Any = 1.0
        if not all(np.abs(line).max(initial=0.0) < SAFE for line in lines):
            top: Any = 0.0
            for line in lines:
                top = np.maximum(top, line)
            lines = [np.asarray(line - top) for line in lines]
            first = np.exp(-top)
        powers = [np.exp(line, out=line) for line in lines]
        total = first + powers[0]
        for power in powers[1:]:
            total += power
        return [np.asarray(first / total), *(np.divide(p, total, out=p) for p in powers)]

    def expected(self, causes: Columns) -> Floats:
        chances = self.chances(causes)
        return np.asarray(sum(s * p for s, p in zip(self.support, chances, strict=True)))

    def noise(self, value: Floats, causes: Columns, chance: Floats | None) -> Floats:
        assert chance is not None
        chances = self.chances(causes)
        shape = np.broadcast_shapes(value.shape, chances[0].shape)
        low, width = np.full(shape, np.nan), np.full(shape, np.nan)
        below: Any = np.zeros(shape)
        for s, p in zip(self.support, chances, strict=True):
            own = np.flatnonzero(value == s)
            low[..., own] = below[..., own]
            width[..., own] = np.broadcast_to(p, shape)[..., own]
            below += p
        return np.asarray(low + width * chance, dtype=np.float64)

    def value(self, causes: Columns, noise: Floats) -> Floats:
        chances = self.chances(causes)
        code = np.zeros(np.broadcast_shapes(noise.shape, np.shape(chances[0])), dtype=np.int16)
        top: Any = 0.0
        for p in chances[:-1]:
            top = top + p
            code += noise >= top
        found = self.support[code]
        return np.where(np.isfinite(noise), found, np.nan)

    def resampled(self, data: Fitting, packets: Packets) -> Categories:
        if self.stated:
            return self
        from .fit import category_scores

        return dataclasses.replace(self, beta=category_scores(self, data, packets))

    def part(self, resamples: slice) -> Categories:
        return self if self.beta.ndim == 2 else dataclasses.replace(self, beta=self.beta[resamples])


@dataclass(frozen=True)
class Boosted:
    """Gradient boosting plus noise; exactly invertible. Resamples share a few refits."""

    node: str
    kind: str
    stated: bool
    design: Design
    models: Sequence[Any]
    which: NDArray[np.int64] | None = None
    """For each resample the model that stands for it."""
    seed: int = 0

    @property
    def random(self) -> bool:
        return False

    @property
    def constant_shift(self) -> bool:
        return False

    def expected(self, causes: Columns) -> Floats:
        columns = list(self.design.columns(causes))
        shape = np.broadcast_shapes(*(c.shape for c in columns))
        if self.which is None:
            matrix = np.column_stack([np.broadcast_to(c, shape).reshape(-1) for c in columns])
            return np.asarray(self.models[0].predict(matrix), dtype=np.float64).reshape(shape)
        people = shape[-1]
        out = np.empty((len(self.which), people))
        flat = len(shape) == 1
        for number in np.unique(self.which):
            mine = np.flatnonzero(self.which == number)
            rows = 1 if flat else len(mine)
            matrix = np.column_stack(
                [(c if c.ndim == 1 else c[mine].reshape(-1)) if c.ndim == 2 or rows == 1
                 else np.tile(c, rows) for c in columns]
            )  # fmt: skip
            out[mine] = self.models[number].predict(matrix).reshape(rows, people)
        return out

    def noise(self, value: Floats, causes: Columns, chance: Floats | None) -> Floats:
        return np.asarray(value - self.expected(causes), dtype=np.float64)

    def value(self, causes: Columns, noise: Floats) -> Floats:
        return np.asarray(self.expected(causes) + noise, dtype=np.float64)

    def resampled(self, data: Fitting, packets: Packets) -> Boosted:
        from .fit import boosted_refits

        return boosted_refits(self, data, packets)

    def part(self, resamples: slice) -> Boosted:
        if self.which is None:
            return self
        return dataclasses.replace(self, which=self.which[resamples])


Equation = Linear | Censored | Categories | Boosted
