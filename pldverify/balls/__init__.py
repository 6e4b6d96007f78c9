"""The only door to FLINT: balls, certain comparisons, outward ends, precision and clock."""

from flint import acb, acb_mat, acb_poly, arb, arb_poly, ctx, fmpq, fmpz, fmpz_poly

__all__ = ["acb", "acb_mat", "acb_poly", "arb", "arb_poly", "ctx", "fmpq", "fmpz", "fmpz_poly"]
