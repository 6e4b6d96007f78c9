"""What the proved profile says of an adversary's odds."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf

from pldverify.certificate.curve import Point
from pldverify.mechanisms.mechanism import Standing
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import show
from pldverify.numbers.interval_functions import exp
from pldverify.numbers.scientific import outward

FALSE = Fraction(1, 100)
"""Of data sets without the record, the share on which a test may be wrong."""
_OUTPUTS = {
    "remove": ("without the record", "with it"),
    "zero-out": ("in which the record counts as nothing", "in which it counts"),
    "replace-one": ("of one of the two data sets", "of the other one"),
}
"""Of which two kinds a test tells outputs, by adjacency."""
_DIGITS = 3
"""Significant digits of a printed percentage, rounded up: any number of them is right."""


def odds(points: Sequence[Point], truth_is: Standing, adjacency: Adjacency) -> list[str]:
    r"""Sentences; none where nothing is proved from above.

    Of two neighbours, each as likely before, a guess is right with probability at most
    :math:`(1 + \delta(0))/2`, as δ(0) is the total variation distance. A test of false positive rate α has
    a true positive rate of at most :math:`\inf_\epsilon e^\epsilon \alpha + \delta(\epsilon)`, by the
    definition of δ; here it is taken over the points.

    >>> from pldverify.certificate.curve import points
    >>> found = points(pv.Query(pv.Gaussian(1), delta="1e-5"), Fraction(4))
    >>> odds(found, "exact", "add-or-remove")[0][-38:]
    'right with probability at most 69.2 %.'
    """
    above = [(point.epsilon, Fraction(point.delta.upper)) for point in points]
    if truth_is not in ("exact", "upper bound") or not above or above[0][0] != 0:
        return []
    guess = (1 + above[0][1]) / 2
    said = [
        "Somebody who is told two neighbours, each as likely, and guesses which of them was used, is right "
        f"with probability at most {_percent(guess)}."
    ]
    if adjacency != "add":
        bounds = [
            delta + FALSE * Fraction(factor) for at, delta in above if (factor := exp((at, at))[1]) < inf
        ]
        found = min(Fraction(1), *bounds)
        outputs, others = _OUTPUTS.get(adjacency, _OUTPUTS["remove"])
        said.append(
            f"A test that takes {_percent(FALSE)} of the outputs {outputs} for outputs {others} finds at "
            f"most {_percent(found)} of the latter."
        )
    return said


def _percent(share: Fraction) -> str:
    """Rounded up."""
    return f"{show(Fraction(outward(100 * share, _DIGITS, 1)))} %"
