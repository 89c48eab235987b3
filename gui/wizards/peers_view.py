"""What the peers wizard shows, made from a result in jobs: no Qt, no drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .peers_words import text
from .result_view import MethodView, make_view

if TYPE_CHECKING:
    import pandas as pd

    from engine.base.watch import Watch
    from engine.drawing.model import Chart, ScatterChart
    from engine.methods.peers.watchout import Watchout
    from engine.reports.facts import Kind
    from gui.engine_calls import Reading

NAME = "peers"
STRESS = ("stability", "choices")
ON_TOP = ("likelihood", *STRESS)
"""Charts with a place of their own."""
MOST_ROWS = 5000
"""People in the table on the page; the run's own table holds all."""
COLUMNS = (
    ("Person", "Person", "l"), ("As published", "As published", "l"),
    ("Why not", "Why not tested", "l"), ("Peers", "Peers", "r"),
    ("Own likelihood", "Own", "r"), ("Mean likelihood of the peers", "Their mean", "r"),
    ("Peers of the same propensity", "Like peers", "r"), ("Of them lower", "Lower", "r"),
    ("Exact p", "p", "r"), ("Exact p, adjusted", "p, adjusted", "r"),
    ("Decision or outcome", "Outcome", "l"),
)  # fmt: skip
"""Column of the run's table, heading here, side."""
NUMBERS = ("Own likelihood", "Mean likelihood of the peers", "Exact p", "Exact p, adjusted")


@dataclass(frozen=True)
class PeersView:
    """The method's result, ready to be shown.

    ``names`` are the tested people in the order of the table, ``everyone`` all of them as rows of
    :data:`COLUMNS`; ``rest`` is what stands below the two readings and the figure.
    """

    part: Mapping[str, Any]
    conclusion: str
    scatter: ScatterChart | None
    names: tuple[str, ...]
    everyone: tuple[tuple[Any, ...], ...]
    people: int
    rest: MethodView
    stress: MethodView


@dataclass(frozen=True)
class PersonView:
    """One person: places among the peers, the two answers, and why there is no page."""

    name: str
    group: str
    privileged: str
    n_peers: int
    lower: int
    n_like: int
    like_lower: int
    published: str
    p: str
    verdict: str
    no_page: str
    charts: tuple[Chart, ...]
    scatter: ScatterChart | None


def load(reading: Reading, watch: Watch) -> PeersView:
    """Everything of the page; runs in a job."""
    from engine.methods.peers.findings import conclusion

    part = reading.result[NAME]
    whole = make_view(reading, NAME, watch)
    watch.check()
    table = reading.tables.get("peers")
    scatter = whole.charts.get("likelihood")
    charts = {key: chart for key, chart in whole.charts.items() if key not in ON_TOP}
    told = conclusion(part)
    sections = tuple(
        replace(
            s,
            title=text("found") if told in s.paragraphs else s.title,
            paragraphs=tuple(p for p in s.paragraphs if p != told),
        )
        for s in whole.sections
    )
    stress = tuple(
        replace(s, title=text("stress_result")) for s in sections if s.title == "Stress tests"
    )
    rest = tuple(s for s in sections if s.title != "Stress tests")
    stability = {k: c for k, c in whole.charts.items() if k in STRESS}
    tested = () if table is None else tuple(map(str, table[table["Tested"] == "yes"]["Person"]))
    return PeersView(
        part=part,
        conclusion=told,
        scatter=_labelled(scatter),
        names=tested,
        everyone=_rows(table),
        people=0 if table is None else len(table),
        rest=MethodView(
            tuple(f for f in whole.findings if f.sentence != told), rest, charts, whole.files
        ),
        stress=MethodView((), stress, stability),
    )


def _labelled(chart: Any) -> ScatterChart | None:
    """The scatter as it stands beside the classes: their marks are named there already."""
    if chart is None:
        return None
    made: ScatterChart = replace(
        chart, above=text("above"), below=text("below"), diagonal_label="", keys=False,
        x_label=text("x"), y_label=text("y"),
    )  # fmt: skip
    return made


def _rows(table: pd.DataFrame | None) -> tuple[tuple[Any, ...], ...]:
    if table is None:
        return ()
    from engine.base import wording

    part = table.head(MOST_ROWS)
    columns = []
    for name, *_ in COLUMNS:
        values = part[name].tolist()
        if name in NUMBERS:
            columns.append([wording.number(v) if v == v else "" for v in values])
        else:
            columns.append(["" if v != v else v for v in values])
        if name == "Person":
            columns[-1] = [str(v) for v in columns[-1]]
    return tuple(zip(*columns, strict=True))


