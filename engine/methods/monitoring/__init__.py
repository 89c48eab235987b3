"""Watching a system over time: rates, composition, scores and calibration by period (paper 003)."""
