"""Findings made into certificate, statement of findings, watch-out list; signing and verifying."""
