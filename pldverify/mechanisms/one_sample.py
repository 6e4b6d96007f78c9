r"""Several mechanisms that see one sample of the records: one mechanism on it, their composition.

* **Gaussians** are one Gaussian with :math:`\sigma^{-2} = \sum_i k_i C_i^2/\sigma_i^2`, exactly: in units of
  its own noise each adds coordinates in which a record moves by up to C_i/σ_i, all together by up to the root
  of the sum of squares, in one direction where all do.
* With **μ-GDP** promises among them they are one such promise, :math:`\mu^2 = \sum \mu_i^2` (Dong, Roth, Su
  2022, Corollary 3.3), which Gaussian noise has, and no less.
* With **ρ-zCDP** promises among them they are (Σρ)-zCDP, ρ = μ²/2 of the others (Bun and Steinke 2016, Lemma
  1.7 and Proposition 1.6).
* **Finitely many outcomes** each (randomised response, finite pairs, ε- and (ε, δ)-DP promises): the product
  of the pairs, which dominates, and is attained, as they are.

* **One Laplace mechanism among Gaussians and μ-GDP promises**: the product of its pair and that of the others
  together, attained likewise.

Adaptive ones too: each dominates whatever came before. Other mixtures, as of two Laplace mechanisms, are
refused: their product has no law here.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import RELATIONS, Relation
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.exact import real, show

_FINITE = RandomizedResponse | FinitePair | PureDP | ApproximateDP


@dataclass(frozen=True)
class OneSample(Mechanism):
    """What :func:`on_one_sample` makes of mechanisms that are not one together: their ``composition``."""

    composition: Composition

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(name for name in RELATIONS if self.composition.has(name))

    def __str__(self) -> str:
        return str(self.composition)


def on_one_sample(composition: Composition | Mechanism) -> Mechanism:
    """One mechanism that stands for all.

    Raises InvalidInput for mixtures that have no law here, and irrational parameters of several mechanisms.

    >>> from pldverify.mechanisms.one_sample import on_one_sample
    >>> print(on_one_sample(32 * pv.Gaussian(sigma=8) + pv.Gaussian(sigma=1)))
    gaussian(sigma=1/sqrt(1.5))
    """
    whole = composed(composition)
    if whole.steps == 1:
        return whole.parts[0][0]
    kinds = [mechanism for mechanism, _ in whole.parts]
    if not whole.is_exact:
        raise InvalidInput(f"mechanisms on one sample must have rational parameters, got {whole}")
    if all(isinstance(mechanism, _FINITE) for mechanism in kinds):
        return OneSample(whole)
    laplace = sum(k for mechanism, k in whole.parts if isinstance(mechanism, Laplace))
    if laplace == 1 and all(isinstance(mechanism, Gaussian | GDP | Laplace) for mechanism in kinds):
        return OneSample(whole)
    if not all(isinstance(mechanism, Gaussian | GDP | ZCDP) for mechanism in kinds):
        raise InvalidInput(
            "mechanisms on one sample must be all Gaussian or GDP or zCDP promises, or Gaussian or GDP ones "
            f"and one Laplace mechanism, or all of finitely many outcomes, got {whole}"
        )
    square = show(square_of(whole))
    if any(isinstance(mechanism, ZCDP) for mechanism in kinds):
        return ZCDP(_number(f"({square})/2"))
    if any(isinstance(mechanism, GDP) for mechanism in kinds):
        return GDP(_number(f"sqrt({square})"))
    return Gaussian(_number(f"1/sqrt({square})"))


def square_of(composition: Composition) -> Fraction:
    """μ² of what is Gaussian noise, or at least as private as it, together.

    >>> from pldverify.mechanisms.one_sample import square_of
    >>> square_of(4 * pv.Gaussian(2) + pv.GDP(mu=3))
    Fraction(10, 1)
    """
    return 2 * sum((k * _rho(mechanism) for mechanism, k in composition.parts), Fraction(0))


def _rho(mechanism: Any) -> Fraction:
    match mechanism:
        case Gaussian():
            return 1 / mechanism.noise_multiplier**2 / 2
        case GDP():
            return mechanism.mu**2 / 2
    rho: Fraction = mechanism.rho
    return rho


def _number(text: str) -> Any:
    """Any: constructors say that they take fractions, and take irrational numbers, too."""
    return real(text, "noise")
