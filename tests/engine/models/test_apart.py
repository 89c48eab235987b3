"""Long fits in another process: the same fit, refusals in words, and an end at once on Cancel."""

from __future__ import annotations

import multiprocessing
import threading
import time

import numpy as np
import pandas as pd
import pytest

from engine.base.problems import Cancelled, Refused
from engine.base.watch import Progress, Watch
from engine.models import apart
from engine.models.standin import fit


def people(n: int) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n),
            "z": rng.normal(size=n),
            "c": pd.Categorical(rng.choice(list("ab"), n)),
            "aside": "never sent",
        }
    )
    return frame, (frame["x"] + rng.normal(size=n) > 0).to_numpy().astype(np.int8)


def test_where_a_fit_is_made_does_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "LONG_FROM", {"random_forest": 1, "k_nearest": 1, "svm": 1})
    frame, target = people(200)
    weight = np.linspace(0.5, 2, 200)
    asked = {"frame": frame, "target": target, "features": ["x", "z", "c"], "seed": 3}
    with apart.Trainer() as trainer:
        for model, more in (("random_forest", {"weight": weight}), ("svm", {})):
            here = fit(model=model, **asked, **more)
            there = trainer.fit(model=model, **asked, **more, watch=Watch())
            assert there.score(frame).tolist() == here.score(frame).tolist()
            assert there.describe() == here.describe()
        first = trainer._process
        with pytest.raises(Refused, match="cannot weigh people"):
            trainer.fit(model="k_nearest", **asked, weight=weight, watch=Watch())
        with pytest.raises(Refused, match="nothing to learn"):
            trainer.fit(model="svm", **{**asked, "target": target * 0}, watch=Watch())
        assert trainer._process is first and first.is_alive()  # one process for all
        first.kill()  # as a system does that is out of memory
        with pytest.raises(Refused, match="ended without an answer"):
            trainer.fit(model="svm", **asked, watch=Watch())
        again = trainer.fit(model="svm", **asked, watch=Watch())
        assert again.decide(frame).tolist() == fit(model="svm", **asked).decide(frame).tolist()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("wait", [0.2, 3.0])
def test_cancel_ends_a_long_fit_at_once(wait: float) -> None:
    """While the other process starts, and in the middle of the fit."""
    frame, target = people(30_000)
    stop = threading.Event()
    told: list[str] = []
    asked_at: list[float] = []

    def report(progress: Progress) -> None:
        told.append(progress.text)

    def ask() -> None:
        asked_at.append(time.monotonic())
        stop.set()

    threading.Timer(wait, ask).start()
    with apart.Trainer() as trainer, pytest.raises(Cancelled):
        trainer.fit(
            model="svm", frame=frame, target=target, features=["x", "z", "c"], seed=1,
            watch=Watch(report, stop),
        )  # fmt: skip
    assert time.monotonic() - asked_at[0] < 2.0
    assert told == ["Training: Support vector machine"]
    assert not multiprocessing.active_children()


def test_slow_answers_are_given_in_parts_and_are_the_same() -> None:
    frame, target = people(2_600)
    model = fit(model="k_nearest", frame=frame, target=target, features=["x", "z"], seed=1)
    score, decision = apart.answers(model=model, frame=frame, watch=Watch())
    whole = model.both(frame)
    assert score.tolist() == whole[0].tolist() and decision.tolist() == whole[1].tolist()
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        apart.answers(model=model, frame=frame, watch=Watch(stop=stop))
