"""What the peers method asks. Light to import."""

from engine.methods.base import Method, Setting

_MODELS = (
    ("logistic_regression", "Logistic regression"),
    ("random_forest", "Random forest"),
    ("gradient_boosting", "Gradient boosting"),
)

METHOD = Method(
    name="peers",
    title="Peers",
    question="Are people in like circumstances treated alike?",
    step=7,
    needs_outcome=False,
    pages=("Question", "Peers", "Test", "Watch-out", "Stress tests", "Result"),
    settings=(
        Setting(
            "attribute", "attribute", None, "Protected attribute",
            "Whose people are set beside their peers. Left empty, the first one of the plan.",
            page="Question",
        ),
        Setting(
            "prediction", "choice", "auto", "Likelihood that is compared",
            "The chance of the favourable outcome. With no system, it is estimated here.",
            choices=(("auto", "The system's score, or logistic regression without one"), ("score", "The system's score"), *_MODELS),
            page="Question",
        ),
        Setting(
            "score_uses_protected", "choice", "auto", "Does the score use the protected attribute?",
            "A score that does not use it gives equal people equal scores: direct discrimination cannot show in it. Ask the provider.",
            choices=(("auto", "Not known, unless the model is here"), ("yes", "Yes"), ("no", "No")),
            page="Question",
        ),
        Setting(
            "fitting_model", "choice", "logistic_regression", "Model that finds comparable people",
            "Estimates how likely a person with these features belongs to the protected group.",
            choices=_MODELS, page="Peers",
        ),
        Setting(
            "tune", "yes-no", True, "Try out the paper's settings for the models",
            "Five folds on 80 % of the people. Takes minutes for the random forest.", page="Peers",
        ),
        Setting(
            "delta_factor", "number", 0.3, "Largest difference, as a factor",
            "Times the standard deviation of the protected people's coefficients.",
            minimum=0.001, maximum=10.0, page="Peers",
        ),
        Setting(
            "delta", "number", None, "Largest difference, absolute",
            "In place of the factor.", minimum=0.0, page="Peers",
        ),
        Setting(
            "edge", "choice", "below", "A difference exactly that large",
            "Theorem 1 says below; the released code also counts equality.",
            choices=(("below", "Is no peer (Theorem 1)"), ("up to", "Is a peer (released code)")),
            page="Peers",
        ),
        Setting(
            "min_peers", "whole", 35, "Fewest peers",
            "People with fewer are not tested, and counted.", unit="people", minimum=2, page="Peers",
        ),
        Setting(
            "min_peers_rule", "choice", "at least", "The fewest peers count as",
            "The paper's text says more than, its code at least.",
            choices=(("at least", "At least that many"), ("more than", "More than that many")),
            page="Peers",
        ),
        Setting(
            "draws", "whole", 100, "Draws (N)",
            "The more draws, the more people the published test flags, with or without a reason.",
            minimum=2, maximum=100000, page="Test",
        ),
        Setting("sample", "whole", 30, "Peers in each draw (K)", "", unit="people", minimum=1, maximum=10000, page="Test"),
        Setting("replace", "yes-no", True, "A peer may be drawn twice", "As in the released code.", page="Test"),
        Setting(
            "closed_form", "yes-no", False, "Compute in place of drawing",
            "Gives what endless draws would average to; no chance enters.", page="Test",
        ),
        Setting("level", "share", 0.05, "Level of the tests", "", minimum=0.0001, maximum=0.5, page="Test"),
        Setting(
            "extreme", "share", 0.1, "Extreme beyond",
            "A gap counts as extreme beyond this share of one's own likelihood.", page="Test",
        ),
        Setting(
            "margin", "share", 0.1, "Equivalent within",
            "A person counts as treated like the peers where the gap is shown to be below this share of one's own likelihood.",
            minimum=0.001, page="Test",
        ),
        Setting(
            "permutations", "whole", 0, "Shuffled groups",
            "How often the groups are shuffled, to see what the published test flags in these data with nothing wrong. 0 leaves it out.",
            minimum=0, maximum=1000, page="Test",
        ),
        Setting(
            "order", "value", {}, "Order of the values",
            'What is better in each feature: {"savings": "higher is better", "history": ["worst", "middle", "best"]}. Never assumed: without it a feature differs, but is not called worse.',
            page="Watch-out",
        ),
        Setting(
            "intrinsic", "value", [], "Features that one cannot change",
            "They are listed apart from the others.", page="Watch-out",
        ),
        Setting(
            "min_accepted", "whole", 10, "Fewest accepted peers", "People with fewer get no list. Below 3, a page would tell what single others have.",
            unit="people", minimum=3, page="Watch-out",
        ),
        Setting(
            "adjust", "choice", "holm", "Correction for the number of features", "",
            choices=(("holm", "Holm"), ("bh", "Benjamini and Hochberg"), ("none", "None, as published")),
            page="Watch-out",
        ),
        Setting(
            "person_pages", "yes-no", False, "A page for each person",
            "Printed behind the overview.", page="Watch-out",
        ),
        Setting(
            "stress", "choices", [], "Stress tests",
            "Fewer people and other models fit the models again, which takes longest.",
            choices=(("imbalance", "Fewer protected people"), ("delta", "Other largest differences"), ("draws", "Other N and K"), ("models", "Other models")),
            page="Stress tests",
        ),
        Setting(
            "stress_levels", "numbers", [], "Shares of protected people (%)",
            "Left empty: six, each five points below the one before, as in the paper.",
            minimum=0.01, maximum=99.0, page="Stress tests",
        ),
        Setting(
            "stress_total", "whole", None, "People in each sub-sample",
            "Left empty: as many as every share allows.", unit="people", minimum=20, page="Stress tests",
        ),
        Setting("stress_repeats", "whole", 5, "Repeats of each share", "", minimum=1, maximum=100, page="Stress tests"),
        Setting(
            "stress_cells", "whole", None, "Runs at most",
            "Left empty: all. The window fills it in where you stop the tests, so that the plan says what was done.",
            minimum=0, page="Stress tests",
        ),
    ),
)  # fmt: skip
