"""Closed forms and finite sums."""
