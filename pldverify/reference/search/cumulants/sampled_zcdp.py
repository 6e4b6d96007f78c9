"""Cumulants of the bounds of a sample of what is ρ-zCDP, by differences."""

from pldverify.balls.ball import short, working
from pldverify.errors import NoConvergence
from pldverify.reference.laws.sampled_zcdp import SampledZCDPBound
from pldverify.reference.search.cumulants.law import Cumulant, cumulant

_STEP = 1 / 64
"""Relative to λ."""


@cumulant.register
def sampled_zcdp(law: SampledZCDPBound, theta: float) -> Cumulant:
    if not theta > 0:
        raise NoConvergence("sampled zCDP: moments of positive order alone are bounded")
    with working(64):
        points = (theta * (1 - _STEP), theta, theta * (1 + _STEP))
        left, centre, right = (float(law.log_moment(short(x)).mid()) for x in points)
    width = theta * _STEP
    return centre, (right - left) / (2 * width), max((right - 2 * centre + left) / width**2, 1e-9)
