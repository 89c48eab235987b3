"""The vocabulary of fairness: counts, rates, metrics, intervals, tests, bounds, verdicts.

Small pure functions; everything comes from the table of counts (:mod:`engine.fairness.counts`).
"""
