"""What is announced, checked from outside: alarms of a thousand years, composition, labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from monitoring_plans import audit, save, told, year
from scipy import stats

from engine.drawing.tables import table_of

RATES = {"M": 0.5, "F": 0.44}
LABELS = [{"column": "sex", "privileged": ["M"], "labels": {"M": "men", "F": "women"}}]


def test_composition_of_the_reference(shared: Path, tmp_path: Path) -> None:
    """The governance block of expected.json: size and p together, by the public road."""
    text = (shared / "cases" / "methods" / "expected.json").read_text(encoding="utf-8")
    right = json.loads(text)["C_paper003"]["governance"]
    rows = [
        (f"2026-0{month}-15", cell[0], cell[1], i % 2)
        for month, counts in enumerate(right["counts"], start=1)
        for cell, n in zip(("FA", "FB", "MA", "MB"), counts, strict=True)
        for i in range(n)
    ]
    frame = pd.DataFrame(rows, columns=["date", "sex", "origin", "ok"])
    frame.insert(0, "id", np.arange(len(frame)))
    protected = [
        {"column": "sex", "privileged": ["M"]}, {"column": "origin", "privileged": ["A"]}
    ]  # fmt: skip
    done = audit(save(tmp_path, frame), protected=protected)
    period = done.result["monitoring"]["periods"]["2026-02"]
    assert period["psi"] == pytest.approx(right["psi"], abs=1e-9)
    wanted = right["chi2"]
    assert period["chi2"] == pytest.approx(wanted["chi2"], abs=1e-9)
    assert period["chi2_df"] == wanted["df"]
    assert period["chi2_p"] == pytest.approx(wanted["p"], rel=1e-9)
    assert period["chi2_min_expected"] == pytest.approx(wanted["min_expected"], abs=1e-9)
    said = next(f for f in done.findings["monitoring"] if f.code == "monitoring.composition")
    assert "0.021" in said.sentence and "read the size first" in said.sentence
    assert said.grade == "note", "a tiny index is no alarm, however small its p"


def _read(good: np.ndarray, people: np.ndarray, z: float) -> np.ndarray:
    """The rules of methods.md C5 for one year, in plain words: 0 none, 1 investigate, 2 roll back."""
    found, run = [], 0
    level = np.array(list(RATES.values()))
    for g, n in zip(good, people, strict=True):
        rate = g / n
        ratio = rate[1] / rate[0]
        run = run + 1 if ratio < 0.8 else 0
        away = np.abs(rate - level) > z * np.sqrt(level * (1 - level) / n)
        share, first = n / n.sum(), np.array([0.5, 0.5])
        index = float(((share - first) * np.log(share / first)).sum())
        look = ratio < 0.8 or away.any() or index > 0.25
        found.append(2 if ratio < 0.6 or run >= 2 else int(look))
    return np.array(found)


def test_a_thousand_years_without_drift_fire_as_often_as_announced(tmp_path: Path) -> None:
    n = 300
    certified = {f"sex={k}": {"rate": r, "ratio": r / 0.5, "people": n} for k, r in RATES.items()}
    frame = year({"M": [0.5] * 12, "F": [0.44] * 12}, n=n)
    done = audit(save(tmp_path, frame), {"certified": certified, "simulated_years": 4000})
    found = done.result["monitoring"]
    announced = found["expected_false_alarms_a_year"]
    assert found["level"]["from"] == "the last certificate" and announced["periods_a_year"] == 12
    rng = np.random.default_rng(99)
    women = rng.random((1000, 12, 2 * n)) < 0.5
    favoured = rng.random(women.shape) < np.where(women, RATES["F"], RATES["M"])
    people = np.stack([(~women).sum(axis=2), women.sum(axis=2)], axis=2).astype(float)
    good = np.stack(
        [(favoured & ~women).sum(axis=2), (favoured & women).sum(axis=2)], axis=2
    ).astype(float)
    z = float(stats.norm.isf(0.0015))
    fired = np.array([_read(g, p, z) for g, p in zip(good, people, strict=True)])
    for word, action in (("investigate", 1), ("roll_back", 2)):
        seen = (fired == action).sum() / 1000
        assert announced[word] > 0.05
        assert seen == pytest.approx(announced[word], rel=0.2), word
    share = (fired > 0).any(axis=1).mean()
    assert share == pytest.approx(announced["share_of_years"], rel=0.2)


@pytest.mark.parametrize("month", [3, 8, 11])
def test_drift_fires_in_the_month_in_which_it_is_planted(tmp_path: Path, month: int) -> None:
    rates = [0.48] * (month - 1) + [0.27] * (13 - month)
    found = audit(save(tmp_path, year({"M": [0.5] * 12, "F": rates}))).result["monitoring"]
    assert found["trigger"]["value"] == "roll back"
    assert found["trigger"]["period"] == f"2026-{month:02d}"
    before = found["order"][: month - 1]
    assert all(found["periods"][p]["trigger"]["value"] == "none" for p in before)


def _everything(done: Any) -> str:
    """All that a person reads: findings, sections, tables, figures, files, warnings."""
    part = "monitoring"
    words = [f.sentence + f.subject for f in done.findings[part]]
    for section in done.sections[part]:
        words += section.paragraphs
        for table in section.tables:
            words += [str(table.columns), str(table.rows), str(table.notes)]
    for chart in done.charts[part]:
        words += [chart.title, chart.sentence, chart.alt, str(table_of(chart))]
    words += [frame.to_csv() for stem, frame in done.tables.items() if stem.startswith(part)]
    words += [w["text"] for w in done.result["warnings"]]
    return "\n".join(words)


def test_groups_are_called_by_their_labels(tmp_path: Path) -> None:
    frame = year({"M": [0.5] * 4, "F": [0.48, 0.48, 0.2, 0.2]}, n=100)
    frame = frame[~((frame.date.str[:7] == "2026-04") & (frame.sex == "F"))]
    levels = {"sex=F": {"rate": 0.48, "ratio": 0.96, "low": 0.9, "high": 1.0}}
    done = audit(save(tmp_path, frame), {"certified": levels}, protected=LABELS)
    told(done)
    found = done.result["monitoring"]
    assert found["cells"] == ["sex=M", "sex=F"] and found["words"]["sex=F"] == "sex women"
    said = _everything(done)
    assert "sex women" in said and "sex men" in said
    assert "sex=" not in said and "sex F" not in said and "sex M" not in said
