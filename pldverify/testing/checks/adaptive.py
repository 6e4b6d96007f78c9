"""Oracle check of accountants that are filters: queries chosen by what was seen stay within their budget."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol, runtime_checkable

from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.numbers.exact import show
from pldverify.testing.adaptive import Attack, Taken, attack_filter
from pldverify.testing.checks.check import Break, Check, double
from pldverify.testing.checks.subject import Subject

_COINS = "randomized_response(2/3); randomized_response(3/4); approximate_dp(0, 1/6)"
_NOISE = "gaussian(1); gaussian(2); gaussian(3); gaussian(4); gaussian(6)"
_MIXED = "gaussian(1); gaussian(3); laplace(4); poisson(gaussian(1), q=0.1); approximate_dp(0, 0.005)"
_GAMES = (("1.3862", "0.1667", _COINS), ("1", "0.02", _NOISE), ("1", "0.01", _MIXED))
"""ε, δ, and what the adversary may ask."""


@runtime_checkable
class Filtering(Protocol):
    """An accountant that is a filter: all that it admits is meant to be (ε, δ)-DP together."""

    def admits(self, taken: Taken, asked: Composition, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether ``asked`` may be asked after the queries that were. An exception refuses."""


def adaptive(subject: Subject) -> Iterator[Break]:
    """What an adversary reaches that asks next what suits what it saw."""
    accountant = subject.accountant
    if not isinstance(accountant, Filtering):
        subject.reason = "it is no filter: it has no method admits"
        return
    for epsilon, delta, written in _GAMES:
        found = _played(accountant, Fraction(epsilon), Fraction(delta), [*map(parse, written.split(";"))])
        subject.compared += found.tree is not None
        if found.refutes and found.longest is not None:
            message = (
                f"queries that it admits have δ({epsilon}) ≥ {double(found.delta):.6g} where the next one is "
                f"chosen by what was seen, and the budget is {show(found.budget)}:\n{found}"
            )
            query = Query(found.longest, epsilon=epsilon)
            yield Break("UNSOUND", (query,), (None,), message, double(found.delta - found.budget))


def _played(accountant: Filtering, epsilon: Fraction, delta: Fraction, queries: list[Composition]) -> Attack:
    def admits(taken: Taken, asked: Composition) -> bool:
        try:
            return bool(accountant.admits(taken, asked, epsilon, delta))
        except Exception:  # whatever a user's filter raises: it doesn't admit
            return False

    return attack_filter(admits, queries, epsilon=epsilon, delta=delta)


CHECKS = (
    Check(
        "adaptive", "A filter counts queries as if nothing that was seen had chosen them.", "oracle", adaptive
    ),
)
