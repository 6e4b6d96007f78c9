"""Filters: budgets for queries that are chosen by what was seen, and the sum of what such queries spent."""
