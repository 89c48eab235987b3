"""Crossed groups against the cases, the paper's listing and fairlearn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.base.watch import Watch
from engine.drawing.tables import table_of
from engine.fairness.tests import katz
from engine.methods.intersection.compute import compute
from engine.methods.intersection.figures import figures
from engine.methods.intersection.findings import findings, sections
from engine.methods.intersection.settings import METHOD
from tests.engine import helpers


def cross(people: Any, asked: Any = None, **changes: Any) -> dict[str, Any]:
    asked = asked or helpers.plan(people.attributes)
    done = compute(
        cohort=people, plan=asked, settings={**METHOD.defaults(), **changes}, watch=Watch()
    )
    canonical_json(done.result)
    told = findings(result=done.result, plan=asked)
    assert all(f.sentence and "nan" not in f.sentence.lower() for f in told)
    assert sections(result=done.result, plan=asked)
    for chart in figures(result=done.result, tables=done.tables):
        assert chart.sentence and table_of(chart).rows
    return done.result


def from_table(table: pd.DataFrame, decision: str, **privileged: str) -> Any:
    attributes = []
    for column, first in privileged.items():
        rest = [str(v) for v in pd.unique(table[column].dropna()) if str(v) != first]
        attributes.append(helpers.attribute(column, first, *rest))
    groups = {a.name: table[a.name] for a in attributes}
    people = helpers.sample("test", attributes, groups, decision=table[decision])
    return helpers.cohort(attributes, test=people)


def test_c04_empty_cell_is_listed_and_not_tested(shared: Path) -> None:
    table = pd.read_csv(shared / "cases/C04.csv")
    people = from_table(table, "hired", sex="M", ethnicity="X")
    # the case has Y only among men: the group F-Y must come from the attributes, not the rows
    found = cross(people, minimum_effective_n=20)
    cells = found["cells"]
    assert list(cells) == [
        "sex=M × ethnicity=X",
        "sex=M × ethnicity=Y",
        "sex=F × ethnicity=X",
        "sex=F × ethnicity=Y",
    ]
    empty = cells["sex=F × ethnicity=Y"]
    assert (empty["rows"], empty["rate"]["value"], empty["flag"]) == (0, None, "INSUFFICIENT")
    assert "0 people, not tested" in empty["flag_reason"]
    assert found["reference"] == "sex=M × ethnicity=X"
    assert cells["sex=M × ethnicity=Y"]["ratio"]["value"] == pytest.approx(0.833333, abs=1e-6)
    assert cells["sex=F × ethnicity=X"]["ratio"]["value"] == pytest.approx(0.666667, abs=1e-6)
    tests = {t["cell"]: t for t in found["tests"]["against_reference"]}
    assert tests["sex=F × ethnicity=X"]["p"] == pytest.approx(0.343067, abs=1e-4)
    assert tests["sex=M × ethnicity=Y"]["p"] == pytest.approx(0.751186, abs=1e-4)
    assert tests["sex=F × ethnicity=X"]["p_adjusted"] == pytest.approx(2 * 0.343067, abs=1e-4)
    margins = found["margins"]
    assert margins["sex"]["F"]["ratio_to_highest"] == pytest.approx(0.727273, abs=1e-6)
    assert margins["ethnicity"]["Y"]["ratio_to_highest"] == 1.0
    # with the default gate nobody is judged, and the sentence names why
    shy = cross(people)
    assert shy["reference"] is None
    assert {c["flag"] for c in shy["cells"].values()} == {"INSUFFICIENT"}
    assert "20 people count here, fewer than the 50" in str(shy["cells"])


def test_c07_long_names_stay_apart(shared: Path) -> None:
    table = pd.read_csv(shared / "cases/C07.csv")
    none = next(v for v in table["disability"].unique() if v.startswith("None"))
    alone = cross(from_table(table, "approved", disability=none), minimum_effective_n=10)
    ratios = {k[-8:]: c["ratio"]["value"] for k, c in alone["cells"].items()}
    assert sorted(ratios.values()) == pytest.approx([0.25, 0.75, 1.0])
    crossed = cross(from_table(table, "approved", disability=none, sex="M"), minimum_effective_n=5)
    assert [c["rows"] for c in crossed["cells"].values()] == [5] * 6
    rates = sorted(c["rate"]["value"] for c in crossed["cells"].values())
    assert rates == pytest.approx([0.2, 0.2, 0.6, 0.6, 0.8, 0.8])


def hiring(shared: Path, decision: str) -> Any:
    table = pd.read_csv(shared / "cases/methods/c_hiring.csv")
    names = ["M-A", "M-B", "F-A", "F-B"]
    one = helpers.attribute("cell", *names, soft=True)
    shares = table[[f"p_{n}" for n in names]].to_numpy(float)
    people = helpers.sample(
        "test", [one], {}, decision=table[decision], membership={"cell": shares}
    )
    return helpers.cohort([one], test=people)


LISTING = {
    "baseline": "reco_baseline",
    "reweighed_paper": "reco_reweighed_seed",
    "reweighed_paper_no_referral": "reco_reweighed_seed_no_referral",
    "reweighed_kc": "reco_reweighed_kc",
    "reweighed_kc_no_referral": "reco_reweighed_kc_no_referral",
    "no_referral_only": "reco_no_referral_only",
}


@pytest.mark.parametrize("config", LISTING)
def test_the_papers_listing_to_its_printed_digits(shared: Path, config: str) -> None:
    right = json.loads((shared / "cases/methods/expected.json").read_text())
    right = right["C_paper003"]["hiring"]["configs"][config]
    found = cross(hiring(shared, LISTING[config]))
    for name, exact in right["unrounded"].items():
        cell = found["cells"][f"cell={name}"]
        assert cell["effective_n"] == pytest.approx(exact["n_eff"], abs=1e-9)
        assert cell["kish_n"] == pytest.approx(exact["kish_n"], abs=1e-9)
        assert cell["rate"]["value"] == pytest.approx(exact["rate"], abs=1e-9)
        assert cell["ratio"]["value"] == pytest.approx(exact["di"], abs=1e-9)
        printed = right["paper_rounding"][name]
        assert cell["as_published"] == {
            "rate": printed["rate"],
            "ratio": printed["di"],
            "flag": printed["flag"],
        }
        assert cell["bounds"]["low"] <= cell["rate"]["value"] <= cell["bounds"]["high"]
        assert 0 < cell["imputed_share"] < 0.5


def test_the_papers_ok_at_0_8151_is_not_settled_and_nobody_is_doubly_disadvantaged(
    shared: Path,
) -> None:
    people = hiring(shared, "reco_reweighed_seed_no_referral")
    found = cross(people)
    cells = found["cells"]
    assert cells["cell=F-A"]["as_published"]["flag"] == "OK"
    assert cells["cell=F-A"]["flag"] == "UNDECIDED"
    pair = next(
        t for t in found["tests"]["pairs"] if {t["cell"], t["other"]} == {"cell=F-A", "cell=F-B"}
    )
    assert pair["p_adjusted"] > 0.2
    told = findings(result=found, plan=helpers.plan(people.attributes))
    assert any(f.code == "intersection.published" for f in told)


def test_doubt_about_membership_widens_the_interval(shared: Path) -> None:
    soft = hiring(shared, "reco_baseline")
    # the same people with each laid into a group by the very probabilities, as facts
    shares = soft.test.membership["cell"]
    rng = np.random.default_rng(0)
    drawn = np.array([rng.choice(4, p=p) for p in shares])
    one = helpers.attribute("cell", "M-A", "M-B", "F-A", "F-B")
    people = helpers.sample(
        "test",
        [one],
        {"cell": np.array(["M-A", "M-B", "F-A", "F-B"])[drawn]},
        decision=soft.test.decision,
    )
    asked = helpers.plan([one], resamples=4000)
    hard = cross(helpers.cohort([one], test=people), asked)["cells"]
    loose = cross(soft, asked)["cells"]
    wider = [
        (loose[k]["rate"]["high"] - loose[k]["rate"]["low"])
        / (hard[k]["rate"]["high"] - hard[k]["rate"]["low"])
        for k in hard
    ]
    assert np.mean(wider) > 1.0
    assert hard["cell=M-A"]["bounds"]["low"] == hard["cell=M-A"]["rate"]["value"]


def test_the_spread_of_membership_enters_the_interval_in_full() -> None:
    """Law of total variance: r (1 - r) / (N q) within a draw, and (1 - q) of that between draws."""
    n, q, r = 4000, 0.4, 0.3
    one = helpers.attribute("g", "a", "b", soft=True)
    shares = np.tile([q, 1 - q], (n, 1))
    decided = np.arange(n) < r * n
    people = helpers.sample("test", [one], {}, decision=decided, membership={"g": shares})
    asked = helpers.plan([one], resamples=4000)
    cells = cross(helpers.cohort([one], test=people), asked, membership_draws=1000)["cells"]
    for key, share in (("g=a", q), ("g=b", 1 - q)):
        rate = cells[key]["rate"]
        assert rate["value"] == pytest.approx(r)
        spread = (r * (1 - r) / (n * share) * (2 - share)) ** 0.5
        assert rate["high"] - rate["low"] == pytest.approx(2 * 1.96 * spread, rel=0.08)
        alone = (r * (1 - r) / (n * share)) ** 0.5
        assert rate["high"] - rate["low"] > 2 * 1.96 * alone * 1.1


def test_true_cells_have_the_interval_and_test_of_the_reference(shared: Path) -> None:
    right = json.loads((shared / "cases/methods/expected.json").read_text())["C_paper003"]["hiring"]
    table = pd.read_csv(shared / "cases/methods/c_hiring.csv")
    people = from_table(table, "reco_reweighed_seed_no_referral", true_cell="M-A")
    found = cross(people, helpers.plan(people.attributes, resamples=20_000))
    for name, key in (("F-A", "FA_over_MA_true_cells_ci"), ("F-B", "FB_over_MA_true_cells_ci")):
        ratio = found["cells"][f"true_cell={name}"]["ratio"]
        assert [ratio["low"], ratio["high"]] == pytest.approx(right[key], abs=0.02)
    pair = (
        next(t for t in found["tests"]["pairs"] if "F-A" in t["cell"] and "F-B" in t["other"])
        if any("F-A" in t["cell"] and "F-B" in t["other"] for t in found["tests"]["pairs"])
        else next(t for t in found["tests"]["pairs"] if "F-B" in t["cell"] and "F-A" in t["other"])
    )
    assert pair["p"] == pytest.approx(right["FA_vs_FB_true_cells"]["fisher_p"], abs=1e-4)
    ends = right["FA_vs_FB_true_cells"]["two_prop"]["ci"]
    assert sorted(abs(x) for x in (pair["low"], pair["high"])) == pytest.approx(
        sorted(abs(x) for x in ends), abs=1e-4
    )


def test_adult_crossed(shared: Path) -> None:
    right = json.loads((shared / "cases/methods/expected.json").read_text())
    right = right["E_real_data"]["adult_intersectional"]
    table = pd.read_csv(shared / "cases/methods/e_adult_rf_test.csv")
    table["sex"] = table["male"].map({1: "M", 0: "F"})
    table["race"] = table["white"].map({1: "W", 0: "N"})
    found = cross(from_table(table, "pred", sex="M", race="W"))
    for key, exact in right.items():
        sex, race = key.split("-")
        cell = found["cells"][f"sex={sex} × race={race}"]
        assert cell["rate"]["value"] == pytest.approx(exact["rate"], abs=1e-9)
        assert cell["ratio"]["value"] == pytest.approx(exact["di"], abs=1e-9)
        assert cell["as_published"]["flag"] == exact["flag"]
        low_high = katz(
            favourable=(cell["favourable"], found["cells"]["sex=M × race=W"]["favourable"]),
            n=(cell["rows"], 4334),
            confidence=0.95,
        )
        if key != "M-W":
            assert [cell["ratio"]["low"], cell["ratio"]["high"]] == pytest.approx(
                low_high, abs=0.03
            )


def test_rates_equal_fairlearns() -> None:
    metrics = pytest.importorskip("fairlearn.metrics")
    rng = np.random.default_rng(2)
    n = 3000
    table = pd.DataFrame(
        {
            "a": rng.choice(list("pqr"), n),
            "b": rng.choice(list("xy"), n),
            "d": rng.integers(0, 2, n),
        }
    )
    frame = metrics.MetricFrame(
        metrics=metrics.selection_rate,
        y_true=table["d"],
        y_pred=table["d"],
        sensitive_features=table[["a", "b"]],
    )
    found = cross(from_table(table, "d", a="p", b="x"))["cells"]
    for (a, b), rate in frame.by_group.items():
        assert found[f"a={a} × b={b}"]["rate"]["value"] == pytest.approx(rate, abs=1e-12)


def test_blanks_give_bounds_and_weights_kish(shared: Path) -> None:
    one = helpers.attribute("race", "W", "B")
    groups = {"race": ["W"] * 10 + ["B"] * 10 + [None] * 10}
    decided = [1] * 6 + [0] * 4 + [1] * 4 + [0] * 6 + [1] * 9 + [0]
    people = helpers.sample("test", [one], groups, decision=decided)
    found = cross(helpers.cohort([one], test=people), minimum_effective_n=5)["cells"]["race=B"]
    assert found["rate"]["value"] == 0.4
    assert found["bounds"] == {"low": 4 / 11, "high": 13 / 19}
    weight = [2.0] * 5 + [1.0] * 25
    people = helpers.sample("test", [one], groups, decision=decided, weight=weight)
    cell = cross(helpers.cohort([one], test=people), minimum_effective_n=5)["cells"]["race=W"]
    assert (cell["rows"], cell["effective_n"]) == (10, 15.0)
    assert cell["kish_n"] == pytest.approx(225 / 25)
    assert cell["rate"]["value"] == pytest.approx(11 / 15)
    # by weight: 10 in all of 5 x 2 and 1 favourable, 4 not; 10 blanks of weight 1, 9 of them good
    assert cell["bounds"]["low"] == pytest.approx(11 / (15 + 1))
    assert cell["bounds"]["high"] == pytest.approx((11 + 9) / (15 + 9))


@pytest.mark.parametrize("scale", [1 / 4000, 1.0, 300.0])
def test_the_scale_of_weights_judges_nobody(scale: float) -> None:
    """Survey weights may sum to 1 or to a country: only Kish's size says how many people count."""
    rng = np.random.default_rng(8)
    one = helpers.attribute("g", "a", "b", "c")
    groups = {"g": ["a"] * 400 + ["b"] * 300 + ["c"] * 60}
    weight = rng.gamma(2.0, 1.0, 760)
    weight[700:] = rng.gamma(0.2, 1.0, 60)
    decided = (rng.random(760) < 0.5).astype(int).tolist()
    people = helpers.sample(
        "test", [one], groups, decision=decided, weight=(weight * scale).tolist()
    )
    found = cross(helpers.cohort([one], test=people))
    kish = {
        key: weight[place].sum() ** 2 / (weight[place] ** 2).sum()
        for key, place in (("a", slice(0, 400)), ("b", slice(400, 700)), ("c", slice(700, 760)))
    }
    assert min(kish["a"], kish["b"]) > 50 > kish["c"]
    for key, size in kish.items():
        cell = found["cells"][f"g={key}"]
        assert cell["judged_n"] == pytest.approx(size)
        assert (cell["flag"] == "INSUFFICIENT") == (size < 50)
    assert found["reference"] in ("g=a", "g=b")


