"""Crossed groups as a table with headings in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from .words import cell_words, keys_of, order_of, size_of


def tables_of(result: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """``crossed_groups``: one row a crossing; ``crossed_tests``: one a test."""
    rows = []
    for key in keys_of(result):
        cell = result["cells"][key]
        rows.append(
            {
                "Crossing": cell_words(result, key),
                **{
                    name: result.get("words", {}).get(name, {}).get(group, group)
                    for name, group in ((n, cell["groups"][n]) for n in order_of(result))
                },
                "Rows": cell["rows"],
                "Effective number": size_of(cell),
                "Sum of weights": cell["effective_n"],
                "Kish's number": cell["kish_n"],
                "Share imputed": cell["imputed_share"],
                "Favourable rate": cell["rate"]["value"],
                "Rate from": cell["rate"]["low"],
                "Rate to": cell["rate"]["high"],
                "Ratio to the reference": cell["ratio"]["value"],
                "Ratio from": cell["ratio"]["low"],
                "Ratio to": cell["ratio"]["high"],
                "Ratio to everybody": cell["ratio_to_overall"]["value"],
                "Lowest rate possible": cell["bounds"]["low"],
                "Highest rate possible": cell["bounds"]["high"],
                "Flag": cell["flag"],
                "Flag as published": cell["as_published"]["flag"],
                "Reason": cell["flag_reason"],
                "Key": key,
            }
        )
    tests = [
        {
            "Family": family,
            "Crossing": cell_words(result, one["cell"]),
            "Compared with": cell_words(result, one["other"]),
            "Difference of rates": one["difference"],
            "Difference from": one["low"],
            "Difference to": one["high"],
            "Test": one["test"],
            "p": one["p"],
            "p after Holm": one["p_adjusted"],
        }
        for family, part in (("reference", "against_reference"), ("each other", "pairs"))
        for one in result["tests"][part]
    ]
    columns = ["Family", "Crossing", "Compared with", "Difference of rates", "Difference from",
               "Difference to", "Test", "p", "p after Holm"]  # fmt: skip
    return {
        "crossed_groups": pd.DataFrame(rows),
        "crossed_tests": pd.DataFrame(tests, columns=columns),
    }
