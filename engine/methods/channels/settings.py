"""What the method of channels asks. Light to import."""

from engine.methods.base import Method, Setting

METHOD = Method(
    name="channels",
    title="Channels",
    question="Through what does the gap arise: the system itself, or what leads to its inputs?",
    step=9,
    needs_outcome=False,
    pages=("Question", "Graph and result"),
    settings=(
        Setting(
            "attribute", "attribute", None, "Protected attribute",
            "Left empty, the first one of the plan.", page="Question",
        ),
        Setting(
            "target", "column", None, "Gap in",
            "A column of numbers. Left empty: the score, else the amount, else the outcome as 0 and 1.",
            page="Question",
        ),
        Setting(
            "graph", "graph", None, "Graph",
            "What leads to what. Left empty, a starting graph is made from the columns in which the groups differ most.",
            page="Graph and result",
        ),
    ),
)  # fmt: skip
