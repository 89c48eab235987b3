"""What the method of crossed groups asks. Light to import."""

from engine.methods.base import Method, Setting

METHOD = Method(
    name="intersection",
    title="Crossed groups",
    question="Does a crossing of groups, such as older women, fare worse than the others?",
    step=7,
    needs_outcome=False,
    pages=("Groups", "Membership", "Result"),
    settings=(
        Setting(
            "minimum_effective_n", "number", 50, "Smallest crossing that is judged",
            "Smaller ones are shown, but not judged and never the reference.",
            unit="people", minimum=1, page="Groups",
        ),
        Setting(
            "reference", "text", "highest", "Compared with",
            "highest: the crossing with the highest rate among those large enough. overall: everybody. Or the name of a crossing.",
            page="Groups",
        ),
        Setting(
            "flag_below", "share", 0.8, "Flagged below this ratio",
            "A crossing is flagged where the whole interval of its ratio lies below.", page="Groups",
        ),
        Setting(
            "attributes", "value", None, "Attributes that are crossed",
            "Left empty, all protected attributes of the plan.", names=True, page="Groups",
        ),
        Setting(
            "left_out", "value", {}, "Crossings left out, each with its reason",
            'Only crossings with less than 2 % of the people: {"sex=F × ethnicity=Y": "reason"}.',
            page="Groups",
        ),
        Setting(
            "unusable_membership", "choice", "leave out", "Probabilities that do not sum to 1",
            "What is done with people whose probabilities of belonging cannot be used as they are.",
            choices=(
                ("leave out", "Leave these people out, and count them"),
                ("refuse", "Refuse the data"),
                ("renormalise", "Scale the probabilities to a sum of 1"),
            ),
            page="Membership",
        ),
        Setting(
            "membership_draws", "whole", 50, "Draws of unknown membership",
            "How often people with probabilities are laid into one group each, so that intervals tell this doubt too.",
            minimum=2, maximum=1000, page="Membership",
        ),
    ),
)  # fmt: skip
