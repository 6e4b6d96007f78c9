"""One composition, many questions: every contour that is set up for one of them answers its neighbours.

A contour encloses δ(ε) and P(S ≥ ε) for every ε, best near the one that it was made for, and a value costs a
thousandth of the contour. So the points are taken in order, each by the evaluator that answered the last one;
where that has too few digits a new one is set up ahead, with digits to spare. ε(δ) is searched for by the
evaluator of the last root. The statements are those of the single questions: each can be proved again alone.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.balls.ball import LOG2_10, SMALLEST
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency, Direction, reverse
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.exact import brief, count, probability, rational
from pldverify.numbers.markup import html
from pldverify.reference.choice import ENGINES, settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.backwards import Backwards
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.derived.inverse import Inverse
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.quantities.delta import all_above, rough_one_way
from pldverify.reference.quantities.directions import MAX_DIGITS, Found, extreme
from pldverify.reference.quantities.epsilon import epsilon_one_way
from pldverify.reference.quantities.rough import at_most, rough, rough_inverse
from pldverify.reference.quantities.trade_off import Works, least_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SPARE = 10
"""Decimal digits of an evaluator beyond those asked for, so that it serves a wide range of ε."""

Numbers = Iterable[object]


def profile(composition: Composed, adjacency: Adjacency | None = None) -> "Profile":
    """The privacy profile of a composition, to be asked at many points; ``adjacency`` as in
    :func:`pldverify.delta`. Raises InvalidInput.

    >>> curve = pv.profile(1_000 * pv.PoissonSubsampled(pv.Gaussian(sigma=2), q="0.02"))
    >>> few, fewer = curve.epsilon(["1e-5", "1e-6"], digits=6)
    >>> few.upper < fewer.lower and fewer.overlaps(pv.epsilon(curve.composition, delta="1e-6"))
    True
    """
    whole = as_composition(composition)
    whole.directions(adjacency)
    return Profile(whole, adjacency or whole.adjacency)


@dataclass(frozen=True)
class Profile:
    """Answers many questions about one composition, each as the single question would be.

    Every method takes numbers in a list, an array or a generator, in any order, and returns as many
    enclosures in that order, each with its witness; they depend on the points of that call alone. Raises
    NotSupported, and InvalidInput and NoConvergence, which name the element.

    >>> curve = pv.profile(pv.Laplace(b=1), adjacency="remove")
    >>> print(curve.composition, curve.adjacency)
    laplace(b=1) remove
    """

    composition: Composition
    adjacency: Adjacency

    def delta(self, epsilon: Numbers, *, digits: int = 12) -> tuple[Enclosure, ...]:
        """δ at each ε, in nats, as :func:`pldverify.delta`.

        >>> [float(found) for found in pv.profile(pv.Laplace(b=1)).delta([0, "0.5", 1])]
        [0.39346934028..., 0.22119921692..., 0.0]
        """
        points = _exact(epsilon, "epsilon", rational)
        return self._each(points, digits, "delta", "delta", self._delta, rough_one_way)

    def tail(self, epsilon: Numbers, *, digits: int = 12) -> tuple[Enclosure, ...]:
        """P(S ≥ ε) at each ε, as :func:`pldverify.tail`.

        >>> [float(found) for found in pv.profile(pv.Gaussian(sigma=1)).tail(["-0.5", "0.5", "1.5"])]
        [0.84134474606..., 0.5, 0.15865525393...]
        """
        points = _exact(epsilon, "epsilon", rational)
        return self._each(points, digits, "tail", "tail", self._tail, _rough_tail)

    def epsilon(self, delta: Numbers, *, digits: int = 12) -> tuple[Enclosure, ...]:
        """ε at each δ, as :func:`pldverify.epsilon`.

        >>> [float(found) for found in pv.profile(pv.RandomizedResponse(p="0.75")).epsilon([0, "0.5"])]
        [1.09861228866..., 0.0]
        """
        points = _exact(delta, "delta", probability)
        return self._each(points, digits, "epsilon", "delta", self._epsilon, _rough_epsilon)

    def trade_off(self, alpha: Numbers, *, digits: int = 10) -> tuple[Enclosure, ...]:
        """f at each α, as :func:`pldverify.trade_off`.

        >>> [float(found) for found in pv.profile(pv.Gaussian(sigma=1)).trade_off(["0.05", 1], digits=15)]
        [0.7404889771..., 0.0]
        """
        points = _exact(alpha, "alpha", probability)
        wanted, works = count(digits, "digits", cap=MAX_DIGITS), self._works()
        return _in_order(
            points, lambda level: least_error(self.composition, self.adjacency, level, wanted, works), "alpha"
        )

    def plot(
        self,
        epsilon: Numbers | None = None,
        *,
        claims: object = None,
        axes: "Axes | None" = None,
    ) -> "Axes":
        """δ(ε) on a log scale, and ``claims`` on it: {name: pairs (ε, δ)}; see ``profile_plot.py``.

        ``epsilon`` by default from 0 to where δ = 1e-12. Raises MissingLibrary without matplotlib.

        >>> axes = pv.profile(pv.Gaussian(sigma=1)).plot([1, 2, 3], claims={"a paper": [(2, 0.1)]})
        >>> axes.get_yscale()
        'log'
        """
        from pldverify.reference.quantities.profile_plot import plot

        return plot(str(self.composition), self.delta, self.epsilon, epsilon, claims, axes)

    def _repr_html_(self) -> str:
        """What is asked, which costs nothing; a picture of it is :meth:`plot`."""
        asks = "delta, epsilon, tail, trade_off, plot"
        return html([("profile of", str(self.composition)), ("adjacency", self.adjacency), ("answers", asks)])

    def _each(
        self,
        points: Sequence[Fraction],
        digits: int,
        name: str,
        quantity: Quantity,
        one: "_One",
        rough_of: "_Rough",
    ) -> tuple[Enclosure, ...]:
        """The largest of the directions at each point."""
        wanted = count(digits, "digits", cap=MAX_DIGITS)
        curves = self._curves(quantity)

        def answer(point: Fraction) -> Enclosure:
            def evaluate(way: Direction, bound: Bound | None) -> Found:
                statement = one(curves, way, point, wanted, bound)
                return look(statement), statement

            whole, adjacency = self.composition, self.adjacency
            return extreme(
                "largest", whole, adjacency, (name, point), evaluate, lambda c, way: rough_of(c, way, point)
            )

        return _in_order(points, answer, "delta" if name == "epsilon" else "epsilon")

    def _works(self) -> Works:
        """Evaluators of δ to begin with."""
        return {}

    def _curves(self, quantity: Quantity) -> "_Curves":
        return {
            way: _Curve(product(self.composition, way), quantity)
            for asked in self.composition.directions(self.adjacency)
            for way in (asked, reverse(asked))
        }

    def _delta(
        self, curves: "_Curves", direction: Direction, epsilon: Fraction, digits: int, bound: Bound | None
    ) -> Proved:
        if epsilon >= 0:
            return curves[direction].at(epsilon, digits, bound)
        other = curves[reverse(direction)].at(-epsilon, digits + 1)
        return Backwards(self.composition, direction, epsilon, other, int(digits * LOG2_10) + 64)

    def _tail(
        self, curves: "_Curves", direction: Direction, epsilon: Fraction, digits: int, bound: Bound | None
    ) -> Proved:
        known = all_above(self.composition, direction, epsilon, digits)
        return known or curves[direction].at(epsilon, digits, bound)

    def _epsilon(
        self, curves: "_Curves", direction: Direction, delta: Fraction, digits: int, _: Bound | None
    ) -> Proved:
        return curves[direction].inverse(delta, digits)


@dataclass(frozen=True)
class Kept(Profile):
    """A profile whose questions use what earlier ones set up: digits beyond those asked depend on them."""

    known: "dict[Quantity, _Curves]" = field(default_factory=dict, compare=False, repr=False)

    def _works(self) -> Works:
        curves = self.known.get("delta", {})
        return {way: curve.work for way, curve in curves.items() if curve.work is not None}

    def _curves(self, quantity: Quantity) -> "_Curves":
        return self.known.setdefault(quantity, super()._curves(quantity))


class _Curve:
    """One quantity of one loss at many points; the last evaluator is asked first."""

    def __init__(self, loss: ComposedLoss, quantity: Quantity) -> None:
        self.loss, self.quantity = loss, quantity
        self.work: Work | None = None

    def at(self, epsilon: Fraction, digits: int, bound: Bound | None = None) -> Proved:
        """The value, or a proof that it is at most the ``bound``, where only that is cheap.

        Raises NotSupported, NoConvergence.
        """
        if self.work is not None:
            with suppress(NoConvergence):
                found = self._evaluated(self.work, epsilon, digits, bound)
                if found is not None:
                    return found
        if bound is not None:
            smaller = at_most(self.loss, self.quantity, epsilon, Fraction(bound))
            if smaller is not None:
                return smaller
        with suppress(NoConvergence):
            settled = settle(self.loss, self.quantity, epsilon, min(digits + _SPARE, MAX_DIGITS))
            self.work = settled.work or self.work
            return settled.statement
        return settle(self.loss, self.quantity, epsilon, digits).statement

    def _evaluated(self, work: Work, epsilon: Fraction, digits: int, bound: Bound | None) -> Proved | None:
        """The statement, if it has the digits expected of the engine, or is at most the ``bound``."""
        if self.loss.ends_by(epsilon):
            return None
        statement = Evaluated(work, epsilon, int(digits * LOG2_10) + 64)
        found = look(statement)
        enough = found.digits >= min(digits, ENGINES[work.name].enough) or found.upper < SMALLEST
        enough = enough or (bound is not None and found.upper <= bound)
        return statement if enough else None

    def inverse(self, delta: Fraction, digits: int) -> Proved:
        """ε(δ) of this loss; the evaluator of the last root is asked first. Raises NotSupported,
        NoConvergence.
        """
        more = self.work is not None and ENGINES[self.work.name].limit == math.inf
        spare = _SPARE if more else 0  # one alone needs none
        proof = epsilon_one_way(self.loss, delta, digits, last=self.work, spare=spare)[1]
        if isinstance(proof, Inverse) and isinstance(proof.below, Evaluated):
            self.work = proof.below.work
        return proof


_Curves = dict[Direction, _Curve]
_One = Callable[[_Curves, Direction, Fraction, int, Bound | None], Proved]
_Rough = Callable[[Composition, Direction, Fraction], Proved]


def _rough_tail(composition: Composition, direction: Direction, epsilon: Fraction) -> Proved:
    return rough(product(composition, direction), "tail", epsilon)


def _rough_epsilon(composition: Composition, direction: Direction, delta: Fraction) -> Proved:
    return rough_inverse(product(composition, direction), delta)


def _exact(values: Numbers, name: str, door: Callable[[object, str], Fraction]) -> tuple[Fraction, ...]:
    """Every element as an exact number. Raises InvalidInput."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidInput(f"{name} must be numbers in a list, an array or a generator, got {brief(values)}")
    return tuple(door(value, f"{name}[{i}]") for i, value in enumerate(values))


def _in_order(
    points: Sequence[Fraction], answer: Callable[[Fraction], Enclosure], name: str
) -> tuple[Enclosure, ...]:
    """Answers in the order of the points, asked in increasing order, equal ones once. Raises NoConvergence,
    which names the element.
    """
    found: dict[Fraction, Enclosure] = {}
    for point in sorted(set(points)):
        try:
            found[point] = answer(point)
        except NoConvergence as failure:
            raise NoConvergence(f"{name}[{points.index(point)}]: {failure}", failure.bracket) from None
    return tuple(found[point] for point in points)
