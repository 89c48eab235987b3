"""The twelve steps: their state, what blocks a step and why, and the decision."""
