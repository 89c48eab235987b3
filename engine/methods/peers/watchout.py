"""What the watch-out list prints: an overview, and on request a page a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from engine.base import wording
from engine.drawing.model import Chart, Distribution
from engine.drawing.points import MOST_DOTS
from engine.messages import say
from engine.methods.base import PrintedTable

from .called import theirs
from .figures import figures, peers_of
from .published import CLASS_WORDS


@dataclass(frozen=True)
class Reading:
    """One of the two readings of a person: heading, the word of the verdict, what it means."""

    title: str
    word: str
    text: str


@dataclass(frozen=True)
class PersonPage:
    """One person's page, in words that a refused applicant could read.

    ``changeable`` and ``fixed`` are tables of what differs: what the person could change, and
    what not (``fixed`` None where there is nothing of that kind).
    """

    name: str
    group: str
    in_short: str
    place: str
    chart: Chart
    readings: tuple[Reading, Reading]
    changeable: PrintedTable | None
    fixed: PrintedTable | None
    todo: tuple[str, ...]
    accuses: str


@dataclass(frozen=True)
class Watchout:
    """Everything of the watch-out list; ``merge`` is the mail-merge table (one row a person)."""

    title: str
    intro: str
    notes: tuple[str, ...]
    overview: PrintedTable | None
    chart: Chart | None
    people: tuple[PersonPage, ...]
    merge: pd.DataFrame


def watchout(
    *,
    result: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    pages: bool | None = None,
) -> Watchout:
    """Make the watch-out list from a result.

    Parameters
    ----------
    result : mapping
        The method's part of result.json.
    tables : mapping
        Its tables; ``peers``, ``peers_unprotected`` and ``watchout`` are read.
    pages : bool, optional
        Whether each person gets a page; the plan's ``person_pages`` where left out.
    """
    rows = tables.get("watchout", pd.DataFrame())
    told = result["explained"]
    rate = wording.percent(result["flag_rate_if_nothing_wrong"])
    notes = [say("peers.w_rate", rate=rate), say("peers.w_fault"), say("peers.w_accuses")]
    if told is None or not told["people"]:
        reason = result["reason"] or say("peers.w_nobody")
        return Watchout(say("peers.w_title"), reason, tuple(notes), None, None, (), pd.DataFrame())
    if told["people"] < 30:
        notes.insert(0, say("peers.w_few", n=wording.people(told["people"])))
    names = list(dict.fromkeys(map(str, rows["Person"])))
    wanted = result["person_pages"] if pages is None else pages
    people = tuple(_page(result, tables, rows, name) for name in names) if wanted else ()
    chart = next((c for c in figures(result=result, tables=tables) if c.key == "features"), None)
    return Watchout(
        say("peers.w_title"), say("peers.w_intro"), tuple(notes), _overview(result), chart, people,
        _merge(result, tables, rows, names),
    )  # fmt: skip


def _overview(result: Mapping[str, Any]) -> PrintedTable:
    rows = [
        (
            name, "no" if e["intrinsic"] else "yes",
            f"{e['worse']} of {e['n']}" if e["ordered"] else "no order given",
            wording.percent(e["share"], digits=0), f"{e['differs']} of {e['n']}",
        )
        for name, e in sorted(
            result["explanations"].items(), key=lambda p: (p[1]["intrinsic"], -(p[1]["share"] or 0), p[0])
        )
        if e["n"]
    ]  # fmt: skip
    return PrintedTable(
        "Share of these people who stand worse than their accepted peers",
        ("Feature", "Can be changed", "Worse", "Share", "Differs"), tuple(rows), "llrrr",
    )  # fmt: skip


ANSWERS = {
    "worse": "clearly worse", "differs": "clearly different", "not settled": "no clear difference",
}  # fmt: skip
"""The answers as a refused applicant reads them, what matters most first."""
LINES = {"yes": 3, "no": 1}
"""Circumstances listed at least, of those that can be changed and of the others, so that a page
stays one page; what stands out is always listed."""


def _differences(rows: pd.DataFrame) -> tuple[PrintedTable | None, PrintedTable | None]:
    """What can be changed and what cannot, each a table; the rest in a note under the last."""
    ranks = {answer: rank for rank, answer in enumerate(ANSWERS)}
    rows = rows.assign(order=rows["Answer"].map(ranks))
    rows = rows.sort_values(["order", "p, adjusted", "p"], kind="stable")
    tables: list[PrintedTable | None] = []
    rest: list[str] = []
    for word, head in (("yes", say("peers.w_free")), ("no", say("peers.w_fixed"))):
        part = rows[rows["Can be changed"] == word]
        least = LINES[word] if len(part) < len(rows) else sum(LINES.values())
        listed = max(least, int((part["Answer"] != "not settled").sum()))
        cells = tuple(
            (
                str(r["Feature"]), str(r["This person"]), str(r["Usual among them"]),
                f"{wording.count(int(r['Alike']))} of {wording.count(int(r['Accepted peers']))}", ANSWERS[str(r["Answer"])],
            )
            for r in part.head(listed).to_dict("records")
        )  # fmt: skip
        heads = (head, "This person", "Accepted peers", "Alike", "Answer")
        tables.append(PrintedTable(head, heads, cells, "lllrl") if cells else None)
        rest += [str(f) for f in part["Feature"][listed:]]
    last = 1 if tables[1] is not None else 0
    if rest and (shown := tables[last]) is not None:
        note = say("peers.w_rest", features=wording.listed(rest))
        tables[last] = replace(shown, notes=(note,))
    return tables[0], tables[1]


def _page(
    result: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], rows: pd.DataFrame, name: str
) -> PersonPage:
    mine = rows[rows["Person"].astype(str) == name]
    free, fixed = _differences(mine)
    row = tables["peers"][tables["peers"]["Person"].astype(str) == name].iloc[0]
    peers = peers_of(result=result, tables=tables, person=name)["Likelihood"].to_numpy(float)
    own = float(row["Own likelihood"])
    lower = int((peers < own).sum())
    standing = _standing_out(mine)
    worse = (
        say("peers.w_worse", features=wording.listed(standing))
        if standing
        else say("peers.w_worse_none")
    )
    mean = float(peers.mean())
    in_short = say(
        "peers.w_short", own=_chance(own), n=wording.count(len(peers)), privileged=theirs(result),
        mean=_chance(mean), lower=wording.count(lower), worse=worse,
    )  # fmt: skip
    share = min(own, peers.min()) >= 0 and max(own, peers.max()) <= 1
    unit = 100.0 if share else 1.0
    chart = Distribution(
        key="person", title="Where this person stands among the peers",
        sentence="",
        x_label="Chance of the favourable outcome (%)" if share else "Score", y_label="",
        density=False, samples=(("Peers", tuple(float(v) for v in unit * peers), "plain"),),
        lines=((unit * own, f"this person: {_chance(own)}"), (unit * mean, f"mean of the peers: {_chance(mean)}")),
    )  # fmt: skip
    todo = (
        *(say("peers.w_do_file", feature=f) for f in standing[:2]),
        say("peers.w_do_why"), say("peers.w_do_hand"), say("peers.w_do_change"),
    )  # fmt: skip
    place = say(
        "peers.w_place_dots" if len(peers) <= MOST_DOTS else "peers.w_place",
        n=wording.count(len(peers)),
        privileged=theirs(result),
    )
    return PersonPage(
        name=name, group=say("peers.w_who", attribute=result["attribute"], group=row["Group"]),
        in_short=in_short, place=place, chart=chart,
        readings=_readings(result, row),
        changeable=free,
        fixed=fixed,
        todo=todo, accuses=say("peers.w_accuses"),
    )  # fmt: skip


def _chance(value: float) -> str:
    return wording.percent(value, digits=0) if 0 <= value <= 1 else wording.number(value, digits=1)


def _standing_out(rows: pd.DataFrame) -> list[str]:
    out = rows[rows["Answer"].isin(["worse", "differs"])].sort_values("p, adjusted", kind="stable")
    return [str(f) for f in out["Feature"]][:3]


def _readings(result: Mapping[str, Any], row: pd.Series) -> tuple[Reading, Reading]:
    rate = wording.number(100 * result["flag_rate_if_nothing_wrong"], digits=0)
    published = Reading("As published", CLASS_WORDS["FT"], say("peers.w_published", rate=rate))
    if pd.isna(row["Exact p"]):
        return published, Reading(
            "What the data can carry", "not computable", say("peers.w_rank_none")
        )
    shown = float(row["Exact p, adjusted"]) < result["level"]
    text = say("peers.w_rank", p=wording.number(100 * float(row["Exact p"]), digits=0))
    return published, Reading("What the data can carry", "shown" if shown else "not settled", text)


def _merge(
    result: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    rows: pd.DataFrame,
    names: list[str],
) -> pd.DataFrame:
    """One row a person, for form letters."""
    peers = tables["peers"].assign(Person=tables["peers"]["Person"].astype(str)).set_index("Person")
    found = []
    for name in names:
        mine = rows[rows["Person"].astype(str) == name]
        standing = mine[mine["Answer"].isin(["worse", "differs"])].sort_values(
            "p, adjusted", kind="stable"
        )
        line: dict[str, Any] = {
            "Person": name, "Group": str(peers.loc[name, "Group"]), "As published": CLASS_WORDS["FT"],
            "Accepted peers": int(mine["Accepted peers"].max()),
        }  # fmt: skip
        for place in range(3):
            has = place < len(standing)
            one = standing.iloc[place] if has else None
            for head, key in (("Circumstance", "Feature"), ("This person", "This person"), ("Usual", "Usual among them"), ("Can be changed", "Can be changed")):  # fmt: skip
                line[f"{head} {place + 1}"] = "" if one is None else str(one[key])
        line["Note"] = say("peers.w_accuses")
        found.append(line)
    return pd.DataFrame(found)
