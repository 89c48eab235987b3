"""Who is compared with whom, and the columns of amounts that the method reads by itself."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.wording import count, listed
from engine.cohort.desk import as_numbers, is_numeric
from engine.cohort.model import Attribute, Cohort, Sample
from engine.intake.values import currencies_in, keys_of
from engine.messages import say

from .side import Floats, Side

MOST_CROSSINGS = 200


@dataclass(frozen=True)
class Pair:
    """Two sides of the people, before any amount is looked at.

    Attributes
    ----------
    unprivileged, privileged : float array, shape (n,)
        How far each person belongs: 0 or 1, or a probability.
    names : pair of str
        What the two sides are called in a sentence.
    soft : bool
    """

    unprivileged: Floats
    privileged: Floats
    names: tuple[str, str]
    soft: bool = False


Words = Mapping[str, Mapping[str, str]]
"""Attribute to group key to printed name (:func:`engine.cohort.labels.words_table`)."""


def groups_of(attribute: Attribute, sample: Sample, words: Words) -> dict[str, Pair]:
    """Each unprivileged group against the privileged one; under the empty key all of them."""
    privileged = _belongs(attribute, sample, [0])
    mine = words[attribute.name]
    called = f"{attribute.name} {mine[attribute.privileged.key]}"
    found = {}
    everyone = listed([mine[g.key] for g in attribute.unprivileged])
    for key, places, name in [
        ("", list(range(1, len(attribute.groups))), everyone),
        *((g.key, [i + 1], mine[g.key]) for i, g in enumerate(attribute.unprivileged)),
    ]:
        found[key] = Pair(
            _belongs(attribute, sample, places),
            privileged,
            (f"{attribute.name} {name}", called),
            attribute.soft,
        )
    return found


def _belongs(attribute: Attribute, sample: Sample, places: Sequence[int]) -> Floats:
    if attribute.soft:
        return np.asarray(sample.membership[attribute.name][:, places].sum(axis=1))
    return np.isin(sample.codes[attribute.name], places).astype(np.float64)


def crossings_of(attributes: Sequence[Attribute], sample: Sample, words: Words) -> dict[str, Pair]:
    """Each crossing of the groups against the crossing of the privileged ones."""
    cells: dict[str, tuple[Floats, str]] = {"": (np.ones(len(sample)), "")}
    for a in attributes:
        grown: dict[str, tuple[Floats, str]] = {}
        for key, (belongs, said) in cells.items():
            for i, g in enumerate(a.groups):
                name = f"{a.name}={g.key}" if not key else f"{key} × {a.name}={g.key}"
                called = f"{a.name} {words[a.name][g.key]}"
                grown[name] = (
                    belongs * _belongs(a, sample, [i]),
                    called if not key else f"{said} × {called}",
                )
        cells = grown
        if len(cells) > MOST_CROSSINGS:
            return {}
    first, *rest = cells
    soft = any(a.soft for a in attributes)
    reference, called = cells[first]
    return {key: Pair(cells[key][0], reference, (cells[key][1], called), soft) for key in rest}


@dataclass(frozen=True)
class Quote:
    """A column of amounts, sorted once so that every comparison only has to choose from it."""

    name: str
    values: Floats
    order: NDArray[np.int64]
    weight: Floats | None

    @classmethod
    def of(cls, name: str, values: Floats, weight: Floats | None) -> Quote:
        """Sort the known amounts; people of weight 0 do not count."""
        order = np.argsort(values, kind="stable")
        order = order[: int(np.isfinite(values).sum())]  # NaN sorts to the end
        if weight is not None:
            order = order[weight[order] > 0]
        return cls(name, values, order, weight)

    def side(self, belongs: Floats, soft: bool) -> Side:
        """The amounts of one side."""
        mine = belongs[self.order]
        inside = mine > 0
        chosen = self.order[inside]
        weight = None if self.weight is None else self.weight[chosen]
        if not soft:
            return Side(self.values[chosen], weight)
        share = mine[inside]
        sure = share if weight is None else weight * share
        square = float((sure if weight is None else sure * weight).sum())
        expected = float(sure.sum()) ** 2 / square if square > 0 else 0.0
        return Side(self.values[chosen], sure, expected)


def audited(cohort: Cohort) -> Sample:
    """The people whose amounts are compared: ``test``, else ``all``, else ``training``."""
    for sample in (cohort.test, cohort.whole, cohort.training):
        if sample is not None:
            return sample
    raise Refused(Problem("", "data", say("pricing.nothing")))


def in_one_currency(sample: Sample, column: str | None) -> str:
    """The one currency of all amounts, where a column names it; several are refused."""
    if column is None:
        return ""
    codes, keys = keys_of(sample.frame[column])
    if len(keys) > 1:
        n = np.bincount(codes[codes >= 0], minlength=len(keys))
        found = listed([f"{key} ({count(int(k))})" for key, k in zip(keys, n, strict=True)])
        text = say("pricing.currencies", column=column, found=found)
        raise Refused(Problem("", "methods.pricing.currency", text))
    return str(keys[0]) if keys else ""


def amounts_in(sample: Sample, column: str, place: str) -> Floats:
    """A column as amounts, blanks NaN.

    Raises
    ------
    Refused
        Where there is no such column, it holds text, or several currencies.
    """
    known = [str(c) for c in sample.frame.columns]
    if column not in known:
        hint = mend(column, known, otherwise="the columns are")
        raise Refused(Problem("", place, say("pricing.no_column", column=column, mend=hint)))
    series = sample.frame[column]
    if is_numeric(series):
        return as_numbers(series)
    _, keys = keys_of(series)
    signs = currencies_in(keys)
    if signs:
        code = "one_sign" if len(signs) == 1 else "signs"
        text = say(f"pricing.{code}", column=column, found=listed(signs))
    else:
        shown = listed([f'"{key}"' for key in keys[:3]])
        text = say("pricing.text", column=column, examples=shown or "blank cells")
    raise Refused(Problem("", place, text))


@dataclass(frozen=True)
class Strata:
    """People by risk: the stratum of each (-1 where the risk is not known) and its name."""

    place: NDArray[np.int64]
    names: tuple[str, ...]
    edges: tuple[float, ...]


def strata_of(sample: Sample, column: str, asked: int, usable: NDArray[np.bool_]) -> Strata:
    """Cut people by risk: numbers at equal numbers of people, words as they are.

    Parameters
    ----------
    usable : bool array, shape (n,)
        Who enters the cuts: people with a known amount.
    """
    series = sample.frame[column]
    if not is_numeric(series):
        codes, keys = keys_of(series)
        if len(keys) > 50:
            text = say("pricing.many_strata", column=column, n=count(len(keys)))
            raise Refused(Problem("", "methods.pricing.risk", text))
        order = sorted(range(len(keys)), key=lambda i: keys[i])
        rank = np.full(len(keys) + 1, -1, dtype=np.int64)
        rank[order] = np.arange(len(keys))
        return Strata(rank[codes], tuple(keys[i] for i in order), ())
    risk = as_numbers(series)
    known = np.isfinite(risk)
    if not (known & usable).any():
        text = say("pricing.no_risk", column=column)
        raise Refused(Problem("", "methods.pricing.risk", text))
    edges = np.unique(np.quantile(risk[known & usable], np.arange(1, asked) / asked))
    place = np.searchsorted(edges, risk, side="left").astype(np.int64)
    place[~known] = -1
    ends = [f"{e:,.4g}" for e in edges]
    names = [f"up to {ends[0]}"]
    names += [f"above {a} up to {b}" for a, b in itertools.pairwise(ends)]
    names.append(f"above {ends[-1]}")
    return Strata(place, tuple(names), tuple(float(e) for e in edges))


def only(pair: Pair, rows: NDArray[np.bool_]) -> Pair:
    """The same two sides, of some of the people."""
    return replace(pair, unprivileged=pair.unprivileged * rows, privileged=pair.privileged * rows)


def missing_by_group(
    attribute: Attribute, sample: Sample, values: Floats
) -> Mapping[str, dict[str, Any]]:
    """How many people of each group have no amount."""
    blank = ~np.isfinite(values)
    found = {}
    for i, g in enumerate(attribute.groups):
        mine = _belongs(attribute, sample, [i]) > 0
        found[g.key] = {"missing": int((mine & blank).sum()), "of": int(mine.sum())}
    return found
