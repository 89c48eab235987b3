"""Scenarios and proxies as tables with headings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from engine.fairness.metrics import METRICS, WORDS
from engine.methods.intersection.words import crossing_words


def tables_of(result: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """``scenarios``: a row for each scenario and attribute, as table 1 of paper 001; with
    ``scenario_cells`` and ``proxies``."""
    rows: list[dict[str, Any]] = []
    cells: list[dict[str, Any]] = []
    for one in result["scenarios"]:
        shared = {
            "Fairness Score": one["fairness_score"]["value"],
            "Accuracy": one["accuracy"]["value"],
            "Favourable decisions": one["selection_rate"],
            "Reason": one["reason"],
        }
        for name in result.get("order") or one["bias_index"]:
            measures = one["attributes"].get(name, {}).get("metrics", {})
            rows.append(
                {
                    "Scenario": one["name"],
                    "Attribute": name,
                    **{WORDS[m]: measures[m]["value"] if measures else None for m in METRICS},
                    "Bias Index": one["bias_index"][name]["value"],
                    **shared,
                }
            )
        cells += [
            {
                "Scenario": one["name"],
                "Crossing": crossing_words(
                    c["groups"], result.get("words"), result.get("order", ())
                ),
                "Effective number": c["effective_n"],
                "Favourable rate": c["rate"]["value"],
                "Ratio to the reference": c["ratio"]["value"],
                "Ratio from": c["ratio"]["low"],
                "Ratio to": c["ratio"]["high"],
                "Flag": c["flag"],
            }
            for key, c in one["cells"].items()
        ]
    proxies = [
        {
            "Feature": p["feature"],
            "Tells the attribute (area under the curve)": p["auc"],
            "Decisions that change when shuffled": p["moves"],
            "The attribute itself": "yes" if p["own"] else "no",
            "Counts as a proxy": "yes" if p["proxy"] else "no",
        }
        for p in result["proxies"]["features"]
    ]
    return {
        "scenarios": pd.DataFrame(rows),
        "scenario_cells": pd.DataFrame(cells),
        "proxies": pd.DataFrame(proxies),
    }
