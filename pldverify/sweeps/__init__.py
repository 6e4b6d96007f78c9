"""Sweeps: whole grids of questions, kept in a file, run on many processes, and taken up again where they stopped."""
