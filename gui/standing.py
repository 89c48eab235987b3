"""Where a case stands, in the few words of the start page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.procedure import basis
from engine.procedure.steps import StepView

from . import messages


def standing(
    state: Mapping[str, Any], views: Sequence[StepView], result: Mapping[str, Any] | None
) -> tuple[str, str, str]:
    """Where a case stands, for the start page: place, verdict or empty, words."""
    certificate, decision = state["certificate"], state["decision"]
    if certificate is not None:
        place = "Signed" if certificate.get("signed") else "Issued"
        if (decision or {}).get("value") == "grant":
            return place, "within", "Certified"
        verdict = "outside" if (decision or {}).get("value") == "refuse" else "not settled"
        return place, verdict, "Statement of findings"
    open_steps = [
        v for v in views if v.state in ("in progress", "not started", "out of date", "waits")
    ]
    first = next((v for v in open_steps if v.state != "waits"), views[0])
    place = f"Step {first.number}"
    score = ((result or {}).get("certification") or {}).get("fairness_score") or {}
    if basis.result_is_current(state) and score.get("verdict"):
        return place, score["verdict"], messages.verdict_word(score["verdict"])
    return place, "not checked", f"Waits for: {first.title}"
