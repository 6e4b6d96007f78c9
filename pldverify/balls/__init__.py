"""The only door to FLINT: balls, certain comparisons, outward ends, precision and clock."""
