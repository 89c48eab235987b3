"""The nodes of graphs as arrays, one entry a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.cohort.model import Attribute, Cohort, Sample
from engine.messages import say
from engine.models.encoding import is_numeric, numbers, texts
from engine.plan.model import Plan

Floats = NDArray[np.float64]

MOST_GROUPS = 20
"""More groups of the protected attribute than this are too many alternatives to tell."""
SCORE_OF_MODEL = "score"
"""The node that stands for the score of a stand-in or a model file."""


@dataclass(frozen=True)
class Values:
    """One node's values.

    Attributes
    ----------
    name : str
    values : float array, shape (n,)
        Numbers, or places in ``levels``; NaN where unknown.
    levels : tuple of str
        The texts or groups in order; empty for numbers.
    groups : bool
        Whether it is a protected attribute given as groups: 0 privileged, above 0 unprivileged.
    """

    name: str
    values: Floats
    levels: tuple[str, ...] = ()
    groups: bool = False

    def shown(self, values: Floats) -> NDArray[np.object_] | Floats:
        """Values as a reader knows them: texts for places."""
        if not self.levels:
            return values
        table = np.array([*(level.strip() for level in self.levels), None], dtype=object)
        codes = np.where(np.isfinite(values), values, len(self.levels)).astype(int)
        return np.asarray(table[codes], dtype=object)


@dataclass(frozen=True)
class Target:
    """What is explained: its node, where it comes from, and its values.

    ``kind`` is ``score``, ``amount``, ``outcome``, ``decision``, ``model`` (the score of
    ``cohort.fitted``) or ``column``. ``high_is`` says what a high value means to a person:
    ``favourable``, ``unfavourable`` or empty where nobody said.
    """

    name: str
    kind: str
    high_is: str
    values: Values


def sample_of(cohort: Cohort) -> Sample:
    """The people who are asked about: ``test``, else ``all``, else ``training``."""
    for sample in (cohort.test, cohort.whole, cohort.training):
        if sample is not None:
            return sample
    raise AssertionError("a cohort holds people")


def target_of(
    *,
    cohort: Cohort,
    plan: Plan,
    sample: Sample,
    asked: str | None,
    place: str,
    ends: Sequence[str],
) -> Target:
    """The target: as asked, else the score, the amount, the 0/1 outcome, else the graphs' end.

    Parameters
    ----------
    asked : str or None
        A column's name.
    place : str
        Where the plan asks, for refusals.
    ends : sequence of str
        Nodes of the graphs that nothing follows.

    Raises
    ------
    Refused
        Where there is no such target, or it holds text.
    """
    system = plan.system
    score = system.score_column if system is not None else None
    amount = system.amount_column if system is not None else None
    outcome = plan.outcome.column if plan.outcome is not None else None
    decision = system.prediction.column if system is not None and system.prediction else None
    if asked is None:
        if cohort.fitted is not None and sample.score is not None:
            asked = SCORE_OF_MODEL
        else:
            asked = score or amount or outcome
    if asked is None:
        if len(ends) != 1:
            code = "causal.no_target_name" if ends else "causal.no_score"
            shown = ", ".join(f'"{e}"' for e in ends)
            raise Refused(Problem("", place, say(code, ends=shown)))
        asked = ends[0]
    if asked == SCORE_OF_MODEL and cohort.fitted is not None and sample.score is not None:
        return Target(asked, "model", "favourable", Values(asked, sample.score))
    if asked == outcome and sample.outcome is not None:
        return Target(asked, "outcome", "favourable", Values(asked, _codes(sample.outcome)))
    if asked == decision and sample.decision is not None:
        return Target(asked, "decision", "favourable", Values(asked, _codes(sample.decision)))
    values = column_values(sample.frame, asked)
    if values is None or values.levels:
        code = "causal.text_target" if values is not None else "run.no_method_column"
        hint = mend_columns(asked, sample)
        raise Refused(Problem("", place, say(code, node=asked, column=asked, mend=hint)))
    if asked == score and system is not None:
        return Target(asked, "score", system.score_high_is, values)
    if asked == amount and system is not None:
        high = {"high": "unfavourable", "low": "favourable"}.get(system.amount_adverse or "", "")
        return Target(asked, "amount", high, values)
    return Target(asked, "column", "", values)


def mend_columns(name: str, sample: Sample) -> str:
    """What a mistyped column may be."""
    from engine.base.nearest import mend

    return mend(name, [str(c) for c in sample.frame.columns], otherwise="the columns are")


def _codes(values: NDArray[np.int8]) -> Floats:
    return np.where(values < 0, np.nan, values.astype(np.float64))


def group_values(attribute: Attribute, sample: Sample) -> Values:
    """A protected attribute as groups: 0 privileged, 1 and on unprivileged, NaN unknown."""
    codes = sample.codes[attribute.name].astype(np.float64)
    levels = tuple(g.key for g in attribute.groups)
    return Values(attribute.name, np.where(codes < 0, np.nan, codes), levels, True)


def column_values(frame: pd.DataFrame, column: str) -> Values | None:
    """A column as numbers, or as places among its sorted texts; None where there is none."""
    if column not in frame:
        return None
    series = frame[column]
    if is_numeric(series):
        return Values(column, numbers(series))
    category = texts(series)
    present = np.flatnonzero(
        np.bincount(category.codes[category.codes >= 0], minlength=len(category.categories))
    )
    names = sorted((str(category.categories[i]), int(i)) for i in present)
    lookup = np.full(len(category.categories) + 1, np.nan)
    for place, (_, i) in enumerate(names):
        lookup[i] = place
    return Values(column, lookup[category.codes], tuple(name for name, _ in names))


def node_values(
    *,
    nodes: Sequence[str],
    attribute: Attribute,
    target: Target,
    cohort: Cohort,
    plan: Plan,
    sample: Sample,
) -> dict[str, Values]:
    """The values of every node that the data know; unknown columns are left out.

    The audited attribute is always given as groups, under its name or its column's; another
    protected attribute too, unless its node is a column of numbers.
    """
    found: dict[str, Values] = {}
    for node in nodes:
        if node in (attribute.name, attribute.column):
            found[node] = group_values(attribute, sample)
        elif node == target.name:
            found[node] = target.values
        else:
            values = _other(node, cohort, plan, sample)
            if values is not None:
                found[node] = values
    return found


def _other(node: str, cohort: Cohort, plan: Plan, sample: Sample) -> Values | None:
    values = column_values(sample.frame, node)
    if values is not None and not values.levels:
        return values
    for a in cohort.attributes:
        if node in (a.name, a.column) and not a.soft:
            return group_values(a, sample)
    if plan.outcome is not None and node == plan.outcome.column and sample.outcome is not None:
        return Values(node, _codes(sample.outcome))
    return values


def known(values: Mapping[str, Values], nodes: Sequence[str]) -> NDArray[np.bool_]:
    """The people of whom every one of these nodes is known."""
    mask: Any = True
    for node in nodes:
        mask = mask & np.isfinite(values[node].values)
    return np.asarray(mask, dtype=bool)


def level_differences(
    *, values: Values, group: Floats, weight: Floats, rows: NDArray[np.bool_]
) -> dict[str, float]:
    """The share of each text among the unprivileged less that among the privileged.

    Parameters
    ----------
    values : Values
        A column of texts.
    group : float array, shape (n,)
        0 privileged, above 0 unprivileged; NaN where unknown.
    weight : float array, shape (n,)
    rows : bool array, shape (n,)
        Who counts; people whose text is not known do not.

    Returns
    -------
    dict of text to share
        Empty where a side has nobody.
    """
    use = rows & np.isfinite(values.values)
    sides = [use & (group == 0), use & (group > 0)]
    masses = [float(weight[s].sum()) for s in sides]
    if min(masses) <= 0:
        return {}
    shares = [
        np.bincount(values.values[s].astype(int), weight[s], len(values.levels)) / mass
        for s, mass in zip(sides, masses, strict=True)
    ]
    return {
        level.strip(): float(more - less)
        for level, less, more in zip(values.levels, *shares, strict=True)
    }
