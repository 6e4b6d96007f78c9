r"""Odometer: what was spent so far, where nothing limits it.

Notation as in ``filter.py``; :math:`L_t` is the sum of the privacy losses of the first t outputs, τ_t(α) of
their costs at the order α.

**What it promises.** For every pair of neighbours, and whatever made the analyst ask: with probability at
least 1 − δ over the outputs, :math:`L_t \le \epsilon_t` at **all** times t at once, where

.. math:: \epsilon_t = \min_{\alpha \in A} \Big( \tau_t(\alpha) + \frac{\log(|A|/\delta)}{\alpha-1} \Big).

Proof. For each α in A, :math:`X_t = e^{(\alpha-1)(L_t - \tau_t(\alpha))}` is a supermartingale under P with
:math:`X_0 = 1` (``filter.py``), so it ever exceeds |A|/δ with probability at most δ/|A| (Ville's inequality);
sum up over A. Where a τ_t(α) is 0, no output told anything: L_t = 0, and so is ε_t. ∎ So an analyst who
stops while ε_t ≤ ε, for an ε that was fixed before, has asked queries that are (ε, δ)-DP together. It does
**not** promise that they are (ε_t, δ)-DP for the ε_t at which they happen to stop: ε_t is an output too.
Costs in ρ are τ = αρ; costs in μ² are those of ρ = μ²/2, as the Gaussian pair of a μ has the Rényi
divergences of that ρ, and what it dominates has smaller ones.

Source: Rogers, Roth, Ullman, Vadhan 2016 (odometers); Whitehouse, Ramdas, Rogers, Wu 2023 (Ville's inequality
for adaptive composition); Lécuyer 2021 (Rényi odometers).
"""

import math
from collections.abc import Iterable
from fractions import Fraction

from pldverify.balls.ball import ball, upper, working
from pldverify.errors import InvalidInput
from pldverify.filters.cost import ONE, By, Costs, costs, larger_order, shown
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.relations import Adjacency, directions
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import Number, brief, probability

ORDERS = ("1.25", "1.5", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64", "128", "256")
"""Orders that a bound may use; any do: many cost a little log, missing ones tightness."""
_BITS = 128
"""Precision of a bound in bits; any value is right."""


class Odometer:
    r"""Sums up what adaptively chosen queries cost; its ``epsilon`` bounds the privacy loss at all times.

    Args:
        delta: the probability, > 0, that the loss ever exceeds its bound.
        by: in what costs are counted: ``rdp`` at the orders, ``zcdp`` or ``gdp``.
        orders: Rényi orders above 1 among which a bound takes the best.
        adjacency: under which neighbours, for all queries.

    Raises InvalidInput.

    >>> meter = pv.Odometer(delta="1e-6")
    >>> float(meter.epsilon)
    0.0
    >>> for sigma in (4, 2, 8):
    ...     meter.spend(pv.Gaussian(sigma=sigma))
    >>> float(meter.epsilon)
    3.4708...
    """

    def __init__(
        self,
        *,
        delta: Number,
        by: By = "rdp",
        orders: Iterable[object] = ORDERS,
        adjacency: Adjacency = "add-or-remove",
    ) -> None:
        if by not in ("rdp", "zcdp", "gdp"):
            raise InvalidInput(f"by must be rdp, zcdp or gdp, got by={brief(by)}")
        self.delta = probability(delta, "delta", zero=False)
        self.orders = tuple(dict.fromkeys(_finite(order) for order in orders))
        if not self.orders:
            raise InvalidInput("orders must be one or more, got none")
        directions(adjacency)
        self.by, self.adjacency = by, adjacency
        self._spent: dict[Bound, Fraction | None] = dict.fromkeys(self._counted, Fraction(0))

    @property
    def _counted(self) -> tuple[Bound, ...]:
        """The orders whose costs are counted."""
        return self.orders if self.by == "rdp" else (ONE,)

    def cost(self, query: Composed) -> Costs:
        """What a query costs at each order that is counted: proved upper bounds. Raises InvalidInput.

        >>> pv.Odometer(delta="1e-6", by="zcdp").cost("gaussian(sigma=1)").values()
        dict_values([Fraction(1, 2)])
        """
        return costs(as_composition(query), self.by, self._counted, self.adjacency)

    def spend(self, query: Composed) -> None:
        """Count a query that is asked. An order at which no finite cost of it is proved bounds nothing from
        here on. Raises InvalidInput.

        >>> meter = pv.Odometer(delta="1e-6", by="gdp")
        >>> meter.spend("zcdp(rho=0.5)")  # no finite μ is proved
        >>> print(meter.epsilon)
        None
        """
        for order, more in self.cost(query).items():
            spent = self._spent[order]
            self._spent[order] = None if spent is None or more is None else spent + more

    @property
    def epsilon(self) -> Fraction | None:
        """The bound on the privacy loss so far, in nats, rounded up; None where no finite one is proved."""
        with working(_BITS):
            found = [self._bound(order) for order in self.orders]
        return min((bound for bound in found if bound is not None), default=None)

    def _bound(self, order: Fraction) -> Fraction | None:
        spent = self._spent[order if self.by == "rdp" else ONE]
        if not spent:  # nothing is proved; or all divergences are 0, so the laws are one and no loss was met
            return spent
        factor = {"rdp": Fraction(1), "zcdp": order, "gdp": order / 2}[self.by]
        chance = ball(len(self.orders) / self.delta).log() / ball(order - 1)
        return Fraction(upper(ball(factor * spent) + chance))

    def __repr__(self) -> str:
        return f"Odometer(delta={shown(self.delta)}, by={self.by!r}, {self.adjacency})"


def _finite(value: object) -> Fraction:
    order = larger_order(value)
    if order == math.inf:
        raise InvalidInput("order must be finite for an odometer, got order=inf")
    return Fraction(order)
