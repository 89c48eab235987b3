"""The wizard of channels: one graph, and the gap split along it."""

from .causal import Wizard

__all__ = ["Wizard"]
