"""What the peers method writes into result.json, from arrays to numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.fairness.measure import measure
from engine.messages import say

from . import stress
from .audit import NO_LIKELIHOOD, NO_PEER, TOO_FEW, Audited
from .likelihood import Fitted
from .matching import Floats, Stretches
from .people import People
from .published import CLASSES, flag_rate
from .valid import Balance, Ranks, spread_of_rates

Result = dict[str, Any]


@dataclass(frozen=True)
class Companions:
    """The valid answers beside the published one."""

    like: Stretches
    like_tested: NDArray[np.bool_]
    caliper: float
    ranks: Ranks
    equivalent_p: Floats


def frame_of_result(
    people: People, settings: Mapping[str, Any], n_protected: int, n_other: int
) -> Result:
    """What was compared and how: there even where nothing can be computed."""
    return {
        "attribute": people.attribute.name,
        "privileged": people.attribute.privileged.key,
        "unprivileged": [g.key for g in people.attribute.unprivileged],
        "words": dict(people.words),
        "sample": people.role,
        "outcome_from": people.outcome_from,
        "features": list(people.features),
        "n_protected": n_protected,
        "n_unprotected": n_other,
        "n_unknown_group": people.left_out,
        "score_uses_protected": people.uses_protected,
        "score_turned": people.turned,
        "level": float(settings["level"]),
        "person_pages": bool(settings["person_pages"]),
        "table": "tables/peers.csv",
        "test": {
            "draws": int(settings["draws"]),
            "sample": int(settings["sample"]),
            "replace": bool(settings["replace"]),
            "closed_form": bool(settings["closed_form"]),
            "min_peers": int(settings["min_peers"]),
            "edge": settings["edge"],
            "extreme": float(settings["extreme"]),
        },
        "flag_rate_if_nothing_wrong": flag_rate(
            draws=int(settings["draws"]), sample=int(settings["sample"]),
            level=float(settings["level"]), exact_mean=bool(settings["closed_form"]),
        ),
        "reason": "",
    }  # fmt: skip


def without(base: Result, reason: str) -> Result:
    """The result where nobody could be compared: every number None, with the reason."""
    n = base["n_protected"]
    nothing = dict.fromkeys(CLASSES)
    gone = measure(
        None,
        verdict="not computable",
        reason=reason,
        n_unprivileged=n,
        n_privileged=base["n_unprotected"],
    )
    return {
        **base, "reason": reason, "n_tested": 0, "n_no_peer": None, "n_too_few": None,
        "n_no_likelihood": None, "delta": None,
        "published": {"shares": nothing, "shares_of_all": nothing, "unfair_share": None, "counts": dict.fromkeys(CLASSES, 0), "one_sided": None, "reason": reason},
        "models": None,
        "companions": {"rank": {"n": 0, "flagged": 0, "flagged_adjusted": 0, "flagged_share": None, "flagged_share_adjusted": None, "mean_rank": None, "reason": reason}, "group_effect": gone, "decision_effect": None, "equivalent_share": None, "balance": None, "untested_differ": []},
        "refusals": {}, "explanations": {}, "explained": None, "permuted": None, "stress": [], "stress_runs": None,
    }  # fmt: skip


def published_numbers(found: Audited, settings: Mapping[str, Any]) -> Result:
    state, classes = found.state, found.classes[found.persons]
    n, tested = len(found.own), len(found.persons)
    counts = {c: int((classes == i).sum()) for i, c in enumerate(CLASSES)}
    level = float(settings["level"])
    reason = ""
    if not tested:
        reason = say(
            "peers.none_tested", n=n, no_peer=int((state == NO_PEER).sum()),
            too_few=int((state == TOO_FEW).sum()), least=settings["min_peers"],
        )  # fmt: skip
    one_sided = {
        "discriminated": float((found.answers.peers_higher < level).mean()),
        "privileged": float((found.answers.peers_lower < level).mean()),
        "fair": counts["FT"] / tested,
    } if tested else None  # fmt: skip
    rate = flag_rate(
        draws=int(settings["draws"]), sample=int(settings["sample"]), level=level,
        replace=bool(settings["replace"]), exact_mean=bool(settings["closed_form"]),
        n=found.stretches.n[found.persons],
    )  # fmt: skip
    return {
        "n_tested": tested,
        "n_no_peer": int((state == NO_PEER).sum()),
        "n_too_few": int((state == TOO_FEW).sum()),
        "n_no_likelihood": int((state == NO_LIKELIHOOD).sum()),
        "delta": found.delta,
        "flag_rate_if_nothing_wrong": rate,
        "published": {
            "counts": counts,
            "shares": {c: k / tested if tested else None for c, k in counts.items()},
            "shares_of_all": {
                **{c: k / n for c, k in counts.items()},
                "untested": (n - tested) / n,
            },
            "unfair_share": found.unfair_share,
            "one_sided": one_sided,
            "peers": _quartiles(found.stretches.n[found.persons]),
            "reason": reason,
        },
    }


def _quartiles(values: Any) -> dict[str, float] | None:
    if not len(values):
        return None
    marks = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    return dict(
        zip(
            ("least", "quarter", "middle", "three_quarters", "most"), map(float, marks), strict=True
        )
    )


def model_numbers(fitting: Fitted, predicted: Fitted | None, people: People) -> Result:
    def words(fitted: Fitted) -> Result:
        return {
            "model": fitted.model,
            "parameters": dict(fitted.parameters),
            "auc": fitted.auc,
            "cross_validated_auc": fitted.cross_auc,
        }

    return {
        "fitting": words(fitting),
        "prediction": words(predicted) if predicted is not None else {"model": "supplied score"},
    }


APART = 0.1
"""Standard deviations from which the untested count as unlike the tested in a feature."""


def companion_numbers(
    people: People,
    found: Audited,
    beside: Companions,
    settings: Mapping[str, Any],
    effect: Result,
    even: Balance,
    names: Sequence[str],
) -> Result:
    """The valid answers; ``names`` are those of the encoded features, as ``even`` has them."""
    level = float(settings["level"])
    tested = beside.like_tested
    n = int(tested.sum())
    p, corrected = beside.ranks.p[tested], beside.ranks.adjusted[tested]
    alike = beside.equivalent_p[found.tested]
    sizes = beside.like.n[tested]

    def mean_abs(values: Floats) -> float | None:
        known = values[np.isfinite(values)]
        return float(np.abs(known).mean()) if len(known) else None

    gaps = np.nan_to_num(even.untested)
    apart = [int(i) for i in np.argsort(-np.abs(gaps), kind="stable") if abs(gaps[i]) >= APART]
    return {
        "untested_differ": [
            {"feature": names[i], "difference": float(gaps[i])} for i in apart[:3]
        ],
        "rank": {
            "n": n,
            "flagged": int((p < level).sum()),
            "flagged_adjusted": int((corrected < level).sum()),
            "flagged_share": float((p < level).mean()) if n else None,
            "flagged_share_adjusted": float((corrected < level).mean()) if n else None,
            "flagged_low": int(((p < level) & (beside.ranks.share[tested] < 0.5)).sum()),
            "mean_rank": float(beside.ranks.share[tested].mean()) if n else None,
            "caliper": beside.caliper,
            "median_peers": float(np.median(sizes)) if n else None,
            "smallest_p": 2 / (float(np.median(sizes)) + 1) if n else None,
            "reason": "" if n else say("peers.none_tested", n=len(tested), no_peer=int((beside.like.n == 0).sum()), too_few=int((beside.like.n > 0).sum()), least=settings["min_peers"]),
        },
        "group_effect": effect,
        "equivalent_share": float((alike < level).mean()) if len(alike) else None,
        "equivalent": int((alike < level).sum()),
        "margin": float(settings["margin"]),
        "balance": {"raw": mean_abs(even.raw), "peers": mean_abs(even.peers), "same_propensity": mean_abs(even.same_propensity)},
    }  # fmt: skip


def stress_numbers(entries: Sequence[stress.Entry], cells: int) -> Result:
    """The stress tests' part: means over the repeats, and how many runs they rest on."""
    return {
        "stress": stress.summary(list(entries)),
        "stress_runs": {
            "done": len(entries),
            "of": cells,
            "reason": "" if cells else say("peers.stress_none"),
        },
    }


def refusals(people: People, found: Audited) -> Result:
    """Refusal rate of each class, and of its members' peers (the paper's figure 5)."""
    mine = people.refused[people.protected]
    theirs = people.refused[~people.protected][found.usable]
    if not (theirs >= 0).any():
        return {}
    refused = np.where(theirs >= 0, theirs == 0, (theirs[theirs >= 0] == 0).mean()).astype(float)
    numbers: Result = {}
    for place, name in enumerate(CLASSES):
        members = found.classes == place
        known = members & (mine >= 0)
        mean, sd = spread_of_rates(stretches=found.stretches, refused=refused, members=members)
        n = int(known.sum())
        numbers[name] = {
            "n": n, "refused": int((mine[known] == 0).sum()),
            "rate": float((mine[known] == 0).mean()) if n else None, "peers_rate": mean, "peers_sd": sd,
        }  # fmt: skip
    return numbers
