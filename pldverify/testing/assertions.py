r"""Assertions: a number against the proved enclosure of what it is about.

Each passes where the claim is proved, fails where it is refuted, and fails where neither is proved, unless
``undecided="passes"``: a test that could not look must not say that it has seen.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from pldverify.accountants.ask import UNKNOWN, Answer
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.judge.check import finding
from pldverify.judge.finding import Finding
from pldverify.judge.verdict import judge
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.claim import Claim, Direction, Promise
from pldverify.numbers.exact import Number, nonnegative, probability, rational, show
from pldverify.numbers.presentation import number
from pldverify.testing.record import note
from pldverify.testing.reproduction import expression

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
        tightness: what it may give away at most, in ε (nats); None: anything.
        rounding: whether a bound that is wrong at rounding level (1e-9, relatively) passes.
        undecided: what happens where nothing is proved.

    Raises AssertionError with the finding, InvalidInput for what is no number.

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
    of_delta = query.quantity == "delta"
    promise = Promise(Fraction(0), margin) if of_delta else Promise(margin, Fraction(0))
    found = _judged(Claim(_value(value), "estimate", _NAME, {}, promise), query)
    _require(found.verdict, undecided, f"{number(_value(value))} is within {show(margin)}", found)
    return found


def assert_rdp_sound(
    orders: Sequence[Number],
    values: Sequence[Number],
    composition: Composition | Mechanism | str,
    *,
    direction: Literal["upper", "lower"] = "upper",
    adjacency: Adjacency | None = None,
    rounding: bool = False,
    undecided: IfUndecided = "fails",
) -> list[Finding]:
    """Assert that ``values`` bound the Rényi divergences of these ``orders``, in nats.

    Raises as :func:`assert_sound_upper`, at the first order that fails.

    >>> import pldverify as pv
    >>> from pldverify.testing import assert_rdp_sound
    >>> found = assert_rdp_sound([2, 8, 32], [1.1, 4.1, 16.1], pv.Gaussian(1))  # α/2σ²
    >>> [finding.verdict for finding in found]
    ['SOUND', 'SOUND', 'SOUND']
    """
    whole = as_composition(composition)
    return [
        _assert_bound(
            direction, value, RenyiQuery(whole, order=order, adjacency=adjacency), None, rounding, undecided
        )
        for order, value in _pairs(orders, values, "orders")
    ]


def assert_trade_off_sound(
    alphas: Sequence[Number],
    values: Sequence[Number],
    composition: Composition | Mechanism | str,
    *,
    adjacency: Adjacency | None = None,
    undecided: IfUndecided = "fails",
) -> None:
    """Assert that ``values`` are lower bounds of the trade-off function f at these levels α.

    f(α) is the least type II error of a test of level α: a guarantee says that it is at least so large.
    Raises as :func:`assert_sound_upper`.

    >>> import pldverify as pv
    >>> from pldverify.testing import assert_trade_off_sound
    >>> assert_trade_off_sound(["0.05"], ["0.74"], pv.Gaussian(1))  # f(0.05) = 0.7405…
    """
    from pldverify.reference import trade_off

    whole = as_composition(composition)
    for alpha, value in _pairs(alphas, values, "alphas"):
        level, claim = probability(alpha, "alpha"), Claim(_value(value), "lower", _NAME)
        says = f"f({show(level)}) ≥ {number(claim.value)} of {whole}"
        try:
            truth = trade_off(whole, alpha=level, adjacency=adjacency)
        except (NoConvergence, NotSupported) as reason:
            _require("UNDECIDED", undecided, says, reason)
            continue
        verdict = judge(claim, truth)
        if (verdict == "SOUND" and not whole.dominates) or (verdict == "UNSOUND" and not whole.tight):
            verdict = "UNDECIDED"
        _require(verdict, undecided, says, f"true f({show(level)}): {truth}")


def _assert_bound(
    direction: Direction,
    value: Number,
    query: Query,
    tightness: Number | None,
    rounding: bool,
    undecided: IfUndecided,
) -> Finding:
    number_ = _value(value)
    found = _judged(Claim(number_, direction, _NAME), query)
    if found.verdict == "UNSOUND" and rounding and found.severity == "rounding-level":
        return found
    _require(found.verdict, undecided, f"{number(number_)} is {_a(direction)} bound", found)
    if tightness is None or found.verdict != "SOUND":
        return found
    allowed, given = nonnegative(tightness, "tightness"), found.tightness
    if given is not None and given > allowed:
        raise AssertionError(f"{_a(direction)} bound gives away more than {show(allowed)} in ε\n{found}")
    return found


def _judged(claim: Claim, query: Query) -> Finding:
    if not isinstance(query, Query):
        raise InvalidInput(f"query must be a pv.Query, got {type(query).__name__}")
    return note(finding(_NAME, query, Answer(UNKNOWN, 0.0, claim)))


def _require(verdict: str, undecided: IfUndecided, says: str, shown: object) -> None:
    """Raise AssertionError unless the verdict is good enough."""
    if verdict == "SOUND" or (verdict == "UNDECIDED" and undecided == "passes"):
        return
    told = "it can't be decided whether " if verdict == "UNDECIDED" else "it is not true that "
    raise AssertionError(f"{told}{says}\n{shown}{_reproduction(shown)}")


def _reproduction(shown: object) -> str:
    if not isinstance(shown, Finding) or shown.claim is None:
        return ""
    claim, promise = shown.claim, shown.claim.promise
    value = 'float("inf")' if claim.value == math.inf else f'Fraction("{Fraction(claim.value)}")'
    error = ""
    if promise is not None:
        most = promise.delta if shown.query.quantity == "delta" else promise.epsilon
        error = f', error="{show(most)}"'
    asked = expression(shown.query)
    return f'\nreproduce  pv.check(lambda query: {value}, {asked}, direction="{claim.direction}"{error})'


def _pairs(levels: Sequence[Number], values: Sequence[Number], name: str) -> list[tuple[Number, Number]]:
    if len(levels) != len(values):
        raise InvalidInput(f"values must be as many as {name}, got {len(values)} and {len(levels)}")
    return list(zip(levels, values, strict=True))


def _value(value: Number) -> Fraction | float:
    return math.inf if value == math.inf else rational(value, "value")


def _a(direction: Direction) -> str:
    return {"upper": "an upper", "lower": "a lower", "estimate": "an estimate, no"}[direction]
