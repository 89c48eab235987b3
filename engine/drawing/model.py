"""Charts as data. A chart knows its own table and its own description, so that no figure is ever
without them; :mod:`engine.drawing.screen` and :mod:`engine.drawing.paper` draw it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Chart:
    """What all charts share: ``key`` (file name), ``title``, one ``sentence`` that says what is
    seen, ``alt`` for those who cannot see it, axis words with their units."""

    key: str
    title: str
    sentence: str
    alt: str = ""
    x_label: str = ""
    y_label: str = ""


@dataclass(frozen=True)
class IntervalRow:
    """A metric with its interval. ``shown`` and ``shown_interval`` are the printed texts; ``band``
    and ``ideal`` are in the units of ``value``. ``value`` None: no mark, ``reason`` in its row.
    ``group`` is the heading under which the row stands."""

    label: str
    sub: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    verdict: str | None
    shown: str = ""
    shown_interval: str = ""
    reason: str = ""
    band: tuple[float, float] | None = None
    ideal: float | None = None


@dataclass(frozen=True, kw_only=True)
class IntervalChart(Chart):
    """Rows of value and whisker against a band; the axis is the distance from the ideal."""

    rows: tuple[IntervalRow, ...] = ()
    confidence: float = 0.95


@dataclass(frozen=True)
class Series:
    """Named values; ``low`` and ``high`` are interval ends, None where there is none.
    ``style`` is ``privileged``, ``unprivileged``, ``plain``, ``hatched`` or a peer class."""

    name: str
    x: tuple[Any, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    style: str = "plain"
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BarChart(Chart):
    """Bars by category; ``settled`` False draws a bar hatched. Horizontal when labels are long."""

    series: tuple[Series, ...] = ()
    horizontal: bool = False
    stacked: bool = False
    reference: float | None = None
    reference_label: str = ""


@dataclass(frozen=True, kw_only=True)
class LineChart(Chart):
    """Lines over x with whiskers from low/high (a filled band where ``filled``), horizontal
    references and marked events."""

    filled: bool = False
    series: tuple[Series, ...] = ()
    band: tuple[float, float] | None = None
    references: tuple[tuple[float, str], ...] = ()
    events: tuple[tuple[Any, str], ...] = ()
    steps: bool = False


@dataclass(frozen=True, kw_only=True)
class ScatterChart(Chart):
    """Points by class, with whiskers where they have low and high; ``diagonal`` draws y = x; ``chosen`` rings one point (series, index).

    ``x_words`` names whole places 0, 1, ... where the x values are places and not amounts.
    ``above`` and ``below`` name the two sides of the diagonal; ``keys`` False leaves out the row
    of marks and words, where they stand beside the chart already.
    """

    series: tuple[Series, ...] = ()
    diagonal: bool = False
    diagonal_label: str = ""
    above: str = ""
    below: str = ""
    keys: bool = True
    x_words: tuple[str, ...] = ()
    chosen: tuple[int, int] | None = None


@dataclass(frozen=True)
class Cell:
    """A cell of a heat grid: ``text`` is always printed in it. ``size`` scales it (0 to 1)."""

    text: str
    value: float | None = None
    verdict: str | None = None
    size: float = 1.0


@dataclass(frozen=True, kw_only=True)
class HeatGrid(Chart):
    """A grid with words in its cells."""

    row_names: tuple[str, ...] = ()
    column_names: tuple[str, ...] = ()
    cells: tuple[tuple[Cell, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Waterfall(Chart):
    """Parts adding up to a whole: ``(name, value, low, high, settled)``; the last is the total."""

    parts: tuple[tuple[str, float, float | None, float | None, bool], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Distribution(Chart):
    """Histograms or dots of samples, overlaid; ``lines`` are named vertical lines.

    ``sizes`` are the people behind each sample, where its values are quantiles and not people.
    """

    samples: tuple[tuple[str, tuple[float, ...], str], ...] = ()
    sizes: tuple[int, ...] = ()
    lines: tuple[tuple[float, str], ...] = ()
    bins: int = 30
    density: bool = True


@dataclass(frozen=True)
class Node:
    """A node of a causal graph; ``role`` is ``protected``, ``outcome`` or ``other``."""

    name: str
    role: str = "other"
    text: str = ""
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, kw_only=True)
class GraphChart(Chart):
    """Nodes and arrows ``(from, to, label, dashed)``; laid out in layers where x, y are None."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[tuple[str, str, str, bool], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Panels(Chart):
    """Several charts in a grid (small multiples), each with its own title."""

    charts: tuple[Chart, ...] = ()
    across: int = 2


@dataclass(frozen=True)
class ChartTable:
    """A chart's numbers as a table with headings in words."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...] = field(default_factory=tuple)
