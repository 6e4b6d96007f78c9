r"""Split: a composed loss of which a part is inverted, a part closed, and the rest small.

.. math:: \delta(\epsilon) \in \delta_G(\epsilon) + c + [0, s] ,

with G a measure below that of the loss, whose δ an inversion encloses in [0, G(all)], c a closed form and s a
bound of what both leave out. All lies in [0, mass].
"""

from dataclasses import dataclass

from pldverify.balls import arb
from pldverify.balls.ball import clamped


@dataclass(frozen=True)
class Split:
    """``measure`` encloses δ_G; ``closed`` is c; ``slack`` is s ≥ 0, its upper end counts; ``mass`` the
    whole.
    """

    measure: arb
    closed: arb
    slack: arb
    mass: arb

    def value(self) -> arb:
        """Ball around δ(ε). Raises OracleDisagreement if it lies outside of [0, mass]."""
        return clamped(self.measure + self.closed + arb(0).union(self.slack.upper()), self.mass)
