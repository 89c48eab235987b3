"""The tables of conflicting definitions, headings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from .words import group_words


def tables_of(result: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """``definitions``: one row a group; ``reliability``: one row a group and bin."""
    groups = result["base_rates"]["groups"]
    rows = []
    for key, base in groups.items():
        odds = result["odds"]["groups"][key]
        score = result["calibration"].get(key)
        rows.append(
            {
                "Group": group_words(result, key),
                "People": base["n"],
                "Base rate": base["rate"],
                "Favourable decisions": result["parity"]["groups"][key]["rate"],
                "True positive rate": odds["TPR"],
                "False positive rate": odds["FPR"],
                "Precision": odds["PPV"],
                "Expected calibration error": score["ece"]["value"] if score else None,
                "Error by chance alone": score["ece_by_chance"] if score else None,
                "Mean score less base rate": score["mean_score_less_base_rate"]["value"]
                if score
                else None,
                "Brier score": score["brier"] if score else None,
                "Identity, residual": result["identity"][key]["residual"],
            }
        )
    bins = [
        {
            "Group": group_words(result, key),
            "Score from": one["from"],
            "Score to": one["to"],
            "People": one["n"],
            "Mean score": one["mean_score"],
            "Observed rate": one["observed"],
            "Reason": one["reason"],
        }
        for key, group in result["calibration"].items()
        for one in group["bins"]
    ]
    columns = ["Group", "Score from", "Score to", "People", "Mean score", "Observed rate", "Reason"]
    return {"definitions": pd.DataFrame(rows), "reliability": pd.DataFrame(bins, columns=columns)}
