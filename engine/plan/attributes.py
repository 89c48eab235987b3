"""The protected attributes of a plan and the tolerance that is set for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.base.nearest import mend

from . import keys
from .model import POINT_VALUES, WHOLE_INTERVAL, Protected, Rule, Tolerance, Value
from .reading import Reader, at, is_number, spelled


def value_text(value: Any) -> str:
    """A plan's value without its outer blanks and JSON type: what names the same value.

    Examples
    --------
    >>> value_text(" 1.0 "), value_text(1), value_text(True)
    ('1', '1', 'TRUE')
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, Mapping):
        return str(
            {
                k: [float(x) for x in v] if isinstance(v, list | tuple) else float(v)
                for k, v in value.items()
            }
        )
    text = str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else text


def read_protected(reader: Reader, found: Any) -> tuple[Protected, ...]:
    """``protected`` of a plan."""
    items = reader.items(found, "protected")
    if not items and (found is None or isinstance(found, list)):
        reader.problem("protected", "plan.no_protected")
    attributes: list[Protected] = []
    for i, item in enumerate(items):
        attribute = _attribute(reader, item, at("protected", i))
        if attribute.name and attribute.name in [a.name for a in attributes]:
            place = at("protected", i)
            reader.problem(place, "plan.attribute_twice", name=attribute.name)
        attributes.append(attribute)
    return tuple(attributes)


def _attribute(reader: Reader, item: Any, place: str) -> Protected:
    data = reader.mapping(item, place, keys.PROTECTED)
    name = reader.name(data, "name", place)
    column = reader.text(data, "column", place)
    membership = None
    if "membership" in data:
        membership = _membership(reader, data["membership"], at(place, "membership"))
        if column is not None:
            reader.problem(place, "plan.attribute_both")
        if name is None and "name" not in data:
            reader.problem(place, "plan.membership_name")
    elif column is None and "column" not in data and isinstance(item, Mapping):
        reader.problem(place, "plan.attribute_column")
    sides: dict[str, tuple[Value | Rule, ...]] = {}
    for side in ("privileged", "unprivileged", "left_out"):
        if side in data:
            sides[side] = reader.entries(data[side], at(place, side), empty=side == "left_out")
    if "privileged" not in data and isinstance(item, Mapping):
        reader.problem(place, "plan.needed", key="privileged", mend="name the privileged group")
    _check_sides(reader, sides, membership, place)
    return Protected(
        name=name or column or "",
        column=column,
        privileged=sides.get("privileged", ()),
        unprivileged=sides.get("unprivileged"),
        left_out=sides.get("left_out", ()),
        membership=membership,
        labels=_labels(reader, data.get("labels"), at(place, "labels")),
    )


def _labels(reader: Reader, found: Any, place: str) -> dict[str, str]:
    data = reader.mapping(found, place, None)
    named = ((value, reader.name(data, value, place)) for value in data)
    return {value: words for value, words in named if words is not None}


def _membership(reader: Reader, found: Any, place: str) -> dict[str, str]:
    data = reader.mapping(found, place, None)
    groups: dict[str, str] = {}
    for group in data:
        column = reader.text(data, group, place, default="")
        if column and column in groups.values():
            reader.problem(at(place, group), "plan.membership_twice", column=column)
        groups[group] = column
    if isinstance(found, Mapping) and len(groups) < 2:
        reader.problem(place, "plan.membership_few", n=len(groups))
    return groups


def _check_sides(
    reader: Reader,
    sides: Mapping[str, tuple[Value | Rule, ...]],
    membership: Mapping[str, str] | None,
    place: str,
) -> None:
    """No value on two sides; with membership, every value one of its groups."""
    seen: dict[str, str] = {}
    for side, entries in sides.items():
        for entry in entries:
            text = value_text(entry)
            if seen.setdefault(text, side) != side:
                shown = entry_words(entry)
                reader.problem(
                    at(place, side), "plan.both_lists", value=shown, first=seen[text], second=side
                )
            if membership is not None and text not in map(value_text, membership):
                hint = mend(text, membership, otherwise="its groups are")
                reader.problem(at(place, side), "plan.not_member", value=text, mend=hint)


def entry_words(entry: Value | Rule) -> str:
    """A value or rule as its author wrote it."""
    if isinstance(entry, Mapping):
        key, value = next(iter(entry.items()))
        return f'{{"{key}": {list(value) if isinstance(value, list | tuple) else value}}}'
    return spelled(entry)


def read_tolerance(reader: Reader, found: Any, names: Sequence[str]) -> Tolerance:
    """``tolerance`` of a plan."""
    data = reader.mapping(found, "tolerance", keys.TOLERANCE)
    default = Tolerance()
    at_least_0 = {"low": 0.0, "range": "from 0"}
    overrides: dict[str, dict[str, Any]] = {}
    asked = reader.mapping(data.get("overrides"), "tolerance.overrides", None)
    for name, own in asked.items():
        place = at("tolerance.overrides", name)
        if name not in names:
            hint = mend(name, names, otherwise="the attributes are")
            reader.problem(place, "plan.override_unknown", name=name, mend=hint)
        overrides[name] = _override(reader, own, place)
    return Tolerance(
        rule=reader.choice(
            data, "rule", "tolerance", default.rule, (WHOLE_INTERVAL, POINT_VALUES)
        ),
        difference=reader.number(
            data, "difference", "tolerance", default.difference, **at_least_0  # type: ignore[arg-type]
        ),
        ratio=_band(reader, data["ratio"], "tolerance.ratio", 1.0)
        if "ratio" in data
        else default.ratio,
        bias_index=reader.number(
            data, "bias_index", "tolerance", default.bias_index, **at_least_0  # type: ignore[arg-type]
        ),
        fairness_score=reader.number(
            data, "fairness_score", "tolerance", default.fairness_score, high=1.0, range="up to 1"
        ),
        overrides=overrides,
    )  # fmt: skip


def _override(reader: Reader, found: Any, place: str) -> dict[str, Any]:
    data = reader.mapping(found, place, keys.OVERRIDE)
    own: dict[str, Any] = {}
    for key, value in data.items():
        if key in ("difference", "bias_index"):
            own[key] = reader.number(data, key, place, 0.1, low=0.0, range="from 0")
        elif key in ("ratio", "DI"):
            own[key] = list(_band(reader, value, at(place, key), 1.0))
        elif key in keys.METRICS:
            if is_number(value):
                own[key] = reader.number(data, key, place, 0.1, low=0.0, range="from 0")
            else:
                own[key] = list(_band(reader, value, at(place, key), 0.0))
    return own


def _band(reader: Reader, found: Any, place: str, ideal: float) -> tuple[float, float]:
    good = isinstance(found, list) and len(found) == 2 and all(map(is_number, found))
    if not good or not found[0] <= ideal <= found[1]:
        reader.problem(place, "plan.band", ideal=int(ideal))
        return ideal, ideal
    return float(found[0]), float(found[1])
