"""Scenarios against scikit-learn and fairlearn by hand, imbalanced-learn, and closed forms."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imblearn.under_sampling import RandomUnderSampler
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from engine.base.watch import Watch
from engine.methods.mitigation.balance import balance
from engine.methods.mitigation.compute import compute
from engine.methods.mitigation.proxies import moved_by, told_by
from engine.methods.mitigation.reweigh import kamiran_calders
from engine.methods.mitigation.settings import METHOD
from engine.models.standin import fit
from tests.engine import helpers

SEX = helpers.attribute("sex", "m", "f")
FEATURES = ("height", "skill", "tall")


def table_of(n: int, seed: int = 5) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["m", "f"], n)
    skill, height = rng.normal(size=n), rng.normal(size=n) + 1.5 * (sex == "m")
    y = (skill + 0.8 * (sex == "m") + rng.normal(size=n) > 0.6).astype(int)
    return pd.DataFrame(
        {"sex": sex, "skill": skill, "height": height, "tall": (height > 0.75) * 1, "y": y}
    )


def sample_of(table: pd.DataFrame, role: str) -> Any:
    found = helpers.sample(role, [SEX], {"sex": table["sex"]}, table["y"])
    return dataclasses.replace(found, frame=table[list(FEATURES)].reset_index(drop=True))


@pytest.fixture(scope="module")
def halves() -> tuple[pd.DataFrame, pd.DataFrame]:
    table = table_of(2400)
    return table[:1400].reset_index(drop=True), table[1400:].reset_index(drop=True)


@pytest.fixture(scope="module")
def played(halves: tuple[pd.DataFrame, pd.DataFrame]) -> dict[str, Any]:
    training, test = halves
    people = helpers.cohort(
        [SEX], training=sample_of(training, "training"), test=sample_of(test, "test")
    )
    result = compute(
        cohort=dataclasses.replace(people, features=FEATURES),
        plan=helpers.plan([SEX], resamples=100, seed=42),
        settings={**METHOD.defaults(), "model": "logistic_regression", "proxies": ["height"]},
        watch=Watch(),
    ).result
    return {one["change"]: one for one in result["scenarios"]}


def by_hand(
    training: pd.DataFrame, test: pd.DataFrame, columns: list[str], weight: Any = None
) -> np.ndarray:
    learner = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-10, max_iter=5000))
    asked = {} if weight is None else {"logisticregression__sample_weight": weight}
    return learner.fit(training[columns], training["y"], **asked).predict(test[columns])


def kc_by_hand(training: pd.DataFrame) -> pd.Series:
    """P(group) P(outcome) / P(group, outcome), straight from the paper of Kamiran and Calders."""
    n = len(training)
    group = training.groupby("sex")["y"].transform("size") / n
    outcome = training.groupby("y")["y"].transform("size") / n
    both = training.groupby(["sex", "y"])["y"].transform("size") / n
    return group * outcome / both


CASES = {
    "none": (["height", "skill", "tall"], False),
    "reweighing": (["height", "skill", "tall"], True),
    "proxies left out": (["skill", "tall"], False),
    "reweighing and proxies left out": (["skill", "tall"], True),
}


@pytest.mark.parametrize("change", CASES)
def test_scenarios_by_scikit_learn_and_fairlearn(
    halves: tuple[pd.DataFrame, pd.DataFrame], played: dict[str, Any], change: str
) -> None:
    metrics = pytest.importorskip("fairlearn.metrics")
    training, test = halves
    columns, weighted = CASES[change]
    weight = kc_by_hand(training) if weighted else None
    decided = by_hand(training, test, columns, weight)
    one = played[change]
    assert one["accuracy"]["value"] == pytest.approx(accuracy_score(test["y"], decided))
    assert one["selection_rate"] == pytest.approx(decided.mean())
    rates = metrics.MetricFrame(
        metrics={
            "TPR": metrics.true_positive_rate,
            "FPR": metrics.false_positive_rate,
            "selection": metrics.selection_rate,
        },
        y_true=test["y"],
        y_pred=decided,
        sensitive_features=test["sex"],
    ).by_group
    mine = {name: m["value"] for name, m in one["attributes"]["sex"]["metrics"].items()}
    eod, emod = (rates[r]["m"] - rates[r]["f"] for r in ("TPR", "FPR"))
    assert mine["EOD"] == pytest.approx(eod, abs=1e-12)
    assert mine["EMOD"] == pytest.approx(emod, abs=1e-12)
    assert mine["AOD"] == pytest.approx(-(eod + emod) / 2, abs=1e-12)
    mass = np.ones(len(training)) if weight is None else weight
    share = (mass * training["y"]).groupby(training["sex"]).sum() / pd.Series(mass).groupby(
        training["sex"]
    ).sum()
    assert mine["SPD"] == pytest.approx(share["f"] - share["m"], abs=1e-12)
    assert mine["DI"] == pytest.approx(share["f"] / share["m"], abs=1e-12)
    away = np.array([mine["SPD"], mine["DI"] - 1, eod, emod, mine["AOD"]])
    index = float(np.sqrt((away**2).mean()))
    assert one["bias_index"]["sex"]["value"] == pytest.approx(index, abs=1e-12)
    assert one["fairness_score"]["value"] == pytest.approx(1 - index, abs=1e-12)
    for group in ("m", "f"):
        rate = one["cells"][f"sex={group}"]["rate"]["value"]
        assert rate == pytest.approx(rates["selection"][group], abs=1e-12)


def test_a_threshold_for_each_group_gives_the_wanted_rate(
    halves: tuple[pd.DataFrame, pd.DataFrame], played: dict[str, Any]
) -> None:
    training, test = halves
    learner = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-10, max_iter=5000))
    columns = list(FEATURES)
    score = learner.fit(training[columns], training["y"]).predict_proba(test[columns])[:, 1]
    wanted = (score > 0.5).mean()
    after = np.zeros(len(test), int)
    for group in ("m", "f"):
        mine = (test["sex"] == group).to_numpy()
        after[mine] = score[mine] >= np.quantile(score[mine], 1 - wanted)
        rate = played["thresholds"]["cells"][f"sex={group}"]["rate"]["value"]
        assert rate == pytest.approx(after[mine].mean(), abs=1e-12)
        assert rate == pytest.approx(wanted, abs=1.5 / mine.sum())


@settings(max_examples=40, deadline=None)
@given(cells=st.lists(st.integers(1, 30), min_size=6, max_size=6))
def test_reweighing_makes_group_and_outcome_independent(cells: list[int]) -> None:
    """Closed form: every weighted cell is the product of its margins, and nothing is lost."""
    joint = np.array(cells, float).reshape(3, 2)
    group, outcome = np.indices((3, 2))
    repeats = joint.astype(int).ravel()
    groups, y = np.repeat(group.ravel(), repeats), np.repeat(outcome.ravel(), repeats)
    shares = (groups[:, None] == np.arange(3)).astype(float)
    found = kamiran_calders(shares=shares, outcome=y.astype(np.int8)).weight
    n = joint.sum()
    weighted = np.zeros((3, 2))
    np.add.at(weighted, (groups, y), found)
    assert weighted == pytest.approx(joint.sum(axis=1)[:, None] * joint.sum(axis=0) / n)
    assert found.sum() == pytest.approx(n)


def level(training: pd.DataFrame, oversample: bool) -> Any:
    return balance(
        sample=sample_of(training, "training"),
        attribute=SEX,
        attributes=[SEX],
        features=["height", "skill"],
        oversample=oversample,
        seed=42,
    )


def test_undersampling_keeps_as_many_as_imbalanced_learn(
    halves: tuple[pd.DataFrame, pd.DataFrame],
) -> None:
    training, _ = halves
    made = level(training, oversample=False)
    cells = Counter(zip(made.codes["sex"].tolist(), made.outcome.tolist(), strict=True))
    before = Counter(
        zip((training["sex"] == "f").astype(int).tolist(), training["y"].tolist(), strict=True)
    )
    # the wanted odds are those of the better group; a handful is lost to whole people
    odds = before[0, 1] / before[0, 0]
    assert cells[0, 1] / cells[0, 0] == pytest.approx(odds, rel=0.02)
    assert cells[1, 1] * cells[0, 0] == cells[0, 1] * cells[1, 0]  # exactly level
    assert before[1, 1] - cells[1, 1] <= 40 and before[0, 0] - cells[0, 0] <= 40
    women = training[training["sex"] == "f"]
    sampler = RandomUnderSampler(
        sampling_strategy={0: round(before[1, 1] / odds), 1: before[1, 1]}, random_state=1
    )
    _, kept = sampler.fit_resample(women[["skill"]], women["y"])
    assert abs(int((kept == 0).sum()) - cells[1, 0]) <= 40
    whole = set(map(tuple, training[["height", "skill"]].to_numpy()))
    assert set(map(tuple, made.frame[["height", "skill"]].to_numpy())) <= whole


def test_made_up_people_lie_between_two_real_ones_of_their_group(
    halves: tuple[pd.DataFrame, pd.DataFrame],
) -> None:
    """The definition of SMOTE: a point on the line from a person to one of five neighbours."""
    training, _ = halves
    made = level(training, oversample=True)
    real = len(made.frame) - int(made.frame["tall"].isna().sum())
    new = made.frame[["height", "skill"]].to_numpy()[real:]
    assert (
        len(new) > 50 and (made.codes["sex"][real:] == 1).all() and (made.outcome[real:] == 1).all()
    )
    pool = training[(training["sex"] == "f") & (training["y"] == 1)][["height", "skill"]].to_numpy()
    distance = np.linalg.norm(pool[:, None] - pool, axis=2)
    near = np.argsort(distance, axis=1)[:, 1:6]
    start, end = np.repeat(pool, 5, axis=0), pool[near.ravel()]
    along = end - start
    for point in new[:60]:
        t = ((point - start) * along).sum(axis=1) / (along**2).sum(axis=1)
        off = np.linalg.norm(start + np.clip(t, 0, 1)[:, None] * along - point, axis=1)
        assert off.min() < 1e-9


def test_what_a_feature_tells_has_its_closed_form() -> None:
    """Two normals 1.5 apart: the area under the curve is Phi(1.5 / sqrt 2) = 0.8556."""
    table = table_of(12_000, seed=1)
    found = told_by(
        attribute=SEX,
        sample=sample_of(table, "training"),
        features=FEATURES,
        own=(),
        folds=5,
        seed=1,
        watch=Watch(),
    )
    assert found["features"]["height"] == pytest.approx(0.8556, abs=0.012)
    assert found["features"]["skill"] == pytest.approx(0.5, abs=0.02)
    exact = roc_auc_score(table["sex"] == "m", table["tall"])
    assert found["features"]["tall"] == pytest.approx(exact, abs=0.01)
    assert found["together"] == pytest.approx(found["features"]["height"], abs=0.02)


def test_what_a_feature_moves_has_its_closed_form() -> None:
    """A decision that is the feature itself changes for 2 p (1 - p) of people when shuffled."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"x": (rng.random(8000) < 0.3) * 1, "z": rng.random(8000)})
    model = fit(
        model="decision_tree",
        frame=frame,
        target=frame["x"].to_numpy(np.int8),
        features=["x", "z"],
        seed=1,
    )
    found = moved_by(model=model, frame=frame, seed=1, watch=Watch())
    p = frame["x"].mean()
    assert found["x"] == pytest.approx(2 * p * (1 - p), abs=0.01)
    assert found["z"] == 0.0
