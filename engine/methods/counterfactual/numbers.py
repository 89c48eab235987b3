"""Shifts of people made into the numbers of a result, with the bootstrap of the equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch
from engine.causal.build import Built, Question
from engine.causal.equations import Equation
from engine.causal.packets import Packets, packets_of
from engine.causal.world import World, abduct, act
from engine.cohort.labels import words_of
from engine.fairness.intervals import generator, percentile_interval
from engine.fairness.measure import measure
from engine.fairness.verdict import verdict
from engine.messages import say

from .shifts import SHARES, Asked, Pass, chances_of, factors_of

Floats = NDArray[np.float64]

FOLLOWED = 2000
"""People who are followed through every resample of the equations."""
FOLLOWED_ALIKE = 200
"""The same where the equations move everybody alike."""
FOLLOWED_BY_MODEL = 200
MODEL_RESAMPLES = 100
AT_ONCE = 100
STATISTICS = ("mean_shift", "mean_abs_shift", "share_over_threshold", "oriented")


@dataclass(frozen=True)
class Personal:
    """What each person contributes, one column a statistic, shape (n, 4); 0 where not evaluated."""

    columns: Floats
    code: NDArray[np.int64]

    @staticmethod
    def of(
        passes: Sequence[Pass], code: NDArray[np.int64], shares: Mapping[int, float]
    ) -> Personal:
        """Mean over a person's alternatives; for the share, whether any exceeds the threshold."""
        columns = np.zeros((len(code), len(STATISTICS)))
        for one in passes:
            factor = factors_of(other=one.other, code=code, shares=shares)
            columns[:, 0] += one.shift / len(passes)
            columns[:, 1] += one.size / len(passes)
            columns[:, 2] = np.maximum(columns[:, 2], one.over)
            columns[:, 3] += factor * one.shift
        columns[code < 0] = 0.0
        return Personal(columns, code)


@dataclass(frozen=True)
class Drawn:
    """Resampled statistics: float array (resamples, 4) for everybody and for each group."""

    everybody: Floats
    groups: Mapping[int, Floats]
    equations: Mapping[str, Equation]
    """The refitted equations, with the resamples in front."""


def shares_of(code: NDArray[np.int64], weight: Floats) -> dict[int, float]:
    """The share of each unprivileged group among the unprivileged who are evaluated."""
    total = float(weight[code > 0].sum())
    return {
        int(g): float(weight[code == g].sum()) / total
        for g in np.unique(code[code > 0])
        if total > 0
    }


def average(columns: Floats, weight: Floats, mask: NDArray[np.bool_]) -> Floats | None:
    """Weighted means over some people; None without any."""
    mass = float(weight[mask].sum())
    return weight[mask] @ columns[mask] / mass if mass > 0 else None


def resampled(
    *,
    question: Question,
    built: Built,
    asked: Asked,
    personal: Personal,
    shares: Mapping[int, float],
    watch: Watch,
) -> Drawn:
    """Draw people anew, refit the equations, and ask again.

    Everybody's shifts under the fitted equations are drawn by packets. How far other equations
    would move the means is seen on people chosen at random, who are followed through every
    resample with the same chances as under the fitted ones; only the difference is added.
    """
    resamples = question.plan.resamples
    code = personal.code
    weight = np.where(code >= 0, question.weight, 0.0)
    rng = generator(asked.seed, "counterfactual bootstrap", built.graph.name)
    packets = packets_of(n=len(code), resamples=resamples, rng=rng)
    masks = {g: code == g for g in np.unique(code[code >= 0])}
    everybody = _people_term(personal.columns, weight, code >= 0, packets)
    groups = {int(g): _people_term(personal.columns, weight, m, packets) for g, m in masks.items()}
    if all(e.stated for e in built.world.equations.values()):
        return Drawn(everybody, groups, {})
    equations = {
        node: equation.resampled(built.fittings[node], packets)
        for node, equation in built.world.equations.items()
    }
    watch.say("Refitting the equations", fraction=0.3)
    chosen = _followed(built, code, asked, rng)
    use = resamples if asked.rescorer is None else min(resamples, MODEL_RESAMPLES)
    moves = _follow(question, built, asked, equations, chosen, code, shares, use, watch)
    places = np.arange(resamples) % use
    inside = code[chosen]
    own = weight[chosen].copy()
    for g, mask in masks.items():  # every group counts as much among the followed as among all
        mine = inside == g
        if mine.any():
            own[mine] *= weight[mask].sum() / own[mine].sum()
    everybody += _move(moves, own, inside >= 0)[places]
    for g, drawn in groups.items():
        if (inside == g).any():
            drawn += _move(moves, own, inside == g)[places]
    return Drawn(everybody, groups, equations)


