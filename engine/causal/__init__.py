"""Causal graphs over columns: what they say, how they fit the data, and what would have been."""
