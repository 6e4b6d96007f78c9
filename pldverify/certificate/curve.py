"""The proved privacy profile δ(ε) around a claim.

δ falls in ε. So between two points it lies in a box: it is at most what it is at most at the left one, and at
least what it is at least at the right one. A drawing of these boxes is proved everywhere.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from pldverify.balls.clock import clock
from pldverify.certificate.figure import frame
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.scientific import scientific
from pldverify.rulings.certify import Certificate
from pldverify.values.truth import bracket
from pldverify.values.verdict import ends

if TYPE_CHECKING:
    from pldverify.reference.quantities.profile import Profile

FINE = 64
"""Steps of ε, from 0 on, where the profile is known to many digits."""
COARSE = 16
"""The same where δ is only known in brackets, each of which is searched for on its own."""
DIGITS = 4
"""Significant digits asked of δ at each point, or of its bracket."""
_DIGITS_BY_ATTACK = 3
"""The same where an attack is known: the width of a line in the drawing."""
_LOOK = 0.05
"""Processor seconds for the bracket of one point."""
_LOOK_AT_CLAIM = 1.0
"""The same for the point at the claimed ε."""
_SECONDS = 10.0
"""Processor seconds for all points to so many digits; where they take longer there are brackets."""
_MOST = Fraction(10**100)
"""Cap on the ε looked at."""
_FAR = 3
"""A claim more than so many times the true ε stands beyond the points."""
_SMALL = Fraction(1, 10**12)
"""The δ whose ε counts where the true one is infinite: all that is drawn of a claim at δ = 0."""


class Point(NamedTuple):
    """δ at ε (nats)."""

    epsilon: Fraction
    delta: Enclosure


def reach(certificate: Certificate) -> Fraction:
    """The greatest ε to be looked at: a quarter beyond the claimed and the true one, FINE round steps.

    >>> from pldverify.certificate.curve import reach
    >>> reach(pv.certify(pv.Query(pv.Laplace(b=1), delta=0), epsilon="1.5"))
    Fraction(48, 25)
    """
    claimed = Fraction(ends(certificate.epsilon)[1])
    true = _finite(certificate)
    far = min(claimed, _FAR * true) if true else claimed
    return FINE * _round_up(min(max(far, true) * 5 / 4, _MOST) / FINE) or Fraction(1)


def kept(query: Query) -> "Profile | None":
    """What answers for all of a page, each question by what earlier ones set up; None for irrational
    parameters.
    """
    from pldverify.reference.quantities.profile import Kept

    return Kept(query.composition, query.adjacency) if query.composition.is_exact else None


def points(
    query: Query,
    top: Fraction,
    claimed: Fraction | None = None,
    *,
    known: "Profile | None" = None,
    truth: Enclosure | None = None,
) -> list[Point]:
    """The profile of the query's composition from ε = 0 to ``top``, and at the ``claimed`` ε if that is not
    beyond; none where nothing is proved. Where digits take too long, fewer points in brackets: where batches
    are hidden, by the attack that the ``truth``, ε at the query's δ, rests on. ``known`` is what answers for
    the composition, by default a profile of its own.
    """
    from pldverify.reference.quantities.profile import profile
    from pldverify.reference.quantities.same_attack import attacked, same_attack

    also = set() if claimed is None or claimed > top else {claimed}
    if query.composition.is_exact:
        grid = sorted({top * i / FINE for i in range(FINE + 1)} | also)
        with suppress(NotSupported, NoConvergence), clock(_SECONDS):
            asked = known or profile(query.composition, query.adjacency)
            return list(map(Point, grid, asked.delta(grid, digits=DIGITS)))
    grid = sorted({top * i / COARSE for i in range(COARSE + 1)} | also)
    if (attack := attacked(truth)) is not None:
        floor = frame(top, query.delta or Fraction(0)).floor
        with suppress(NotSupported, NoConvergence), clock(_SECONDS):
            return list(map(Point, grid, same_attack(attack, grid, _DIGITS_BY_ATTACK, floor)))
    with suppress(NotSupported):
        return [Point(epsilon, _bracket(query, epsilon, epsilon in also)) for epsilon in grid]
    return []


def end(query: Query, top: Fraction, floor: Fraction) -> Fraction:
    """An ε beyond which the δ of the query's composition is below ``floor``: no more of it can be drawn;
    ``top`` where none below that is known.

    >>> from fractions import Fraction
    >>> from pldverify.certificate.curve import end
    >>> query = pv.Query(pv.Gaussian(1), delta="1e-5")
    >>> end(query, Fraction(100), Fraction(1, 10**8))
    Fraction(29, 5)
    """
    with suppress(NotSupported):
        found = bracket(replace(query, delta=floor), lambda found: found.digits >= DIGITS).upper
        return min(top, top if found == math.inf else _round_up(Fraction(found)))
    return top


def shows(found: Sequence[Point], certificate: Certificate) -> bool:
    """Whether points of the profile prove the verdict by themselves, where it is one on ε ≤ …

    Of pairs that only bound the mechanism the other end says nothing of it.
    """
    delta = certificate.query.delta or Fraction(0)
    (low, high), (least, most) = ends(certificate.epsilon), ends(delta)
    if certificate.relation != "<=" or certificate.verdict not in ("CERTIFIED", "REFUTED"):
        return True
    is_true = certificate.verdict == "CERTIFIED"
    if certificate.truth_is not in ("exact", "upper bound" if is_true else "lower bound"):
        return False
    if is_true:
        return any(point.epsilon <= low and point.delta.upper <= least for point in found)
    return any(point.epsilon >= high and point.delta.lower > most for point in found)


def _finite(certificate: Certificate) -> Fraction:
    """The true ε from above; 0 for unknown."""
    from pldverify.reference.quantities.questions import epsilon

    query, truth = certificate.query, certificate.truth
    if truth is not None and truth.lower == math.inf and query.composition.is_exact:
        with suppress(NotSupported, NoConvergence):
            truth = epsilon(query.composition, delta=_SMALL, adjacency=query.adjacency, digits=DIGITS)
    return Fraction(0) if truth is None or truth.upper == math.inf else Fraction(truth.upper)


def _round_up(x: Fraction) -> Fraction:
    """To two digits."""
    return Fraction(scientific(x, 2, up=True))


def _bracket(query: Query, epsilon: Fraction, is_claim: bool) -> Enclosure:
    asked = Query(query.composition, epsilon=epsilon, adjacency=query.adjacency)
    return bracket(asked, lambda found: found.digits >= DIGITS, _LOOK_AT_CLAIM if is_claim else _LOOK)
