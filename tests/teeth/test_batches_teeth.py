"""Planted errors in the laws of fixed and of truncated batches, and the attacks that find them."""

from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.errors import PldverifyError
from pldverify.mechanisms import truncated_poisson as mechanism_of
from pldverify.reference.choice import settle
from pldverify.reference.laws import fixed_batch, known_mixture, truncated_poisson
from pldverify.reference.laws.approximate_dp import ApproximateDPLaw
from pldverify.reference.laws.composed_loss import ComposedLoss
from tests.oracle.test_fixed_batches import laplace_delta, without
from tests.oracle.test_hidden_batches import OFF, delta, power
from tests.oracle.test_truncated_poisson import cut
from tests.teeth.planted import Plant, planted


def upper(law: Any, steps: int, epsilon: Fraction) -> float:
    """−1 where masses are refused that are none."""
    try:
        return float(settle(ComposedLoss(((law, steps),)), "delta", epsilon, 5).enclosure.upper)
    except PldverifyError:
        return -1.0


@pytest.mark.parametrize(
    "plant",
    [
        ("(first, second) if s > 0 else", "(second, second) if s > 0 else"),
        ("(1 - second, 1 - first)", "(1 - first, 1 - second)"),
        ('self._sampled("remove").tails(abs(s))', 'self._sampled("remove").tails(2 * abs(s))'),
    ],
)
def test_a_wrong_law_of_laplace_batches_is_seen(plant: Plant) -> None:
    pair = [power(without([x, *[-1.0] * 3]), 2) for x in (1.0, -1.0)]
    attack = laplace_delta(*pair, 0.5, 0.04)
    for module, holds in ((fixed_batch, True), (planted(fixed_batch, plant), False)):
        law = module.LaplaceBatchLaw(Fraction(2), Fraction(1, 2))
        assert (attack * (1 - OFF) < upper(law, 2, Fraction(1, 2)) < 2 * attack) is holds


@pytest.mark.parametrize(
    "plant",
    [
        ("(-top, (-c).exp() / 2)", "(-top, (-c).exp() / 4)"),
        ("(arb(0), ball(self.q - 1) * (-c / 2).expm1())", "(arb(0), ball(self.q) * (-c / 2).expm1())"),
        ("low=Fraction(0)) for way", "low=-self.loss) for way"),
    ],
)
def test_a_wrong_transform_of_laplace_batches_is_seen(plant: Plant) -> None:
    """Both measures have the mass 1."""
    for module, holds in ((fixed_batch, True), (planted(fixed_batch, plant), False)):
        law = module.LaplaceBatchLaw(Fraction(2), Fraction(1, 2))
        masses = [float(law.on_line(Fraction(x), Fraction(0), 0)[0].real.mid()) for x in (0, -1)]
        assert (max(abs(mass - 1) for mass in masses) < 1e-12) is holds


@pytest.mark.parametrize(
    "plant",
    [
        ("rows += [Outcome(stay * b + q * a, b)", "rows += [Outcome(stay * b + q * b, b)"),
        ("return self.q * self.base.delta", "return 0 * self.base.delta"),
        ("rest += stay * (a - b)", "rest += stay * (a + b)"),
    ],
)
def test_a_wrong_law_of_promised_batches_is_seen(plant: Plant) -> None:
    """At q = 1/2 and (ln 3, 1/10) δ(0) = (0.9 · 1/2 + 0.1)/2, and all masses are 1."""
    base = ApproximateDPLaw(Fraction("1.0986122886681098"), Fraction(1, 10))  # next to ln 3
    for module, holds in ((fixed_batch, True), (planted(fixed_batch, plant), False)):
        law = module.PromiseBatchLaw(base, Fraction(1, 2))
        mass = float(sum((row.first for row in law.outcomes()), arb(0)).mid())
        found = upper(law, 1, Fraction(0))
        assert (abs(found - 0.275) < 1e-12 and abs(mass - 1) < 1e-12) is holds


@pytest.mark.parametrize(
    "plant",
    [
        ("GaussianMixtureLaw(noise / 2, chance, direction)", "GaussianMixtureLaw(noise, chance, direction)"),
        ("Fraction(most, n)  # for q = 1", "Fraction(most, n + 1)  # for q = 1"),
    ],
)
def test_a_wrong_law_of_truncated_batches_is_seen(plant: Plant) -> None:
    """Where one of three records is drawn, or one of two others."""
    step = mechanism_of.TruncatedPoisson(pv.Gaussian("0.8"), 1, 3, 1)
    pair = [cut([1.0, -1.0, -1.0], 1.0, 1), cut([-1.0, -1.0], 1.0, 1)]
    attack = delta(*pair, 0.8, 1.0, 0.06)
    for module, holds in ((truncated_poisson, True), (planted(truncated_poisson, plant), False)):
        found = max(upper(module.truncated_poisson(step, way), 1, Fraction(1)) for way in ("remove", "add"))
        assert (found > attack * (1 - OFF)) is holds


@pytest.mark.parametrize(
    "plant",
    [
        ("sum((v * p for v, p, _ in", "sum((v * p for v, _, p in"),
        ("total = [known + ball(share) * more", "total = [known + ball(share) * (share < 0.5) * more"),
    ],
)
def test_a_wrong_mixture_of_laws_is_seen(plant: Plant) -> None:
    """Masses are 1, and P has more than e^{1/2} times Q's beyond the loss 1/2."""
    honest = truncated_poisson.truncated_poisson(
        mechanism_of.TruncatedPoisson(pv.Gaussian("0.8"), "0.6", 3, 2), "remove"
    )
    assert isinstance(honest, known_mixture.KnownMixtureLaw)
    for module, holds in ((known_mixture, True), (planted(known_mixture, plant), False)):
        law = module.KnownMixtureLaw(honest.parts)
        mass = float(law.on_line(Fraction(0), Fraction(0), 0)[0].real.mid())
        first, second = (float(tail.mid()) for tail in law.tails(Fraction(1, 2)))
        assert (abs(mass - 1) < 1e-9 and first > second * 1.64) is holds
