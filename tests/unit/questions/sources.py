"""Sources for the tests: the simplest, and one that keeps to what is usual."""

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from pldverify.questions.numbers import Numbers

T = TypeVar("T")


class Simplest:
    """The first edge and the first choice."""

    def number(self, numbers: Numbers) -> Fraction:
        return numbers.edges[0]

    def choice(self, options: Sequence[T]) -> T:
        return options[0]


class Edges:
    """Any edge, any choice."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)

    def number(self, numbers: Numbers) -> Fraction:
        return self.pick.choice(numbers.edges)

    def choice(self, options: Sequence[T]) -> T:
        return self.pick.choice(options)
