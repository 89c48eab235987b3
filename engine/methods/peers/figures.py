"""The peers method in pictures: the paper's figures 3 to 7 and 1 on the user's own data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from engine.base import wording
from engine.drawing.model import (
    BarChart,
    Chart,
    Distribution,
    GraphChart,
    IntervalChart,
    IntervalRow,
    LineChart,
    Node,
    Panels,
    ScatterChart,
    Series,
)

from .called import group, theirs
from .published import CLASS_WORDS, CLASSES

MOST_POINTS = 4000
"""Points a scatter shows; of more people every second, third... is drawn, and the title says so."""


def figures(*, result: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]) -> list[Chart]:
    """Every chart for which there are numbers."""
    charts: list[Chart] = [_worlds(result)]
    if result["published"]["unfair_share"] is not None:
        charts += [_classes(result), likelihood(result=result, tables=tables), _densities(tables)]
    if result["companions"]["rank"]["n"]:
        charts.append(_ranks(tables))
    if result["companions"]["group_effect"]["value"] is not None:
        charts.append(_effect(result))
    if result["companions"]["balance"]:
        charts.append(_balance(result))
    if result["refusals"]:
        charts.append(_refusals(result))
    if result["explained"] and result["explained"]["people"]:
        charts.append(_features(result))
    if any(s["test"] == "imbalance" for s in result["stress"]):
        charts.append(_stability(result))
    if any(s["test"] != "imbalance" and s["unfair_share"] is not None for s in result["stress"]):
        charts.append(_choices(result))
    return charts


def _known(values: Any) -> list[float | None]:
    return [None if pd.isna(v) else float(v) for v in values]


def _classes(result: Mapping[str, Any]) -> BarChart:
    shares = result["published"]["shares"]
    return BarChart(
        key="classes", title="Classes as published",
        sentence=f"Shares of the {wording.people(result['n_tested'])} tested.",
        x_label="Share of the tested (%)", horizontal=True, stacked=True,
        series=tuple(
            Series(f"{CLASS_WORDS[c]} {wording.percent(shares[c])}", ("As published",), (100 * shares[c],), style=c)
            for c in CLASSES
        ),
    )  # fmt: skip


def likelihood(
    *,
    result: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    chosen: str | None = None,
) -> ScatterChart:
    """Own likelihood against the mean of the draws (figure 3); ``chosen`` names one person."""
    table = tables["peers"]
    tested = table[table["Tested"] == "yes"]
    every = max(1, -(-len(tested) // MOST_POINTS))
    shown = tested.iloc[::every]
    if chosen is not None and chosen not in set(shown["Person"]):
        shown = pd.concat((shown, tested[tested["Person"] == chosen]))
    series, ring = [], None
    for number, c in enumerate(CLASSES):
        part = shown[shown["As published"] == CLASS_WORDS[c]]
        names = tuple(map(str, part["Person"]))
        series.append(
            Series(
                CLASS_WORDS[c],
                tuple(map(float, part["Mean of the draws"])),
                tuple(_known(part["Own likelihood"])),
                style=c,
                labels=names,
            )
        )
        if chosen in names:
            ring = (number, names.index(chosen))
    some = "" if every == 1 else f" One in {every} is drawn; the table holds all."
    return ScatterChart(
        key="likelihood", title="Own likelihood and the peers'",
        sentence=f"Each point is a person. Above the line the own likelihood is higher than the peers'.{some}",
        x_label="Mean likelihood of the peers", y_label="Own likelihood",
        series=tuple(series), diagonal=True, diagonal_label="equal", chosen=ring,
    )  # fmt: skip


def _densities(tables: Mapping[str, pd.DataFrame]) -> Panels:
    """Own likelihoods of a class and the means of its members' peers (figure 4)."""
    table = tables["peers"]
    charts = []
    for c in ("ED", "FT", "EP"):
        part = table[table["As published"] == CLASS_WORDS[c]]
        charts.append(
            Distribution(
                key=f"density-{c}",
                title=CLASS_WORDS[c],
                sentence="",
                x_label="Likelihood",
                bins=20,
                samples=(
                    ("own", tuple(map(float, part["Own likelihood"].dropna())), "unprivileged"),
                    (
                        "means of the peers",
                        tuple(map(float, part["Mean likelihood of the peers"].dropna())),
                        "privileged",
                    ),
                ),
            )
        )
    return Panels(
        key="densities", title="Likelihoods by class",
        sentence="Own likelihoods of the members of a class, and the means of their peers.",
        charts=tuple(charts), across=3,
    )  # fmt: skip


