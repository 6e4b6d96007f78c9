"""Thresholds that balls can't tell from an atom or an end: what is undecided must count on both sides."""

from fractions import Fraction

import pytest
from flint import arb

from pldverify.balls.ball import ball, working
from pldverify.reference.engines.closed.atoms import Half
from pldverify.reference.fast.mixture_lines import parallel_lines
from pldverify.reference.laws.finite_pair import FinitePairLaw
from pldverify.reference.laws.poisson_laplace import PoissonLaplaceLaw
from pldverify.reference.lemmas.parallel_lines import heights


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("end", [-1, 1])
@pytest.mark.parametrize("offset", [-3, -1, 0, 1, 3])
def test_tails_of_sampled_laplace_next_to_an_atom(direction: str, end: int, offset: int) -> None:
    """At 40 bits the point can't be told from the atom; the answer at 700 bits must lie inside."""
    law = PoissonLaplaceLaw(Fraction(3, 2), Fraction(1, 3), direction)  # type: ignore[arg-type]
    with working(500):
        atom = (ball(law.q) * (ball(law.loss * end)).expm1()).log1p()
        mantissa, exponent = atom.mid().man_exp()
    place = Fraction(int(mantissa)) * Fraction(2) ** int(exponent) + Fraction(offset, 2**42)
    point = place if direction == "remove" else -place
    with working(40):
        coarse = law.tails(point)
    with working(700):
        fine = law.tails(point)
    for wide, narrow in zip(coarse, fine, strict=True):
        assert wide.lower() <= narrow.lower() and narrow.upper() <= wide.upper()


def test_a_line_beyond_its_strip_is_left_out() -> None:
    """c·b < π/2 is the hypothesis: the widest line that is proposed must obey it."""
    with working(64):
        for c in ("0.001", "1", "1000"):
            ends, levels = (Fraction(-3), Fraction(3)), heights(Fraction(c), Fraction("3/2"), 5)
            lines = parallel_lines(arb(c), arb("0.1"), arb(2), arb(1), ends, levels)
            assert len(lines.lines) == 5
            for _, angles in lines.lines:
                assert all(angle >= 0 for angle in angles)
            wide = [Fraction(11, 7) / Fraction(c) + height for height in levels]  # 11/7 > π/2
            assert parallel_lines(arb(c), arb("0.1"), arb(2), arb(1), ends, wide).lines == []


def test_an_undecided_sum_counts_up_to_twice_the_reach() -> None:
    law = FinitePairLaw((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    with working(30):
        half = Half([(law, 1)])
        point = half.sums[-1].loss
        found = half.beyond(point, None, "delta")
        reach = (point.rad() + half.radius).upper()
        assert found.lower() <= 0 and found.upper() >= 2 * reach * half.sums[-1].mass.lower()
