"""The peers method: numbers in, numbers out. See the help page for what each number means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base import wording
from engine.base.canonical import plain
from engine.base.watch import Watch
from engine.cohort.model import Cohort
from engine.messages import say
from engine.methods.base import Computed
from engine.models.encoding import Encoder
from engine.plan.model import Plan

from . import stress
from .audit import Audited, audit, enough
from .effect import group_effect
from .explain import Explained, explain, read_features
from .likelihood import Fitted, fit
from .matching import Floats, Stretches, find_peers
from .numbers import (
    Companions,
    Result,
    companion_numbers,
    frame_of_result,
    model_numbers,
    published_numbers,
    refusals,
    stress_numbers,
    without,
)
from .people import People, gather
from .published import CLASSES
from .settings import METHOD
from .tables import balance_table, peers_table, unprotected_table
from .valid import (
    balance,
    equivalence,
    exact_ranks,
)


def compute(*, cohort: Cohort, plan: Plan, settings: Mapping[str, Any], watch: Watch) -> Computed:
    """Compare each protected person with unprotected peers, as published and as valid.

    Parameters
    ----------
    cohort, plan, settings, watch
        See :mod:`engine.methods.base`; settings left out take their defaults.

    Returns
    -------
    Computed
        ``result`` as the contract fixes it; tables ``peers`` (one row a protected person),
        ``peers_unprotected``, ``peers_balance``, ``watchout`` and ``stress``.

    Raises
    ------
    Refused
        See :func:`.people.gather` and :func:`.explain.read_features`.
    """
    settings = {**METHOD.defaults(), **{k: v for k, v in settings.items() if v is not None}}
    people = gather(cohort=cohort, plan=plan, settings=settings)
    features = read_features(
        frame=people.frame, features=people.features, order=settings["order"],
        intrinsic=settings["intrinsic"], file=plan.name,
    )  # fmt: skip
    warnings: list[dict[str, Any]] = []

    def warn(code: str, where: str = "methods.peers", **fields: Any) -> str:
        text = say(f"peers.{code}", **fields)
        warnings.append({"code": f"peers.{code}", "text": text, "where": where})
        return text

    encoder = Encoder.learn(frame=people.frame, features=people.features)
    matrix = encoder.transform(people.frame)
    for name in people.features:
        if bool(people.frame[name].isna().all()):
            warn("blank_feature", feature=name)
    if plan.weight is not None:
        warn("weights")
    n_protected, n_other = int(people.protected.sum()), int((~people.protected).sum())
    base: Result = frame_of_result(people, settings, n_protected, n_other)
    base["confidence"] = plan.confidence
    if not n_protected or not n_other:
        reason = warn("one_side", protected=n_protected, unprotected=n_other)
        return Computed(plain(without(base, reason)), {}, tuple(warnings))
    if n_protected < 30:
        warn("few_protected", n=n_protected)

    seed = plan.seed % 2**32
    fitting = fit(
        matrix=matrix, target=people.protected.astype(np.int8),
        known=np.ones(len(people.protected), bool), model=settings["fitting_model"],
        tune=bool(settings["tune"]), seed=seed, watch=watch.part(0.0, 0.25), words="comparable people",
    )  # fmt: skip
    apart = float(((fitting.probability > 0.99) | (fitting.probability < 0.01)).mean())
    if apart > 0.5:
        warn("separated", share=wording.percent(apart))
    prediction, reason = _likelihood(people, matrix, settings, seed, watch.part(0.25, 0.45), warn)
    if prediction is None:
        return Computed(plain(without(base, reason)), {}, tuple(warnings))
    likelihood, predicted = prediction

    found = audit(
        propensity=fitting.probability, likelihood=likelihood, protected=people.protected,
        settings=settings, rng=np.random.default_rng([plan.seed, 7, 1]), watch=watch.part(0.45, 0.6),
    )  # fmt: skip
    if found.delta == 0 and settings["delta"] is None:
        warn("sd_zero")
    beside = _companions(people, fitting.probability, found, settings)
    watch.say("Weighing the features", fraction=0.62)
    even = balance(
        matrix=matrix, protected=people.protected, published=_among_all(found),
        published_tested=found.tested, like=_among_all(found, beside.like), like_tested=beside.like_tested,
    )  # fmt: skip
    effect = group_effect(
        outcome=people.outcome, people=people, matrix=matrix, plan=plan, fitting=fitting, seed=seed,
        watch=watch.part(0.62, 0.66),
    )  # fmt: skip
    if effect["value"] is None:
        warnings.append(
            {"code": "peers.effect", "text": effect["reason"], "where": "methods.peers"}
        )
    decided = None
    if people.outcome_from == "recorded outcomes" and (people.refused is not people.outcome):
        decided = group_effect(
            outcome=people.refused, people=people, matrix=matrix, plan=plan, fitting=fitting,
            seed=seed, watch=watch.part(0.66, 0.7),
        )  # fmt: skip
    told = _explained(people, found, features, settings, watch.part(0.7, 0.75))
    result = {
        **base,
        **published_numbers(found, settings),
        "models": model_numbers(fitting, predicted, people),
        "companions": {
            **companion_numbers(people, found, beside, settings, effect, even, encoder.names),
            "decision_effect": decided,
        },
        "refusals": refusals(people, found),
        "explanations": told.features,
        "explained": {"people": told.people, "too_few_accepted": told.too_few, "left_out": told.left_out, "fair_and_refused": int(_fair_refused(people, found).sum())},
        "permuted": _permuted(people, matrix, likelihood, fitting, settings, plan.seed, watch.part(0.75, 0.85)),
        "stress": [], "stress_runs": None,
    }  # fmt: skip
    _say_limits(people, found, beside, settings, result, warn)
    tables = {
        "peers": peers_table(people=people, found=found, beside=beside, propensity=fitting.probability),
        "peers_unprotected": unprotected_table(people=people, found=found, propensity=fitting.probability),
        "peers_balance": balance_table(names=encoder.names, balance=even),
        "watchout": told.rows,
    }  # fmt: skip
    if settings["stress"]:
        entries, cells = stress.run(
            setup=stress.Setup(
                matrix, people.protected, people.target, people.score, people.score_model,
                fitting.probability, likelihood, found, settings, plan.seed,
            ),
            watch=watch.part(0.85, 1.0),
        )  # fmt: skip
        result |= stress_numbers(entries, cells)
        tables["stress"] = stress.table(entries)
    return Computed(plain(result), tables, tuple(warnings))


def _likelihood(
    people: People,
    matrix: Floats,
    settings: Mapping[str, Any],
    seed: int,
    watch: Watch,
    warn: Any,
) -> tuple[tuple[Floats, Fitted | None] | None, str]:
    """The supplied score, or the paper's own prediction model."""
    if people.score is not None:
        known = people.score[np.isfinite(people.score)]
        if people.turned:
            warn("turned")
        if known.min() < 0 or known.max() > 1:
            warn(
                "relative_score",
                low=wording.number(float(known.min()), digits=2),
                high=wording.number(float(known.max()), digits=2),
            )
        return (people.score, None), ""
    answered = people.target >= 0
    if not answered.any():
        return None, warn("no_outcome")
    if len(np.unique(people.target[answered])) < 2:
        return None, warn("one_outcome", n=int(answered.sum()))
    fitted = fit(
        matrix=matrix, target=people.target, known=answered, model=people.score_model,
        tune=bool(settings["tune"]), seed=seed, watch=watch, words="the favourable outcome",
    )  # fmt: skip
    return (fitted.probability, fitted), ""


