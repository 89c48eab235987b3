"""The parts of the gap as a table with headings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd


def parts_of(one: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The parts in order: ``(kind, node, measure)``; direct first, then channels, then the rest."""
    found = [("direct", "", one["direct"])]
    found += [("channel", node, part) for node, part in one["channels"].items()]
    if one["unexplained_by"]:
        found.append(("unexplained", "", one["unexplained"]))
    return found


def words_of(kind: str, node: str) -> str:
    """What a part is called."""
    if kind == "direct":
        return "Direct, or not measured"
    return node if kind == "channel" else "Not explained in a mediator"


def tables_of(result: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """``channels``: one row a group and part, the whole gap last."""
    rows = []
    several = len(result["groups"]) > 1
    everybody = "all unprivileged groups" if several else next(iter(result["groups"]))
    parts = [(everybody, result), *(result["groups"].items() if several else ())]
    for group, one in parts:
        for kind, node, part in [*parts_of(one), ("gap", "", one["gap"])]:
            rows.append(
                {
                    "Group": group,
                    "Compared with": result["privileged"],
                    "Target": result["target"]["name"],
                    "Part": "Whole gap" if kind == "gap" else words_of(kind, node),
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