def test_probable_and_weighted_people_are_judged_by_those_expected() -> None:
    rng = np.random.default_rng(9)
    one = helpers.attribute("g", "a", "b", soft=True)
    chance = np.column_stack([np.full(80, 0.25), np.full(80, 0.75)])
    decided = (rng.random(80) < 0.5).astype(int).tolist()
    for weight in (None, [3.0] * 80):
        people = helpers.sample(
            "test", [one], {}, decision=decided, weight=weight, membership={"g": chance}
        )
        cells = cross(helpers.cohort([one], test=people))["cells"]
        assert cells["g=a"]["judged_n"] == pytest.approx(20), "80 people who are so by a quarter"
        assert cells["g=a"]["flag"] == "INSUFFICIENT" and cells["g=b"]["flag"] != "INSUFFICIENT"


def test_reference_can_be_chosen_and_zero_has_no_ratio() -> None:
    one = helpers.attribute("g", "a", "b")
    groups = {"g": ["a"] * 60 + ["b"] * 60}
    people = helpers.cohort(
        [one], test=helpers.sample("test", [one], groups, decision=[0] * 60 + [1] * 30 + [0] * 30)
    )
    found = cross(people, reference="g=a")
    assert found["cells"]["g=b"]["ratio"]["value"] is None
    assert "0 favourable among 60 people" in found["cells"]["g=b"]["ratio"]["reason"]
    assert cross(people, reference="overall")["cells"]["g=b"]["ratio"]["value"] == 2.0
    assert cross(people)["cells"]["g=a"]["flag"] == "FLAGGED"
    with pytest.raises(Refused, match='did you mean "g=b"'):
        cross(people, reference="g=bb")


