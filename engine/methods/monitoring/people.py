"""Who belongs to which period and which crossing, each person once."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.wording import count, listed
from engine.cohort.desk import natural_order
from engine.cohort.labels import words_table
from engine.cohort.model import Attribute, Cohort, Sample
from engine.intake.values import keys_of
from engine.messages import say
from engine.plan.model import Plan

from .dates import PLACE, Dates, Periods, by_calendar, by_own, forms_told, read_dates

Floats = NDArray[np.float64]
Days = NDArray[np.datetime64]
MOST_CELLS = 200
MOST_PERIODS = 2_000


@dataclass
class Noted:
    """What is told beside the numbers."""

    warnings: list[dict[str, Any]] = field(default_factory=list)
    exclusions: list[dict[str, Any]] = field(default_factory=list)

    def warn(self, code: str, where: str, **fields: object) -> None:
        """Note a sentence."""
        self.warnings.append({"code": code, "text": say(code, **fields), "where": where})

    def exclude(self, rows: int, cause: str, sample: Sample, code: str, **fields: object) -> None:
        """Note people who do not count."""
        self.exclusions.append(
            {
                "what": say("monitoring.what_out"),
                "rows": int(rows),
                "why": say(code, n=count(rows), **fields),
                "source": sample.role,
                "file": "",
                "attribute": None,
                "cause": cause,
            }
        )


@dataclass(frozen=True)
class Watched:
    """The people of all periods.

    Attributes
    ----------
    sample : Sample
    favourable : int8 array
        Decision, else outcome: 1, 0, -1 unknown.
    on : str
        ``decisions`` or ``outcomes``.
    periods : Periods
        ``place`` is -1 for whoever does not count.
    keys : tuple of str
        The crossings.
    belongs : float array, shape (n, cells), or int array, shape (n,)
        Probabilities of belonging, or the place of the one crossing (-1 for none).
    words : tuple of str
        What the crossings are called: ``sex women × age below 30``.
    """

    sample: Sample
    favourable: NDArray[np.int8]
    on: str
    periods: Periods
    keys: tuple[str, ...]
    belongs: NDArray[Any]
    words: tuple[str, ...]

    @property
    def soft(self) -> bool:
        """Whether people belong by probability."""
        return self.belongs.ndim == 2

    def sums(self, values: Floats | None, use: NDArray[np.bool_]) -> Floats:
        """Sums of values (1 each by default) by period and crossing, shape (periods, cells)."""
        shape = (len(self.periods.names), len(self.keys))
        use = use & (self.periods.place >= 0)
        place = self.periods.place[use]
        mass = np.ones(len(place)) if values is None else values[use]
        found = np.zeros(shape)
        if not self.soft:
            cell = self.belongs[use]
            ok = cell >= 0
            code = place[ok] * shape[1] + cell[ok]
            flat = np.bincount(code, mass[ok], minlength=shape[0] * shape[1])
            return np.asarray(flat.reshape(shape), dtype=np.float64)
        for i in range(shape[1]):
            found[:, i] = np.bincount(place, mass * self.belongs[use, i], minlength=shape[0])
        return found

    @property
    def weight(self) -> Floats:
        """The weights, 1 where there are none."""
        given = self.sample.weight
        return np.ones(len(self.sample)) if given is None else given


def watched(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], noted: Noted) -> Watched:
    """Lay people into periods and crossings.

    Raises
    ------
    Refused
        Where there are no decisions, no periods, or dates that can be read in two ways.
    """
    sample, favourable, on = _sample(cohort)
    place, days = _periods(sample, settings, noted)
    keep = _once(sample, place, days, settings, noted)
    periods = Periods(place.names, np.where(keep, place.place, -1), place.a_year)
    if len(periods.names) > MOST_PERIODS:
        text = say("monitoring.many_periods", n=count(len(periods.names)), most=count(MOST_PERIODS))
        raise Refused(Problem("", f"{PLACE}.period", text))
    attributes: Sequence[Attribute] = cohort.attributes
    if not settings["cross"]:
        attributes = [cohort.attribute(settings.get("attribute"))]
    keys, belongs = _crossings(attributes, sample)
    words = words_table(plan=plan, attributes=attributes)
    names = itertools.product(*([f"{a.name} {words[a.name][g.key]}" for g in a.groups] for a in attributes))  # fmt: skip
    called = tuple(" × ".join(parts) for parts in names)
    return Watched(sample, favourable, on, periods, keys, belongs, called)


def _sample(cohort: Cohort) -> tuple[Sample, NDArray[np.int8], str]:
    sample = cohort.decided
    if sample is not None and sample.decision is not None:
        return sample, sample.decision, "decisions"
    for other in (cohort.test, cohort.whole, cohort.training):
        if other is not None and other.outcome is not None:
            return other, other.outcome, "outcomes"
    raise Refused(Problem("", "", say("monitoring.nothing")))


def _periods(
    sample: Sample, settings: Mapping[str, Any], noted: Noted
) -> tuple[Periods, Days | None]:
    """The periods, and the day of each row where a column tells it."""
    column, length = settings.get("date"), settings["period"]
    days: Days | None = None
    if column is None or length == "file":
        found = _by_file(sample, settings)
        if column is not None:
            days = _overlaps(sample, _read(sample, column, settings, noted), noted)
    elif length == "value" and settings.get("periods") is None:
        codes, keys = keys_of(sample.frame[column])
        order = natural_order(keys)
        rank = np.array([*(order.index(k) for k in keys), -1], dtype=np.int64)
        found = Periods(tuple(order), rank[codes], 12.0)
    else:
        dates = _read(sample, column, settings, noted)
        own = settings.get("periods")
        found = by_own(dates.days, own) if own is not None else by_calendar(dates.days, length)
        days = _overlaps(sample, dates, noted)
        outside = int((~np.isnat(dates.days) & (found.place < 0)).sum())
        if outside:
            noted.exclude(outside, "no period", sample, "monitoring.outside")
    if not found.names:
        raise Refused(Problem("", f"{PLACE}.date", say("monitoring.no_dates", column=column)))
    a_year = settings.get("periods_a_year")
    if a_year is not None:
        found = Periods(found.names, found.place, float(a_year))
    return found, days


def _by_file(sample: Sample, settings: Mapping[str, Any]) -> Periods:
    if sample.files is None:
        code = "monitoring.one_file" if settings.get("date") is None else "monitoring.no_files"
        raise Refused(Problem("", f"{PLACE}.date", say(code)))
    names = [name.rsplit(".", 1)[0] for name in sample.file_names]
    if len(set(names)) < len(names):
        names = [f"{i + 1} {name}" for i, name in enumerate(sample.file_names)]
    return Periods(tuple(names), sample.files.astype(np.int64), 12.0)


def _read(sample: Sample, column: str, settings: Mapping[str, Any], noted: Noted) -> Dates:
    found = read_dates(
        series=sample.frame[column], order=settings["date_order"], length=settings["period"]
    )
    where = f"{sample.role}, column {column}"
    if len(found.forms) > 1:
        noted.warn(
            "monitoring.forms", where, column=column, n=len(found.forms), forms=forms_told(found)
        )
    if found.unread:
        shown = listed([f'"{e}"' for e in found.examples])
        noted.exclude(
            found.unread, "no date", sample, "monitoring.unread", column=column, examples=shown
        )
        noted.warn("monitoring.unread", where, n=count(found.unread), column=column, examples=shown)
    blank = int(np.isnat(found.days).sum()) - found.unread
    if blank:
        noted.exclude(blank, "blank date", sample, "monitoring.blank", column=column)
    return found


def _overlaps(sample: Sample, dates: Dates, noted: Noted) -> Days:
    """Note files whose dates reach into each other's; gives the days."""
    if sample.files is None:
        return dates.days
    spans = []
    for i, name in enumerate(sample.file_names):
        mine = dates.days[(sample.files == i) & ~np.isnat(dates.days)]
        if len(mine):
            spans.append((mine.min(), mine.max(), i, name))
    spans.sort(key=lambda span: (span[0], span[1]))
    for (_, end, a, first), (start, _, b, second) in itertools.pairwise(spans):
        if start <= end:
            inside = np.isin(sample.files, [a, b]) & (dates.days >= start) & (dates.days <= end)
            noted.warn(
                "monitoring.files_overlap", sample.role, first=first, second=second,
                start=str(start), end=str(end), n=count(int(inside.sum())),
            )  # fmt: skip
    return dates.days


