"""A received file becomes bytes kept as they came, a fingerprint, a typed table and its warts."""
