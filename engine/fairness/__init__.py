"""The vocabulary: groups, counts, rates, metrics, intervals, tests, corrections. Pure functions."""
