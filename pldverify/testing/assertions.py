r"""Assertions: a number against the proved enclosure of what it is about.

Each passes where the claim is proved, fails where it is refuted, and fails where neither is proved, unless
``undecided="passes"``: a test that could not look must not say that it has seen.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, get_args

from pldverify.accountants.ask import UNKNOWN, Answer, promise_of
from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import PROBABILITIES, Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.claim import Claim, Direction
from pldverify.numbers.exact import Number, brief, nonnegative, rational, show
from pldverify.numbers.presentation import number
from pldverify.rulings.check import finding
from pldverify.rulings.finding import Finding
from pldverify.testing.looseness import looseness
from pldverify.testing.record import note
from pldverify.testing.reproduction import expression, literal

__tracebackhide__ = True

IfUndecided = Literal["fails", "passes"]
"""What an assertion does where nothing is proved."""

_NAME = "the tested number"


def assert_sound_upper(
    value: Number,
    query: Query,
    *,
    tightness: Number | None = None,
    rounding: bool = False,
    undecided: IfUndecided = "fails",
) -> Finding:
    """Assert that ``value`` is an upper bound of what the query asks for.

    Args:
        tightness: what it may give away at most, in ε (nats), of δ(ε) and ε(δ); None: anything.
        rounding: whether a bound that is wrong at rounding level (1e-9, relatively) passes.
        undecided: what happens where nothing is proved.

    Raises AssertionError with the finding, InvalidInput for what is no number, and for other words.

    >>> import pldverify as pv
    >>> from pldverify.testing import assert_sound_upper
    >>> query = pv.Query(pv.Gaussian(1), epsilon=1)  # δ(1) = 0.12693…
    >>> assert_sound_upper(0.127, query, tightness="0.001").verdict
    'SOUND'
    """
    return _assert_bound("upper", value, query, tightness, rounding, undecided)


def assert_sound_lower(
    value: Number,
    query: Query,
    *,
    tightness: Number | None = None,
    rounding: bool = False,
    undecided: IfUndecided = "fails",
) -> Finding:
    """Assert that ``value`` is a lower bound of what the query asks for, as :func:`assert_sound_upper`.

    >>> import pldverify as pv
    >>> from pldverify.testing import assert_sound_lower
    >>> assert_sound_lower(0.126, pv.Query(pv.Gaussian(1), epsilon=1)).verdict
    'SOUND'
    """
    return _assert_bound("lower", value, query, tightness, rounding, undecided)


def assert_within(value: Number, query: Query, *, error: Number, undecided: IfUndecided = "fails") -> Finding:
    """Assert that ``value`` is within ``error`` of what the query asks for, in the unit of that.

    Raises as :func:`assert_sound_upper`.

    >>> import pldverify as pv
    >>> from pldverify.testing import assert_within
    >>> assert_within(0.1269, pv.Query(pv.Gaussian(1), epsilon=1), error="1e-4").verdict
    'SOUND'
    """
    margin = nonnegative(error, "error")
    _require_known(undecided, IfUndecided, "undecided")
    found = _judged(Claim(_value(value), "estimate", _NAME, {}, promise_of(margin, query)), query)
    says = f"{number(_value(value))} is within {show(margin)} of the truth"
    _require(found.verdict, undecided, says, found)
    return found


def assert_rdp_sound(
    orders: Iterable[Number],
    values: Iterable[Number],
    composition: Composition | Mechanism | str,
    *,
    direction: Literal["upper", "lower"] = "upper",
    adjacency: Adjacency | None = None,
    rounding: bool = False,
    undecided: IfUndecided = "fails",
) -> list[Finding]:
    """Assert that ``values`` bound the Rényi divergences of these ``orders``, in nats.

    Raises as :func:`assert_sound_upper`, at the first order that fails; InvalidInput for no orders.

    >>> import pldverify as pv
    >>> from pldverify.testing import assert_rdp_sound
    >>> found = assert_rdp_sound([2, 8, 32], [1.1, 4.1, 16.1], pv.Gaussian(1))  # α/2σ²
    >>> [finding.verdict for finding in found]
    ['SOUND', 'SOUND', 'SOUND']
    """
    whole = as_composition(composition)
    _require_known(direction, Literal["upper", "lower"], "direction")
    return [
        _assert_bound(
            direction, value, RenyiQuery(whole, order=order, adjacency=adjacency), None, rounding, undecided
        )
        for order, value in _pairs(orders, values, "orders")
    ]


def assert_trade_off_sound(
    alphas: Iterable[Number],
    values: Iterable[Number],
    composition: Composition | Mechanism | str,
    *,
    adjacency: Adjacency | None = None,
    rounding: bool = False,
    undecided: IfUndecided = "fails",
) -> list[Finding]:
    """Assert that ``values`` are lower bounds of the trade-off function f at these levels α.

    f(α) is the least type II error of a test of level α: a guarantee says that it is at least so large.
    Raises as :func:`assert_rdp_sound`.

    >>> import pldverify as pv
    >>> from pldverify.testing import assert_trade_off_sound
    >>> found = assert_trade_off_sound(["0.05"], ["0.74"], pv.Gaussian(1))  # f(0.05) = 0.7405…
    >>> [finding.verdict for finding in found]
    ['SOUND']
    """
    whole = as_composition(composition)
    return [
        _assert_bound(
            "lower", value, TradeOffQuery(whole, alpha=alpha, adjacency=adjacency), None, rounding, undecided
        )
        for alpha, value in _pairs(alphas, values, "alphas")
    ]


def _assert_bound(
    direction: Direction,
    value: Number,
    query: Query,
    tightness: Number | None,
    rounding: bool,
    undecided: IfUndecided,
) -> Finding:
    _require_known(undecided, IfUndecided, "undecided")
    allowed = None if tightness is None else nonnegative(tightness, "tightness")
    claim = Claim(_value(value), direction, _NAME)
    found = _judged(claim, query)
    if allowed is not None and query.quantity not in ("delta", "epsilon"):
        raise InvalidInput(f"tightness must be None of {query}, for it is in ε, got {show(allowed)}")
    if found.verdict == "UNSOUND" and rounding and found.severity == "rounding-level":
        return found
    _require(found.verdict, undecided, f"{number(claim.value)} is {_a(direction)} bound", found)
    if allowed is not None and found.verdict == "SOUND":
        says = f"{number(claim.value)} gives away at most {show(allowed)} in ε"
        _require(looseness(claim, query, allowed), undecided, says, found)
    return found


def _judged(claim: Claim, query: Query) -> Finding:
    if not isinstance(query, Query):
        raise InvalidInput(f"query must be a pv.Query, got {type(query).__name__}")
    return note(finding(_NAME, query, Answer(UNKNOWN, 0.0, claim)))


def _require(verdict: str, undecided: IfUndecided, says: str, found: Finding) -> None:
    """Raise AssertionError unless the verdict is good enough."""
    if verdict == "SOUND" or (verdict == "UNDECIDED" and undecided == "passes"):
        return
    told = "it can't be decided whether " if verdict == "UNDECIDED" else "it is not true that "
    raise AssertionError(f"{told}{says}\n{found}{_reproduction(found)}")


def _reproduction(found: Finding) -> str:
    """One line behind ``import pldverify as pv``; a plain function is asked for ε and δ alone."""
    if found.claim is None:
        return ""
    claim, value, asked = found.claim, literal(found.claim.value), expression(found.query)
    error = ""
    if claim.promise is not None:
        most = claim.promise.delta if found.query.quantity in PROBABILITIES else claim.promise.epsilon
        error = f', error="{show(most)}"'
    line = "from fractions import Fraction; " if value.startswith("Fraction") else ""
    if type(found.query) is Query:
        line += f'pv.check(lambda query: {value}, {asked}, direction="{claim.direction}"{error})'
    else:
        name = "assert_within" if claim.direction == "estimate" else f"assert_sound_{claim.direction}"
        line += f"from pldverify.testing import {name}; {name}({value}, {asked}{error})"
    return f"\nreproduce  {line}"


def _pairs(levels: Iterable[Number], values: Iterable[Number], name: str) -> list[tuple[Number, Number]]:
    left, right = list(levels), list(values)
    if not left or len(left) != len(right):
        raise InvalidInput(
            f"{name} and values must be as many, one or more, got {len(left)} {name} and {len(right)} values"
        )
    return list(zip(left, right, strict=True))


def _require_known(word: str, allowed: object, name: str) -> None:
    if word not in get_args(allowed):
        raise InvalidInput(f"{name} must be one of {', '.join(get_args(allowed))}, got {brief(word)}")


def _value(value: Number) -> Fraction | float:
    try:
        if value == math.inf:
            return math.inf
    except (ArithmeticError, TypeError, ValueError):  # a signalling NaN, or what is no number
        pass
    return rational(value, "value")


def _a(direction: Direction) -> str:
    return "an upper" if direction == "upper" else "a lower"