def _ranks(tables: Mapping[str, pd.DataFrame]) -> Distribution:
    places = tables["peers"]["Place among them"].dropna()
    return Distribution(
        key="ranks", title="Places among peers of the same propensity",
        sentence="With nothing wrong every place is as likely: the outline is flat at 1.",
        x_label="Place (0: all peers are higher, 1: all are lower)", y_label="Share per unit", bins=20,
        samples=(("People", tuple(map(float, places)), "plain"),),
        lines=((float(places.mean()), f"mean: {wording.number(float(places.mean()), digits=2)}"),),
    )  # fmt: skip


def _effect(result: Mapping[str, Any]) -> IntervalChart:
    asked = wording.listed([group(result, k) for k in result["unprivileged"]])
    peers = group(result, result["privileged"])
    rows = []
    for key, where in (("group_effect", result["outcome_from"]), ("decision_effect", "decisions")):
        effect = result["companions"][key]
        if effect is None or effect["value"] is None:
            continue
        rows.append(
            IntervalRow(
                f"Difference in {where}",
                f"{asked} less {peers}, at equal features",
                result["attribute"],
                effect["value"],
                effect["low"],
                effect["high"],
                effect["verdict"],
                wording.number(effect["value"], sign=True),
                wording.interval(effect["low"], effect["high"], sign=True),
                band=(effect["band"][0], effect["band"][1]),
                ideal=0.0,
            )
        )
    return IntervalChart(
        key="group-effect",
        title="Difference between the groups",
        sentence="What people of the unprivileged groups lose or gain against people with the same features.",
        x_label="Distance from 0 (share of people)",
        rows=tuple(rows),
        confidence=result["confidence"],
    )


def _balance(result: Mapping[str, Any]) -> BarChart:
    balance = result["companions"]["balance"]
    names = (
        "Groups as they are",
        "People and their published peers",
        "People and peers of the same propensity",
    )
    values = (balance["raw"], balance["peers"], balance["same_propensity"])
    return BarChart(
        key="balance", title="How alike people and their peers are",
        sentence="Mean difference a feature. Below 0.1 counts as balanced.",
        x_label="Mean difference of a feature (standard deviations)", horizontal=True,
        reference=0.1, reference_label="0.1",
        series=(Series("Difference", names, values, labels=tuple(wording.number(v, digits=2) for v in values)),),
    )  # fmt: skip


def _refusals(result: Mapping[str, Any]) -> BarChart:
    """Refusal rates of the classes, and of their peers with their spread (figure 5)."""
    classes = [c for c in CLASSES if result["refusals"][c]["n"]]
    rows = [result["refusals"][c] for c in classes]
    names = tuple(CLASS_WORDS[c] for c in classes)
    low = tuple(
        None if r["peers_rate"] is None else max(0.0, r["peers_rate"] - r["peers_sd"]) for r in rows
    )
    high = tuple(
        None if r["peers_rate"] is None else min(1.0, r["peers_rate"] + r["peers_sd"]) for r in rows
    )
    return BarChart(
        key="refusals", title="Refusals by class",
        sentence="Bars of the peers carry the spread over the members (one standard deviation).",
        x_label="Class as published", y_label="Refused (share)",
        series=(
            Series("Members", names, tuple(r["rate"] for r in rows), style="privileged", labels=tuple(f"{r['refused']} of {r['n']}" for r in rows)),
            Series("Their peers", names, tuple(r["peers_rate"] for r in rows), low, high, "unprivileged"),
        ),
    )  # fmt: skip


