"""The proved trade-off of both errors of an attack on neighbours, as a drawing, and the claim on it.

The least share of outputs that are missed, T, falls in the share of false alarms. So between two points it
lies in a box, as the profile does.
"""

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from pldverify.balls.clock import clock
from pldverify.certificate import figure
from pldverify.certificate.figure import BOX, Curve, curve
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.interval_functions import exp
from pldverify.rulings.certify import Certificate
from pldverify.values.verdict import ends
from pldverify.web_page import Tick

if TYPE_CHECKING:
    from pldverify.reference.quantities.profile import Profile

AT = tuple(Fraction(i, 200) for i in (0, 1, 4, 10, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200))
"""Shares of false alarms; more of them make smaller boxes."""
_DIGITS = 3
"""Significant digits of each point: the width of a line in the drawing."""
_SECONDS = 4.0
"""Processor seconds of all points."""
_TICKS = 5
"""Parts of an axis."""


@dataclass(frozen=True)
class Frame(figure.Frame):
    """Both axes, from 0 to 1, which is no power of ten: false alarms across, missed outputs up."""

    top: Fraction = Fraction(1)
    lowest: int = 0

    def up(self, share: Bound) -> float:
        """Where a share of missed outputs stands."""
        return BOX.up(float(share))

    def ys(self) -> list[Tick]:
        """Round numbers."""
        return [Tick(self.up(Fraction(i, _TICKS)), f"{i / _TICKS:g}") for i in range(_TICKS + 1)]


@dataclass(frozen=True)
class Rates:
    """What is proved, what the claim says, and what guessing does, as paths."""

    axes: Frame
    proved: Curve
    claimed: str
    guessing: str


def rates(certificate: Certificate, known: "Profile | None" = None) -> Rates | None:
    """None where both errors are not enclosed soon, or where one direction alone is meant; ``known`` as in
    :func:`points`.
    """
    query, axes = certificate.query, Frame()
    if query.adjacency in ("add", "remove") or not query.composition.is_exact:
        return None
    found = points(query, known)
    if not found:
        return None
    line = "L".join(f"{axes.across(x)} {axes.up(y)}" for x, y in claimed(certificate))
    guessing = f"M{BOX.left} {BOX.top}L{BOX.end} {BOX.floor}"
    return Rates(axes, curve(found, axes), f"M{line}", guessing)


def points(query: Query, known: "Profile | None" = None) -> list[tuple[Fraction, Enclosure]]:
    """T at the shares ``AT``; none where they can't be had soon. ``known`` is what answers for the
    composition, by default a profile of its own.
    """
    from pldverify.reference.quantities.profile import profile

    with suppress(NotSupported, NoConvergence), clock(_SECONDS):
        asked = known or profile(query.composition, query.adjacency)
        return list(zip(AT, asked.trade_off(AT, digits=_DIGITS), strict=True))
    return []


def claimed(certificate: Certificate) -> list[tuple[Fraction, Fraction]]:
    r"""The corners of what (ε, δ)-DP is, the largest of 0 and :math:`1 - \delta - e^\epsilon x` and
    :math:`e^{-\epsilon} (1 - \delta - x)` (Wasserman and Zhou 2010; Dong, Roth, Su 2022, Proposition 2.4).
    """
    epsilon, delta = ends(certificate.epsilon)[1], ends(certificate.query.delta or Fraction(0))[1]
    rest, factor = 1 - Fraction(delta), exp((epsilon, epsilon))[1]
    middle = Fraction(0) if factor == inf else rest / (1 + Fraction(factor))
    return [(Fraction(0), rest), (middle, middle), (rest, Fraction(0))]
