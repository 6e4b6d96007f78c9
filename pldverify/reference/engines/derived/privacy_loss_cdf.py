r"""P(S ≤ ε): the distribution function of the composed privacy loss, atoms included.

With R = Q‖P the reversed pair, whose loss is −S under Q,

.. math:: \delta_R(-\epsilon) = Q(S \le \epsilon) - e^{-\epsilon} P(S \le \epsilon),

so :math:`P(S \le \epsilon) = e^{\epsilon}\,(Q(S \le \epsilon) - \delta_R(-\epsilon))`, and, as
:math:`\delta_R(-\epsilon) = 1 - e^{-\epsilon} + e^{-\epsilon}\delta_P(\epsilon)`, also
:math:`1 - \delta_P(\epsilon) - e^{\epsilon}(1 - Q(S \le \epsilon))`. :math:`Q(S \le \epsilon)` is the tail
of R at −ε. The events are closed, so an atom at ε counts.
"""

from dataclasses import dataclass

from pldverify.balls import arb
from pldverify.balls.ball import ball, hull, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfDirection, Proved, probability
from pldverify.reference.laws.law import with_tails


@dataclass(frozen=True)
class Cdf(OfDirection):
    """P(S ≤ ``at``) of one direction.

    Attributes:
        event: Q(S ≤ ε), the tail of the reverse at −ε.
        profile: for ε ≤ 0 δ(−ε) of the reverse, else δ(ε).
        tail: for ε > 0 P(S ≥ ε), the only bound left where Q(S > ε) is tiny: P(S < ε) ≤ P(S ≤ ε) ≤ 1 − δ(ε).
        bits: of precision.
    """

    event: Proved
    profile: Proved
    tail: Proved | None
    bits: int

    asks = "cdf"

    @property
    def engine(self) -> str:
        return self.profile.engine

    def prove(self) -> tuple[Bound, Bound]:
        eps, back = self.at, self.back
        loss = back if eps <= 0 else self.about
        asked = [(back, ("tail", -eps)), (loss, ("delta", abs(eps)))]
        parts = [self.event, self.profile]
        if eps > 0 and self.tail is not None:
            asked, parts = [*asked, (self.about, ("tail", eps))], [*parts, self.tail]
        if asked != [(part.about, part.question) for part in parts]:
            raise NoConvergence("cdf: not the tails and the δ that it follows from")
        with working(self.bits):
            odds, q, delta = ball(eps).exp(), hull(*self.event.prove()), hull(*self.profile.prove())
            value = odds * (q - delta) if eps <= 0 else 1 - delta - odds * (1 - q)
            low, high = probability(value)
        if eps > 0 and self.tail is not None:
            low = max(low, 1 - self.tail.prove()[1])
            high = min(high, 1 - self.profile.prove()[0])
        return low, high

    def errors(self) -> dict[str, arb]:
        return self.profile.errors()


@dataclass(frozen=True)
class CdfOfOne(OfDirection):
    """P(S ≤ ``at``) of a single loss: P is the second measure of R, and the event is that of losses of R from
    −ε on. ``bits`` of precision.
    """

    bits: int

    asks = "cdf"
    engine = "threshold"

    def prove(self) -> tuple[Bound, Bound]:
        back = self.back
        if back.steps != 1:
            raise NoConvergence(f"cdf: {back.steps} losses are not one")
        with working(self.bits):
            return probability(with_tails(back.factors[0][0]).tails(-self.at)[1])


@dataclass(frozen=True)
class CdfSupport(OfDirection):
    """P(S ≤ ``at``) below the smallest and from the largest finite loss on. ``bits`` of precision."""

    bits: int

    asks = "cdf"
    engine = "support"

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            found = self.known()
            if found is None:
                raise NoConvergence(f"support: ε={float(self.at):.6g} is not proved to lie outside of it")
            return probability(found)

    def known(self) -> arb | None:
        """The value at the working precision; None inside the support."""
        forward = self.about
        if forward.finite_mass().is_zero():
            return arb(0)
        least = self.back.largest_finite_loss()  # the smallest loss, negated
        if least is not None and surely_less(least, ball(-self.at)):
            return arb(0)
        return forward.finite_mass() if forward.ends_by(self.at) else None
