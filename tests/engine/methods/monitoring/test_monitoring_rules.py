"""Triggers against the reference history, and alarms against simulated years."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from engine.fairness.tests import katz, newcombe, two_proportion_z, wilson
from engine.methods.monitoring.rules import (
    WORDS,
    Level,
    Rules,
    false_alarms,
    fire,
    judge,
    stability,
)
from engine.methods.monitoring.telling import triggers_told


@pytest.fixture(scope="module")
def governance(shared: Path) -> dict[str, Any]:
    text = (shared / "cases" / "methods" / "expected.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["C_paper003"]["governance"]
    return found


def test_the_reference_history_fires_as_it_should(governance: dict[str, Any]) -> None:
    history = governance["history"]
    keys = ["F-B", "F-A"]
    ratio = np.array([[p["cells"][k][0] for k in keys] for p in history])
    n = np.array([[p["cells"][k][1] for k in keys] for p in history], dtype=float)
    psi = np.array([p["psi"] for p in history])
    fired = fire(ratio=ratio, n=n, psi=psi, rules=Rules())
    wanted = [w["action"].replace("rollback", "roll back") for w in governance["rollback"]]
    assert [WORDS[a] for a in fired.action] == wanted
    told = triggers_told(fired=fired, names=list("012345"), keys=keys, rules=Rules(), n=n)
    for entry, right in zip(told, governance["rollback"], strict=True):
        shown = " ".join(entry["why"])
        assert ("composition" in shown.lower()) == ("composition PSI" in right["why"])
        assert ("F-B" in shown) == ("F-B" in right["why"])
    assert told[2]["notes"] and "F-B counts 30 people" in told[2]["notes"][0]
    assert "run of 1" in told[2]["notes"][0]


def test_stability_index_and_chi_square(governance: dict[str, Any]) -> None:
    before, now = (np.array(c, dtype=float) for c in governance["counts"])
    for a, b in ((before, now), (now, before)):
        found, added = stability(before=a, now=b, smooth=True)
        assert float(found) == pytest.approx(governance["psi"], abs=1e-9) and not added
    empty = np.array([1100.0, 0, 890, 440])
    undefined, _ = stability(before=before, now=empty, smooth=False)
    assert math.isnan(float(undefined)) and governance["psi_zero_bin"] is None
    smoothed, added = stability(before=before, now=empty, smooth=True)
    a, e = (empty + 0.5) / (empty + 0.5).sum(), (before + 0.5) / (before + 0.5).sum()
    assert bool(added) and float(smoothed) == pytest.approx(float(((a - e) * np.log(a / e)).sum()))


def test_closed_forms(governance: dict[str, Any]) -> None:
    drift = governance["selection_drift"]
    (a, n_a), (b, n_b) = drift["after"], drift["before"]
    z, p = two_proportion_z(favourable=(a, b), n=(n_a, n_b))
    ends = newcombe(favourable=(a, b), n=(n_a, n_b), confidence=0.95)
    assert (z, p) == pytest.approx((drift["z"], drift["p"]), abs=1e-9)
    assert ends == pytest.approx(tuple(drift["ci"]), abs=1e-9)
    ratio = katz(favourable=(40, 90), n=(400, 600), confidence=0.95)
    assert ratio == pytest.approx(tuple(governance["di_log_ci_40_of_400_vs_90_of_600"]), abs=1e-9)
    one = wilson(favourable=7, n=50, confidence=0.95)
    assert one == pytest.approx(tuple(governance["wilson_7_of_50"]), abs=1e-9)


def test_small_periods_break_the_run_and_say_so() -> None:
    ratio = np.array([[0.7], [0.7], [0.7]])
    n = np.array([[400.0], [20.0], [400.0]])
    fired = fire(ratio=ratio, n=n, psi=np.zeros(3), rules=Rules())
    assert [WORDS[a] for a in fired.action] == ["investigate", "none", "investigate"]
    assert fired.broken[:, 0].tolist() == [0, 1, 0]


RATE = np.array([0.5, 0.46, 0.44])
PEOPLE = np.array([400.0, 250.0, 200.0])


def _years(
    *, years: int, level: Level, rules: Rules, rng: np.random.Generator, estimated: bool
) -> float:
    """Alarms a year in years drawn person by person, read one year at a time."""
    alarms = 0
    share = PEOPLE / PEOPLE.sum()
    for _ in range(years):
        cell = rng.choice(3, size=(12, 850), p=share)
        good = rng.random(cell.shape) < RATE[cell]
        people = np.stack([(cell == i).sum(axis=1) for i in range(3)], axis=1).astype(float)
        chosen = np.stack([((cell == i) & good).sum(axis=1) for i in range(3)], axis=1).astype(
            float
        )
        start = level
        if estimated:
            n = rng.multinomial(850, share).astype(float)
            start = Level(rng.binomial(n.astype(int), RATE) / n, n, n, True)
        fired = judge(
            people=people, n=people, good=chosen, level=start, reference=0, smooth=True, rules=rules
        )
        alarms += int((fired.action > 0).sum())
    return alarms / years


@pytest.mark.parametrize("estimated", [False, True])
@pytest.mark.parametrize("years", [150, pytest.param(1000, marks=pytest.mark.slow)])
def test_years_without_drift_fire_as_often_as_announced(years: int, estimated: bool) -> None:
    rules = Rules(control_z=float(stats.norm.isf(0.0015)))
    n = PEOPLE if estimated else np.full(3, np.inf)
    level = Level(RATE, n, PEOPLE, estimated)
    announced = false_alarms(
        level=level, totals=np.full(12, 850.0), known=1.0, a_year=12, reference=0, smooth=True,
        rules=rules, years=4000, rng=np.random.default_rng(1),
    )  # fmt: skip
    expected = announced.investigate + announced.roll_back
    found = _years(
        years=years, level=level, rules=rules, rng=np.random.default_rng(2), estimated=estimated
    )
    noise = 4 * math.sqrt(2 * expected / years)  # alarms come in runs: twice a Poisson spread
    assert expected > 0.5
    assert found == pytest.approx(expected, abs=max(0.2 * expected, noise if years < 1000 else 0))
