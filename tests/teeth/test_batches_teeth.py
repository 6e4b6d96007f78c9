"""Planted errors in the laws of fixed and of truncated batches, and the attacks that find them."""

from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import PldverifyError
from pldverify.mechanisms import fixed_batch as draws_of
from pldverify.mechanisms import truncated_poisson as mechanism_of
from pldverify.reference.choice import settle
from pldverify.reference.laws import fixed_batch, known_mixture, truncated_poisson
from pldverify.reference.laws.composed_loss import ComposedLoss
from tests.oracle.test_fixed_batches import drawn, laplace_delta, without
from tests.oracle.test_hidden_batches import OFF, delta, power
from tests.oracle.test_truncated_poisson import cut
from tests.teeth.planted import Plant, planted

HALF = draws_of.Draws(Fraction(1, 2), ((1, Fraction(1)),))


def upper(law: Any, steps: int, epsilon: Fraction) -> float:
    """−1 where masses are refused that are none."""
    try:
        return float(settle(ComposedLoss(((law, steps),)), "delta", epsilon, 5).enclosure.upper)
    except PldverifyError:
        return -1.0


@pytest.mark.parametrize(
    ("plant", "steps"),
    [
        (("(first, second) if s > 0 else", "(second, second) if s > 0 else"), 2),
        (("first + ball(share) * p, second", "first + ball(share) * q, second"), 2),
        (("self._sampled(level).tails(abs(s))", "self._sampled(1).tails(abs(s) * level)"), 1),
    ],
)
def test_a_wrong_law_of_laplace_batches_is_seen(plant: Plant, steps: int) -> None:
    batches, records = (without, 4) if steps == 2 else (drawn, 3)
    how = HALF if steps == 2 else draws_of.draws(2, 3)
    pair = [power(batches([x, *[-1.0] * (records - 1)]), steps) for x in (1.0, -1.0)]
    attack = laplace_delta(*pair, 0.5, 0.04)
    for module, holds in ((fixed_batch, True), (planted(fixed_batch, plant), False)):
        law = module.LaplaceBatchLaw(Fraction(2), how)
        assert (upper(law, steps, Fraction(1, 2)) > attack * (1 - OFF)) is holds


@pytest.mark.parametrize(
    "plant",
    [
        ("mixed = stay * low + q * high", "mixed = stay * low + q * low"),
        ("ball(share * self.draws.q) * self._lost(level)", "ball(share * 0) * self._lost(level)"),
    ],
)
def test_a_wrong_law_of_promised_batches_is_seen(plant: Plant) -> None:
    """At q = 1/2 and (ln 3, 1/10), where a base that sees the record has δ(0) = (0.9 · 1/2 + 0.1)/2."""
    least = Fraction(11, 40)  # (1 − δ)(3/4 − 1/4) + δ, times q
    for module, holds in ((fixed_batch, True), (planted(fixed_batch, plant), False)):
        law = module.PromiseBatchLaw(Fraction("1.0986122886681098"), Fraction(1, 10), HALF)  # above ln 3
        found = upper(law, 1, Fraction(0))
        assert (found >= float(least) * (1 - 1e-12)) is holds


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
        (
            "first + ball(share) * p, second + ball(share) * q",
            "first + ball(share) * q, second + ball(share) * q",
        ),
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
