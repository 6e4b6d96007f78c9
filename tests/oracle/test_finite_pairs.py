"""Finite pairs against exact convolution: questions of ``benchmarks/finite_pairs.py``, which asks more."""

from fractions import Fraction

import mpmath
import pytest

import pldverify as pv
from benchmarks.finite_pairs import Truth, answers, exponential, question, surrounds
from pldverify.reference.laws.finite_pair import FinitePairLaw
from pldverify.reference.laws.lattice import Lattice

BLOCK = 25


@pytest.mark.parametrize("block", range(12))
def test_no_answer_leaves_the_truth(block: int) -> None:
    found = [answers(question(1, number)) for number in range(BLOCK * block, BLOCK * (block + 1))]
    assert [line for each in found for line, right in each.items() if right is False] == []
    assert sum(right is True for each in found for right in each.values()) > 2 * BLOCK


def test_masses_that_change_places_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they did where logarithms in doubles chose the place of each."""
    lattice = FinitePairLaw.lattice

    def swapped(law: FinitePairLaw) -> Lattice | None:
        found = lattice(law)
        if found is None or len(found.masses) < 4:
            return found
        *rest, a, b = found.masses
        return Lattice(found.spacing, found.offset, found.first, [*rest, b, a])

    monkeypatch.setattr(FinitePairLaw, "lattice", swapped)
    assert any(False in answers(question(2, number)).values() for number in range(BLOCK))


def test_the_truth_of_two_outcomes() -> None:
    """Of p = (3/4, 1/4), q = (1/4, 3/4): δ = 9/16 − e^ε/16 of two steps, for 0 ≤ ε ≤ 2 log 3."""
    pair = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))]
    truth = Truth(pair, 2, "add")
    assert truth.delta(Fraction(0))[0] <= Fraction(1, 2) <= truth.delta(Fraction(0))[1]
    least, most = truth.delta(Fraction(1))
    low, high = exponential(Fraction(1))
    assert (least, most) == (Fraction(9, 16) - high / 16, Fraction(9, 16) - low / 16)
    one, two = pv.Enclosure(1, 1, "one"), pv.Enclosure(2, 2, "two")
    assert surrounds(truth, pv.Enclosure(1, 2, "both"), Fraction(2, 10))
    assert not surrounds(truth, one, Fraction(2, 10)) and not surrounds(truth, two, Fraction(2, 10))


@pytest.mark.parametrize("x", ["0", "1e-15", "-1e-15", "0.3333", "-2.5", "17", "300"])
def test_the_exponential_is_bracketed(x: str) -> None:
    low, high = exponential(Fraction(x))
    with mpmath.workdps(400):
        value = mpmath.exp(mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator)
        assert mpmath.mpf(low.numerator) / low.denominator <= value
        assert value <= mpmath.mpf(high.numerator) / high.denominator
    assert (high - low) * 10**100 <= high
