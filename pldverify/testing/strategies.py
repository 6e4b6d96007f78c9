"""Strategies for mechanisms, compositions and queries: the grammar of questions, drawn by Hypothesis.

They shrink towards one Gaussian of σ = 1 and ε = 1. ``mechanisms()`` draws mechanisms whose pairs are
attained, defined under add-or-remove, and composed quickly; any other is drawn where its class is named.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.numbers.exact import brief, count
from pldverify.questions import draw as grammar
from pldverify.questions.kinds import KINDS, of_kind
from pldverify.questions.numbers import STEPS, Numbers
from pldverify.testing.numbers import deltas as deltas
from pldverify.testing.numbers import epsilons as epsilons
from pldverify.testing.numbers import strategy

T = TypeVar("T")
Kinds = tuple[str, ...]

DEFAULT = (
    "gaussian",
    "gaussian(sensitivity)",
    "poisson(gaussian)",
    "poisson(laplace)",
    "poisson(randomized_response)",
    "laplace",
    "laplace(sensitivity)",
    "randomized_response",
    "discrete_gaussian(sensitivity)",
    "discrete_laplace(sensitivity)",
    "approximate_dp",
    "pure_dp",
)
"""What is drawn where no class is named, the simplest first."""


class _Drawn:
    """Hypothesis as a source."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def number(self, numbers: Numbers) -> Fraction:
        return self.draw(strategy(numbers))

    def choice(self, options: Sequence[T]) -> T:
        return self.draw(st.sampled_from(options))


def mechanisms(*kinds: type[Mechanism]) -> SearchStrategy[Mechanism]:
    """Mechanisms of these classes, or of :data:`DEFAULT`; shrinks towards a Gaussian of σ = 1.

    Raises InvalidInput for a class that has no strategy, as a pair of your own.

    >>> from pldverify.testing import mechanisms
    >>> mechanisms(pv.Gaussian, pv.Laplace).is_empty
    False
    """
    return _mechanisms(_kinds(kinds))


def _kinds(classes: tuple[object, ...]) -> Kinds:
    """The kinds of these classes."""
    known = list(dict.fromkeys(map(of_kind, KINDS)))
    for each in classes:
        if each not in known:
            names = ", ".join(kind.__name__ for kind in known)
            raise InvalidInput(f"kinds must be among {names}, got {brief(each)}")
    return tuple(kind for each in classes for kind in KINDS if of_kind(kind) is each) or DEFAULT


@st.composite
def _mechanisms(draw: st.DrawFn, kinds: Kinds) -> Mechanism:
    source = _Drawn(draw)
    return grammar.mechanism(source, source.choice(kinds))


def compositions(
    *kinds: type[Mechanism], max_steps: int = 1000, max_parts: int = 2
) -> SearchStrategy[Composition]:
    """Compositions of at most ``max_parts`` mechanisms, each up to ``max_steps`` times; shrinks towards one.

    Those that have no common neighbouring relation are not drawn. Raises InvalidInput as :func:`mechanisms`,
    and for numbers that are no counts >= 1.
    """
    return _compositions(_kinds(kinds), count(max_steps, "max_steps"), count(max_parts, "max_parts"))


@st.composite
def _compositions(draw: st.DrawFn, kinds: Kinds, most_steps: int, most: int) -> Composition:
    return grammar.composition(_Drawn(draw), kinds, kinds, most=most, steps=STEPS.up_to(most_steps))


def queries(*kinds: type[Mechanism], max_steps: int = 1000, max_parts: int = 2) -> SearchStrategy[Query]:
    """Questions for δ(ε) and ε(δ), under each adjacency that the composition has; shrinks towards δ(1).

    Some ε are atoms of the loss: the largest loss of a mechanism, times a number of steps. Raises
    InvalidInput as :func:`compositions`.
    """
    return _queries(compositions(*kinds, max_steps=max_steps, max_parts=max_parts))


@st.composite
def _queries(draw: st.DrawFn, drawn: SearchStrategy[Composition]) -> Query:
    return grammar.query(_Drawn(draw), draw(drawn))
