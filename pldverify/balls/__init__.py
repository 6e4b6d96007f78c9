"""The only door to FLINT: balls, certain comparisons, outward ends, precision and clock."""

from flint import (
    Ordering,
    acb,
    acb_mat,
    acb_poly,
    arb,
    arb_mat,
    arb_poly,
    ctx,
    fmpq,
    fmpq_mpoly_ctx,
    fmpz,
    fmpz_mat,
    fmpz_poly,
)

__all__ = [
    "Ordering",
    "acb",
    "acb_mat",
    "acb_poly",
    "arb",
    "arb_mat",
    "arb_poly",
    "ctx",
    "fmpq",
    "fmpq_mpoly_ctx",
    "fmpz",
    "fmpz_mat",
    "fmpz_poly",
]
