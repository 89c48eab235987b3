"""Who is in the files: columns, suggestions, people and favourable outcomes per value.

All counting is done in quiet jobs; pages ask :func:`hub_of` for the last :class:`Profile` and are
told by :attr:`Hub.changed` when there is another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from engine.base.canonical import canonical_json
from engine.base.problems import Problem, Refused
from engine.procedure.basis import DATA_ROLES, items_of
from gui.session import Session

from . import evidence_texts as texts
from . import roles as roles_of
from .roles import Roles

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from engine.base.watch import Watch
    from engine.intake.model import Wart
    from engine.intake.roles import Suggestion

MOST_KEYS = 2000
"""Columns with more different texts than this are not counted value by value."""


@dataclass(frozen=True)
class Counts:
    """People by value of one column, over all data files.

    Attributes
    ----------
    numeric : bool
    keys : tuple of str
        The values as the plan names them, ascending for numbers, else by first appearance.
    numbers : float array, or None for text
    people, known, favourable : int array, one entry a value
        People; those with a known outcome; those of them with a favourable one.
    blank : int
        People without a value.
    """

    numeric: bool
    keys: tuple[str, ...]
    numbers: NDArray[Any] | None
    people: NDArray[Any]
    known: NDArray[Any]
    favourable: NDArray[Any]
    blank: int

    def of(self, key: str) -> int:
        """People with a value."""
        return int(self.people[self.keys.index(key)]) if key in self.keys else 0


@dataclass(frozen=True)
class Base:
    """The data files with all that is joined to them, before anybody says what columns are for."""

    frames: tuple[pd.DataFrame, ...]
    columns: tuple[str, ...]
    suggestions: tuple[Suggestion, ...]
    distinct: Mapping[str, int]
    numeric: frozenset[str]
    dates: frozenset[str]
    warts: tuple[Wart, ...]
    problems: tuple[Problem, ...]
    rows: int


@dataclass(frozen=True)
class Profile:
    """Everything the first pages know about the people in the files."""

    base: Base
    roles: Roles
    counts: Mapping[str, Counts] = field(default_factory=dict)
    warts: tuple[Wart, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns, in the order of the files."""
        return self.base.columns

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """What columns may be for."""
        return self.base.suggestions

    def suggestion(self, column: str) -> Suggestion | None:
        """What one column may be for."""
        return next((one for one in self.suggestions if one.column == column), None)


