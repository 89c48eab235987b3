"""Built-in samples that are made here from a seed, not shipped as files."""
