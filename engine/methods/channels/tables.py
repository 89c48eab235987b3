"""The parts of the gap as a table with headings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

SUMS = {
    "gap": "Whole gap",
    "accepted": "Accepted channels",
    "not_accepted": "Left without these",
}
"""Rows that stand under the parts: what they are called."""


def sums_of(one: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The whole gap, and where channels are accepted what they make and leave."""
    return [(kind, "", one[kind]) for kind in SUMS if kind in one]


def called(result: Mapping[str, Any], key: str) -> str:
    """The printed name of a group, by its key."""
    return str(result.get("words", {}).get(key, key))


def parts_of(one: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The parts in order: ``(kind, node, measure)``; channels first, then direct, then the rest."""
    found = [("channel", node, part) for node, part in one["channels"].items()]
    found.append(("direct", "", one["direct"]))
    if one["unexplained_by"]:
        found.append(("unexplained", "", one["unexplained"]))
    return found


def words_of(kind: str, node: str) -> str:
    """What a part is called."""
    if kind in SUMS:
        return SUMS[kind]
    if kind == "direct":
        return "Direct, or not measured"
    return node if kind == "channel" else "Not explained in a mediator"


def tables_of(result: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """``channels``: one row a group and part, the whole gap last."""
    rows = []
    several = len(result["groups"]) > 1
    first = called(result, next(iter(result["groups"])))
    parts = [("all unprivileged groups" if several else first, result)]
    if several:
        parts += [(called(result, key), one) for key, one in result["groups"].items()]
    for group, one in parts:
        for kind, node, part in [*parts_of(one), *sums_of(one)]:
            rows.append(
                {
                    "Group": group,
                    "Compared with": called(result, result["privileged"]),
                    "Target": result["target"]["name"],
                    "Part": words_of(kind, node),
                    "Value": part["value"],
                    "From": part["low"],
                    "To": part["high"],
                    "Share of the gap": part.get("share_of_gap"),
                    "People, unprivileged": part["n"]["unprivileged"],
                    "People, privileged": part["n"]["privileged"],
                    "Reason": part["reason"],
                }
            )
    return {"channels": pd.DataFrame(rows)}