def _people_term(
    columns: Floats, weight: Floats, mask: NDArray[np.bool_], packets: Packets
) -> Floats:
    own = np.where(mask, weight, 0.0)
    mass = packets.drawn(own)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(packets.drawn(columns * own[:, None]) / mass[:, None], dtype=np.float64)


def _followed(
    built: Built, code: NDArray[np.int64], asked: Asked, rng: np.random.Generator
) -> NDArray[np.int64]:
    most = FOLLOWED_ALIKE if built.world.constant else FOLLOWED
    if asked.rescorer is not None:
        most = FOLLOWED_BY_MODEL
    rows = np.flatnonzero(code >= 0)
    if len(rows) <= most:
        return rows
    if not built.world.constant:
        return np.sort(rng.choice(rows, most, replace=False))
    # everybody moves alike: a few of each group tell the same as all of it
    few = [mine[:most] for g in np.unique(code[rows]) if len(mine := rows[code[rows] == g])]
    return np.sort(np.concatenate(few))


def _follow(
    question: Question,
    built: Built,
    asked: Asked,
    equations: Mapping[str, Equation],
    chosen: NDArray[np.int64],
    code: NDArray[np.int64],
    shares: Mapping[int, float],
    resamples: int,
    watch: Watch,
) -> Floats:
    """Statistics of followed people in every resample less those under the fitted equations.

    Returns
    -------
    float array, shape (resamples, people, 4)
    """
    world = built.world.of(chosen)
    chance, _ = chances_of(built, chosen, 0, 0, asked.seed, "followed")
    mine = code[chosen]
    now = question.target.values.values[chosen]
    groups = len(question.attribute.groups)
    base = _statistics(world, chance, mine, now, chosen, asked, shares, groups)
    out = np.empty((resamples, len(chosen), len(STATISTICS)))
    for start in range(0, resamples, AT_ONCE):
        watch.say("Refitting the equations", fraction=0.3 + 0.7 * start / resamples)
        part = slice(start, min(start + AT_ONCE, resamples))
        drawn = world.using({node: e.part(part) for node, e in equations.items()})
        out[part] = _statistics(drawn, chance, mine, now, chosen, asked, shares, groups)
    return out - base


def _statistics(
    world: World,
    chance: Mapping[str, Floats],
    code: NDArray[np.int64],
    now: Floats,
    chosen: NDArray[np.int64],
    asked: Asked,
    shares: Mapping[int, float],
    groups: int,
) -> Floats:
    noise = abduct(world, chance)
    total: Any = 0.0
    over: Any = 0.0
    for j in range(1, groups):
        other = (code + j) % groups
        then = act(world, noise, other.astype(np.float64))
        if asked.rescorer is not None:
            value, _ = asked.rescorer.score(chosen, other, then)
        else:
            value = then.get(world.target, now)
        shift = value - now
        factor = factors_of(other=other, code=code, shares=shares)
        parts = [shift / (groups - 1), np.abs(shift) / (groups - 1), factor * shift]
        total = total + np.stack(np.broadcast_arrays(*parts), axis=-1)
        over = np.maximum(
            over, np.where(np.isfinite(shift), np.abs(shift) > asked.threshold, np.nan)
        )
    return np.concatenate([total[..., :2], over[..., None], total[..., 2:]], axis=-1)


def _move(moves: Floats, weight: Floats, mask: NDArray[np.bool_]) -> Floats:
    own = weight[mask]
    return np.asarray(np.einsum("bik,i->bk", moves[:, mask], own) / own.sum(), dtype=np.float64)


def told(
    value: float, draws: Floats, *, confidence: float, band: float, n: tuple[int, int]
) -> dict[str, Any]:
    """The oriented effect as a measure, held against the change that matters."""
    ends = percentile_interval(draws, confidence=confidence)
    word = verdict(value=value, low=ends.low, high=ends.high, band=(-band, band))
    return measure(value, ends.low, ends.high, word, "", n[0], n[1])


