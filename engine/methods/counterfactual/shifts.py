"""Every person's target as it would have been, in every other group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch
from engine.causal.build import Built, Question
from engine.causal.world import abduct, act, part_way
from engine.fairness.intervals import generator

from .scoring import Rescorer

Floats = NDArray[np.float64]

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""How much of the way the columns between go along; 0 flips the attribute alone."""
CELLS = 400_000
"""People times draws that are held at once."""
MODEL_DRAWS = 20
"""Draws a person where a model is asked anew for each."""
PART_DRAWS = 4
"""The same where columns go part of the way, which is a curve and no result."""
PART_FEWEST, PART_CELLS = 20, 200_000
"""Without a model: as many draws for the curve as make this many cells, but no fewer a person."""


@dataclass
class Pass:
    """One alternative a person.

    Attributes
    ----------
    other : int array, shape (n,)
        The group each person is put into; -1 where not evaluated.
    target, low, high : float array, shape (n,)
        The target then: mean over draws and its bounds (equal where nothing is drawn).
    shift, size, over : float array, shape (n,)
        Then less now, its absolute value, and the share of draws in which that exceeds the
        threshold.
    up, down : float array or None
        Chance that the decision flips to favourable, to unfavourable.
    nodes : mapping of node to float array, shape (n,)
        Columns between, then: means of numbers, likeliest places of categories.
    along : float array, shape (len(SHARES), n)
        Shift when the columns between go part of the way.
    """

    other: NDArray[np.int64]
    target: Floats
    low: Floats
    high: Floats
    shift: Floats
    size: Floats
    over: Floats
    up: Floats | None
    down: Floats | None
    nodes: dict[str, Floats]
    along: Floats


@dataclass(frozen=True)
class Asked:
    """What is asked of every person: threshold, cut, draws."""

    threshold: float
    cut: float | None
    cut_high: bool
    draws: int
    confidence: float
    seed: int
    rescorer: Rescorer | None = None
    decision: NDArray[np.int8] | None = None
    numbers: frozenset[str] = field(default_factory=frozenset)


