"""The colours of the window, light and dark, and the sizes of its type (see the look)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.drawing import style


@dataclass(frozen=True)
class Palette:
    """One column of the table of colours; each field is named by its use."""

    window: str
    page: str
    total: str
    hairline: str
    control: str
    text: str
    text2: str
    accent: str
    on_accent: str
    selection: str
    within: str
    within_tint: str
    outside: str
    outside_tint: str
    not_settled: str
    not_settled_tint: str
    not_computable: str
    not_computable_tint: str
    not_checked: str
    not_checked_tint: str
    band: str
    band_edge: str


def _of(table: Mapping[str, str]) -> Palette:
    return Palette(**{name.replace("total_row", "total"): c for name, c in table.items()})


LIGHT = _of(style.LIGHT)
DARK = _of(style.DARK)
VERDICTS = style.VERDICTS


def verdict_colour(verdict: str) -> str:
    """The name of a verdict's colour: ``shown`` and ``ruled out`` take the accent."""
    return "accent" if verdict in ("shown", "ruled out") else verdict.replace(" ", "_")


def verdict_tint(verdict: str) -> str:
    """The name of the tint behind a verdict."""
    return "selection" if verdict in ("shown", "ruled out") else verdict.replace(" ", "_") + "_tint"


SANS, SERIF, MONO = "IBM Plex Sans", "IBM Plex Serif", "IBM Plex Mono"

TYPE: dict[str, tuple[str, float, int]] = {
    "verdict": (SERIF, 19.5, 500),
    "title": (SERIF, 16.5, 500),
    "name": (SERIF, 22.5, 500),
    "figure": (SERIF, 15.0, 500),
    "section": (SANS, 10.5, 600),
    "lede": (SANS, 10.5, 400),
    "text": (SANS, 9.75, 400),
    "button": (SANS, 9.75, 500),
    "key": (SANS, 9.75, 600),
    "help": (SANS, 9.0, 400),
    "head": (SANS, 9.0, 500),
    "chip": (SANS, 9.0, 600),
    "small": (SANS, 8.25, 400),
    "mono": (MONO, 8.25, 400),
}
"""Role -> family, points at 100 %, weight."""
