"""What is known before a run, how results are told, and one line an algorithm."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crossval_people import audited, cohort_of, simulated

from engine.base.canonical import canonical_json
from engine.base.watch import Progress, Watch
from engine.fairness.tests import holm
from engine.methods.crossval import fitting
from engine.methods.crossval.figures import figures
from engine.methods.crossval.findings import findings, quotable, sections
from engine.methods.crossval.outlook import outlook
from engine.methods.crossval.settings import METHOD
from engine.models.standin import MODELS
from engine.plan.model import Outcome, Protected
from tests.engine import driving, helpers

FAST = ["logistic_regression", "decision_tree", "k_nearest"]


# before a run


@pytest.mark.parametrize("scheme", ["shared model", "model per group"])
def test_what_is_known_before_a_run_is_what_the_run_does(scheme: str) -> None:
    people = simulated(300, minority=0.3, seed=6)
    given = {**METHOD.defaults(), "k": 5, "models": FAST, "scheme": scheme}
    plan = helpers.plan(people.attributes, resamples=200)
    ahead = outlook(cohort=people, plan=plan, settings=given, watch=Watch())
    seen: list[Progress] = []
    fitting.forget()
    done = audited(people, plan, models=FAST, k=5, scheme=scheme, watch=Watch(report=seen.append))
    fits = sum(m["fits"] for m in ahead["models"].values())
    assert {p.total for p in seen if p.total} == {fits}
    assert ahead["attributes"]["g"]["groups"] == done.result["attributes"]["g"]["groups"]
    assert ahead["attributes"]["g"]["advice"] == done.result["advice"]
    assert ahead["advised"] == done.result["advice"]["advised"]
    assert ahead["people"] == done.result["people"] == 300
    svm = {**given, "models": ["svm"], "svm_sample": 100}
    ahead = outlook(cohort=people, plan=plan, settings=svm, watch=Watch())
    assert ahead["models"]["svm"]["people"] == 100 and ahead["models"]["svm"]["sampled"]


def test_long_work_is_announced_before_the_first_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.methods.crossval import running

    people = simulated(120, minority=0.4, seed=7)
    monkeypatch.setattr(running, "SLOW", 0.01)
    seen: list[str] = []
    fitting.forget()
    done = audited(people, models=["svm"], k=3, watch=Watch(report=lambda p: seen.append(p.text)))
    told = next(i for i, words in enumerate(seen) if "square of the people" in words)
    assert told < next(i for i, words in enumerate(seen) if "fold 1 of 3" in words)
    assert any(w["code"] == "crossval.slow" for w in done.warnings)


# correction, order, words


def test_one_correction_goes_over_everything_shown() -> None:
    rng = np.random.default_rng(8)
    people = simulated(400, minority=0.4, seed=8, gap=0.8)
    whole = people.whole
    assert whole is not None
    two = [people.attributes[0], helpers.attribute("h", "p", "q")]
    groups = {
        "g": np.where(whole.codes["g"] == 0, "a", "b"), "h": rng.choice(["p", "q"], len(whole))
    }  # fmt: skip
    assert whole.outcome is not None
    both = cohort_of(whole.frame, two, groups, whole.outcome, features=people.features)
    done = audited(both, models=FAST, k=5, more_attributes=["h"]).result
    raw, told = [], []
    for attribute in done["attributes"].values():
        for model in attribute["models"].values():
            raw += [model[v]["p"] for v in ("TPR", "FPR", "FN_FP")]
            told += [model[v]["p_adjusted_all"] for v in ("TPR", "FPR", "FN_FP")]
            for one in model["pooled"].values():
                raw += [one["careful_p"], one["equivalence_p"]]
                told += [one["careful_p_adjusted"], one["equivalence_p_adjusted"]]
    assert len(raw) == 2 * 3 * 9
    assert told == pytest.approx(holm(raw), nan_ok=False)
    assert done["family"]["all"] == sum(p is not None for p in raw)
    for attribute in done["attributes"].values():
        for model in attribute["models"].values():
            for one in model["pooled"].values():
                assert one["smallest_gap_adjusted"] >= one["smallest_gap"]
                shown = one["careful_p_adjusted"] < 0.05
                assert (one["answer"] == "difference shown") == shown


def test_a_result_read_from_its_file_says_the_same() -> None:
    """A file keeps keys sorted; columns, algorithms and groups must not move by it."""
    people = simulated(260, minority=0.4, seed=9, gap=1.0)
    whole = people.whole
    assert whole is not None
    # "z" is privileged and comes last by the alphabet
    one = helpers.attribute("g", "z", "01")
    groups = np.where(whole.codes["g"] == 0, "z", "01")
    assert whole.outcome is not None
    mine = cohort_of(whole.frame, [one], {"g": groups}, whole.outcome, features=people.features)
    plan = helpers.plan([one], resamples=200)
    done = audited(mine, plan, models=["svm", "decision_tree"], k=5)
    import io

    read = json.loads(canonical_json(done.result))
    tables = {
        stem: pd.read_csv(io.StringIO(table.to_csv(index=False)))
        for stem, table in done.tables.items()
    }
    assert quotable(read) == quotable(done.result)
    assert findings(result=read, plan=plan) == findings(result=done.result, plan=plan)
    assert sections(result=read, plan=plan) == sections(result=done.result, plan=plan)
    assert figures(result=read, tables=tables) == figures(result=done.result, tables=done.tables)
    grid = figures(result=read, tables=tables)[0]
    assert grid.row_names == ("Support vector machine", "Decision tree")  # type: ignore[attr-defined]
    definitions = read["models"]["svm"]["definitions"]
    named = dict(zip(grid.column_names, grid.cells[0], strict=True))  # type: ignore[attr-defined]
    for name, cell in named.items():
        assert cell.text == definitions[name[:1].lower() + name[1:]]["verdict"]


def test_what_went_wrong_is_named_in_the_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group of 3, a fit that fails, constant decisions, a stop before settling, a sample."""
    people = simulated(300, minority=0.3, seed=1, places=12)
    whole = people.whole
    assert whole is not None and whole.outcome is not None
    groups = np.where(whole.codes["g"] == 0, "a", "b").astype(object)
    groups[:3] = "c"
    outcome = whole.outcome.copy()
    outcome[:3] = 0
    one = helpers.attribute("g", "a", "b", "c")
    mine = cohort_of(whole.frame, [one], {"g": groups}, outcome, features=people.features)
    plain = fitting.make

    class Constant:
        def fit(self, x: Any, y: Any) -> Constant:
            return self

        def predict(self, x: Any) -> Any:
            return np.ones(len(x), np.int16)

    def make(model: str, *rest: Any) -> Any:
        if model == "k_nearest":
            raise ValueError("no room for neighbours")
        return Constant() if model == "decision_tree" else plain(model, *rest)

    fitting.forget()
    monkeypatch.setattr(fitting, "make", make)
    names = ["svm", "decision_tree", "k_nearest", "neural_network", "logistic_regression"]
    done = audited(mine, models=names, k=5, svm_sample=200)
    fitting.forget()
    grid = figures(result=done.result, tables=done.tables)[0]
    rows = dict(zip(grid.row_names, grid.cells, strict=True))  # type: ignore[attr-defined]
    assert list(rows) == [
        "Support vector machine (on 200 people)",
        "Decision tree (all decisions alike)",
        "Nearest neighbours (no decisions)",
        "Neural network (5 of 5 fits not settled)",
        "Logistic regression",
    ]
    assert "(support vector machine on 200 people, decision tree," in quotable(done.result)
    last = [cell.text for cell in rows["Logistic regression"]]
    assert all(words.endswith(", without c") for words in (last[0], last[1], last[3]))
    assert {c.text for c in rows["Nearest neighbours (no decisions)"]} == {"not computable"}
    two = helpers.attribute("g", "a", "c")
    fitting.forget()
    small = cohort_of(
        whole.frame, [two], {"g": np.where(groups == "c", "c", "a")}, outcome,
        features=people.features,
    )  # fmt: skip
    done = audited(small, models=["logistic_regression"], k=5)
    grid = figures(result=done.result, tables=done.tables)[0]
    assert grid.cells[0][1].text == "not computable: nobody in c"  # type: ignore[attr-defined]


