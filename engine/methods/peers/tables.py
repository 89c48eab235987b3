"""The tables of the peers method: one row a person, headings in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .audit import STATE_WORDS, Audited
from .matching import Floats
from .people import People
from .published import CLASS_WORDS, CLASSES
from .valid import Balance

if TYPE_CHECKING:
    from .numbers import Companions

ANSWERS = {1: "favourable", 0: "unfavourable", -1: "not known"}


def _tested(values: Floats, tested: NDArray[np.bool_]) -> Floats:
    """Values of those tested; blank (NaN) for the others and for what is undefined."""
    return np.where(tested & np.isfinite(values), values, np.nan)


def _spread(values: Floats, found: Audited) -> Floats:
    whole = np.full(len(found.own), np.nan)
    whole[found.persons] = values
    return whole


def peers_table(
    *, people: People, found: Audited, beside: Companions, propensity: Floats
) -> pd.DataFrame:
    """One row a protected person, untested ones too."""
    mine = people.protected
    groups = [people.words[g.key] for g in people.attribute.groups]
    tested = found.tested
    known = np.isfinite(found.own)
    drawn = _spread(found.drawn, found)
    ranked = beside.like_tested
    words = [CLASS_WORDS[CLASSES[c]] if c >= 0 else "Not tested" for c in found.classes]
    columns: dict[str, Any] = {
        "Person": [name for name, use in zip(people.names, mine, strict=True) if use],
        "Group": [groups[c] for c in people.group[mine]],
        "Tested": ["yes" if t else "no" for t in tested],
        "Why not": ["" if s == 0 else STATE_WORDS[s] for s in found.state],
        "As published": words,
        "Peers": found.stretches.n,
        "Own likelihood": _tested(found.own, known),
        "Mean likelihood of the peers": _tested(found.peers.mean, known & (found.stretches.n > 0)),
        "Standard deviation of the peers": _tested(found.peers.sd, known & (found.stretches.n > 0)),
        "Mean of the draws": _tested(drawn, tested),
        "Gap to the draws": _tested(found.own - drawn, tested),
        "p, two sides": _tested(_spread(found.answers.two_sided, found), tested),
        "p, peers higher": _tested(_spread(found.answers.peers_higher, found), tested),
        "p, peers lower": _tested(_spread(found.answers.peers_lower, found), tested),
        "Peers of the same propensity": beside.like.n,
        "Of them lower": np.where(known, beside.ranks.below, 0),
        "Place among them": _tested(beside.ranks.share, ranked),
        "Exact p": _tested(beside.ranks.p, ranked),
        "Exact p, adjusted": _tested(beside.ranks.adjusted, ranked),
        "p that treated alike": _tested(beside.equivalent_p, tested),
        "Outcome": [ANSWERS[int(v)] for v in people.outcome[mine]],
        "Decision or outcome": [ANSWERS[int(v)] for v in people.refused[mine]],
        "Identification coefficient": found.coefficient,
        "Propensity": propensity[mine],
    }
    return pd.DataFrame(columns)


def unprotected_table(*, people: People, found: Audited, propensity: Floats) -> pd.DataFrame:
    """One row an unprotected person: with it anyone's peers can be named again."""
    others = ~people.protected
    return pd.DataFrame(
        {
            "Person": [name for name, use in zip(people.names, others, strict=True) if use],
            "Likelihood": _tested(found.theirs, found.usable),
            "Identification coefficient": found.other_coefficient,
            "Propensity": propensity[others],
            "Decision or outcome": [ANSWERS[int(v)] for v in people.refused[others]],
        }
    )


def balance_table(*, names: list[str], balance: Balance) -> pd.DataFrame:
    """One row a feature (or value of a text feature): standardised differences."""
    everyone = np.ones(len(names), bool)
    return pd.DataFrame(
        {
            "Feature": names,
            "Groups as they are": _tested(balance.raw, everyone),
            "People and their peers": _tested(balance.peers, everyone),
            "People and peers of the same propensity": _tested(balance.same_propensity, everyone),
            "People not tested and people tested": _tested(balance.untested, everyone),
        }
    )
