"""The certification procedure of paper 001: five metrics, Bias Index, Fairness Score."""
