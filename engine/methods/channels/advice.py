"""What to do, by the size of a part and the place where it arises, in the paper's order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.base.wording import percent
from engine.messages import say

MATERIAL = 0.1
"""A part below this share of the gap is too small to act on first."""
MODEL, FEATURE, POLICY, BEHAVIOUR = "model", "feature", "policy", "behaviour"


def place_of(role: str) -> str:
    """Where a channel is mended, by the role that the auditor gave its node.

    Examples
    --------
    >>> place_of("historical"), place_of("socioeconomic"), place_of("behaviour"), place_of("")
    ('feature', 'policy', 'behaviour', '')
    """
    word = role.strip().lower()
    if word.startswith(("histor", "proxy")):
        return FEATURE
    if word.startswith("socio"):
        return POLICY
    return BEHAVIOUR if word.startswith("behav") else ""


def settled(part: Mapping[str, Any]) -> bool:
    """Whether a part's interval lies on one side of 0."""
    low, high = part["low"], part["high"]
    return low is not None and high is not None and (low > 0 or high < 0)


def advice(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Steps in order: mend the model, mend a feature, take it to policy.

    Returns
    -------
    list of dict
        ``place`` (``model``, ``feature``, ``policy``, ``behaviour`` or empty), ``part``,
        ``share_of_gap``, ``text``. Parts that are settled, material and not accepted only.
    """
    steps = []
    roles, accepted = result["graph"]["roles"], result["graph"].get("accepted") or {}
    for place, name, part in [
        (MODEL, "direct", result["direct"]),
        *((place_of(roles.get(n, "")), n, p) for n, p in result["channels"].items()),
    ]:
        share = part.get("share_of_gap")
        if part["value"] is None or share is None or not settled(part) or abs(share) < MATERIAL:
            continue
        if place != MODEL and name in accepted:
            continue
        record = place == MODEL and result["target"]["kind"] == "outcome"
        text = say(
            "channels.advice_record" if record else f"channels.advice_{place or 'unsaid'}", part=name, share=percent(share),
            attribute=result["attribute"],
        )  # fmt: skip
        steps.append({"place": place, "part": name, "share_of_gap": share, "text": text})
    order = {MODEL: 0, FEATURE: 1, POLICY: 2, BEHAVIOUR: 3, "": 4}
    return sorted(steps, key=lambda s: (order[s["place"]], -abs(s["share_of_gap"])))
