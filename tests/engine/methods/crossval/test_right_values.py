"""Everything in block B of the expected values: fold tables, stored decisions, authors' folds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crossval_people import SHORT, audited, german, own_decisions

from engine.fairness.tests import holm
from engine.methods.crossval.answers import DEFINITIONS
from engine.methods.crossval.foldtests import (
    anova,
    equivalence_t,
    friedman,
    independent_t,
    kruskal,
    paired_t,
    rates_of,
)
from tests.engine import helpers

VALUES = ("TPR", "FPR", "FN_FP")
NEAR = 1e-9


@pytest.fixture(scope="module")
def right(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "cases/methods/expected.json").read_text())
    return found["B_paper002"]


def near(found: float | None, wanted: float) -> None:
    assert found is not None
    assert found == pytest.approx(wanted, abs=NEAR, rel=0)


def check_two(exact: dict[str, Any], a: np.ndarray, b: np.ndarray, k: int) -> None:
    """Two groups' counts, shape (folds, 4), against every value that the block holds."""
    first, second = rates_of(a), rates_of(b)
    p_values = []
    for value in VALUES:
        x, y, wanted = first[value], second[value], exact[value]
        assert [int(np.isnan(v).sum()) for v in (x, y)] == wanted["undefined"]
        for v, mean in zip((x, y), wanted["mean"], strict=True):
            near(float(np.nanmean(v)), mean)
        plain = independent_t(x, y)
        p_values.append(plain["p"])
        for name, found in {
            "t_independent": plain,
            "t_paired": paired_t(x, y),
            "t_nadeau_bengio": paired_t(x, y, corrected_k=k),
        }.items():
            if name in wanted:
                near(found["statistic"], wanted[name]["t"])
                near(found["p"], wanted[name]["p"])
                assert found["df"] == wanted[name]["df"]
                if "mean_diff" in wanted[name]:
                    near(found["mean_difference"], wanted[name]["mean_diff"])
        if "tost_0.10" in wanted:
            near(equivalence_t(x, y, margin=0.1)["p"], wanted["tost_0.10"]["p"])
        if "p_independent" in wanted:
            near(plain["p"], wanted["p_independent"])
            near(independent_t(x, y, corrected_k=k)["p"], wanted["p_independent_nb"])
    if "holm_of_three" in exact:
        for found, wanted in zip(holm(p_values), exact["holm_of_three"], strict=True):
            near(found, wanted)


def check_many(exact: dict[str, Any], groups: list[np.ndarray]) -> None:
    for value, wanted in exact.items():
        rates = [rates_of(g)[value] for g in groups]
        found = anova(rates)
        near(found["statistic"], wanted["anova"]["F"])
        near(found["p"], wanted["anova"]["p"])
        assert found["df"] == wanted["anova"]["df"]
        found = kruskal(rates)
        near(found["statistic"], wanted["kruskal"]["H"])
        near(found["p"], wanted["kruskal"]["p"])
        found = friedman(rates)
        near(found["statistic"], wanted["friedman"]["Q"])
        near(found["p"], wanted["friedman"]["p"])
        assert found["folds"] == wanted["friedman"]["folds"]


def test_fold_tables(right: dict[str, Any]) -> None:
    table = pd.DataFrame(right["fold_counts"])
    groups = {
        key: np.column_stack([g["TP"], g["FP"], g["P"] - g["TP"], g["N"] - g["FP"]])
        for key, g in table.groupby("group")
    }
    check_two(right["two_groups_a_b"], groups["a"], groups["b"], 10)
    check_two(right["two_groups_a_c"], groups["a"], groups["c"], 10)
    check_many(right["three_groups"], [groups[g] for g in "abc"])
    assert holm(right["holm_example"]["p"]) == pytest.approx(right["holm_example"]["adjusted"])


def test_the_authors_own_folds(right: dict[str, Any], shared: Path) -> None:
    plain, corrected, made = [], [], 0
    tables = {k: v for k, v in right["authors_fold_tables"].items() if k != "summary"}
    for name, exact in tables.items():
        table = pd.read_csv(shared / f"data/seed002_folds_{name}.csv")
        for model, wanted in exact["models"].items():
            sides = [
                table[table["Group"].astype(str) == g][
                    [f"{model}_{c}" for c in ("TP", "FP", "FN", "TN")]
                ].to_numpy()
                for g in exact["groups"]
            ]
            check_two(wanted, sides[0], sides[1], exact["k"])
            for value in VALUES:
                x, y = (rates_of(s)[value] for s in sides)
                plain.append(independent_t(x, y)["p"])
                corrected.append(independent_t(x, y, corrected_k=exact["k"])["p"])
                made += 1
    summary = right["authors_fold_tables"]["summary"]
    assert made == summary["tests"] == 90

    def below(p_values: list[float]) -> int:
        return sum(p < 0.05 for p in p_values)

    assert below(plain) == summary["p<0.05"]
    assert below(corrected) == summary["p<0.05_nb"]
    assert below(holm(plain)) == summary["p<0.05_holm"]  # type: ignore[arg-type]
    assert below(holm(corrected)) == summary["p<0.05_nb_holm"]  # type: ignore[arg-type]