class Hub(QObject):
    """Keeps the profile of a session up to date; :attr:`changed` follows a new one."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self._base: tuple[str, Base] | None = None
        self._profile: tuple[str, Profile] | None = None
        self._running = ""
        self._checking = False
        session.changed.connect(self.check)
        session.tables_changed.connect(lambda _item: self.check())

    def profile(self) -> Profile | None:
        """The last profile, or None while the files are read for the first time, or none can be.

        Its roles are always those of the case as it stands; its counts may still be on the way.
        """
        refused = self.session.table_problems
        if self._profile is None or all(refused(item["id"]) for item in self._data_items()):
            return None
        made = self._profile[1]
        roles = roles_of.effective(self.session.plan, made.suggestions, made.base.dates)
        return made if roles == made.roles else replace(made, roles=roles)

    @property
    def reading(self) -> bool:
        """Whether a file is being read or counted now."""
        return bool(self._running) or any(
            self.session.table(item["id"]) is None and not self.session.table_problems(item["id"])
            for item in self._items()
        )

    def _data_items(self) -> list[dict[str, Any]]:
        return items_of(self.session.state, *DATA_ROLES)

    def _items(self) -> list[dict[str, Any]]:
        return items_of(self.session.state, *DATA_ROLES, "join")

    def check(self) -> None:
        """Start counting anew where something that counts was changed."""
        if self._checking:
            return
        self._checking = True
        try:
            self._check()
        finally:
            self._checking = False

    def _check(self) -> None:
        data = [item for item in self._items() if not self.session.table_problems(item["id"])]
        tables = [self.session.table(item["id"]) for item in data]
        if not any(item["role"] in DATA_ROLES for item in data):
            self._tell(())
            return
        if any(table is None for table in tables):
            return
        frames = [table.frame for table in tables if table is not None]
        entries = [
            {key: item.get(key) for key in ("id", "role", "reading", "on", "sha256", "part_of")}
            for item in data
        ]
        base_key = canonical_json(entries)
        plan = self.session.plan
        key = canonical_json([entries, {name: plan.get(name) for name in roles_of.KEYS}])
        if key in (self._running, self._profile[0] if self._profile else ""):
            return
        known = self._base[1] if self._base and self._base[0] == base_key else None
        self._running = key

        def work(watch: Watch) -> Profile:
            made = known or base_of(data, frames, watch)
            return profile_of(made, roles_of.effective(plan, made.suggestions, made.dates), watch)

        def done(profile: Profile) -> None:
            if self._running == key:
                self._running = ""
            self._base = (base_key, profile.base)
            self._profile = (key, profile)
            self._tell((*profile.base.warts, *profile.warts))
            self.check()
            self.changed.emit()

        def failed(error: Exception) -> None:
            self._running = ""
            self.session.refuse(error)

        self.session.jobs.start("", work, on_done=done, on_failed=failed, quiet=True)

    def _tell(self, warts: Sequence[Wart]) -> None:
        data = self._data_items()
        self.session.role_warts = [(data[0]["id"], wart) for wart in warts] if data else []


def hub_of(session: Session) -> Hub:
    """The one hub of a session."""
    found = session.findChild(Hub)
    if found is None:
        found = Hub(session)
        found.check()
    return found


# In the job --------------------------------------------------------------------------------------


def base_of(
    items: Sequence[Mapping[str, Any]], frames: Sequence[pd.DataFrame], watch: Watch
) -> Base:
    """Join the files and suggest what columns may be for."""
    import pandas as pd

    from engine.fairness import tests  # noqa: F401  loaded here, so that the page need not wait
    from engine.intake.join import join
    from engine.intake.roles import suggest

    warts: list[Wart] = []
    problems: list[Problem] = []
    parts = [
        (item["name"], _chosen(frame, item.get("reading") or {}))
        for item, frame in zip(items, frames, strict=True)
        if item["role"] in DATA_ROLES
    ]
    made = []
    for name, frame in parts:
        for item, other in zip(items, frames, strict=True):
            watch.check()
            if item["role"] != "join" or not item.get("on"):
                continue
            try:
                done = join(
                    left=frame, right=other, on=item["on"], left_name=name, right_name=item["name"]
                )
            except Refused as error:
                problems += [one for one in error.problems if one not in problems]
                continue
            frame = done.frame
            warts += done.warts
        made.append(frame)
    columns = tuple(dict.fromkeys(str(c) for frame in made for c in frame.columns))
    found: dict[str, Suggestion] = {}
    for frame in made[:1] + [f for f in made[1:] if set(f.columns) - set(made[0].columns)]:
        watch.check()
        for one in suggest(frame):
            found.setdefault(one.column, one)
    first = {c: next(f[c] for f in made if c in f.columns) for c in columns}
    kinds = pd.api.types
    return Base(
        frames=tuple(made),
        columns=columns,
        suggestions=tuple(found[c] for c in columns if c in found),
        distinct={c: int(series.nunique()) for c, series in first.items()},
        numeric=frozenset(c for c, s in first.items() if kinds.is_numeric_dtype(s.dtype)),
        dates=frozenset(c for c, s in first.items() if kinds.is_datetime64_any_dtype(s.dtype)),
        warts=tuple(warts),
        problems=tuple(problems),
        rows=sum(len(frame) for frame in made),
    )


def _chosen(frame: pd.DataFrame, reading: Mapping[str, Any]) -> pd.DataFrame:
    """The rows that the reading asks for."""
    import numpy as np

    from engine.intake.values import keys_of, same_value

    for rule in reading.get("rows") or ():
        column, keep = rule["column"], rule["keep"]
        if column not in frame.columns or not isinstance(keep, list):
            continue
        codes, keys = keys_of(frame[column])
        wanted = np.array([any(same_value(v, key) for v in keep) for key in keys] + [False])
        frame = frame.loc[wanted[codes]].reset_index(drop=True)
    return frame


def profile_of(base: Base, roles: Roles, watch: Watch) -> Profile:
    """Count people and favourable outcomes, and judge the roles."""
    from engine.intake.leaks import judge_roles

    marks = [_favourable(frame, roles) for frame in base.frames]
    wanted = [*roles.protected_columns(), roles.outcome, roles.prediction]
    counts = {}
    for name in dict.fromkeys(c for c in wanted if c and c in base.columns):
        watch.check()
        made = count_column(base, name, marks)
        if made is not None:
            counts[name] = made
    warts: list[Wart] = []
    given = roles.favourable if isinstance(roles.favourable, list | tuple) else ("by a rule",)
    if base.frames:
        features = [c for c in base.columns if roles.role_of(c) == "feature"]
        frame = base.frames[0]
        if roles.outcome and not given and roles.outcome in counts:
            warts.append(_ask(base, roles.outcome, counts[roles.outcome]))
            given = (counts[roles.outcome].keys or ("",))[:1]
        warts += judge_roles(
            frame=frame, outcome=roles.outcome, favourable=given, prediction=roles.prediction,
            prediction_favourable=roles.prediction_favourable, features=features,
        )  # fmt: skip
    return Profile(base, roles, counts, tuple(warts))


def _ask(base: Base, column: str, counts: Counts) -> Wart:
    """The question which values are favourable, over all files together."""
    from engine.base.wording import count
    from engine.intake.model import Wart
    from engine.intake.roles import favourable_of
    from engine.messages import say

    words = roles_of.likely_favourable(counts.keys, lambda k: favourable_of(column=column, keys=k))
    told = ", ".join(
        f"{count(int(n))} people have {key}"
        for n, key in sorted(
            zip(counts.people.tolist(), counts.keys, strict=True), key=lambda one: -one[0]
        )[:4]
    )
    values, reason = words
    if not values:
        text = texts.text("found.which_favourable", column=column, counts=told)
        return Wart(
            "intake.favourable_in_doubt", "question", text, column, int(counts.people.sum())
        )
    text = say(
        "intake.favourable_in_doubt",
        value='" and "'.join(values),
        outcome=column,
        counts=told,
        reason=reason[:1].upper() + reason[1:] + ".",
    )
    if len(values) > 1:
        text = text.replace("Is ", "Are ", 1).replace(
            " the favourable outcome in ", " the favourable outcomes in ", 1
        )
    suggestion = {"outcome": {"column": column, "favourable": list(values)}}
    total = int(counts.people.sum())
    return Wart("intake.favourable_in_doubt", "question", text, column, total, (), suggestion)


def _favourable(frame: pd.DataFrame, roles: Roles) -> NDArray[Any]:
    """1 favourable, 0 not, -1 not known, for each row."""
    import numpy as np

    from engine.cohort.rules import takes
    from engine.intake.values import keys_of, same_value

    made = np.full(len(frame), -1, dtype=np.int8)
    if not roles.outcome or roles.outcome not in frame.columns or not roles.favourable:
        return made
    series = frame[roles.outcome]
    if isinstance(roles.favourable, Mapping):
        try:
            numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError):
            return made
        made[~np.isnan(numbers)] = 0
        made[takes(roles.favourable, numbers)] = 1
        return made
    codes, keys = keys_of(series)
    good = [any(same_value(v, key) for v in roles.favourable) for key in keys]
    bad = [True] * len(keys)
    if isinstance(roles.unfavourable, list | tuple):
        bad = [any(same_value(v, key) for v in roles.unfavourable) for key in keys]
    table = [1 if g else 0 if b else -1 for g, b in zip(good, bad, strict=True)]
    return np.array([*table, -1], dtype=np.int8)[codes]


def count_column(base: Base, name: str, marks: Sequence[NDArray[Any]]) -> Counts | None:
    """People by value of a column; None where it is in no file or holds too many texts."""
    import numpy as np

    from engine.intake.values import keys_of, value_key

    numeric = name in base.numeric
    places: dict[Any, int] = {}
    people: dict[int, list[int]] = {}
    blank = 0
    for frame, mark in zip(base.frames, marks, strict=True):
        if name not in frame.columns:
            blank += len(frame)
            continue
        if numeric:
            try:
                values = frame[name].to_numpy(dtype=np.float64, na_value=np.nan)
            except (TypeError, ValueError):
                return None
            known = np.isfinite(values)
            own, inner = np.unique(values[known], return_inverse=True)
            codes = np.full(len(values), -1, dtype=np.int64)
            codes[known] = inner
            keys: Sequence[Any] = own.tolist()
        else:
            codes, keys = keys_of(frame[name])
        if not numeric and len(keys) > MOST_KEYS:
            return None
        blank += int((codes < 0).sum())
        for kind, mask in enumerate((codes >= 0, (codes >= 0) & (mark >= 0), (codes >= 0) & (mark == 1))):  # fmt: skip
            sizes = np.bincount(codes[mask], minlength=len(keys))
            for place, key in enumerate(keys):
                at = places.setdefault(key, len(places))
                people.setdefault(at, [0, 0, 0])[kind] += int(sizes[place])
    order = sorted(places) if numeric else list(places)
    table = np.array([people[places[key]] for key in order], dtype=np.int64).reshape(-1, 3)
    numbers = np.array(order, dtype=np.float64) if numeric else None
    return Counts(
        numeric=numeric,
        keys=tuple(value_key(key) for key in order),
        numbers=numbers,
        people=table[:, 0],
        known=table[:, 1],
        favourable=table[:, 2],
        blank=blank,
    )
