"""Groups of a protected attribute from values and rules (the contract's Groups)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.nearest import mend
from engine.base.wording import people, percent
from engine.messages import say
from engine.plan.attributes import entry_words
from engine.plan.model import Protected

from .desk import (
    Desk,
    Part,
    as_numbers,
    is_numeric,
    matches,
    natural_order,
    outer_blanks,
    quoted,
    union_of_keys,
)
from .labels import check_labels
from .model import LEFT_OUT, UNKNOWN, Attribute, Group
from .rules import complement_words, entry_key, takes

MOST_GROUPS = 500
"""More values than this are no groups but a quantity or an id."""

Codes = NDArray[np.int16]


@dataclass(frozen=True)
class _Items:
    """The things that are put into groups: distinct values (``keys``), or the rows' numbers."""

    keys: list[str] | None
    numbers: NDArray[np.float64]
    known: NDArray[np.bool_]
    numeric: bool
    people: int

    def taken(self, entry: Any) -> NDArray[np.bool_]:
        if isinstance(entry, Mapping):
            return takes(entry, self.numbers)
        mask = np.zeros(len(self.known), dtype=bool)
        mask[matches(entry, self.keys or [], numeric=self.numeric)] = True
        return mask

    def example(self, mask: NDArray[np.bool_]) -> str:
        place = int(np.flatnonzero(mask)[0])
        return self.keys[place] if self.keys is not None else entry_key(self.numbers[place])


def hard_groups(
    desk: Desk, attribute: Protected, place: str
) -> tuple[Attribute, list[Codes]] | None:
    """Put everybody into the groups of an attribute.

    Returns
    -------
    (Attribute, codes a part) or None
        None where something was wrong; the desk then holds the problems.
    """
    column = str(attribute.column)
    found = desk.columns(column, f"{place}.column")
    if found is None:
        return None
    entries = [*attribute.privileged, *(attribute.unprivileged or ()), *attribute.left_out]
    numbers = None
    if any(isinstance(entry, Mapping) for entry in entries):
        side = (
            "privileged"
            if any(isinstance(e, Mapping) for e in attribute.privileged)
            else "unprivileged"
        )
        numbers = _all_numbers(desk, found, f"{place}.{side}")
        if numbers is None:
            return None
    if all(isinstance(entry, Mapping) for entry in entries) and numbers is not None:
        everyone = np.concatenate(numbers)
        known = ~np.isnan(everyone)
        items = _Items(None, everyone, known, True, int(known.sum()))
        resolved = _resolve(desk, attribute, items, place)
        if resolved is None:
            return None
        groups, coded = resolved
        ends = np.cumsum([len(series) for _, series in found])[:-1]
        codes = list(np.split(coded, ends))
    else:
        keys, inner = union_of_keys(found)
        numeric = all(is_numeric(series) for _, series in found)
        sizes = _key_numbers(keys) if numbers is not None else np.full(len(keys), np.nan)
        filled = sum(int((c >= 0).sum()) for c in inner)
        items = _Items(keys, sizes, np.ones(len(keys), dtype=bool), numeric, filled)
        values = [e for e in entries if not isinstance(e, Mapping)]
        outer_blanks(desk, found, values, place)
        resolved = _resolve(desk, attribute, items, place)
        if resolved is None:
            return None
        groups, coded = resolved
        table = np.append(coded, np.int16(UNKNOWN)).astype(np.int16)
        codes = [table[c] for c in inner]
    result = Attribute(name=attribute.name, column=column, groups=groups)
    if not _both_sides(desk, result, codes, place):
        return None
    check_labels(desk, attribute, result, place)
    _tell_left_out(desk, result, found, codes)
    return result, codes


def _all_numbers(
    desk: Desk, found: Sequence[tuple[Part, pd.Series]], place: str
) -> list[NDArray[np.float64]] | None:
    numbers = [desk.numbers(part, series, place, "cohort.rule_on_text") for part, series in found]
    return None if any(n is None for n in numbers) else [n for n in numbers if n is not None]


def _key_numbers(keys: Sequence[str]) -> NDArray[np.float64]:
    return as_numbers(pd.to_numeric(pd.Series(keys, dtype=object), errors="coerce"))


