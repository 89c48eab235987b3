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
from .explain import changeable
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

    ``changeable`` and ``fixed`` are tables of what differs: what the person could change (or all
    of it, where nobody has said what cannot be changed), and what not (None where there is nothing
    of that kind). ``shorter`` holds both again, ever shorter, for a page that must stay one sheet.
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
    shorter: tuple[tuple[PrintedTable | None, PrintedTable | None], ...] = ()


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
    if not any(e["intrinsic"] for e in result["explanations"].values()):
        notes.insert(0, say("peers.w_not_said"))
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
            name, changeable(result["explanations"], name),
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
LEAST = {"yes": 3, "no": 1}
"""Circumstances listed at least, of those that can be changed and of the others."""
VERSIONS = (
    (None, True), (8, True), (6, True), (5, True), (6, False), (5, False), (4, False), (3, False), (2, False), (1, False)
)  # fmt: skip
"""Most lines of the tables of what differs (None: all that stands out), from the fullest version
on, and whether what finds no line is named below with its values. The paper takes the first version
that leaves a person's page on one sheet."""
MOST_NAMES = 14
"""Names in a note of a shortened version; of the others the number is said."""

Differences = tuple[PrintedTable | None, PrintedTable | None]


def _differences(rows: list[dict[str, Any]], most: int | None, values: bool) -> Differences:
    """What can be changed and what cannot, each a table with what it leaves out in notes.

    Where nobody has said what can be changed, there is one table that says nothing of it.
    ``rows`` come in the order of their weight.
    """
    fixed = [r for r in rows if r["Can be changed"] == "no"]
    free = [r for r in rows if r["Can be changed"] != "no"]
    said = any(r["Can be changed"] != "not said" for r in rows)
    parts = [(say("peers.w_free" if said else "peers.w_any"), free)]
    parts.append((say("peers.w_fixed"), fixed))
    wanted = [_wanted(free, "yes", alone=not fixed), _wanted(fixed, "no", alone=not free)]
    if most is not None:  # what can be changed comes first, and neither table goes without a line
        wanted[1] = min(wanted[1], max(1, most - wanted[0]))
        wanted[0] = min(wanted[0], max(1, most - wanted[1]))
    tables: list[PrintedTable | None] = []
    rest: list[str] = []
    for (head, part), listed in zip(parts, wanted, strict=True):
        standing = _standing(part)
        cells = tuple(
            (
                str(r["Feature"]), str(r["This person"]), str(r["Usual among them"]),
                f"{wording.count(int(r['Alike']))} of {wording.count(int(r['Accepted peers']))}", ANSWERS[str(r["Answer"])],
            )
            for r in part[:listed]
        )  # fmt: skip
        heads = (head, "This person", "Accepted peers", "Alike", "Answer")
        more = [
            say("peers.w_more_one", feature=r["Feature"], own=r["This person"], usual=r["Usual among them"])
            if values else str(r["Feature"])
            for r in part[listed:standing]
        ]  # fmt: skip
        notes = (say("peers.w_more", features=_named(more, most)),) if more else ()
        tables.append(PrintedTable(head, heads, cells, "lllrl", notes) if cells else None)
        rest += [str(r["Feature"]) for r in part[max(listed, standing) :]]
    last = 1 if tables[1] is not None else 0
    if rest and (shown := tables[last]) is not None:
        note = say("peers.w_rest", features=_named(rest, most))
        tables[last] = replace(shown, notes=(*shown.notes, note))
    return tables[0], tables[1]


def _standing(part: list[dict[str, Any]]) -> int:
    return sum(r["Answer"] != "not settled" for r in part)


def _wanted(part: list[dict[str, Any]], kind: str, *, alone: bool) -> int:
    """Lines that a table has where there is room: all that stands out, and a few at least."""
    least = sum(LEAST.values()) if alone else LEAST[kind]
    return min(len(part), max(least, _standing(part)))


def _named(names: list[str], most: int | None) -> str:
    """All names in the fullest version, in the others the first and the number of the rest."""
    room = len(names) if most is None else MOST_NAMES if most > 1 else 4
    if len(names) <= room:
        return wording.listed(names)
    return wording.listed([*names[:room], f"{wording.count(len(names) - room)} more"])


