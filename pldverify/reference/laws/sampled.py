"""Which losses are those of sampled Gaussians, and their steps up to a cut: for engines and searches."""

from fractions import Fraction

from pldverify.errors import NotSupported
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import GaussianPairLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.near import NearLaw
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw

Sampled = GaussianMixtureLaw | GaussianPairLaw | ShiftedGaussianLaw


def sampled(loss: ComposedLoss) -> list[tuple[Sampled, int]]:
    """The laws and counts. Raises NotSupported unless all are Poisson-subsampled Gaussians, direction
    ``remove``, or all are sampled Gaussians under replace-one, drawn once at most."""
    laws = [(law, k) for law, k in loss.factors if isinstance(law, Sampled)]
    if len(laws) < len(loss.factors) or not (symmetric(loss) or _removed(loss)):
        raise NotSupported("not all are sampled Gaussians, direction remove or replace-one")
    return laws


def symmetric(loss: ComposedLoss) -> bool:
    """Whether all laws are the same in both directions."""
    return bool(loss.factors) and all(_replaced(law) for law, _ in loss.factors)


def _replaced(law: Law) -> bool:
    if isinstance(law, GaussianPairLaw):
        return law.drawn is not None
    return isinstance(law, ShiftedGaussianLaw) and isinstance(law.draws, Fraction)


def _removed(loss: ComposedLoss) -> bool:
    return bool(loss.factors) and all(
        isinstance(law, GaussianMixtureLaw) and law.direction == "remove" for law, _ in loss.factors
    )


def up_to(law: Sampled, cut: Fraction) -> NearLaw:
    """The step up to an outcome; of a law that :func:`sampled` tells."""
    return NearLaw(law.pair() if isinstance(law, GaussianMixtureLaw) else law, cut)
