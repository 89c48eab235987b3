"""Prices and amounts as tables with headings in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from .names import attributes, group, sides, title

STATISTICS = {
    "gap": "Gap of the means",
    "relative_gap": "Gap as a share of the privileged mean",
    "median_gap": "Gap of the medians",
    "log_ratio": "Ratio of the geometric means",
}


def tables_of(result: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """``pricing_gaps``, ``pricing_strata``, ``pricing_distribution``."""
    rows, strata = [], []
    for attribute, part in attributes(result):
        for key, found in [("", part), *part["groups"].items()]:
            called = group(result, attribute, key) if key else "all unprivileged"
            head = {"Attribute": str(attribute), "Group": called}
            rows += [{**head, **row} for row in _gaps(result, found)]
            strata += [{**head, **row} for row in _strata(result, found)]
    names = dict(zip(("unprivileged", "privileged"), sides(result), strict=True))
    shares = [
        {
            "Amount": title(result, name),
            "Side": names[side],
            "Share of people below": (i + 0.5) / len(values),
            "Value": v,
        }
        for name, both in result["distribution"].items()
        for side, values in both.items()
        for i, v in enumerate(values)
    ]
    return {
        "pricing_gaps": pd.DataFrame(rows),
        "pricing_strata": pd.DataFrame(
            strata,
            columns=["Attribute", "Group", "Amount", "Risk", "People, unprivileged",
                     "People, privileged", "Gap of the means", "Gap from", "Gap to", "Reason"],
        ),
        "pricing_distribution": pd.DataFrame(
            shares, columns=["Amount", "Side", "Share of people below", "Value"]
        ),
    }  # fmt: skip


def _gaps(result: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield _row("Real amounts", "Gap of the means", found["real_gap"])
    for model in result["order"]:
        quoted, name = found["quoted"][model], title(result, model)
        for key, words in STATISTICS.items():
            p = quoted["permutation_p"] if key == "gap" else None
            yield _row(name, words, quoted[key], p)
        for q, one in quoted["quantiles"].items():
            yield _row(name, f"Gap at the quantile {q}", one)
        yield _row(name, "Gap of real less quoted", quoted["residual_gap"])
        if "gap_refitted" in quoted:
            yield _row(name, "Gap of the means, model trained anew", quoted["gap_refitted"])
    yield _row("Approval", "Gap of the rates", found["approval_gap"])


def _row(what: str, statistic: str, one: Mapping[str, Any], p: float | None = None) -> dict[str, Any]:  # fmt: skip
    return {
        "Amount": what,
        "Statistic": statistic,
        "Value": one["value"],
        "Interval from": one["low"],
        "Interval to": one["high"],
        "Permutation p": p,
        "People, unprivileged": one["n"]["unprivileged"],
        "People, privileged": one["n"]["privileged"],
        "Verdict": one["verdict"] or "",
        "Reason": one["reason"],
    }


def _strata(result: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for model in result["order"]:
        for row in found["quoted"][model]["by_risk_stratum"]["rows"]:
            gap = row["gap"]
            yield {
                "Amount": title(result, model),
                "Risk": row["risk"],
                "People, unprivileged": row["n"]["unprivileged"],
                "People, privileged": row["n"]["privileged"],
                "Gap of the means": gap["value"],
                "Gap from": gap["low"],
                "Gap to": gap["high"],
                "Reason": gap["reason"],
            }
