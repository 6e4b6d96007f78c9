"""The normal distribution in balls."""

from typing import TypeVar

from pldverify.balls import acb, arb

Number = TypeVar("Number", arb, acb)


def normal_tail(x: Number) -> Number:
    """Φ(−x), also where it is tiny."""
    return (x / arb(2).sqrt()).erfc() / 2
