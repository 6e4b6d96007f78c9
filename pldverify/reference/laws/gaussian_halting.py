r"""Where Gaussian AboveThreshold halts for some neighbours: three outcomes, by integrals in balls.

:mod:`pldverify.mechanisms.gaussian_halting` has the integrands, which are entire and at most φ(z); the
integral over \|z\| ≤ L is enclosed by FLINT (Johansson 2018, arXiv 1802.07942), and what is beyond is at most
2Φ(−L). The pair is rounded inward (:mod:`pldverify.mechanisms.halting_pair`).
"""

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.mechanisms.gaussian_halting import GaussianHalting, Values
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
        pair = inward(*(_outcomes(seen, values) for values in seen.values))
    return None if pair is None else FinitePairLaw(pair.p, pair.q)


def _outcomes(seen: GaussianHalting, values: Values) -> list[arb]:
    """The probabilities: it halts among the first, at the next, not at all."""
    at_next = _integral(seen, values, halts=True)
    if not seen.first:
        return [at_next, 1 - at_next]
    survived = _integral(seen, values, halts=False)
    return [1 - survived, at_next, survived - at_next]


def _integral(seen: GaussianHalting, values: Values, halts: bool) -> arb:
    """That the first stay below, and the next is above, if it ``halts``, or anything."""
    sigma, unit, n = ball(seen.asked.sigma), ball(seen.asked.query_sigma), seen.first
    v, w = (ball(x) for x in values)

    def integrand(z: acb, _: bool) -> acb:
        found = (-(z**2) / 2).exp() / (2 * arb.pi()).sqrt()
        if n:
            found *= normal_tail((v - sigma * z) / unit) ** n
        return found * normal_tail((sigma * z - w) / unit) if halts else found

    inside = acb.integral(integrand, acb(-_FAR), acb(_FAR), rel_tol=_TOLERANCE, abs_tol=_TOLERANCE).real
    beyond = 2 * normal_tail(arb(_FAR))
    return (inside + arb(0).union(beyond)).max(arb(0))