def _once(
    sample: Sample, place: Periods, days: Days | None, settings: Mapping[str, Any], noted: Noted
) -> NDArray[np.bool_]:
    """Who counts: nobody twice.

    With an id a row that is equal in every column is a copy, and so is one of another file under
    the same id and day. Without an id people may be alike: of equal rows as many count as one
    file alone has.
    """
    keep = np.ones(len(sample), dtype=bool)
    frame, ids = sample.frame, sample.ids
    if ids is None and (sample.files is None or settings.get("date") is None):
        alike = int(frame.duplicated(keep="first").sum()) if sample.files is not None else 0
        if alike:
            noted.warn("monitoring.alike_files", sample.role, n=count(alike))
        return keep
    again = frame.duplicated(keep="first").to_numpy(copy=True)
    if again.any() and ids is None:
        kind = frame.groupby(list(frame.columns), dropna=False, observed=True, sort=False).ngroup()
        rank = pd.Series(1, index=kind.index).groupby([kind.to_numpy(), sample.files]).cumcount()
        again = pd.DataFrame({"kind": kind, "rank": rank}).duplicated(keep="first").to_numpy()
    if again.any():
        keep &= ~again
        files = sample.files
        code = "copied" if files is None else "alike" if ids is None else "twice"
        noted.exclude(int(again.sum()), "counted already", sample, f"monitoring.{code}")
        noted.warn(f"monitoring.{code}", sample.role, n=count(int(again.sum())))
    if ids is not None and days is None and sample.files is not None:
        known = pd.Series(np.asarray(ids, dtype=object))[keep]
        n = int(known.duplicated().sum())
        if n:
            noted.warn("monitoring.again", sample.role, n=count(n))
    if ids is not None and days is not None and sample.files is not None:
        changed = _changed(ids, days, sample.files, keep)
        if changed.any():
            keep &= ~changed
            n = int(changed.sum())
            noted.exclude(n, "counted already", sample, "monitoring.changed")
            noted.warn("monitoring.changed", sample.role, n=count(n))
    return keep


