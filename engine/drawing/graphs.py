"""Causal graphs: nodes in layers from cause to effect, arrows between them."""

from __future__ import annotations

import math

from .model import GraphChart, Node
from .sketch import LEADING, Point, Sketch

NARROWEST, WIDEST, LOWEST = 87.0, 105.0, 33.0
"""Least and largest width of a node and its least height: 116 to 140 by 44 px in the look."""


def layers(chart: GraphChart) -> dict[str, int]:
    """The layer of each node: one more than the deepest of its causes.

    Arrows that would close a circle are passed over, so that any draft can be drawn.

    Examples
    --------
    >>> nodes = tuple(Node(n) for n in "ABC")
    >>> layers(GraphChart(key="g", title="", sentence="", nodes=nodes,
    ...     edges=(("A", "B", "", False), ("B", "C", "", False), ("A", "C", "", False))))
    {'A': 0, 'B': 1, 'C': 2}
    """
    causes: dict[str, list[str]] = {n.name: [] for n in chart.nodes}
    for start, end, _, _ in chart.edges:
        if start in causes and end in causes and start != end:
            causes[end].append(start)
    depth: dict[str, int] = {}

    def deep(name: str, path: tuple[str, ...]) -> int:
        if name not in depth:
            before = [deep(c, (*path, name)) for c in causes[name] if c not in (*path, name)]
            depth[name] = 1 + max(before, default=-1)
        return depth[name]

    return {n.name: deep(n.name, ()) for n in chart.nodes}


def graph_chart(sketch: Sketch, chart: GraphChart) -> None:
    """Draw the nodes where they were put, or in layers; direct arrows go round over the top."""
    m = sketch.measures
    factor = m.text / 9.0
    if not chart.nodes:
        sketch.words(0, m.text, "The graph has no node yet.", m.text, "text2")
        sketch.height = m.row
        return
    depth = layers(chart)
    columns = max(depth.values()) + 1
    widest = max([sketch.wide(e[2], m.small) for e in chart.edges], default=0.0)
    between = min(widest, 90.0 * factor) + 28
    room = (sketch.width - 4 - between * (columns - 1)) / columns
    wide = min(WIDEST * factor, max(NARROWEST * factor * 0.75, room))
    if not sketch.paper:
        sketch.width = max(sketch.width, wide * columns + between * (columns - 1) + 4)
    texts = {n.name: _node_lines(sketch, n, wide - 10) for n in chart.nodes}
    talls = {name: max(_node_height(sketch, *t), LOWEST * factor) for name, t in texts.items()}
    tall = max(talls.values())
    over = [e for e in chart.edges if depth.get(e[1], 0) - depth.get(e[0], 0) > 1]
    headroom = (len(over) * m.small * 1.6 + m.small) if over else 2.0
    places = _places(sketch, chart, depth, wide, tall, headroom)
    sketch.height = max(y + talls[name] / 2 for name, (_, y) in places.items()) + 3
    lane = m.small
    for start, end, label, dashed in chart.edges:
        if start not in places or end not in places:
            continue
        if (start, end, label, dashed) in over and _blocked(places, start, end, tall):
            _round_about(sketch, places, (start, end, label, dashed), talls, lane)
            lane += m.small * 1.6
        else:
            ends = (
                _edge_point(places[start], places[end], wide, talls[start]),
                _edge_point(places[end], places[start], wide, talls[end]),
            )
            _arrow(sketch, *ends, label, dashed)
    for node in chart.nodes:
        _node(sketch, node, places[node.name], wide, talls[node.name], *texts[node.name])


def _node_lines(sketch: Sketch, node: Node, room: float) -> tuple[list[str], list[str]]:
    m = sketch.measures
    sub = sketch.wrap(node.text, m.small, room) if node.text else []
    return sketch.wrap(node.name, m.text, room, True), sub


def _node_height(sketch: Sketch, name: list[str], sub: list[str]) -> float:
    m = sketch.measures
    return len(name) * m.text * LEADING + len(sub) * m.small * LEADING + 10


def _places(
    sketch: Sketch,
    chart: GraphChart,
    depth: dict[str, int],
    wide: float,
    tall: float,
    headroom: float,
) -> dict[str, Point]:
    """Centres of the nodes."""
    given = [(n.x, n.y) for n in chart.nodes if n.x is not None and n.y is not None]
    if len(given) == len(chart.nodes) and len(given) > 1:
        xs, ys = [float(x) for x, _ in given], [float(y) for _, y in given]
        room = sketch.width - wide - 4
        # Nodes put by hand keep their order and proportions; the drawing is fitted to the width.
        scale = min(room / (max(xs) - min(xs)) if max(xs) > min(xs) else 1.0, 0.75 * 4)
        return {
            n.name: (
                wide / 2 + 2 + (float(n.x or 0) - min(xs)) * scale,
                headroom + tall / 2 + (float(n.y or 0) - min(ys)) * scale,
            )
            for n in chart.nodes
        }
    columns = max(depth.values()) + 1
    members: list[list[str]] = [[] for _ in range(columns)]
    for node in chart.nodes:
        members[depth[node.name]].append(node.name)
    step_y = tall * 1.6
    whole = max(len(part) for part in members) * step_y
    places = {}
    for column, part in enumerate(members):
        x = sketch.width / 2
        if columns > 1:
            x = wide / 2 + 2 + column * (sketch.width - wide - 4) / (columns - 1)
        first = headroom + tall / 2 + (whole - len(part) * step_y) / 2
        for row, name in enumerate(part):
            places[name] = (x, first + row * step_y)
    return places


