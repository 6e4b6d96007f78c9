"""The second opinion: mpmath, which shares nothing with the reference."""
