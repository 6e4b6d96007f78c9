"""The inversion integral, and what is set apart from it."""