def _page(
    result: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], rows: pd.DataFrame, name: str
) -> PersonPage:
    mine = rows[rows["Person"].astype(str) == name]
    ranks = {answer: rank for rank, answer in enumerate(ANSWERS)}
    ordered = mine.assign(order=mine["Answer"].map(ranks))
    ordered = ordered.sort_values(["order", "p, adjusted", "p"], kind="stable")
    records = [{str(k): v for k, v in r.items()} for r in ordered.to_dict("records")]
    versions = list(dict.fromkeys(_differences(records, *how) for how in VERSIONS))
    free, fixed = versions[0]
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
    share = min(own, peers.min()) >= 0 and max(own, peers.max()) <= 1
    sign = -1.0 if result.get("score_turned") else 1.0
    in_short = say(
        "peers.w_short" if share else "peers.w_short_score", own=_chance(sign * own, share),
        n=wording.count(len(peers)), privileged=theirs(result), mean=_chance(sign * mean, share),
        lower=_have_less(lower, share), worse=worse,
    )  # fmt: skip
    unit = 100.0 if share else sign
    chart = Distribution(
        key="person", title="Where this person stands among the peers",
        sentence="",
        x_label="Chance of the favourable outcome (%)" if share else "Score", y_label="",
        density=False, samples=(("Peers", tuple(float(v) for v in unit * peers), "plain"),),
        lines=((unit * own, f"this person: {_chance(sign * own, share)}"), (unit * mean, f"mean of the peers: {_chance(sign * mean, share)}")),
    )  # fmt: skip
    todo = (
        *(say("peers.w_do_file", feature=f) for f in standing[:2]),
        say("peers.w_do_why"), say("peers.w_do_hand"),
        *((say("peers.w_do_change"),) if free is not None else ()),
    )  # fmt: skip
    place = say(
        "peers.w_place_dots" if len(peers) <= MOST_DOTS else "peers.w_place",
        n=wording.count(len(peers)),
        privileged=theirs(result),
    )
    return PersonPage(
        name=name, group=say("peers.w_who", attribute=result["attribute"], group=row["Group"]),
        in_short=in_short, place=place, chart=chart,
        readings=_readings(result, row, share),
        changeable=free,
        fixed=fixed,
        todo=todo, accuses=say("peers.w_accuses"), shorter=tuple(versions[1:]),
    )  # fmt: skip


def _chance(value: float, share: bool) -> str:
    """A chance in whole per cent that is never rounded to none or to certainty; else a score."""
    if not share:
        return wording.number(value, digits=1)
    if 0 < value < 0.005:
        return f"under {wording.percent(0.01, digits=0)}"
    if 0.995 <= value < 1:
        return f"over {wording.percent(0.99, digits=0)}"
    return wording.percent(value, digits=0)


def _have_less(n: int, share: bool) -> str:
    what = "less" if share else "a less favourable one"
    if not n:
        return f"none has {what}"
    return f"{wording.count(n)} {'has' if n == 1 else 'have'} {what}"


def _of_hundred(share: float) -> str:
    """A share as a number of 100, never rounded to none or to all."""
    if 0 < share < 0.005:
        return "fewer than 1"
    return "more than 99" if 0.995 <= share < 1 else wording.number(100 * share, digits=0)


def _standing_out(rows: pd.DataFrame) -> list[str]:
    out = rows[rows["Answer"].isin(["worse", "differs"])].sort_values("p, adjusted", kind="stable")
    return [str(f) for f in out["Feature"]][:3]


def _readings(result: Mapping[str, Any], row: pd.Series, share: bool) -> tuple[Reading, Reading]:
    rate = _of_hundred(float(result["flag_rate_if_nothing_wrong"]))
    published = Reading("As published", CLASS_WORDS["FT"], say("peers.w_published", rate=rate))
    if pd.isna(row["Exact p"]):
        return published, Reading(
            "What the data can carry", "not computable", say("peers.w_rank_none")
        )
    shown = float(row["Exact p, adjusted"]) < result["level"]
    text = say(
        "peers.w_rank", p=_of_hundred(float(row["Exact p"])), privileged=theirs(result),
        n=wording.count(int(row["Peers of the same propensity"])),
        lower=_have_less(int(row["Of them lower"]), share),
    )  # fmt: skip
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
