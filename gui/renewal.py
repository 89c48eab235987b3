"""A new case from an earlier one: facts, groups, tolerance and methods go over; data do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.procedure.state import new_state

NOT_TAKEN = ("reference", "evaluator", "reviewer", "decider", "audit_period", "data_dates")
"""Facts that belong to one audit alone."""


def state_from_case(old: Mapping[str, Any]) -> dict[str, Any]:
    """The state with which a recertification begins.

    The tolerance is taken over as a draft: nobody has set it in the new case, so step 3 asks for
    it again, and what was seen of earlier results is told with it.
    """
    made = new_state()
    made["case"] = {k: "" if k in NOT_TAKEN else v for k, v in old["case"].items()}
    made["plan"] = {k: v for k, v in old["plan"].items() if k != "features"}
    certificate = old["certificate"] or {}
    if certificate.get("number"):
        made["follows"] = {
            "number": certificate["number"],
            "revision": certificate.get("revision", 0),
            "sha256": certificate.get("sha256", ""),
        }
    return made
