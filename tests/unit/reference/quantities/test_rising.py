"""A closed form at rising precision."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.quantities import rising as module
from pldverify.reference.quantities.rising import rising


@dataclass(frozen=True)
class Logarithm(Proved):
    """log(1 + x), which loses the bits that 1 + x can't hold."""

    x: Fraction
    bits: int

    engine = "test"

    @property
    def about(self) -> ComposedLoss:
        return ComposedLoss(())

    @property
    def question(self) -> tuple[str, Bound]:
        return "test", self.x

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            value = (arb(1) + ball(self.x)).log()
        return lower(value), upper(value)


def test_precision_rises_until_the_digits_are_there() -> None:
    truth = Fraction(1, 10**80)
    found, proof = rising(lambda bits: Logarithm(truth, bits), 20)
    assert truth - truth**2 in found and found.digits >= 20
    assert isinstance(proof, Logarithm) and proof.bits > 300
    assert proof.prove() == (found.lower, found.upper)


def test_it_gives_up_at_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CAP", 1000)
    with pytest.raises(NoConvergence, match="test: wanted 5 digits, reached 0 at the cap of 1000 bits"):
        rising(lambda bits: Logarithm(Fraction(1, 10**400), bits), 5)
