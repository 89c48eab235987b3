"""One pass of the published audit: coefficients to peers, draws, tests and classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.base.watch import Watch

from .matching import (
    Floats,
    Moments,
    Places,
    Stretches,
    find_peers,
    identification_coefficient,
    moments,
)
from .published import Answers, classify, closed_form, draw_means, one_sample

TESTED, NO_PEER, TOO_FEW, NO_LIKELIHOOD = range(4)
STATE_WORDS = ("tested", "no peer", "too few peers", "no likelihood")
NOT_TESTED = -1


@dataclass(frozen=True)
class Audited:
    """The published answer. Arrays have one entry a protected person unless said otherwise.

    ``usable`` marks, among the unprotected people, those with a likelihood; ``stretches`` counts
    places among these. ``classes`` are places in ``CLASSES``, -1 for the untested. ``answers``
    and ``drawn`` have one entry a tested person (``persons``).
    """

    coefficient: Floats
    other_coefficient: Floats
    delta: float
    own: Floats
    theirs: Floats
    usable: NDArray[np.bool_]
    stretches: Stretches
    peers: Moments
    state: NDArray[np.int8]
    persons: Places
    drawn: Floats
    answers: Answers
    classes: NDArray[np.int8]

    @property
    def tested(self) -> NDArray[np.bool_]:
        """Who was tested."""
        return np.asarray(self.state == TESTED, bool)

    @property
    def unfair_share(self) -> float | None:
        """Share of the tested that the two-sided test flags."""
        if not len(self.persons):
            return None
        return float(np.mean(self.classes[self.persons] != 2))


def enough(n: Places, settings: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Whether a person has enough peers to be tested; without replacement at least K."""
    least = int(settings["min_peers"])
    more = settings["min_peers_rule"] == "more than"
    found: NDArray[np.bool_] = ((n > least) if more else (n >= least)) & (n > 0)
    if not settings["replace"]:
        found = found & (n >= int(settings["sample"]))
    answer: NDArray[np.bool_] = np.asarray(found, bool)
    return answer


def _spread(values: Floats) -> float:
    """Standard deviation (ddof 0); 0 where all are equal but for the crumbs of rounding."""
    if not len(values) or float(np.ptp(values)) <= 1e-12 * float(np.abs(values).max()):
        return 0.0
    return float(values.std())


def audit(
    *,
    propensity: Floats,
    likelihood: Floats,
    protected: NDArray[np.bool_],
    settings: Mapping[str, Any],
    rng: np.random.Generator,
    watch: Watch,
) -> Audited:
    """Run the paper's sections 3.3 to 3.5 on fitted probabilities.

    Parameters
    ----------
    propensity, likelihood : float arrays, shape (n,)
        P(protected | x) and P(favourable | x); likelihood NaN where unknown.
    protected : bool array, shape (n,)
    settings : mapping
        Of the method.
    rng : numpy Generator
        For the draws.
    watch : Watch
    """
    coefficient = identification_coefficient(propensity=propensity, protected=protected)
    mine, others = coefficient[protected], coefficient[~protected]
    own, theirs = likelihood[protected], likelihood[~protected]
    delta = settings["delta"]
    if delta is None:
        delta = float(settings["delta_factor"]) * _spread(mine)
    usable = np.isfinite(theirs)
    strict = settings["edge"] == "below"
    stretches = find_peers(
        protected=mine, unprotected=others[usable], delta=float(delta), strict=strict
    )
    peers = moments(stretches, theirs[usable])
    n = stretches.n
    state = np.where(n == 0, NO_PEER, np.where(enough(n, settings), TESTED, TOO_FEW))
    state = np.where(np.isfinite(own), state, NO_LIKELIHOOD).astype(np.int8)
    persons = np.flatnonzero(state == TESTED)
    draws, sample = int(settings["draws"]), int(settings["sample"])
    replace = bool(settings["replace"])
    if settings["closed_form"]:
        mean, sd = closed_form(
            moments=Moments(peers.mean[persons], peers.sd[persons]), n=n[persons], draws=draws,
            sample=sample, replace=replace,
        )  # fmt: skip
    else:
        mean, sd = draw_means(
            stretches=stretches, likelihood=theirs[usable], persons=persons, draws=draws,
            sample=sample, replace=replace, rng=rng, watch=watch,
        )  # fmt: skip
    answers = one_sample(own=own[persons], mean=mean, sd=sd, draws=draws)
    classes = np.full(len(own), NOT_TESTED, np.int8)
    classes[persons] = classify(
        own=own[persons], mean=mean, two_sided=answers.two_sided,
        level=float(settings["level"]), extreme=float(settings["extreme"]),
    )  # fmt: skip
    return Audited(
        coefficient=mine, other_coefficient=others, delta=float(delta), own=own, theirs=theirs,
        usable=usable, stretches=stretches, peers=peers, state=state, persons=persons,
        drawn=mean, answers=answers, classes=classes,
    )  # fmt: skip
