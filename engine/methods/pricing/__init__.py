"""Gaps between groups in an amount, a rate or a term: prices instead of yes or no (paper 004)."""
