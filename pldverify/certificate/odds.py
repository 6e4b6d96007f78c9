"""What the proved profile says of an adversary's odds."""

from collections.abc import Sequence
from fractions import Fraction
from math import inf

from pldverify.certificate.curve import Point
from pldverify.certificate.issue import promised
from pldverify.mechanisms.relations import directions
from pldverify.numbers.exact import show
from pldverify.numbers.interval_functions import exp
from pldverify.numbers.scientific import outward
from pldverify.rulings.certify import Certificate
from pldverify.values.verdict import ends

FALSE = Fraction(1, 100)
"""Of data sets without the record, the share on which a test may be wrong."""
_OUTPUTS = {
    "remove": ("without the record", "with it"),
    "zero-out": ("in which the record counts as nothing", "in which it counts"),
    "replace-one": ("of one of the two data sets", "of the other one"),
}
"""Of which two kinds a test tells outputs, by adjacency."""
_DIGITS = 3
"""Significant digits of a printed percentage, rounded outward: any number of them is right."""


def odds(points: Sequence[Point], certificate: Certificate) -> list[str]:
    r"""Sentences; none where nothing is proved from above.

    Of two neighbours, each as likely before, a guess is right with probability at most
    :math:`(1 + \delta(0))/2`, which some test attains, as δ(0) is the total variation distance.

    From (ε, δ) alone :math:`\delta(0) \le 1 - 2(1 - \delta)/(1 + e^\epsilon)` follows: an event with
    probabilities p and q has :math:`p \le e^\epsilon q + \delta` and :math:`1 - q \le e^\epsilon (1 - p) +
    \delta`, which add up to :math:`(1 + e^\epsilon)(p - q) \le e^\epsilon - 1 + 2\delta`. Of one direction
    there is the first alone, and :math:`p - q \le p - (p - \delta)e^{-\epsilon} \le 1 - (1 -
    \delta)e^{-\epsilon}`, which the pair (1, 0) against :math:`((1 - \delta)e^{-\epsilon}, \ldots)` attains.

    A test of false positive rate α has a true positive rate of at most :math:`\inf_\epsilon e^\epsilon \alpha
    + \delta(\epsilon)`, by the definition of δ; here it is taken over the points.

    >>> from pldverify.certificate.curve import points
    >>> made = pv.certify(pv.Gaussian(1), epsilon=4, delta="1e-5")
    >>> odds(points(made.query, Fraction(4)), made)[0][:88]
    'Somebody who is shown two neighbours, finds each as likely, and guesses which of them wa'
    """
    above = [(point.epsilon, Fraction(point.delta.upper)) for point in points]
    if certificate.truth_is not in ("exact", "upper bound") or not above or above[0][0] != 0:
        return []
    said = [
        "Somebody who is shown two neighbours, finds each as likely, and guesses which of them was used, is "
        f"right with probability at most {_percent((1 + above[0][1]) / 2, 1)}, where tossing a coin has "
        "50 %. This is a ceiling for every attack, not the success of one.",
        *_claimed(certificate, above[0][1]),
    ]
    run = certificate.truth_is == "exact" and not promised(certificate.query.composition)
    if certificate.verdict == "REFUTED" and run:
        least = (1 + Fraction(points[0].delta.lower)) / 2
        said.append(
            f"For some neighbours the best guess is right with probability {_percent(least, -1)} or more."
        )
    adjacency = certificate.query.adjacency
    if adjacency != "add":
        bounds = [
            delta + FALSE * Fraction(factor) for at, delta in above if (factor := exp((at, at))[1]) < inf
        ]
        found = min(Fraction(1), *bounds)
        outputs, others = _OUTPUTS.get(adjacency, _OUTPUTS["remove"])
        said.append(
            f"A test that gives a false alarm on {_percent(FALSE, 1)} of the outputs {outputs} is right on "
            f"at most {_percent(found, 1)} of those {others}."
        )
    return said


def _claimed(certificate: Certificate, distance: Fraction) -> list[str]:
    """What the claimed numbers allow by themselves, and that a refutation need not be seen in that."""
    epsilon, delta = ends(certificate.epsilon)[1], ends(certificate.query.delta or Fraction(0))[1]
    factor = exp((epsilon, epsilon))[1]
    if certificate.relation != "<=" or factor == inf:
        return []
    back = factor if len(directions(certificate.query.adjacency)) == 1 else 1
    allowed = 1 - (1 - Fraction(delta)) / (Fraction(factor) + Fraction(back))
    seen = certificate.verdict != "REFUTED" or (1 + distance) / 2 > allowed
    rare = "" if seen else " Such guesses do not exceed that; rarer events exceed what it allows them."
    return [f"The claim alone would allow up to {_percent(allowed, 1)}.{rare}"]


def _percent(share: Fraction, side: int) -> str:
    """Rounded up (1) or down (-1)."""
    return f"{show(Fraction(outward(100 * share, _DIGITS, side)))} %"
