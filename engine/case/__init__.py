"""The case file: received bytes, acts and results in one SQLite file that survives anything."""
