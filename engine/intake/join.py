"""Join a further file on a key; never by the position of rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from engine.base.nearest import mend
from engine.base.problems import Problem, Refused
from engine.base.wording import count
from engine.messages import say

from .model import Wart
from .values import keys_of

_NAMED = 20


@dataclass(frozen=True)
class Joined:
    """What a join gives.

    Attributes
    ----------
    frame : pandas.DataFrame
        The left rows, all of them and in their order, with the right columns added.
    unmatched : int
        Left rows without a match: their added columns are missing.
    unused : int
        Right rows that match no left row.
    warts : tuple of Wart
        Unmatched ids (the first 20 named), unused ids, columns that stand in both files.
    """

    frame: pd.DataFrame
    unmatched: int
    unused: int
    warts: tuple[Wart, ...]


def join(
    *,
    left: pd.DataFrame,
    right: pd.DataFrame,
    on: str,
    left_name: str = "the first file",
    right_name: str = "the joined file",
) -> Joined:
    """Left join on a key, compared by :func:`~engine.intake.values.value_key`.

    A column that stands in both is taken once where it holds the same values in all matched rows,
    else the joined one is called ``name (joined)`` and said so.

    Parameters
    ----------
    left, right : pandas.DataFrame
        Frames of tables.
    on : str
        The key's column in both.
    left_name, right_name : str
        The files' names, for refusals and warnings.

    Raises
    ------
    Refused
        Where the key is missing from a file, or an id is repeated in the joined one.

    Examples
    --------
    >>> left = pd.DataFrame({"id": [2, 1, 3], "approved": [0, 1, 1]})
    >>> right = pd.DataFrame({"id": ["1", "2"], "sex": ["M", "F"]})
    >>> done = join(left=left, right=right, on="id")
    >>> done.frame["sex"].tolist()[:2], done.unmatched
    (['F', 'M'], 1)
    """
    problems = [
        Problem(name, f'join "{on}"', say("intake.join_no_key", name=name, column=on, mend=mend(on, map(str, frame.columns), otherwise="its columns are")))
        for name, frame in ((left_name, left), (right_name, right))
        if on not in frame.columns
    ]  # fmt: skip
    if problems:
        raise Refused(problems)
    here, here_keys = keys_of(left[on])
    there, there_keys = keys_of(right[on])
    for name, keys in ((left_name, here_keys), (right_name, there_keys)):
        if not keys:
            raise Refused(Problem(name, f'column "{on}"', say("intake.join_blank_only", column=on)))
    sizes = np.bincount(there[there >= 0], minlength=len(there_keys))
    repeated = np.flatnonzero(sizes > 1)
    if len(repeated):
        order = sorted(repeated, key=lambda code: int(np.argmax(there == code)))[:_NAMED] if len(repeated) <= 1000 else repeated[:_NAMED]  # fmt: skip
        values = _named((there_keys[code] for code in order), len(repeated))
        text = say("intake.join_repeated", count=count(len(repeated)), column=on, values=values)
        raise Refused(Problem(right_name, f'column "{on}"', text))
    row_of = np.full(len(there_keys) + 1, -1, dtype=np.int64)
    row_of[there[there >= 0]] = np.flatnonzero(there >= 0)
    place_of = {key: code for code, key in enumerate(there_keys)}
    code_of = np.array([place_of.get(key, len(there_keys)) for key in here_keys] + [len(there_keys)])  # fmt: skip
    rows = row_of[code_of[here]]
    matched = rows >= 0
    warts: list[Wart] = []
    if not matched.any():
        text = say("intake.join_nothing", column=on, left=left_name, right=right_name)
        warts.append(Wart("intake.join_nothing", "warning", text, on, len(left)))
    added = {}
    for name in map(str, right.columns):
        if name == on:
            continue
        column = right[name].take(np.where(matched, rows, 0)).reset_index(drop=True)
        column = _blanked(column, ~matched)
        if name in left.columns:
            if _same(left[name], column, matched):
                warts.append(Wart("intake.join_same", "note", say("intake.join_same", column=name), name))  # fmt: skip
                continue
            renamed = f"{name} (joined)"
            while renamed in left.columns or renamed in right.columns or renamed in added:
                renamed = f"{renamed} (joined)"
            text = say("intake.join_renamed", column=name, renamed=renamed)
            warts.append(Wart("intake.join_renamed", "warning", text, name))
            name = renamed
        added[name] = column
    frame = pd.concat([left.reset_index(drop=True), pd.DataFrame(added, copy=False)], axis=1)
    unmatched = int((~matched).sum())
    if unmatched:
        places = np.flatnonzero(~matched)
        ids = (here_keys[here[i]] if here[i] >= 0 else f"row {i + 1}, blank" for i in places[:_NAMED])  # fmt: skip
        text = say("intake.join_unmatched", count=_rows(unmatched), name=left_name, on=on, right=right_name, ids=_named(ids, unmatched))  # fmt: skip
        warts.append(Wart("intake.join_unmatched", "warning", text, on, unmatched, tuple(int(i) + 1 for i in places[:_NAMED])))  # fmt: skip
    used = np.zeros(len(right), dtype=bool)
    used[rows[matched]] = True
    unused = int((~used).sum())
    if unused:
        places = np.flatnonzero(~used)
        ids = (there_keys[there[i]] if there[i] >= 0 else f"row {i + 1}, blank" for i in places[:_NAMED])  # fmt: skip
        text = say("intake.join_unused", count=_rows(unused), name=left_name, on=on, right=right_name, ids=_named(ids, unused))  # fmt: skip
        warts.append(Wart("intake.join_unused", "note", text, on, unused, tuple(int(i) + 1 for i in places[:_NAMED])))  # fmt: skip
    return Joined(frame=frame, unmatched=unmatched, unused=unused, warts=tuple(warts))


def _rows(n: int) -> str:
    return "1 row" if n == 1 else f"{count(n)} rows"


def _named(ids: Iterable[str], total: int) -> str:
    shown = [f'"{one}"' for one in ids]
    return ", ".join(shown) + (f" and {count(total - len(shown))} more" if total > len(shown) else "")  # fmt: skip


def _blanked(column: pd.Series, gone: np.ndarray) -> pd.Series:
    """Make rows without a match missing, in a type that can hold it."""
    if not gone.any():
        return column
    if column.dtype == np.int64:
        return pd.Series(pd.arrays.IntegerArray(column.to_numpy().copy(), gone.copy()))
    return column.mask(pd.Series(gone))


def _same(left: pd.Series, right: pd.Series, matched: np.ndarray) -> bool:
    """Whether two columns hold the same values in the rows that matched."""
    a, a_keys = keys_of(left)
    b, b_keys = keys_of(right)
    place = {key: code for code, key in enumerate(a_keys)}
    table = np.array([place.get(key, -2) for key in b_keys] + [-1])
    return bool((a[matched] == table[b][matched]).all())
