"""What fired in each period, in words: the rule, the crossing, and what a small period broke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.wording import count, listed, number
from engine.messages import say

from .rules import ROLL_BACK, WORDS, Fired, Rules

MOST_NAMED = 8


def triggers_told(
    *,
    fired: Fired,
    names: Sequence[str],
    keys: Sequence[str],
    words: Sequence[str] | None = None,
    rules: Rules,
    n: NDArray[np.float64],
) -> list[dict[str, Any]]:
    """What fired in each period; ``words`` name the crossings where keys are not what is printed.

    One entry a period: ``period``, ``value``, ``rule``, ``cells``, ``why`` (sentences of every
    rule that fired), ``notes`` (what did not count, and runs that this broke)."""
    told = []
    called = dict(zip(keys, words or keys, strict=True))
    for p, name in enumerate(names):
        why: list[tuple[str, str, str]] = []  # rule, cell, sentence
        for i, key in enumerate(keys):
            if fired.hard[p, i]:
                text = say(
                    "monitoring.fired_hard",
                    cell=called[key],
                    floor=number(rules.hard_floor, digits=2),
                )
                why.append(("hard floor", key, text))
            if fired.run[p, i] >= rules.consecutive:
                text = say(
                    "monitoring.fired_run", cell=called[key], floor=number(rules.floor, digits=2),
                    n=int(fired.run[p, i]),
                )  # fmt: skip
                why.append(("floor in a run", key, text))
            elif fired.breach[p, i] and not fired.hard[p, i]:
                text = say(
                    "monitoring.fired_floor", cell=called[key], floor=number(rules.floor, digits=2)
                )
                why.append(("floor once", key, text))
        if fired.psi[p]:
            text = say("monitoring.fired_psi", limit=number(rules.psi_limit, digits=2))
            why.append(("composition", "", text))
        for i, key in enumerate(keys):
            if fired.control[p, i]:
                why.append(
                    ("control limits", key, say("monitoring.fired_control", cell=called[key]))
                )
        notes = [
            say(
                "monitoring.broke_run", cell=called[keys[i]], n=count(round(float(n[p, i]), 1)),
                minimum=count(rules.minimum), run=int(fired.broken[p, i]),
            )
            for i in map(int, np.flatnonzero(fired.broken[p]))
        ]  # fmt: skip
        action = int(fired.action[p])
        grave = ("hard floor", "floor in a run")
        first = [w for w in why if action < ROLL_BACK or w[0] in grave]
        told.append(
            {
                "period": name,
                "value": WORDS[action],
                "rule": first[0][0] if first else "",
                "cells": list(dict.fromkeys(cell for _, cell, _ in first if cell)),
                "why": [text for _, _, text in why],
                "notes": notes,
            }
        )
    return told


def trigger_of(told: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The gravest trigger of all periods, where it fired first."""
    worst = max(WORDS.index(t["value"]) for t in told)
    first = next(t for t in told if t["value"] == WORDS[worst])
    if worst == 0:
        return {**first, "period": None, "notes": []}
    return dict(first)


def seldom_told(result: Mapping[str, Any]) -> dict[str, str]:
    """What :data:`monitoring.seldom` says of crossings that are too small in some periods; empty
    where all count in all of them, and for results of versions that did not count it."""
    periods = len(result["order"])
    few = {key: n for key, n in result.get("counted", {}).items() if n < periods}
    if not few:
        return {}
    called = [
        say("monitoring.seldom_cell", cell=result["words"][key], n=n, of=periods)
        for key, n in sorted(few.items(), key=lambda one: one[1])[:MOST_NAMED]
    ]
    if len(few) > MOST_NAMED:
        called.append(f"{len(few) - MOST_NAMED} more")
    return {
        "n": count(len(few)), "of": count(len(result["counted"])), "cells": listed(called),
        "minimum": count(result["rules"]["minimum_effective_n"]),
    }  # fmt: skip
