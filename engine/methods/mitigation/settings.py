"""What the study of scenarios asks. Light to import."""

from engine.methods.base import Method, Setting

SCENARIOS = (
    ("reweighing", "Reweigh people (Kamiran and Calders)"),
    ("cell factor", "Reweigh people by one factor a group (paper 003)"),
    ("proxies left out", "Leave out the protected attribute and what tells it"),
    ("reweighing and proxies left out", "Both of these"),
    ("cell factor and proxies left out", "One factor a group, and proxies left out (paper 003)"),
    ("oversampling", "Balance by made-up people (SMOTENC)"),
    ("undersampling", "Balance by leaving people out at random"),
    ("thresholds", "A threshold for each group"),
)

DEFAULT = [key for key, _ in SCENARIOS if key != "cell factor and proxies left out"]
"""What is played where nothing is chosen; the other one only replays paper 003."""

METHOD = Method(
    name="mitigation",
    title="What would help",
    question="Would another way of training or deciding narrow the gaps, and at what cost?",
    step=9,
    pages=("Scenarios", "Proxies", "Result"),
    settings=(
        Setting(
            "attribute", "attribute", None, "Protected attribute",
            "The one that is levelled. Left empty, the first one of the plan.", page="Scenarios",
        ),
        Setting(
            "scenarios", "choices", DEFAULT, "Scenarios",
            "Each trains the stand-in anew.", choices=SCENARIOS, page="Scenarios",
        ),
        Setting(
            "each_attribute", "yes-no", False, "Balance each attribute in turn",
            "As table 1 of paper 001 does for its data; reweighing and balancing are then done for every attribute.",
            page="Scenarios",
        ),
        Setting(
            "model", "choice", "auto", "Stand-in",
            "What is trained. As planned: the stand-in of the plan, or a random forest without one.",
            choices=(
                ("auto", "As planned"),
                ("logistic_regression", "Logistic regression"),
                ("random_forest", "Random forest"),
                ("decision_tree", "Decision tree"),
                ("svm", "Support vector machine"),
                ("k_nearest", "Nearest neighbours"),
                ("neural_network", "Neural network"),
                ("gradient_boosting", "Gradient boosting"),
            ),
            page="Scenarios",
        ),
        Setting(
            "target_rate", "share", None, "Share of favourable decisions",
            "Every scenario then decides by the threshold that comes nearest to this share. Left empty, the stand-in decides as it does.",
            page="Scenarios",
        ),
        Setting(
            "proxies", "value", None, "Features left out as proxies",
            "A list of columns. Left empty, those that tell the attribute at least as well as the next answer says.",
            names=True, page="Proxies",
        ),
        Setting(
            "proxy_from", "number", 0.65, "A feature is a proxy from this accuracy on",
            "Area under the curve, out of fold: 0.5 tells nothing, 1 tells the attribute surely.",
            minimum=0.5, maximum=1.0, page="Proxies",
        ),
        Setting("folds", "whole", 5, "Folds for the proxies", "", minimum=2, maximum=20, page="Proxies"),
    ),
)  # fmt: skip
