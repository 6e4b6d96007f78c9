"""Sweeps: grids of questions on many processes, kept in a file and taken up again where they stopped."""
