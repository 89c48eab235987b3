"""Who does not count, and why: one entry for each source, attribute and cause."""

from __future__ import annotations

import numpy as np

from engine.base.wording import count, listed, percent
from engine.messages import say

from .desk import Desk, Part
from .model import UNKNOWN, Attribute, Sample
from .outcomes import Judged


def tell_blanks(desk: Desk, part: Part, attribute: Attribute, sample: Sample) -> None:
    """People whose group is not recorded, and how many of them have the favourable outcome."""
    if attribute.soft:
        return
    blank = sample.codes[attribute.name] == UNKNOWN
    n = int(blank.sum())
    if not n:
        return
    why = say(
        "cohort.why_blank", n=count(n), total=count(len(part)), share=percent(n / len(part)),
        attribute=attribute.name,
    )  # fmt: skip
    if sample.outcome is not None:
        known = sample.outcome[blank]
        known = known[known >= 0]
        if len(known):
            why += say(
                "cohort.why_blank_favourable", good=count(int(known.sum())), known=count(len(known))
            )
    desk.exclude(
        part,
        cause="blank group",
        attribute=attribute.name,
        rows=n,
        what=say("cohort.what_blank", file=part.file, attribute=attribute.name),
        why=why + ".",
    )


def tell_unknown(
    desk: Desk, part: Part, attribute: Attribute, sample: Sample, judged: Judged, kind: str
) -> None:
    """People without a known outcome (or decision), by group."""
    unknown = judged.codes == UNKNOWN
    causes = {"blank": unknown & judged.blank, "other": unknown & ~judged.blank}
    for cause, mask in causes.items():
        n = int(mask.sum())
        if not n:
            continue
        fields = {"values": judged.others} if cause == "other" else {}
        desk.exclude(
            part,
            cause=f"unknown {kind}" if cause == "blank" else f"{kind} in neither list",
            attribute=attribute.name,
            rows=n,
            what=say(f"cohort.what_{kind}_{cause}", file=part.file, attribute=attribute.name),
            why=say(
                f"cohort.why_{kind}_{cause}", n=count(n), total=count(len(part)),
                share=percent(n / len(part)), groups=_by_group(attribute, sample, mask), **fields,
            ) + ".",
        )  # fmt: skip


def _by_group(attribute: Attribute, sample: Sample, mask: np.ndarray) -> str:
    """How the people of a mask spread over the groups: ``: 6 of 10 in F and 0 of 10 in M``."""
    if attribute.soft:
        return ""
    codes = sample.codes[attribute.name]
    n = len(attribute.groups)
    known = codes >= 0
    totals = np.bincount(codes[known], minlength=n)
    mine = np.bincount(codes[known & mask], minlength=n)
    shown = sorted(range(n), key=lambda g: (-mine[g], g))[:6]
    texts = [
        f"{count(int(mine[g]))} of {count(int(totals[g]))} in {attribute.groups[g].key}"
        for g in shown
    ]
    return f": {listed(texts)}" + (", the rest in other groups" if n > len(shown) else "")