def _features(result: Mapping[str, Any]) -> BarChart:
    """Share of the explained people who are worse in each feature (figure 7), with n."""
    entries = [(name, e) for name, e in result["explanations"].items() if e["ordered"] and e["n"]]
    entries.sort(key=lambda p: (-(p[1]["share"] or 0), p[0]))
    names = tuple(name for name, _ in entries)
    return BarChart(
        key="features", title="Worse than accepted peers",
        sentence=f"Of {wording.people(result['explained']['people'])} with a list. Features without an order are left out.",
        x_label="Share of these people (%)", horizontal=True,
        series=(
            Series("Exact place, adjusted", names, tuple(100 * e["share"] for _, e in entries), style="privileged", labels=tuple(f"{e['worse']} of {e['n']}" for _, e in entries)),
            Series("As published", names, tuple(100 * e["share_as_published"] for _, e in entries), style="unprivileged", labels=tuple(f"{e['worse_as_published']} of {e['n']}" for _, e in entries)),
        ),
    )  # fmt: skip


def _stability(result: Mapping[str, Any]) -> LineChart:
    """Stability under imbalance (figure 6), the chance level and the five classes beside it."""
    lines = [s for s in result["stress"] if s["test"] == "imbalance"]
    levels = tuple(s["level"] for s in lines)

    def one(name: str, key: str) -> Series:
        values = tuple(s[key] for s in lines)
        spread = tuple(s[key + "_sd"] for s in lines)
        least = -1.0 if key == "kappa" else 0.0
        low = tuple(
            None if v is None or d is None else max(least, v - d)
            for v, d in zip(values, spread, strict=True)
        )
        high = tuple(  # no share is above 1, and no kappa
            None if v is None or d is None else min(1.0, v + d)
            for v, d in zip(values, spread, strict=True)
        )
        return Series(name, levels, values, low, high)

    return LineChart(
        key="stability", title="Stability with fewer protected people",
        sentence="Whiskers are one standard deviation over the repeats.",
        x_label="Protected people (share)", y_label="Share of people",
        series=(
            one("Called unfair", "unfair_share"), one("Same answer", "same_label"),
            one("Same answer by chance", "chance"), one("Same of five classes", "same_class"),
            one("Kappa", "kappa"),
        ),
    )  # fmt: skip


def _choices(result: Mapping[str, Any]) -> BarChart:
    """The five classes under other deltas, N and K or models, the choices that stand on top."""
    lines = [
        s for s in result["stress"] if s["test"] != "imbalance" and s["unfair_share"] is not None
    ]
    names = ("As chosen", *(f"{_CHOICES[s['test']]}{s['level']}" for s in lines))
    shares = [result["published"]["shares"], *lines]
    return BarChart(
        key="choices", title="Classes under other choices",
        sentence="Shares of the tested. What the analyst chooses moves people between the classes; nearly all stay flagged.",
        x_label="Share of the tested (%)", horizontal=True, stacked=True,
        series=tuple(
            Series(CLASS_WORDS[c], names, tuple(100 * (s[c] or 0.0) for s in shares), style=c) for c in CLASSES
        ),
    )  # fmt: skip


_CHOICES = {"delta": "Delta, ", "draws": "", "models": ""}


_LEGEND = (
    "A full arrow says what shapes what. The dashed arrow is the direct way from the attribute to the "
    "outcome: the method asks what happens if this one alone is set to the other group. Boxes with a "
    "heavy edge are the attribute and the outcome."
)
"""The causal picture in plain words."""


