"""The wizard of counterfactual fairness: several graphs, each person in another group."""

from .causal import Wizard

__all__ = ["Wizard"]
