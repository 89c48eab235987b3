"""What all rooms of the cohort work on: the sources, and what is noted on the way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.wording import count, listed
from engine.intake.values import keys_of, same_value, value_key
from engine.messages import say
from engine.plan.model import Plan

LARGEST = 1e30
"""No quantity of people or money comes near it."""


@dataclass
class Part:
    """One source, joined and filtered: ``role``, the name of its file, its rows.

    ``rows`` holds the row numbers in the received file (from 1), for naming rows.
    """

    role: str
    file: str
    frame: pd.DataFrame
    rows: NDArray[np.int64]
    ids: NDArray[np.object_] | None = None
    twice: dict[str, int] = field(default_factory=dict)
    files: NDArray[np.int16] | None = None
    """For files that were appended: which of :attr:`file_names` each row came from."""
    file_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.frame)

    def named(self, mask: NDArray[np.bool_], *, most: int = 20) -> str:
        """The first rows of a mask, by their ids where there are such."""
        places = np.flatnonzero(mask)[:most]
        if self.ids is None:
            names = [f"row {self.rows[i]}" for i in places]
        else:
            names = [str(self.ids[i]) or f"row {self.rows[i]}" for i in places]
        rest = int(mask.sum()) - len(places)
        return ", ".join(names) + (f" and {count(rest)} more" if rest > 0 else "")


@dataclass
class Desk:
    """The plan, its sources, and everything that is wrong, left out or odd."""

    plan: Plan
    parts: list[Part] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    exclusions: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)
    results: str = ""
    """What can be said of the results of everybody, where groups cannot be compared."""

    def problem(self, place: str, code: str, **fields: object) -> None:
        """Note why the input is refused."""
        problem = Problem(self.plan.name, place, say(code, **fields))
        if problem not in self.problems:
            self.problems.append(problem)

    def warn(self, code: str, where: str, **fields: object) -> None:
        """Note something odd that does not stop the audit."""
        entry = {"code": code, "text": say(code, **fields), "where": where}
        if entry not in self.warnings:
            self.warnings.append(entry)

    def exclude(
        self,
        part: Part,
        *,
        cause: str,
        rows: int,
        what: str,
        why: str,
        attribute: str | None = None,
    ) -> None:
        """Note rows of a source that do not count, and why."""
        if rows:
            self.exclusions.append(
                {
                    "what": what,
                    "rows": int(rows),
                    "why": why,
                    "source": part.role,
                    "file": part.file,
                    "attribute": attribute,
                    "cause": cause,
                }
            )

    def settle(self) -> None:
        """Refuse, with everything that was noted, if anything was."""
        if self.problems:
            raise Refused(self.problems)

    def column(self, part: Part, name: str, place: str) -> pd.Series | None:
        """A column of a source; None (and a problem) where it has none of that name."""
        if part.twice.get(name, 1) > 1:
            self.problem(
                place, "cohort.column_twice", file=part.file, n=part.twice[name], column=name
            )
            return None
        if name not in part.frame.columns:
            hint = mend(name, map(str, part.frame.columns), otherwise="its columns are")
            self.problem(place, "cohort.no_column", file=part.file, column=name, mend=hint)
            return None
        return part.frame[name]

    def columns(
        self, name: str, place: str, parts: Sequence[Part] | None = None
    ) -> list[tuple[Part, pd.Series]] | None:
        """A column of several sources; None where one of them lacks it."""
        parts = self.parts if parts is None else parts
        found = [(part, self.column(part, name, place)) for part in parts]
        if any(series is None for _, series in found):
            return None
        return [(part, series) for part, series in found if series is not None]

    def numbers(
        self, part: Part, series: pd.Series, place: str, code: str
    ) -> NDArray[np.float64] | None:
        """A column as numbers, blanks NaN; None (and a problem) where it holds text."""
        if is_numeric(series):
            found = as_numbers(series)
            self.refuse_immense(part, found, series.name, place)
            return found
        if pd.api.types.is_datetime64_any_dtype(series.dtype):
            self.problem(place, "cohort.rule_on_dates", file=part.file, column=series.name)
            return None
        examples = text_examples(part, series)
        if not examples:  # blank throughout
            return np.full(len(series), np.nan)
        self.problem(place, code, file=part.file, column=series.name, examples=examples)
        return None

    def refuse_immense(
        self, part: Part, numbers: NDArray[np.float64], column: object, place: str
    ) -> None:
        """Note numbers whose sums and squares no machine can hold."""
        with np.errstate(invalid="ignore"):
            immense = np.abs(numbers) > LARGEST
        if immense.any():
            self.problem(
                place, "cohort.immense", file=part.file, column=column, n=count(int(immense.sum())),
                rows=part.named(immense, most=5),
            )  # fmt: skip


def is_numeric(series: pd.Series) -> bool:
    """Whether a column holds numbers (truth values are not)."""
    kind = series.dtype
    return bool(pd.api.types.is_numeric_dtype(kind)) and not pd.api.types.is_bool_dtype(kind)


def as_numbers(series: pd.Series) -> NDArray[np.float64]:
    """A numeric column as floats with NaN for blanks."""
    numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
    if np.isinf(numbers).any():
        numbers = np.where(np.isinf(numbers), np.nan, numbers)
    return numbers


def text_examples(part: Part, series: pd.Series, *, most: int = 3) -> str:
    """The first cells of a column that are no numbers, with their rows; empty where none is."""
    codes, keys = keys_of(series)
    odd = np.array([_not_number(key) for key in keys], dtype=bool)
    if not odd.size:
        return ""
    if not odd.any():
        odd[:] = True  # written like numbers but kept as text, such as 007
    here = (codes >= 0) & odd[codes]
    places = np.flatnonzero(here)[:most]
    total = int(here.sum())
    shown = [f'row {part.rows[i]}: "{_short(keys[codes[i]])}"' for i in places]
    rest = f" and {count(total - len(places))} more" if total > len(places) else ""
    return ", ".join(shown) + rest


def _not_number(key: str) -> bool:
    try:
        return not math.isfinite(float(key))
    except ValueError:
        return True


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def quoted(values: Iterable[str], *, most: int = 8) -> str:
    """Values in quotation marks, the first few and how many more."""
    values = list(values)
    shown = [f'"{_short(v)}"' for v in values[:most]]
    if len(values) > most:
        return ", ".join(shown) + f" and {count(len(values) - most)} more"
    return listed(shown)


def matches(value: Any, keys: Sequence[str], *, numeric: bool) -> list[int]:
    """Which keys a plan's value names.

    Numeric columns have canonical keys, so that a look-up serves however many there are.
    """
    if not numeric:
        return [i for i, key in enumerate(keys) if same_value(value, key)]
    mine = value_key(value)
    wanted = {mine}
    try:
        number = float(mine)
    except ValueError:
        return []
    if abs(number) < 2**53:
        wanted.add(value_key(number))
    return [i for i, key in enumerate(keys) if key in wanted]


def natural_order(keys: Iterable[str]) -> list[str]:
    """Keys ascending: numbers by size, then text."""

    def rank(key: str) -> tuple[int, float, str]:
        try:
            return 0, float(key), key
        except ValueError:
            return 1, 0.0, key

    return sorted(keys, key=rank)


def union_of_keys(
    found: Sequence[tuple[Part, pd.Series]],
) -> tuple[list[str], list[NDArray[np.int32]]]:
    """Code one column of several sources by one common list of keys (-1 for blanks)."""
    keys: dict[str, int] = {}
    coded = []
    for _, series in found:
        codes, own = keys_of(series)
        table = np.array([keys.setdefault(key, len(keys)) for key in own] + [-1], dtype=np.int32)
        coded.append(table[codes])
    return list(keys), coded


def outer_blanks(
    desk: Desk, found: Sequence[tuple[Part, pd.Series]], values: Iterable[Any], where: str
) -> None:
    """Warn where a plan's value names text that has blanks around it in the data."""
    for part, series in found:
        if not isinstance(series.dtype, pd.CategoricalDtype):
            continue
        raw = [c for c in series.cat.categories if isinstance(c, str) and c != c.strip()]
        for value in values:
            if isinstance(value, str) and any(
                c != value and same_value(value, c.strip()) for c in raw
            ):
                desk.warn(
                    "cohort.outer_blanks",
                    where,
                    column=series.name,
                    file=part.file,
                    value=f'"{value}"',
                )
