"""Tables made into the cohort's sources: joined, filtered, with ids, weights and amounts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.problems import Refused
from engine.base.wording import count, listed
from engine.intake.join import join
from engine.intake.model import Table, Wart
from engine.intake.values import currencies_in, keys_of
from engine.messages import say
from engine.plan.model import Source

from .desk import Desk, Part, as_numbers, is_numeric, matches, outer_blanks, quoted
from .rules import takes

ROLES = ("training", "test", "all")
SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-12, 1e12
"""Beyond these, squares of weights leave the numbers that a machine can hold."""


def file_name(table: Table) -> str:
    """The name of a table's file; of several appended files, the first and how many more."""
    names = [received.name for received in table.received]
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "")


def parts_of(desk: Desk, tables: Mapping[str, Table], joins: Sequence[Table]) -> list[Part]:
    """Every source with its rows chosen and the further files joined to it."""
    plan = desk.plan
    others = []
    for i, (wanted, table) in enumerate(zip(plan.join, joins, strict=True)):
        part = _part(desk, f"join {i + 1}", table)
        others.append(_chosen(desk, part, wanted.source, f"join[{i}]"))
    parts = []
    for role in ROLES:
        if role not in tables:
            continue
        part = _part(desk, role, tables[role])
        source = getattr(plan.data, role)
        place = f"data.{role}"
        if not len(part):
            desk.problem(place, "cohort.no_rows", file=part.file)
        early = all(row["column"] in part.frame.columns for row in source.rows)
        if early:
            part = _chosen(desk, part, source, place)
        for i, (wanted, other) in enumerate(zip(plan.join, others, strict=True)):
            part = _joined(desk, part, other, wanted.on, f"join[{i}]")
        if not early:
            part = _chosen(desk, part, source, place)
        parts.append(part)
    return parts


def _part(desk: Desk, role: str, table: Table) -> Part:
    name = file_name(table)
    _note_warts(desk, name, table.warts)
    rows = np.arange(1, len(table.frame) + 1)
    twice = {str(c): _copies(table, str(c)) for c in table.detected.get("named_twice", ())}
    part = Part(role, name, table.frame, rows, None, twice, *_files(table))
    if table.unread is not None and len(table.unread):
        n = int(table.detected.get("unread", len(table.unread)))  # not all are kept
        total = n + len(table.frame)
        desk.exclude(
            part,
            cause="unread",
            rows=n,
            what=say("cohort.what_unread", file=name),
            why=say("cohort.why_unread", n=count(n), total=count(total)),
        )
    return part


def _files(table: Table) -> tuple[NDArray[np.int16] | None, tuple[str, ...]]:
    """Which of several appended files each row came from, and their names."""
    each = table.detected.get("files") or ()
    rows = [int(file["rows"]) for file in each]
    if not rows or sum(rows) != len(table.frame):
        return None, ()
    places = np.repeat(np.arange(len(rows), dtype=np.int16), rows)
    return places, tuple(str(file["name"]) for file in each)


def _copies(table: Table, column: str) -> int:
    """How many columns of a file bear one name; the reader numbers the later ones."""
    later = [
        c for c in map(str, table.frame.columns) if re.fullmatch(re.escape(column) + r" \(\d+\)", c)
    ]
    return 1 + max(1, len(later))


def _keep(part: Part, mask: NDArray[np.bool_]) -> Part:
    frame = part.frame.loc[mask].reset_index(drop=True)
    files = None if part.files is None else part.files[mask]
    return Part(
        part.role, part.file, frame, part.rows[mask], None, part.twice, files, part.file_names
    )


def _chosen(desk: Desk, part: Part, source: Source, place: str) -> Part:
    """Keep the rows that ``rows`` of the plan asks for; count the others."""
    for i, row in enumerate(source.rows):
        where, column = f"{place}.rows[{i}]", str(row["column"])
        series = desk.column(part, column, f"{where}.column")
        if series is None:
            continue
        mask = _kept(desk, part, series, row["keep"], f"{where}.keep")
        if mask is None:
            continue
        if not mask.any():
            desk.problem(f"{where}.keep", "cohort.no_rows_kept", file=part.file)
            continue
        gone = int((~mask).sum())
        desk.exclude(
            part,
            cause="rows",
            rows=gone,
            what=say("cohort.what_rows", file=part.file, column=column),
            why=say(
                "cohort.why_rows", n=count(gone), total=count(len(part)), column=column
            ),
        )  # fmt: skip
        part = _keep(part, mask)
    return part


def _kept(
    desk: Desk, part: Part, series: pd.Series, keep: object, place: str
) -> NDArray[np.bool_] | None:
    if isinstance(keep, Mapping):
        numbers = desk.numbers(part, series, place, "cohort.rule_on_text")
        return None if numbers is None else takes(keep, numbers)
    assert isinstance(keep, tuple)
    codes, keys = keys_of(series)
    outer_blanks(desk, [(part, series)], keep, place)
    wanted = np.zeros(len(keys) + 1, dtype=bool)
    for value in keep:
        wanted[matches(value, keys, numeric=is_numeric(series))] = True
    wanted[-1] = False  # blanks, coded -1
    mask: NDArray[np.bool_] = wanted[codes]
    return mask


