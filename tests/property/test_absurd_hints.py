"""Whatever hints say, no enclosure that is proved with them leaves the truth.

Hints choose where proofs put nodes, cells and cut-offs. Here each answer is proved again from its witness
while hints lie: every function of theirs that a law or an engine has imported, and choices of laws; or
one of them alone.
"""

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from types import FunctionType
from typing import Any

import pytest
import sympy as sp
from flint import arb

import pldverify as pv
from pldverify.balls.clock import clock
from pldverify.balls.memory import forget
from pldverify.errors import NotSupported
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.conclude import prove_again
from pldverify.reference.fast import gaussian_mixture
from pldverify.reference.laws import (
    discrete_gaussian,
    gaussian_stretches,
    smooth,
)
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw

HINTS = (
    "pldverify.reference.laws.hints.",
    "pldverify.reference.fast.hints.",
    "pldverify.reference.engines.convolution.hints",
)
PROVING = ("pldverify.reference.laws.", "pldverify.reference.engines.", "pldverify.reference.fast.")
CHOICES: tuple[tuple[Any, str], ...] = (
    (gaussian_stretches.Stretch, "_end"),
    (gaussian_stretches, "_short"),
    (gaussian_stretches, "heights"),
    (gaussian_mixture, "heights"),
    (discrete_gaussian, "reach"),
    (discrete_gaussian, "dual_reach"),
    (PoissonDiscreteGaussianLaw, "window"),
    (smooth, "panels"),
)
"""Of laws themselves."""
FEW, SEEDS = 5, 12
SECONDS = 3.0
MOST = 5000
"""No lie asks for more nodes, so that the test is quick."""
STEP = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
BATCHES = pv.SampledWithoutReplacement(pv.Gaussian(2), q="0.1")


def logistic() -> pv.DensityPair:
    t, c = sp.Symbol("t", real=True), sp.Symbol("c")
    first, second = (sp.exp(m - t) / (1 + sp.exp(m - t)) ** 2 for m in (c, 0))
    return pv.derive_pair(first, second, t, {c: (0, sp.oo)}).mechanism(c="1/2")


def delta(
    composition: Any, epsilon: str, adjacency: str = "remove", digits: int = 6, engine: str | None = None
) -> Enclosure:
    return pv.delta(composition, epsilon=epsilon, adjacency=adjacency, digits=digits, engine=engine)


QUESTIONS: dict[str, Callable[[], Enclosure]] = {
    "lattice": lambda: delta(5 * pv.DiscreteGaussian("0.6"), "9"),
    "circle": lambda: delta(5 * pv.DiscreteGaussian(3), "1"),
    "contour": lambda: delta(1000 * STEP, "1"),
    "contour, add": lambda: delta(1000 * STEP, "-1", "add"),
    "truncated": lambda: delta(50 * STEP, "1"),
    "replaced": lambda: delta(200 * pv.PoissonSubsampled(pv.Gaussian(1), "0.05"), "1", "replace-one"),
    "fixed size": lambda: delta(200 * BATCHES, "1", "replace-one"),
    "fixed size, truncated": lambda: delta(
        79 * pv.SampledWithoutReplacement(pv.Gaussian("2.59"), "2e-4"), "0.01", "replace-one"
    ),
    "schedule": lambda: delta(
        pv.Composition.of(
            *((pv.PoissonSubsampled(pv.Gaussian(f"{1 + i / 40}"), "0.01"), 9) for i in range(60))
        ),
        "0.3",
    ),
    "Poisson, discrete": lambda: delta(
        200 * pv.PoissonSubsampled(pv.DiscreteGaussian(2), "0.05"), "1", "add"
    ),
    "Poisson, Laplace": lambda: delta(200 * pv.PoissonSubsampled(pv.Laplace(2), "0.05"), "1"),
    "mixture": lambda: delta(50 * pv.MixtureOfGaussians(1, ["0", "1", "3"], ["3/4", "1/8", "1/8"]), "3"),
    "allocation": lambda: delta(2 * pv.BallsAndBins(pv.Gaussian(1), batches=20), "1"),
    "allocation, add": lambda: delta(9 * pv.BallsAndBins(pv.Gaussian(2), batches=5), "0.7", "add"),
    "logistic": lambda: delta(100 * logistic(), "5"),
}


@pytest.fixture(autouse=True)
def _no_lie_is_remembered() -> Iterator[None]:
    yield
    forget()


