"""What the method of prices and amounts asks. Light to import."""

from engine.methods.base import Method, Setting

METHOD = Method(
    name="pricing",
    title="Prices and amounts",
    question="Does one group get a worse amount, rate or term than another, though all are approved?",
    step=7,
    needs_outcome=False,
    pages=("Amounts", "Risk", "Pass mark", "Draws", "Result"),
    settings=(
        Setting(
            "attribute", "attribute", None, "Protected attribute",
            "Stands first; every other attribute is computed beside it. Left empty, the first one of the plan.",
            page="Amounts",
        ),
        Setting(
            "actual", "column", None, "Column of real amounts",
            "What people really got or paid. Without it there is no real gap and no residual gap.",
            page="Amounts",
        ),
        Setting(
            "adverse", "choice", "as the plan says", "Which direction is worse for a person",
            "A lower amount of credit may be worse; a lower rate is better.",
            choices=(
                ("as the plan says", "As the plan says beside the amount"),
                ("high", "A high figure is worse"),
                ("low", "A low figure is worse"),
            ),
            page="Amounts",
        ),
        Setting(
            "quotes", "value", [], "Further columns of quotes",
            "Columns beside the amount that the plan names; each may say which direction is worse.",
            page="Amounts",
        ),
        Setting(
            "currency", "column", None, "Column of currencies",
            "Amounts in several currencies are refused: their means say nothing.", page="Amounts",
        ),
        Setting(
            "models", "value", None, "Models that predict the amount",
            "A list of linear_regression and gradient_boosting, trained without the protected attributes. "
            "Left empty, both where no quote is supplied, and none where one is.",
            names=True, page="Amounts",
        ),
        Setting(
            "folds", "whole", 5, "Parts for predicting without training data",
            "Each part is predicted by a model that did not see it.", minimum=2, maximum=50,
            page="Amounts",
        ),
        Setting(
            "risk", "column", None, "Column of risk",
            "A risk score that is itself biased makes “no gap at equal risk” worthless.", page="Risk",
        ),
        Setting(
            "strata", "whole", 4, "Strata of risk", "Cut at equal numbers of people.",
            minimum=2, maximum=20, page="Risk",
        ),
        Setting(
            "largest_gap", "number", None, "Largest gap of the means that is accepted",
            "There is no standard for prices. Left empty, nothing is passed or failed.",
            minimum=0, page="Pass mark",
        ),
        Setting(
            "largest_relative_gap", "share", None, "Largest relative gap that is accepted",
            "As a share of the privileged mean, such as 0.05. Left empty, nothing is passed or failed.",
            page="Pass mark",
        ),
        Setting(
            "resamples", "whole", 2000, "Resamples of the bootstrap",
            "Each group is drawn anew by itself; the model stays as it is.",
            minimum=100, maximum=100_000, page="Draws",
        ),
        Setting(
            "permutations", "whole", 2000, "Permutations of the groups", "", minimum=99,
            maximum=100_000, page="Draws",
        ),
        Setting(
            "refit", "yes-no", False, "Train the models anew in the bootstrap",
            "Wider and slower: the interval then tells the doubt of the training too.", page="Draws",
        ),
        Setting(
            "refits", "whole", 200, "Resamples with training", "", minimum=50, maximum=5000,
            page="Draws",
        ),
        Setting(
            "crossed", "yes-no", True, "Cross the protected attributes",
            "Each crossing against the crossing of the privileged groups.", page="Draws",
        ),
    ),
)  # fmt: skip