def statistics_of(
    *,
    personal: Personal,
    drawn: Drawn,
    question: Question,
    threshold: float,
    group: int | None,
) -> dict[str, Any]:
    """Persons, shifts and oriented effect of everybody, or of one group."""
    code = personal.code
    mask = code >= 0 if group is None else code == group
    values = average(personal.columns, question.weight, mask)
    confidence = question.plan.confidence
    n = (int((mask & (code > 0)).sum()), int((mask & (code == 0)).sum()))
    if values is None:
        name = question.attribute.name
        key = question.attribute.groups[group].key if group is not None else ""
        who = words_of(plan=question.plan, attribute=name, key=key) if key else name
        reason = say("counterfactual.nobody", group=who, attribute=name)
        return {
            "persons": 0, "mean_shift": None, "mean_abs_shift": None, "share_over_threshold": None,
            "oriented": measure(None, verdict="not computable", reason=reason), "intervals": {},
            "reason": reason,
        }  # fmt: skip
    draws = drawn.everybody if group is None else drawn.groups[group]
    intervals = {}
    for place, name in enumerate(STATISTICS[:3]):
        ends = percentile_interval(draws[:, place], confidence=confidence)
        low, high = ends.low, ends.high
        if place:  # sizes and shares are not below 0, shares not above 1
            low = None if low is None else max(0.0, low)
        if place == 2:
            high = None if high is None else min(1.0, high)
        intervals[name] = [low, high]
    return {
        "persons": int(mask.sum()),
        "mean_shift": float(values[0]),
        "mean_abs_shift": float(values[1]),
        "share_over_threshold": float(values[2]),
        "oriented": told(float(values[3]), draws[:, 3], confidence=confidence, band=threshold, n=n),
        "intervals": intervals,
        "reason": "",
    }


def along_of(
    passes: Sequence[Pass], code: NDArray[np.int64], shares: Mapping[int, float], weight: Floats
) -> list[dict[str, float]]:
    """The oriented effect when the columns between go a share of their way."""
    mask = code >= 0
    out = []
    for place, share in enumerate(SHARES):
        oriented = np.zeros(len(code))
        size = np.zeros(len(code))
        for one in passes:
            factor = factors_of(other=one.other, code=code, shares=shares)
            shift = np.where(mask, one.along[place], 0.0)
            oriented += factor * shift
            size += np.abs(shift) / len(passes)
        found = average(np.column_stack([oriented, size]), weight, mask)
        if found is not None:
            out.append(
                {"share": share, "oriented": float(found[0]), "mean_abs_shift": float(found[1])}
            )
    return out


def alternatives_of(
    passes: Sequence[Pass], question: Question, code: NDArray[np.int64]
) -> dict[str, dict[str, Any]]:
    """Every group in every other group: ``F instead of M``… as ``from``, ``to`` and numbers."""
    keys = [g.key for g in question.attribute.groups]
    found: dict[str, dict[str, Any]] = {}
    for start in range(len(keys)):
        for one in passes:
            mine = code == start
            if not mine.any():
                continue
            end = int(one.other[mine][0])
            columns = np.column_stack([one.shift, one.size, one.over])
            values = average(np.where(mine[:, None], columns, 0.0), question.weight, mine)
            assert values is not None
            found[f"{keys[start]} → {keys[end]}"] = {
                "from": keys[start],
                "to": keys[end],
                "persons": int(mine.sum()),
                "mean_shift": float(values[0]),
                "mean_abs_shift": float(values[1]),
                "share_over_threshold": float(values[2]),
            }
    return found


def flips_of(
    passes: Sequence[Pass], question: Question, mask: NDArray[np.bool_], reason: str
) -> dict[str, Any]:
    """Decisions that would flip: shares of the people, in any of their alternatives."""
    ups = [one.up for one in passes if one.up is not None]
    downs = [one.down for one in passes if one.down is not None]
    if not ups or not mask.any():
        return {"share": None, "to_favourable": None, "to_unfavourable": None, "reason": reason}
    up = np.where(mask, np.maximum.reduce(ups), 0.0)
    down = np.where(mask, np.maximum.reduce(downs), 0.0)
    any_flip = np.where(
        mask, np.maximum.reduce([u + d for u, d in zip(ups, downs, strict=True)]), 0.0
    )
    values = average(np.column_stack([any_flip, up, down]), question.weight, mask)
    assert values is not None
    return {
        "share": float(values[0]),
        "to_favourable": float(values[1]),
        "to_unfavourable": float(values[2]),
        "reason": "",
    }
