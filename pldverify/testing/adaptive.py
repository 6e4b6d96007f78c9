r"""An adversary of filters: it chooses each query by what it saw, among those that the filter admits.

The filter promises (ε, δ). The adversary plays on one pair of neighbours that all of its queries have: a
query with the law of the loss S shows in which of a few cells S lies, a post-processing. A run that has seen
something with the probabilities p and q on the two neighbours is worth

.. math:: V(p, q) = \max\Big( (p - e^\epsilon q)_+,\; \max_{\text{admitted}} \sum_{\text{cells } c}
    V(p\,P_c, q\,Q_c) \Big),

to a depth. Each choice of queries is a run that the filter lets happen, so V(1, 1), in balls, is a proved
lower bound of the δ(ε) of one: above δ it refutes the filter. A choice that is not the best one costs
strength, never truth; and where none is found, nothing is proved.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, working
from pldverify.balls.compare import less, surely_less
from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.exact import Number, count, nonnegative, probability

Taken = tuple[Composition, ...]
"""Queries that were admitted and asked, in order."""
Admits = Callable[[Taken, Composition], bool]
"""Whether a filter admits a query after those that were asked."""
Tree = tuple[Composition, tuple["Tree | None", ...]]
"""A query, and what follows each cell of its loss, the lowest first; None: stop."""

CELLS = tuple(Fraction(edge, 4) for edge in (-12, -8, -5, -3, -2, -1, 1, 2, 3, 5, 8, 12))
"""Edges of the cells of a loss, in nats; any edges are right."""
_BITS = 128
"""Precision in bits; any value is right."""


@dataclass(frozen=True)
class Attack:
    """What an adversary reaches within a filter.

    Attributes:
        delta: the δ(ε) of its run is at least that, proved.
        budget: the δ that the filter promises.
        tree: the queries, by what was seen.
    """

    delta: Fraction
    budget: Fraction
    tree: Tree | None

    @property
    def refutes(self) -> bool:
        """Whether the filter's promise is proved false."""
        return self.delta > self.budget

    @property
    def longest(self) -> Composition | None:
        """The longest run of its queries, composed; the first of those as long."""
        runs = [sum(run[1:], run[0]) for run in _runs(self.tree)]
        return max(runs, key=lambda run: run.steps, default=None)

    def __str__(self) -> str:
        """The queries, one run a line."""
        return "\n".join(dict.fromkeys(", then ".join(map(str, run)) for run in _runs(self.tree)))


def attack_filter(
    admits: Admits, queries: Sequence[Composed], *, epsilon: Number, delta: Number, depth: int = 2
) -> Attack:
    """The best run of at most ``depth`` queries that the filter admits, of these ``queries``.

    Args:
        admits: whether it admits a query after those that were asked, in order; it is asked that once.
        queries: what the adversary may ask, each as often as it likes. Their pairs have to be attained.
        epsilon, delta: what the filter promises of all that it admits.

    Raises InvalidInput, for pairs that only bound their mechanisms too.

    Composed privacy losses are no budget: each run has δ = 1/6, and together they have 2/9.

    >>> from pldverify.testing import attack_filter
    >>> queries = ["randomized_response(2/3)", "randomized_response(3/4)", "approximate_dp(0, 1/6)"]
    >>> def admits(taken, asked):
    ...     return pv.delta(sum(taken, asked), epsilon="1.3862").upper <= Fraction("0.1667")
    >>> found = attack_filter(admits, queries, epsilon="1.3862", delta="0.1667")
    >>> found.refutes, float(found.delta)
    (True, 0.2222...)
    """
    eps, budget = nonnegative(epsilon, "epsilon"), probability(delta, "delta")
    deepest = count(depth, "depth", cap=10)
    with working(_BITS):
        options = [(one, _seen(one)) for one in map(as_composition, queries)]
        value, tree = _best(cache(admits), options, (), (arb(1), arb(1), ball(eps).exp()), deepest)
        return Attack(max(Fraction(0), Fraction(lower(value))), budget, tree)


def _best(
    admits: Admits,
    options: Sequence[tuple[Composition, list[tuple[arb, arb]]]],
    taken: Taken,
    odds: tuple[arb, arb, arb],
    depth: int,
) -> tuple[arb, Tree | None]:
    """V(p, q), and the queries; ``odds`` are p, q and e^ε."""
    p, q, gamma = odds
    value: arb = (p - gamma * q).max(arb(0))
    tree: Tree | None = None
    if depth == 0 or p.is_zero() or q.is_zero():
        return value, tree
    for query, cells in options:
        if not admits(taken, query):
            continue
        after = [
            _best(admits, options, (*taken, query), (p * first, q * second, gamma), depth - 1)
            for first, second in cells
        ]
        total = sum((one for one, _ in after), arb(0))
        if less(value.mid(), total.mid()):
            value, tree = total, (query, tuple(then for _, then in after))
    return value, tree


def _seen(query: Composition) -> list[tuple[arb, arb]]:
    """Masses under P and Q of the cells of the loss, the lowest first, the infinite loss last."""
    from pldverify.reference.laws.composed_loss import product
    from pldverify.reference.laws.law import HasTails

    if not query.attained:
        raise InvalidInput(f"queries must have pairs that are attained, got {query}")
    factors = product(query, query.directions()[0]).factors
    if not factors:
        return []
    ((law, times),) = factors if len(factors) == 1 else ((factors[0][0], 2),)
    if times != 1 or not isinstance(law, HasTails):
        raise InvalidInput(f"queries must be of one mechanism whose loss has a known law, got {query}")
    tails = [law.tails(edge) for edge in CELLS]
    infinite = ball(law.infinite_mass) if isinstance(law.infinite_mass, Fraction) else law.infinite_mass
    edges = [(1 - infinite, arb(1)), *tails, (arb(0), arb(0))]
    cells = [(a - c, b - d) for (a, b), (c, d) in pairwise(edges)]
    cells.append((infinite, arb(0)))
    return [(first, second) for first, second in cells if surely_less(0, first)]


def _runs(tree: Tree | None) -> list[Taken]:
    """Every run of queries, those after the lowest losses first."""
    if tree is None:
        return []
    query, after = tree
    return [(query, *run) for then in after for run in (_runs(then) or [()])]