def _companions(
    people: People, propensity: Floats, found: Audited, settings: Mapping[str, Any]
) -> Companions:
    """Same-propensity peers: as near in propensity as delta is in the coefficient.

    The coefficient of a protected person is propensity / share, so delta times the share is the
    same distance on the scale of the propensity itself.
    """
    mine, others = propensity[people.protected], propensity[~people.protected]
    caliper = found.delta * float(people.protected.mean())
    like = find_peers(protected=mine, unprotected=others[found.usable], delta=caliper)
    tested = enough(like.n, {**settings, "replace": True}) & np.isfinite(found.own)
    own = np.where(np.isfinite(found.own), found.own, 0.0)
    ranks = exact_ranks(
        stretches=like, likelihood=found.theirs[found.usable], own=own, tested=tested
    )
    alike = equivalence(
        own=found.own, peers=found.peers, n=found.stretches.n, margin=float(settings["margin"])
    )
    return Companions(like, tested, caliper, ranks, alike)


def _among_all(found: Audited, stretches: Stretches | None = None) -> Stretches:
    """The same peers, counted among all unprotected people and not only those with a likelihood."""
    inner = stretches or found.stretches
    places = np.flatnonzero(found.usable)
    return Stretches(places[inner.order], inner.low, inner.high)


def _fair_refused(people: People, found: Audited) -> NDArray[np.bool_]:
    fair: NDArray[np.bool_] = (found.classes == CLASSES.index("FT")) & (
        people.refused[people.protected] == 0
    )
    return fair


