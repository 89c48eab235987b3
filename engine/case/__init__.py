"""The case file: verbatim evidence, the hash-chained trail, undo, migrations, recovery."""
