"""What a result says, read for the steps and the decision; the result itself is never changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SETTLED = ("within", "outside")
OUTCOME_METRICS = ("EOD", "EMOD", "AOD")
Result = Mapping[str, Any]


def certification(result: Result | None) -> Mapping[str, Any]:
    """The part of the certification, empty where it did not run."""
    found = (result or {}).get("certification") or {}
    assert isinstance(found, Mapping)
    return found


def measures(result: Result | None) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Attribute, metric and measure of each of the pooled metrics."""
    for attribute, part in certification(result).get("attributes", {}).items():
        for metric, measure in part.get("metrics", {}).items():
            yield attribute, metric, measure


def checked(measure: Mapping[str, Any]) -> bool:
    """Whether a metric was checked at all."""
    return measure.get("verdict") not in (None, "not checked")


def settled(result: Result | None, *metrics: str) -> tuple[int, int]:
    """How many of the checked metrics are settled, and how many were checked.

    ``metrics`` limits it to these; without any, all count.
    """
    verdicts = [
        measure["verdict"]
        for _, metric, measure in measures(result)
        if checked(measure) and (not metrics or metric in metrics)
    ]
    return sum(verdict in SETTLED for verdict in verdicts), len(verdicts)


def whole_interval_reading(result: Result | None) -> str:
    """``grant``, ``refuse`` or ``not settled`` by the rule of the whole interval.

    Grant if every checked metric and the score lie within with their whole interval, refuse if
    any lies wholly outside, else not settled (the contract's rule of decision).
    """
    part = certification(result)
    verdicts = [measure["verdict"] for _, _, measure in measures(result) if checked(measure)]
    verdicts.append((part.get("fairness_score") or {}).get("verdict"))
    if "outside" in verdicts:
        return "refuse"
    if all(verdict == "within" for verdict in verdicts) and len(verdicts) > 1:
        return "grant"
    return "not settled"


def test_rows(result: Result | None) -> tuple[int, bool] | None:
    """Rows of the test data, and whether they are a test set of their own; None where unknown."""
    rows = {"test": 0, "all": 0}
    for entry in (result or {}).get("inputs", []):
        if entry.get("role") in rows and entry.get("rows"):
            rows[entry["role"]] += entry["rows"]
    decided = (certification(result).get("samples") or {}).get("decided") or {}
    if decided.get("role") == "test":
        return int(decided["rows"]), True
    if rows["test"]:
        return rows["test"], True
    return (rows["all"], False) if rows["all"] else None
