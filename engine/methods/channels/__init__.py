"""Channels: through what a gap arises, split exactly along a causal graph (paper 003)."""
