r"""Filter: a budget that is kept whatever an analyst asks next, and whatever made them ask it.

Notation: h the outputs so far; p and q the conditional laws of the next output on two neighbours; P and Q
those of all outputs. A query is chosen by h, and costs what ``cost.py`` says of it: that holds for every h.

**Rényi.** If the costs τ at one order α > 1 always sum up to at most B, :math:`D_\alpha(P\|Q) \le B` (Feldman
and Zrnic 2021, "Individual Privacy Accounting via a Rényi Filter", the fully adaptive composition theorem).
Proof. Let :math:`X_t = \prod_{s \le t} (p_s/q_s)^{\alpha-1} e^{-(\alpha-1)\tau_s}`, :math:`X_0 = 1`. Given h,
:math:`E_P[(p_t/q_t)^{\alpha-1}] = e^{(\alpha-1) D_\alpha(p_t\|q_t)} \le e^{(\alpha-1)\tau_t}`, and h fixes
τ_t, so :math:`E_P X_t \le E_P X_{t-1} \le 1`. As :math:`\sum \tau_s \le B`, :math:`E_P (P/Q)^{\alpha-1} \le
e^{(\alpha-1)B}`. ∎ For α = ∞ losses add up. It holds for each order whose budget is kept, and **all** orders
have to keep theirs: if a run may end with any one of them kept, which one may depend on what was seen.

**zCDP.** With τ = αρ that is true of every α > 1 at once: costs ρ that sum up to at most R make R-zCDP.

**GDP.** If the costs μ² always sum up to at most M², all outputs together are M-GDP (Smith and Thakurta 2022,
"Fully Adaptive Composition for Gaussian Differential Privacy"; Koskela, Tobaben, Honkela 2022). Proof. Watch
a Brownian motion up to the time M², with drift 1 under P and 0 under Q; it is an observation of N(M, 1)
against N(0, 1), scaled. Let a query with μ be asked at the time T. The increment up to T + μ² is, given what
was seen before, that of N(μ, 1) against N(0, 1), scaled; the query's pair has a trade-off function of at
least G_μ, so a randomised function of the increment, which depends on h, has the laws p and q (Blackwell). By
induction all outputs together are a function of the path, and coins. ∎

A query that is not admitted is not asked, so it costs nothing, and others may be admitted later. Neighbours
of both directions of the adjacency are covered, as costs are.
"""

from collections.abc import Mapping
from fractions import Fraction

from pldverify.errors import InvalidInput, NotSupported
from pldverify.filters.cost import ONE, By, Costs, costs, larger_order, shown
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.relations import Adjacency, directions
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import Number, brief, nonnegative

NO_PLD_FILTER = (
    "no filter keeps an (epsilon, delta) by composing privacy loss distributions: which query is admitted "
    "tells what was seen, and pldverify.filters.pld_filter proves a delta of 2/9 of queries that each "
    "compose to 1/6; take a budget of rho, mu or rdp, and convert its promise"
)


