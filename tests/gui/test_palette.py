"""Contrast by WCAG 2, computed here from the colours, for every pair that the look names."""

from __future__ import annotations

import pytest

from gui.palette import DARK, LIGHT, TYPE, VERDICTS, Palette, verdict_colour, verdict_tint


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TEXTS = (
    "text",
    "text2",
    "accent",
    "within",
    "outside",
    "not_settled",
    "not_computable",
    "not_checked",
)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
class TestContrast:
    @pytest.mark.parametrize("text", TEXTS)
    @pytest.mark.parametrize("ground", ["page", "window", "total"])
    def test_text(self, palette: Palette, text: str, ground: str) -> None:
        assert contrast(getattr(palette, text), getattr(palette, ground)) >= 4.5

    @pytest.mark.parametrize("text", TEXTS)
    @pytest.mark.parametrize("ground", ["selection", "band"])
    def test_text_on_selection_and_band(self, palette: Palette, text: str, ground: str) -> None:
        assert round(contrast(getattr(palette, text), getattr(palette, ground)), 1) >= 5.0

    @pytest.mark.parametrize("verdict", VERDICTS)
    def test_verdict_on_its_tint(self, palette: Palette, verdict: str) -> None:
        colour, tint = (
            getattr(palette, verdict_colour(verdict)),
            getattr(palette, verdict_tint(verdict)),
        )
        assert contrast(colour, tint) >= 4.5

    def test_borders_and_edges(self, palette: Palette) -> None:
        for ground in ("page", "window"):
            assert contrast(palette.control, getattr(palette, ground)) >= 3
        assert contrast(palette.band_edge, palette.page) >= 3
        assert contrast(palette.band_edge, palette.band) >= 3

    def test_text_on_accent(self, palette: Palette) -> None:
        assert contrast(palette.on_accent, palette.accent) >= 4.5


def test_the_tables_ratios_are_those_of_the_look() -> None:
    assert round(contrast(LIGHT.text, LIGHT.page), 1) == 16.2
    assert round(contrast(DARK.accent, DARK.window), 1) == 8.5


def test_type_is_in_points_and_none_is_smaller_than_11_px() -> None:
    assert min(points for _, points, _ in TYPE.values()) >= 8.25
