"""The metrics of a statement's page 1: a table whose last column is the graph, on shared rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.base import wording
from engine.messages import say

from . import fonts
from .marks import draw_mark, draw_point
from .page1 import Pen
from .style import BAND, INK, LABEL, ROW_HAIR
from .tags import Node
from .words import Row, ordered_attributes

ROW = 15.0
ORDER = ("outside", "not settled", "not computable", "not checked", "within")
MOST_NAMES = 300
"""Characters of long names that are set in full under the table."""


def draw_metrics(
    pen: Pen, head: float, rows: Sequence[Row], result: Mapping[str, Any], most: int
) -> float:
    """The metrics as a table whose last column is the graph, on shared rows."""
    sheet, s = pen.sheet, pen.scale
    confidence = wording.percent((result.get("plan") or {}).get("confidence", 0.95), digits=0)
    if len(rows) > most:
        chosen = {id(row) for row in sorted(rows, key=_weight)[:most]}
        shown = [row for row in rows if id(row) in chosen]
    else:
        shown = list(rows)
    left = sheet.left
    longest = max(fonts.width(row.attribute, fonts.SANS_BOLD, 9.2 * s) for row in shown)
    names = left + min(max(30.0, longest + 6), 88.0)
    value_right, verdict_x, table_right = left + 239.5, left + 250, left + 302.7
    plot_left = left + 320.3
    order = {name: n for n, (name, _) in enumerate(ordered_attributes(result), 1)}
    table = Node("Table", alt=say("paper.metrics_alt"))
    top_row = Node("TR", table)
    for text, x, room, align in (
        (say("paper.h_both"), left, 150.0, "l"),
        (say("paper.h_value"), value_right - 60, 60.0, "r"),
        (say("paper.h_verdict"), verdict_x, 60.0, "l"),
    ):
        pen.text(
            text,
            x=x,
            y=head,
            room=room,
            size=8,
            leading=10,
            align=align,
            color=LABEL,
            node=Node("TH", top_row, scope="Column"),
        )
    room = sheet.right - plot_left
    pen.text(
        say("paper.graph_head", confidence=confidence),
        x=plot_left,
        y=head - 9.7 * s,
        room=room,
        size=8,
        leading=10,
        align="c",
        color=LABEL,
    )
    pen.text(
        say("paper.graph_foot"),
        x=plot_left,
        y=head,
        room=room,
        size=8,
        leading=10,
        align="c",
        color=LABEL,
    )
    y = head + 6.4 * s
    pen.rule(y, width=0.75, to=table_right)
    pen.rule(y, width=0.75, x=plot_left)
    step = ROW * s
    last = ""
    numbered: dict[str, None] = {}
    for place, row in enumerate(shown):
        base = y + step * place + 10.3 * s
        line = Node("TR", table)
        first = Node("TH", line, scope="Row")
        if row.attribute != last:
            last = row.attribute
            name = row.attribute
            if fonts.width(name, fonts.SANS_BOLD, 7 * s, "attribute") > names - left - 4:
                name = say("reports.attribute_number", number=order[name])
                numbered[say("paper.numbered", number=name, name=row.attribute)] = None
            pen.fitted(
                name,
                x=left,
                y=base,
                room=names - left - 4,
                size=9.2,
                least=4.0,
                face=fonts.SANS_BOLD,
                node=first,
                field="attribute",
            )
        pen.fitted(
            row.title,
            x=names,
            y=base,
            room=value_right - 44 - names,
            size=9.2,
            least=6.5,
            node=first,
        )
        pen.text(
            row.shown() or say("paper.no_value"),
            x=value_right - 60,
            y=base,
            room=60,
            size=9.2,
            leading=11,
            align="r",
            face=fonts.SANS_BOLD,
            node=Node("TD", line),
        )
        pen.fitted(
            row.verdict.capitalize(),
            x=verdict_x,
            y=base,
            room=table_right - verdict_x,
            size=9.2,
            least=7,
            node=Node("TD", line),
        )
        pen.rule(y + step * (place + 1), width=0.5, to=table_right, color=ROW_HAIR)
    bottom = y + step * len(shown)
    _plot(pen, shown, x=plot_left, room=room, top=y, step=step)
    notes = list(numbered)
    if sum(map(len, notes)) > MOST_NAMES:
        notes = [say("paper.numbered_behind")]
    if len(shown) < len(rows):
        notes.insert(0, say("reports.rows_left", shown=len(shown), total=len(rows)))
    last_line = bottom
    for note in notes:
        last_line = pen.text(
            note,
            x=left,
            y=last_line + 10 * s,
            room=plot_left - left - 22,
            size=8,
            leading=10,
            color=LABEL,
            field="attribute",
        )
    return max(bottom + 9.6 * s, last_line)


def _weight(row: Row) -> tuple[int, float]:
    """What is shown first where not all fits: what is not within, then what lies farthest off."""
    return ORDER.index(row.verdict) if row.verdict in ORDER else 0, -row.distance()


def _plot(pen: Pen, rows: Sequence[Row], *, x: float, room: float, top: float, step: float) -> None:
    """Whiskers against the band, on the rows of the table; the axis is the distance from ideal."""
    if pen.canvas is None:
        return
    canvas, height = pen.canvas, pen.sheet.page_height
    reach = axis_reach(rows)
    middle = x + room / 2

    def at(value: float) -> float:
        return middle + value / reach * (room / 2 - 6)

    foot = height - top - step * len(rows)
    none = say("paper.no_value")
    alt = "; ".join(
        say(
            "paper.graph_row",
            metric=row.title,
            attribute=row.attribute,
            value=row.shown() or none,
            span=row.shown_interval() or none,
            verdict=row.verdict,
        )
        for row in rows
    )
    box = (x, foot, x + room, height - top)
    with canvas.tagged(Node("Figure", alt=say("paper.graph_alt", rows=alt), bbox=box)):
        for place, row in enumerate(rows):
            low, high = (edge - row.ideal for edge in row.band)
            y = height - top - step * (place + 1)
            canvas.setFillColorRGB(*BAND)
            canvas.rect(at(low), y, at(high) - at(low), step, stroke=0, fill=1)
            canvas.setStrokeColorRGB(*INK)
            canvas.setLineWidth(0.6)
            canvas.line(at(low), y, at(low), y + step)
            canvas.line(at(high), y, at(high), y + step)
        canvas.setLineWidth(0.6)
        canvas.setDash(1.5, 2.2)
        canvas.line(middle, foot, middle, height - top)
        canvas.setDash()
        for place, row in enumerate(rows):
            _whisker(canvas, row, at, reach, height - top - step * (place + 0.5))
        low, high = (edge - rows[0].ideal for edge in rows[0].band)
        if at(high) - middle < 15:  # the labels of so narrow a band would run into one another
            low, high = -reach, reach
        for value in (low, 0.0, high):
            label = wording.number(value, digits=2, sign=True) if value else "0"
            canvas.setFillColorRGB(*LABEL)
            canvas.setFont(fonts.SANS, 8)
            half = fonts.width(label, fonts.SANS, 8) / 2
            middle_of = min(max(at(value), x + half), x + room - half)
            canvas.drawCentredString(middle_of, foot - 9.8, label)


def _whisker(canvas: Any, row: Row, at: Any, reach: float, y: float) -> None:
    low, high, value = row.measure.get("low"), row.measure.get("high"), row.value
    if value is None:
        draw_mark(canvas, row.verdict, x=at(0) - 3.5, y=y - 3.5, size=7)
        return
    canvas.setStrokeColorRGB(*INK)
    canvas.setLineWidth(1.1)
    if low is not None and high is not None:
        for end in (low - row.ideal, high - row.ideal):
            if abs(end) <= reach:
                canvas.line(at(end), y - 3, at(end), y + 3)
        left, right = (at(max(-reach, min(reach, end - row.ideal))) for end in (low, high))
        canvas.line(left, y, right, y)
        for end, tip, sign in ((low, left, -1), (high, right, 1)):
            if abs(end - row.ideal) > reach:
                canvas.line(tip, y, tip - sign * 3, y + 2.4)
                canvas.line(tip, y, tip - sign * 3, y - 2.4)
    off = max(-reach, min(reach, value - row.ideal))
    draw_point(canvas, row.verdict, x=at(off), y=y, size=7.6)


def axis_reach(rows: Sequence[Row]) -> float:
    """Half the axis: what the intervals need, but at most ten widths of the widest band, so that
    one ratio far out does not press all else together; what runs beyond ends in an arrow."""
    widest = max(max(abs(edge - row.ideal) for edge in row.band) for row in rows)
    need = widest * 1.4
    for row in rows:
        for end in (row.measure.get("low"), row.measure.get("high"), row.value):
            if end is not None:
                need = max(need, abs(end - row.ideal))
    return min(need, 10 * widest) if widest > 0 else need or 1.0  # a tolerance of 0 has no width