def passes_of(*, question: Question, built: Built, asked: Asked, watch: Watch) -> list[Pass]:
    """Put every evaluated person into each other group in turn.

    Returns
    -------
    list of Pass
        As many as there are other groups; in pass j a person of group g is put into g + j, round
        in a circle, so that every pass holds everybody once.
    """
    n, groups = len(question.sample), len(question.attribute.groups)
    rows = np.flatnonzero(built.evaluated)
    code = np.where(built.evaluated, question.group.values, -1).astype(np.int64)
    drawn = bool(built.world.random)
    draws = asked.draws if drawn else 1
    if asked.rescorer is not None and drawn:
        draws = min(draws, MODEL_DRAWS)
    step = max(1, CELLS // draws)
    found = []
    for j in range(1, groups):
        other = np.where(code >= 0, (code + j) % groups, -1)
        one = _empty(n, other, built, asked)
        for start in range(0, len(rows), step):
            done = (j - 1) * len(rows) + start
            watch.say(
                "Asking what would have been", fraction=done / max(1, len(rows) * (groups - 1))
            )
            _fill(
                one,
                rows[start : start + step],
                question,
                built,
                asked,
                draws if drawn else 0,
                start,
                len(rows),
            )
        found.append(one)
    return found


def _empty(n: int, other: NDArray[np.int64], built: Built, asked: Asked) -> Pass:
    def blank() -> Floats:
        return np.full(n, np.nan)

    flips = asked.cut is not None or asked.rescorer is not None
    between = [node for node in built.world.moved if node != built.world.target]
    return Pass(
        other, blank(), blank(), blank(), blank(), blank(), blank(),
        blank() if flips else None, blank() if flips else None,
        {node: blank() for node in between}, np.full((len(SHARES), n), np.nan),
    )  # fmt: skip


def chances_of(
    built: Built, people: NDArray[np.int64], draws: int, few: int, seed: int, part: int | str
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Uniform numbers: one set for the noise, one for categories that go part of the way."""
    rng = generator(seed, "counterfactual", built.graph.name, part)
    shape = (draws, len(people)) if draws else (len(people),)
    chance = {node: rng.random(shape) for node in built.world.random}
    coins = (few, len(people)) if draws else (len(people),)
    coin = {node: rng.random(coins) for node in built.world.moved}
    return chance, coin


def _fill(
    one: Pass,
    people: NDArray[np.int64],
    question: Question,
    built: Built,
    asked: Asked,
    draws: int,
    part: int,
    total: int,
) -> None:
    world = built.world.of(people)
    few = PART_DRAWS if asked.rescorer is not None else max(PART_FEWEST, PART_CELLS // total)
    few = min(few, draws)
    chance, coin = chances_of(built, people, draws, few, asked.seed, part)
    other = one.other[people]
    noise = abduct(world, chance)
    then = act(world, noise, other.astype(np.float64))
    first = {node: v[:few] if v.ndim == 2 else v for node, v in then.items()}
    first_noise = {node: v[:few] if v.ndim == 2 else v for node, v in noise.items()}
    now = question.target.values.values[people]
    for place, share in enumerate(SHARES):
        held = then if share == 1 else part_way(world, first, share, coin, asked.numbers)
        decided = None
        if asked.rescorer is not None:
            value, decided = asked.rescorer.score(people, other, held)
        elif world.target not in world.moved:
            value = now
        elif share == 1:
            value = then[world.target]
        else:
            value = act(world, first_noise, other.astype(np.float64), held)[world.target]
        one.along[place, people] = _mean(value - now)
    tail = (1 - asked.confidence) / 2
    shift = value - now
    one.target[people] = _mean(value)
    one.low[people], one.high[people] = (
        np.quantile(value, [tail, 1 - tail], axis=0) if value.ndim == 2 else (value, value)
    )
    one.shift[people] = _mean(shift)
    one.size[people] = _mean(np.abs(shift))
    # rounding must not lift a change over a threshold that it equals
    one.over[people] = _mean((np.abs(shift) > asked.threshold * (1 + 1e-12)).astype(np.float64))
    for node in one.nodes:
        support = getattr(world.equations[node], "support", None)
        one.nodes[node][people] = _node(then[node], None if node in asked.numbers else support)
    if one.up is not None and one.down is not None:
        before, after = _decisions(now, value, decided, asked, people)
        one.up[people] = _mean(((before == 0) & (after == 1)).astype(np.float64))
        one.down[people] = _mean(((before == 1) & (after == 0)).astype(np.float64))


def _mean(values: Floats) -> Floats:
    return values.mean(axis=0) if values.ndim == 2 else values


def _node(values: Floats, support: Floats | None) -> Floats:
    """Over the draws: the mean of numbers, the likeliest of the categories in ``support``."""
    if values.ndim == 1:
        return values
    if support is None:
        return np.asarray(values.mean(axis=0), dtype=np.float64)
    places = np.sort(support)
    counts = np.stack([(values == p).sum(axis=0) for p in places])
    return np.asarray(places[counts.argmax(axis=0)], dtype=np.float64)


def _decisions(
    now: Floats,
    value: Floats,
    decided: NDArray[np.int8] | None,
    asked: Asked,
    people: NDArray[np.int64],
) -> tuple[NDArray, NDArray]:
    if decided is not None and asked.decision is not None:
        return asked.decision[people], decided
    assert asked.cut is not None
    if asked.cut_high:
        return (now >= asked.cut).astype(np.int8), (value >= asked.cut).astype(np.int8)
    return (now <= asked.cut).astype(np.int8), (value <= asked.cut).astype(np.int8)


def factors_of(
    *, other: NDArray[np.int64], code: NDArray[np.int64], shares: Mapping[int, float]
) -> Floats:
    """By what a shift counts in the oriented effect, from privileged to unprivileged.

    Parameters
    ----------
    other, code : int array, shape (n,)
        The group each person is put into, and their own: 0 privileged, -1 not evaluated.
    shares : mapping of group to float
        The share of each unprivileged group among the unprivileged.

    Returns
    -------
    float array, shape (n,)
        A privileged person's shift counts for each group with its share, an unprivileged person's
        once and with the other sign, where they are put into the privileged group. Over all
        passes the sizes of the factors of a person add up to 1.
    """
    table = np.zeros(max(shares, default=0) + 1)
    for g, share in shares.items():
        table[g] = share
    down = (code == 0) & (other > 0)
    back = (code > 0) & (other == 0)
    return np.where(down, table[np.maximum(other, 0)], np.where(back, -1.0, 0.0))
