"""The help page says what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.methods.peers.published import flag_rate
from engine.methods.peers.settings import METHOD

PAGE = Path(__file__).resolve().parents[4] / "resources" / "help" / "peers.md"


def _settings() -> dict[str, tuple[object, str]]:
    part = PAGE.read_text(encoding="utf-8").split("## Settings")[1]
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \| (.+?) \|$", part, re.M)
    return {name: (json.loads(default), words) for name, default, words in rows}


def test_every_setting_is_explained_with_its_default() -> None:
    page = _settings()
    assert {name: default for name, (default, _) in page.items()} == METHOD.defaults()
    for setting in METHOD.settings:
        words = page[setting.name][1]
        for value, _ in setting.choices:
            assert f"`{value}`" in words, setting.name


def test_contract_defaults() -> None:
    defaults = METHOD.defaults()
    assert defaults["attribute"] is None
    assert defaults["delta_factor"] == 0.3
    assert defaults["min_peers"] == 35
    assert defaults["draws"] == 100
    assert defaults["sample"] == 30
    assert defaults["replace"] is True


def test_flag_rates_of_the_page_are_the_closed_form() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    row = next(line for line in lines if line.startswith("| flagged |"))
    shown = [float(v) / 100 for v in re.findall(r"([\d.]+) %", row)]
    wanted = [flag_rate(draws=n, sample=30, level=0.05) for n in (10, 30, 100, 1000, 10_000)]
    assert shown == pytest.approx(wanted, abs=0.0005)