def _joined(desk: Desk, part: Part, other: Part, on: str, place: str) -> Part:
    """A source with a further file joined on its key; rows without a match stay."""
    for side in (part, other):
        if desk.column(side, on, f"{place}.on") is None:
            return part
    try:
        done = join(
            left=part.frame,
            right=other.frame,
            on=on,
            left_name=part.file,
            right_name=other.file,
        )
    except Refused as refused:
        desk.problems += [p for p in refused.problems if p not in desk.problems]
        return part
    _note_warts(desk, part.file, done.warts)
    desk.exclude(
        part,
        cause="unmatched",
        rows=done.unmatched,
        what=say("cohort.what_unmatched", file=part.file, other=other.file),
        why=say(
            "cohort.why_unmatched",
            n=count(done.unmatched),
            total=count(len(part)),
            other=other.file,
            on=on,
        ),
    )
    twice = part.twice | {name: n for name, n in other.twice.items() if name != on}
    return Part(
        part.role, part.file, done.frame, part.rows, None, twice, part.files, part.file_names
    )


def _note_warts(desk: Desk, file: str, warts: Sequence[Wart]) -> None:
    """Questions and warnings of the reading go into the result; notes stay in the window."""
    for wart in warts:
        if wart.grade in ("question", "warning"):
            where = file + (f', column "{wart.column}"' if wart.column else "")
            desk.warnings.append({"code": wart.code, "text": wart.text, "where": where})


def ids(desk: Desk, part: Part) -> NDArray[np.object_] | None:
    """Each person's id as text, empty where blank; None where the plan names no id."""
    name = desk.plan.id
    if name is None or (part.role == "training" and name not in part.frame.columns):
        return None
    series = desk.column(part, name, "id")
    if series is None:
        return None
    codes, keys = keys_of(series)
    counts = np.bincount(codes[codes >= 0], minlength=len(keys))
    repeated = np.flatnonzero(counts > 1)
    if len(repeated):
        desk.warn(
            "cohort.repeated_ids", "id", file=part.file, n=count(len(repeated)),
            id=keys[int(repeated[0])],
        )  # fmt: skip
    return np.array([*keys, ""], dtype=object)[codes]


def weights(desk: Desk, part: Part) -> NDArray[np.float64] | None:
    """The weights of the rows; blank, negative and immense ones are refused."""
    name = desk.plan.weight
    if name is None:
        return None
    series = desk.column(part, name, "weight")
    if series is None:
        return None
    numbers = desk.numbers(part, series, "weight", "cohort.not_numbers")
    if numbers is None:
        return None
    wrong = {
        "a blank": np.isnan(numbers),
        "a negative": numbers < 0,
        "too large a": numbers > LARGEST_WEIGHT,
        "too small a": (numbers > 0) & (numbers < SMALLEST_WEIGHT),
    }
    for what, bad in wrong.items():
        if bad.any():
            desk.problem(
                "weight", "cohort.bad_weight", n=count(int(bad.sum())), total=count(len(part)),
                file=part.file, what=what, column=name, rows=part.named(bad, most=5),
            )  # fmt: skip
    if len(numbers) and not (numbers > 0).any() and not np.isnan(numbers).any():
        desk.problem("weight", "cohort.no_weight", column=name, file=part.file)
    return numbers


def scores(desk: Desk, part: Part) -> NDArray[np.float64] | None:
    """The system's score, turned so that high is favourable."""
    system = desk.plan.system
    if system is None or system.score_column is None or part.role == "training":
        return None
    numbers = _column_numbers(desk, part, system.score_column, "system.score.column")
    if numbers is not None and system.score_high_is == "unfavourable":
        numbers = 0.0 - numbers
    return numbers


def amounts(desk: Desk, part: Part) -> NDArray[np.float64] | None:
    """The quoted amount."""
    system = desk.plan.system
    if system is None or system.amount_column is None or part.role == "training":
        return None
    column, place = system.amount_column, "system.amount.column"
    series = desk.column(part, column, place)
    if series is None:
        return None
    if not is_numeric(series):
        signs = currencies_in(keys_of(series)[1])
        if signs:  # naming them as missing would throw amounts away
            code = "pricing.one_sign" if len(signs) == 1 else "pricing.signs"
            desk.problem(place, code, column=column, found=listed(signs))
            return None
    return desk.numbers(part, series, place, "cohort.not_numbers")


def _column_numbers(desk: Desk, part: Part, column: str, place: str) -> NDArray[np.float64] | None:
    series = desk.column(part, column, place)
    return None if series is None else desk.numbers(part, series, place, "cohort.not_numbers")


def features(desk: Desk) -> tuple[str, ...]:
    """The columns that a stand-in may use: those named, else all that serve nothing else."""
    plan = desk.plan
    if plan.features is not None:
        for i, name in enumerate(plan.features):
            for part in desk.parts:
                desk.column(part, name, f"features[{i}]")
        _refuse_immense(desk, plan.features)
        return plan.features
    used = {plan.id, plan.weight, plan.outcome.column if plan.outcome else None}
    system = plan.system
    if system is not None:
        used |= {system.score_column, system.amount_column}
        used |= {system.prediction.column} if system.prediction else set()
    offered = [str(c) for part in desk.parts for c in part.frame.columns]
    everywhere = [
        name
        for name in dict.fromkeys(offered)
        if name not in used and all(name in part.frame.columns for part in desk.parts)
    ]
    if system is not None and system.train is not None:
        gone = [n for n in dict.fromkeys(offered) if n not in used and n not in everywhere]
        if gone:
            desk.warn(
                "cohort.feature_missing", "features", n=len(gone), columns=quoted(gone, most=8)
            )
    _refuse_immense(desk, everywhere)
    return tuple(everywhere)


def _refuse_immense(desk: Desk, names: Sequence[str]) -> None:
    """A stand-in cannot learn from numbers that it cannot square."""
    if desk.plan.system is None or desk.plan.system.train is None:
        return
    for part in desk.parts:
        for name in names:
            if name in part.frame.columns and is_numeric(part.frame[name]):
                desk.refuse_immense(part, as_numbers(part.frame[name]), name, "features")
