r"""Where Gaussian AboveThreshold halts for some neighbours: up to three outcomes, by integrals in balls.

:mod:`pldverify.mechanisms.gaussian_halting` has the integrands, which are entire and at most φ(z); the
integral over \|z\| ≤ L is enclosed by FLINT (Johansson 2018, arXiv 1802.07942), and what is beyond is at most
2Φ(−L). The pair is rounded inward (:mod:`pldverify.mechanisms.halting_pair`).
"""

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.mechanisms.gaussian_halting import GaussianHalting, Level
from pldverify.mechanisms.halting_pair import inward
from pldverify.reference.laws.finite_pair import FinitePairLaw

_BITS = 96
"""Working precision; any is right, few bits cost width."""
_TOLERANCE = arb(2) ** -72
"""Width at which an integral is done; any is right."""
_FAR = 12
"""L: 2Φ(−12) is 4e-33; any is right."""


@remembered(64)
def gaussian_halting(seen: GaussianHalting) -> FinitePairLaw | None:
    """The law of the outcomes, of P against Q; None where rounding leaves nothing of the loss."""
    with working(_BITS):
        pair = inward(*(_outcomes(seen, levels) for levels in seen.levels))
    return None if pair is None else FinitePairLaw(pair.p, pair.q)


def _outcomes(seen: GaussianHalting, levels: list[Level]) -> list[arb]:
    """The probabilities: it halts at one that falls, not at all, at one that rises."""
    falling = _integral(seen, levels, halts=True)
    if seen.in_turn or not levels[0].rising:
        return [falling, 1 - falling]
    never = _integral(seen, levels, halts=False)
    return [falling, never, 1 - falling - never]


def _integral(seen: GaussianHalting, levels: list[Level], halts: bool) -> arb:
    """That it ``halts`` at one that falls, or not at all."""
    sigma, unit = ball(seen.asked.sigma), ball(seen.asked.query_sigma)
    rows = [(ball(high), rising, ball(low), times) for high, rising, low, times in reversed(levels)]

    def integrand(z: acb, _: bool) -> acb:
        found = acb(0 if halts else 1)
        for high, rising, low, times in rows:
            before = normal_tail((high - sigma * z) / unit) ** rising
            passed = before * normal_tail((low - sigma * z) / unit)
            if halts:
                here = before * normal_tail((sigma * z - low) / unit)
                for _doubling in range(times.bit_length() - 1):  # the sum of 2t powers from that of t
                    here *= 1 + passed
                    passed *= passed
                found = here + passed * found
            else:
                found *= passed**times
        return found * (-(z**2) / 2).exp() / (2 * arb.pi()).sqrt()

    inside = acb.integral(integrand, acb(-_FAR), acb(_FAR), rel_tol=_TOLERANCE, abs_tol=_TOLERANCE).real
    beyond = 2 * normal_tail(arb(_FAR))
    return (inside + arb(0).union(beyond)).max(arb(0))
