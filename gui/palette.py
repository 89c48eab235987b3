"""The colours of the window, light and dark, and the sizes of its type (see the look)."""

from __future__ import annotations

from dataclasses import asdict, dataclass


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

    def as_dict(self) -> dict[str, str]:
        """The colours by name, as :mod:`engine.drawing.screen` takes them."""
        return asdict(self)


LIGHT = Palette(
    window="#F3F3F0", page="#FFFFFF", total="#F8F8F6", hairline="#DADBD6", control="#7F8790",
    text="#1A2129", text2="#4E5862", accent="#1B4A73", on_accent="#FFFFFF", selection="#E5EDF4",
    within="#14614F", within_tint="#E2F0EA", outside="#8F2213", outside_tint="#F9E8E3",
    not_settled="#855A00", not_settled_tint="#F8EFD8", not_computable="#54506B",
    not_computable_tint="#ECEBF1", not_checked="#565F68", not_checked_tint="#EEEFEF",
    band="#E4ECF1", band_edge="#5B7C97",
)  # fmt: skip
DARK = Palette(
    window="#17191C", page="#1E2125", total="#23272B", hairline="#373C42", control="#7C858E",
    text="#E7E9EA", text2="#AAB2B9", accent="#8DB9E2", on_accent="#10202E", selection="#26384A",
    within="#78C8AC", within_tint="#1D332D", outside="#F08C73", outside_tint="#402620",
    not_settled="#F0CE7E", not_settled_tint="#382F1B", not_computable="#BDB7DA",
    not_computable_tint="#2C2A38", not_checked="#AEB6BD", not_checked_tint="#2A2E32",
    band="#27343F", band_edge="#6E8BA3",
)  # fmt: skip

VERDICTS = (
    "within", "outside", "not settled", "not computable", "not checked", "shown", "ruled out",
)  # fmt: skip


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
