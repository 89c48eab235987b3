"""Monitoring as tables with headings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd


def tables_of(result: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """``monitoring_cells``: one row a period and crossing; ``monitoring_periods``: one a period."""
    cells, periods = [], []
    for name in result["order"]:
        part = result["periods"][name]
        periods.append(
            {
                "Period": name,
                "People": part["rows"],
                "With a known result": part["known"],
                "Population stability index": part["psi"],
                "Added to empty groups": part["psi_smoothing"],
                "Chi-square": part["chi2"],
                "Chi-square p": part["chi2_p"],
                "Change of the mean score": part["score_drift"]["change"]["value"],
                "Stability index of the score": part["score_drift"].get("psi"),
                "Mean score less observed rate": part["calibration"].get("offset", {"value": None})[
                    "value"
                ],
                "Trigger": part["trigger"]["value"],
                "Why": " ".join(part["trigger"]["why"]),
                "Notes": " ".join(part["trigger"]["notes"]),
            }
        )
        for key, cell in part["cells"].items():
            cells.append(
                {
                    "Period": name,
                    "Crossing": result["words"][key],
                    "Rows": cell["rows"],
                    "Effective number": cell["effective_n"],
                    "Favourable rate": cell["rate"]["value"],
                    "Rate from": cell["rate"]["low"],
                    "Rate to": cell["rate"]["high"],
                    "Ratio to the reference": cell["ratio"]["value"],
                    "Ratio from": cell["ratio"]["low"],
                    "Ratio to": cell["ratio"]["high"],
                    "Control limit, lower": cell["control"]["low"],
                    "Control limit, upper": cell["control"]["high"],
                    "Outside the control limits": cell["control"]["outside"],
                    "Change of the rate": cell["rate_change"]["value"],
                    "Change p": cell["rate_change"]["p"],
                    "Change p after Holm": cell["rate_change"]["p_adjusted"],
                    "Part of the stability index": cell["psi"],
                    "Share of people, chi-square p": cell["chi2_p"],
                    "Counts": cell["counts"],
                    "Reason": cell["ratio"]["reason"] or cell["counts_reason"],
                }
            )
    return {
        "monitoring_cells": pd.DataFrame(cells),
        "monitoring_periods": pd.DataFrame(periods),
    }
