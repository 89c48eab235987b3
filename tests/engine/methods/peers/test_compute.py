"""The whole method: the contract's keys, the paper's figures on the synthetic sample, bad input."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from people import cohort_of, plan_of, population, run

from engine.base.canonical import canonical_json
from engine.base.problems import Refused
from engine.base.watch import Watch
from engine.drawing import paper, screen
from engine.drawing.tables import table_of
from engine.methods import NAMES, method, room
from engine.methods.peers.compute import compute
from engine.methods.peers.figures import figures, peers_of, person_figures
from engine.methods.peers.findings import conclusion, findings, sections
from engine.methods.peers.published import CLASSES
from engine.methods.peers.stress import agreement
from engine.methods.peers.watchout import watchout
from engine.samples.sme import INTRINSIC, ORDER, make_sme

FEATURES = ["a", "b", "c"]


@pytest.fixture(scope="module")
def sme() -> Any:
    """The synthetic sample with planted discrimination, and its result."""
    frame = make_sme()
    features = tuple(c for c in frame if c not in ("firm", "firm_size", "approved"))
    cohort = cohort_of(
        frame, protected=frame.firm_size == "micro", outcome=frame.approved == "yes",
        features=features,
    )  # fmt: skip
    return run(
        cohort, seed=20261129, order=ORDER, intrinsic=INTRINSIC, permutations=2, person_pages=True
    )


def test_registered() -> None:
    assert "peers" in NAMES
    assert method("peers").title == "Peers"
    assert room("peers", "compute").compute is compute


def test_published_figures_on_the_synthetic_sample(sme: Any) -> None:
    """methods/peers.md, section 5: about 1,043 tested, 663 without a peer, 97.8-98.0 % flagged."""
    r = sme.result
    assert r["n_protected"] == 1719 and r["n_unprotected"] == 2440
    assert r["n_tested"] == pytest.approx(1043, abs=60)
    assert r["n_no_peer"] == pytest.approx(663, abs=60)
    assert r["published"]["unfair_share"] == pytest.approx(0.98, abs=0.02)
    assert r["published"]["shares"]["FT"] == pytest.approx(0.02, abs=0.015)
    assert r["models"]["fitting"]["cross_validated_auc"] == pytest.approx(0.839, abs=0.02)
    assert r["models"]["prediction"]["auc"] == pytest.approx(0.80, abs=0.03)
    assert r["companions"]["rank"]["flagged_adjusted"] == 0
    effect = r["companions"]["group_effect"]
    assert effect["high"] < 0  # the planted effect is shown
    assert effect["value"] == pytest.approx(-0.08, abs=0.06)
    assert 0.95 < r["permuted"]["mean"] < 1.0


def test_without_planting_the_published_test_says_the_same_and_the_valid_one_does_not() -> None:
    frame = make_sme(planted=0.0)
    features = tuple(c for c in frame if c not in ("firm", "firm_size", "approved"))
    cohort = cohort_of(
        frame,
        protected=frame.firm_size == "micro",
        outcome=frame.approved == "yes",
        features=features,
    )
    r = run(cohort, seed=20261129).result
    assert r["published"]["unfair_share"] == pytest.approx(0.978, abs=0.02)
    effect = r["companions"]["group_effect"]
    assert effect["low"] < 0 < effect["high"]


def test_contract_keys_and_sums(sme: Any) -> None:
    r = sme.result
    for key in ("n_protected", "n_tested", "n_no_peer", "n_too_few", "delta", "published", "flag_rate_if_nothing_wrong", "companions", "score_uses_protected", "explanations"):  # fmt: skip
        assert key in r
    assert r["score_uses_protected"] is False
    assert (
        r["n_tested"] + r["n_no_peer"] + r["n_too_few"] + r["n_no_likelihood"] == r["n_protected"]
    )
    assert sum(r["published"]["shares"].values()) == pytest.approx(1)
    assert sum(r["published"]["shares_of_all"].values()) == pytest.approx(1)
    assert set(r["published"]["shares"]) == set(CLASSES)
    assert r["flag_rate_if_nothing_wrong"] == pytest.approx(0.971, abs=0.001)
    for key in ("flagged_share", "flagged_share_adjusted", "mean_rank"):
        assert key in r["companions"]["rank"]
    assert set(r["companions"]["group_effect"]) >= {
        "value",
        "low",
        "high",
        "verdict",
        "reason",
        "n",
    }
    canonical_json(r)


def test_one_row_a_protected_person(sme: Any) -> None:
    table = sme.tables["peers"]
    assert len(table) == 1719
    assert (table["Tested"] == "yes").sum() == sme.result["n_tested"]
    assert (table["Why not"] == "no peer").sum() == sme.result["n_no_peer"]
    untested = table[table["Tested"] == "no"]
    assert untested["p, two sides"].isna().all()
    assert (untested["As published"] == "Not tested").all()
    counts = sme.result["published"]["counts"]
    assert (table["As published"] == "Fairly treated").sum() == counts["FT"]


def test_peers_of_one_person_from_the_tables(sme: Any) -> None:
    row = sme.tables["peers"][sme.tables["peers"]["Tested"] == "yes"].iloc[5]
    peers = peers_of(result=sme.result, tables=sme.tables, person=row["Person"])
    assert len(peers) == row["Peers"]
    assert peers["Likelihood"].mean() == pytest.approx(row["Mean likelihood of the peers"])


def test_same_seed_same_bytes() -> None:
    frame = population(400, 1)
    cohort = cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good)
    assert canonical_json(run(cohort).result) == canonical_json(run(cohort).result)


def test_closed_form_and_draws_say_the_same() -> None:
    frame = population(1500, 2)
    cohort = cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good)
    drawn = run(cohort, tune=False).result
    exact = run(cohort, tune=False, closed_form=True).result
    other = run(cohort, tune=False, replace=False).result
    assert exact["n_tested"] == drawn["n_tested"]
    for found in (drawn, other):
        assert found["published"]["unfair_share"] == pytest.approx(
            exact["published"]["unfair_share"], abs=0.03
        )
        for c in CLASSES:
            assert found["published"]["shares"][c] == pytest.approx(
                exact["published"]["shares"][c], abs=0.04
            )


def test_supplied_score_and_what_it_uses() -> None:
    frame = population(800, 3)
    score = 1 / (1 + np.exp(-(0.5 * frame.a + 0.7 * frame.c - 3.0 * frame.group)))
    cohort = cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good, score=score)
    unknown = run(cohort, tune=False)
    assert unknown.result["score_uses_protected"] is None
    assert "peers.unknown_use" in {w["code"] for w in unknown.warnings}
    r = run(cohort, tune=False, score_uses_protected="yes").result
    assert r["score_uses_protected"] is True
    assert r["models"]["prediction"]["model"] == "supplied score"
    # a score that takes this much from the protected puts them below their peers (peers.md: .105)
    assert r["companions"]["rank"]["mean_rank"] < 0.2
    assert r["companions"]["rank"]["flagged_adjusted"] > 0
    blind = run(cohort, tune=False, prediction="logistic_regression").result
    assert blind["score_uses_protected"] is False
    assert blind["companions"]["rank"]["mean_rank"] > 0.4


def test_decisions_have_their_own_group_effect() -> None:
    """Outcomes alike at equal features, decisions not: the two differences part."""
    frame = population(4000, 30)
    rng = np.random.default_rng(1)
    decided = rng.random(4000) < np.where(frame.group, 0.4, 0.7)
    cohort = cohort_of(
        frame[FEATURES], protected=frame.group, outcome=frame.good, decision=decided, score=frame.c
    )
    r = run(cohort, tune=False).result["companions"]
    assert r["group_effect"]["low"] < 0 < r["group_effect"]["high"]
    assert r["decision_effect"]["value"] == pytest.approx(-0.3, abs=0.06)
    assert r["decision_effect"]["verdict"] == "outside"
    only = cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good)
    assert run(only, tune=False).result["companions"]["decision_effect"] is None


def test_protected_columns_never_count_as_features() -> None:
    frame = population(300, 4)
    frame["group"] = np.where(frame.group, "A", "B")
    cohort = cohort_of(
        frame[[*FEATURES, "group"]], protected=frame.group == "A", outcome=frame.good
    )
    assert run(cohort, tune=False).result["features"] == FEATURES


def test_edges_and_minimum_of_peers() -> None:
    frame = population(600, 5)
    cohort = cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good)
    least = run(cohort, tune=False, min_peers=1).result
    assert least["n_too_few"] == 0
    exactly = run(cohort, tune=False, min_peers=50).result
    more = run(cohort, tune=False, min_peers=49, min_peers_rule="more than").result
    assert exactly["n_tested"] == more["n_tested"]
    nobody = run(cohort, tune=False, delta=0.0).result
    assert nobody["n_tested"] == 0 and nobody["n_no_peer"] == nobody["n_protected"]
    assert "have none at all" in nobody["published"]["reason"]


@pytest.mark.parametrize("model", ["random_forest", "gradient_boosting"])
def test_other_models(model: str) -> None:
    frame = population(300, 6)
    cohort = cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good)
    r = run(cohort, tune=False, fitting_model=model, prediction=model, min_peers=5).result
    assert r["models"]["fitting"]["model"] == model
    assert r["n_tested"] > 0


def test_grid_is_the_papers() -> None:
    from engine.methods.peers.likelihood import GRIDS

    assert GRIDS["logistic_regression"]["C"] == (0.1, 1.0, 10.0)
    assert math.prod(len(v) for v in GRIDS["random_forest"].values()) == 81


# --- bad input: a sentence, and whatever can still be said ---


def _still_says(found: Any) -> None:
    canonical_json(found.result)
    plan = plan_of()
    for finding in findings(result=found.result, plan=plan):
        assert finding.sentence and "nan" not in finding.sentence.lower().split()
        assert "None" not in finding.sentence
    assert conclusion(found.result)
    sections(result=found.result, plan=plan)
    for chart in figures(result=found.result, tables=found.tables):
        screen.draw(chart)
    watchout(result=found.result, tables=found.tables)


def test_no_unprotected_rows() -> None:
    frame = population(60, 7)
    found = run(cohort_of(frame[FEATURES], protected=np.ones(60), outcome=frame.good))
    assert "the comparison needs both" in found.result["reason"]
    assert found.result["published"]["unfair_share"] is None
    _still_says(found)


@pytest.mark.parametrize("value", [0, 1, -1])
def test_one_class_only(value: int) -> None:
    frame = population(200, 8)
    found = run(cohort_of(frame[FEATURES], protected=frame.group, outcome=np.full(200, value)))
    assert "no likelihood can be estimated" in found.result["reason"]
    assert found.result["n_protected"] == int(frame.group.sum())
    _still_says(found)


def test_perfect_separation() -> None:
    frame = population(200, 9)
    frame["a"] = np.where(frame.group, 10.0, -10.0)
    found = run(cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good))
    assert "peers.separated" in {w["code"] for w in found.warnings}
    _still_says(found)


def test_constant_and_blank_features() -> None:
    frame = population(300, 10)
    frame["same"] = 1.0
    frame["blank"] = np.nan
    found = run(
        cohort_of(frame[[*FEATURES, "same", "blank"]], protected=frame.group, outcome=frame.good)
    )
    assert "peers.blank_feature" in {w["code"] for w in found.warnings}
    assert found.result["n_tested"] > 0
    _still_says(found)
    only = run(cohort_of(frame[["same"]], protected=frame.group, outcome=frame.good))
    assert only.result["delta"] == 0
    _still_says(only)


def test_more_features_than_rows() -> None:
    frame = population(60, 11)
    wide = pd.DataFrame(np.random.default_rng(1).normal(size=(60, 120)))
    wide.columns = [f"f{i}" for i in range(120)]
    found = run(cohort_of(wide, protected=frame.group, outcome=frame.good, features=tuple(wide)))
    _still_says(found)


def test_twelve_protected_people() -> None:
    frame = population(300, 12)
    group = np.arange(300) < 12
    found = run(cohort_of(frame[FEATURES], protected=group, outcome=frame.good))
    assert "peers.few_protected" in {w["code"] for w in found.warnings}
    assert found.result["n_protected"] == 12
    _still_says(found)


def test_scores_with_gaps_and_infinite_range() -> None:
    frame = population(300, 13)
    score = np.where(np.arange(300) % 7 == 0, np.nan, 300 + 500 * frame.c)
    found = run(cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good, score=score))
    gone = int((np.isnan(score) & frame.group).sum())
    assert found.result["n_no_likelihood"] == gone
    assert "peers.relative_score" in {w["code"] for w in found.warnings}
    _still_says(found)


def test_no_outcome_at_all_but_a_score() -> None:
    frame = population(300, 14)
    found = run(cohort_of(frame[FEATURES], protected=frame.group, outcome=None, score=frame.c))
    assert found.result["companions"]["group_effect"]["value"] is None
    assert found.result["n_tested"] > 0
    _still_says(found)


def test_refusals_name_the_mend() -> None:
    frame = population(100, 15)
    cohort = cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good)
    with pytest.raises(Refused, match="Choose a model"):
        run(cohort, prediction="score")
    with pytest.raises(Refused, match="not a feature"):
        run(cohort, order={"z": "higher is better"})
    empty = cohort_of(
        frame[["a"]].rename(columns={"a": "group"}), protected=frame.group, outcome=frame.good
    )
    with pytest.raises(Refused, match="No feature is left"):
        run(empty)


def test_cancel_is_heard() -> None:
    from engine.base.problems import Cancelled

    frame = population(200, 16)
    watch = Watch()
    watch.stop.set()
    with pytest.raises(Cancelled):
        compute(
            cohort=cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good),
            plan=plan_of(), settings={}, watch=watch,
        )  # fmt: skip


# --- words and pictures ---


def test_words_follow_the_look(sme: Any) -> None:
    plan = plan_of()
    texts = [f.sentence + " " + f.action for f in findings(result=sme.result, plan=plan)]
    for section in sections(result=sme.result, plan=plan):
        texts += [section.title, *section.paragraphs]
        for table in section.tables:
            assert all(len(row) == len(table.columns) == len(table.align) for row in table.rows)
    for text in texts:
        assert "nan" not in text.lower().split()
        for word in ("please", "compliant", "successfully", "statistically significant"):
            assert word not in text.lower()
    assert "With nothing wrong at all, this test would flag 97.1 %" in " ".join(texts)
    assert texts[0].startswith("Conclude from the difference between the groups")


def test_figures_have_tables_and_print(sme: Any) -> None:
    charts = figures(result=sme.result, tables=sme.tables)
    person = sme.tables["peers"].query("Tested == 'yes'")["Person"].iloc[0]
    charts += person_figures(result=sme.result, tables=sme.tables, person=person, seed=1)
    keys = [c.key for c in charts]
    assert {"classes", "likelihood", "ranks", "refusals", "features", "worlds", "group-effect", "person-draws"} <= set(keys)  # fmt: skip
    for chart in charts:
        assert table_of(chart).rows
        paper.draw(chart, width=480, max_height=600)
        screen.draw(chart)
    named = {k for s in sections(result=sme.result, plan=plan_of()) for k in s.charts}
    assert named <= set(keys) | {"stability"}


def test_scatter_numbers_are_the_tables(sme: Any) -> None:
    chart = next(c for c in figures(result=sme.result, tables=sme.tables) if c.key == "likelihood")
    drawn = sorted(row[3] for row in table_of(chart).rows)
    tested = sme.tables["peers"].query("Tested == 'yes'")["Own likelihood"]
    assert drawn == sorted(tested)


def test_watchout_list(sme: Any) -> None:
    found = watchout(result=sme.result, tables=sme.tables)
    told = sme.result["explained"]
    assert len(found.people) == told["people"] == len(found.merge)
    assert found.overview is not None
    for page in found.people:
        assert page.fixed is not None and page.changeable is not None
        assert {row[0] for row in page.fixed.rows} <= set(INTRINSIC)
        assert page.readings[0].word == "Fairly treated"
        assert page.accuses.startswith("This page accuses nobody")
    unfair = sme.tables["peers"].query("`As published` != 'Fairly treated'")["Person"]
    assert not {p.name for p in found.people} & set(unfair)
    assert watchout(result=sme.result, tables=sme.tables, pages=False).people == ()


def test_tables_survive_a_round_through_csv(sme: Any) -> None:
    """A case that is opened again draws from its CSV files."""
    import io

    again = {
        name: pd.read_csv(
            io.StringIO(table.to_csv(index=False)), keep_default_na=False, na_values=[""]
        )
        for name, table in sme.tables.items()
    }
    result = json.loads(canonical_json(sme.result))
    for chart in figures(result=result, tables=again):
        screen.draw(chart)
    watchout(result=result, tables=again)


# --- stress tests ---


def test_agreement_by_person() -> None:
    first = np.array([0, 0, 2, 4, -1, 3], np.int8)
    second = np.array([0, 1, 2, 2, 3, -1], np.int8)
    found = agreement(first, second)
    assert found["common"] == 4
    assert found["same_label"] == 0.75
    assert found["chance"] == pytest.approx(0.75 * 0.5 + 0.25 * 0.5)
    assert found["same_class"] == 0.5
    from sklearn.metrics import cohen_kappa_score

    wanted = cohen_kappa_score(first[:4], second[:4])
    assert found["kappa"] == pytest.approx(wanted)
    nothing = agreement(np.array([-1], np.int8), np.array([1], np.int8))
    assert nothing["same_label"] is None


def test_stress_tests_run_and_the_same_answer_is_chance() -> None:
    frame = population(1200, 17)
    cohort = cohort_of(frame[FEATURES], protected=frame.group, outcome=frame.good)
    found = run(
        cohort, tune=False, stress=["imbalance", "delta", "draws", "models"], stress_levels=[35, 20],
        stress_repeats=2,
    )  # fmt: skip
    lines = found.result["stress"]
    assert {s["test"] for s in lines} == {"imbalance", "delta", "draws", "models"}
    imbalance = [s for s in lines if s["test"] == "imbalance"]
    assert [s["level"] for s in imbalance] == ["35 %", "20 %"]
    assert all(s["repeats"] == 2 for s in imbalance)
    for s in imbalance:
        assert s["same_label"] == pytest.approx(s["chance"], abs=0.05)
        assert s["same_class"] <= s["same_label"] + 1e-12
    unfair = {s["level"]: s["unfair_share"] for s in lines if s["test"] == "draws"}
    assert unfair["N = 10, K = 30"] < unfair["N = 1000, K = 30"]
    _still_says(found)
    assert any(c.key == "stability" for c in figures(result=found.result, tables=found.tables))
