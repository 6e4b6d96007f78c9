"""Densities that a user writes: derived, made mechanisms, evaluated in balls; bad ones are refused."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import arb

from pldverify.errors import InvalidInput, NoConvergence, NotSupported, PldverifyError
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.reference import rdp
from pldverify.symbolic import Derivation, State, derive, derive_pair
from pldverify.symbolic.ball_pair import ball_pair
from pldverify.symbolic.check.pieces import piece_obligations
from pldverify.symbolic.check.prover import Prover

t, a, b = sp.symbols("t a b")
n = sp.Symbol("n", integer=True)
R = sp.Rational


def normal(mean: object) -> sp.Expr:
    return sp.exp(-((t - mean) ** 2) / 2) / sp.sqrt(2 * sp.pi)


def logistic(mean: object) -> sp.Expr:
    return sp.exp(-(t - mean)) / (1 + sp.exp(-(t - mean))) ** 2


QUARTIC = 2 / sp.gamma(R(1, 4))


@pytest.fixture(scope="module")
def of_logistic() -> Derivation:
    return derive_pair(logistic(a), logistic(0), t, {a: (0, sp.oo)})


@pytest.fixture(scope="module")
def of_normal() -> Derivation:
    return derive_pair(normal(a), normal(0), t, {a: (0, sp.oo)})


def near(ball: arb, value: mpmath.mpf, digits: int = 12) -> bool:
    return bool(abs(ball - arb(mpmath.nstr(value, 40))) < arb(10) ** -digits)


def test_a_pair_with_a_parameter_is_proved_for_all_of_them(of_normal: Derivation) -> None:
    assert {o.state for o in of_normal.obligations} == {State.PROVED}
    assert of_normal.parameters[0].name == "a"
    assert of_normal.only_piece().range == (-sp.oo, sp.oo)


@pytest.mark.slow
def test_a_bounded_loss_with_a_parameter_is_proved_for_all_of_them(of_logistic: Derivation) -> None:
    assert {o.state for o in of_logistic.obligations} == {State.PROVED}
    assert of_logistic.parameters[0].name == "a"
    assert of_logistic.only_piece().range == (-of_logistic.parameters[0], of_logistic.parameters[0])


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 2), Fraction(9, 10)])
def test_delta_of_a_users_pair_in_balls(of_logistic: Derivation, epsilon: Fraction) -> None:
    pair = ball_pair(of_logistic.mechanism(a=1))
    e = mpmath.mpf(epsilon.numerator) / epsilon.denominator
    cdf = lambda x: 1 / (1 + mpmath.exp(-x))  # noqa: E731
    odds = lambda x: mpmath.exp(1) * ((1 + mpmath.exp(-x)) / (1 + mpmath.exp(1 - x))) ** 2  # noqa: E731
    threshold = mpmath.findroot(lambda x: mpmath.log(odds(x)) - e, 0.5)
    expected = 1 - cdf(threshold - 1) - mpmath.exp(e) * (1 - cdf(threshold))
    assert near(pair.delta(epsilon), expected)
    assert pair.delta(Fraction(2)) == 0


def test_the_mechanism_composes_and_is_hashable(of_normal: Derivation) -> None:
    mechanism = of_normal.mechanism(a=1)
    assert mechanism == of_normal.mechanism(a="1.0") and mechanism != of_normal.mechanism(a=2)
    assert (10 * mechanism + mechanism).steps == 11
    assert derive(mechanism).parameters == ()
    with pytest.raises(InvalidInput, match="values must be given for a"):
        of_normal.mechanism()
    with pytest.raises(InvalidInput, match="regions must have at least one"):
        DensityPair("t", ())


@pytest.mark.parametrize("given", [False, True])
def test_the_gaussian_pair_written_by_a_user_is_the_built_in_one(given: bool, of_normal: Derivation) -> None:
    """The mean is given, or a parameter."""
    written = derive_pair(normal(1), normal(0), t).mechanism() if given else of_normal.mechanism(a=1)
    pair = ball_pair(written)
    for epsilon in (Fraction(0), Fraction(1), Fraction(5)):
        e = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        expected = mpmath.ncdf(R(1, 2) - e) - mpmath.exp(e) * mpmath.ncdf(-R(1, 2) - e)
        assert near(pair.delta(epsilon), expected)
    assert pair.normal() == 1
    assert pair.largest_finite_loss is None and pair.infinite_mass == 0


def test_kinks_are_taken_apart() -> None:
    found = derive_pair(sp.exp(-sp.Abs(t)) / 2, sp.exp(-sp.Abs(t - 1)) / 2, t)
    assert [atom.loss for atom in found.atoms] == [1, -1] and len(found.pieces) == 1
    assert not found.failed
    pair = ball_pair(found.mechanism())
    assert near(pair.delta(Fraction(0)), 1 - mpmath.exp(-mpmath.mpf(1) / 2))
    assert pair.largest_finite_loss == 1


def test_a_loss_that_turns_is_split() -> None:
    wide = sp.exp(-(t**2) / 8) / sp.sqrt(8 * sp.pi)
    found = derive_pair(normal(0), wide, t)
    assert [piece.trend for piece in found.pieces] == [1, -1] and not found.failed
    root = mpmath.sqrt(8 * mpmath.log(2) / 3)
    expected = (mpmath.ncdf(root) - mpmath.ncdf(-root)) - (mpmath.ncdf(root / 2) - mpmath.ncdf(-root / 2))
    assert near(ball_pair(found.mechanism()).delta(Fraction(0)), expected)


def test_integers_and_disjoint_parts() -> None:
    geometric = derive_pair(R(1, 2) ** (n + 1), R(2, 3) * R(1, 3) ** n, n, {n: (0, sp.oo)})
    assert not geometric.failed
    assert near(ball_pair(geometric.mechanism()).delta(Fraction(0)), mpmath.mpf(1) / 6)
    half = derive_pair(sp.Piecewise((1, t < 1), (0, True)), R(1, 2), t, {t: (0, 2)})
    back = ball_pair(half.mechanism(), "add")
    assert back.infinite_mass == arb(1) / 2 and back.delta(Fraction(5)) == arb(1) / 2


def test_without_antiderivative_and_inverse_quadrature_and_bisection_do_it() -> None:
    found = derive_pair(QUARTIC * sp.exp(-((t - 1) ** 4)), QUARTIC * sp.exp(-(t**4)), t)
    assert found.inverse is None and not found.failed
    assert [o.state for o in found.obligations if "total mass" in o.statement] == [State.PROVED_ON_A_BOX] * 2
    mpmath.mp.dps = 30
    c = 2 / mpmath.gamma(mpmath.mpf(1) / 4)
    both = mpmath.quad(
        lambda x: c * (mpmath.exp(-((x - 1) ** 4)) - mpmath.exp(-(x**4))), [mpmath.mpf(1) / 2, 1, 2, 4, 8]
    )
    assert near(ball_pair(found.mechanism()).delta(Fraction(0)), both)
    mpmath.mp.dps = 15


def test_what_is_proved_on_a_box_only_is_not_evaluated_in_balls() -> None:
    found = derive_pair(R(1, 2) + sp.sin(t) / 4, R(1, 2), t, {t: (-1, 1)})
    (trend,) = [o for o in found.obligations if "strictly" in o.statement]
    assert trend.state is State.PROVED_ON_A_BOX and "t ∈ [" in trend.how
    with pytest.raises(NotSupported, match="balls need a proof of"):
        ball_pair(found.mechanism())


def test_a_constant_loss_is_read_inside_of_its_region() -> None:
    """At −1 both densities are 0; what is said of (−1, 0) is not said of that end."""
    p = sp.Piecewise((4 * (t + 1) / 3, t < 0), (R(1, 3), True))
    q = sp.Piecewise((2 * (t + 1) / 3, t < 0), (R(2, 3), True))
    found = derive_pair(p, q, t, {t: (-1, 1)})
    assert [(atom.loss, atom.p, atom.q) for atom in found.atoms] == [
        (sp.log(2), R(2, 3), R(1, 3)),
        (-sp.log(2), R(1, 3), R(2, 3)),
    ]
    assert {o.state for o in found.obligations} == {State.PROVED}
    assert [o.statement for o in found.obligations if o.statement.startswith("p(t) > 0")] == [
        "p(t) > 0 on t ∈ (-1, 0)",
        "p(t) > 0 on t ∈ (0, 1)",
    ]


def test_binomial_masses_of_numbers_cancel_and_a_wrong_loss_is_seen() -> None:
    def mass(p: sp.Rational) -> sp.Expr:
        return sp.binomial(3, n) * p**n * (1 - p) ** (3 - n)

    found = derive_pair(mass(R(3, 4)), mass(R(3, 8)), n, {n: (0, 3)})
    assert {o.state for o in found.obligations} == {State.PROVED}
    above = [math.comb(3, k) * (R(3, 4) ** k * R(1, 4) ** (3 - k)) for k in range(4)]
    below = [math.comb(3, k) * (R(3, 8) ** k * R(5, 8) ** (3 - k)) for k in range(4)]
    truth = sum(max(0.0, float(x) - math.e * float(y)) for x, y in zip(above, below, strict=True))
    assert near(ball_pair(found.mechanism()).delta(Fraction(1)), mpmath.mpf(truth))
    piece = found.only_piece()
    for wrong in (piece.loss + R(1, 1000), -piece.loss, piece.loss.subs(n, n + 1)):
        rows = piece_obligations(
            found.densities, replace(piece, loss=wrong), Prover(found.densities.domain), ""
        )
        assert [o.state for o in rows if o.statement == "e^L(t) = p(t)/q(t)"] == [State.FAILED]


def test_a_zero_of_the_slope_beyond_the_box_is_found() -> None:
    """A half-normal against an exponential law: L' = 9/4 − t/s² is 0 at 9s²/4 = 18.6, L rises up to there."""
    s = R(23, 8)
    p = 2 * sp.exp(-(t**2) / (2 * s**2)) / (s * sp.sqrt(2 * sp.pi))
    found = derive_pair(p, R(9, 4) * sp.exp(-R(9, 4) * t), t, {t: (0, sp.oo)})
    assert [(piece.trend, piece.region.upper) for piece in found.pieces] == [(1, 9 * s**2 / 4), (-1, sp.oo)]
    mpmath.mp.dps = 30

    def gap(x: mpmath.mpf) -> mpmath.mpf:
        s = mpmath.mpf(23) / 8
        own = 2 * mpmath.exp(-(x**2) / (2 * s**2)) / (s * mpmath.sqrt(2 * mpmath.pi))
        return own - mpmath.e * mpmath.mpf(9) / 4 * mpmath.exp(-9 * x / 4)

    start = mpmath.findroot(gap, 1.4)
    assert near(ball_pair(found.mechanism()).delta(Fraction(1)), mpmath.quad(gap, [start, 3, 6, 12, 24, 48]))
    mpmath.mp.dps = 15


