"""Convolutions on grids."""
