"""Triggers agreed beforehand: what a period's numbers call for, and how often chance alone calls.

The paper names no trigger. The reference here: *roll back* where a crossing's ratio lies below the
hard floor once, or below the floor in several counted periods running; *investigate* where it lies
below the floor at all, where the composition's stability index passes its limit, or where a rate
leaves its control limits. A crossing that is too small in a period does not count there and breaks
its run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from engine.base.problems import Problem, Refused
from engine.base.wording import number
from engine.messages import say

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
NONE, INVESTIGATE, ROLL_BACK = 0, 1, 2
WORDS = ("none", "investigate", "roll back")


@dataclass(frozen=True)
class Rules:
    """What fires. ``control_z`` is the half width of the control limits in standard errors;
    None sets no limits."""

    hard_floor: float = 0.6
    floor: float = 0.8
    consecutive: int = 2
    psi_limit: float = 0.25
    minimum: float = 50
    control_z: float | None = None

    @classmethod
    def of(cls, settings: dict[str, object]) -> Rules:
        """The rules that the settings ask for.

        Raises
        ------
        Refused
            Where the hard floor lies above the floor.
        """
        floors = [float(str(settings[name])) for name in ("hard_floor", "floor")]
        if floors[0] > floors[1]:
            shown = [number(value, digits=2) for value in floors]
            text = say("monitoring.floors", hard=shown[0], floor=shown[1])
            raise Refused(Problem("", "methods.monitoring.hard_floor", text))
        z = None
        if settings["control_limits"]:
            z = float(stats.norm.isf((1 - float(str(settings["control_level"]))) / 2))
        return cls(
            float(str(settings["hard_floor"])),
            float(str(settings["floor"])),
            int(str(settings["consecutive"])),
            float(str(settings["psi_limit"])),
            float(str(settings["minimum_effective_n"])),
            z,
        )


@dataclass(frozen=True)
class Fired:
    """What fired; arrays over (..., periods) or (..., periods, cells).

    Attributes
    ----------
    action : int8 array (..., periods)
        0 none, 1 investigate, 2 roll back.
    counted, hard, breach, control : bool array (..., periods, cells)
    run : int array (..., periods, cells)
        Length of the run of breaches up to this period.
    broken : int array (..., periods, cells)
        Length of the run that a period too small broke, else 0.
    psi : bool array (..., periods)
    """

    action: NDArray[np.int8]
    counted: Bools
    hard: Bools
    breach: Bools
    control: Bools
    run: NDArray[np.int64]
    broken: NDArray[np.int64]
    psi: Bools


def fire(
    *, ratio: Floats, n: Floats, psi: Floats, outside: Bools | None = None, rules: Rules
) -> Fired:
    """Read the rules over periods in their order.

    Parameters
    ----------
    ratio, n : float array, shape (..., periods, cells)
        Ratio to the reference (NaN where there is none) and effective size.
    psi : float array, shape (..., periods)
        NaN where it is not judged.
    outside : bool array, shape (..., periods, cells), optional
        Rates outside their control limits.
    rules : Rules

    Examples
    --------
    >>> fired = fire(ratio=np.array([[0.85], [0.78], [0.79]]), n=np.full((3, 1), 400.0),
    ...              psi=np.zeros(3), rules=Rules())
    >>> [WORDS[a] for a in fired.action]
    ['none', 'investigate', 'roll back']
    """
    known = np.isfinite(ratio)
    counted = known & (n >= rules.minimum)
    value = np.where(known, ratio, np.inf)
    hard = counted & (value < rules.hard_floor)
    breach = counted & (value < rules.floor)
    run = np.zeros(ratio.shape, dtype=np.int64)
    broken = np.zeros(ratio.shape, dtype=np.int64)
    before = np.zeros((*ratio.shape[:-2], ratio.shape[-1]), dtype=np.int64)
    for p in range(ratio.shape[-2]):
        run[..., p, :] = np.where(breach[..., p, :], before + 1, 0)
        broken[..., p, :] = np.where(counted[..., p, :], 0, before)
        before = run[..., p, :]
    over = np.nan_to_num(psi, nan=-np.inf) > rules.psi_limit
    control = np.zeros(ratio.shape, dtype=bool)
    if outside is not None and rules.control_z is not None:
        control = outside & (n >= rules.minimum)
    back = (hard | (run >= rules.consecutive)).any(axis=-1)
    look = breach.any(axis=-1) | control.any(axis=-1) | over
    action = np.where(back, ROLL_BACK, np.where(look, INVESTIGATE, NONE)).astype(np.int8)
    return Fired(action, counted, hard, breach, control, run, broken, over)


@dataclass(frozen=True)
class Level:
    """Where the watch starts from.

    Attributes
    ----------
    rate, n : float array, shape (cells,)
        The level of each cell and the people that it rests on (infinite where it is given).
    people : float array, shape (cells,)
        The composition of applicants, as numbers.
    estimated : bool
        Whether it was estimated from the first periods.
    """

    rate: Floats
    n: Floats
    people: Floats
    estimated: bool


def ratios(*, rate: Floats, n: Floats, reference: int | None, overall: Floats | None) -> Floats:
    """Each cell's rate over that of the reference cell, or of everybody; NaN where undefined.

    Parameters
    ----------
    rate, n : float array, shape (..., cells)
    reference : int or None
        Place of the reference cell; None compares with ``overall``.
    overall : float array, shape (...,), or None
    """
    base = overall if reference is None else rate[..., reference]
    assert base is not None
    below = np.asarray(base)[..., None]
    found = np.full(rate.shape, np.nan)
    ok = np.isfinite(rate) & (n > 0) & np.isfinite(below) & (below > 0)
    np.divide(rate, np.broadcast_to(below, rate.shape), out=found, where=ok)
    return found


def stability(*, before: Floats, now: Floats, smooth: bool) -> tuple[Floats, Bools]:
    """Population stability index of compositions, and whether half a person was added.

    ``sum (a - e) ln(a / e)`` over shares; cells that are empty on both sides do not enter. NaN
    where a cell is empty on one side and nothing is added, or a side is empty.

    Parameters
    ----------
    before, now : float array, shape (..., cells)
        Numbers of people.
    smooth : bool
        Whether half a person is added to every cell that occurs, on both sides, where one is
        empty on one side.

    Source: methods.md C5; Siddiqi (2006), Credit Risk Scorecards, for the index.

    Examples
    --------
    >>> found, added = stability(before=np.array([1100.0, 570, 890, 440]),
    ...                          now=np.array([900.0, 600, 1000, 500]), smooth=True)
    >>> round(float(found), 6), bool(added)
    (0.020721, False)
    """
    parts, added = stability_parts(before=before, now=now, smooth=smooth)
    return parts.sum(axis=-1), added


def stability_parts(*, before: Floats, now: Floats, smooth: bool) -> tuple[Floats, Bools]:
    """The part of each cell in :func:`stability`, shape (..., cells)."""
    before, now = np.broadcast_arrays(np.asarray(before, float), np.asarray(now, float))
    either = (before > 0) | (now > 0)
    lonely = (either & ((before == 0) | (now == 0))).any(axis=-1)
    added = lonely & smooth
    half = np.where(added[..., None] & either, 0.5, 0.0)
    a, e = now + half, before + half
    with np.errstate(divide="ignore", invalid="ignore"):
        a, e = a / a.sum(axis=-1, keepdims=True), e / e.sum(axis=-1, keepdims=True)
        found = np.where(either, (a - e) * np.log(a / e), 0.0)
    nobody = (before.sum(axis=-1) == 0) | (now.sum(axis=-1) == 0)
    undefined = nobody | (lonely & ~added)
    return np.where(undefined[..., None], np.nan, found), added


def limits(*, level: Floats, level_n: Floats, n: Floats, z: float) -> tuple[Floats, Floats]:
    """Control limits of rates around their level: normal, with the doubt of the level itself."""
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(level * (1 - level) * (1 / n + 1 / level_n))
    return np.maximum(level - z * spread, 0.0), np.minimum(level + z * spread, 1.0)


def judge(
    *,
    people: Floats,
    n: Floats,
    good: Floats,
    level: Level,
    reference: int | None,
    smooth: bool,
    rules: Rules,
    skip: int = 0,
    overall: Floats | None = None,
) -> Fired:
    """Counts of periods to what they call for.

    Parameters
    ----------
    people : float array, shape (..., periods, cells)
        Applicants.
    n, good : float array, shape (..., periods, cells)
        Effective size with a known decision, and how many of it are favourable.
    level : Level
        Its arrays may carry the leading dimensions too, shape (..., cells).
    reference : int or None
    smooth : bool
    rules : Rules
    overall : float array, shape (..., periods), optional
        The rate of everybody where it is not that of the counts (weighted people).
    skip : int
        So many first periods made the level: neither composition nor limits are judged there.
    """
    rate = np.divide(good, n, out=np.full(n.shape, np.nan), where=n > 0)
    if overall is None:
        total = n.sum(axis=-1)
        overall = np.divide(
            good.sum(axis=-1), total, out=np.full(total.shape, np.nan), where=total > 0
        )
    ratio = ratios(rate=rate, n=n, reference=reference, overall=overall)
    if reference is not None:
        small = n[..., reference] < rules.minimum
        ratio = np.where(small[..., None], np.nan, ratio)
        ratio[..., reference] = np.nan
    psi, _ = stability(before=level.people[..., None, :], now=people, smooth=smooth)
    psi = np.where(people.sum(axis=-1) >= rules.minimum, psi, np.nan)
    outside = None
    if rules.control_z is not None:
        low, high = limits(
            level=level.rate[..., None, :], level_n=level.n[..., None, :], n=n, z=rules.control_z
        )
        with np.errstate(invalid="ignore"):
            outside = (rate < low - 1e-12) | (rate > high + 1e-12)
        outside[..., :skip, :] = False
    psi[..., :skip] = np.nan
    return fire(ratio=ratio, n=n, psi=psi, outside=outside, rules=rules)


@dataclass(frozen=True)
class Expected:
    """Alarms that chance alone raises in a year without drift.

    ``investigate`` and ``roll_back`` are mean numbers of periods; ``share_of_years`` is the share
    of years with any alarm.
    """

    investigate: float
    roll_back: float
    share_of_years: float
    years: int
    periods: int


_MOST = 4_000_000


def false_alarms(
    *,
    level: Level,
    totals: Floats,
    known: Floats | float,
    a_year: float,
    reference: int | None,
    smooth: bool,
    rules: Rules,
    years: int,
    rng: np.random.Generator,
) -> Expected:
    """Simulate years in which nothing changes, and count what fires.

    Every year has periods of the sizes that were seen; who comes and who is decided for is drawn
    from the level. Where the level was estimated, it is drawn anew too: the limits' own doubt is
    then part of the answer.

    Parameters
    ----------
    level : Level
    totals : float array
        Applicants in the periods that were watched.
    known : float, or float array of shape (cells,)
        People with a known decision at their effective size, by applicant: a share, and with
        weights also above 1.
    a_year : float
        Periods a year.
    years : int
        At most; fewer where years have many periods and cells.
    """
    periods = max(1, round(a_year))
    cells = len(level.rate)
    years = int(max(100, min(years, _MOST // (periods * cells))))
    sizes = np.resize(np.maximum(np.rint(totals), 0), periods).astype(np.int64)
    share = level.people / level.people.sum()
    rate = np.nan_to_num(level.rate)
    people = np.stack([rng.multinomial(size, share, size=years) for size in sizes], axis=1)
    known = np.asarray(known, dtype=np.float64)
    if (known == 1).all():
        n = people
    elif (known <= 1).all():
        n = rng.binomial(people, known)
    else:  # weighted people are worth more in a crossing than their share of all
        n = np.rint(people * known).astype(np.int64)
    good = rng.binomial(n, rate)
    start = level
    if level.estimated:
        base = rng.multinomial(round(float(level.people.sum())), share, size=years)
        base_n = np.maximum(np.rint(level.n), 0).astype(np.int64)
        drawn = rng.binomial(base_n, rate, size=(years, cells))
        drawn_rate = np.divide(drawn, base_n, out=np.full((years, cells), np.nan), where=base_n > 0)
        start = Level(drawn_rate, level.n, base.astype(np.float64), True)
    fired = judge(
        people=people.astype(np.float64), n=n.astype(np.float64), good=good.astype(np.float64),
        level=start, reference=reference, smooth=smooth, rules=rules,
    )  # fmt: skip
    return Expected(
        float((fired.action == INVESTIGATE).sum(axis=-1).mean()),
        float((fired.action == ROLL_BACK).sum(axis=-1).mean()),
        float((fired.action > NONE).any(axis=-1).mean()),
        years,
        periods,
    )
