"""Attacks: places at which both sides of a printed statement are computed, one subject a file."""
