"""What the method of conflicting definitions asks. Light to import."""

from engine.methods.base import Method, Setting

METHOD = Method(
    name="tradeoffs",
    title="Definitions that conflict",
    question="Which definitions of fairness can hold together on these data, and which did you choose?",
    step=8,
    needs_decisions=True,
    pages=("Definitions", "Your choice", "Result"),
    settings=(
        Setting(
            "attribute", "attribute", None, "Protected attribute",
            "Left empty, the first one of the plan.", page="Definitions",
        ),
        Setting(
            "holds_within", "share", 0.05, "A definition holds within",
            "The largest gap between groups, and the largest expected calibration error, that counts as none.",
            page="Definitions",
        ),
        Setting(
            "bins", "whole", 10, "Bins of the score", "", minimum=2, maximum=50, page="Definitions",
        ),
        Setting(
            "binning", "choice", "auto", "How bins are cut",
            "Equal width from 500 people in the smallest group on, below that equal numbers of people.",
            choices=(
                ("auto", "As the number of people suggests"),
                ("equal width", "Equal width"),
                ("equal numbers", "Equal numbers of people"),
            ),
            page="Definitions",
        ),
        Setting(
            "choice", "choice", "none", "The definition that this audit rests on",
            "They cannot all hold. Declare which one counts here.",
            choices=(
                ("none", "Not declared"),
                ("demographic parity", "Demographic parity: equal rates of favourable decisions"),
                ("equalised odds", "Equalised odds: equal rates among those who merit it, and among those who do not"),
                ("calibration within groups", "Calibration within groups: a score means the same in each group"),
            ),
            page="Your choice",
        ),
        Setting(
            "choice_reason", "text", "", "Why this one", "Printed with your choice.", page="Your choice",
        ),
        Setting(
            "choice_by", "text", "", "Declared by", "Who declares it, and when. Printed with your choice.",
            page="Your choice",
        ),
    ),
)  # fmt: skip