class Liar:
    """Calls hints, and tells what was true once."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))
        self.share = self.random.choice([0.05, 0.3, 0.7])
        self.lies = 0

    def number(self, x: Any) -> Any:
        changes = [0 * x, -x, 2 * x, x + 1, x - 1, *(x * Fraction(n, 1000) for n in (1, 500, 900, 1100))]
        if self.random.random() > self.share:
            return x
        self.lies += 1
        change = self.random.choice(changes)
        return change if isinstance(x, Fraction) else min(int(change), max(x, MOST))

    def tell(self, x: Any) -> Any:
        if isinstance(x, int | Fraction) and not isinstance(x, bool):
            return self.number(x)
        if isinstance(x, range):
            return range(self.number(x.start), self.number(x.stop))
        if isinstance(x, list):
            told = [self.tell(y) for y in x]
            if told and self.random.random() < self.share / 4:
                self.lies += 1
                told.pop(self.random.randrange(len(told)))
            return told
        if isinstance(x, tuple):
            told = [self.tell(y) for y in x]
            return type(x)(*told) if hasattr(x, "_fields") else tuple(told)
        if is_dataclass(x) and type(x).__module__.startswith(HINTS):
            return replace(x, **{field.name: self.tell(getattr(x, field.name)) for field in fields(x)})  # type: ignore[type-var]
        return x

    def around(self, hint: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments, **named: self.tell(hint(*arguments, **named))


Places = list[tuple[Any, str, Callable[..., Any]]]


def hints() -> Places:
    """Every place of a law or an engine where a function of a hint stands, and of a choice: owner, name,
    function.
    """
    return [(owner, name, getattr(owner, name)) for owner, name in CHOICES] + [
        (module, name, value)
        for title, module in sorted(sys.modules.items())
        if title.startswith(PROVING) and not title.startswith(HINTS)
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__.startswith(HINTS)
    ]


def lied(liar: Liar, places: Places, honest: Enclosure, monkeypatch: pytest.MonkeyPatch) -> Enclosure | None:
    """What is proved while a liar stands at these places; None if nothing is, or if it told the truth."""
    with monkeypatch.context() as patch:
        for module, name, hint in places:
            patch.setattr(module, name, liar.around(hint))
        try:
            with clock(SECONDS):
                found = prove_again(honest)
        except (ArithmeticError, LookupError, ValueError, NotSupported):  # not OracleDisagreement
            return None
    return found if liar.lies else None


def asked(honest: Enclosure, monkeypatch: pytest.MonkeyPatch) -> Places:
    """The hints that are asked on the way to the answer."""
    told: Places = []
    with monkeypatch.context() as patch:
        for module, name, hint in hints():

            def watched(*arguments: Any, place: Any = (module, name, hint), **named: Any) -> Any:
                told.extend([] if place in told else [place])
                return place[2](*arguments, **named)

            patch.setattr(module, name, watched)
        assert prove_again(honest) == honest
    return told


def leaves(name: str, monkeypatch: pytest.MonkeyPatch, seeds: int = SEEDS) -> tuple[int, list[int]]:
    """How often something was proved with lies, and which seeds left the truth."""
    honest, proved, wrong = QUESTIONS[name](), 0, []
    places = asked(honest, monkeypatch)
    for seed in range(seeds):
        liar = Liar((name, seed))
        found = lied(liar, places if seed % 2 else [liar.random.choice(places)], honest, monkeypatch)
        proved += found is not None
        if found is not None and (found.lower > honest.upper or honest.lower > found.upper):
            wrong.append(seed)
    return proved, wrong


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_no_enclosure_leaves_the_truth(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    proved, wrong = leaves(name, monkeypatch)
    assert proved and not wrong


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", QUESTIONS)
def test_no_enclosure_leaves_the_truth_with_few_lies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not leaves(name, monkeypatch, FEW)[1]


def test_a_lie_that_is_believed_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the bound of what a sum of bells leaves out."""
    monkeypatch.setattr(discrete_gaussian, "both_sides", lambda *_: arb(0))
    assert leaves("lattice", monkeypatch, FEW)[1]


def test_masses_that_a_hint_leaves_out_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """No mass at all was taken for a transform of 1."""
    honest = QUESTIONS["lattice"]()
    monkeypatch.setattr(discrete_gaussian, "reach", lambda rate: -1)
    found = prove_again(honest)
    assert found.lower <= honest.lower and honest.upper <= found.upper
