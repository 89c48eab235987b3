"""The scenarios: each changes the training data, the features or the decisions, nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.problems import Problem, Refused
from engine.base.watch import Watch
from engine.base.wording import listed, percent
from engine.cohort.model import Attribute, Cohort, Sample
from engine.fairness.thresholds import threshold_for_rate
from engine.messages import say
from engine.models.apart import Trainer, answers
from engine.models.standin import StandIn

from .balance import balance
from .reweigh import cell_factor, kamiran_calders, shares_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """What all scenarios share."""

    training: Sample
    test: Sample
    attributes: tuple[Attribute, ...]
    features: tuple[str, ...]
    model: str
    parameters: Mapping[str, Any]
    seed: int
    target_rate: float | None
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Attribute to group key to printed name."""


@dataclass(frozen=True)
class Scenario:
    """One way of training or deciding.

    ``change`` is a key of :data:`engine.methods.mitigation.settings.SCENARIOS`, or ``none``.
    """

    name: str
    change: str
    attribute: Attribute
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Played:
    """A scenario played through: its people with their decisions, and what was done."""

    cohort: Cohort
    model: StandIn
    training: dict[str, Any]
    deciding: dict[str, Any]


def listed_scenarios(
    *,
    wanted: Sequence[str],
    attribute: Attribute,
    attributes: Sequence[Attribute],
    each: bool,
    left_out: tuple[str, ...],
) -> list[Scenario]:
    """The scenarios in their order; the first is the stand-in as it is."""
    found = [Scenario("As it is", "none", attribute)]
    chosen = attributes if each else (attribute,)
    for change, words in (
        ("reweighing", "Reweighed by {}"),
        ("cell factor", "One factor a group of {} (paper 003)"),
    ):
        if change in wanted:
            found += [Scenario(words.format(a.name), change, a) for a in chosen]
    if "proxies left out" in wanted:
        name = f"Without {listed(list(left_out))}" if left_out else "Without proxies"
        found.append(Scenario(name, "proxies left out", attribute, left_out))
    if "reweighing and proxies left out" in wanted:
        name = f"Reweighed by {attribute.name}, without proxies"
        found.append(Scenario(name, "reweighing and proxies left out", attribute, left_out))
    if "cell factor and proxies left out" in wanted:
        name = f"One factor a group of {attribute.name} (paper 003), without proxies"
        found.append(Scenario(name, "cell factor and proxies left out", attribute, left_out))
    for change, words in (
        ("oversampling", "{} balanced by made-up people"),
        ("undersampling", "{} balanced by leaving people out"),
        ("thresholds", "A threshold for each group of {}"),
    ):
        if change in wanted:
            found += [Scenario(words.format(a.name), change, a) for a in chosen]
    return found


def play(
    *, scenario: Scenario, study: Study, cohort: Cohort, trainer: Trainer, watch: Watch
) -> Played:
    """Train the stand-in under a scenario and let it decide on the test people.

    Raises
    ------
    Refused
        Where the scenario leaves nothing to train on, or needs what is not there.
    """
    training = study.training
    assert training.outcome is not None
    change = scenario.change
    features = tuple(f for f in study.features if f not in scenario.left_out)
    told: dict[str, Any] = {"change": change, "factors": None, "left_out": []}
    weight = training.weight
    if scenario.left_out:
        told["left_out"] = [f for f in study.features if f in scenario.left_out]
    elif "proxies" in change:
        raise _refuse("mitigation.no_proxies")
    if not features:
        raise _refuse("mitigation.no_features_left", left_out=listed(list(scenario.left_out)))
    if change.startswith(("reweighing", "cell factor")):
        way = cell_factor if change.startswith("cell factor") else kamiran_calders
        found = way(
            shares=shares_of(attribute=scenario.attribute, sample=training),
            outcome=training.outcome,
            weight=weight,
        )
        weight = found.weight
        told["factors"] = {
            g.key: {"unfavourable": float(f[0]), "favourable": float(f[1])}
            for g, f in zip(scenario.attribute.groups, found.factors, strict=True)
        }
        training = dataclasses.replace(training, weight=weight)
    elif change in ("oversampling", "undersampling"):
        training = balance(
            sample=training,
            attribute=scenario.attribute,
            attributes=study.attributes,
            features=features,
            oversample=change == "oversampling",
            seed=study.seed,
            words=study.words.get(scenario.attribute.name, {}),
        )
    outcome = training.outcome
    assert outcome is not None
    model = trainer.fit(
        model=study.model,
        frame=training.frame,
        target=outcome,
        features=features,
        seed=study.seed,
        parameters=study.parameters,
        weight=weight,
        watch=watch,
    )
    score, decision = answers(model=model, frame=study.test.frame, watch=watch)
    decision, deciding = _decide(scenario, study, score, decision)
    known = outcome >= 0
    mass = np.ones(len(training)) if weight is None else weight
    told |= {
        "rows": int(known.sum()),
        "effective_n": float(mass[known].sum() ** 2 / (mass[known] ** 2).sum()),
        "weighted": weight is not None,
        "base_rate": float(mass[outcome == 1].sum() / mass[known].sum()),
        "groups": _base_rates(scenario.attribute, training, mass),
    }
    played = dataclasses.replace(
        cohort,
        training=training,
        test=dataclasses.replace(study.test, decision=decision, score=score),
        whole=None,
        system_kind="stand-in",
        fitted=None,
    )
    return Played(played, model, told, deciding)


