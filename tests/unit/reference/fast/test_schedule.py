"""Many Gaussian mixtures together: the transforms that each law has alone, and decays that bound them all."""

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import mul
from types import SimpleNamespace
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_less
from pldverify.balls.memory import forget
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.engines.inversion import contour
from pldverify.reference.fast import schedule
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid, mixture_decay
from pldverify.reference.fast.hints import schedule as hints
from pldverify.reference.fast.schedule import Family, decays, on_lines
from pldverify.reference.laws.laplace import LaplaceLaw

MANY = 150
THETAS = {"remove": [Fraction(5), Fraction(-1, 2)], "add": [Fraction(20), Fraction(-1, 3)]}


def laws(moves: str, direction: Direction) -> list[ByTrapezoid]:
    steps = [1 + Fraction(i, MANY) for i in range(MANY)]
    if moves == "sigma":
        return [ByTrapezoid(step, Fraction(1, 100), direction) for step in steps]
    return [ByTrapezoid(Fraction(1), step / 100, direction) for step in steps]


@pytest.mark.sample(2)
@pytest.mark.parametrize("moves", ["sigma", "q"])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_the_lines_are_those_of_each_law(moves: str, direction: Direction) -> None:
    rows = laws(moves, direction)
    for theta in THETAS[direction]:
        with working(100):
            together = on_lines(rows, theta, Fraction(1), 12)
            for i in (0, 1, MANY // 2, MANY - 1):
                alone = rows[i].on_line(theta, Fraction(1), 12)
                assert all(a.overlaps(b) for a, b in zip(together[i], alone, strict=True))
                assert min(z.real.rel_accuracy_bits() for z in together[i][:2]) > 70


@pytest.mark.parametrize("moves", ["sigma", "q"])
def test_few_laws_are_evaluated(moves: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    on_line = ByTrapezoid.on_line

    def counted(self: ByTrapezoid, theta: Fraction, step: Fraction, count: int) -> list:
        nonlocal asked
        asked += 1
        return on_line(self, theta, step, count)

    monkeypatch.setattr(ByTrapezoid, "on_line", counted)
    with working(64):
        assert len(on_lines(laws(moves, "remove"), Fraction(5), Fraction(1), 5)) == MANY
    assert asked <= 60


def poor(family: Family, count: int) -> hints.Stencil:
    """So few nodes that the error is seen."""
    with working(64):
        (stencil,) = hints.stencils(
            family, [1 + Fraction(i, MANY) for i in range(MANY)], Fraction(5), Fraction(5)
        )
    return replace(stencil, pairs=stencil.pairs[:: len(stencil.pairs) // count][:count])


def test_a_poor_stencil_costs_width_never_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    members = laws("sigma", "remove")
    family = Family.of(members, True)
    stencil = poor(family, 2)
    with working(64):
        alone = [law.on_line(Fraction(5), Fraction(1), 5) for law in members[::30]]

        def contained() -> bool:
            rows = schedule._interpolated(family, stencil, Fraction(5), Fraction(1), 5)[::30]
            pairs = (
                (a, b) for row, line in zip(rows, alone, strict=True) for a, b in zip(row, line, strict=True)
            )
            return all(a.overlaps(b) for a, b in pairs)

        assert contained()
        monkeypatch.setattr(Family, "size", lambda *_: arb(0))  # the planted error: no error of interpolation
        assert not contained()


def test_an_edge_inside_of_the_disc_bounds_nothing() -> None:
    for moves in ("sigma", "q"):
        family = Family.of(laws(moves, "remove"), moves == "sigma")
        parameters = [family.parameter(law) for law in laws(moves, "remove")]
        with working(64):
            (stencil,) = hints.stencils(family, parameters, Fraction(5), Fraction(5))
            assert family.size(stencil, Fraction(5), Fraction(5)).is_finite()
            inside = replace(stencil, edge=parameters[0] if moves == "sigma" else parameters[-1])
            assert not family.size(inside, Fraction(5), Fraction(5)).is_finite()


@pytest.mark.parametrize("moves", ["sigma", "q"])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_a_shared_decay_bounds_all_its_laws(moves: str, direction: Direction) -> None:
    rows, theta = laws(moves, direction), THETAS[direction][0]
    with working(64):
        found = decays([(law, 2) for law in rows], theta)
        assert len(found) <= 66 and sum(k for _, k in found) == 2 * MANY
        groups, _ = hints.neighbours(rows)
        for group, (decay, _) in zip(groups, found, strict=False):
            for u in (Fraction(1), Fraction(7), Fraction(30)):
                bound = decay.log_sup(ball(u))
                for i in (group[0], group[-1]):
                    line = rows[i].on_line(theta, u, 1)
                    assert not surely_less(bound, (abs(line[1]) / line[0].real).log())


@pytest.mark.sample(2)
@pytest.mark.parametrize("moves", ["sigma", "q"])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("theta", [Fraction(5), Fraction(-1, 2), Fraction(-3)])
def test_a_shared_decay_is_for_the_mass_of_each_law(
    moves: str, direction: Direction, theta: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For p > 1, between 0 and 1, and below 0: the masses at both ends contain those in between."""
    rows, masses = laws(moves, direction), list[arb]()
    monkeypatch.setattr(schedule, "mixture_decay", lambda law, theta, c, q, mass: masses.append(mass))
    with working(100):
        decays([(law, 2) for law in rows], theta)
        groups, _ = hints.neighbours(rows)
        assert len(groups) == len(masses) > 10 and max(map(len, groups)) > 2
        for group, mass in zip(groups, masses, strict=True):
            alone = [rows[i].on_line(theta, Fraction(0), 0)[0].real for i in group]
            assert all(mass.contains(value.mid()) for value in alone[1:-1])
            assert all(mass.overlaps(value) for value in alone)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("theta", [Fraction(5), Fraction(-1, 2), Fraction(-3)])
def test_a_shared_decay_knows_the_corners_where_both_differ(
    direction: Direction, theta: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M(θ) falls with σ and grows with q, or the other way round: neither extreme has least σ and least q."""
    sigmas, qs = ([Fraction(start + i, 10_000) for i in range(6)] for start in (20_000, 300))
    rows, masses = [ByTrapezoid(s, q, direction) for s in sigmas for q in qs], list[arb]()
    monkeypatch.setattr(hints, "neighbours", lambda laws: ([list(range(len(laws)))], []))
    monkeypatch.setattr(schedule, "neighbours", hints.neighbours)
    monkeypatch.setattr(schedule, "mixture_decay", lambda law, theta, c, q, mass: masses.append(mass))
    with working(100):
        decays([(law, 1) for law in rows], theta)
        for law in rows:
            assert masses[0].overlaps(law.on_line(theta, Fraction(0), 0)[0].real)


def test_a_shared_decay_is_nearly_as_good() -> None:
    """Laws that differ by 6 % shared none at this tilt, NaN, and "the integrand decays too slowly"."""
    rows = [ByTrapezoid(Fraction(1191 + 21 * i, 1000), Fraction(3, 100), "remove") for i in range(66)]
    with working(64):
        found, alone = (
            decays([(law, 2) for law in rows], Fraction(6)),
            [law.decay(Fraction(6)) for law in rows],
        )
        assert len(found) < 66
        for u in (3, 100, 3000):
            shared = sum(k * float(decay.log_sup(arb(u))) for decay, k in found)
            assert shared < 0.9 * 2 * sum(float(decay.log_sup(arb(u))) for decay in alone) < 0


def test_decays_without_a_bound_of_lines_keep_that_of_the_layers() -> None:
    """NaN of what is far too wide a ball is no bound, and takes none away."""
    law = ByTrapezoid(Fraction(1), Fraction(1, 100), "remove")
    with working(64):
        own = law.decay(Fraction(6))
        nan = SimpleNamespace(log_sup=lambda u: arb.nan())
        for u in (arb(1), arb(100), arb(10_000)):
            bound = replace(own, lines=lambda: nan).log_sup(u)
            assert bound.is_finite() and not surely_less(bound, own.log_sup(u))
        mass = arb(1, 0.999999)
        assert mixture_decay(law, Fraction(6), arb(1, 0.9), arb(0.01), mass).log_sup(arb(100)).is_finite()


def test_decays_of_other_laws_are_their_own() -> None:
    rows = [
        *laws("sigma", "remove"),
        LaplaceLaw(Fraction(1)),
        ByTrapezoid(Fraction(9), Fraction(1, 2), "remove"),
    ]
    with working(64):
        assert sum(k for _, k in decays([(law, 1) for law in rows], Fraction(2))) == MANY + 2
        lines = on_lines(rows, Fraction(1, 2), Fraction(1), 2)
        assert all(
            a.overlaps(b)
            for a, b in zip(lines[-2], rows[-2].on_line(Fraction(1, 2), Fraction(1), 2), strict=True)
        )


def test_a_schedule_has_the_delta_that_its_laws_have_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Composition.of(
        *((pv.PoissonSubsampled(pv.Gaussian(1 + Fraction(i, 30)), "0.01"), 40) for i in range(26))
    )
    together = pv.delta(whole, epsilon=2, digits=12)
    assert together.digits >= 12
    again = pv.prove_again(together)
    assert (again.lower, again.upper) == (together.lower, together.upper)
    monkeypatch.setattr(hints, "_MANY", 1000)
    forget()
    assert pv.delta(whole, epsilon=2, digits=12).overlaps(together)


def test_each_law_counts_as_often_as_it_occurs(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Composition.of(
        *((pv.PoissonSubsampled(pv.Gaussian(1 + Fraction(i, 60)), "0.01"), 20 + i % 3) for i in range(26))
    )
    together = pv.delta(whole, epsilon=1, digits=12)
    monkeypatch.setattr(hints, "_MANY", 1000)
    monkeypatch.setattr(contour, "_product", lambda rows: reduce(lambda a, b: list(map(mul, a, b)), rows))
    forget()
    assert together.digits >= 12 and pv.delta(whole, epsilon=1, digits=12).overlaps(together)


STEPS = [ByTrapezoid(Fraction(i, 10), Fraction(1, 50), "remove") for i in range(10, 34)]
STRANGERS: dict[str, list[Any]] = {
    "direction": [ByTrapezoid(Fraction(2), Fraction(1, 50), "add"), *STEPS[1:]],
    "kind": [LaplaceLaw(Fraction(1)), *STEPS[1:]],
    "parameters": [ByTrapezoid(Fraction(5), Fraction(1, 40), "remove"), *STEPS[1:]],
}


@pytest.mark.parametrize("laws", STRANGERS.values(), ids=STRANGERS)
def test_a_hint_that_runs_unlike_laws_together_is_refused(
    laws: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with working(64):
        on_lines(STEPS, Fraction(2), Fraction(1, 4), 3)
        monkeypatch.setattr(schedule, "runs", lambda laws: [(True, list(range(len(laws))))])
        with pytest.raises(NoConvergence, match="schedule"):
            on_lines(laws, Fraction(2), Fraction(1, 4), 3)


@pytest.mark.parametrize(
    "found", [([[0, 1]], [3]), ([[0, 1], [1, 2]], [3]), ([[0, 1, 2, 3]], [3]), ([], [0])]
)
def test_a_hint_that_counts_a_law_twice_or_not_at_all_is_refused(
    found: tuple[list[list[int]], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "neighbours", lambda laws: found)
    with working(64), pytest.raises(NoConvergence, match="once"):
        decays([(law, 2) for law in STEPS[:4]], Fraction(2))


def test_a_hint_that_shares_a_decay_among_unlike_laws_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "neighbours", lambda laws: ([list(range(len(laws)))], []))
    for name in ("direction", "kind"):
        with working(64), pytest.raises(NoConvergence, match="several kinds or directions"):
            decays([(law, 2) for law in STRANGERS[name][:4]], Fraction(2))
