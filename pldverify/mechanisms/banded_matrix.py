r"""Banded matrix factorisation under cyclic Poisson sampling (BandMF), as a composition of sampled Gaussians.

Cx + z is released row by row, with independent noise of σ in every entry; C is lower triangular with the same
coefficients :math:`c_0, \dots, c_{b-1}` below each entry of its diagonal, so column t is not zero in the rows
t to t + b − 1 alone. The records are in b known groups, which group a record is in depends on no other
record; step t samples each record of group t mod b with probability q (Choquette-Choo et al. 2023, arXiv
2306.08153).

**Pair.** Let the record be in group r, and :math:`B_j` say whether it is in the sample of step jb + r, where
it contributes g of norm at most s. Columns of these steps have no row in common. Given the rows before and
the samples of all others, the rows jb + r to jb + r + b − 1 are known vectors plus noise plus
:math:`B_j c_i g`, and g is fixed before the first of them: it is the Gaussian mechanism of sensitivity
:math:`s|c|` on a Poisson sample. The rest of the rows has one law on both sides, the B_j are independent, and
adaptive steps compose. Of n steps, column t is cut to min(b, n − t) rows, so group 0 has in each of its
:math:`\lceil n/b \rceil` steps at least the norm of any other group: it dominates, and is attained. ∎ Groups
that are drawn at random and hidden are dominated (joint convexity).

**Other batches.** With balls in bins, or where a record rests b steps after each that it is in, the outputs
are mixtures whose means overlap: for these Monte Carlo estimates (arXiv 2410.06266, 2601.21636) and a
programme for Rényi divergences are published, and nothing is proved here but what the batch revealed gives.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.batches import SCHEMES
from pldverify.mechanisms.matrix_mechanism import gaussian
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.vector import vector
from pldverify.numbers.exact import Number, brief, count, probability, rational

MAX_BANDS = 10**4
"""Cap on the bands of a matrix."""


def banded_matrix(
    sigma: Number,
    coefficients: Iterable[Number],
    steps: Number,
    q: Number = 1,
    sensitivity: Number = 1,
    sampling: str = "cyclic-poisson",
) -> Composition:
    """BandMF: noise of standard deviation ``sigma`` on every row of C x, batches by cyclic Poisson sampling.

    Args:
        sigma: in the unit of the query.
        coefficients: one for each band, the diagonal first; rational numbers. As many groups take turns.
        steps: columns of C.
        q: the probability with which a record is in the sample of a step of its group.
        sensitivity: how far one record's presence moves one step's contribution.
        sampling: nothing else is proved: NotSupported says what is known of balls in bins and of others.

    Raises InvalidInput. The groups must be known and depend on no record; else it is an upper bound.

    >>> print(pv.banded_matrix(sigma=2, coefficients=[1, "1/2"], steps=5, q="0.1"))
    poisson(gaussian(sigma=2), q=0.1) + 2 * poisson(gaussian(sigma=2, sensitivity=sqrt(1.25)), q=0.1)
    """
    if sampling != "cyclic-poisson":
        raise NotSupported(_known(sampling))
    bands = vector(coefficients, "coefficients", rational, MAX_BANDS)
    whole, rest = divmod(count(steps, "steps"), len(bands))
    share = probability(rational(q, "q"), "q", zero=False)
    parts: list[tuple[Mechanism, int]] = []
    for times, rows in ((whole, bands), (1, bands[:rest])):
        square = sum((c**2 for c in rows), Fraction(0))
        if times and square:
            base: Any = gaussian(sigma, square, sensitivity)
            parts.append((PoissonSubsampled(base, share) if share < 1 else base, times))
    if not parts:
        raise InvalidInput("coefficients must have one that is not zero within the steps")
    return Composition.of(*parts)


def _known(sampling: str) -> str:
    if sampling not in (*SCHEMES, "b-min-separation"):
        return f"banded_matrix must have sampling = cyclic-poisson, got {brief(sampling)}"
    return (
        f"of banded matrices with sampling = {sampling} no pair is known here: published are Monte Carlo "
        "estimates (arXiv 2410.06266) and Rényi divergences (arXiv 2601.21636). The batch revealed is an "
        "upper bound: matrix_mechanism with participations and stride"
    )
