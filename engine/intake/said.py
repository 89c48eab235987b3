"""What somebody said of the columns: texts that mean missing, and types. Taken as said, or refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.messages import say
from engine.plan.model import Source

from .columns import Reading
from .decide import as_number, date_form
from .model import Wart

_DAYS = {
    "date, day first": (frozenset({"day_dot", "day_slash", "either_slash"}), "%d/%m/%Y"),
    "date, month first": (frozenset({"month_slash", "either_slash"}), "%m/%d/%Y"),
}


def check_names(types: Mapping[str, str] | None, names: Sequence[str], file: str) -> None:
    """Refuse types of columns that the file does not have."""
    problems = [
        Problem(file, f'types "{name}"', say("intake.no_such_column", name=file, column=name, mend=mend(name, names, otherwise="its columns are")))
        for name in types or {}
        if name not in names
    ]  # fmt: skip
    if problems:
        raise Refused(problems)


def apply_types(
    readings: Sequence[Reading], types: Mapping[str, str], *, decimal: str, file: str
) -> None:
    """Give columns the types that were said.

    Parameters
    ----------
    readings : sequence of Reading
        As :func:`engine.intake.decide.decide` left them.
    types : mapping of column to one of :data:`engine.plan.keys.TYPES`
    decimal : str
        The file's decimal mark.
    file : str
        Named in refusals.

    Raises
    ------
    Refused
        Where a column holds cells that cannot be of the type; an example is named.
    """
    problems = [
        Problem(file, f'column "{reading.name}"', why)
        for reading in readings
        if reading.name in types and (why := _take(reading, types[reading.name], decimal))
    ]
    if problems:
        raise Refused(problems)


def check_types(readings: Sequence[Reading], types: Mapping[str, str], file: str) -> None:
    """Refuse where a value resisted the type that was said, such as the 31st of February."""
    problems = [
        Problem(file, f'column "{reading.name}"', say("intake.type_resists", type=_words(types[reading.name])))
        for reading in readings
        if reading.known and reading.type == "text" and types.get(reading.name, "text") != "text"
    ]  # fmt: skip
    if problems:
        raise Refused(problems)


def _take(reading: Reading, said: str, decimal: str) -> str:
    """Set one column's type; the reason where it cannot be."""
    kinds = set(reading.kinds)
    reading.doubt = None
    if said == "text" or not kinds:
        reading.type, reading.decimal, reading.thousands, reading.date = "text", None, False, None
        return ""
    if said == "number":
        if reading.type in ("whole number", "number") or as_number(reading, decimal):
            return ""
        return _refusal(reading, said, decimal)
    if "short_year" in kinds:
        return say("intake.type_short_year")
    form = date_form(kinds)
    if form is None and said in _DAYS and kinds <= _DAYS[said][0]:
        form = _DAYS[said][1]
    if form is None and said == "date" and kinds == {"either_slash"}:
        return say("intake.type_which_day")
    if form is None:
        return _refusal(reading, said, decimal)
    reading.type, reading.date, reading.decimal, reading.thousands = "date", form, None, False
    return ""


def _refusal(reading: Reading, said: str, decimal: str) -> str:
    trial = Reading(name="", place=0)
    for word, shape in zip(reading.words or [], reading.shapes, strict=False):
        if shape in ("blank", "marked"):
            continue
        trial.kinds = {shape: 1}
        fits = as_number(trial, decimal) if said == "number" else date_form({shape}) is not None
        if not fits:
            return say("intake.type_not", example=word.strip(), type=_words(said))
    example = reading.odd[0][0] if reading.odd else None
    if example is not None:
        return say("intake.type_not", example=example, type=_words(said))
    return say("intake.type_resists", type=_words(said))


def _words(said: str) -> str:
    return say(f"intake.type_{said.split(',')[0]}")


def markers_of(source: Source, names: tuple[str, ...], file: str) -> dict[str, tuple[str, ...]]:
    """Which texts mean missing, column by column, as the plan says."""
    given = source.missing
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return dict.fromkeys(names, tuple(given))
    problems = [
        Problem(file, f'missing "{name}"', say("intake.no_such_column", name=file, column=name, mend=mend(name, names, otherwise="its columns are")))
        for name in given
        if name not in names
    ]  # fmt: skip
    if problems:
        raise Refused(problems)
    return {name: tuple(marks) for name, marks in given.items()}


def missing_of(source: Source, readings: list[Reading], warts: list[Wart]) -> dict[str, Any]:
    """State what counts as missing, and which texts were left as values and asked about."""
    given = source.missing
    markers: Any = []
    if isinstance(given, Mapping):
        markers = {name: list(marks) for name, marks in given.items()}
    elif given is not None:
        markers = list(given)
    return {
        "blank_cells": sum(reading.blank for reading in readings),
        "markers": markers,
        "marked_cells": sum(reading.marked for reading in readings),
        "kept_as_text": {
            str(wart.suggestion["marker"]): wart.count
            for wart in warts
            if wart.code == "intake.like_missing"
        },
    }