class Filter:
    r"""A budget of Rényi divergences, of ρ (zCDP) or of μ (GDP), for queries that are chosen adaptively.

    Args:
        rho: all that is admitted is ρ-zCDP together.
        mu: it is μ-GDP together.
        rdp: {order: divergence in nats}: at every one of these orders above 1 (``inf``: the largest loss)
            its Rényi divergence is at most that.
        adjacency: under which neighbours, for all queries; as for :func:`pldverify.delta`.

    One of the three budgets is given. ``epsilon`` and ``delta`` are refused: :data:`NO_PLD_FILTER`. Raises
    InvalidInput, and NotSupported for what is refused.

    A query is admitted only if it is proved that the budget is kept:

    >>> budget = pv.Filter(rho="0.5")
    >>> budget.admit(pv.Gaussian(sigma="1.5")), budget.admit(3 * pv.Gaussian(sigma="1.5"))
    (True, False)
    >>> budget.admit("gaussian(sigma=1.5) + gaussian(sigma=3)"), budget.left
    (True, Fraction(0, 1))

    What it promises is a mechanism, of which all can be asked:

    >>> print(budget.promise, float(pv.bracket(budget.promise, delta="1e-6").upper))
    zcdp(rho=0.5) 5.22...
    """

    def __init__(
        self,
        *,
        rho: Number | None = None,
        mu: Number | None = None,
        rdp: Mapping[object, Number] | None = None,
        adjacency: Adjacency = "add-or-remove",
        epsilon: object = None,
        delta: object = None,
    ) -> None:
        if epsilon is not None or delta is not None:
            raise NotSupported(NO_PLD_FILTER)
        budgets: dict[By, object] = {"zcdp": rho, "gdp": mu, "rdp": rdp}
        named = [(by, value) for by, value in budgets.items() if value is not None]
        if len(named) != 1:
            raise InvalidInput(f"give one of rho, mu and rdp, got {len(named)} of them")
        directions(adjacency)
        self.by, self.given = named[0]
        self.adjacency = adjacency
        self._budget = _read(self.by, self.given)
        self._spent = dict.fromkeys(self._budget, Fraction(0))

    def cost(self, query: Composed) -> Costs:
        """What a query costs at each order: proved upper bounds, None where nothing is proved. Of μ it is μ².

        Raises InvalidInput where a mechanism has no pair under the adjacency.

        >>> [str(cost) for cost in pv.Filter(mu=1).cost("2 * gaussian(sigma=4)").values()]
        ['1/8']
        """
        return costs(as_composition(query), self.by, tuple(self._budget), self.adjacency)

    def admits(self, query: Composed) -> bool:
        """Whether it is proved that the budget is kept with this query too; nothing is spent.

        False says that it is not proved, as where nothing is proved of the query. Raises InvalidInput.

        >>> pv.Filter(mu=1).admits("laplace(b=1/2)"), pv.Filter(mu=1).admits("poisson(laplace(b=1/2), q=1/2)")
        (False, True)
        """
        return self._after(query) is not None

    def admit(self, query: Composed) -> bool:
        """Spend what the query costs if :meth:`admits`; False, and nothing is spent, if not: don't ask it.

        >>> budget = pv.Filter(rdp={"inf": 1})
        >>> budget.admit("pure_dp(0.75)"), budget.admit("pure_dp(0.5)"), budget.admit("pure_dp(0.25)")
        (True, False, True)
        """
        after = self._after(query)
        self._spent = self._spent if after is None else after
        return after is not None

    @property
    def spent(self) -> Fraction | dict[Bound, Fraction]:
        """What was spent: ρ, μ², or a divergence by order."""
        return self._told(self._spent)

    @property
    def left(self) -> Fraction | dict[Bound, Fraction]:
        """What is left, likewise."""
        return self._told({order: self._budget[order] - self._spent[order] for order in self._budget})

    @property
    def promise(self) -> ZCDP | GDP | PureDP | dict[Bound, Fraction]:
        """What is proved of all that is ever admitted: a mechanism; of divergences {order: divergence}, for
        :func:`pldverify.epsilon_from_rdp`.
        """
        if self.by == "rdp":
            return dict(self._budget)
        if not self._budget[ONE]:
            return PureDP(0)
        return ZCDP(self._budget[ONE]) if self.by == "zcdp" else GDP(nonnegative(self.given, "mu"))

    def __repr__(self) -> str:
        rows = (f"{shown(self._spent[at])} of {shown(self._budget[at])}" for at in self._budget)
        what = {"zcdp": "rho", "gdp": "mu**2", "rdp": "rdp"}[self.by]
        return f"Filter({what}: {', '.join(rows)} spent, {self.adjacency})"

    def _after(self, query: Composed) -> dict[Bound, Fraction] | None:
        """What would have been spent; None unless that is proved to be at most the budget."""
        after = {}
        for order, cost in self.cost(query).items():
            if cost is None or self._spent[order] + cost > self._budget[order]:
                return None
            after[order] = self._spent[order] + cost
        return after

    def _told(self, amounts: dict[Bound, Fraction]) -> Fraction | dict[Bound, Fraction]:
        return dict(amounts) if self.by == "rdp" else amounts[ONE]


def _read(by: By, given: object) -> dict[Bound, Fraction]:
    """The budget by order, exactly. Raises InvalidInput."""
    if by == "zcdp":
        return {ONE: nonnegative(given, "rho")}
    if by == "gdp":
        return {ONE: nonnegative(given, "mu") ** 2}
    if not isinstance(given, Mapping) or not given:
        raise InvalidInput(f"rdp must be {{order: divergence}}, got rdp={brief(given)}")
    read = {}
    for order, budget in given.items():
        at = larger_order(order)
        if at in read:
            raise InvalidInput(f"rdp must have one budget for each order, got two for {shown(at)}")
        read[at] = nonnegative(budget, f"rdp[{shown(at)}]")
    return read
