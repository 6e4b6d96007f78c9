"""Checks: small questions to an accountant, each with a name and the cause that a break points at."""
