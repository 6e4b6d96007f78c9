"""Planted errors in what is said of one sample for several mechanisms and for promises."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.errors import PldverifyError
from pldverify.mechanisms import attained, one_sample
from pldverify.reference.choice import settle
from pldverify.reference.laws import product_atomic, sampled_zcdp
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.poisson_atomic import PoissonAtomicLaw
from tests.teeth.planted import Plant, planted

Q = Fraction(1, 5)


@pytest.mark.parametrize(
    "plant",
    [
        ("comb(k, j) * first**j * p", "first**j * p"),
        ("comb(k, j) * second**j * q", "comb(k, j) * second ** (k - j) * q"),
        ("Outcome(a * p, b * q) for a", "Outcome(a * p, b * p) for a"),
        ("yield Outcome(first**k, second**k)", "yield Outcome(first, second)"),
    ],
)
def test_a_wrong_product_is_seen(plant: Plant) -> None:
    """δ(0) of two responses with odds of three on one sample is q(9/16 − 1/16)."""
    ((law, _),) = product(
        pv.Composition.of((pv.FinitePair(["3/4", "1/4"], ["1/4", "3/4"]), 1)), "remove"
    ).factors
    for module, holds in ((product_atomic, True), (planted(product_atomic, plant), False)):
        loss = ComposedLoss(((PoissonAtomicLaw(module.ProductAtomicLaw(((law, 2),)), Q, "remove"), 1),))
        try:
            found = settle(loss, "delta", Fraction(0), 12).enclosure
            masses = [float(row.first.mid()) for row in module.ProductAtomicLaw(((law, 2),)).outcomes()]
            right = abs(float(found) - 0.1) < 1e-12 and abs(sum(masses) - 1) < 1e-12
        except PldverifyError:
            right = False
        assert right is holds


@pytest.mark.parametrize(
    ("plant", "direction"),
    [
        (
            (
                "factor * (lam + 2 - j) / j\n            total += term",
                "factor * (lam + 1 - j) / j\n            total += term",
            ),
            "remove",
        ),
        (("factor = ball(self.q / (1 - self.q))", "factor = ball(self.q * (1 - self.q))"), "remove"),
        (("square = ball(lam * (lam + 1) *", "square = ball(lam *"), "add"),
        (("(1 - part) * self._log_sum(low)", "(1 - part) * 0"), "remove"),
        (("ball(2 * self.rho).expm1()", "ball(self.rho).expm1()"), "add"),
    ],
)
def test_a_wrong_bound_of_a_sampled_promise_is_seen(plant: Plant, direction: str) -> None:
    """Against the moments of sampled Gaussian noise."""
    q = Q if direction == "remove" else Fraction(1, 1000)
    ((law, _),) = product(1 * pv.PoissonSubsampled(pv.Gaussian(1), q), direction).factors  # type: ignore[arg-type]
    orders = [Fraction(x) for x in ("1/4", "1", "3/2", "2", "5/2", "4")]
    for module, holds in ((sampled_zcdp, True), (planted(sampled_zcdp, plant), False)):
        bound = module.SampledZCDPBound(Fraction(1, 2), q, direction)
        right = all(
            float(bound.log_moment(lam).mid())
            > float(law.on_line(lam, Fraction(0), 0)[0].real.log().mid()) - 1e-12  # type: ignore[attr-defined]
            for lam in orders
        )
        assert right is holds


@pytest.mark.parametrize(
    ("plant", "text"),
    [
        (('GDP(_number(f"sqrt({square})"))', 'GDP(_number(f"({square})"))'), "4 * gdp(1) + gdp(2)"),
        (('_number(f"1/sqrt({square})")', '_number(f"1/({square})")'), "4 * gaussian(2) + gaussian(1)"),
        (('ZCDP(_number(f"({square})/2"))', 'ZCDP(_number(f"({square})"))'), "zcdp(1/2) + gaussian(1)"),
    ],
)
def test_a_wrong_sum_on_one_sample_is_seen(plant: Plant, text: str) -> None:
    """A composition is what it is without a sample."""
    whole = pv.Query(text, delta="1e-6").composition
    for module, holds in ((one_sample, True), (planted(one_sample, plant), False)):
        one = pv.bracket(module.on_one_sample(whole), delta="1e-6", seconds=5)
        apart = pv.bracket(whole, delta="1e-6", seconds=5)
        assert (abs(float(one.upper) / float(apart.upper) - 1) < 1e-4) is holds


def test_more_noise_than_the_promise_allows_is_seen() -> None:
    plant = ('real(f"sqrt(2*({show(promise.rho)}))", "mu")', 'real(f"sqrt(3*({show(promise.rho)}))", "mu")')
    for module, holds in ((attained, True), (planted(attained, plant), False)):
        composition, adjacency = module.attained(1 * pv.ZCDP(2), "add-or-remove")
        found = pv.rdp(composition, order=2, adjacency=adjacency, digits=6)
        assert (found.upper <= 4 * (1 + Fraction(1, 10**9))) is holds


@pytest.mark.parametrize(
    "plant",
    [
        ("1 + 2 * lam * (lam + 1) * ball(self.q) ** 2 * (grown - 1)", "1 + 0 * lam * ball(self.q)"),
        ("total += 2 * term", "total += 0 * term"),
        (
            "term *= factor * (lam + 2 - j) / j\n                total",
            "term *= 0 * factor\n                total",
        ),
    ],
)
def test_a_wrong_bound_of_a_promise_on_a_fixed_batch_is_seen(plant: Plant) -> None:
    """Against the moments of a fixed batch of Gaussian noise that a replaced record moves by 2C."""
    low, high = Fraction(1, 1000), Fraction(1, 5)
    for q, orders in ((low, ("1", "2")), (high, ("9", "15"))):
        ((law, _),) = product(
            pv.Composition.of((pv.PoissonSubsampled(pv.Gaussian(1), q), 1)), "remove"
        ).factors
        for lam in map(Fraction, orders):
            least = float(law.on_line(lam, Fraction(0), 0)[0].real.log().mid())  # type: ignore[attr-defined]
            honest = sampled_zcdp.SampledZCDPBound(Fraction(1, 2), q, "replace")
            assert float(honest.log_moment(lam).mid()) > least
    wrong = planted(sampled_zcdp, plant)
    missed = []
    for q, lam in ((low, Fraction(2)), (high, Fraction(4))):
        ((law, _),) = product(
            pv.Composition.of((pv.PoissonSubsampled(pv.Gaussian(1), q), 1)), "remove"
        ).factors
        least = float(law.on_line(lam, Fraction(0), 0)[0].real.log().mid())  # type: ignore[attr-defined]
        missed.append(
            float(wrong.SampledZCDPBound(Fraction(1, 2), q, "replace").log_moment(lam).mid()) < least
        )
    assert any(missed)
