"""A table turned into numbers that an algorithm can learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.messages import say

MOST_VALUES = 200
"""Texts of a column that get their own place; rarer ones share one."""
_BLANK = "\x00blank"
_RARE = "\x00rare"


@dataclass(frozen=True)
class _Column:
    name: str
    values: tuple[str, ...] | None
    """The texts with a place of their own; None for a column of numbers."""
    middle: float = 0.0
    flagged: bool = False
    """Whether blanks of a column of numbers get a place that says so."""

    @property
    def width(self) -> int:
        return len(self.values) if self.values is not None else 1 + self.flagged


def is_numeric(values: pd.Series) -> bool:
    """Whether a column is learnt from as numbers (dates and truth values are)."""
    kind = values.dtype
    return bool(
        pd.api.types.is_numeric_dtype(kind)
        or pd.api.types.is_bool_dtype(kind)
        or pd.api.types.is_datetime64_any_dtype(kind)
    )


def numbers(values: pd.Series) -> NDArray[np.float64]:
    """A column as floats, dates as days since 1970, blanks and texts as NaN."""
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        days = (values - pd.Timestamp(0, tz=values.dt.tz)) / pd.Timedelta(days=1)
        return np.asarray(days.to_numpy(dtype=np.float64, na_value=np.nan), np.float64)
    if not is_numeric(values):
        values = pd.to_numeric(values.astype(object), errors="coerce")
    out = values.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.where(np.isfinite(out), out, np.nan)


def texts(values: pd.Series) -> Any:
    """A column as categories of text; blanks stay blank."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return pd.Categorical(values.cat.rename_categories(lambda c: str(c)))
    return pd.Categorical(values.astype("string"))


class Encoder:
    """One-hot places for texts, numbers as they are; learnt on one table, used on others.

    Blanks of a text column are a category of their own; blanks of numbers take the median and get
    a place that says so. Texts that were not there when it learnt have no place (all zeros).
    """

    def __init__(self, columns: Sequence[_Column], warnings: Sequence[str] = ()) -> None:
        self.parts = tuple(columns)
        self.warnings = list(warnings)

    @property
    def names(self) -> list[str]:
        """The places in order, as ``column`` or ``column = text``."""
        out: list[str] = []
        for part in self.parts:
            if part.values is None:
                out += [part.name] + [f"{part.name} = (blank)"] * part.flagged
            else:
                shown = {_BLANK: "(blank)", _RARE: "(rare)"}
                out += [f"{part.name} = {shown.get(v, v)}" for v in part.values]
        return out

    @property
    def sources(self) -> list[str]:
        """For each place the column it comes from."""
        return [part.name for part in self.parts for _ in range(part.width)]

    @classmethod
    def learn(cls, *, frame: pd.DataFrame, features: Sequence[str]) -> Encoder:
        """Learn the places from a table.

        Raises
        ------
        Refused
            Where no feature is named or one is not in the table.
        """
        if not features:
            raise Refused(Problem("", "features", say("models.no_features")))
        parts, warnings = [], []
        for column in features:
            if column not in frame:
                text = say("models.feature_missing", column=column, role="training")
                raise Refused(Problem("", "features", text))
            values = frame[column]
            if is_numeric(values):
                found = numbers(values)
                known = found[np.isfinite(found)]
                middle = float(np.median(known)) if len(known) else 0.0
                parts.append(_Column(column, None, middle, len(known) < len(found)))
                continue
            category = texts(values)
            count = np.bincount(category.codes + 1, minlength=len(category.categories) + 1)
            present = [i for i in range(len(category.categories)) if count[i + 1]]
            if len(present) > MOST_VALUES:
                kept = sorted(present, key=lambda i: (-count[i + 1], category.categories[i]))
                warnings.append(
                    say("models.many_values", column=column, n=len(present), kept=MOST_VALUES)
                )
                present = sorted(kept[:MOST_VALUES])
                places = [*(str(category.categories[i]) for i in present), _RARE]
            else:
                places = [str(category.categories[i]) for i in present]
            # sorted, so that the order of the rows cannot move a place
            places = sorted(places) + [_BLANK] * bool(count[0])
            parts.append(_Column(column, tuple(places)))
        return cls(parts, warnings)

    def transform(self, frame: pd.DataFrame) -> NDArray[np.float64]:
        """The places of a table: float array of shape (rows, places)."""
        out = np.zeros((len(frame), sum(part.width for part in self.parts)))
        at = 0
        for part in self.parts:
            if part.name not in frame:
                text = say("models.feature_missing", column=part.name, role="audited")
                raise Refused(Problem("", "features", text))
            values = frame[part.name]
            if part.values is None:
                found = numbers(values)
                blank = ~np.isfinite(found)
                out[:, at] = np.where(blank, part.middle, found)
                if part.flagged:
                    out[:, at + 1] = blank
            else:
                category = texts(values)
                place = {value: i for i, value in enumerate(part.values)}
                other = place.get(_RARE, -1)
                lookup = np.array(
                    [
                        place.get(_BLANK, -1),
                        *(place.get(str(c), other) for c in category.categories),
                    ]
                )
                found_at = lookup[category.codes + 1]
                rows = np.flatnonzero(found_at >= 0)
                out[rows, at + found_at[rows]] = 1.0
            at += part.width
        return out


def encode(frame: pd.DataFrame, features: Sequence[str]) -> NDArray[np.float64]:
    """Learn the places from a table and give its numbers in one go.

    No outcome and no scale enters, so this may stand before a cross-validation.
    """
    return Encoder.learn(frame=frame, features=features).transform(frame)