def test_a_small_reference_is_told_and_tests_take_the_plans_confidence() -> None:
    one = helpers.attribute("g", "a", "b")
    groups = {"g": ["a"] * 12 + ["b"] * 80}
    people = helpers.cohort(
        [one], test=helpers.sample("test", [one], groups, decision=([1, 0] * 46))
    )
    done = compute(
        cohort=people,
        plan=helpers.plan([one]),
        settings={**METHOD.defaults(), "reference": "g=a"},
        watch=Watch(),
    )
    said = next(w["text"] for w in done.warnings if w["code"] == "intersection.small_reference")
    assert "g a is small: 12 people count here, fewer than the 50" in said
    wide, narrow = (
        cross(people, helpers.plan([one], confidence=c), minimum_effective_n=5)["tests"]["pairs"][0]
        for c in (0.99, 0.8)
    )
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]


def test_the_map_is_to_scale(shared: Path) -> None:
    """A cell's area is to the largest one's as their effective numbers."""
    found = cross(hiring(shared, "reco_baseline"))
    grid = figures(result=found, tables={})[0]
    sizes = [cell.size for line in grid.cells for cell in line]
    n = np.array([c["effective_n"] for c in found["cells"].values()])
    assert sizes == pytest.approx(n / n.max())


def test_nobody_is_known() -> None:
    one = helpers.attribute("g", "a", "b", soft=True)
    people = helpers.sample(
        "test", [one], {}, decision=[1, 0, 1], membership={"g": np.zeros((3, 2))}
    )
    found = cross(helpers.cohort([one], test=people))
    assert found["reference"] is None
    assert [c["rows"] for c in found["cells"].values()] == [0, 0]
    assert found["cells"]["g=a"]["bounds"] == {"low": 0.0, "high": 1.0}
    with pytest.raises(Refused, match="crossed groups need decisions or recorded outcomes"):
        cross(
            helpers.cohort(
                [one], test=helpers.sample("test", [one], {}, membership={"g": np.zeros((3, 2))})
            )
        )


