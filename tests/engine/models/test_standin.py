"""Stand-ins: what they learn from, what they refuse, and that they repeat themselves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from engine.base.problems import Refused
from engine.models.encoding import Encoder, encode
from engine.models.standin import MODELS, fit, make
from engine.plan import keys

N = 400


@pytest.fixture(scope="module")
def people() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(3)
    income = rng.normal(size=N)
    town = rng.choice(["x", "y", "z"], N)
    chance = 1 / (1 + np.exp(-(2 * income + (town == "x"))))
    outcome = (rng.random(N) < chance).astype(np.int8)
    outcome[:10] = -1
    frame = pd.DataFrame({"income": income, "town": pd.Categorical(town)})
    frame.loc[::50, "income"] = np.nan
    frame.loc[5::50, "town"] = None
    return frame, outcome


def test_the_seven_of_the_contract_are_there() -> None:
    assert tuple(MODELS) == keys.MODELS


@pytest.mark.parametrize("model", MODELS)
def test_each_learns_and_repeats_itself(model: str, people) -> None:
    frame, outcome = people
    asked = {"model": model, "frame": frame, "target": outcome, "features": list(frame)}
    first = fit(**asked, seed=2**40 + 1)
    score, decision = first.both(frame)
    assert first.rows == N - 10
    assert score.dtype == np.float64 and decision.dtype == np.int8
    assert ((score >= 0) & (score <= 1)).all()
    assert (decision == outcome)[10:].mean() > 0.7
    with threadpool_limits(2):
        again, _ = fit(**asked, seed=2**40 + 1).both(frame)
    np.testing.assert_array_equal(score, again)
    # rows are scored one by one: neighbours change nothing
    np.testing.assert_allclose(first.score(frame.iloc[7:9]), score[7:9], atol=1e-12)


def test_logistic_regression_as_by_hand(people) -> None:
    frame, outcome = people
    known = outcome >= 0
    table = frame[known]
    income = table["income"]
    by_hand = np.column_stack(
        [income.fillna(income.median()), income.isna()]
        + [table["town"] == t for t in "xyz"]
        + [table["town"].isna()]
    ).astype(float)
    np.testing.assert_array_equal(encode(table, ["income", "town"]), by_hand)
    scaled = StandardScaler().fit_transform(by_hand)
    right = LogisticRegression(tol=1e-8).fit(scaled, outcome[known]).predict_proba(scaled)[:, 1]
    mine = fit(
        model="logistic_regression", frame=frame, target=outcome, features=list(frame), seed=1
    )
    np.testing.assert_allclose(mine.score(table), right, atol=1e-4)


def test_new_texts_have_no_place_and_order_of_rows_none_either(people) -> None:
    frame, _ = people
    learnt = Encoder.learn(frame=frame, features=["town"])
    assert learnt.names == ["town = x", "town = y", "town = z", "town = (blank)"]
    strange = pd.DataFrame({"town": pd.Categorical(["q", "y", None])})
    assert learnt.transform(strange).tolist() == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    assert Encoder.learn(frame=frame[::-1], features=["town"]).names == learnt.names


def test_many_texts_are_told() -> None:
    frame = pd.DataFrame({"id": [f"a{i:04}" for i in range(500)]}, dtype="string")
    learnt = Encoder.learn(frame=frame, features=["id"])
    assert len(learnt.names) == 201
    assert "500 different texts" in learnt.warnings[0]
    assert learnt.transform(frame).sum() == 500


def test_dates_and_truth_values_are_numbers() -> None:
    frame = pd.DataFrame(
        {"day": pd.to_datetime(["1970-01-02", None]), "yes": pd.array([True, None], "boolean")}
    )
    assert encode(frame, ["day", "yes"]).tolist() == [[1, 0, 1, 0], [1, 1, 1, 1]]


def test_weights_count_as_repeated_people(people) -> None:
    frame, outcome = people
    weight = np.where(np.arange(N) % 3 == 0, 2.0, 1.0)
    twice = np.concatenate([np.arange(N), np.flatnonzero(weight == 2)])
    asked = {"features": list(frame), "seed": 1, "parameters": {"tol": 1e-9}}
    model = "logistic_regression"
    weighted = fit(model=model, frame=frame, target=outcome, weight=weight, **asked)
    repeated = fit(model=model, frame=frame.iloc[twice], target=outcome[twice], **asked)
    # scaling sees other means, so the ridge differs a little
    np.testing.assert_allclose(weighted.score(frame), repeated.score(frame), atol=2e-3)
    with pytest.raises(Refused, match="Nearest neighbours cannot weigh people"):
        fit(
            model="k_nearest", frame=frame, target=outcome, features=["town"], seed=1, weight=weight
        )


def test_what_does_not_settle_is_told_in_words(people) -> None:
    frame, outcome = people
    net = fit(
        model="neural_network",
        frame=frame,
        target=outcome,
        features=list(frame),
        seed=1,
        parameters={"max_iter": 3},
    )
    assert net.warnings == [
        "Neural network stopped before it settled (3 rounds). "
        "Its decisions may change with more rounds."
    ]
    assert net.describe()["warnings"] == net.warnings


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": "random_forrest"}, 'did you mean "random_forest"'),
        ({"parameters": {"n_estimator": 5}}, 'did you mean "n_estimators"'),
        ({"parameters": {"random_state": 5}}, "set by the program"),
        ({"parameters": {"n_estimators": -5}}, "does not accept these parameters: .*n_estimators"),
        ({"features": []}, "at least one feature"),
        ({"features": ["incme"]}, 'feature "incme" is not in the training data'),
        ({"target": np.full(N, -1, np.int8)}, "known outcome, and there are 0"),
        ({"target": np.ones(N, np.int8)}, "all 400 people with a known outcome have the favour"),
    ],
)
def test_refused_with_the_mend(people, change: dict, words: str) -> None:
    frame, outcome = people
    asked = {"model": "random_forest", "frame": frame, "target": outcome, "features": ["income"]}
    with pytest.raises(Refused, match=words):
        fit(**(asked | change), seed=1)


def test_make_gives_an_unfitted_estimator_with_a_scale_where_needed() -> None:
    assert {m for m in MODELS if hasattr(make(m, 1), "steps")} == {
        "logistic_regression",
        "svm",
        "k_nearest",
        "neural_network",
    }


def test_every_message_is_used() -> None:
    from engine.messages import models

    root = Path(__file__).resolve().parents[3] / "engine"
    code = "".join(p.read_text() for p in root.glob("models/*.py"))
    used = set(re.findall(r'"(models\.[a-z_]+)"', code))
    assert used - {"models.told"} == set(models.TEXTS)


@pytest.mark.parametrize("room", ["intersection", "tradeoffs", "mitigation"])
def test_every_message_of_a_method_is_used(room: str) -> None:
    import importlib

    texts = importlib.import_module(f"engine.messages.{room}").TEXTS
    root = Path(__file__).resolve().parents[3] / "engine/methods" / room
    code = "".join(p.read_text() for p in root.glob("*.py"))
    unused = [
        key for key in texts if f'"{key}"' not in code and f'"{key.split(".")[1]}"' not in code
    ]
    assert not unused
