"""The methods' own sections and charts, as the pages behind page 1 take them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reportlab.graphics.shapes import Group, String
from reportlab.platypus.flowables import Flowable

from engine.drawing.alt import alt_of
from engine.drawing.model import Chart, IntervalChart
from engine.drawing.paper import draw
from engine.messages import say
from engine.methods import NAMES, method, room
from engine.methods.base import Finding, Section
from engine.plan.model import Plan

from . import fonts
from .flow import Figure, Text, heading, note, paragraph
from .tables import printed

GRADES = ("shown", "ruled out", "not settled", "not computable", "not checked")
CHART_ROWS = 24
"""Rows of an interval chart on one figure; the next begin another."""
HIGHEST = 600
"""Points that a figure may be high on a page."""
PIECE = 345
"""Points that a piece of a longer chart may be high: two of them share a page with no gap."""


@dataclass(frozen=True)
class Part:
    """What one method has to say: its title, sections, and charts by key."""

    name: str
    title: str
    sections: tuple[Section, ...]
    charts: Mapping[str, Chart] = field(default_factory=dict)


def gather(*, result: Mapping[str, Any], plan: Plan, tables: Mapping[str, Any]) -> tuple[Part, ...]:
    """The parts of every method that ran, in the order in which methods are printed.

    Parameters
    ----------
    result : mapping
        result.json as data.
    plan : Plan
        The plan that gave it.
    tables : mapping
        The run's tables by file stem, for charts that need more than the result holds.
    """
    parts = []
    for name in NAMES:
        if name not in result:
            continue
        own = result[name]
        charts = room(name, "figures").figures(result=own, tables=tables)
        parts.append(
            Part(
                name=name,
                title=method(name).title,
                sections=tuple(room(name, "findings").sections(result=own, plan=plan)),
                charts={chart.key: chart for chart in charts},
            )
        )
    return tuple(parts)


def flowables(part: Part, *, width: float) -> list[Flowable]:
    """A method's part as flowables: one section each, findings as sentences, tables, charts."""
    out: list[Flowable] = [heading(part.title)]
    for section in part.sections:
        if section.title != part.title:
            out.append(heading(section.title, level=2))
        out += [paragraph(text, field=part.title) for text in section.paragraphs]
        out += [_finding(found) for found in section.findings]
        for table in section.tables:
            if table.rows:
                out += printed(table)
            else:
                out += [note(text) for text in table.notes]
        for key in section.charts:
            if key in part.charts:
                out += chart_flowables(part.charts[key], width=width)
    return out


def _finding(found: Finding) -> Text:
    known = found.grade in GRADES
    grade = say(f"paper.grade_{found.grade.replace(' ', '_')}") if known else ""
    spans = [(f"{grade}. ", fonts.SANS_BOLD)] if grade else []
    said = _once(grade, found.sentence)
    if found.grade == "not checked" and found.subject not in said:
        said = f"{found.subject}: {said}"  # the reason alone does not say what it is about
    spans.append((said, fonts.SANS))
    if found.action:
        spans.append((f" {found.action}", fonts.SANS))
    return paragraph(spans, field=found.subject)


def _once(grade: str, sentence: str) -> str:
    """The sentence without the grade that stands before it already.

    Examples
    --------
    >>> _once("Not checked", "Not checked: the plan names no column.")
    'The plan names no column.'
    """
    lead = f"{grade}: "
    if not grade or not sentence.startswith(lead):
        return sentence
    rest = sentence[len(lead) :]
    return rest[:1].upper() + rest[1:]


def chart_flowables(chart: Chart, *, width: float) -> list[Flowable]:
    """A chart as figures, split where it has more rows than a page shows well."""
    out: list[Flowable] = [heading(chart.title, level=3)]
    if chart.sentence:
        said = paragraph(chart.sentence, field=chart.title)
        said.keep = True  # heading and sentence go to the page of their figure
        out.append(said)
    out += [figure(piece, width=width, max_height=HIGHEST) for piece in _pieces(chart, width)]
    return out


def figure(chart: Chart, *, width: float, max_height: float) -> Figure:
    """A chart as a figure with its alternative text.

    Raises
    ------
    Refused
        For a character in it that cannot be printed.
    """
    drawing = draw(chart, width=width, max_height=max_height)
    drawing.initialFontName = fonts.SANS  # reportlab's own is not embedded
    for text in _strings(drawing):
        fonts.runs(text, fonts.SANS, chart.title)

    def paint(canvas: Any) -> None:
        drawing.drawOn(canvas, 0, 0)

    return Figure(width=drawing.width, height=drawing.height, alt=alt_of(chart), paint=paint)


def _strings(group: Any) -> Iterator[str]:
    for item in group.contents:
        if isinstance(item, String):
            yield item.text
        elif isinstance(item, Group):
            yield from _strings(item)


def _pieces(chart: Chart, width: float) -> list[Chart]:
    """A chart in pieces that are readable at full width: never shrunk to fit a page.

    Each piece takes as many whole groups of rows as half a page holds; only a group that no half
    page holds is cut within.
    """
    if not isinstance(chart, IntervalChart) or len(chart.rows) < 2:
        return [chart]
    if len(chart.rows) <= CHART_ROWS and draw(chart, width=width).height <= HIGHEST:
        return [chart]
    rows, pieces, begin = chart.rows, [], 0
    while begin < len(rows):
        most = min(begin + CHART_ROWS, len(rows))
        starts = [n for n in range(begin + 1, most) if rows[n].group != rows[n - 1].group]
        whole = most == len(rows) or rows[most].group != rows[most - 1].group
        ends = [*([most] if whole or not starts else []), *reversed(starts)]
        ends += range(ends[-1] - 1, begin, -1)  # within a group, where not even one fits
        for end in ends:
            piece = replace(chart, rows=rows[begin:end])
            if end == begin + 1 or draw(piece, width=width).height <= PIECE:
                break
        pieces.append(piece)
        begin = end
    return list(pieces)
