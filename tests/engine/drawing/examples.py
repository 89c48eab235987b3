"""One chart of each kind, with the awkward things in it: long names, Greek, gaps, one point."""

from __future__ import annotations

import numpy as np

from engine.drawing.model import (
    BarChart,
    Cell,
    Chart,
    Distribution,
    GraphChart,
    HeatGrid,
    IntervalChart,
    IntervalRow,
    LineChart,
    Node,
    Panels,
    ScatterChart,
    Series,
    Waterfall,
)

LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente per month, in thousand euros"
GREEK = "Ποσοστό έγκρισης αιτήσεων δανείου"


def interval_chart() -> IntervalChart:
    """Ten rows as in the picture of step 8, and one without a value."""
    rows = []
    numbers = {
        "Age: under 30 compared with 30 and over": [
            ("Statistical parity difference", "Recorded outcomes, younger less older", -0.110, -0.171, -0.049),
            ("Disparate impact", "Recorded outcomes, younger ÷ older", 0.851, 0.774, 0.932),
            ("Equal opportunity difference", "Good payers approved, older less younger", 0.063, -0.066, 0.2),
        ],
        "Sex: female compared with male": [
            ("Statistical parity difference", "Recorded outcomes, women less men", -0.075, -0.138, -0.013),
            ("Disparate impact", "Recorded outcomes, women ÷ men", 0.997, 0.95, 1.05),
            ("Equal mis-opportunity difference", "Bad payers approved, men less women", 0.215, 0.147, 0.327),
        ],
    }  # fmt: skip
    for group, entries in numbers.items():
        for label, sub, value, low, high in entries:
            ratio = label == "Disparate impact"
            band = (0.9, 1.1) if ratio else (-0.1, 0.1)
            inside = band[0] <= low and high <= band[1]
            outside = high < band[0] or low > band[1]
            verdict = "within" if inside else "outside" if outside else "not settled"
            rows.append(
                IntervalRow(
                    label,
                    sub,
                    group,
                    value,
                    low,
                    high,
                    verdict,
                    f"{value:+.3f}".replace("-", "−"),
                    f"{low:.3f} to {high:.3f}".replace("-", "−"),
                    band=band,
                    ideal=1.0 if ratio else 0.0,
                )
            )
    rows.append(
        IntervalRow(
            GREEK,
            "Mean of the two",
            "Sex: female compared with male",
            None,
            None,
            None,
            "not computable",
            "",
            "",
            "No person in district B turned out to be a bad payer.",
            band=(-0.1, 0.1),
            ideal=0.0,
        )
    )
    return IntervalChart(
        key="band", title="All metrics and the band", sentence="Ten metrics against the tolerance.",
        x_label="Distance from the ideal: 0, for ratios 1", rows=tuple(rows),
    )  # fmt: skip


def scatter_chart(n: int = 200) -> ScatterChart:
    """Classes of the peers method about the line of equal scores."""
    rng = np.random.default_rng(7)
    series = []
    names = {"ED": "Extremely discriminated", "SD": "Slightly discriminated", "FT": "Fairly treated", "SP": "Slightly privileged", "EP": "Extremely privileged"}  # fmt: skip
    mean = rng.normal(0.74, 0.05, n).clip(0.5, 0.85)
    own = rng.uniform(0.05, 1, n)
    gap = own - mean
    which = np.where(
        abs(gap) < 0.01, 2, np.where(gap < -0.1, 0, np.where(gap < 0, 1, np.where(gap < 0.1, 3, 4)))
    )
    for i, (code, name) in enumerate(names.items()):
        keep = which == i
        series.append(
            Series(
                name,
                tuple(map(float, mean[keep])),
                tuple(map(float, own[keep])),
                style=code,
                labels=tuple(f"Row {r}" for r in np.flatnonzero(keep)),
            )
        )
    return ScatterChart(
        key="likelihood", title="Own score and peers", sentence="Each point is a person.",
        x_label="Mean score of the peers", y_label="Own score", series=tuple(series),
        diagonal=True, diagonal_label="equal scores", chosen=(0, 3),
    )  # fmt: skip