def _changed(
    ids: Any, days: Days, files: NDArray[Any], keep: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Rows whose id and day stand in an earlier file too, with other values."""
    table = pd.DataFrame({"id": np.asarray(ids, dtype=object), "day": days, "file": files})[keep]
    first = table.groupby(["id", "day"])["file"].transform("min")
    found = np.zeros(len(keep), dtype=bool)
    found[np.flatnonzero(keep)] = (first.notna() & (table["file"] != first)).to_numpy()
    return found


def _crossings(
    attributes: Sequence[Attribute], sample: Sample
) -> tuple[tuple[str, ...], NDArray[Any]]:
    keys = [""]
    for a in attributes:
        keys = [
            f"{key} × {a.name}={g.key}" if key else f"{a.name}={g.key}"
            for key in keys
            for g in a.groups
        ]
        if len(keys) > MOST_CELLS:
            text = say("monitoring.many_cells", n=count(len(keys)), most=MOST_CELLS)
            raise Refused(Problem("", f"{PLACE}.cross", text))
    if any(a.soft for a in attributes):
        shares = np.ones((len(sample), 1))
        for a in attributes:
            if a.soft:
                mine = sample.membership[a.name]
            else:
                mine = np.equal.outer(sample.codes[a.name], np.arange(len(a.groups)))
            shares = (shares[:, :, None] * mine[:, None, :]).reshape(len(sample), -1)
        return tuple(keys), shares
    place = np.zeros(len(sample), dtype=np.int64)
    lost = np.zeros(len(sample), dtype=bool)
    for a in attributes:
        codes = sample.codes[a.name].astype(np.int64)
        lost |= codes < 0
        place = place * len(a.groups) + codes
    place[lost] = -1
    return tuple(keys), place