def _resolve(
    desk: Desk, attribute: Protected, items: _Items, place: str
) -> tuple[tuple[Group, ...], Codes] | None:
    """The groups, and the code of each item."""
    before = len(desk.problems)
    sides = {
        "privileged": attribute.privileged,
        "unprivileged": attribute.unprivileged or (),
        "left_out": attribute.left_out,
    }
    masks = {side: [items.taken(e) & items.known for e in own] for side, own in sides.items()}
    _spelling(desk, attribute, items, sides, masks, place)
    _overlaps(desk, items, sides, masks, place)
    if len(desk.problems) > before:
        return None
    codes = np.full(len(items.known), UNKNOWN, dtype=np.int16)
    codes[items.known] = LEFT_OUT
    for mask in masks["privileged"]:
        codes[mask] = 0
    groups = [Group(", ".join(entry_key(e) for e in attribute.privileged), True)]
    if attribute.unprivileged is not None:
        for entry, mask in zip(attribute.unprivileged, masks["unprivileged"], strict=True):
            codes[mask] = len(groups)
            groups.append(Group(entry_key(entry), False))
        return tuple(groups), codes
    rest = codes == LEFT_OUT
    for mask in masks["left_out"]:
        rest &= ~mask
    if items.keys is None or any(isinstance(e, Mapping) for e in attribute.privileged):
        codes[rest] = 1
        return (groups[0], Group(complement_words(attribute.privileged), False)), codes
    places = {items.keys[i]: i for i in np.flatnonzero(rest)}
    if len(places) > MOST_GROUPS:
        desk.problem(
            f"{place}.unprivileged",
            "cohort.too_many_groups",
            column=attribute.column,
            n=len(items.keys),
        )
        return None
    for key in natural_order(places):
        codes[places[key]] = len(groups)
        groups.append(Group(key, False))
    return tuple(groups), codes


def _spelling(
    desk: Desk,
    attribute: Protected,
    items: _Items,
    sides: Mapping[str, Sequence[Any]],
    masks: Mapping[str, list[NDArray[np.bool_]]],
    place: str,
) -> None:
    """A value that nobody has is a slip of the pen: refused, or told where it is left out."""
    if items.keys is None:
        return
    if not items.keys:
        desk.problem(f"{place}.column", "cohort.all_blank", column=attribute.column)
        return
    for side, entries in sides.items():
        for entry, mask in zip(entries, masks[side], strict=True):
            if isinstance(entry, Mapping) or mask.any():
                continue
            if side == "left_out":
                desk.warn(
                    "cohort.left_out_never",
                    place,
                    column=attribute.column,
                    value=entry_words(entry),
                )
                continue
            if len(items.keys) == 1:  # no other spelling helps: there is one group alone
                desk.problem(
                    f"{place}.{side}",
                    "cohort.one_group",
                    column=attribute.column,
                    value=entry_words(entry),
                    known=people(items.people),
                    key=items.keys[0],
                    results=desk.results,
                )
                continue
            hint = mend(entry_key(entry), natural_order(items.keys), otherwise="its values are")
            desk.problem(
                f"{place}.{side}",
                "cohort.no_group_value",
                column=attribute.column,
                value=entry_words(entry),
                mend=hint,
            )


def _overlaps(
    desk: Desk,
    items: _Items,
    sides: Mapping[str, Sequence[Any]],
    masks: Mapping[str, list[NDArray[np.bool_]]],
    place: str,
) -> None:
    """No value may belong to two sides, nor to two unprivileged groups."""
    owners: list[tuple[str, str, NDArray[np.bool_]]] = []
    for side, own in masks.items():
        if side == "unprivileged":
            for entry, mask in zip(sides[side], own, strict=True):
                owners.append((side, f'the unprivileged group "{entry_key(entry)}"', mask))
        elif own:
            owners.append((side, f"the {side.replace('_', ' ')} values", np.any(own, axis=0)))
    for i, (_, first, mask) in enumerate(owners):
        for side, second, other in owners[i + 1 :]:
            both = mask & other
            if both.any():
                desk.problem(
                    f"{place}.{side}",
                    "cohort.both_lists",
                    value=f'"{items.example(both)}"',
                    first=first,
                    second=second,
                )


def _both_sides(desk: Desk, attribute: Attribute, codes: Sequence[Codes], place: str) -> bool:
    privileged = sum(int((c == 0).sum()) for c in codes)
    unprivileged = sum(int((c > 0).sum()) for c in codes)
    if privileged and unprivileged:
        return True
    known = sum(int((c != UNKNOWN).sum()) for c in codes)
    if not privileged:
        side = f'the privileged group "{attribute.privileged.key}"'
    else:
        side = "the unprivileged side"
    desk.problem(place, "cohort.one_side", side=side, known=known, results=desk.results)
    return False


def _tell_left_out(
    desk: Desk,
    attribute: Attribute,
    found: Sequence[tuple[Part, pd.Series]],
    codes: Sequence[Codes],
) -> None:
    for (part, series), own in zip(found, codes, strict=True):
        out = own == LEFT_OUT
        n = int(out.sum())
        if not n:
            continue
        keys, coded = union_of_keys([(part, series[out])])
        order = np.argsort(-np.bincount(coded[0], minlength=len(keys)), kind="stable")
        named = quoted((keys[i] for i in order), most=5)
        desk.exclude(
            part,
            cause="left out",
            attribute=attribute.name,
            rows=n,
            what=say("cohort.what_left_out", file=part.file, attribute=attribute.name),
            why=say(
                "cohort.why_left_out",
                n=n,
                total=len(part),
                share=percent(n / len(part)),
                values=named,
            ),
        )
