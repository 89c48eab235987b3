"""Groups that are known only as probabilities (the contract's Membership)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.base.wording import count, percent
from engine.intake.values import same_value
from engine.messages import say
from engine.plan.model import Protected

from .desk import Desk, Part
from .labels import check_labels
from .model import Attribute, Group
from .rules import entry_key

SUM_TOLERANCE = 1e-6
LEAVE_OUT, REFUSE, RENORMALISE = "leave out", "refuse", "renormalise"

Shares = NDArray[np.float64]


def soft_groups(
    desk: Desk, attribute: Protected, place: str
) -> tuple[Attribute, list[Shares]] | None:
    """The probabilities of belonging, one array of shape (rows, groups) a part.

    Several privileged groups are one group: their probabilities add. Rows whose probabilities
    are blank, negative or do not sum to 1 are all zero, unless the plan's
    ``unusable_membership`` says otherwise.
    """
    columns = dict(attribute.membership or {})
    before = len(desk.problems)
    parts: list[Shares] = []
    for part in desk.parts:
        raw = []
        for group, column in columns.items():
            where = f"{place}.membership.{group}"
            series = desk.column(part, column, where)
            if series is None:
                continue
            numbers = desk.numbers(part, series, where, "cohort.not_numbers")
            if numbers is not None:
                raw.append(numbers)
        if len(raw) == len(columns):
            parts.append(_usable(desk, attribute, part, np.column_stack(raw), place))
    if len(desk.problems) > before:
        return None
    names = list(columns)
    privileged = _members(names, attribute.privileged)
    if attribute.unprivileged is None:
        left_out = _members(names, attribute.left_out)
        others = [i for i in range(len(names)) if i not in privileged and i not in left_out]
    else:
        others = _members(names, attribute.unprivileged)
    groups = (
        Group(", ".join(entry_key(names[i]) for i in privileged), True),
        *(Group(entry_key(names[i]), False) for i in others),
    )
    shares = [
        np.column_stack([m[:, privileged].sum(axis=1), *(m[:, i] for i in others)]) for m in parts
    ]
    sides = (
        (f'the privileged group "{groups[0].key}"', sum(float(s[:, 0].sum()) for s in shares)),
        ("the unprivileged side", sum(float(s[:, 1:].sum()) for s in shares)),
    )
    if all(mass <= 0 for _, mass in sides):  # nobody is known: told, and the rest goes on
        people = count(sum(len(s) for s in shares))
        desk.warn("cohort.membership_unknown", place, attribute=attribute.name, total=people)
    else:
        known = sum(int((s.sum(axis=1) > 0).sum()) for s in shares)
        for side, mass in sides:
            if mass <= 0:
                desk.problem(place, "cohort.one_side", side=side, known=known)
    if len(desk.problems) > before:
        return None
    result = Attribute(attribute.name, None, groups, soft=True)
    check_labels(desk, attribute, result, place)
    return result, shares


def _members(names: list[str], entries: tuple[object, ...]) -> list[int]:
    return [
        i for entry in entries for i, name in enumerate(names) if same_value(entry, name.strip())
    ]


def _usable(desk: Desk, attribute: Protected, part: Part, raw: Shares, place: str) -> Shares:
    chosen = desk.plan.methods.get("intersection", {}).get("unusable_membership") or LEAVE_OUT
    total = raw.sum(axis=1)
    blank = np.isnan(total) | (raw < 0).any(axis=1) | ~(total > 0)
    with np.errstate(invalid="ignore"):
        wrong = ~blank & (np.abs(total - 1) > SUM_TOLERANCE)
    odd = blank | wrong
    shares = np.where(blank[:, None], 0.0, raw)
    n = int(odd.sum())
    if not n:
        return shares
    rows = part.named(odd)
    if chosen == REFUSE:
        desk.problem(
            place,
            "cohort.bad_membership",
            n=count(n),
            total=count(len(part)),
            file=part.file,
            rows=rows,
        )
        return shares
    if chosen == RENORMALISE:
        shares[wrong] /= total[wrong, None]
        done, out = "those with a sum are scaled to 1, the others are left out", blank
    else:
        shares[wrong] = 0.0
        done, out = "they are left out", odd
    desk.warn(
        "cohort.membership_unusable", place, n=count(n), total=count(len(part)), file=part.file,
        attribute=attribute.name, done=done, rows=rows,
    )  # fmt: skip
    gone = int(out.sum())
    desk.exclude(
        part,
        cause="unusable membership",
        attribute=attribute.name,
        rows=gone,
        what=say("cohort.what_membership", file=part.file, attribute=attribute.name),
        why=say(
            "cohort.why_membership",
            n=count(gone),
            total=count(len(part)),
            share=percent(gone / len(part)),
        ),
    )
    return shares
