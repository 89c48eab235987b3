"""Who is compared: one sample of the cohort, as arrays that the method needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.cohort.labels import words_of
from engine.cohort.model import Attribute, Cohort, Sample
from engine.messages import say
from engine.plan.model import Plan
from engine.plan.reading import is_number

from .likelihood import GRIDS


@dataclass(frozen=True)
class People:
    """People with a known group, in the order of the sample.

    ``outcome`` is what was observed (1, 0, -1 unknown), from ``outcome_from`` (``recorded
    outcomes`` or ``decisions``); ``refused`` is the decision where there is one, else the
    outcome; ``words`` says how each group is printed; ``score`` is None where it has to be fitted; ``uses_protected`` None: not known.
    ``turned``: the score is the supplied one with its sign changed, so that high is favourable.
    """

    attribute: Attribute
    words: Mapping[str, str]
    role: str
    frame: pd.DataFrame
    names: list[str]
    group: NDArray[np.int16]
    protected: NDArray[np.bool_]
    outcome: NDArray[np.int8]
    outcome_from: str
    target: NDArray[np.int8]
    refused: NDArray[np.int8]
    score: NDArray[np.float64] | None
    score_model: str
    uses_protected: bool | None
    turned: bool
    features: tuple[str, ...]
    left_out: int


def _choose(cohort: Cohort, prediction: str) -> tuple[Sample | None, bool]:
    """The sample, and whether its score is used: scored people first, else all recorded ones."""
    if prediction in ("auto", "score"):
        for sample in (cohort.decided, cohort.test, cohort.whole, cohort.training):
            if sample is not None and sample.score is not None and np.isfinite(sample.score).any():
                return sample, True
        if prediction == "score":
            return None, False
    for sample in (cohort.whole, cohort.recorded, cohort.decided, cohort.test, cohort.training):
        if sample is not None and (sample.outcome is not None or sample.decision is not None):
            return sample, False
    return None, False


def gather(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any]) -> People:
    """Take the people with a known group out of the cohort.

    Raises
    ------
    Refused
        For an attribute given as probabilities, no usable feature, or no score where one is asked.
    """
    _check_forms(plan, settings)
    attribute = cohort.attribute(settings["attribute"])
    if attribute.soft:
        raise Refused(
            Problem(
                plan.name, "methods.peers.attribute", say("peers.soft", attribute=attribute.name)
            )
        )
    prediction = settings["prediction"]
    sample, scored = _choose(cohort, prediction)
    if sample is None:
        code = "peers.no_score" if prediction == "score" else "peers.nothing"
        raise Refused(Problem(plan.name, "methods.peers.prediction", say(code)))
    own = {a.column for a in cohort.attributes} | {a.name for a in cohort.attributes}
    features = tuple(f for f in cohort.features if f not in own and f in sample.frame)
    if not features:
        raise Refused(Problem(plan.name, "features", say("peers.no_features")))
    codes = sample.codes[attribute.name]
    keep = codes >= 0
    rows = np.flatnonzero(keep)
    unknown = np.full(len(rows), -1, np.int8)
    outcome = unknown if sample.outcome is None else sample.outcome[rows]
    decision = unknown if sample.decision is None else sample.decision[rows]
    recorded = bool((outcome >= 0).any())
    observed = outcome if recorded else decision
    score, turned = _likelihood_of(sample, plan, rows) if scored else (None, False)
    ids = [None] * len(rows) if sample.ids is None else [sample.ids[i] for i in rows]
    return People(
        attribute=attribute,
        words={
            g.key: words_of(plan=plan, attribute=attribute.name, key=g.key)
            for g in attribute.groups
        },
        role=sample.role,
        frame=sample.frame.iloc[rows],
        names=unique_names(ids=ids, rows=[int(i) + 1 for i in rows]),
        group=codes[rows],
        protected=codes[rows] > 0,
        outcome=observed,
        outcome_from="recorded outcomes" if recorded else "decisions",
        target=decision if (decision >= 0).any() and not recorded else observed,
        refused=decision if (decision >= 0).any() else observed,
        score=score,
        score_model=""
        if scored
        else (prediction if prediction in GRIDS else "logistic_regression"),
        uses_protected=_uses(cohort, attribute, scored, settings["score_uses_protected"]),
        turned=turned,
        features=features,
        left_out=int((~keep).sum()),
    )


def _likelihood_of(
    sample: Sample, plan: Plan, rows: NDArray[np.int64]
) -> tuple[NDArray[np.float64] | None, bool]:
    """The score as high is favourable: a chance of the bad becomes the chance of the good.

    Other scores of which high is unfavourable come with their sign changed; True says so.
    """
    if sample.score is None:
        return None, False
    score = sample.score[rows]
    if plan.system is None or plan.system.score_high_is != "unfavourable":
        return score, False
    known = sample.score[np.isfinite(sample.score)]
    if known.min() >= -1 and known.max() <= 0:
        return 1.0 + score, False
    return score, True


def unique_names(*, ids: Sequence[Any], rows: Sequence[int]) -> list[str]:
    """What each person is called: by the id, with the row where several have the same one.

    A page is about one person; two of one name would share it, each reading of the other.

    Examples
    --------
    >>> unique_names(ids=["A", "B", "A", None, "A, row 1"], rows=[1, 2, 3, 4, 5])
    ['A, row 1, row 1', 'B', 'A, row 3', 'Row 4', 'A, row 1, row 5']
    """
    names = [
        f"Row {row}" if pd.isna(own) or not str(own).strip() else str(own)
        for own, row in zip(ids, rows, strict=True)
    ]
    while len(often := Counter(names)) < len(names):
        names = [
            f"{name}, row {row}" if often[name] > 1 else name
            for name, row in zip(names, rows, strict=True)
        ]
    return names


def _check_forms(plan: Plan, settings: Mapping[str, Any]) -> None:
    """Refuse free settings that are no order, no list of names or no list of shares."""
    order, fixed, levels = settings["order"], settings["intrinsic"], settings["stress_levels"]
    problems = []
    if not isinstance(order, Mapping):
        problems.append(("order", say("peers.form_order")))
    if not isinstance(fixed, list | tuple) or not all(isinstance(v, str) for v in fixed):
        problems.append(("intrinsic", say("peers.form_names")))
    good = isinstance(levels, list | tuple) and all(is_number(v) and 0 < v < 100 for v in levels)
    if not good:
        problems.append(("stress_levels", say("peers.form_levels")))
    if problems:
        raise Refused(Problem(plan.name, f"methods.peers.{key}", text) for key, text in problems)


def _uses(cohort: Cohort, attribute: Attribute, scored: bool, said: str) -> bool | None:
    """Whether the compared likelihood may differ by the protected attribute alone."""
    if not scored:
        return False
    if said != "auto":
        return said == "yes"
    if cohort.fitted is not None and attribute.column is not None:
        return attribute.column in tuple(cohort.fitted.columns)
    return None
