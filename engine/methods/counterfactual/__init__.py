"""Counterfactual fairness: what each person would have got in another group (paper 003)."""
