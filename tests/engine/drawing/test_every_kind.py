"""Every kind of chart on screen and paper: nothing cut, nothing undefined, table equals numbers."""

from __future__ import annotations

import io
import math
import re
from typing import Any

import pytest
from examples import LONG, charts, interval_chart, scatter_chart
from reportlab.graphics import renderPDF

from engine.drawing import paper, screen, style
from engine.drawing.alt import alt_of
from engine.drawing.axis import tick_words, ticks
from engine.drawing.compose import compose
from engine.drawing.model import Distribution, LineChart, Series
from engine.drawing.sketch import Dots, Sketch, Words, extent, hatch
from engine.drawing.tables import table_of

CHARTS = charts()
NAMES = sorted(CHARTS)


def _inside(sketch: Sketch, measure: Any) -> None:
    for shape in sketch.shapes:
        left, top, right, bottom = extent(shape, measure)
        assert all(map(math.isfinite, (left, top, right, bottom))), shape
        assert left >= -3.5 and top >= -3.5, shape
        assert right <= sketch.width + 3.5 and bottom <= sketch.height + 3.5, shape


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("width", [280.0, 558.0])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_on_screen(name: str, width: float, scale: float) -> None:
    measures = style.SCREEN_MEASURES.scaled(scale)
    sketch = Sketch(width, style.LIGHT, measures, screen.measure)
    _inside(compose(sketch, CHARTS[name]), screen.measure)


@pytest.mark.parametrize("width", [200.0, 482.0])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_on_paper(name: str, width: float) -> None:
    paper.register_fonts()
    sketch = paper._sketch(CHARTS[name], width, None, paper.FONTS, False)
    _inside(sketch, sketch.measure)
    drawing = paper.draw(CHARTS[name], width=width, max_height=300)
    assert drawing.width <= width + 1e-6
    assert drawing.height <= 300 + 1e-6
    assert renderPDF.drawToString(drawing).startswith(b"%PDF")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_draws_and_its_words_are_inside(name: str, theme: str) -> None:
    figure = screen.draw(CHARTS[name], theme=theme)
    figure.canvas.draw()
    whole = figure.bbox
    for text in figure.axes[0].texts:
        box = text.get_window_extent()
        assert box.x0 >= whole.x0 - 1 and box.x1 <= whole.x1 + 1, text.get_text()
        assert box.y0 >= whole.y0 - 1 and box.y1 <= whole.y1 + 1, text.get_text()
        assert not re.search(r"\bnan\b|\binf\b", text.get_text(), re.I)


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_saved_files_repeat_byte_for_byte(kind: str) -> None:
    files = []
    for _ in range(2):
        target = io.BytesIO()
        screen.save(screen.draw(CHARTS["intervals"]), target, kind=kind)
        files.append(target.getvalue())
    assert files[0] == files[1]
    assert len(files[0]) > 1000


def test_interval_table_holds_the_drawn_numbers() -> None:
    chart = interval_chart()
    table = table_of(chart)
    assert table.columns[4] == "95 % interval, from"
    drawn = [(r.value, r.low, r.high, r.band[0], r.band[1]) for r in chart.rows if r.band]
    assert [row[3:8] for row in table.rows] == drawn


def test_dots_lie_where_the_numbers_say() -> None:
    """Read back from the picture: the value of every dot equals the table's."""
    chart = scatter_chart()
    sketch = compose(Sketch(500, style.LIGHT, style.SCREEN_MEASURES, screen.measure), chart)
    (area,) = sketch.areas
    (x0, x1), (y0, y1) = area.x_limits, area.y_limits
    read = []
    for shape in sketch.shapes:
        if isinstance(shape, Dots) and shape.name:
            for x, y in zip(shape.x, shape.y, strict=True):
                read.append(
                    (
                        x0 + (x - area.left) / (area.right - area.left) * (x1 - x0),
                        y0 + (area.bottom - y) / (area.bottom - area.top) * (y1 - y0),
                    )
                )
    wanted = [(row[2], row[3]) for row in table_of(chart).rows]
    assert [v for pair in read for v in pair] == pytest.approx([v for pair in wanted for v in pair])


def test_every_table_row_has_all_columns() -> None:
    for name, chart in CHARTS.items():
        table = table_of(chart)
        assert all(len(row) == len(table.columns) for row in table.rows), name
        assert all(
            (column and column[0].isupper()) or "$" in column for column in table.columns[:1]
        )


def test_line_gap_breaks_the_line_and_stays_empty_in_the_table() -> None:
    chart = LineChart(
        key="k", title="t", sentence="s",
        series=(Series("a", (1, 2, 3, 4, 5), (0.1, 0.2, None, 0.3, 0.4)),),
    )  # fmt: skip
    assert table_of(chart).rows[2] == (3, None)
    sketch = compose(Sketch(400, style.LIGHT, style.SCREEN_MEASURES, screen.measure), chart)
    dots = next(s for s in sketch.shapes if isinstance(s, Dots))
    assert len(dots.x) == 4


