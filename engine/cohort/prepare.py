"""Plan and tables made into people: the one way to a :class:`~engine.cohort.model.Cohort`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base import wording
from engine.base.watch import Watch
from engine.intake.model import Table
from engine.messages import say
from engine.plan.model import Plan

from .desk import Desk, Part
from .groups import hard_groups
from .membership import soft_groups
from .model import UNKNOWN, Attribute, Cohort, Sample
from .outcomes import Judged, judge, warn_if_reversed
from .sources import amounts, features, ids, parts_of, scores, weights
from .split import split
from .telling import tell_blanks, tell_unknown


def prepare(
    *,
    plan: Plan,
    tables: Mapping[str, Table],
    joins: Sequence[Table] = (),
    watch: Watch | None = None,
) -> Cohort:
    """Apply a plan to the tables that were read.

    Parameters
    ----------
    plan : Plan
    tables : mapping of role (``training``, ``test``, ``all``) to Table
    joins : sequence of Table
        In the order of ``plan.join``.
    watch : Watch, optional

    Returns
    -------
    Cohort
        Without the decisions of a stand-in or a model file, which
        :func:`engine.models.apply.add_decisions` adds. For a stand-in on ``all`` the split is
        made here.

    Raises
    ------
    Refused
        With everything that is wrong at once (the contract's "Refused").
    """
    watch = watch or Watch()
    desk = Desk(plan)
    watch.say("Joining the files and choosing rows", fraction=0.0)
    desk.parts = parts_of(desk, tables, joins)
    desk.settle()
    for part in desk.parts:
        part.ids = ids(desk, part)
    watch.say("Reading outcomes and decisions", fraction=0.2)
    outcome = judge(desk, plan.outcome, "outcome", desk.parts) if plan.outcome is not None else {}
    decided = [part for part in desk.parts if part.role != "training"]
    system = plan.system
    decision: dict[str, Judged] | None = {}
    if system is not None and system.prediction is not None:
        decision = judge(desk, system.prediction, "system.prediction", decided)
    watch.say("Forming the groups", fraction=0.5)
    desk.results = _results({"recorded outcome": outcome, "decision": decision})
    groups = [_groups(desk, i) for i in range(len(plan.protected))]
    own = {part.role: _numbers(desk, part) for part in desk.parts}
    wanted = features(desk)
    desk.settle()
    assert outcome is not None and decision is not None
    attributes: list[Attribute] = []
    codes: dict[str, dict[str, NDArray[np.int16]]] = {part.role: {} for part in desk.parts}
    shares: dict[str, dict[str, NDArray[np.float64]]] = {part.role: {} for part in desk.parts}
    for group in groups:
        assert group is not None
        attribute, coded = group
        attributes.append(attribute)
        for part, values in zip(desk.parts, coded, strict=True):
            if attribute.soft:
                shares[part.role][attribute.name] = values
                values = np.full(len(part), UNKNOWN, dtype=np.int16)
            codes[part.role][attribute.name] = values
    samples = {
        part.role: Sample(
            role=part.role,
            frame=part.frame,
            outcome=outcome[part.role].codes if part.role in outcome else None,
            decision=decision[part.role].codes if part.role in decision else None,
            ids=part.ids,
            codes=codes[part.role],
            membership=shares[part.role],
            files=part.files,
            file_names=part.file_names,
            **own[part.role],
        )
        for part in desk.parts
    }
    watch.say("Counting who does not count", fraction=0.8)
    _tell(desk, attributes, samples, outcome, decision)
    training, test, whole = (samples.get(role) for role in ("training", "test", "all"))
    test_rows = None
    if system is not None and system.train is not None and whole is not None:
        divided = split(desk, whole)
        desk.settle()
        assert divided is not None
        training, test, test_rows = divided
    return Cohort(
        attributes=tuple(attributes),
        training=training,
        test=test,
        whole=whole,
        test_rows=test_rows,
        features=wanted,
        exclusions=desk.exclusions,
        warnings=desk.warnings,
        system_kind=_kind(plan),
    )


def _kind(plan: Plan) -> str:
    if plan.system is None:
        return "none"
    if plan.system.train is not None:
        return "stand-in"
    return "model file" if plan.system.model_file is not None else "columns"


def _results(judged: Mapping[str, Mapping[str, Judged] | None]) -> str:
    """How many of all people have a favourable result: it needs no groups."""
    told = []
    for what, parts in judged.items():
        codes = [part.codes for part in (parts or {}).values()]
        n = sum(int((c >= 0).sum()) for c in codes)
        good = sum(int((c == 1).sum()) for c in codes)
        if n:
            told.append(
                say(
                    "cohort.one_group_told", favourable=wording.count(good), n=wording.people(n),
                    what=what, share=wording.percent(good / n),
                )
            )  # fmt: skip
    return say("cohort.one_group_results", told=wording.listed(told)) if told else ""


def _groups(desk: Desk, i: int) -> tuple[Attribute, Sequence[Any]] | None:
    attribute = desk.plan.protected[i]
    form = soft_groups if attribute.membership is not None else hard_groups
    return form(desk, attribute, f"protected[{i}]")


def _numbers(desk: Desk, part: Part) -> dict[str, Any]:
    return {
        "weight": weights(desk, part),
        "score": scores(desk, part),
        "amount": amounts(desk, part),
    }


def _tell(
    desk: Desk,
    attributes: Sequence[Attribute],
    samples: Mapping[str, Sample],
    outcome: Mapping[str, Judged],
    decision: Mapping[str, Judged],
) -> None:
    for part in desk.parts:
        sample = samples[part.role]
        for attribute in attributes:
            tell_blanks(desk, part, attribute, sample)
            if part.role in outcome:
                tell_unknown(desk, part, attribute, sample, outcome[part.role], "outcome")
            if part.role in decision:
                tell_unknown(desk, part, attribute, sample, decision[part.role], "decision")
        if sample.outcome is not None and sample.decision is not None:
            warn_if_reversed(desk, sample.outcome, sample.decision, "system.prediction")
