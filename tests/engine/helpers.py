"""Cohorts built by hand, for tests of methods that must not depend on how files are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from engine.base.watch import Watch
from engine.cohort.model import LEFT_OUT, UNKNOWN, Attribute, Cohort, Group, Sample
from engine.plan.model import Data, Outcome, Plan, Protected, Source, Tolerance


def attribute(name: str, privileged: str, *unprivileged: str, soft: bool = False) -> Attribute:
    """An attribute whose privileged group comes first."""
    groups = (Group(privileged, True), *(Group(key, False) for key in unprivileged))
    return Attribute(name=name, column=name, groups=groups, soft=soft)


def codes_of(values: Sequence[Any], one: Attribute, left_out: Sequence[str] = ()) -> np.ndarray:
    """Codes of an attribute's column; blanks are unknown, other values left out."""
    keys = {group.key: place for place, group in enumerate(one.groups)}
    codes = []
    for value in values:
        if value is None or (isinstance(value, float) and np.isnan(value)) or value == "":
            codes.append(UNKNOWN)
        else:
            codes.append(keys.get(str(value), LEFT_OUT))
    return np.array(codes, dtype=np.int16)


def binary(values: Sequence[Any] | None) -> np.ndarray | None:
    """Outcomes as codes: 1, 0, and -1 for what is blank."""
    if values is None:
        return None
    return np.array([-1 if pd.isna(v) else int(v) for v in values], dtype=np.int8)


def sample(
    role: str,
    attributes: Sequence[Attribute],
    groups: Mapping[str, Sequence[Any]],
    outcome: Sequence[Any] | None = None,
    decision: Sequence[Any] | None = None,
    weight: Sequence[float] | None = None,
    membership: Mapping[str, np.ndarray] | None = None,
) -> Sample:
    """A sample from columns of values."""
    membership = dict(membership or {})
    n = len(next(iter(groups.values()))) if groups else len(next(iter(membership.values())))
    codes = {
        a.name: np.full(n, UNKNOWN, np.int16) if a.soft else codes_of(groups[a.name], a)
        for a in attributes
    }
    return Sample(
        role=role,
        frame=pd.DataFrame({k: list(v) for k, v in groups.items()}, index=range(n)),
        outcome=binary(outcome),
        decision=binary(decision),
        score=None,
        amount=None,
        weight=None if weight is None else np.asarray(weight, dtype=float),
        ids=None,
        codes=codes,
        membership=membership,
    )


def cohort(
    attributes: Sequence[Attribute],
    *,
    training: Sample | None = None,
    test: Sample | None = None,
    whole: Sample | None = None,
    system_kind: str = "columns",
) -> Cohort:
    """A cohort of samples."""
    return Cohort(
        attributes=tuple(attributes),
        training=training,
        test=test,
        whole=whole,
        features=(),
        exclusions=[],
        warnings=[],
        system_kind=system_kind,
    )


def plan(attributes: Sequence[Attribute], **changes: Any) -> Plan:
    """A plan that fits the attributes; ``changes`` are its fields."""
    base: dict[str, Any] = {
        "seed": 20261129,
        "case": {},
        "data": Data(all=Source(path=("people.csv",))),
        "protected": tuple(
            Protected(name=a.name, column=a.column, privileged=(a.privileged.key,))
            for a in attributes
        ),
        "outcome": Outcome(column="y", favourable=(1,)),
        "tolerance": Tolerance(),
        "methods": {"certification": {}},
    }
    return Plan(**{**base, **changes})


def certify(people: Cohort, asked: Plan) -> dict[str, Any]:
    """The certification's part of a result, checked to be canonical JSON (no NaN)."""
    from engine.base.canonical import canonical_json
    from engine.methods.certification.compute import compute

    result = compute(cohort=people, plan=asked, settings={}, watch=Watch()).result
    canonical_json(result)
    return result
