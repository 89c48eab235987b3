"""Bad input in a sentence each, pass marks, weights, several attributes, and the help page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pricing_plans import audit, people, told

from engine.base.problems import Refused
from engine.methods.pricing.settings import METHOD

PAGE = Path(__file__).resolve().parents[4] / "resources" / "help" / "pricing.md"


def some(n: int = 80, **more: Any) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    sex = np.where(np.arange(n) % 2, "F", "M")
    rate = 5 + rng.random(n) + (sex == "F")
    return {"sex": sex, "rate": np.round(rate, 3), **more}


def codes(done: Any) -> set[str]:
    return {w["code"] for w in done.result["warnings"]}


def text_of(done: Any, code: str) -> str:
    return str(next(w["text"] for w in done.result["warnings"] if w["code"] == code))


def test_a_gap_is_worse_in_the_direction_that_was_said(tmp_path: Path) -> None:
    people(tmp_path, some())
    for adverse, worse in (("high", True), ("low", False)):
        done = audit(tmp_path, system={"amount": {"column": "rate", "adverse": adverse}})
        told(done)
        assert done.result["pricing"]["quoted"]["rate"]["worse_off"] is worse
        gap = next(f for f in done.findings["pricing"] if f.code == "pricing.gap")
        assert gap.grade == ("shown" if worse else "note")
    assert done.result["pricing"]["quoted"]["rate"]["gap"]["verdict"] is None


def test_the_median_is_the_median(tmp_path: Path) -> None:
    people(tmp_path, {"sex": list("MMMMFFFF"), "rate": [1, 2, 4, 100, 5, 6, 8, 1000]})
    found = audit(tmp_path).result["pricing"]["quoted"]["rate"]
    assert found["median_gap"]["value"] == 7 - 3
    assert found["gap"]["value"] == pytest.approx(1019 / 4 - 107 / 4)


def test_pass_marks_are_the_auditors(tmp_path: Path) -> None:
    people(tmp_path, some())
    marks = {"largest_gap": 0.2, "largest_relative_gap": 0.9}
    done = audit(tmp_path, methods={"pricing": marks})
    quoted = done.result["pricing"]["quoted"]["rate"]
    assert quoted["gap"]["verdict"] == "outside"
    assert quoted["relative_gap"]["verdict"] == "within"
    grades = {f.grade for f in done.findings["pricing"] if f.code == "pricing.mark"}
    assert grades == {"shown", "ruled out"}
    told(done)


def test_missing_quotes_are_counted_by_group(tmp_path: Path) -> None:
    made = some()
    made["rate"][[1, 3, 5, 4]] = np.nan
    done = audit(people(tmp_path, made))
    assert "4 of 80 people" in text_of(done, "pricing.missing")
    assert "M 1 of 40" in text_of(done, "pricing.missing")
    assert "F 3 of 40" in text_of(done, "pricing.missing")
    assert done.result["pricing"]["quoted"]["rate"]["gap"]["n"] == {
        "unprivileged": 37,
        "privileged": 39,
    }
    assert any(e["cause"] == "no amount" and e["rows"] == 4 for e in done.result["exclusions"])


def test_negative_rates_are_told_and_have_no_logarithm(tmp_path: Path) -> None:
    made = some()
    made["rate"][1] = -2.0
    done = audit(people(tmp_path, made))
    assert "1 of 80 amounts" in text_of(done, "pricing.negative")
    ratio = done.result["pricing"]["quoted"]["rate"]["log_ratio"]
    assert ratio["value"] is None and "1 person" in ratio["reason"]


def test_several_currencies_are_refused(tmp_path: Path) -> None:
    people(tmp_path, some(currency=["EUR"] * 60 + ["USD"] * 20))
    with pytest.raises(Refused, match=r"EUR \(60\) and USD \(20\)"):
        audit(tmp_path, methods={"pricing": {"currency": "currency"}})
    people(tmp_path, some(paid=["€ 100"] * 60 + ["$ 90"] * 20))
    with pytest.raises(Refused, match="several currencies"):
        audit(tmp_path, methods={"pricing": {"actual": "paid"}})
    quoted = {"amount": {"column": "paid", "adverse": "high"}}
    with pytest.raises(Refused, match=r"several currencies \(\$ and €\)"):
        audit(tmp_path, system=quoted)
    people(tmp_path, some(paid=["€ 100"] * 80))
    for change in ({"system": quoted}, {"methods": {"pricing": {"actual": "paid"}}}):
        with pytest.raises(Refused, match=r"with their currency \(€\); write plain numbers"):
            audit(tmp_path, **change)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"actual": "ratee"}, 'did you mean "rate"'),
        ({"quotes": ["ratee"]}, 'did you mean "rate"'),
        ({"actual": "rate", "models": ["linear"]}, 'choose from "linear_regression"'),
        ({"models": ["linear_regression"]}, "learns from real ones"),
        ({"quotes": ["sex"]}, "holds text"),
        ({"quotes": "rate"}, "list of column names"),
    ],
)
def test_refusals_name_the_mend(tmp_path: Path, given: dict[str, Any], says: str) -> None:
    people(tmp_path, some())
    with pytest.raises(Refused) as refused:
        audit(tmp_path, methods={"pricing": given})
    assert says in str(refused.value)
    assert "methods.pricing" in str(refused.value)


def test_nothing_named_is_refused(tmp_path: Path) -> None:
    people(tmp_path, some())
    with pytest.raises(Refused, match="no amount is named"):
        audit(tmp_path, system=None)


def test_one_person_has_no_interval_and_nobody_no_gap(tmp_path: Path) -> None:
    made = some()
    made["sex"] = np.array(["M"] * 78 + ["F", "D"])
    made["rate"][79] = np.nan
    done = audit(people(tmp_path, made))
    groups = done.result["pricing"]["attributes"]["sex"]["groups"]
    alone = groups["F"]["quoted"]["rate"]["gap"]
    assert alone["value"] is not None and alone["low"] is None and "1 person" in alone["note"]
    nobody = groups["D"]["quoted"]["rate"]
    assert nobody["gap"]["value"] is None and "sex D has 0 people" in nobody["gap"]["reason"]
    assert nobody["permutation_p"] is None
    told(done)


def test_a_mean_of_zero_has_no_share(tmp_path: Path) -> None:
    people(tmp_path, {"sex": list("MMMFFF"), "rate": [-1, 0, 1, 2, 3, 4]})
    relative = audit(tmp_path).result["pricing"]["quoted"]["rate"]["relative_gap"]
    assert relative["value"] is None and "is 0" in relative["reason"]


def test_empty_strata_are_listed(tmp_path: Path) -> None:
    made = some(risk=["high" if s == "F" else "low" for s in some()["sex"]])
    done = audit(people(tmp_path, made), methods={"pricing": {"risk": "risk"}})
    part = done.result["pricing"]["quoted"]["rate"]["by_risk_stratum"]
    assert part["empty"] == ["high", "low"] and part["size_weighted"]["value"] is None
    assert any(f.code == "pricing.empty" for f in done.findings["pricing"])
    told(done)


def test_amounts_of_the_approved_alone_are_a_selection(tmp_path: Path) -> None:
    made = some(approved=[0, 1, 1, 1] * 20)
    made["rate"][::4] = np.nan
    done = audit(people(tmp_path, made), outcome={"column": "approved", "favourable": [1]})
    assert "pricing.selected" in codes(done)
    assert done.result["pricing"]["approval_gap"]["value"] == pytest.approx(0.5)
    rows = [r for part in done.sections["pricing"] for t in part.tables for r in t.rows]
    (row,) = (r for r in rows if "Gap of the rates" in r)
    assert "+50.0 points" in row  # a difference of two shares is in points, not in per cent


def test_the_direction_is_asked_where_nobody_said_it(tmp_path: Path) -> None:
    people(tmp_path, some())
    done = audit(tmp_path, system=None, methods={"pricing": {"actual": "rate", "models": []}})
    assert "pricing.adverse_unknown" in codes(done)
    assert done.result["pricing"]["adverse"] is None
    assert done.result["pricing"]["real_gap"]["value"] > 0
    told(done)


@pytest.mark.parametrize("amount", [{"column": "rate"}, {"column": "rate", "adverse": None}])
def test_a_plan_without_a_direction_is_never_judged(
    tmp_path: Path, amount: dict[str, str | None]
) -> None:
    people(tmp_path, some())
    done = audit(tmp_path, system={"amount": amount})
    found = done.result["pricing"]
    assert done.result["plan"]["system"]["amount"] == {"column": "rate", "adverse": None}
    assert found["adverse"] is None and found["quoted"]["rate"]["adverse"] is None
    assert (
        found["quoted"]["rate"]["gap"]["low"] > 0 and found["quoted"]["rate"]["worse_off"] is None
    )
    warning = next(w for w in done.result["warnings"] if w["code"] == "pricing.adverse_unknown")
    assert "“rate”" in warning["text"] and "say which direction is worse" in warning["text"]
    gap = next(f for f in done.findings["pricing"] if f.code == "pricing.gap")
    assert "Not checked who fares worse: say which direction is worse" in gap.sentence
    assert gap.grade == "not checked"
    told(done)


def test_weights_count_people_many_times(tmp_path: Path) -> None:
    made = some(weight=np.tile([1, 2], 40).tolist())
    done = audit(people(tmp_path, made), weight="weight")
    frame = pd.DataFrame(made)
    means = frame.groupby("sex")[["rate", "weight"]].apply(
        lambda g: np.average(g["rate"], weights=g["weight"])
    )
    gap = done.result["pricing"]["quoted"]["rate"]["gap"]
    assert gap["value"] == pytest.approx(means["F"] - means["M"], abs=1e-12)
    assert gap["n"] == {"unprivileged": 40, "privileged": 40}


def test_probable_groups_count_by_their_probability(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    share = np.round(rng.random(60), 3)
    made = some(60, a=share, b=np.round(1 - share, 3))
    protected = [{"name": "origin", "membership": {"A": "a", "B": "b"}, "privileged": ["A"]}]
    done = audit(people(tmp_path, made), protected=protected)
    gap = done.result["pricing"]["quoted"]["rate"]["gap"]
    rate = made["rate"]
    wanted = np.average(rate, weights=made["b"]) - np.average(rate, weights=made["a"])
    assert gap["value"] == pytest.approx(wanted, abs=1e-9)
    assert 0 < done.result["pricing"]["quoted"]["rate"]["permutation_p"] <= 1
    told(done)


def test_a_crossing_that_fares_better_is_no_bad_news(tmp_path: Path) -> None:
    made = some(old=np.tile([0, 0, 1, 1], 20))
    protected = [
        {"column": "sex", "privileged": ["M"]},
        {"column": "old", "privileged": [0]},
    ]
    people(tmp_path, made)
    grades = {}
    for adverse in ("high", "low", None):
        system = {"amount": {"column": "rate", "adverse": adverse}}
        done = audit(tmp_path, system=system, protected=protected)
        crossed = {
            key: part["quoted"]["rate"]["gap"]
            for key, part in done.result["pricing"]["crossed"].items()
        }
        worst = max(crossed.values(), key=lambda gap: abs(gap["value"]))
        assert worst["low"] > 0
        codes_of = {f.code: f.grade for f in done.findings["pricing"]}
        grades[adverse] = codes_of["pricing.crossed"]
    assert grades == {"high": "shown", "low": "note", None: "not checked"}


def test_probable_people_are_drawn_as_often_as_they_are_expected(tmp_path: Path) -> None:
    """People who are so by a half are half as many, not as many people at half the weight."""
    made = some(400, a=np.full(400, 0.5), b=np.full(400, 0.5))
    protected = [{"name": "origin", "membership": {"A": "a", "B": "b"}, "privileged": ["A"]}]
    people(tmp_path, made)
    gap = audit(tmp_path, protected=protected).result["pricing"]["quoted"]["rate"]["gap"]
    rng = np.random.default_rng(4)
    laid = []
    for _ in range(4000):  # people laid into one group each, and the mean gap of those
        here = rng.random(400) < 0.5
        laid.append(made["rate"][here].mean() - made["rate"][~here].mean())
    assert gap["value"] == pytest.approx(0, abs=1e-12)
    assert gap["high"] - gap["low"] == pytest.approx(2 * 1.96 * np.std(laid), rel=0.08)


def test_crossed_groups_are_compared_with_the_privileged_crossing(tmp_path: Path) -> None:
    made = some(old=np.tile([0, 0, 1, 1], 20))
    protected = [
        {"column": "sex", "privileged": ["M"]},
        {"column": "old", "privileged": [0]},
    ]
    done = audit(people(tmp_path, made), protected=protected)
    frame = pd.DataFrame(made).groupby(["sex", "old"])["rate"].mean()
    crossed = done.result["pricing"]["crossed"]
    assert set(crossed) == {"sex=M × old=1", "sex=F × old=0", "sex=F × old=1"}
    gap = crossed["sex=F × old=1"]["quoted"]["rate"]["gap"]["value"]
    assert gap == pytest.approx(frame["F", 1] - frame["M", 0], abs=1e-12)
    told(done)


def test_predicting_leaves_the_protected_out_and_says_how(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    made = some(200, income=rng.random(200), town=rng.choice(["a", "b", "c"], 200))
    made["paid"] = 10 * made["income"] + rng.random(200)
    done = audit(
        people(tmp_path, made),
        system=None,
        features=["income", "town", "sex"],
        methods={
            "pricing": {
                "actual": "paid",
                "adverse": "low",
                "models": ["linear_regression"],
                "refit": True,
                "refits": 50,
            }
        },
    )
    model = done.result["pricing"]["models"]["linear_regression"]
    assert model["features"] == ["income", "town"] and model["how"] == "out of fold"
    quoted = done.result["pricing"]["quoted"]["linear_regression"]
    assert quoted["gap_refitted"]["value"] == quoted["gap"]["value"]
    assert quoted["gap_refitted"]["low"] < quoted["gap"]["value"]
    told(done)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    people(tmp_path, some())
    assert audit(tmp_path).json == audit(tmp_path).json


def test_every_setting_is_explained_with_its_default() -> None:
    part = PAGE.read_text(encoding="utf-8").split("## Settings")[1]
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \| (.+?) \|$", part, re.M)
    page = {name: json.loads(default) for name, default, _ in rows}
    assert page == METHOD.defaults()
    words = {name: text for name, _, text in rows}
    for setting in METHOD.settings:
        for value, _ in setting.choices:
            assert f"`{value}`" in words[setting.name], setting.name


def test_a_direction_taken_over_from_another_column_is_told(tmp_path: Path) -> None:
    people(tmp_path, some(limit=(1e4 / some()["rate"]).round(0)))

    def told_of(**settings: Any) -> list[str]:
        done = audit(tmp_path, methods={"pricing": settings})
        return [
            w["text"] for w in done.result["warnings"] if w["code"] == "pricing.direction_taken"
        ]

    (text,) = told_of(quotes=["limit"])
    assert text.startswith("“limit” is read as “rate” is: a high figure is worse")
    assert told_of(quotes=[{"column": "limit", "adverse": "low"}]) == []
    assert told_of(quotes=["limit"], adverse="high") == [], "said for all of them"
    assert told_of() == []
