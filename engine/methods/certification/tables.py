"""The certification's tables, as written to ``tables/*.csv`` and shown in the window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from engine.fairness.metrics import METRICS, WORDS

COUNTS = {
    "training": "Recorded outcomes known",
    "training_favourable": "Recorded favourable",
    "tp": "Favourable, decided favourable",
    "fp": "Unfavourable, decided favourable",
    "fn": "Favourable, decided unfavourable",
    "tn": "Unfavourable, decided unfavourable",
    "unknown_outcome": "Outcome unknown",
}
TESTS = {
    "z": "Two-proportion z",
    "z_p": "p of z, two-sided",
    "fisher_p": "p of Fisher's exact test, two-sided",
    "four_fifths": "Four fifths reached",
    "flip_flop": "One person on either side would turn it",
    "shortfall": "Shortfall in people",
}


def tables_of(*, result: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """``metrics``, ``counts``, ``tests``, ``bounds`` and, with more than two groups, ``pairs``."""
    attributes: Mapping[str, Any] = result["attributes"]
    tables = {
        "metrics": pd.DataFrame(list(_metrics(attributes, result["fairness_score"]))),
        "counts": pd.DataFrame(list(_counts(attributes))),
        "tests": pd.DataFrame(list(_tests(attributes))),
        "bounds": pd.DataFrame(list(_bounds(attributes))),
    }
    # Whole numbers with gaps would turn into 4572.0.
    tables["metrics"] = tables["metrics"].astype({"Rows that would settle it": "Int64"})
    pairs = list(_pairs(attributes))
    if pairs:
        tables["pairs"] = pd.DataFrame(pairs)
    return tables


def _row(
    attribute: str, group: str, against: str, words: str, one: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "Attribute": attribute,
        "Unprivileged": group,
        "Privileged": against,
        "Metric": words,
        "Value": one["value"],
        "Interval from": one["low"],
        "Interval to": one["high"],
        "Verdict": one["verdict"],
        "Reason": one["reason"] or one.get("note", ""),
        "Rows, unprivileged": one["n"]["unprivileged"],
        "Rows, privileged": one["n"]["privileged"],
        "Rows that would settle it": one.get("needed"),
    }


def _metrics(attributes: Mapping[str, Any], score: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, one in attributes.items():
        against = one["privileged"]
        pooled = ", ".join(one["unprivileged"])
        for metric in METRICS:
            yield _row(name, pooled, against, WORDS[metric], one["metrics"][metric])
        yield _row(name, pooled, against, WORDS["MAOD"], one["mean_absolute_odds"])
        yield _row(name, pooled, against, WORDS["BI"], one["bias_index"])
        if len(one["unprivileged"]) > 1:
            for group in one["unprivileged"]:
                for metric in METRICS:
                    mine = one["groups"][group]["metrics"][metric]
                    yield _row(name, group, against, WORDS[metric], mine)
    yield _row("all attributes", "", "", WORDS["FS"], score)


def _counts(attributes: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, one in attributes.items():
        for key, group in one["groups"].items():
            counts = {words: group["counts"][code] for code, words in COUNTS.items()}
            yield {"Attribute": name, "Group": key, "Side": group["role"], **counts}


def _tests(attributes: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, one in attributes.items():
        sides = {"all unprivileged": one}
        if len(one["unprivileged"]) > 1:
            sides |= {key: one["groups"][key] for key in one["unprivileged"]}
        for who, mine in sides.items():
            for code, words in (("tests", "recorded outcomes"), ("decision_tests", "decisions")):
                if mine[code]["rate"] is None:
                    continue
                yield {
                    "Attribute": name,
                    "Unprivileged": who if who != "all unprivileged" or len(sides) > 1
                    else one["unprivileged"][0],
                    "Privileged": one["privileged"],
                    "Of": words,
                    "Rate, unprivileged": mine[code]["rate"]["unprivileged"],
                    "Rate, privileged": mine[code]["rate"]["privileged"],
                    **{text: mine[code][key] for key, text in TESTS.items()},
                }  # fmt: skip


def _bounds(attributes: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, one in attributes.items():
        for metric, bound in one["bounds"].items():
            yield {
                "Attribute": name,
                "Metric": WORDS[metric],
                "As known": one["metrics"][metric]["value"],
                "Eight corners from": bound["low"],
                "Eight corners to": bound["high"],
                "Worst case from": bound["worst_case"]["low"],
                "Worst case to": bound["worst_case"]["high"],
                "Reason": bound["reason"],
            }


def _pairs(attributes: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, one in attributes.items():
        for row in one["pairs"]:
            values = {WORDS[m]: row[m] for m in METRICS}
            yield {"Attribute": name, "Group": row["group"], "Against": row["against"], **values}