def _blocked(places: dict[str, Point], start: str, end: str, tall: float) -> bool:
    """Whether a straight arrow would run through another node."""
    (x1, y1), (x2, y2) = places[start], places[end]
    for name, (x, y) in places.items():
        if name in (start, end) or x1 == x2:
            continue
        share = (x - x1) / (x2 - x1)
        if 0 < share < 1 and abs(y1 + share * (y2 - y1) - y) < tall:
            return True
    return False


def _node(
    sketch: Sketch,
    node: Node,
    place: Point,
    wide: float,
    tall: float,
    name: list[str],
    sub: list[str],
) -> None:
    m = sketch.measures
    x, y = place
    special = node.role in ("protected", "outcome")
    corners = _rounded(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2, 3.75)
    fill, edge = ("selection", "accent") if special else ("page", "control")
    sketch.polygon(corners, fill, edge, 1.5 if special else 0.75)
    block = len(name) * m.text * LEADING + len(sub) * m.small * LEADING
    base = y - block / 2 + m.text
    sketch.lines_of_words(x, base, name, m.text, bold=True, anchor="middle")
    base += (len(name) - 1) * m.text * LEADING + m.small * LEADING
    sketch.lines_of_words(x, base, sub, m.small, "text2", anchor="middle")


def _rounded(left: float, top: float, right: float, bottom: float, r: float) -> list[Point]:
    points = []
    for cx, cy, start in (
        (right - r, top + r, -90), (right - r, bottom - r, 0),
        (left + r, bottom - r, 90), (left + r, top + r, 180),
    ):  # fmt: skip
        for angle in range(start, start + 91, 30):
            a = math.radians(angle)
            points.append((cx + r * math.cos(a), cy + r * math.sin(a)))
    return points


def _edge_point(centre: Point, towards: Point, wide: float, tall: float) -> Point:
    """Where a straight line from a node's centre leaves its box."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    if dx == 0 and dy == 0:
        return centre
    shares = [wide / 2 / abs(dx)] if dx else []
    shares += [tall / 2 / abs(dy)] if dy else []
    share = min(shares)
    return centre[0] + dx * share, centre[1] + dy * share


def _arrow(sketch: Sketch, start: Point, end: Point, label: str, dashed: bool) -> None:
    """A straight arrow from box to box, its label on the line."""
    sketch.line((start, end), "text2", 0.94, (4, 2.5) if dashed else None)
    _head(sketch, start, end)
    if label:
        _label(sketch, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), label)


def _head(sketch: Sketch, start: Point, end: Point) -> None:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    points = [end]
    for side in (2.75, -2.75):
        points.append(
            (end[0] - 6 * math.cos(angle + side / 8), end[1] - 6 * math.sin(angle + side / 8))
        )
    sketch.polygon(points, "text2", "text2", 0.5)


def _label(sketch: Sketch, place: Point, label: str) -> None:
    m = sketch.measures
    lines = sketch.wrap(label, m.small, sketch.width * 0.3)
    half = max(sketch.wide(t, m.small) for t in lines) / 2
    x = min(max(place[0], half + 2), sketch.width - half - 2)
    high = len(lines) * m.small * LEADING
    y = place[1]
    sketch.box(x - half - 2, y - high / 2, x + half + 2, y + high / 2, "page")
    sketch.lines_of_words(x, y - high / 2 + m.small, lines, m.small, anchor="middle")


def _round_about(
    sketch: Sketch,
    places: dict[str, Point],
    edge: tuple[str, str, str, bool],
    talls: dict[str, float],
    lane: float,
) -> None:
    """An arrow over the top, for one that would run through other nodes."""
    start, end, label, dashed = edge
    (x1, y1), (x2, y2) = places[start], places[end]
    shift = lane * 0.4
    points = [
        (x1 + shift, y1 - talls[start] / 2), (x1 + shift, lane), (x2 - shift, lane),
        (x2 - shift, y2 - talls[end] / 2),
    ]  # fmt: skip
    sketch.line(points, "text2", 0.94, (4, 2.5) if dashed else None)
    _head(sketch, points[-2], points[-1])
    if label:
        _label(sketch, ((x1 + x2) / 2, lane), label)