def _worlds(result: Mapping[str, Any]) -> Panels:
    """The single world graphs of the paper's figure 1 for the user's own columns."""
    attribute = result["attribute"]
    listed = result["features"]
    features = wording.listed(
        [*listed[:3], f"{len(listed) - 3} more"] if len(listed) > 4 else listed
    )
    asked = wording.listed([group(result, k) for k in result["unprivileged"]], last="or")
    peers = group(result, result["privileged"])

    def world(key: str, title: str, who: str, treated: str) -> GraphChart:
        return GraphChart(
            key=key, title=title, sentence="",
            nodes=(
                Node(f"{attribute}: {who}", "protected", "protected attribute"),
                Node("Features", "other", features),
                Node("Outcome", "outcome", f"decided as for {treated}"),
            ),
            edges=(
                (f"{attribute}: {who}", "Features", "shapes", False),
                ("Features", "Outcome", "decide", False),
                (f"{attribute}: {who}", "Outcome", "direct" if who == treated else "direct, set to the other group", True),
            ),
        )  # fmt: skip

    return Panels(
        key="worlds", title="What is compared",
        sentence=(
            "Above, the world of the peers as it is. Below, the world asked for: the same features, "
            "with the outcome decided as if the person belonged to the other group. Nobody lives in it, so peers stand in for it. "
            + _LEGEND
        ),
        charts=(
            world("world-peers", "The peers' world", peers, peers),
            world("world-asked", "The world asked for", asked, peers),
        ),
        across=1,
    )  # fmt: skip


def peers_of(
    *, result: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], person: str
) -> pd.DataFrame:
    """The published peers of one person, by name: rows of ``peers_unprotected``."""
    row = _row(tables, person)
    others = tables["peers_unprotected"]
    distance = (others["Identification coefficient"] - row["Identification coefficient"]).abs()
    inside = (
        distance < result["delta"]
        if result["test"]["edge"] == "below"
        else distance <= result["delta"]
    )
    found: pd.DataFrame = others.loc[inside & others["Likelihood"].notna()]
    return found


def _row(tables: Mapping[str, pd.DataFrame], person: str) -> pd.Series:
    table = tables["peers"]
    return table[table["Person"].astype(str) == person].iloc[0]


def person_figures(
    *, result: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], person: str, seed: int
) -> list[Chart]:
    """A chosen person: the peers, and the distribution of the draws (live, from the tables)."""
    row = _row(tables, person)
    if pd.isna(row["Own likelihood"]):
        return []
    own = float(row["Own likelihood"])
    peers = peers_of(result=result, tables=tables, person=person)["Likelihood"].to_numpy(float)
    if not len(peers):
        return []
    mean = float(peers.mean())
    line = (own, f"{person}: {wording.number(own, digits=2)}")
    charts: list[Chart] = [
        Distribution(
            key="person-peers", title=f"Peers of {person}", sentence=f"{wording.people(len(peers))} of {theirs(result)}.",
            x_label="Likelihood", y_label="People", density=False,
            samples=(("Peers", tuple(map(float, peers)), "plain"),),
            lines=(line, (mean, f"mean of the peers: {wording.number(mean, digits=2)}")),
        )
    ]  # fmt: skip
    test = result["test"]
    if row["Tested"] == "yes":
        rng = np.random.default_rng([seed, 21])
        n, k = test["draws"], test["sample"]
        if test["replace"]:
            drawn = peers[rng.integers(0, len(peers), (n, k))].mean(axis=1)
        else:
            drawn = np.array([rng.choice(peers, k, replace=False).mean() for _ in range(n)])
        charts.append(
            Distribution(
                key="person-draws",
                title=f"Means of {n} draws of {k} peers",
                sentence="The published test asks whether the line lies in the middle of these means.",
                x_label="Mean likelihood of the drawn peers",
                y_label="Draws",
                density=False,
                samples=(("Draws", tuple(map(float, drawn)), "plain"),),
                lines=(line,),
            )
        )
    return charts
