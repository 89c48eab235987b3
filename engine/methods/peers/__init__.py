"""Peer-induced fairness (arXiv 2408.02558): as published to the letter, and as valid beside it."""
