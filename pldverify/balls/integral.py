r"""∫ of an analytic function between real ends, enclosed by Petras' algorithm (Johansson 2018, arXiv
1802.07942), in the time that is left.

FLINT keeps its quadrature nodes at the highest precision that was asked for so far, so what was asked before
may change the last bits of an end, never the truth.
"""

from collections.abc import Callable

from pldverify.balls import acb, arb, ctx
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence

_MAX_DEPTH = 100
"""Cap on bisections of the interval, one within the other."""


def integral(integrand: Callable[[acb, bool], acb], low: arb, high: arb, *, size: arb, engine: str) -> arb:
    """Re ∫ from ``low`` to ``high``, at an absolute error of some ``size``; both ends may be inexact.

    ``integrand(x, analytic)`` encloses f, and with ``analytic`` is not finite where f is not analytic on x.
    Raises NoConvergence, also where the budget ends.
    """
    stopped: list[NoConvergence] = []  # flint goes on for a while, and stops at NaN

    def watched(x: acb, analytic: bool) -> acb:
        if stopped:
            return acb(arb.nan())
        try:
            spend()
            return integrand(x, analytic)
        except NoConvergence as reason:
            stopped.append(reason)
            return acb(arb.nan())

    start, end = low.mid(), high.mid()
    value = acb.integral(watched, start, end, abs_tol=size, depth_limit=_MAX_DEPTH).real
    if stopped:
        raise stopped[0]
    value += (start - low) * integrand(acb(low), False).real  # by the mean value theorem
    value += (high - end) * integrand(acb(high), False).real
    if not value.is_finite():
        raise NoConvergence(f"{engine}: the integral did not converge at {ctx.prec} bits")
    return value
