"""Plan and tables made into people: groups, outcome, decision, score. What every method receives."""
