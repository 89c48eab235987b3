"""The causes of a node as the columns of a regression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import SplineTransformer

from .people import Values

Floats = NDArray[np.float64]

BENDS = 6
"""Knots of a spline: enough for a bend or two, few enough for small data."""
FEWEST_NUMBERS = 8
"""A column with fewer different numbers than this gets no spline."""


@dataclass(frozen=True)
class Block:
    """One cause: a number (bent or straight), or one column a level but the first."""

    parent: str
    levels: tuple[str, ...]
    groups: bool
    spline: Any = None

    @property
    def labels(self) -> list[str]:
        """Names of its columns, as the plan's coefficients name them."""
        if self.spline is not None:
            return [f"{self.parent} (bend {i + 1})" for i in range(self.spline.n_features_out_ - 1)]
        if not self.levels:
            return [self.parent]
        if len(self.levels) == 2 and self.groups:
            return [self.parent]
        return [f"{self.parent} = {level.strip()}" for level in self.levels[1:]]

    def columns(self, values: Floats) -> Iterator[Floats]:
        """Its columns for any shape of values."""
        if self.spline is not None:
            # the first basis function is left out: together they sum to 1, which the intercept is
            bent = self.spline.transform(values.reshape(-1, 1))[:, 1:]
            for i in range(bent.shape[1]):
                yield bent[:, i].reshape(values.shape)
        elif not self.levels:
            yield values
        else:
            for code in range(1, len(self.levels)):
                yield (values == code).astype(np.float64)


@dataclass(frozen=True)
class Design:
    """The causes of a node, ready for fitting and for predicting."""

    blocks: tuple[Block, ...]

    @property
    def labels(self) -> list[str]:
        """Names of all columns, without the intercept."""
        return [label for block in self.blocks for label in block.labels]

    @property
    def owners(self) -> list[str]:
        """For each column the cause it comes from."""
        return [block.parent for block in self.blocks for _ in block.labels]

    def columns(self, values: Mapping[str, Floats]) -> Iterator[Floats]:
        """All columns in order, each in the shape of its cause's values."""
        for block in self.blocks:
            yield from block.columns(values[block.parent])

    def matrix(self, values: Mapping[str, Floats], n: int) -> Floats:
        """The columns side by side, shape (n, columns)."""
        columns = list(self.columns(values))
        return np.column_stack(columns) if columns else np.empty((n, 0))


def design_of(
    *, parents: Sequence[str], values: Mapping[str, Values], rows: NDArray[np.bool_], bent: bool
) -> Design:
    """The columns for a node's causes.

    Parameters
    ----------
    parents : sequence of str
    values : mapping of node to Values
    rows : bool array
        The people on whom a spline's knots are placed.
    bent : bool
        Whether numbers enter by splines (natural beyond their range: straight on).
    """
    blocks = []
    for parent in parents:
        node = values[parent]
        spline = None
        if bent and not node.levels:
            seen = node.values[rows]
            if len(np.unique(seen)) >= FEWEST_NUMBERS:
                knots = np.unique(np.quantile(seen, np.linspace(0, 1, BENDS)))
                if len(knots) > 2:
                    spline = SplineTransformer(
                        degree=3, knots=knots[:, None], extrapolation="linear"
                    ).fit(seen[:, None])
        blocks.append(Block(parent, node.levels, node.groups, spline))
    return Design(tuple(blocks))


Term = tuple[bool, NDArray[Any]]
"""Whether these are places in a table of steps (levels but the first), and the array itself."""


def terms_of(design: Design, values: Mapping[str, Floats]) -> list[Term]:
    """The causes as :func:`weigh` takes them, made once for many sets of coefficients.

    A cause with several levels is looked up by its place instead of one column a level, so that
    its cost does not grow with the levels.
    """
    found: list[Term] = []
    for block in design.blocks:
        own = values[block.parent]
        if len(block.levels) > 2:
            found.append((True, np.where(np.isfinite(own), own, 0.0).astype(np.intp)))
        else:
            found += [(False, column) for column in block.columns(own)]
    return found


def weigh(beta: Floats, design: Design, terms: Sequence[Term]) -> Any:
    """Intercept and columns by their coefficients; see :func:`combine`."""
    batch = beta.ndim == 2
    total: Any = beta[:, :1].copy() if batch else beta[0]
    widths = [len(b.levels) - 1 for b in design.blocks if len(b.levels) > 2]
    at, tables = 1, iter(widths)
    for by_place, term in terms:
        if not by_place:
            total = total + (beta[:, at : at + 1] if batch else beta[at]) * term
            at += 1
            continue
        width = next(tables)
        steps = beta[..., at : at + width]
        table = np.concatenate([np.zeros((*steps.shape[:-1], 1)), steps], axis=-1)
        if not batch:
            total = total + table[term]
        elif term.ndim == 1:
            total = total + table[:, term]
        else:
            total = total + np.take_along_axis(table, term, axis=1)
        at += width
    return total


def combine(beta: Floats, design: Design, values: Mapping[str, Floats]) -> Any:
    """Intercept and columns by their coefficients.

    Parameters
    ----------
    beta : float array, shape (1 + columns,) or (resamples, 1 + columns)
    values : mapping of cause to float array, shape (people,) or (resamples, people)

    Returns
    -------
    float array, shape (people,) or (resamples, people), or a number without causes
    """
    return weigh(beta, design, terms_of(design, values))
