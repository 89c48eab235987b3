"""What the method of counterfactuals asks. Light to import."""

from engine.methods.base import Method, Setting

METHOD = Method(
    name="counterfactual",
    title="Counterfactual fairness",
    question="Would this person have fared differently, had only the protected attribute been different?",
    step=9,
    needs_outcome=False,
    pages=("Question", "Graphs", "Result"),
    settings=(
        Setting(
            "attribute", "attribute", None, "Protected attribute",
            "Left empty, the first one of the plan.", page="Question",
        ),
        Setting(
            "target", "column", None, "What is compared",
            "A column of numbers. Left empty: the score of the system, else the amount, else the outcome as 0 and 1.",
            page="Question",
        ),
        Setting(
            "threshold", "number", None, "A change that matters",
            "In the target's own units. Left empty, a tenth of the target's standard deviation.",
            minimum=0, page="Question",
        ),
        Setting(
            "cut", "number", None, "Score from which the decision is favourable",
            "Used to tell which decisions would flip. Left empty, it is read from the decisions where they follow the score.",
            page="Question",
        ),
        Setting(
            "graphs", "graphs", [], "Graphs",
            "Every graph that you find plausible. Left empty, starting graphs are made from the columns in which the groups differ most.",
            page="Graphs",
        ),
        Setting(
            "draws", "whole", 200, "Draws a person",
            "Where a person's noise cannot be read off (yes or no, categories, a floor) it is drawn this often.",
            minimum=20, maximum=2000, page="Graphs",
        ),
    ),
)  # fmt: skip
