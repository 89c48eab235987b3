"""Cross-validated tests of a learning algorithm (paper 002), as published and as valid."""
