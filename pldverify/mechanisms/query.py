"""Query: the question that both an accountant and the reference are asked."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, Self

from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, probability, real, show
from pldverify.numbers.irrational import Irrational

Quantity = Literal["delta", "epsilon", "rdp", "noise", "tail", "trade-off"]
PROBABILITIES = ("delta", "tail", "trade-off")
"""What lies between 0 and 1; all else is only never negative."""

Shown = Callable[[Fraction | Irrational], str]
"""A number as text."""


@dataclass(frozen=True)
class Query:
    """δ(epsilon) or ε(delta) of a composition: exactly one of ``epsilon`` (nats) and ``delta`` is given.

    ``composition`` may be an expression in a string, and a number that is no fraction is enclosed.
    ``adjacency`` left out is the composition's own. Raises InvalidInput for both or neither, epsilon not
    finite, delta outside [0, 1], unknown adjacency or one that the composition has no pair for.

    >>> query = pv.Query(100 * pv.Gaussian(sigma=10), delta="1e-5")
    >>> query.quantity, query.adjacency, query.delta
    ('epsilon', 'add-or-remove', Fraction(1, 100000))
    """

    composition: Composition
    epsilon: Fraction | None
    delta: Fraction | None
    adjacency: Adjacency

    def __init__(
        self,
        composition: Composed,
        epsilon: Number | None = None,
        delta: Number | None = None,
        adjacency: Adjacency | None = None,
    ) -> None:
        self._of(composition, adjacency)
        if (epsilon is None) == (delta is None):
            raise InvalidInput("query must have exactly one of epsilon and delta")
        vars(self).update(
            epsilon=None if epsilon is None else real(epsilon, "epsilon"),
            delta=None if delta is None else probability(delta, "delta", real),
        )

    def _of(self, composition: Composed, adjacency: Adjacency | None) -> None:
        """Keep the composition and the adjacency. Raises InvalidInput."""
        whole = as_composition(composition)
        vars(self).update(composition=whole, adjacency=whole.adjacency if adjacency is None else adjacency)
        whole.directions(self.adjacency)

    @property
    def quantity(self) -> Quantity:
        """What is asked for."""
        return "epsilon" if self.epsilon is None else "delta"

    @property
    def given(self) -> str:
        """The name of the field that it is asked at; at noise, δ beside ε.

        >>> pv.Query(pv.Gaussian(sigma=1), epsilon=1).given
        'epsilon'
        """
        return "epsilon" if self.delta is None else "delta"

    @property
    def rises(self) -> bool | None:
        """Whether the true value of a pair that another one dominates is at most that one's: then it is for
        upper claims to be safe. False: at least. None: neither follows.

        >>> pv.Query(pv.Gaussian(sigma=1), epsilon=1).rises
        True
        """
        return True

    @property
    def of_whole_pair(self) -> bool:
        """Whether the answer depends on more of the pair than its δ at one point.

        >>> pv.TailQuery(pv.Gaussian(sigma=1), loss=1).of_whole_pair
        True
        """
        return False

    @property
    def is_exact(self) -> bool:
        """Whether every number in it is rational."""
        target = self.epsilon if self.delta is None else self.delta
        return self.composition.is_exact and not isinstance(target, Irrational)

    def ends(self) -> tuple[Self, Self]:
        """Queries in rational numbers, one with a smaller true value and one with a greater one: δ falls
        in ε, and ε(δ) in δ. This one twice, where it is exact.

        >>> query = pv.Query(pv.Gaussian(sigma=1), epsilon="ln(3)")
        >>> less, more = query.ends()
        >>> less.epsilon > more.epsilon
        True
        """
        if self.is_exact:
            return self, self
        least, greatest = self.composition.ends()
        return self._with(least, lambda x: x.upper), self._with(greatest, lambda x: x.lower)

    def middle(self) -> Self:
        """A query in rational numbers next to these, for accountants, which would round them anyway.

        >>> float(pv.Query(pv.Gaussian(sigma=1), epsilon="ln(3)").middle().epsilon)
        1.0986122886681098
        """
        return self if self.is_exact else self._with(self.composition.middle(), lambda x: x.middle)

    def _with(self, composition: Composition, pick: Callable[[Irrational], Fraction]) -> Self:
        epsilon, delta = (pick(x) if isinstance(x, Irrational) else x for x in (self.epsilon, self.delta))
        return replace(self, composition=composition, epsilon=epsilon, delta=delta)

    def brief(self) -> str:
        """As ``str``, for people: short where a float was given, of which ``str`` has every digit.

        >>> pv.Query(pv.Gaussian(sigma=1), delta=1e-5).brief()
        'ε at δ=1e-5 (as a double) of gaussian(sigma=1) [add-or-remove]'
        """
        from pldverify.numbers.presentation import told

        return f"{self._asked(told)} of {self.composition} [{self.adjacency}]"

    def __str__(self) -> str:
        return f"{self._asked(show)} of {self.composition} [{self.adjacency}]"

    def _asked(self, text: Shown) -> str:
        """The quantity and what it is asked at."""
        if self.delta is not None:
            return f"ε at δ={text(self.delta)}"
        assert self.epsilon is not None  # a query has one of them
        return f"δ at ε={text(self.epsilon)}"