def test_small_crossings_are_left_out_only_with_a_reason() -> None:
    one = helpers.attribute("g", "a", "b", "c")
    groups = {"g": ["a"] * 100 + ["b"] * 100 + ["c"] * 3}
    decided = ([1, 0] * 102)[:203]
    people = helpers.cohort([one], test=helpers.sample("test", [one], groups, decision=decided))
    found = cross(
        people, left_out={"g=c": "3 people only, coded by mistake"}, minimum_effective_n=1
    )
    assert found["cells"]["g=c"]["flag"] == "INSUFFICIENT"
    assert "coded by mistake" in found["cells"]["g=c"]["flag_reason"]
    for wrong, words in (
        ({"g=c": " "}, "without a reason"),
        ({"g=b": "why not"}, "holds 49.3 %"),
        ({"g=z": "x"}, "is not a crossing"),
    ):
        with pytest.raises(Refused, match=words):
            cross(people, left_out=wrong)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_table_gives_a_result(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 30))
    attributes = [helpers.attribute("a", "p", "q"), helpers.attribute("b", "x", "y", "z")]
    groups = {
        "a": data.draw(st.lists(st.sampled_from(["p", "q", None, "left"]), min_size=n, max_size=n)),
        "b": data.draw(st.lists(st.sampled_from(["x", "y", "z", None]), min_size=n, max_size=n)),
    }
    decided = data.draw(st.lists(st.sampled_from([0, 1, None]), min_size=n, max_size=n))
    people = helpers.sample("test", attributes, groups, decision=decided)
    found = cross(
        helpers.cohort(attributes, test=people),
        helpers.plan(attributes, resamples=50),
        minimum_effective_n=1,
    )
    table = pd.DataFrame({**groups, "d": decided}).dropna()
    table = table[table["a"].isin(["p", "q"])]
    for cell in found["cells"].values():
        mine = table[(table["a"] == cell["groups"]["a"]) & (table["b"] == cell["groups"]["b"])]
        assert cell["rows"] == len(mine)
        if len(mine):
            assert cell["rate"]["value"] == pytest.approx(float(mine["d"].mean()))
        assert 0 <= (cell["bounds"]["low"] or 0) <= (cell["bounds"]["high"] or 0) + 1e-9 <= 1 + 1e-9


