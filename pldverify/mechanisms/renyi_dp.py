r"""Any (α, τ)-RDP mechanism (Mironov 2017): :math:`D_\alpha \le \tau` both ways, at one order or at several.

Like ρ-zCDP it bounds δ(ε) but fixes no pair. Divergences add up, also adaptively. From above, with
:math:`u(\lambda) = \lambda \tau_{\lambda+1}` at the orders and u(0) = 0: log M is convex, log M(0) ≤ 0, so
between two of them log M is at most on the line between both (:mod:`pldverify.reference.laws.renyi_bound`),
and Markov's inequality bounds δ(ε). From below, Gaussian noise of :math:`\mu^2 = \min 2\tau/\alpha` has all
of the guarantees (:mod:`pldverify.mechanisms.attained`).

No loss is infinite, as a divergence of an order above 1 is finite.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.vector import is_list, vector
from pldverify.numbers.exact import Number, nonnegative, positive, show

MAX_ORDERS = 1000
"""Cap on the orders of one guarantee."""


@dataclass(frozen=True)
class RenyiDP(Mechanism, expression="renyi_dp"):
    """Some mechanism whose Rényi divergences of ``orders`` are known to be at most ``divergences``, in nats.

    One number or a list each, equally long; of equal orders the least divergence counts. Raises InvalidInput
    unless orders are > 1 and divergences ≥ 0, all rational.

    Between Gaussian noise of σ = 2, which has this divergence, and Markov's inequality:

    >>> found = pv.bracket(pv.RenyiDP(orders=8, divergences=1), delta="1e-3", digits=1)
    >>> f"{float(found.lower):.2f} {float(found.upper):.2f}"
    '1.35 1.56'
    """

    orders: tuple[Fraction, ...]
    divergences: tuple[Fraction, ...]

    tight_steps = 0  # there is no pair to attain

    def __init__(self, orders: Number | Sequence[Number], divergences: Number | Sequence[Number]) -> None:
        alphas = vector(orders if is_list(orders) else [orders], "orders", positive, MAX_ORDERS)
        given = divergences if is_list(divergences) else [divergences]
        sizes = vector(given, "divergences", nonnegative, MAX_ORDERS)
        if len(alphas) != len(sizes):
            raise InvalidInput(f"divergences must be as long as orders, got {len(sizes)} and {len(alphas)}")
        if not min(alphas) > 1:
            raise InvalidInput(f"orders must be > 1, got an order of {show(min(alphas))}")
        least: dict[Fraction, Fraction] = {}
        for alpha, tau in zip(alphas, sizes, strict=True):
            least[alpha] = min(tau, least.get(alpha, tau))
        rows = sorted(least.items())
        vars(self).update(orders=tuple(x for x, _ in rows), divergences=tuple(x for _, x in rows))

    @property
    def rho(self) -> Fraction:
        """The greatest ρ of Gaussian noise that has all of the guarantees, as its divergences are ρα."""
        return min(tau / alpha for alpha, tau in zip(self.orders, self.divergences, strict=True))

    def at_most(self, order: Fraction) -> Fraction | None:
        r"""What is known of the divergence of an ``order`` > 0; None beyond the greatest of the orders.

        Between orders by the line of u; below the least one D is at most that one's, as it rises.

        >>> known = pv.RenyiDP(orders=[2, 4], divergences=[1, 2])
        >>> print(known.at_most(Fraction(3, 2)), known.at_most(Fraction(3)), known.at_most(Fraction(5)))
        1 7/4 None
        """
        lam, before = order - 1, (Fraction(0), Fraction(0))
        if order <= self.orders[0]:
            return self.divergences[0]
        for alpha, tau in zip(self.orders, self.divergences, strict=True):
            after = (alpha - 1, (alpha - 1) * tau)
            if lam <= after[0]:
                share = (lam - before[0]) / (after[0] - before[0])
                return ((1 - share) * before[1] + share * after[1]) / lam
            before = after
        return None