def _base_rates(attribute: Attribute, sample: Sample, mass: Floats) -> dict[str, float | None]:
    """The weighted rate of favourable outcomes of each group in the training data."""
    assert sample.outcome is not None
    counted = shares_of(attribute=attribute, sample=sample) * mass[:, None]
    good, known = (counted[rows].sum(axis=0) for rows in (sample.outcome == 1, sample.outcome >= 0))
    return {
        g.key: float(a / b) if b > 0 else None
        for g, a, b in zip(attribute.groups, good, known, strict=True)
    }


def _decide(
    scenario: Scenario, study: Study, score: Floats, decision: NDArray[np.int8]
) -> tuple[NDArray[np.int8], dict[str, Any]]:
    """Decisions by the stand-in, by one threshold for a rate, or by one for each group."""
    weight = study.test.weight
    if scenario.change != "thresholds":
        if study.target_rate is None:
            return decision, {"by": "the stand-in", "thresholds": []}
        cut = threshold_for_rate(score=score, rate=study.target_rate, weight=weight)
        if cut is None:
            return decision, {"by": "the stand-in", "thresholds": []}
        told = [{"group": None, **dataclasses.asdict(cut)}]
        return (score >= cut.value).astype(np.int8), {"by": "one threshold", "thresholds": told}
    if scenario.attribute.soft:
        raise _refuse("mitigation.thresholds_soft", attribute=scenario.attribute.name)
    codes = study.test.codes[scenario.attribute.name]
    mass = np.ones(len(score)) if weight is None else weight
    rate = study.target_rate
    if rate is None:
        rate = float((mass * (decision == 1)).sum() / mass.sum()) if mass.sum() > 0 else 0.0
    decided = decision.copy()
    cuts = []
    for g, group in enumerate(scenario.attribute.groups):
        mine = codes == g
        cut = threshold_for_rate(
            score=score[mine], rate=rate, weight=None if weight is None else weight[mine]
        )
        if cut is not None:
            decided[mine] = score[mine] >= cut.value
            cuts.append({"group": group.key, **dataclasses.asdict(cut)})
    return decided, {"by": "a threshold for each group", "thresholds": cuts}


def _refuse(code: str, **fields: Any) -> Refused:
    return Refused(Problem("", "", say(code, **fields)))


def tie_words(deciding: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """A sentence where ties make a rate miss its aim; empty without. ``words`` names groups."""
    missed = [
        say(
            "mitigation.ties",
            who=f"{words.get(one['group'], one['group'])}: " if one["group"] else "",
            wanted=percent(one["wanted"]),
            realised=percent(one["realised"]),
            n=one["ties"] + 1,
        )
        for one in deciding["thresholds"]
        if one["ties"] and abs(one["realised"] - one["wanted"]) > 0.005
    ]
    return " ".join(missed)
