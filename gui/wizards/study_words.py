"""Texts of the wizard of scenarios."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "study": "A study on a stand-in, never part of the certificate's verdict, and no advice on the law.",
    "fits": "{n} stand-ins are trained in all, one after the other. Cancel in the footer stops them at once.",
    "fits_one": "1 stand-in is trained: the one as it is. Choose at least one scenario.",
    "proxies": "Columns left out in the scenarios without proxies",
    "proxies_note": "A column is a proxy where it tells {attribute}: 0.5 tells nothing, 1 tells it surely. The column of {attribute} itself is always left out.",
    "first": "the first protected attribute",
    "as_measured": "As measured: those that tell {attribute} with {least} or more.",
    "by_hand": "Chosen by you: {names}.",
    "by_hand_none": "Chosen by you: no column beside that of the attribute.",
    "back": "As measured again",
    "measure": "Measure what the columns tell",
    "measure_again": "Measure again",
    "measuring": "Measuring what the columns tell",
    "not_measured": "Not measured yet. It takes seconds, and needs no run.",
    "old": "Something changed after this was measured. Measure again.",
    "from_run": "From the last run, on {n} people of the training data.",
    "from_here": "Measured on {n} people of the training data.",
    "together": "All columns together tell {attribute} with {auc}.",
    "table": "Columns and what they tell",
    "columns": "Left out,Column,Tells {attribute},Decisions it moves",
    "tick": "Leave out {column}",
    "own": "the attribute itself",
    "unknown": "not measured",
    "act": "What would help: chose the proxies",
    "act_back": "What would help: proxies as measured",
}  # fmt: skip


def text(code: str, **fields: object) -> str:
    """The text of a code with its fields filled in."""
    return TEXTS[code].format(**fields)
