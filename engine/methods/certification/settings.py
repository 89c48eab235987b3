"""What the certification asks: nothing of its own; tolerance and groups stand in the plan."""

from engine.methods.base import Method

METHOD = Method(
    name="certification",
    title="Certification",
    question="Do people of each group fare alike, in the recorded outcomes and in the decisions?",
    step=8,
)
