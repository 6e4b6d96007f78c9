"""One composition, one question or many: a contour that is set up for one of many answers its neighbours.

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
from typing import TYPE_CHECKING, Literal

from pldverify.balls.ball import LOG2_10, SMALLEST
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency, Direction, reverse
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.exact import brief, count, probability, rational
from pldverify.numbers.markup import html
from pldverify.reference.choice import ENGINES, Settled, named, settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.derived.inverse import Inverse
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.quantities.delta import all_above, delta_one_way, rough_one_way
from pldverify.reference.quantities.directions import MAX_DIGITS, Found, carried, extreme
from pldverify.reference.quantities.epsilon import epsilon_one_way
from pldverify.reference.quantities.looks import COARSE
from pldverify.reference.quantities.root import Sides
from pldverify.reference.quantities.rough import at_most, rough, rough_inverse
from pldverify.reference.quantities.trade_off import Works, least_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SPARE = 10
"""Decimal digits of an evaluator beyond those asked for, so that it serves a wide range of ε."""

Numbers = Iterable[object]
Asked = Literal["delta", "tail", "epsilon", "trade-off"]
"""What is asked, as statements name it."""


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
        return many(self, "delta", _exact(epsilon, "epsilon", rational), digits)

    def tail(self, epsilon: Numbers, *, digits: int = 12) -> tuple[Enclosure, ...]:
        """P(S ≥ ε) at each ε, as :func:`pldverify.tail`.

        >>> [float(found) for found in pv.profile(pv.Gaussian(sigma=1)).tail(["-0.5", "0.5", "1.5"])]
        [0.84134474606..., 0.5, 0.15865525393...]
        """
        return many(self, "tail", _exact(epsilon, "epsilon", rational), digits)

    def epsilon(self, delta: Numbers, *, digits: int = 12) -> tuple[Enclosure, ...]:
        """ε at each δ, as :func:`pldverify.epsilon`.

        >>> [float(found) for found in pv.profile(pv.RandomizedResponse(p="0.75")).epsilon([0, "0.5"])]
        [1.09861228866..., 0.0]
        """
        return many(self, "epsilon", _exact(delta, "delta", probability), digits)

    def trade_off(self, alpha: Numbers, *, digits: int = 10) -> tuple[Enclosure, ...]:
        """f at each α, as :func:`pldverify.trade_off`.

        >>> [float(found) for found in pv.profile(pv.Gaussian(sigma=1)).trade_off(["0.05", 1], digits=15)]
        [0.7404889771..., 0.0]
        """
        return many(self, "trade-off", _exact(alpha, "alpha", probability), digits)

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

    def _answers(
        self, asked: Asked, digits: int, engine: str | None, spare: int
    ) -> Callable[[Fraction], Enclosure]:
        """What answers at a point: the extreme value over the directions."""
        whole, adjacency = self.composition, self.adjacency
        wanted, names = count(digits, "digits", cap=MAX_DIGITS), named(engine)
        if asked == "trade-off":
            works = self._works()
            return lambda level: least_error(whole, adjacency, level, wanted, works)
        curves = self._curves("tail" if asked == "tail" else "delta", names, spare)
        one, rough_of = _ONE[asked]

        def answer(point: Fraction) -> Enclosure:
            return extreme(
                "largest",
                whole,
                adjacency,
                (asked, point),
                lambda way, bound: one(whole, curves, way, point, wanted, bound),
                lambda _, way: rough_of(whole, way, point),
            )

        return answer

    def _works(self) -> Works:
        """Evaluators of δ to begin with."""
        return {}

    def _curves(self, quantity: Quantity, names: Sequence[str], spare: int) -> "_Curves":
        return {
            way: _Curve(product(self.composition, way), quantity, names, spare)
            for asked in self.composition.directions(self.adjacency)
            for way in (asked, reverse(asked))
        }


def one(of: Profile, asked: Asked, at: Fraction, digits: int, engine: str | None = None) -> Enclosure:
    """As the profile's method for what is ``asked``, at one point, by one engine alone if it is named."""
    return of._answers(asked, digits, engine, 0)(at)