@pytest.mark.parametrize("short", list(SHORT))
def test_stored_decisions_as_the_auditors_own(
    right: dict[str, Any], shared: Path, short: str
) -> None:
    stored = pd.read_csv(shared / "cases/methods/b_german_oof.csv")
    exact = right["german_20fold"]["models"][short]
    for prefix, fold, part in (
        ("pred", "fold", "shared"),
        ("sep", "fold_sep", "separate_paper_code"),
    ):
        name = f"{prefix}_{short}"
        people, asked = own_decisions(stored, name, fold)
        scheme = "shared model" if prefix == "pred" else "model per group"
        done = audited(people, asked, fold_column=fold, scheme=scheme, more_attributes=["age3"])
        assert done.result["k"] == 20
        found = done.result["models"][name]
        wanted = exact[part]
        for value in VALUES:
            one, right_one = found[value], wanted[value]
            assert one["test"] == "independent t"
            near(one["statistic"], right_one["t_independent"]["t"])
            near(one["p"], right_one["t_independent"]["p"])
            assert list(one["undefined_folds"].values()) == right_one["undefined"]
            near(one["tests"]["paired_t"]["p"], right_one["t_paired"]["p"])
            near(one["tests"]["nadeau_bengio"]["p"], right_one["t_nadeau_bengio"]["p"])
            if "tost_0.10" in right_one:
                near(one["tests"]["equivalence"]["p"], right_one["tost_0.10"]["p"])
        published = [found["definitions"][d]["published"] for d in DEFINITIONS]
        assert published == list(wanted["definitions_paper"].values())
        if prefix == "sep":
            continue
        for value, pooled in exact["pooled"].items():
            near(found["pooled"][value]["value"], pooled["diff"])
            near(found["pooled"][value]["z_p"], pooled["p"])
            if "z" in pooled:
                near(found["pooled"][value]["z"], pooled["z"])
        groups = done.result["attributes"]["age3"]["models"][name]
        for value, many in exact["age3"].items():
            tests = groups[value]["tests"]
            near(tests["anova"]["p"], many["anova"]["p"])
            near(tests["kruskal"]["p"], many["kruskal"]["p"])
            near(tests["friedman"]["p"], many["friedman"]["p"])
        folds = done.tables["folds"]
        assert list(folds.columns) == [
            "model",
            "attribute",
            "group",
            "fold",
            "tp",
            "fp",
            "fn",
            "tn",
        ]
        male = folds[(folds["group"] == "male") & (folds["fold"] == "3")].iloc[0]
        mine = stored[(stored["sex"] == "male") & (stored["fold"] == 3)]
        assert male["tp"] == int(((mine["y"] == 1) & (mine[name] == 1)).sum())


@pytest.mark.parametrize("scheme", ["shared model", "model per group"])
def test_retrained_on_german_credit(right: dict[str, Any], shared: Path, scheme: str) -> None:
    people, stored = german(shared)
    seeded = helpers.plan(people.attributes, seed=42, resamples=200)
    three = ["svm", "logistic_regression", "k_nearest"]
    done = audited(people, seeded, scheme=scheme, folds="plain", models=three)
    prefix, fold = ("pred", "fold") if scheme == "shared model" else ("sep", "fold_sep")
    table = done.tables["folds"]
    for short, model in SHORT.items():
        if model not in three:
            continue
        decided = stored[f"{prefix}_{short}"]
        for sex in ("male", "female"):
            mine = table[(table["model"] == model) & (table["group"] == sex)].sort_values("fold")
            here = stored["sex"] == sex
            for name, y, d in (("tp", 1, 1), ("fp", 0, 1), ("fn", 1, 0), ("tn", 0, 0)):
                hit = stored[here & (stored["y"] == y) & (decided == d)]
                wanted = hit.groupby(fold).size().reindex(range(1, 21), fill_value=0)
                assert mine[name].tolist() == wanted.tolist(), (model, sex, name)
    part = "shared" if scheme == "shared model" else "separate_paper_code"
    exact = right["german_20fold"]["models"]["SVM"][part]
    near(done.result["models"]["svm"]["TPR"]["p"], exact["TPR"]["t_independent"]["p"])


def test_holm_over_the_eighteen_tests_of_six_algorithms(
    right: dict[str, Any], shared: Path
) -> None:
    stored = pd.read_csv(shared / "cases/methods/b_german_oof.csv")
    p_values, names = [], []
    for short in SHORT:
        people, asked = own_decisions(stored, f"pred_{short}", "fold")
        found = audited(people, asked, fold_column="fold").result["models"][f"pred_{short}"]
        p_values += [found[value]["p"] for value in VALUES]
        names += [f"{short}.{value}" for value in VALUES]
    wanted = right["german_20fold"]["holm_over_18_tests"]
    for name, found_p in zip(names, holm(p_values), strict=True):
        near(found_p, wanted[name])
