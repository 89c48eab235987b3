"""The look as data: palettes, type sizes, marks and patterns. No Qt, no matplotlib, no reportlab.

The verdict marks are given once, as shapes in a square of 12 by 12 with y downwards, so that
window, plots and paper draw the same mark.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

FONTS = Path(__file__).resolve().parents[2] / "resources" / "fonts"
"""The folder of the fonts that the program brings along."""

LIGHT: dict[str, str] = {
    "window": "#F3F3F0", "page": "#FFFFFF", "total_row": "#F8F8F6", "hairline": "#DADBD6",
    "control": "#7F8790", "text": "#1A2129", "text2": "#4E5862", "accent": "#1B4A73",
    "on_accent": "#FFFFFF", "selection": "#E5EDF4",
    "within": "#14614F", "within_tint": "#E2F0EA",
    "outside": "#8F2213", "outside_tint": "#F9E8E3",
    "not_settled": "#855A00", "not_settled_tint": "#F8EFD8",
    "not_computable": "#54506B", "not_computable_tint": "#ECEBF1",
    "not_checked": "#565F68", "not_checked_tint": "#EEEFEF",
    "band": "#E4ECF1", "band_edge": "#5B7C97",
}  # fmt: skip
DARK: dict[str, str] = {
    "window": "#17191C", "page": "#1E2125", "total_row": "#23272B", "hairline": "#373C42",
    "control": "#7C858E", "text": "#E7E9EA", "text2": "#AAB2B9", "accent": "#8DB9E2",
    "on_accent": "#10202E", "selection": "#26384A",
    "within": "#78C8AC", "within_tint": "#1D332D",
    "outside": "#F08C73", "outside_tint": "#402620",
    "not_settled": "#F0CE7E", "not_settled_tint": "#382F1B",
    "not_computable": "#BDB7DA", "not_computable_tint": "#2C2A38",
    "not_checked": "#AEB6BD", "not_checked_tint": "#2A2E32",
    "band": "#27343F", "band_edge": "#6E8BA3",
}  # fmt: skip
_INK = "#14181D"
PAPER: dict[str, str] = {
    "window": "#FFFFFF", "page": "#FFFFFF", "total_row": "#F4F4F4", "hairline": "#B8BCC0",
    "control": "#3F474F", "text": _INK, "text2": "#3F474F", "accent": _INK,
    "on_accent": "#FFFFFF", "selection": "#E3E3E3",
    "within": _INK, "within_tint": "#FFFFFF",
    "outside": _INK, "outside_tint": "#FFFFFF",
    "not_settled": _INK, "not_settled_tint": "#FFFFFF",
    "not_computable": _INK, "not_computable_tint": "#FFFFFF",
    "not_checked": _INK, "not_checked_tint": "#FFFFFF",
    "band": "#EDEDED", "band_edge": _INK,
}  # fmt: skip
PALETTES: dict[str, dict[str, str]] = {"light": LIGHT, "dark": DARK, "paper": PAPER}

VERDICTS = (
    "within", "outside", "not settled", "not computable", "not checked", "shown", "ruled out",
)  # fmt: skip
"""Every verdict that has a mark."""


def verdict_colour(verdict: str | None, palette: dict[str, str]) -> str:
    """The colour of a verdict; ``shown`` and ``ruled out`` are drawn in the accent.

    Examples
    --------
    >>> verdict_colour("not settled", LIGHT)
    '#855A00'
    """
    if verdict in ("shown", "ruled out"):
        return palette["accent"]
    return palette[(verdict or "accent").replace(" ", "_")]


@dataclass(frozen=True)
class MarkPart:
    """One part of a mark: a ``polygon``, ``line`` or ``ring`` (centre and a point on it).

    ``fill`` and ``stroke`` are ``mark`` (the verdict's colour), ``page`` or None; ``dashed``
    rings have gaps. Coordinates lie in a square of 12 by 12, y downwards.
    """

    kind: str
    points: tuple[tuple[float, float], ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    dashed: bool = False


_SQUARE = ((1.0, 1.0), (11.0, 1.0), (11.0, 11.0), (1.0, 11.0))
_SMALL_SQUARE = ((2.0, 2.0), (10.0, 2.0), (10.0, 10.0), (2.0, 10.0))
MARKS: dict[str, tuple[MarkPart, ...]] = {
    "within": (
        MarkPart("ring", ((6, 6), (11.5, 6)), fill="mark"),
        MarkPart("line", ((3.4, 6.2), (5.3, 8.1), (8.8, 4.3)), stroke="page", width=1.4),
    ),
    "outside": (
        MarkPart("polygon", _SQUARE, fill="mark"),
        MarkPart("line", ((3.7, 3.7), (8.3, 8.3)), stroke="page", width=1.4),
        MarkPart("line", ((3.7, 8.3), (8.3, 3.7)), stroke="page", width=1.4),
    ),
    "not settled": (
        MarkPart("polygon", ((6, 0.7), (11.3, 6), (6, 11.3), (0.7, 6)), "page", "mark", 1.3),
        MarkPart("polygon", ((6, 0.7), (6, 11.3), (0.7, 6)), fill="mark"),
    ),
    "not computable": (
        MarkPart("line", ((1.8, 1.8), (10.2, 10.2)), stroke="mark", width=1.6),
        MarkPart("line", ((1.8, 10.2), (10.2, 1.8)), stroke="mark", width=1.6),
    ),
    "not checked": (MarkPart("ring", ((6, 6), (10.8, 6)), None, "mark", 1.4, True),),
    "shown": (MarkPart("polygon", _SMALL_SQUARE, "mark", "mark", 1.0),),
    "ruled out": (MarkPart("polygon", _SMALL_SQUARE, "page", "mark", 1.3),),
}
"""The verdict marks, one drawing for window, plots and paper."""


@dataclass(frozen=True)
class Look:
    """How a series is drawn: a colour role, a mark with its fill, a pattern and a dash.

    ``shape``: ``disc``, ``square``, ``diamond``, ``up``, ``down``. ``fill``: ``full``, ``open``
    or ``left``. ``pattern`` (bars): ``full``, ``open``, ``tint``, ``/``, ``\\``, ``x``, ``.``.
    """

    colour: str
    shape: str = "disc"
    fill: str = "full"
    pattern: str = "full"
    dash: tuple[float, float] | None = None


LOOKS: dict[str, Look] = {
    "privileged": Look("accent", "disc", "full", "full"),
    "unprivileged": Look("accent", "disc", "open", "open"),
    "hatched": Look("not_settled", "diamond", "left", "/"),
    "ED": Look("outside", "down", "full", "full"),
    "SD": Look("outside", "down", "open", "/"),
    "FT": Look("text2", "disc", "full", "full"),
    "SP": Look("accent", "up", "open", "\\"),
    "EP": Look("accent", "up", "full", "full"),
    "not tested": Look("not_checked", "disc", "open", "open"),
    "within": Look("within", "disc", "full", "full"),
    "outside": Look("outside", "square", "full", "x"),
    "not settled": Look("not_settled", "diamond", "left", "/"),
    "not computable": Look("not_computable", "square", "open", "open"),
    "not checked": Look("not_checked", "disc", "open", "open"),
    "shown": Look("accent", "square", "full", "full"),
    "ruled out": Look("accent", "square", "open", "open"),
}
"""Looks by style name; peer classes are ED, SD, FT, SP, EP."""

CYCLE: tuple[Look, ...] = (
    Look("accent", "disc", "full", "full"),
    Look("accent", "square", "open", "open", (4, 2)),
    Look("text2", "up", "full", "x", (1, 2)),
    Look("text2", "down", "open", "/", (6, 2)),
    Look("within", "diamond", "full", ".", (3, 1)),
    Look("not_settled", "square", "full", "\\", (2, 2)),
    Look("not_computable", "disc", "open", "tint", (8, 3)),
)
"""Looks of plain series in turn: each has its own mark, pattern and dash."""

PAPER_TINTS = {"ED": "#14181D", "EP": "#6F767D", "FT": "#C9CCCF"}
"""Greys that keep full bars of neighbouring peer classes apart without colour."""


def look_of(style: str, index: int) -> Look:
    """The look of a series: by its style, else by its place among the plain ones."""
    return LOOKS.get(style) or CYCLE[index % len(CYCLE)]


@dataclass(frozen=True)
class Measures:
    """Sizes in points. ``screen`` is 96 dpi, so one pixel of the look is 0.75 pt."""

    text: float = 9.0
    label: float = 9.75
    small: float = 8.25
    title: float = 9.75
    row: float = 24.75
    group_row: float = 21.0
    hairline: float = 0.75
    axis: float = 0.75
    line: float = 1.3
    whisker: float = 1.3125
    cap: float = 6.0
    mark: float = 7.5
    point: float = 6.0
    verdict_mark: float = 9.0
    gap: float = 6.0
    plot_height: float = 190.0

    def scaled(self, factor: float) -> Measures:
        """The same measures at another text scale."""
        return replace(self, **{name: value * factor for name, value in vars(self).items()})


SCREEN_MEASURES = Measures()
PAPER_MEASURES = Measures(
    text=9.4, label=9.4, small=8.0, title=9.4, row=15.0, group_row=17.0, hairline=0.5, axis=0.6,
    line=1.0, whisker=1.0, cap=5.0, mark=7.0, point=4.6, verdict_mark=8.0, gap=5.0,
    plot_height=170.0,
)  # fmt: skip


def rc(theme: str = "light", text_scale: float = 1.0) -> dict[str, Any]:
    """matplotlib's settings for a theme, as the look gives them.

    Texts are never read as mathematics, so that a column named ``$x$`` is printed as it is.
    """
    c = PALETTES[theme]
    s = text_scale
    return {
        "font.family": ["IBM Plex Sans", "DejaVu Sans"], "font.size": 9 * s,
        "axes.titlesize": 9.75 * s, "axes.titleweight": 600, "axes.titlelocation": "left",
        "axes.labelsize": 9 * s, "xtick.labelsize": 8.25 * s, "ytick.labelsize": 9 * s,
        "legend.frameon": False, "legend.fontsize": 8.25 * s,
        "text.color": c["text"], "axes.labelcolor": c["text"], "xtick.color": c["text2"],
        "ytick.color": c["text"], "axes.edgecolor": c["control"], "axes.linewidth": 0.75,
        "figure.facecolor": c["page"], "axes.facecolor": c["page"],
        "savefig.facecolor": c["page"], "savefig.dpi": 200,
        "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False,
        "axes.grid": True, "axes.grid.axis": "x", "axes.axisbelow": True,
        "grid.color": c["hairline"], "grid.linewidth": 0.75, "xtick.major.size": 3,
        "xtick.major.width": 0.75, "ytick.major.size": 0, "lines.linewidth": 1.3,
        "lines.markersize": 6, "errorbar.capsize": 3, "hatch.linewidth": 0.8,
        "patch.linewidth": 0.75, "axes.unicode_minus": True, "pdf.fonttype": 42,
        "text.parse_math": False,
    }  # fmt: skip