def _explained(
    people: People, found: Audited, features: Any, settings: Mapping[str, Any], watch: Watch
) -> Explained:
    """The list for those the published test calls fairly treated and who were refused."""
    rows, others = np.flatnonzero(people.protected), np.flatnonzero(~people.protected)
    usable = others[found.usable]
    accepted = people.refused[usable] == 1
    listed = []
    for person in np.flatnonzero(_fair_refused(people, found)):
        peers = found.stretches.of(int(person))
        listed.append((int(rows[person]), usable[peers[accepted[peers]]]))
    return explain(
        features=features, people=listed, names=people.names, settings=settings, watch=watch
    )


def _permuted(
    people: People,
    matrix: Floats,
    likelihood: Floats,
    fitting: Fitted,
    settings: Mapping[str, Any],
    seed: int,
    watch: Watch,
) -> Result | None:
    """What the published test flags in these data when the groups mean nothing."""
    times = int(settings["permutations"])
    if not times:
        return None
    shares = []
    for number in range(times):
        watch.say("Shuffling the groups", done=number, total=times)
        shuffled = np.random.default_rng([seed, 11, number]).permutation(people.protected)
        refit = fit(
            matrix=matrix, target=shuffled.astype(np.int8), known=np.ones(len(shuffled), bool),
            model=fitting.model, tune=False, seed=seed % 2**32, watch=Watch(), words="",
        )  # fmt: skip
        again = audit(
            propensity=refit.probability, likelihood=likelihood, protected=shuffled, settings=settings,
            rng=np.random.default_rng([seed, 12, number]), watch=Watch(),
        )  # fmt: skip
        if again.unfair_share is not None:
            shares.append(again.unfair_share)
    if not shares:
        return {"times": times, "tested": 0, "mean": None, "low": None, "high": None}
    return {
        "times": times,
        "tested": len(shares),
        "mean": float(np.mean(shares)),
        "low": min(shares),
        "high": max(shares),
    }


def _say_limits(
    people: People,
    found: Audited,
    beside: Companions,
    settings: Mapping[str, Any],
    result: Result,
    warn: Any,
) -> None:
    """What a reader must know before the numbers."""
    attribute = people.attribute.name
    if people.uses_protected is False:
        warn("blind", attribute=attribute)
    elif people.uses_protected is None:
        warn("unknown_use", attribute=attribute)
    if result["published"]["reason"]:
        result["reason"] = result["published"]["reason"]
    level = float(settings["level"])
    needed = int(np.ceil(2 / level - 1 - 1e-9))
    few = int((beside.like_tested & (beside.like.n < needed)).sum())
    if few:
        warn("few_ranks", needed=needed, level=f"{level:g}", n=wording.people(few))