def test_the_help_page_lists_the_settings() -> None:
    page = Path(__file__).resolve().parents[4] / "resources/help/intersection.md"
    rows = [r.split("|") for r in page.read_text().splitlines() if r.startswith("| `")]
    told = {r[1].strip(" `"): r[2].strip(" `") for r in rows}
    assert told == {s.name: json.dumps(s.default) for s in METHOD.settings}


def test_intervals_of_ratios_cover_the_truth() -> None:
    """Nominal 95 %, against a reference that is fixed beforehand."""
    rng = np.random.default_rng(9)
    one = helpers.attribute("g", "a", "b", "c")
    truth = {"a": 0.5, "b": 0.35, "c": 0.2}
    inside = total = 0
    for _ in range(150):
        groups = rng.choice(list("abc"), 600)
        decided = (rng.random(600) < np.vectorize(truth.get)(groups)).astype(int)
        people = helpers.sample("test", [one], {"g": groups}, decision=decided)
        asked = helpers.plan([one], resamples=400)
        done = compute(
            cohort=helpers.cohort([one], test=people),
            plan=asked,
            settings={**METHOD.defaults(), "reference": "g=a"},
            watch=Watch(),
        )
        for key in "bc":
            ratio = done.result["cells"][f"g={key}"]["ratio"]
            inside += ratio["low"] <= truth[key] / truth["a"] <= ratio["high"]
            total += 1
    assert 0.91 <= inside / total <= 0.985
