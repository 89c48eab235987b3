"""Texts of the wizard of conflicting definitions."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "ask": "Which definition does this audit rest on?",
    "ask_note": "They cannot all hold where base rates differ. No number answers this: say what counts for this decision, and for whom.",
    "plain.demographic parity": "Each group gets favourable decisions at the same rate, whatever the recorded outcomes say.",
    "plain.equalised odds": "Among people whose outcome was favourable, each group is decided favourably at the same rate; and the same among the others.",
    "plain.calibration within groups": "A score means the same in each group: of people with a score of 0.7, 70 of 100 have the favourable outcome.",
    "measured": "In the last run: {said}",
    "not_measured": "Not measured yet. You can declare before you see the numbers; that is the stronger way.",
    "holds": "holds by value ({gap})",
    "holds_not": "does not hold by value ({gap})",
    "holds_unknown": "cannot be computed",
    "gap.demographic parity": "rates differ by {points} points",
    "gap.equalised odds": "rates differ by up to {points} points",
    "gap.calibration within groups": "scores miss by up to {points} points on average",
    "cost": "A threshold for each group that reaches it changes {changed} of {of} decisions; accuracy goes from {before} to {after}.",
    "cost_half": "Its first half alone, by a threshold for each group, changes {changed} of {of} decisions; accuracy goes from {before} to {after}. Both halves at once need decisions by lot.",
    "reason": "Why this one",
    "reason_help": "Printed with your choice, your name and the day.",
    "declare": "Declare",
    "declare_again": "Declare anew",
    "withdraw": "Withdraw the declaration",
    "none_picked": "Choose one of the three.",
    "no_reason": "Write why; it is printed.",
    "declared": "This audit rests on {definition}{by}. Reason: {reason}",
    "by": ", declared by {who}",
    "undeclared": "Nothing is declared yet. The report says so.",
    "act": "declared that the audit rests on {definition}",
    "act_back": "withdrew the declared definition",
    "changed": "What you changed here is not declared yet.",
}  # fmt: skip


def text(code: str, **fields: object) -> str:
    """The text of a code with its fields filled in."""
    return TEXTS[code].format(**fields)
