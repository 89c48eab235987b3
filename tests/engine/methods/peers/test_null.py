"""With nothing wrong: the published test flags 97 %, the exact rank and the group effect 5 %."""

from __future__ import annotations

import json

import pytest
from null_simulation import SAMPLES, SUMMARY, one, simulate, summary


def _right(found: dict[str, dict[str, float]]) -> None:
    for numbers in found.values():
        assert numbers["published"] == pytest.approx(0.97, abs=0.02)
        assert 0.03 <= numbers["rank"] <= 0.07
        assert numbers["rank_adjusted"] < 0.005
        assert numbers["error"] == pytest.approx(numbers["spread"], rel=0.2)
    rejected = [n["effect_rejects"] for n in found.values()]
    assert 0.03 <= sum(rejected) / len(rejected) <= 0.08


def test_stored_summary_is_right_and_repeats() -> None:
    stored = json.loads(SUMMARY.read_text())
    assert all(len(rows) == SAMPLES for rows in stored["samples"].values())
    _right(stored["summary"])
    assert summary(stored["samples"]) == stored["summary"]
    again = one("A", 0)
    for key, value in stored["samples"]["A"][0].items():
        assert again[key] == pytest.approx(value, abs=2e-3), key


@pytest.mark.slow
def test_two_hundred_samples_of_each_design() -> None:
    _right(summary(simulate(SAMPLES)))
