"""People for tests of the cross-validated method."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from engine.base.canonical import canonical_json
from engine.base.watch import Watch
from engine.cohort.model import Attribute, Cohort
from engine.drawing.alt import alt_of
from engine.drawing.tables import table_of
from engine.methods.base import Computed
from engine.methods.crossval.compute import compute
from engine.methods.crossval.figures import figures
from engine.methods.crossval.findings import findings, sections
from engine.methods.crossval.settings import METHOD
from engine.plan.model import Outcome, Plan, System
from tests.engine import helpers

SHORT = {
    "SVM": "svm",
    "LR": "logistic_regression",
    "KNN": "k_nearest",
    "RF": "random_forest",
    "DT": "decision_tree",
    "ANN": "neural_network",
}


def audited(
    people: Cohort, asked: Plan | None = None, *, watch: Watch | None = None, **changes: Any
) -> Computed:
    """The method's part of a result, checked to be printable in every way."""
    asked = asked or helpers.plan(people.attributes, resamples=200)
    done = compute(
        cohort=people,
        plan=asked,
        settings={**METHOD.defaults(), **changes},
        watch=watch or Watch(),
    )
    canonical_json(done.result)
    told = findings(result=done.result, plan=asked)
    for finding in told:
        assert "nan" not in finding.sentence.lower().split() and finding.sentence
        assert " fair." not in finding.sentence
    for section in sections(result=done.result, plan=asked):
        for table in section.tables:
            assert all(len(row) == len(table.columns) == len(table.align) for row in table.rows)
    for chart in figures(result=done.result, tables=done.tables):
        table_of(chart)
        assert alt_of(chart)
    return done


def cohort_of(
    frame: pd.DataFrame,
    attributes: Sequence[Attribute],
    groups: Mapping[str, Sequence[Any]],
    outcome: Sequence[Any],
    *,
    features: Sequence[str] = (),
    decision: Sequence[Any] | None = None,
    weight: Sequence[float] | None = None,
    kind: str = "none",
) -> Cohort:
    """Everybody in one table."""
    sample = helpers.sample(
        "all", attributes, groups, outcome=outcome, decision=decision, weight=weight
    )
    sample = dataclasses.replace(sample, frame=frame.reset_index(drop=True))
    people = helpers.cohort(attributes, whole=sample, system_kind=kind)
    return dataclasses.replace(people, features=tuple(features))


def german(shared: Path) -> tuple[Cohort, pd.DataFrame]:
    """German credit by sex, learnt without sex and age, and the stored out-of-fold decisions."""
    table = pd.read_csv(shared / "data/german_statlog_text.csv", keep_default_na=False)
    stored = pd.read_csv(shared / "cases/methods/b_german_oof.csv")
    frame = table.drop(columns=["creditability", "personal_status_and_sex", "age_in_years"])
    for column in frame:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            frame[column] = frame[column].astype("category")
    sex = helpers.attribute("sex", "male", "female")
    people = cohort_of(
        frame, [sex], {"sex": stored["sex"]}, stored["y"], features=list(frame.columns)
    )
    return people, stored


def own_decisions(stored: pd.DataFrame, name: str, fold: str) -> tuple[Cohort, Plan]:
    """The stored decisions as a system's own, out of fold, by sex and by age."""
    sex = helpers.attribute("sex", "male", "female")
    age = helpers.attribute("age3", "old", "mid", "young")
    people = cohort_of(
        stored,
        [sex, age],
        {"sex": stored["sex"], "age3": stored["age3"]},
        stored["y"],
        decision=stored[name],
        kind="columns",
    )
    asked = helpers.plan(
        people.attributes,
        resamples=200,
        system=System(prediction=Outcome(column=name, favourable=(1,))),
    )
    assert fold in stored
    return people, asked


def simulated(n: int, *, minority: float, seed: int, places: int = 4, gap: float = 0.0) -> Cohort:
    """People whose outcome follows their features; the group follows nothing, unless ``gap``."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, places))
    group = np.where(rng.random(n) < minority, "b", "a")
    chance = 1 / (1 + np.exp(-(1.2 * x[:, 0] - 0.8 * x[:, 1] + 0.3)))
    y = (rng.random(n) < chance).astype(int)
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(places)])
    if gap:
        frame["x0"] = np.where(group == "b", frame["x0"] - gap, frame["x0"])
    one = helpers.attribute("g", "a", "b")
    return cohort_of(frame, [one], {"g": group}, y, features=list(frame.columns))
