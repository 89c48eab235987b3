"""Definitions of fairness that conflict, shown on the audited data (paper 003)."""
