"""Periods, planted drift, bad input and the help page, by the public road."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from monitoring_plans import audit, save, told, year
from scipy import stats

from engine.base.problems import Refused
from engine.methods.monitoring.settings import METHOD

PAGE = Path(__file__).resolve().parents[4] / "resources" / "help" / "monitoring.md"
LEVEL = [0.5] * 12


def warned(done: Any, code: str) -> str:
    return str(next(w["text"] for w in done.result["warnings"] if w["code"] == code))


def test_a_planted_drift_fires_in_the_planted_month(tmp_path: Path) -> None:
    frame = year({"M": LEVEL, "F": [0.48] * 6 + [0.25] * 6})
    done = audit(save(tmp_path, frame))
    found = done.result["monitoring"]
    assert found["order"] == [f"2026-{m:02d}" for m in range(1, 13)]
    assert found["trigger"]["value"] == "roll back"
    assert found["trigger"]["period"] == "2026-07"
    assert found["trigger"]["rule"] == "hard floor"
    assert found["trigger"]["cells"] == ["sex=F"]
    assert all(found["periods"][p]["trigger"]["value"] == "none" for p in found["order"][:6])
    told(done)


def test_a_smaller_drift_investigates_and_then_rolls_back(tmp_path: Path) -> None:
    done = audit(save(tmp_path, year({"M": LEVEL, "F": [0.48] * 4 + [0.38] * 8})))
    periods = done.result["monitoring"]["periods"]
    assert periods["2026-05"]["trigger"]["value"] == "investigate"
    assert periods["2026-06"]["trigger"]["value"] == "roll back"
    assert periods["2026-06"]["trigger"]["rule"] == "floor in a run"


def test_a_drift_above_the_floor_leaves_the_control_limits(tmp_path: Path) -> None:
    frame = year({"M": [0.5] * 8 + [0.62] * 4, "F": [0.5] * 8 + [0.62] * 4})
    found = audit(save(tmp_path, frame)).result["monitoring"]
    assert found["trigger"]["value"] == "investigate" and found["trigger"]["period"] == "2026-09"
    assert found["trigger"]["rule"] == "control limits"
    quiet = audit(tmp_path, {"control_limits": False}).result["monitoring"]
    assert quiet["trigger"] == {
        "period": None, "value": "none", "rule": "", "cells": [], "why": [], "notes": []
    }  # fmt: skip


def test_numbers_of_a_period_are_those_of_its_people(tmp_path: Path) -> None:
    frame = year({"M": LEVEL, "F": [0.4] * 12})
    frame = frame.drop(frame[(frame.date.str[:7] == "2026-03") & (frame.sex == "F")].index[::2])
    period = audit(save(tmp_path, frame)).result["monitoring"]["periods"]["2026-03"]
    march = frame[frame.date.str[:7] == "2026-03"]
    cell = period["cells"]["sex=F"]
    rate = march[march.sex == "F"].ok.mean()
    assert cell["rate"]["value"] == pytest.approx(rate)
    assert cell["ratio"]["value"] == pytest.approx(rate / 0.5)
    assert cell["effective_n"] == 200 and period["rows"] == 600
    table = np.array([[400, 400], [400, 200]])
    assert period["chi2_p"] == pytest.approx(stats.chi2_contingency(table, correction=False).pvalue)
    a, e = np.array([400, 200]) / 600, np.array([0.5, 0.5])
    assert period["psi"] == pytest.approx(float(((a - e) * np.log(a / e)).sum()))
    assert period["psi"] == pytest.approx(sum(c["psi"] for c in period["cells"].values()))


def test_dates_in_three_forms_are_read_and_told(tmp_path: Path) -> None:
    frame = year({"M": LEVEL, "F": [0.45] * 12})
    plain = audit(save(tmp_path, frame)).result["monitoring"]["periods"]
    when = pd.to_datetime(frame["date"])
    forms = ["%Y-%m-%d", "%d.%m.%Y", "%d %B %Y"]
    frame["date"] = [d.strftime(forms[i % 3]) for i, d in enumerate(when)]
    done = audit(save(tmp_path, frame))
    assert done.result["monitoring"]["periods"] == plain
    assert "in 3 ways" in warned(done, "monitoring.forms")


@pytest.mark.parametrize(
    ("dates", "settings", "says"),
    [
        (["03/04/2026", "05/04/2026"], {}, "say which"),
        (["03/04/2026", "05/04/2026"], {"date_order": "day first"}, None),
        (["31/04/2026", "04/31/2026"], {}, "day first and"),
        (["31/03/2026", "5 April 2026"], {"date_order": "month first"}, "other order"),
        (["2026-03", "2026-04"], {"period": "day"}, "names no day"),
        (["soon", "later"], {}, "holds 0 dates"),
        (["2026-03-01", "2026-04-01"], {"reference": "sex=X"}, "did you mean"),
        (["2026-03-01", "2026-04-01"], {"period": "file"}, "several files"),
        (["2026-03-01", "2026-04-01"], {"date": None}, "name the column"),
        (["2026-03-01", "2026-04-01"], {"certified": {"sex=Q": {"rate": 0.5}}}, "sex="),
        (["2026-03-01", "2026-04-01"], {"certified": {"sex=F": {"rate": 5}}}, "between 0 and 1"),
        (["2026-03-01", "2026-04-01"], {"certified": [1]}, "for each crossing"),
        (["2026-03-01", "2026-04-01"], {"periods": [{"from": "2026-01-01"}]}, "is a list"),
        (
            ["2026-03-01", "2026-04-01"],
            {
                "periods": [
                    {"name": "a", "from": "2026-03-01", "to": "2026-03-31"},
                    {"name": "b", "from": "2026-03-31", "to": "2026-04-30"},
                ]
            },
            "overlap from 2026-03-31 to 2026-03-31",
        ),
    ],
)
def test_bad_dates_and_periods_are_refused_with_their_mend(
    tmp_path: Path, dates: list[str], settings: dict[str, Any], says: str | None
) -> None:
    frame = pd.DataFrame(
        {"date": dates * 20, "sex": ["M", "M", "F", "F"] * 10, "ok": [1, 0, 1, 1] * 10}
    )
    save(tmp_path, frame)
    if says is None:
        assert audit(tmp_path, settings).result["monitoring"]["order"] == ["2026-04"]
        return
    with pytest.raises(Refused) as refused:
        audit(tmp_path, settings)
    assert says in str(refused.value) and "methods.monitoring" in str(refused.value)


def test_one_file_a_period_and_nothing_counted_twice(tmp_path: Path) -> None:
    frame = year({"M": LEVEL, "F": [0.45] * 12})
    months = frame.date.str[:7]
    first, second = frame[months == "2026-01"], frame[months == "2026-02"]
    save(tmp_path, first, "january.csv")
    save(tmp_path, pd.concat([first.head(10), second]), "february.csv")
    data = {"test": {"path": ["january.csv", "february.csv"]}}
    by_file = audit(tmp_path, {"date": None}, data=data, id="id")
    found = by_file.result["monitoring"]
    assert found["order"] == ["january", "february"]
    assert [found["periods"][p]["rows"] for p in found["order"]] == [800, 800]
    assert "10 rows" in warned(by_file, "monitoring.twice")
    by_date = audit(tmp_path, data=data)
    found = by_date.result["monitoring"]
    assert [found["periods"][p]["rows"] for p in found["order"]] == [800, 800]
    assert "overlap" in warned(by_date, "monitoring.files_overlap")
    assert any(e["cause"] == "counted already" and e["rows"] == 10 for e in by_date.result["exclusions"])  # fmt: skip


def test_nobody_counts_twice_whatever_overlaps(tmp_path: Path) -> None:
    frame = year({"M": LEVEL[:3], "F": [0.45] * 3}, n=100)
    months = frame.date.str[:7]
    first, second = frame[months <= "2026-02"], frame[months >= "2026-02"].copy()
    second.loc[second.index[:10], "ok"] = 1 - second.loc[second.index[:10], "ok"]
    save(tmp_path, first, "a.csv")
    save(tmp_path, second, "b.csv")
    data = {"test": {"path": ["a.csv", "b.csv"]}}

    def rows(done: Any) -> list[int]:
        part = done.result["monitoring"]
        return [part["periods"][p]["rows"] for p in part["order"]]

    dated = audit(tmp_path, data=data, id="id")
    assert rows(dated) == [200, 200, 200]
    assert "10 rows" in warned(dated, "monitoring.changed")
    assert sum(e["rows"] for e in dated.result["exclusions"] if e["cause"] == "counted already") == 200  # fmt: skip
    by_file = audit(tmp_path, {"date": None}, data=data, id="id")
    assert rows(by_file) == [400, 210] and "10 rows" in warned(by_file, "monitoring.again")
    bare = frame.drop(columns="id")
    save(tmp_path, bare[months <= "2026-02"], "a.csv")
    save(tmp_path, bare[months >= "2026-02"], "b.csv")
    assert rows(audit(tmp_path, data=data)) == [200, 200, 200], "as many alike as one file has"
    nothing = audit(tmp_path, {"date": None}, data=data)
    assert rows(nothing) == [400, 400] and warned(nothing, "monitoring.alike_files")
    save(tmp_path, pd.concat([frame, frame.head(7)]))
    again = audit(tmp_path, id="id")
    assert rows(again) == [200, 200, 200] and "7 rows" in warned(again, "monitoring.copied")


def test_periods_without_a_group_or_anybody_are_listed(tmp_path: Path) -> None:
    frame = year({"M": LEVEL, "F": [0.3] * 12})
    months = frame.date.str[:7]
    frame = frame[(months != "2026-05") & ~((months == "2026-03") & (frame.sex == "F"))]
    done = audit(save(tmp_path, frame))
    found = done.result["monitoring"]
    assert found["periods"]["2026-05"]["rows"] == 0
    assert "2026-05: 0 people" in warned(done, "monitoring.empty_period")
    assert "sex F" in warned(done, "monitoring.no_group")
    march = found["periods"]["2026-03"]
    assert march["cells"]["sex=F"]["rate"]["value"] is None
    assert "0 people" in march["cells"]["sex=F"]["ratio"]["reason"]
    assert march["psi_smoothing"] == "half a person"
    assert march["trigger"]["notes"] and "run of 2" in march["trigger"]["notes"][0]
    frame.loc[frame.date.str[:7] == "2026-04", "sex"] = ""
    unknown = audit(save(tmp_path, frame))
    said = warned(unknown, "monitoring.groupless_period")
    assert said.startswith("2026-04: 800 people, and the group of none is known")
    assert "2026-04" not in warned(unknown, "monitoring.empty_period")
    none = audit(tmp_path, {"psi_smoothing": "none"}).result["monitoring"]
    assert none["periods"]["2026-03"]["psi"] is None and none["periods"]["2026-03"]["psi_reason"]
    told(done)


def test_a_watch_that_sees_nobody_says_so(tmp_path: Path) -> None:
    """Small crossings fire nothing: that is no good news, and never silent."""
    frame = year({"M": [0.6] * 12, "F": [0.1] * 12}, n=30)
    done = audit(save(tmp_path, frame), {"simulated_years": 100})
    grades = {f.code: f.grade for f in done.findings["monitoring"]}
    assert grades["monitoring.blind"] == "not checked"
    assert "monitoring.quiet" not in grades
    assert "sex F in 0 of 12" in warned(done, "monitoring.seldom")
    told(done)
    more = pd.concat([frame, frame[frame.date.str[:7] < "2026-07"]])
    more["id"] = np.arange(len(more))
    done = audit(save(tmp_path, more), {"simulated_years": 100, "hard_floor": 0, "floor": 0.05})
    grades = {f.code: f.grade for f in done.findings["monitoring"]}
    assert "monitoring.blind" not in grades and grades["monitoring.seldom"] == "not checked"
    assert "sex F in 6 of 12" in warned(done, "monitoring.seldom")
    assert grades.get("monitoring.quiet") != "ruled out"
    with pytest.raises(Refused, match=r"hard floor 0.90 lies above the floor 0.50"):
        audit(tmp_path, {"hard_floor": 0.9, "floor": 0.5})


def test_people_without_a_date_or_a_group_are_counted(tmp_path: Path) -> None:
    frame = year({"M": LEVEL, "F": [0.45] * 12})
    frame.loc[0:2, "date"] = ["", "", "soon"]
    frame.loc[3:6, "sex"] = ""
    done = audit(save(tmp_path, frame))
    causes = {e["cause"]: e["rows"] for e in done.result["exclusions"]}
    assert causes["blank date"] == 2 and causes["no date"] == 1 and causes["no group"] == 4


def test_against_the_last_certificate(tmp_path: Path) -> None:
    save(tmp_path, year({"M": LEVEL, "F": [0.48] * 6 + [0.30] * 6}))
    levels = {
        "sex=M": {"rate": 0.5, "ratio": 1.0, "n": 4000},
        "sex=F": {"rate": 0.48, "ratio": 0.96, "low": 0.9, "high": 1.02, "n": 4000},
    }
    done = audit(tmp_path, {"certified": levels, "certificate": "EAO-1"})
    found = done.result["monitoring"]
    assert found["level"]["from"] == "the last certificate"
    part = found["against_last_certificate"]
    assert part["period"] == "2026-12" and part["verdict"] == "outside"
    change = part["cells"]["sex=F"]["change"]
    assert change["value"] == pytest.approx(0.6 - 0.96) and change["high"] < 0
    told(done)


def test_scores_and_calibration_drift(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    frame = year({"M": LEVEL, "F": [0.48] * 12})
    late = frame.date.str[:7] >= "2026-09"
    chance = rng.beta(2, 2, len(frame)).round(4)
    frame["score"] = np.where(late, np.minimum(1, chance + 0.15), chance)
    frame["paid"] = (rng.random(len(frame)) < chance).astype(int)
    done = audit(
        save(tmp_path, frame),
        outcome={"column": "paid", "favourable": [1]},
        system={
            "prediction": {"column": "ok", "favourable": [1]},
            "score": {"column": "score"},
        },
    )
    periods = done.result["monitoring"]["periods"]
    september, march = periods["2026-09"], periods["2026-03"]
    assert september["score_drift"]["change"]["low"] > 0.05
    assert september["score_drift"]["psi"] > march["score_drift"]["psi"]
    assert september["calibration"]["offset"]["low"] > 0.05
    assert march["calibration"]["offset"]["low"] < 0 < march["calibration"]["offset"]["high"]
    told(done)


def test_crossed_and_probable_groups_and_weights(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    frame = year({"M": LEVEL, "F": [0.45] * 12})
    frame["a"] = rng.random(len(frame)).round(4)
    frame["b"] = (1 - frame["a"]).round(4)
    frame["w"] = rng.uniform(0.5, 2, len(frame)).round(3)
    protected = [
        {"column": "sex", "privileged": ["M"]},
        {"name": "origin", "membership": {"A": "a", "B": "b"}, "privileged": ["A"]},
    ]
    done = audit(save(tmp_path, frame), protected=protected, weight="w")
    found = done.result["monitoring"]
    assert found["cells"][0] == "sex=M × origin=A" and len(found["cells"]) == 4
    march = frame[frame.date.str[:7] == "2026-03"]
    mine = march[march.sex == "F"]
    wanted = np.average(mine.ok, weights=mine.w * mine.b)
    cell = found["periods"]["2026-03"]["cells"]["sex=F × origin=B"]
    assert cell["rate"]["value"] == pytest.approx(wanted, abs=1e-9)
    kish = (mine.w * mine.b).sum() ** 2 / ((mine.w * mine.b) ** 2).sum()
    assert cell["effective_n"] == pytest.approx(kish)
    alone = audit(tmp_path, {"cross": False, "attribute": "sex"}, protected=protected)
    assert alone.result["monitoring"]["cells"] == ["sex=M", "sex=F"]
    told(done)


def _weighted_error(values: np.ndarray, weight: np.ndarray) -> float:
    share = weight / weight.sum()
    size = 1 / (share**2).sum()
    mean = (share * values).sum()
    return float(np.sqrt((share**2 * (values - mean) ** 2).sum() * size / (size - 1)))


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("scale", [1 / 5000, 40.0])
def test_scores_and_composition_count_by_weight_and_probability(
    tmp_path: Path, soft: bool, scale: float
) -> None:
    """Weights of any scale enter every number; nobody is put into the likeliest group."""
    rng = np.random.default_rng(11)
    frame = year({"M": LEVEL, "F": [0.45] * 12})
    frame["a"] = rng.beta(1, 1, len(frame)).round(4)
    frame["b"] = (1 - frame["a"]).round(4)
    frame["w"] = rng.gamma(2, 1, len(frame)) * np.where(frame.sex == "F", 3, 1)
    frame["p"] = np.clip(rng.beta(3, 3, len(frame)) + 0.2 * (frame["b"] - 0.5), 0, 1).round(4)
    frame["y"] = (rng.random(len(frame)) < frame["p"]).astype(int)
    frame["w"] *= scale
    protected = [{"column": "sex", "privileged": ["M"]}]
    if soft:
        protected = [{"name": "origin", "membership": {"A": "a", "B": "b"}, "privileged": ["A"]}]
    done = audit(
        save(tmp_path, frame),
        {"reference": "overall", "simulated_years": 100},
        protected=protected,
        weight="w",
        outcome={"column": "y", "favourable": [1]},
        system={
            "prediction": {"column": "ok", "favourable": [1]},
            "score": {"column": "p", "high_is": "favourable"},
        },
    )
    months = [frame[frame.date.str[:7] == name] for name in ("2026-01", "2026-04")]
    part = done.result["monitoring"]["periods"]["2026-04"]
    key = "origin=B" if soft else "sex=F"

    def share(month: pd.DataFrame) -> np.ndarray:
        return (month.w * (month.b if soft else month.sex == "F")).to_numpy()

    cell, april = part["cells"][key], months[1]
    means = [np.average(m.p, weights=share(m)) for m in months]
    change = cell["score_change"]
    assert change["value"] == pytest.approx(means[1] - means[0], abs=1e-9)
    half = 1.959964 * np.hypot(*(_weighted_error(m.p.to_numpy(), share(m)) for m in months))
    assert change["high"] - change["value"] == pytest.approx(half, rel=1e-5)
    offset = np.average(april.p - april.y, weights=share(april))
    assert cell["calibration"]["offset"]["value"] == pytest.approx(offset, abs=1e-9)
    whole = [np.average(m.p, weights=m.w) for m in months]
    assert part["score_drift"]["change"]["value"] == pytest.approx(whole[1] - whole[0], abs=1e-9)
    shares = [share(m).sum() / m.w.sum() for m in months]
    now, then = ([s, 1 - s] for s in (shares[1], shares[0]))
    psi = sum((a - e) * np.log(a / e) for a, e in zip(now, then, strict=True))
    assert part["psi"] == pytest.approx(psi, abs=1e-12)
    worth = [m.w.sum() ** 2 / (m.w**2).sum() for m in months]
    table = [[w * part for part in s] for w, s in zip(worth, (then, now), strict=True)]
    assert part["chi2"] == pytest.approx(stats.chi2_contingency(table, correction=False)[0])
    ratio = np.average(april.ok, weights=share(april)) / np.average(april.ok, weights=april.w)
    assert cell["ratio"]["value"] == pytest.approx(ratio, abs=1e-9)
    told(done)


@pytest.mark.parametrize(
    ("period", "first", "n"),
    [("day", "2026-01-01", 362), ("week", "2026-W01", 53), ("quarter", "2026-Q1", 4), ("year", "2026", 1)],
)  # fmt: skip
def test_lengths_of_periods(tmp_path: Path, period: str, first: str, n: int) -> None:
    save(tmp_path, year({"M": LEVEL, "F": [0.45] * 12}))
    found = audit(tmp_path, {"period": period, "simulated_years": 100}).result["monitoring"]
    assert found["order"][0] == first and len(found["order"]) == n


def test_every_setting_is_explained_with_its_default() -> None:
    part = PAGE.read_text(encoding="utf-8").split("## Settings")[1]
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \| (.+?) \|$", part, re.M)
    page = {name: json.loads(default) for name, default, _ in rows}
    assert page == METHOD.defaults()
    words = {name: text for name, _, text in rows}
    for setting in METHOD.settings:
        for value, _ in setting.choices:
            assert f"`{value}`" in words[setting.name], setting.name
