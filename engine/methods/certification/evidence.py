"""From the cohort to counts: one pass over each sample, nothing later looks at a row again."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cohort.model import UNKNOWN, Attribute, Cohort, Sample
from engine.fairness.counts import Cells, CountTable, count_table, state_index
from engine.fairness.intervals import Crossed, SideShares, cross


@dataclass(frozen=True)
class Counted:
    """A sample, counted: a table for each attribute, and all attributes crossed.

    ``crossed`` is None where there is one attribute only, or where too many cells would arise.
    """

    role: str
    rows: int
    tables: Mapping[str, CountTable]
    crossed: Crossed | None


@dataclass(frozen=True)
class Evidence:
    """Counts of the recorded outcomes and of the decisions; either may be missing.

    ``same`` says that the decided people are among the recorded ones, whose table then holds
    their decisions too, so that both are drawn anew together.
    """

    recorded: Counted | None
    decided: Counted | None
    same: bool


def count_cohort(*, cohort: Cohort) -> Evidence:
    """Count what the contract names: recorded outcomes of ``training`` (else ``all``), decisions
    of ``test`` (else ``all``)."""
    recorded, decided = cohort.recorded, cohort.decided
    if recorded is not None and recorded.outcome is None:
        recorded = None
    same = recorded is not None and recorded is decided
    if recorded is cohort.whole and recorded is not None and cohort.test_rows is not None:
        recorded, same = _with_test_decisions(recorded, decided, cohort.test_rows), True
    first = None if recorded is None else _count(recorded, cohort.attributes, same)
    second = first if same and recorded is decided else None
    if decided is not None and second is None:
        second = _count(decided, cohort.attributes, True)
    return Evidence(first, second, same)


def _with_test_decisions(
    whole: Sample, test: Sample | None, test_rows: NDArray[np.int64]
) -> Sample:
    """Everybody, with the stand-in's decisions on those of the test; the others have none."""
    decision = np.full(len(whole), UNKNOWN, dtype=np.int8)
    if test is not None and test.decision is not None:
        decision[test_rows] = test.decision
    return dataclasses.replace(whole, decision=decision)


def _count(sample: Sample, attributes: tuple[Attribute, ...], decisions: bool) -> Counted:
    states = state_index(
        n=len(sample),
        outcome=sample.outcome,
        decision=sample.decision if decisions else None,
    )
    tables = {
        a.name: count_table(
            groups=len(a.groups),
            codes=None if a.soft else sample.codes[a.name],
            membership=sample.membership[a.name] if a.soft else None,
            weight=sample.weight,
            states=states,
        )
        for a in attributes
    }
    crossed = None
    if len(attributes) > 1:
        crossed = cross(
            attributes=[_sides(sample, a) for a in attributes],
            states=states,
            weight=sample.weight,
        )
    return Counted(sample.role, len(sample), tables, crossed)


def _sides(sample: Sample, attribute: Attribute) -> SideShares:
    if attribute.soft:
        share = sample.membership[attribute.name]
        return SideShares(soft=np.column_stack([share[:, 1:].sum(axis=1), share[:, 0]]))
    # 0 unprivileged, 1 privileged, 2 neither (the last two entries serve codes -2 and -1).
    side: NDArray[np.int8] = np.array([1] + [0] * (len(attribute.groups) - 1) + [2, 2], np.int8)
    return SideShares(hard=side[sample.codes[attribute.name]])


NOBODY = Cells(np.zeros((3, 3), np.int64), np.zeros((3, 3)), np.zeros((3, 3)))
"""Cells without people."""


@dataclass(frozen=True)
class Pair:
    """The two sides of a comparison in one sample: unprivileged and privileged."""

    unprivileged: Cells
    privileged: Cells
    blank: Cells
    weighted: bool

    @property
    def sides(self) -> tuple[Cells, Cells]:
        """Unprivileged and privileged cells."""
        return self.unprivileged, self.privileged


def pair(*, counted: Counted | None, attribute: Attribute, group: int | None = None) -> Pair | None:
    """The privileged group against one unprivileged group, or (None) all of them pooled."""
    if counted is None:
        return None
    table = counted.tables[attribute.name]
    chosen = range(1, len(attribute.groups)) if group is None else (group,)
    return Pair(table.side(chosen), table.side(0), table.blank, table.weighted)