def test_missing_and_infinite_values_are_never_drawn() -> None:
    chart = Distribution(
        key="k", title="t", sentence="s", samples=(("a", (0.1, float("nan"), 0.3), "plain"),)
    )
    screen.draw(chart).canvas.draw()
    chart2 = LineChart(
        key="k", title="t", sentence="s",
        series=(Series("a", (1, 2), (float("nan"), None)), Series("b", (1, 2), (None, None))),
    )  # fmt: skip
    screen.draw(chart2).canvas.draw()


def test_dollars_are_not_mathematics() -> None:
    words = [t.get_text() for t in screen.draw(CHARTS["long-names"]).axes[0].texts]
    assert "$income$_a & b" in words


def test_click_reads_values_back() -> None:
    figure = screen.draw(scatter_chart())
    area = figure.chart_areas[0]  # type: ignore[attr-defined]
    wide, high = figure.get_size_inches() * 72
    found = screen.value_at(
        figure, (area.left + area.right) / 2 / wide, (area.top + area.bottom) / 2 / high
    )
    assert found is not None
    assert found[1] == pytest.approx(sum(area.x_limits) / 2)
    assert found[2] == pytest.approx(sum(area.y_limits) / 2)
    assert screen.value_at(figure, 0.0, 0.0) is None


def test_redraw_into_the_same_figure() -> None:
    figure = screen.draw(CHARTS["bars"])
    again = screen.draw(CHARTS["graph"], figure=figure, theme="dark")
    assert again is figure
    assert len(figure.axes) == 1


def test_alt_words() -> None:
    assert alt_of(interval_chart()).startswith("All metrics and the band.")
    assert "Statistical parity difference −0.110 (−0.171 to −0.049), not settled" in alt_of(
        interval_chart()
    )
    for chart in CHARTS.values():
        assert "nan" not in alt_of(chart).split()
        assert chart.title in alt_of(chart)


def test_paper_is_black_and_grey() -> None:
    for value in style.PAPER.values():
        r, g, b = (int(value[i : i + 2], 16) for i in (1, 3, 5))
        assert max(r, g, b) - min(r, g, b) <= 20, value


def _luminance(colour: str) -> float:
    parts = []
    for i in (1, 3, 5):
        c = int(colour[i : i + 2], 16) / 255
        parts.append(c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _contrast(a: str, b: str) -> float:
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark", "paper"])
def test_contrast_by_wcag(theme: str) -> None:
    c = style.PALETTES[theme]
    for role in ("text", "text2", "accent", "within", "outside", "not_settled", "not_computable", "not_checked"):  # fmt: skip
        assert _contrast(c[role], c["page"]) >= 4.5
        assert _contrast(c[role], c["window"]) >= 4.5
    assert _contrast(c["band_edge"], c["band"]) >= 3
    assert _contrast(c["control"], c["page"]) >= 3


def test_peer_classes_differ_without_colour() -> None:
    looks = [style.LOOKS[k] for k in ("ED", "SD", "FT", "SP", "EP")]
    assert len({(look.shape, look.fill) for look in looks}) == 5
    assert set(style.MARKS) == set(style.VERDICTS)
    plain = [(look.shape, look.fill, look.dash) for look in style.CYCLE]
    assert len(set(plain)) == len(plain)


def test_missing_characters_take_the_stand_in_font() -> None:
    paper.register_fonts()
    assert paper.runs("a ● b", "PlexSans", "DejaVuSans") == [
        ("a ", "PlexSans"), ("●", "DejaVuSans"), (" b", "PlexSans"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-0.35, 0.33), (5, 5), (0, 0), (1e-9, 3e-9), (-3e6, 12.5e6)]
)
def test_ticks_cover_and_have_no_minus_zero(low: float, high: float) -> None:
    marks = ticks(low, high)
    assert marks[0] <= low and marks[-1] >= high
    assert all(str(v) != "-0.0" for v in marks)
    assert len(set(tick_words(marks))) == len(marks)


def test_hatch_stays_inside() -> None:
    for direction in (1, -1):
        for start, end in hatch(10, 20, 110, 35, 4.5, direction):
            for x, y in (start, end):
                assert 10 - 1e-9 <= x <= 110 + 1e-9
                assert 20 - 1e-9 <= y <= 35 + 1e-9


def test_long_word_is_broken_not_cut() -> None:
    sketch = compose(
        Sketch(300, style.LIGHT, style.SCREEN_MEASURES, screen.measure), CHARTS["long-names"]
    )
    words = "".join(s.text for s in sketch.shapes if isinstance(s, Words))
    assert LONG.split()[0] in words
