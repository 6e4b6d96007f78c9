"""NoiseQuery: the question of calibration, how much noise is enough for an (ε, δ)."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.as_composition import Composed
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query, Shown
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement
from pldverify.numbers.exact import Number, brief, nonnegative, probability


@dataclass(frozen=True)
class NoiseQuery(Query):
    """The least factor on all noise of a composition with which it is (``epsilon``, ``delta``)-DP.

    Where the composition has noise 1 per unit of sensitivity, the factor is the noise multiplier that a
    library returns. It is judged by the true ε at it: with too little noise that is above ``epsilon``. Only
    accountants whose ``asks`` has this class are asked it. Raises InvalidInput as
    :class:`~pldverify.mechanisms.query.Query`, where ε or δ is missing, and for a mechanism whose noise is
    not Gaussian or Laplace.

    >>> import pldverify as pv
    >>> str(pv.NoiseQuery(10 * pv.Gaussian(1), epsilon=1, delta="1e-5"))
    'noise for ε=1 at δ=1e-5 of 10 * gaussian(sigma=1) [add-or-remove]'
    """

    quantity = "noise"

    def __init__(
        self,
        composition: Composed,
        epsilon: Number | None = None,
        delta: Number | None = None,
        adjacency: Adjacency | None = None,
    ) -> None:
        self._of(composition, adjacency)
        if epsilon is None or delta is None:
            raise InvalidInput("query for noise must have both epsilon and delta")
        vars(self).update(epsilon=nonnegative(epsilon, "epsilon"), delta=probability(delta, "delta"))
        if not self.is_exact:
            raise InvalidInput("query for noise must have rational numbers, or it could not be scaled")
        self.at(Fraction(1))

    def at(self, factor: Fraction) -> Query:
        """The query for the true ε at δ with all noise multiplied by ``factor`` ≥ 0; without any, what was
        sampled is published.

        >>> import pldverify as pv
        >>> str(pv.NoiseQuery(pv.Gaussian(2), epsilon=1, delta="1e-6").at(3))
        'ε at δ=1e-6 of gaussian(sigma=6) [add-or-remove]'
        """
        parts = [(_noisier(mechanism, factor), count) for mechanism, count in self.composition.parts]
        return Query(Composition.of(*parts), delta=self.delta, adjacency=self.adjacency)

    def _asked(self, text: Shown) -> str:
        return f"noise for ε={text(self.epsilon)} at δ={text(self.delta)}"  # type: ignore[arg-type]  # both are given


def _noisier(mechanism: Mechanism, factor: Fraction) -> Any:
    match mechanism:
        case Gaussian() | Laplace() if factor == 0:
            return ApproximateDP(0, 1)
        case Gaussian(sigma):
            return replace(mechanism, sigma=factor * sigma)
        case Laplace(b):
            return replace(mechanism, b=factor * b)
        case PoissonSubsampled(Gaussian() | Laplace() as base, q):
            return PoissonSubsampled(_noisier(base, factor), q)
        case SampledWithoutReplacement(base, q):
            return SampledWithoutReplacement(_noisier(base, factor), q)
    raise InvalidInput(
        f"composition must have Gaussian or Laplace noise to be scaled, got {brief(mechanism)}"
    )