def test_a_pair_by_hand_that_sympy_can_not_read_is_refused() -> None:
    masses = [
        tuple(sp.srepr(sp.sympify(x)) for x in row) for row in ((0, 1, 2, R(1, 2)), (1, 2, -1, R(1, 2)))
    ]
    with pytest.raises(NotSupported, match="densities must be what sympy can work with"):
        derive(DensityPair("t", tuple(masses)))


@pytest.mark.parametrize(
    ("p", "q", "assumptions", "message"),
    [
        (b * normal(0), normal(0), {}, "p_expr must use symbols of assumptions only, got b"),
        (-normal(0), normal(0), {}, "p_expr must be > 0 on its support"),
        (normal(0), 2 * normal(0), {}, "q_expr must have total mass 1"),
        (normal(0), sp.exp(-(t**2)), {}, "q_expr must have total mass 1"),
        (normal(0) * (1 + sp.cos(t) / 2), normal(0), {}, "piecewise monotone"),
        (0.5 * normal(0), normal(0), {}, "exact numbers"),
        ("nonsense(", normal(0), {}, "p_expr must be a sympy expression"),
        (normal(0), normal(0), {a: (1, 0)}, "lower < upper"),
        (normal(0), normal(0), {a: 3}, "assumptions must be"),
        (normal(0), normal(0), {a: ("x", 1)}, "bound of a must be"),
        (normal(0), normal(0), {sp.Symbol("epsilon"): (0, 1)}, "letters of a derivation"),
        (sp.zeta(2 + t**2), normal(0), {}, "known functions|> 0 on its support|total mass"),
        (
            sp.Piecewise((1, t < 1), (0, True)),
            sp.Piecewise((0, t < 1), (1, True)),
            {t: (0, 2)},
            "disjoint supports",
        ),
        (sp.exp(-sp.Abs(t**3 - a)) / 2, normal(0), {a: (0, 1)}, "kinks must be"),
    ],
)
def test_bad_pairs_are_refused(p: object, q: sp.Expr, assumptions: dict, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        derive_pair(p, q, t, assumptions)  # type: ignore[arg-type]


def test_bad_symbols_and_boxes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="symbol must be a sympy symbol"):
        derive_pair(normal(0), normal(0), "t")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="box must name symbols"):
        derive_pair(normal(0), normal(0), t, box={a: (0, 1)})
    with pytest.raises(InvalidInput, match="box must be bounded"):
        derive_pair(normal(a), normal(0), t, {a: (0, 1)}, box={a: (0, 2)})


def test_divergent_moments_are_refused() -> None:
    step = derive_pair(sp.exp(-t), 2 * sp.exp(-2 * t), t, {t: (0, sp.oo)}).mechanism()
    with pytest.raises(NoConvergence, match="no proved decay"):
        rdp(step, order=2, adjacency="remove", digits=3)
    with pytest.raises(PldverifyError):
        derive_pair(1 / sp.pi / (1 + t**2), 2 / sp.pi / (1 + t**2), t)