def many(
    of: Profile, asked: Asked, points: Sequence[Fraction], digits: int, engine: str | None = None
) -> tuple[Enclosure, ...]:
    """The same at each of several points, asked in increasing order, equal ones once; those of a named
    engine, which may have few digits, share no work.

    Raises NoConvergence, which names the element.
    """
    answer, found = of._answers(asked, digits, engine, 0 if engine else _SPARE), dict[Fraction, Enclosure]()
    for point in sorted(set(points)):
        try:
            found[point] = answer(point)
        except NoConvergence as failure:
            element = f"{_ARGUMENT[asked]}[{points.index(point)}]"
            raise NoConvergence(f"{element}: {failure}", failure.bracket) from None
    return tuple(found[point] for point in points)


@dataclass(frozen=True)
class Kept(Profile):
    """A profile whose questions use what earlier ones set up: digits beyond those asked depend on them."""

    known: "dict[Quantity, _Curves]" = field(default_factory=dict, compare=False, repr=False)

    def _works(self) -> Works:
        curves = self.known.get("delta", {})
        return {way: curve.work for way, curve in curves.items() if curve.work is not None}

    def _curves(self, quantity: Quantity, names: Sequence[str], spare: int) -> "_Curves":
        return self.known.setdefault(quantity, super()._curves(quantity, names, spare))


class _Curve:
    """One quantity of one loss: at many points, with digits to ``spare`` of each evaluator, of which the last
    one is asked first; or at one, without any.
    """

    def __init__(self, loss: ComposedLoss, quantity: Quantity, names: Sequence[str], spare: int) -> None:
        self.loss, self.quantity, self.names, self.spare = loss, quantity, names, spare
        self.work: Work | None = None

    def at(self, epsilon: Fraction, digits: int, bound: Bound | None = None) -> Found:
        """The value, or a proof that it is at most the ``bound``, where only that is cheap.

        Raises NotSupported, NoConvergence.
        """
        if self.work is not None:
            with suppress(NoConvergence):
                found = self._evaluated(self.work, epsilon, digits, bound)
                if found is not None:
                    return found
        if bound is not None and (smaller := self._smaller(epsilon, Fraction(bound))) is not None:
            return look(smaller), smaller
        if self.spare:
            with suppress(NoConvergence):
                settled = self._settled(epsilon, min(digits + self.spare, MAX_DIGITS))
                self.work = settled.work or self.work
                return settled.enclosure, settled.statement
        settled = self._settled(epsilon, digits)
        return settled.enclosure, settled.statement

    def _settled(self, epsilon: Fraction, digits: int) -> Settled:
        return settle(self.loss, self.quantity, epsilon, digits, names=self.names)

    def _smaller(self, epsilon: Fraction, bound: Fraction) -> Proved | None:
        """Markov's inequality, if no one engine is asked for, and if it proves the bound."""
        every = tuple(self.names) == tuple(ENGINES)
        return at_most(self.loss, self.quantity, epsilon, bound) if every else None

    def _evaluated(self, work: Work, epsilon: Fraction, digits: int, bound: Bound | None) -> Found | None:
        """The statement, if it has the digits expected of the engine, or is at most the ``bound``."""
        if self.loss.ends_by(epsilon):
            return None
        statement = Evaluated(work, epsilon, int(digits * LOG2_10) + 64)
        found = look(statement)
        enough = found.digits >= min(digits, ENGINES[work.name].enough) or found.upper < SMALLEST
        enough = enough or (bound is not None and found.upper <= bound)
        return (found, statement) if enough else None

    def inverse(self, delta: Fraction, digits: int, bound: Bound | None = None) -> Found:
        """ε(δ) of this loss, or a proof that it is at most the ``bound``; the evaluator of the last root is
        asked first. Raises NotSupported, NoConvergence.
        """
        if isinstance(bound, Fraction) and (known := self._inverse_at_most(delta, bound)) is not None:
            return known
        more = self.work is not None and ENGINES[self.work.name].limit == math.inf
        spare = self.spare if more else 0  # the first one needs none
        found = epsilon_one_way(self.loss, delta, digits, self.names, last=self.work, spare=spare)
        if self.spare and isinstance(found[1], Inverse) and isinstance(found[1].below, Evaluated):
            self.work = found[1].below.work
        return found

    def _inverse_at_most(self, delta: Fraction, bound: Fraction) -> Found | None:
        """By Markov's inequality or a coarse δ at the ``bound``; None if neither proves it."""
        sides, proof, known = Sides(self.loss, delta), self._smaller(bound, delta), self.work
        if proof is None:
            with suppress(NoConvergence):
                proof = settle(
                    self.loss, "delta", bound, COARSE, names=self.names, excludes=delta, last=known
                ).statement
        return (look(sides.inverse), sides.inverse) if proof is not None and sides.learn(proof) else None


