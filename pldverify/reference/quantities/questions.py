"""The questions as users ask them: of an expression, at many points, at numbers that are no fractions.

What is asked is made exact here, and each exact question goes to the file of its quantity. Many points share
what the first ones set up (``profile.py``). A number that is no fraction is enclosed, and the question asked
at both ends (``engines/derived/ends.py``).
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar, overload

from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.hidden_batch import hides
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import Number, brief, probability, real
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.order import renyi_order
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.conclude import conclude
from pldverify.reference.engines.derived.ends import Ends, corners
from pldverify.reference.quantities import rdp as divergences
from pldverify.reference.quantities.both_sides import ONLY_A_BRACKET
from pldverify.reference.quantities.bracket import bracket
from pldverify.reference.quantities.profile import Asked, profile
from pldverify.reference.quantities.profile import many as at_many
from pldverify.reference.quantities.profile import one as at_one

Many = Iterable[object]
_AT = {"delta": "epsilon", "epsilon": "delta"}
Exact = TypeVar("Exact", bound=Bound)


@overload
def delta(  # type: ignore[overload-overlap]  # a string is no list
    composition: Composed,
    *,
    epsilon: Number,
    adjacency: Adjacency | None = ...,
    digits: int = ...,
    engine: str | None = ...,
) -> Enclosure: ...
@overload
def delta(
    composition: Composed,
    *,
    epsilon: Many,
    adjacency: Adjacency | None = ...,
    digits: int = ...,
    engine: str | None = ...,
) -> list[Enclosure]: ...
def delta(
    composition: Composed,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
    engine: str | None = None,
) -> Enclosure | list[Enclosure]:
    """The true δ(ε), to ``digits`` proved significant digits, or to 6 where only the grid engine applies.

    Args:
        composition: a composition, a mechanism, or an expression of them in a string.
        epsilon: in nats; any finite real, negative too, or an expression such as ``"ln(3)"``. Of a list, a
            tuple, a generator or an array of one dimension, n long, the answer is a list of n enclosures in
            that order, from shared work; ``numpy.array(answer, float)`` has their midpoints.
        adjacency: ``add``, ``remove``, the maximum of both, or ``replace-one``; by default the composition's.
        digits: 1 to 1000. For irrational numbers, of which 90 digits are known, no more than those leave.
        engine: one of ``reference.choice.ENGINES``; left out, the cheapest of those that apply and can give
            the digits.

    Raises InvalidInput, NotSupported, NoConvergence; that, with what is proved as its ``bracket``, where a
    mechanism hides a batch (:class:`pldverify.ShuffledBatches`).

    >>> import pldverify as pv
    >>> print(pv.delta("1000 * poisson(gaussian(2), q=0.02)", epsilon=1, digits=6))
    0.000299264... ± ...
    >>> [f"{float(x):.3g}" for x in pv.delta(10 * pv.Gaussian(4), epsilon=[0, "1/2", "ln(3)"], digits=6)]
    ['0.307', '0.156', '0.0486']

    Φ(−1/2) − e Φ(−3/2) for Gaussian noise with σ = 1 (Balle and Wang, 2018):

    >>> float(pv.delta(pv.Gaussian(sigma=1), epsilon=1))
    0.126936737506...
    """
    return _answers(
        composition,
        adjacency,
        "delta",
        ("epsilon", epsilon, real),
        digits,
        engine,
    )


@overload
def tail(  # type: ignore[overload-overlap]
    composition: Composed,
    *,
    epsilon: Number,
    adjacency: Adjacency | None = ...,
    digits: int = ...,
    engine: str | None = ...,
) -> Enclosure: ...
@overload
def tail(
    composition: Composed,
    *,
    epsilon: Many,
    adjacency: Adjacency | None = ...,
    digits: int = ...,
    engine: str | None = ...,
) -> list[Enclosure]: ...
def tail(
    composition: Composed,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
    engine: str | None = None,
) -> Enclosure | list[Enclosure]:
    """The true P(S ≥ ε) of the composed privacy loss S, S = +∞ included; arguments as in :func:`delta`, but
    the composition's parameters must be rational: P(S ≥ ε) is not monotone in them.

    Where only a grid applies, the few digits that its δ leaves: some 3, none at an atom.

    >>> import pldverify as pv
    >>> print(pv.tail("10 * gaussian(4)", epsilon="ln(3)", digits=6))
    0.160023... ± ...

    The loss of Gaussian noise with σ = 1 is N(1/2, 1):

    >>> float(pv.tail(pv.Gaussian(sigma=1), epsilon="0.5"))
    0.5
    """
    return _answers(
        composition,
        adjacency,
        "tail",
        ("epsilon", epsilon, real),
        digits,
        engine,
    )


@overload
def epsilon(  # type: ignore[overload-overlap]
    composition: Composed,
    *,
    delta: Number,
    adjacency: Adjacency | None = ...,
    digits: int = ...,
    engine: str | None = ...,
) -> Enclosure: ...
@overload
def epsilon(
    composition: Composed,
    *,
    delta: Many,
    adjacency: Adjacency | None = ...,
    digits: int = ...,
    engine: str | None = ...,
) -> list[Enclosure]: ...
def epsilon(
    composition: Composed,
    *,
    delta: object,
    adjacency: Adjacency | None = None,
    digits: int = 15,
    engine: str | None = None,
) -> Enclosure | list[Enclosure]:
    """The true ε(δ) in nats, to ``digits`` proved significant digits; +∞ is possible.

    As every δ(ε) decreases, the maximum over directions of δ(ε) has as its inverse the maximum of the
    inverses. Arguments as in :func:`delta`, at one ``delta`` or many, each in [0, 1].
    Raises InvalidInput, NotSupported, NoConvergence.

    >>> import pldverify as pv
    >>> step = pv.PoissonSubsampled(pv.Gaussian("sqrt(2)"), "512/50000")
    >>> print(pv.epsilon(1000 * step, delta="1/(50000*ln(50000))", digits=6))
    1.14414 ± ...
    >>> float(pv.epsilon(pv.Laplace(b=2), delta=0)), float(pv.epsilon(pv.Gaussian(sigma=2), delta=0))
    (0.5, inf)
    """
    return _answers(
        composition,
        adjacency,
        "epsilon",
        ("delta", delta, _probability),
        digits,
        engine,
    )


@overload
def trade_off(  # type: ignore[overload-overlap]
    composition: Composed, *, alpha: Number, adjacency: Adjacency | None = ..., digits: int = ...
) -> Enclosure: ...
@overload
def trade_off(
    composition: Composed, *, alpha: Many, adjacency: Adjacency | None = ..., digits: int = ...
) -> list[Enclosure]: ...
def trade_off(
    composition: Composed,
    *,
    alpha: object,
    adjacency: Adjacency | None = None,
    digits: int = 10,
) -> Enclosure | list[Enclosure]:
    r"""The true f(α): no test of level α between two neighbours has a smaller type II error.

    Where the adjacency has two directions, this is their minimum, the infimum of T(M(S), M(S'))(α) over all
    ordered neighbours, because the adversary of a pair of data sets can't choose another pair. It need not be
    convex in α: Dong, Roth and Su's f-DP asks for a convex function, and the best one is the double conjugate
    of this minimum, the dual of max δ(ε), which is smaller in places.

    Args:
        composition: a composition, a mechanism, or an expression of them in a string.
        alpha: the level of the test, 0 ≤ alpha ≤ 1: its type I error; one or many, as in :func:`delta`.
        adjacency: as in :func:`delta`.
        digits: significant digits of f(α), 1 to 1000; 4 where only engines of six digits apply.

    f(0) = 1 − δ_∞, f(1) = 0; a value below 2^−19999 is enclosed by [0, 2^−19999].
    Raises InvalidInput, NotSupported, NoConvergence.

    >>> import pldverify as pv
    >>> print(pv.trade_off("gaussian(sqrt(2))", alpha="5%", digits=6))
    0.825813 ± ...

    Φ(Φ⁻¹(1 − α) − 1) for Gaussian noise with σ = 1:

    >>> float(pv.trade_off(pv.Gaussian(sigma=1), alpha="0.05", digits=15))
    0.7404889771...
    """
    return _answers(
        composition,
        adjacency,
        "trade-off",
        ("alpha", alpha, _probability),
        digits,
    )


def rdp(
    mechanism: Composed,
    *,
    order: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
) -> Enclosure:
    """The true Rényi divergence of order ``order`` in nats, the larger of the directions asked for.

    Args:
        mechanism: a mechanism, a composition, or an expression of them in a string.
        order: α > 0, or infinity (``math.inf`` or ``"inf"``). At 1 the Kullback–Leibler divergence, at
            infinity the largest loss, or max divergence: the ε of pure DP.
        adjacency: as for :func:`delta`.
        digits: 1 to 1000.

    +∞ at an order ≥ 1 where the loss is infinite with positive probability, and at infinity where it is
    unbounded. Raises InvalidInput unless order > 0; NotSupported; NoConvergence where the transform needs too
    many nodes.

    >>> import pldverify as pv
    >>> print(pv.rdp("gaussian(sqrt(2))", order=4, digits=6))  # α/(2σ²)
    1.000000... ± ...
    >>> float(pv.rdp(pv.Laplace(b=4), order="inf"))  # the ε of pure differential privacy
    0.25
    """
    return _answer(
        as_composition(mechanism),
        adjacency,
        "rdp",
        renyi_order(order, real),
        lambda whole, at: divergences.rdp(whole, order=at, adjacency=adjacency, digits=digits),
    )


def _answers(
    composition: object,
    adjacency: Adjacency | None,
    asked: Asked,
    argument: tuple[str, object, Callable[[object, str], Fraction | Irrational]],
    digits: int,
    engine: str | None = None,
) -> Enclosure | list[Enclosure]:
    """One answer, or as many as there are points: exact ones share their work."""
    whole, (name, value, read) = as_composition(composition), argument

    def one(corner: Composition, point: Fraction) -> Enclosure:
        return at_one(profile(corner, adjacency), asked, point, digits, engine)

    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return _answer(whole, adjacency, asked, read(value, name), one)
    if getattr(value, "ndim", 1) != 1:
        raise InvalidInput(f"{name} must have one dimension, got {brief(value)}")
    points = [read(each, f"{name}[{i}]") for i, each in enumerate(value)]
    exact = [point for point in points if isinstance(point, Fraction)]
    if hides(whole) or not whole.is_exact or len(exact) < len(points):
        return [_answer(whole, adjacency, asked, point, one) for point in points]
    return list(at_many(profile(whole, adjacency), asked, exact, digits, engine))


def _answer(
    whole: Composition,
    adjacency: Adjacency | None,
    quantity: str,
    at: Exact | Irrational,
    one: Callable[[Composition, Exact], Enclosure],
) -> Enclosure:
    """At one point, or at both ends of what is no fraction."""
    if hides(whole) and quantity in ("delta", "epsilon"):
        found = bracket(Query(whole, **{_AT[quantity]: at}, adjacency=adjacency))
        raise NoConvergence(f"{quantity}: {ONLY_A_BRACKET}", found)
    if whole.is_exact and not isinstance(at, Irrational):
        return one(whole, at)
    try:
        least, greatest = (one(corner, point) for corner, point in corners(whole, quantity, at))  # type: ignore[arg-type]
    except NoConvergence as failure:
        raise NoConvergence(str(failure)) from None  # what is proved at one end is not proved of the number
    parts = [found.witness.statement for found in (least, greatest) if found.witness is not None]
    return conclude(
        Ends(whole, adjacency or whole.adjacency, quantity, at, *parts),  # type: ignore[arg-type]
        {"ends": "an irrational number lies between two fractions", **dict(greatest.provenance)},
    )


def _probability(value: object, name: str) -> Fraction | Irrational:
    return probability(value, name, real)
