r"""Loss of one of several pairs, drawn under P and Q alike, of which one is told which: a mixture of losses.

Tails and transforms are the means of those of the parts, so that :math:`|M(\theta + iu)| \le \sum_i w_i
M_i(\theta)\,|\varphi_i(u)|` with the tilted characteristic function of each.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, biggest
from pldverify.reference.laws.law import BoundedDecay, Decay, Law, with_tails
from pldverify.reference.laws.together import decays, on_lines
from pldverify.reference.lemmas.layers import Layers


@dataclass(frozen=True)
class KnownMixtureLaw:
    """``parts``: (probability, law) of laws whose δ_∞ is rational. With what the probabilities lack of 1 all
    is lost: the loss is +∞ under P, −∞ under Q.
    """

    parts: tuple[tuple[Fraction, Law], ...]

    @property
    def infinite_mass(self) -> Fraction:
        finite = (share * (1 - cast(Fraction, law.infinite_mass)) for share, law in self.parts)
        return 1 - sum(finite, Fraction(0))

    @property
    def largest_finite_loss(self) -> arb | None:
        tops = [law.largest_finite_loss for _, law in self.parts]
        known = [ball(top) if isinstance(top, Fraction) else top for top in tops if top is not None]
        return biggest(known) if len(known) == len(tops) else None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        rows = [(ball(share), *with_tails(law).tails(s)) for share, law in self.parts]
        return sum((v * p for v, p, _ in rows), arb(0)), sum((v * q for v, _, q in rows), arb(0))

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        total = [acb(0)] * (count + 1)
        for share, law in self.parts:
            line = on_lines([law], theta, step, count)[0]
            total = [known + ball(share) * more for known, more in zip(total, line, strict=True)]
        return total

    def decay(self, theta: Fraction) -> Decay:
        zero = Fraction(0)
        masses = [ball(share) * on_lines([law], theta, zero, 0)[0][0].real for share, law in self.parts]
        found = [decays([(law, 1)], theta)[0][0] for _, law in self.parts]
        whole = sum(masses, arb(0))

        def bound(u: arb) -> arb:
            terms = (m * decay.log_sup(u).exp() for m, decay in zip(masses, found, strict=True))
            return (sum(terms, arb(0)) / whole).log().upper()

        return BoundedDecay(Layers([], []), bound=bound)