_Curves = dict[Direction, _Curve]
_One = Callable[[Composition, _Curves, Direction, Fraction, int, Bound | None], Found]
_Rough = Callable[[Composition, Direction, Fraction], Proved]
_ARGUMENT = {"delta": "epsilon", "tail": "epsilon", "epsilon": "delta", "trade-off": "alpha"}


def _no_more(
    ask: Callable[[int, Bound | None], Found], digits: int, spare: int, bound: Bound | None
) -> Found:
    """``digits`` digits; of one point alone, first few, which may prove that it is at most the ``bound``, be
    they those that a failure carries.
    """
    if bound is None or spare:
        return ask(digits, bound)
    try:
        found = ask(COARSE, bound)
    except NoConvergence as failure:
        enough = [row for row in carried(failure) if row[0].upper <= bound]
        if not enough:
            raise
        return enough[0]
    return found if found[0].upper <= bound else ask(digits, None)


def _delta(
    whole: Composition, curves: _Curves, way: Direction, epsilon: Fraction, digits: int, bound: Bound | None
) -> Found:
    def ask(goal: int, most: Bound | None) -> Found:
        most = most if epsilon >= 0 else None  # what is asked then is another number
        return delta_one_way(whole, way, epsilon, goal, lambda w, at, more: curves[w].at(at, more, most))

    return _no_more(ask, digits, curves[way].spare, bound)


def _tail(
    whole: Composition, curves: _Curves, way: Direction, epsilon: Fraction, digits: int, bound: Bound | None
) -> Found:
    if (statement := all_above(whole, way, epsilon, digits)) is not None:
        return look(statement, {"support": "no loss is below ε"}), statement
    curve = curves[way]
    return _no_more(lambda goal, most: curve.at(epsilon, goal, most), digits, curve.spare, bound)


def _epsilon(
    whole: Composition, curves: _Curves, way: Direction, delta: Fraction, digits: int, bound: Bound | None
) -> Found:
    return curves[way].inverse(delta, digits, bound)


_ONE: dict[Asked, tuple[_One, _Rough]] = {
    "delta": (_delta, rough_one_way),
    "tail": (_tail, lambda whole, way, at: rough(product(whole, way), "tail", at)),
    "epsilon": (_epsilon, lambda whole, way, delta: rough_inverse(product(whole, way), delta)),
}
"""How one direction is enclosed, and bounded roughly."""


def _exact(values: Numbers, name: str, door: Callable[[object, str], Fraction]) -> tuple[Fraction, ...]:
    """Every element as an exact number. Raises InvalidInput."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidInput(f"{name} must be numbers in a list, an array or a generator, got {brief(values)}")
    return tuple(door(value, f"{name}[{i}]") for i, value in enumerate(values))