def test_groups_are_called_by_their_labels() -> None:
    people = simulated(200, minority=0.03, seed=10)
    one, two = people.attributes[0], helpers.attribute("h", "p", "q")
    whole = people.whole
    assert whole is not None and whole.outcome is not None
    rng = np.random.default_rng(1)
    groups = {"g": np.where(whole.codes["g"] == 0, "a", "b"), "h": rng.choice(["p", "q"], 200)}
    both = cohort_of(whole.frame, [one, two], groups, whole.outcome, features=people.features)
    protected = (
        Protected("g", "g", ("a",), labels={"a": "elders", "b": "youths"}),
        Protected("h", "h", ("p",), labels={"p": "locals", "q": "guests"}),
    )
    plan = helpers.plan([one, two], resamples=200, protected=protected)
    done = audited(both, plan, models=["decision_tree"], k=10, crossed=["g", "h"])
    assert any("g youths has 0 people" in w["text"] for w in done.warnings)
    tables = {t.title: t for s in sections(result=done.result, plan=plan) for t in s.tables}
    assert tables["People in a fold: g"].columns[1:3] == ("elders", "youths")
    assert {row[1] for row in tables["Rates by group"].rows} >= {"g elders × h guests"}
    assert set(done.tables["folds_advised"]["Group"]) >= {"elders", "g youths × h locals"}
    assert set(done.tables["folds"]["group"]) >= {"a", "b"}  # keys stay in the fixed table
    drawn = [c for c in figures(result=done.result, tables=done.tables) if "folds" in c.key]
    assert {s.name for c in drawn[0].charts for s in c.series} == {"elders", "youths"}  # type: ignore[attr-defined]


