"""What every route gives: the finite part of δ(ε) and of P(S ≥ ε)."""

from __future__ import annotations

from typing import Protocol

from pldverify.quadrature.arithmetic import Real


class Profile(Protocol):
    """The composed loss in one direction, as one route sees it."""

    method: str

    def at(self, epsilon: Real) -> tuple[Real, Real]:
        """E[(1 − e^{ε−S})_+; S < ∞] and P(ε ≤ S < ∞)."""
        ...
