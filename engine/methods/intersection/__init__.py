"""Crossed groups: every crossing of the protected attributes, with soft membership (paper 003)."""