def test_several_outcomes_are_printed_against_decisions() -> None:
    rng = np.random.default_rng(11)
    n = 300
    x = rng.normal(size=n)
    value = np.where(x < -0.5, "low", np.where(x < 0.6, "middle", "high"))
    value = np.where(rng.random(n) < 0.2, rng.choice(["low", "middle", "high"], n), value)
    one = helpers.attribute("g", "a", "b")
    people = cohort_of(
        pd.DataFrame({"x": x, "y": pd.Categorical(value)}), [one],
        {"g": rng.choice(["a", "b"], n)}, (value == "high").astype(int), features=["x"],
    )  # fmt: skip
    asked = helpers.plan([one], resamples=100, outcome=Outcome(column="y", favourable=("high",)))
    done = audited(people, asked, models=["decision_tree"], k=5, classes="each")
    table = done.tables["confusion"]
    assert table["People"].sum() == n and len(table) == 2 * 3 * 3
    printed = next(
        t for s in sections(result=done.result, plan=asked) for t in s.tables
        if t.title == "Recorded against decided: Decision tree"
    )  # fmt: skip
    assert printed.columns == ("Group", "Recorded", "Decided high", "Decided low", "Decided middle")
    cells = [int(c) for row in printed.rows for c in row[2:]]
    assert cells == table["People"].tolist()


# one line an algorithm

ONE_LINE = """
import sys
from engine.models.algorithms import MODELS, Algorithm
MODELS["extra_trees"] = Algorithm("Extra trees", "sklearn.ensemble.ExtraTreesClassifier")
if __name__ == "__main__":
    from engine import cli
    sys.exit(cli.main(["audit", "plan.json", "--out", "out"]))
"""


def test_one_line_adds_an_algorithm(tmp_path: Path) -> None:
    rng = np.random.default_rng(12)
    n = 80
    pd.DataFrame(
        {"sex": rng.choice(["M", "F"], n), "income": rng.normal(size=n), "approved": rng.integers(0, 2, n)}
    ).to_csv(tmp_path / "people.csv", index=False)  # fmt: skip
    plan = driving.plan_of(
        methods={"crossval": {"k": 4, "models": ["extra_trees"]}}, features=["income"]
    )
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    (tmp_path / "more.py").write_text(ONE_LINE, encoding="utf-8")
    root = str(Path(__file__).resolve().parents[4])
    done = subprocess.run(
        [sys.executable, "more.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": root},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = driving.result_of(tmp_path / "out")["crossval"]
    assert found["models"]["extra_trees"]["title"] == "Extra trees"
    assert found["fits"] == {"extra_trees": "++++"}
    assert "extra_trees" not in MODELS
