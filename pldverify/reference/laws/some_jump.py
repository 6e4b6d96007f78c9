r"""k losses of Poisson-subsampled Gaussians of which at least one jumps: a measure, as a law of one loss.

Each step is split into the parts N that does not jump and F that does (``soft_part.py``). With
:math:`M_i = N_i + F_i` the measure has the transform

.. math:: G(z) = \prod_i M_i^{k_i} - \prod_i N_i^{k_i} = \prod_i N_i^{k_i}\, (e^r - 1), \qquad
          r = \sum_i k_i \log(1 + F_i/N_i) ,

a polynomial in the N_i and F_i whose coefficients are ≥ 0. So |G| is at most the same polynomial of bounds of
|N_i| and |F_i|: it decays like a single jump, whatever the many small losses do.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import working
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_less
from pldverify.reference.laws.law import BoundedDecay, Decay
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.lemmas.layers import Layers

_BITS = 128
"""Precision of the bound."""


@dataclass(frozen=True)
class SomeJump:
    """Attributes:
    parts: (what jumps of one step, number of such steps).
    """

    parts: tuple[tuple[SoftPart, int], ...]
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> None:
        return None

    def mass(self) -> arb:
        """G(0)."""
        return self.on_line(Fraction(0), Fraction(0), 0)[0].real

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        with working(ctx.prec + sum(k for _, k in self.parts).bit_length() + 8):
            rows = [
                (part.rest().on_line(theta, step, count), part.on_line(theta, step, count), k)
                for part, k in self.parts
            ]
            return [
                _difference([(near[j], far[j], k) for near, far, k in rows]) for j in paced(range(count + 1))
            ]

    def decay(self, theta: Fraction) -> Decay:
        with working(max(_BITS, ctx.prec)):
            rows = []
            for part, k in self.parts:
                near, far = (p.on_line(theta, Fraction(0), 0)[0].real for p in (part.rest(), part))
                rows.append((near, far, k, part.lines(theta, far)))
            mass = _difference([(acb(near), acb(far), k) for near, far, k, _ in rows]).real

        def bound(u: arb) -> arb:
            most = [(acb(near), acb(far * lines.log_sup(u).exp()), k) for near, far, k, lines in rows]
            value = _difference(most).real / mass
            return value.upper().log().min(arb(0)).upper() if value.is_finite() else arb(0)

        return BoundedDecay(Layers([], []), bound=bound)


def _difference(rows: list[tuple[acb, acb, int]]) -> acb:
    """Π (N + F)^k − Π N^k, also where F is far smaller than N."""
    if all(surely_less(abs(far), abs(near) / 2) for near, far, _ in rows):
        rise = sum((k * (far / near).log1p() for near, far, k in rows), acb(0))
        return _power([(near, k) for near, _, k in rows]) * rise.expm1()
    return _power([(near + far, k) for near, far, k in rows]) - _power([(near, k) for near, _, k in rows])


def _power(rows: list[tuple[acb, int]]) -> acb:
    total = acb(1)
    for value, k in rows:
        total *= value**k
    return total
