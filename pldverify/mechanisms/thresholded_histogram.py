r"""A histogram whose keys come from the data: noisy counts, shown where they reach a threshold τ.

Each key that some record has gets its count with noise of ``base`` on it, and is shown with that noisy count
if it is at least τ = ``threshold``; other keys do not exist. A record adds to one key at most Δ, the base's
sensitivity (to up to m keys: m times this mechanism). Partition selection, which shows no counts, is a
post-processing.

**Two kinds of neighbours.** Where other records have the key, both data sets show a noisy count, so the pair
is the base's, or dominated by it. Where the record alone has it, P shows the key with probability :math:`\rho
= \Pr[\Delta + Z \ge \tau]` at most, and Q never: P = (ρ, 1 − ρ) against Q = (0, 1), with the profile
:math:`\max(\rho, 1 - e^s)` at s.

**Pair.** That of the profile :math:`\max(\delta_{\mathrm{base}}(s), \rho)` in direction ``remove``, and its
reverse: δ_base ≥ 1 − e^s, and the largest of two profiles is one, as it is convex in e^s. With s* where the
base's profile is ρ, it is the base's pair with the losses above s* put together: under P, ρ of their mass
goes to +∞, the rest and all of their Q-mass to s*, as :math:`P(S \ge s^*) - \rho = e^{s^*} Q(S \ge s^*)`. So
it dominates both kinds, steps whatever came before, and every δ(ε) of one step is attained, by neighbours of
one kind or of the other; by the base's in the limit of a large count, which is always shown. In a composition
some neighbours are of the one kind in all steps and some of the other (:mod:`pldverify.mechanisms.attained`);
the product of pairs only bounds them.

Under replace-one two keys change, one of each kind even, and no pair is given here.

Ordered in τ: ρ falls with it. In the noise it is not: more noise shows more keys.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import ONE_RECORD_LESS
from pldverify.numbers.exact import Number, brief, positive, real, show


@dataclass(frozen=True)
class ThresholdedHistogram(Mechanism, expression="thresholded_histogram", falls=("threshold",)):
    """Noise of ``base``, a Gaussian or Laplace mechanism, on the count of each key that there is; those that
    reach ``threshold`` are shown.

    ``base.sensitivity`` is the most that a record adds to its one key. Raises InvalidInput unless the base's
    parameters are rational and threshold is above its sensitivity.

    A key of one record alone is shown with probability e^(−10)/2, which no ε undoes:

    >>> shown = pv.ThresholdedHistogram(pv.Laplace(b=2), threshold=21)
    >>> float(pv.delta(shown, epsilon=5))
    2.26999648812...e-05
    >>> float(pv.delta(shown, epsilon=0)) == float(pv.delta(pv.Laplace(b=2), epsilon=0))
    True
    """

    base: Gaussian | Laplace
    threshold: Fraction

    relations = ONE_RECORD_LESS
    tight_steps = 1  # compositions are bounded, not attained
    # a level between the tests of both kinds is split between them, and neighbours are of one
    tight_rates = False

    def __init__(self, base: Gaussian | Laplace, threshold: Number) -> None:
        if not isinstance(base, Gaussian | Laplace):
            raise InvalidInput(f"base must be a Gaussian or Laplace mechanism, got {brief(base)}")
        if not base.is_exact:
            raise InvalidInput(f"base must have rational parameters, got {base}")
        vars(self).update(base=base, threshold=positive(threshold, "threshold", real))
        if not self.threshold > base.sensitivity:
            raise InvalidInput(
                f"threshold must be > {show(base.sensitivity)}, the most that one record adds, "
                f"got threshold={show(self.threshold)}"
            )

    @property
    def margin(self) -> Fraction:
        """How far the threshold is above what one record adds, in units of b or σ."""
        scale = self.base.b if isinstance(self.base, Laplace) else self.base.sigma
        return (self.threshold - self.base.sensitivity) / scale
