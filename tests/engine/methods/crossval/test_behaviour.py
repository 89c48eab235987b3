"""Bad input, crossings, classes, weights, processes, cancelling, and what null data say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crossval_people import audited, cohort_of, simulated
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine.base.problems import Refused
from engine.methods.crossval import fitting
from engine.methods.crossval.findings import findings
from engine.methods.crossval.folds import laid, stratified_sample
from engine.methods.crossval.pooled import equivalence_p, exact_p, shuffled_p, smallest_gap
from engine.methods.crossval.settings import METHOD
from engine.methods.crossval.testing import fold_counts
from engine.models.standin import MODELS
from engine.plan.model import Outcome, System
from tests.engine import driving, helpers

FAST = ["logistic_regression", "decision_tree", "k_nearest"]


def test_the_help_page_lists_the_settings() -> None:
    page = Path(__file__).resolve().parents[4] / "resources/help/crossval.md"
    rows = [r.split("|") for r in page.read_text().splitlines() if r.startswith("| `")]
    told = {r[1].strip(" `"): r[2].strip(" `") for r in rows}
    assert told == {s.name: json.dumps(s.default) for s in METHOD.settings}


def test_every_stand_in_can_be_chosen() -> None:
    setting = next(s for s in METHOD.settings if s.name == "models")
    assert {key for key, _ in setting.choices} == set(MODELS)
    assert all(MODELS[key].title == words for key, words in setting.choices)


def test_defaults_are_those_of_scikit_learn() -> None:
    for model in METHOD.defaults()["models"]:
        made = fitting.make(model, 1, fitting.PARAMETERS.get(model))
        inner = made.steps[-1][1] if hasattr(made, "steps") else made
        plain = type(inner)().get_params()
        other = {k for k, v in inner.get_params().items() if v != plain[k]}
        assert other <= {"random_state", "cache_size"}, model


# exact tests


def test_all_shuffles_equal_fishers_for_groups_of_one_size_and_enumeration() -> None:
    for a, b, n in ((8, 4, 10), (1, 6, 9), (0, 3, 5)):
        found = exact_p(part=(a, b), whole=(n, n))
        assert found == pytest.approx(stats.fisher_exact([[a, n - a], [b, n - b]]).pvalue)
    people = np.array([1, 1, 0, 0, 0, 1, 1])
    first = 3
    import itertools

    gaps = []
    for chosen in itertools.combinations(range(7), first):
        mine = people[list(chosen)].sum()
        gaps.append(abs(mine / first - (people.sum() - mine) / 4))
    seen = abs(people[:3].mean() - people[3:].mean())
    wanted = np.mean(np.array(gaps) >= seen - 1e-12)
    assert exact_p(part=(2, 2), whole=(3, 4)) == pytest.approx(wanted)


def test_drawn_shuffles_agree_with_the_exact_ones() -> None:
    exact = exact_p(part=(30, 18), whole=(60, 55))
    drawn = shuffled_p(part=(30, 18), whole=(60, 55), shuffles=20_000, rng=np.random.default_rng(0))
    assert exact is not None
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact / 20_000))
    chi = stats.chi2_contingency([[40, 60], [55, 45], [70, 30]], correction=False).pvalue
    many = shuffled_p(
        part=(40, 55, 70), whole=(100, 100, 100), shuffles=5000, rng=np.random.default_rng(1)
    )
    assert many == pytest.approx(chi, abs=2e-3)


def test_equivalence_needs_people_and_the_smallest_gap_is_shown_in_four_of_five() -> None:
    assert equivalence_p(part=(8, 8), whole=(10, 10), margin=0.1) > 0.2  # type: ignore[operator]
    assert equivalence_p(part=(4000, 4000), whole=(5000, 5000), margin=0.1) < 1e-6  # type: ignore[operator]
    assert equivalence_p(part=(0, 0), whole=(0, 5), margin=0.1) is None
    gap = smallest_gap(part=(300, 300), whole=(600, 600), level=0.05)
    assert gap is not None
    rng = np.random.default_rng(3)
    x = rng.binomial(600, 0.5 + gap / 2, 4000)
    y = rng.binomial(600, 0.5 - gap / 2, 4000)
    pooled = (x + y) / 1200
    z = (x - y) / 600 / np.sqrt(pooled * (1 - pooled) * 2 / 600)
    assert float((np.abs(z) > 1.96).mean()) == pytest.approx(0.8, abs=0.03)


# folds


def test_folds_hold_every_group_and_outcome_evenly() -> None:
    rng = np.random.default_rng(4)
    strata = rng.choice(4, 997, p=[0.5, 0.3, 0.15, 0.05])
    fold = laid(rows=np.arange(997), n=997, k=10, seed=3, strata=strata)
    assert np.ptp(np.bincount(fold)) <= 4
    for one in range(4):
        counts = np.bincount(fold[strata == one], minlength=10)
        assert np.ptp(counts) <= 1
    rows = stratified_sample(strata=strata, size=200, seed=1)
    assert len(rows) == len(set(rows)) == 200
    share = np.bincount(strata[rows], minlength=4) / np.bincount(strata)
    assert np.abs(share - 200 / 997).max() < 0.03


def test_advice_on_k() -> None:
    one = helpers.attribute("g", "a", "b")
    y = [1] * 60 + [0] * 40 + [1] * 31 + [0] * 29
    people = cohort_of(
        pd.DataFrame({"x": np.arange(160.0)}), [one], {"g": ["a"] * 100 + ["b"] * 60}, y,
        features=["x"],
    )  # fmt: skip
    found = audited(people, models=["decision_tree"], k=20)
    tips = found.result["advice"]
    assert tips["advised"] == 5  # 29 // 5 = 5, 29 // 6 = 4
    assert tips["table"][3]["groups"]["b"] == {"positives": 6, "negatives": 5}
    assert tips["limit"] == {"group": "b", "outcome": "unfavourable", "people": 29}
    codes = {w["code"] for w in found.warnings}
    assert "crossval.large_k" in codes


# bad input


def test_a_group_of_three_is_named_and_the_rest_goes_on() -> None:
    people = simulated(300, minority=0.3, seed=1)
    whole = people.whole
    assert whole is not None
    one = helpers.attribute("g", "a", "b", "c")
    groups = np.where(whole.codes["g"] == 0, "a", "b").astype(object)
    groups[:3] = "c"
    assert whole.outcome is not None
    outcome = whole.outcome.copy()
    outcome[:3] = 0
    mine = cohort_of(whole.frame, [one], {"g": groups}, outcome, features=list(whole.frame.columns))
    done = audited(mine, models=FAST, k=10)
    found = done.result["models"]["decision_tree"]
    assert found["TPR"]["undefined_folds"]["c"] == 10
    assert found["TPR"]["p"] is None and "0 folds have a value" in found["TPR"]["reason"]
    assert "g c" in found["pooled"]["TPR"]["by_group"]["c"]["reason"]
    assert found["pooled"]["TPR"]["by_group"]["b"]["value"] is not None
    assert any(w["code"] == "crossval.bare" and "g c has 0" in w["text"] for w in done.warnings)
    apart = audited(mine, models=["decision_tree"], k=10, scheme="model per group")
    assert any("g c has 3 people" in w["text"] for w in apart.warnings)
    assert (
        apart.result["models"]["decision_tree"]["pooled"]["TPR"]["by_group"]["b"]["value"]
        is not None
    )


def test_constant_decisions_and_stopping_early_are_told_in_words() -> None:
    rng = np.random.default_rng(2)
    one = helpers.attribute("g", "a", "b")
    y = np.where(rng.random(200) < 0.9, 1, 0)
    frame = pd.DataFrame({"x": rng.normal(size=200)})
    people = cohort_of(frame, [one], {"g": rng.choice(["a", "b"], 200)}, y, features=["x"])
    done = audited(people, models=["svm", "neural_network"], k=4)
    assert "All 200 decisions are the same (favourable)" in " ".join(
        done.result["models"]["svm"]["notes"]
    )
    noisy = simulated(300, minority=0.5, seed=3, places=12)
    done = audited(noisy, models=["neural_network"], k=3)
    notes = " ".join(done.result["models"]["neural_network"]["notes"])
    assert "stopped before it settled" in notes


def test_an_algorithm_that_fails_is_named_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = fitting.make

    def make(model: str, *rest: Any) -> Any:
        if model == "k_nearest":
            raise ValueError("no room for neighbours")
        return plain(model, *rest)

    fitting.forget()
    monkeypatch.setattr(fitting, "make", make)
    done = audited(simulated(200, minority=0.4, seed=5), models=FAST, k=5)
    fitting.forget()
    failed = done.result["failed"]
    assert [f["model"] for f in failed] == ["k_nearest"] and failed[0]["folds"] == [1, 2, 3, 4, 5]
    assert "no room for neighbours" in done.result["models"]["k_nearest"]["notes"][0]
    answers = done.result["models"]["k_nearest"]["definitions"]
    assert {d["verdict"] for d in answers.values()} == {"not computable"}
    assert {d["published"] for d in answers.values()} == {None}
    assert done.result["models"]["decision_tree"]["pooled"]["TPR"]["value"] is not None


def test_refusals_name_their_mend() -> None:
    people = simulated(60, minority=0.4, seed=6)
    with pytest.raises(Refused, match='did you mean "g"'):
        audited(people, more_attributes=["gg"])
    with pytest.raises(Refused, match="at least two attributes"):
        audited(people, crossed=["g"])
    soft = helpers.attribute("g", "a", "b", soft=True)
    sample = helpers.sample(
        "all", [soft], {}, outcome=[1, 0], membership={"g": np.full((2, 2), 0.5)}
    )
    with pytest.raises(Refused, match="known as probabilities only"):
        audited(helpers.cohort([soft], whole=sample))
    with pytest.raises(Refused, match="need people with a known outcome"):
        audited(
            cohort_of(pd.DataFrame({"x": [1.0]}), [helpers.attribute("g", "a", "b")],
                      {"g": ["a"]}, [None], features=["x"])
        )  # fmt: skip


# more


def test_crossed_attributes_make_eight_cells() -> None:
    rng = np.random.default_rng(7)
    n = 800
    attributes = [helpers.attribute(name, "p", "q") for name in "abc"]
    groups = {a.name: rng.choice(["p", "q"], n) for a in attributes}
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("xyz"))
    y = (frame["x"] + rng.normal(size=n) > 0).astype(int)
    people = cohort_of(frame, attributes, groups, y, features=list(frame.columns))
    done = audited(people, models=["decision_tree"], k=5, crossed=["a", "b", "c"])
    cells = done.result["attributes"]["a × b × c"]["groups"]
    assert len(cells) == 8 and sum(c["people"] for c in cells.values()) == n
    assert next(iter(cells)) == "a=p × b=p × c=p"
    mine = pd.DataFrame(groups)
    for key, cell in cells.items():
        parts = dict(part.split("=") for part in key.split(" × "))
        assert cell["people"] == int((mine == pd.Series(parts)).all(axis=1).sum())
    found = done.result["attributes"]["a × b × c"]["models"]["decision_tree"]
    assert found["TPR"]["test"] == "one-way analysis of variance"
    assert found["TPR"]["careful_test"] == "friedman"
    assert list(done.result["models"]) == ["decision_tree"]


def test_each_class_against_the_rest() -> None:
    rng = np.random.default_rng(8)
    n = 600
    x = rng.normal(size=n)
    value = np.select([x < -0.5, x < 0.6], ["low", "middle"], "high")
    noisy = np.where(rng.random(n) < 0.2, rng.choice(["low", "middle", "high"], n), value)
    frame = pd.DataFrame({"x": x, "y": pd.Categorical(noisy)})
    one = helpers.attribute("g", "a", "b")
    people = cohort_of(
        frame,
        [one],
        {"g": rng.choice(["a", "b"], n)},
        (noisy == "high").astype(int),
        features=["x"],
    )
    asked = helpers.plan([one], resamples=200, outcome=Outcome(column="y", favourable=("high",)))
    done = audited(people, asked, models=["decision_tree"], k=5, classes="each")
    found = done.result["models"]["decision_tree"]
    assert set(found["classes"]) == {"low", "middle", "high"}
    assert found["classes"]["high"]["groups"]["a"]["tp"] == found["groups"]["a"]["tp"]
    table = np.array(found["confusion"]["a"])
    place = done.result["labels"].index("low")
    assert table[place, place] == found["classes"]["low"]["groups"]["a"]["tp"]
    assert table.sum() == done.result["attributes"]["g"]["groups"]["a"]["people"]


def test_weights_count_people_and_a_blank_in_an_unused_column_drops_nobody() -> None:
    people = simulated(240, minority=0.5, seed=9)
    whole = people.whole
    assert whole is not None and whole.outcome is not None
    frame = whole.frame.assign(unused=[None] * 120 + list(range(120)))
    groups = np.where(whole.codes["g"] == 0, "a", "b")
    one = people.attributes[0]
    twice = cohort_of(
        frame, [one], {"g": groups}, whole.outcome, features=people.features, weight=[2.0] * 240
    )
    plain = audited(people, models=["decision_tree"], k=4).result["models"]["decision_tree"]
    heavy = audited(twice, models=["decision_tree"], k=4).result
    assert heavy["people"] == 240
    mine = heavy["models"]["decision_tree"]
    assert mine["groups"]["a"]["tp"] == 2 * plain["groups"]["a"]["tp"]
    assert mine["pooled"]["TPR"]["value"] == pytest.approx(plain["pooled"]["TPR"]["value"])
    assert mine["pooled"]["TPR"]["z_p"] == pytest.approx(plain["pooled"]["TPR"]["z_p"])
    assert mine["pooled"]["TPR"]["n"] == plain["pooled"]["TPR"]["n"]


def test_people_without_a_group_train_and_are_told() -> None:
    people = simulated(200, minority=0.5, seed=10)
    whole = people.whole
    assert whole is not None
    groups = np.where(whole.codes["g"] == 0, "a", "b").astype(object)
    groups[:20] = None
    mine = cohort_of(
        whole.frame, [people.attributes[0]], {"g": groups}, whole.outcome, features=people.features
    )  # type: ignore[arg-type]
    done = audited(mine, models=["decision_tree"], k=4)
    assert done.result["attributes"]["g"]["unknown"] == 20
    assert done.tables["folds"][["tp", "fp", "fn", "tn"]].to_numpy().sum() == 180
    assert any("20 people have no known group" in w["text"] for w in done.warnings)


def test_blank_folds_are_counted_out_and_a_sample_is_said() -> None:
    rng = np.random.default_rng(11)
    one = helpers.attribute("g", "a", "b")
    frame = pd.DataFrame(
        {"fold": [None] * 5 + ["i", "ii", "iii"] * 65, "d": rng.integers(0, 2, 200)}
    )
    people = cohort_of(
        frame, [one], {"g": rng.choice(["a", "b"], 200)}, rng.integers(0, 2, 200),
        decision=frame["d"], kind="columns",
    )  # fmt: skip
    asked = helpers.plan(
        [one], resamples=100, system=System(prediction=Outcome(column="d", favourable=(1,)))
    )
    done = audited(people, asked, fold_column="fold")
    assert done.result["k"] == 3 and done.result["people"] == 195
    assert done.exclusions[0]["rows"] == 5
    assert set(done.tables["folds"]["fold"]) == {"i", "ii", "iii"}
    sampled = audited(simulated(300, minority=0.5, seed=12), models=["svm"], k=4, svm_sample=100)
    svm = sampled.result["models"]["svm"]
    assert svm["people"] == svm["sampled"] == 100
    assert "100 of 300 people" in svm["notes"][0]


# what null data say


def test_without_a_gap_few_runs_show_one_and_none_is_called_fair() -> None:
    shown = loud = 0
    runs = 30
    for seed in range(runs):
        people = simulated(400, minority=0.3, seed=100 + seed)
        done = audited(
            people,
            helpers.plan(people.attributes, resamples=50),
            models=["logistic_regression"],
            k=5,
        )
        found = done.result["models"]["logistic_regression"]
        shown += any(d["verdict"] == "difference shown" for d in found["definitions"].values())
        loud += found["definitions"]["comprehensive"]["published"]
        for finding in findings(result=done.result, plan=helpers.plan(people.attributes)):
            assert finding.grade != "ruled out" or "ruled out" in finding.sentence
    assert shown <= 5  # 30 runs at 0.05 after Holm: more than 5 has a chance below 0.004
    assert shown <= loud + 3


def test_a_large_gap_is_shown() -> None:
    people = simulated(3000, minority=0.5, seed=15, gap=1.5)
    done = audited(people, models=["logistic_regression"], k=5)
    one = done.result["models"]["logistic_regression"]
    assert one["definitions"]["equalised odds"]["verdict"] == "difference shown"
    assert one["pooled"]["TPR"]["value"] > 0 and one["pooled"]["TPR"]["verdict"] == "outside"
    careful = audited(people, models=["logistic_regression"], k=5, question="the algorithm")
    other = careful.result["models"]["logistic_regression"]
    assert other["pooled"]["TPR"]["careful_p"] >= one["pooled"]["TPR"]["careful_p"]
    assert other["definitions"]["equalised odds"]["verdict"] == "difference shown"


def test_driven_by_a_plan(tmp_path: Path) -> None:
    rng = np.random.default_rng(16)
    n = 120
    table = pd.DataFrame(
        {
            "sex": rng.choice(["M", "F"], n),
            "income": rng.normal(size=n).round(3),
            "note": [""] * 60 + ["x"] * 60,
            "approved": rng.integers(0, 2, n),
        }
    )
    table.to_csv(tmp_path / "people.csv", index=False)
    asked = driving.plan_of(
        methods={"crossval": {"k": 4, "models": ["decision_tree"]}}, features=["income"]
    )
    code, out = driving.audit(tmp_path, asked)
    assert code == 0
    found = driving.result_of(out)["crossval"]
    assert found["k"] == 4 and found["scheme"] == "shared model" and found["people"] == n
    assert set(found["models"]["decision_tree"]) >= {"TPR", "FPR", "FN_FP", "pooled", "definitions"}
    folds = pd.read_csv(out / "tables/folds.csv")
    assert len(folds) == 8 and folds[["tp", "fp", "fn", "tn"]].to_numpy().sum() == n


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_counts_of_any_table(data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 40))

    def column(low: int, high: int) -> np.ndarray:
        values = data.draw(st.lists(st.integers(low, high), min_size=n, max_size=n))
        return np.array(values, dtype=np.int16)

    codes, fold, truth, given_ = column(-2, 2), column(-1, 3), column(-1, 1), column(-1, 1)
    found = fold_counts(
        codes=codes, fold=fold, truth=truth.astype(np.int8), given=given_.astype(np.int8), groups=3, k=4
    )  # fmt: skip
    for g in range(3):
        for f in range(4):
            here = (codes == g) & (fold == f)
            wanted = [
                int((here & (truth == t) & (given_ == d)).sum())
                for t, d in ((1, 1), (0, 1), (1, 0), (0, 0))
            ]
            assert found[g, f].tolist() == wanted
