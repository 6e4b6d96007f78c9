"""Which losses are those of sampled Gaussians: facts that engines and searches ask for."""

from fractions import Fraction

from pldverify.errors import NotSupported
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw

Sampled = GaussianMixtureLaw | SubstituteGaussianLaw | ShiftedGaussianLaw


def sampled(loss: ComposedLoss) -> list[tuple[Sampled, int]]:
    """The laws and counts. Raises NotSupported unless all are Poisson-subsampled Gaussians, direction
    ``remove``, or all are sampled Gaussians under replace-one, drawn once at most."""
    laws = [(law, k) for law, k in loss.factors if isinstance(law, Sampled)]
    if len(laws) < len(loss.factors) or not (symmetric(loss) or _removed(loss)):
        raise NotSupported("not all are sampled Gaussians, direction remove or replace-one")
    return laws


def symmetric(loss: ComposedLoss) -> bool:
    """Whether all laws are the same in both directions."""
    return bool(loss.factors) and all(
        isinstance(law, SubstituteGaussianLaw)
        or (isinstance(law, ShiftedGaussianLaw) and isinstance(law.draws, Fraction))
        for law, _ in loss.factors
    )


def _removed(loss: ComposedLoss) -> bool:
    return bool(loss.factors) and all(
        isinstance(law, GaussianMixtureLaw) and law.direction == "remove" for law, _ in loss.factors
    )


def mixtures(loss: ComposedLoss) -> list[tuple[GaussianMixtureLaw, int]]:
    """The laws and counts. Raises NotSupported unless all are Poisson-subsampled Gaussians, ``remove``."""
    laws = [(law, k) for law, k in loss.factors if isinstance(law, GaussianMixtureLaw)]
    if not _removed(loss):
        raise NotSupported("not all are Poisson-subsampled Gaussians, direction remove")
    return laws
