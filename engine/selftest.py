"""Recompute the published figures on this machine, to show that it computes as the paper does.

Reads nothing but what is shipped: the paper's Table 1 as printed, and the raw file of the sample.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from engine.base.watch import Watch
from engine.base.wording import number
from engine.fairness.bounds import parity_bounds
from engine.fairness.counts import CountTable, count_table
from engine.fairness.metrics import (
    METRICS,
    WORDS,
    bias_index,
    fairness_score,
    implied_privileged_rate,
    metric_points,
)
from engine.fairness.tests import newcombe, recorded_tests

RESOURCES = Path(__file__).resolve().parent.parent / "resources"
TABLE_1 = RESOURCES / "published" / "paper001_table1.json"
GERMAN = RESOURCES / "samples" / "german" / "german.data"
FOUR_DIGITS = 5.1e-5
"""Printed to four digits: half a unit of the last, and a crumb."""
TWO_ROUNDINGS = 1.01e-4
"""As above where the inputs are printed to four digits too."""
EXACT = 1e-9


@dataclass(frozen=True)
class Row:
    """One figure: what it is, where it is published, expected and found as text.

    ``reproduced`` says whether both agree. ``note`` names a misprint of the source; there
    ``expected`` is the corrected figure.
    """

    what: str
    source: str
    expected: str
    found: str
    reproduced: bool
    note: str = ""


def selftest(*, watch: Watch | None = None) -> list[Row]:
    """Recompute every published figure.

    Returns
    -------
    list of Row
        In the order of the sources; the self-test has passed when all are ``reproduced``.
    """
    watch = watch or Watch()
    rows: list[Row] = []
    parts = (
        ("Recomputing Table 1 of paper 001", _table_1),
        ("Counting the German credit sample", _german),
        ("Checking closed forms", _closed_forms),
    )
    for place, (words, part) in enumerate(parts):
        watch.say(words, done=place, total=len(parts))
        rows += part()
    watch.say("Self-test done", fraction=1.0)
    return rows


def _row(
    what: str,
    source: str,
    expected: float,
    found: float | None,
    *,
    tolerance: float = EXACT,
    digits: int = 6,
    note: str = "",
) -> Row:
    good = found is not None and abs(found - expected) <= tolerance
    shown = "no value" if found is None else number(found, digits=digits)
    return Row(what, source, number(expected, digits=digits), shown, good, note)


def _table_1() -> Iterator[Row]:
    table: dict[str, Any] = json.loads(TABLE_1.read_text(encoding="utf-8"))
    source = "Paper 001, Table 1"
    misprints = {(m["case"], m["attribute"], m["metric"]): m for m in table["misprints"]}
    for case in table["cases"]:
        indexes = []
        for row in case["rows"]:
            name = f"{case['case']}, {row['attribute']}"
            index = bias_index({m: row[m] for m in METRICS})
            indexes.append(index if index is not None else 0.0)
            yield _row(
                f"{name}: {WORDS['BI']}", source, row["bias_index"], index,
                tolerance=FOUR_DIGITS, digits=4,
            )  # fmt: skip
            slip = misprints.get((case["case"], row["attribute"], "AOD"))
            yield _row(
                f"{name}: {WORDS['AOD']}",
                source,
                slip["corrected"] if slip else row["AOD"],
                -(row["EOD"] + row["EMOD"]) / 2,
                tolerance=TWO_ROUNDINGS,
                digits=4,
                note=_misprint(slip, row["AOD"]) if slip else "",
            )
            yield _parity_sign(name, source, case["case"], row, misprints)
        yield _row(
            f"{case['case']}: {WORDS['FS']}", source, case["fairness_score"],
            fairness_score(indexes), tolerance=FOUR_DIGITS, digits=4,
        )  # fmt: skip


def _misprint(slip: dict[str, Any], printed: float) -> str:
    printed_words = number(printed, digits=4, sign=True)
    return f"Misprinted there as {printed_words}. {slip['why']}"


def _parity_sign(
    name: str,
    source: str,
    case: str,
    row: dict[str, Any],
    misprints: dict[tuple[str, str, str], dict[str, Any]],
) -> Row:
    """Difference and ratio must come from a privileged rate between 0 and 1."""
    slip = misprints.get((case, row["attribute"], "SPD"))
    difference = slip["corrected"] if slip else row["SPD"]
    implied = implied_privileged_rate(difference=difference, ratio=row["DI"])
    if implied is None:  # a ratio of 1 goes with a difference of 0
        good, found = difference == 0, "any, as both rates are equal"
    else:
        good, found = 0 <= implied <= 1, number(implied, digits=4)
    return Row(
        f"{name}: privileged rate that {WORDS['SPD'].lower()} and {WORDS['DI'].lower()} imply",
        source,
        "between 0 and 1",
        found,
        good,
        _misprint(slip, row["SPD"]) if slip else "",
    )


def _german() -> Iterator[Row]:
    lines = GERMAN.read_text(encoding="ascii").split("\n")
    fields = [line.split() for line in lines if line.strip()]
    outcome = np.array([line[20] == "1" for line in fields], dtype=np.int8)
    male = np.array([line[8] != "A92" for line in fields])
    older = np.array([int(line[12]) >= 30 for line in fields])
    source = "Statlog German Credit Data, as published"
    yield _row("German credit: people", source, 1000, len(fields), digits=0)
    expected = (
        ("sex (the literature's convention)", male, 0.7231884057971014, 0.6483870967741936,
         -0.07480130902290782, 0.8965673282047968),
        ("age, 30 and over", older, 0.7408585055643879, 0.6307277628032345,
         -0.11013074276115342, 0.851347130479044),
    )  # fmt: skip
    for name, privileged, high, low, difference, ratio in expected:
        table = count_table(
            groups=2, codes=np.where(privileged, 0, 1).astype(np.int16), outcome=outcome
        )
        sides = (table.side(1), table.side(0))
        found = metric_points(recorded=sides, decided=None)
        start = f"German credit by {name}"
        rates = [side.favourable / side.n for side in sides]
        yield _row(f"{start}: privileged rate", source, high, rates[1])
        yield _row(f"{start}: unprivileged rate", source, low, rates[0])
        yield _row(f"{start}: {WORDS['SPD']}", source, difference, found["SPD"].value)
        yield _row(f"{start}: {WORDS['DI']}", source, ratio, found["DI"].value)


def _table(*groups: tuple[int, int, int, int]) -> CountTable:
    """A table from tp, fn, fp, tn of each group."""
    cells = np.zeros((len(groups) + 1, 3, 3), dtype=np.int64)
    for place, (tp, fn, fp, tn) in enumerate(groups):
        cells[place, 1, 1], cells[place, 1, 0] = tp, fn
        cells[place, 0, 1], cells[place, 0, 0] = fp, tn
    return CountTable(cells, cells.astype(float), cells.astype(float))


def _closed_forms() -> Iterator[Row]:
    source = "Closed form"
    table = _table((8, 2, 2, 8), (4, 6, 6, 4))
    sides = (table.side(1), table.side(0))
    found = metric_points(recorded=sides, decided=sides)
    start = "Odds of opposite sign (8 of 10 and 2 of 10 against 4 of 10 and 6 of 10)"
    expected = {"EOD": 0.4, "EMOD": -0.4, "AOD": 0.0, "MAOD": 0.4, "SPD": 0.0, "DI": 1.0}
    for metric, value in expected.items():
        yield _row(f"{start}: {WORDS[metric]}", source, value, found[metric].value)
    values = {m: found[m].value or 0.0 for m in METRICS}
    index = bias_index(values)
    yield _row(f"{start}: {WORDS['BI']}", source, (0.32 / 5) ** 0.5, index)
    only = bias_index({m: values[m] for m in ("EOD", "EMOD", "AOD")})
    yield _row(f"{start}: {WORDS['BI']} without training data", source, (0.32 / 3) ** 0.5, only)

    table = _table((8, 0, 0, 2), (4, 0, 0, 6))
    tests = recorded_tests(unprivileged=table.side(1), privileged=table.side(0), weighted=False)
    start = "4 of 10 against 8 of 10"
    yield _row(f"{start}: two-proportion z", source, -0.4 / (0.24 / 5) ** 0.5, tests.z)
    # Tables no likelier than this one, of C(20, 10) with the same margins.
    as_rare = [comb(12, k) * comb(8, 10 - k) for k in (2, 3, 4, 8, 9, 10)]
    yield _row(f"{start}: Fisher's exact p", source, sum(as_rare) / comb(20, 10), tests.fisher_p)
    ends = newcombe(favourable=(56, 48), n=(70, 80), confidence=0.95)
    source = "Newcombe (1998), Table II, method 10, column (a)"
    start = "56 of 70 less 48 of 80"
    yield _row(f"{start}: lower end", source, 0.0524, ends and ends[0], tolerance=5.1e-5, digits=4)
    yield _row(f"{start}: upper end", source, 0.3339, ends and ends[1], tolerance=5.1e-5, digits=4)
    yield from _refusals()
    yield from _bounds()


def _refusals() -> Iterator[Row]:
    """What has no value must not get one: 0 for 0/0 would hide the group."""
    source = "Closed form"
    table = _table((6, 4, 2, 8), (0, 0, 2, 8))
    sides = (table.side(1), table.side(0))
    found = metric_points(recorded=sides, decided=sides)
    start = "A group without anyone recorded as favourable"
    for metric in ("EOD", "AOD"):
        yield _no_value(f"{start}: {WORDS[metric]}", source, found[metric].value)
    yield _row(f"{start}: {WORDS['EMOD']}", source, 0.0, found["EMOD"].value)
    table = _table((0, 0, 1, 3), (1, 1, 1, 1))
    found = metric_points(recorded=(table.side(1), table.side(0)), decided=None)
    start = "A privileged rate of 0"
    yield _row(f"{start}: {WORDS['SPD']}", source, 0.5, found["SPD"].value)
    yield _no_value(f"{start}: {WORDS['DI']}", source, found["DI"].value)


def _no_value(what: str, source: str, found: float | None) -> Row:
    shown = "no value" if found is None else number(found, digits=6)
    return Row(what, source, "no value", shown, found is None)


def _bounds() -> Iterator[Row]:
    """6 of 10 and 4 of 10, and 9 of 10 whose group is not known."""
    source = "Closed form"
    codes = np.repeat(np.array([0, 1, -1], dtype=np.int16), 10)
    outcome = np.array([1] * 6 + [0] * 4 + [1] * 4 + [0] * 6 + [1] * 9 + [0], dtype=np.int8)
    table = count_table(groups=2, codes=codes, outcome=outcome)
    found = parity_bounds(unprivileged=table.side(1), privileged=table.side(0), blank=table.blank)
    start = "10 of 30 people without a group"
    corners, worst = found["DI"].corners, found["DI"].worst_case
    yield _row(f"{start}: {WORDS['DI']}, lowest", source, 0.4 / 0.75, corners.low)
    yield _row(f"{start}: {WORDS['DI']}, highest", source, 0.65 / 0.6, corners.high)
    yield _row(
        f"{start}: {WORDS['DI']}, worst case lowest", source, (4 / 11) / (15 / 19), worst.low
    )
    yield _row(
        f"{start}: {WORDS['DI']}, worst case highest", source, (13 / 19) / (6 / 11), worst.high
    )