def charts() -> dict[str, Chart]:
    """Every kind once, by name."""
    rng = np.random.default_rng(11)
    ages = ("under 30", "30 to under 60", "60 and over")
    bars = BarChart(
        key="rates", title="Refusals by class", sentence="Refusal rates.", x_label="Class",
        y_label="Refusal rate (share)",
        series=(
            Series("Men", ages, (0.2, 0.35, None), (0.1, 0.3, None), (0.3, 0.4, None), "privileged", ("0.20", "0.35", "")),
            Series("Women", ages, (0.3, 0.25, 0.5), (0.2, 0.2, 0.3), (0.4, 0.3, 0.7), "unprivileged", ("0.30", "0.25", "0.50")),
        ),
        reference=0.32, reference_label="all people 0.32",
    )  # fmt: skip
    long_names = BarChart(
        key="features", title="Features", sentence="Share worse than accepted peers.",
        x_label="Share of people (%)", y_label=GREEK,
        series=(Series("Share", (LONG, GREEK, "$income$_a & b"), (75.0, 25.0, 0.0), labels=("3 of 4", "1 of 4", "0 of 4")),),
    )  # fmt: skip
    stacked = BarChart(
        key="classes", title="Classes", sentence="Shares.", horizontal=True, stacked=True,
        x_label="Share of the tested (%)",
        series=tuple(
            Series(word, ("As published",), (share,), style=code)
            for word, share, code in (
                ("Extremely discriminated", 38.8, "ED"), ("Slightly discriminated", 6.0, "SD"),
                ("Fairly treated", 3.0, "FT"), ("Slightly privileged", 10.9, "SP"),
                ("Extremely privileged", 41.3, "EP"),
            )
        ),
    )  # fmt: skip
    periods = tuple(f"2025-{m:02d}" for m in range(1, 13))
    lines = LineChart(
        key="periods", title="Rates by month", sentence="Two groups.", x_label="Month",
        y_label="Favourable rate (share)", band=(0.6, 0.8), references=((0.7, "last certificate"),),
        events=(("2025-06", "new model in use"),),
        series=(
            Series("women and girls", periods, (*map(float, rng.uniform(0.5, 0.7, 6)), None, *map(float, rng.uniform(0.5, 0.7, 5))), tuple([0.45] * 12), tuple([0.75] * 12), "unprivileged"),
            Series("men", periods, tuple(map(float, rng.uniform(0.6, 0.9, 12))), style="privileged"),
        ),
    )  # fmt: skip
    calibration = LineChart(
        key="steps", title="Trade-off", sentence="Seven models.", x_label="Threshold (score)",
        y_label="Share", steps=True,
        series=tuple(Series(f"Model {i}", (0.0, 0.5, 1.0), (0.1 * i, 0.2 * i, 0.1)) for i in range(1, 8)),
    )  # fmt: skip
    grid = HeatGrid(
        key="cells", title="Crossed groups", sentence="Sex by ethnicity.", x_label="Effective number of people in brackets",
        row_names=("F", "M", LONG), column_names=("Y", GREEK, "not stated"),
        cells=(
            (Cell("0.81 (120)", 0.81, "within"), Cell("0.62 (80)", 0.62, "outside"), Cell("— (9)", None, "not computable", 0.2)),
            (Cell("1.00", 1.0), Cell("0.90", 0.9), Cell("0.70", 0.7)),
            (Cell("0.75 (64)", 0.75, "not settled", 0.6), Cell("not checked", None, "not checked"), Cell("0.7", 0.7)),
        ),
    )  # fmt: skip
    gap = Waterfall(
        key="gap", title="Where the 11 points come from", sentence="hatched: not settled",
        x_label="Share of people with a favourable outcome",
        parts=(
            ("Checking account", -0.030, -0.050, -0.013, True), ("Credit history", -0.017, -0.029, -0.008, True),
            ("Employment", -0.014, -0.032, 0.003, False), (LONG, 0.006, -0.015, 0.01, True),
            ("Direct, unexplained", -0.042, -0.101, 0.017, False), ("Whole gap", -0.097, -0.168, -0.052, True),
        ),
    )  # fmt: skip
    people = Distribution(
        key="draws", title="Peers of row 557", sentence="Each ring is a peer.", x_label="Score",
        samples=(("Peers", tuple(map(float, rng.beta(3, 2, 47))), "plain"),),
        lines=((0.25, "Row 557: 0.25"), (0.66, "middle of the peers: 0.66")),
    )  # fmt: skip
    histogram = Distribution(
        key="density", title="Scores by group", sentence="Two groups.", x_label="Score",
        samples=(
            ("30 and over", tuple(map(float, rng.beta(5, 2, 600))), "privileged"),
            ("under 30", tuple(map(float, rng.beta(3, 2, 300))), "hatched"),
        ),
    )  # fmt: skip
    graph = GraphChart(
        key="graph", title="What leads to what", sentence="Drawn by the auditor.",
        nodes=(
            Node("Under 30", "protected", "protected"), Node("Checking account", "other", "kept in funds"),
            Node("Credit history", "other", "critical record"), Node("Employment", "other", "years"),
            Node("Own home", "other", "yes or no"), Node("Good payer", "outcome", "favourable outcome"),
        ),
        edges=(
            ("Under 30", "Checking account", "−11 pts", False), ("Under 30", "Credit history", "−16 pts", False),
            ("Under 30", "Employment", "−2.1 years", False), ("Under 30", "Own home", "−7 pts", False),
            ("Checking account", "Good payer", "+0.28", False), ("Credit history", "Good payer", "+0.11", False),
            ("Employment", "Good payer", "+0.007", False), ("Own home", "Good payer", "+0.09", False),
            ("Under 30", "Good payer", "direct", True),
        ),
    )  # fmt: skip
    placed = GraphChart(
        key="placed", title="Placed by hand", sentence="", nodes=(Node("A", "protected", x=0, y=0), Node(LONG, x=220, y=120), Node("Y", "outcome", x=460, y=0)),
        edges=(("A", LONG, "", False), (LONG, "Y", "", False), ("A", "Y", "", True)),
    )  # fmt: skip
    return {
        "intervals": interval_chart(), "scatter": scatter_chart(), "bars": bars,
        "long-names": long_names, "stacked": stacked, "lines": lines, "steps": calibration,
        "grid": grid, "gap": gap, "people": people, "histogram": histogram, "graph": graph,
        "placed": placed,
        "panels": Panels(key="panels", title="Four at once", sentence="Small multiples.", charts=(bars, gap, people, histogram)),
        "one-point": LineChart(key="one", title="One", sentence="", series=(Series("only", (1,), (0.5,)),)),
        "nothing": Distribution(key="none", title="None", sentence="", samples=(("Peers", (), "plain"),)),
    }  # fmt: skip