def person(reading: Reading, name: str, watch: Watch) -> PersonView:
    """A chosen person, from the tables; runs in a job.

    The rank that the data can carry is among peers of the same propensity; the peers of the
    published test are others, so both counts are given.
    """
    from engine.base import wording
    from engine.methods.peers import figures
    from engine.methods.peers.called import group

    part, tables = reading.result[NAME], reading.tables
    table = tables["peers"]
    row = table[table["Person"].astype(str) == name].iloc[0]
    watch.check()
    charts = figures.person_figures(
        result=part, tables=tables, person=name, seed=int(reading.plan.seed)
    )
    known = row["Own likelihood"] == row["Own likelihood"]
    peers = figures.peers_of(result=part, tables=tables, person=name)["Likelihood"]
    lower = int((peers < row["Own likelihood"]).sum()) if known else 0
    p, verdict = "", "not computable"
    if row["Exact p"] == row["Exact p"]:
        p = wording.number(float(row["Exact p"]), digits=2)
        verdict = "shown" if float(row["Exact p, adjusted"]) < part["level"] else "not settled"
    tested = row["Tested"] == "yes"
    scatter = None
    if tested:
        scatter = _labelled(figures.likelihood(result=part, tables=tables, chosen=name))
    return PersonView(
        name=name, group=str(row["Group"]), privileged=group(part, part["privileged"]),
        n_peers=len(peers), lower=lower, n_like=int(row["Peers of the same propensity"]),
        like_lower=int(row["Of them lower"]),
        published=str(row["As published"]) if tested else text("why", why=row["Why not"]),
        p=p, verdict=verdict, no_page=_no_page(tables, name, row), charts=tuple(charts),
        scatter=scatter,
    )  # fmt: skip


def _no_page(tables: Mapping[str, pd.DataFrame], name: str, row: Any) -> str:
    """Why a person has no watch-out page; empty for one who has."""
    from engine.messages import say
    from engine.methods.peers.published import CLASS_WORDS

    listed = tables.get("watchout")
    if listed is not None and name in set(listed["Person"].astype(str)):
        return ""
    if row["Tested"] != "yes":
        return text("why", why=row["Why not"]) + "."
    if row["As published"] != CLASS_WORDS["FT"]:
        return say("peers.w_fault")
    if row["Decision or outcome"] == "favourable":
        return text("not_refused")
    return text("not_listed")


def peers_table(
    reading: Reading, name: str, watch: Watch
) -> tuple[Any, tuple[str, ...], list[Any]]:
    """The published peers of a person: the person's row, headings and rows."""
    from engine.methods.peers import figures

    watch.check()
    table = reading.tables["peers"]
    row = table[table["Person"].astype(str) == name].iloc[0]
    peers = figures.peers_of(result=reading.result[NAME], tables=reading.tables, person=name)
    heads = (
        "Person",
        "Likelihood",
        "Identification coefficient",
        "Propensity",
        "Decision or outcome",
    )
    part = peers[list(heads)].sort_values("Likelihood", kind="stable")
    rows = [(str(one[0]), *one[1:]) for one in part.itertuples(index=False)]
    return row, heads, rows


@dataclass(frozen=True)
class Paper:
    """What the watch-out list's paper needs beside the result: plain values.

    ``kind`` is the paper that it is an annex to, None while nothing is decided.
    """

    number: str
    organisation: str
    kind: Kind | None
    day: Any
    page_size: str


def annexed_to(state: Mapping[str, Any]) -> Kind | None:
    """The paper to which the list is an annex: None while nobody has decided."""
    from gui.papers import KIND_WORDS

    value = (state["decision"] or {}).get("value")
    kinds: dict[str, Kind] = {"certificate": "certificate", "request": "request"}
    return kinds.get(KIND_WORDS.get(value, ""), "statement") if value else None


def watchout_of(reading: Reading, *, pages: bool) -> Watchout:
    """The watch-out list of a result."""
    from engine.methods.peers.watchout import watchout

    return watchout(result=reading.result[NAME], tables=reading.tables, pages=pages)


def watchout_pdf(
    reading: Reading, paper: Paper, watch: Watch, *, pages: bool, only: str | None = None
) -> bytes:
    """``watchout.pdf``; with ``only`` the page of one person alone."""
    from engine.reports.watchout import build

    watch.say(text("job_list"), fraction=0.1)
    made = watchout_of(reading, pages=pages or only is not None)
    if only is not None:
        made = replace(made, people=tuple(p for p in made.people if p.name == only))
    watch.check()
    return build(
        watchout=made, number=paper.number, organisation=paper.organisation,
        kind=paper.kind, day=paper.day, page_size="Letter" if paper.page_size == "Letter" else "A4", overview=only is None,
    )  # fmt: skip


def letters_csv(reading: Reading) -> bytes:
    """The mail-merge table, one row a person, with formulas defused."""
    from engine.run.writing import csv_text

    return csv_text(watchout_of(reading, pages=False).merge).encode("utf-8-sig")
