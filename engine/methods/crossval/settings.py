"""What the cross-validated tests ask. Light to import."""

from engine.methods.base import Method, Setting
from engine.models.algorithms import MODELS

SIX = (
    "svm",
    "logistic_regression",
    "decision_tree",
    "random_forest",
    "k_nearest",
    "neural_network",
)
"""The algorithms of the paper, in its order."""
SHARED, PER_GROUP = "shared model", "model per group"
DECISIONS, ALGORITHM = "these decisions", "the algorithm"

METHOD = Method(
    name="crossval",
    title="Cross-validated tests",
    question="Does a learning algorithm, or this model, make its errors alike in each group?",
    step=7,
    pages=("Question", "Data", "Algorithms", "Folds", "Running", "Result"),
    settings=(
        Setting(
            "question", "choice", DECISIONS, "What the answer is about",
            "A claim about the algorithm goes beyond these people and needs a more careful test.",
            choices=(
                (DECISIONS, "This model: the decisions about these people"),
                (ALGORITHM, "This algorithm, on other people of the same kind too"),
            ),
            page="Question",
        ),
        Setting(
            "scheme", "choice", SHARED, "Who is trained together",
            "One model a group (the paper's worked example) also tests whether a group is smaller or harder to learn.",
            choices=((SHARED, "One model for all people"), (PER_GROUP, "One model a group, as published")),
            page="Question",
        ),
        Setting(
            "level", "share", 0.05, "p counts as shown below",
            "After correction for all tests shown.", minimum=0.0001, maximum=0.5, page="Question",
        ),
        Setting(
            "margin", "share", None, "Largest difference that counts as none",
            "For an equivalence to be shown. Left empty, the tolerance of the plan.",
            minimum=0.001, page="Question",
        ),
        Setting(
            "attribute", "attribute", None, "Protected attribute",
            "Left empty, the first one of the plan.", page="Data",
        ),
        Setting(
            "more_attributes", "value", [], "Further attributes from the same fits",
            "Each fold is fitted once, however many attributes are tested.", names=True, page="Data",
        ),
        Setting(
            "crossed", "value", [], "Attributes that are crossed",
            "Two of two groups each make four crossings, three make eight.", names=True, page="Data",
        ),
        Setting(
            "classes", "choice", "two", "Outcomes with more than two values",
            "Each value can be tested against the rest, from the same fits.",
            choices=(("two", "Favourable against the rest"), ("each", "Also each value against the rest")),
            page="Data",
        ),
        Setting(
            "fold_column", "column", None, "Column of folds",
            "With the system's decisions: they are taken as out-of-fold decisions and nothing is trained. Without: these folds are used.",
            page="Data",
        ),
        Setting(
            "models", "choices", list(SIX), "Algorithms",
            "With the settings that scikit-learn gives them.",
            choices=tuple((name, MODELS[name].title) for name in (*SIX, *(m for m in MODELS if m not in SIX))),
            page="Algorithms",
        ),
        Setting(
            "svm_sample", "whole", None, "People for the support vector machine",
            "Its time grows with the square of the people. Left empty, all of them; a number takes a stratified sample, which is said in print.",
            unit="people", minimum=50, page="Algorithms",
        ),
        Setting(
            "processes", "whole", None, "Processes at work",
            "Left empty, one a core for long work. The result does not depend on it.",
            minimum=1, maximum=64, page="Algorithms",
        ),
        Setting(
            "k", "whole", 20, "Folds (k)", "The paper takes 20, and 10 where a group is small.",
            minimum=2, maximum=100, page="Folds",
        ),
        Setting(
            "folds", "choice", "auto", "How people are laid into folds",
            "Stratified: each fold holds the same share of each group and outcome.",
            choices=(
                ("auto", "Stratified for one model, plain for one model a group"),
                ("stratified", "Stratified by outcome and group"),
                ("plain", "By chance alone, as published"),
            ),
            page="Folds",
        ),
        Setting(
            "fewest", "whole", 5, "Fewest people of each outcome, group and fold",
            "The largest k that keeps to it is advised.", unit="people", minimum=1, page="Folds",
        ),
        Setting(
            "many_groups", "choice", "anova", "Published test for more than two groups", "",
            choices=(("anova", "One-way analysis of variance"), ("kruskal", "Kruskal and Wallis")),
            page="Folds",
        ),
        Setting(
            "permutations", "whole", 2000, "Shuffles for more than two groups",
            "Two groups need none: all shuffles are counted exactly.", minimum=100, maximum=100000,
            page="Folds",
        ),
    ),
)  # fmt: skip
