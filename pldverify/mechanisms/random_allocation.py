"""Random allocation of k of T steps to each record, as balls and bins."""

from pldverify.errors import InvalidInput
from pldverify.mechanisms.balls_and_bins import BallsAndBins
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.exact import Number, count


def random_allocation(
    base: Gaussian, *, steps: Number, participations: Number = 1, blocks: bool = False
) -> Composition:
    """``base`` at each of ``steps`` steps, each record being in ``participations`` of them, drawn at random.

    One epoch of balls and bins for each participation, on its share of the steps: proved in
    :mod:`pldverify.mechanisms.balls_and_bins`. With ``blocks`` a record is in one step of each of so many
    blocks of steps, which differ in length by one at most; that is exact, and so is one participation. Else
    all subsets are as likely, and it is an upper bound, to which :func:`pldverify.bracket` has a lower end.
    Raises InvalidInput unless 1 ≤ participations ≤ steps.

    >>> print(pv.random_allocation(pv.Gaussian(sigma=2), steps=1000, participations=4))
    4 * balls_and_bins(gaussian(sigma=2), batches=250, participations=4, steps=1000)
    >>> print(pv.random_allocation(pv.Gaussian(sigma=2), steps=10, participations=3, blocks=True))
    2 * balls_and_bins(gaussian(sigma=2), batches=3) + balls_and_bins(gaussian(sigma=2), batches=4)
    """
    whole, k = count(steps, "steps"), count(participations, "participations")
    if k > whole:
        raise InvalidInput(f"participations must be at most steps={whole}, got participations={k}")
    size, longer = divmod(whole, k)
    whose = (k, whole) if 1 < k < whole and not blocks else ()
    shares = ((size, k - longer), (size + 1, longer))
    return Composition.of(*((BallsAndBins(base, n, *whose), times) for n, times in shares if times))
