"""Rényi divergences against the exact sums and series of the literature, and closed forms of each pair."""

from fractions import Fraction

import pytest

import pldverify as pv
from tests.oracle.closed_forms import context, holds, mixture_moment, mixture_moment_fractional, real


@pytest.mark.parametrize("order", [2, 3, 8, 32, 64])
@pytest.mark.parametrize(
    ("sigma", "q"),
    [("1", "0.01"), ("0.5", "0.2"), ("4", "1e-6"), ("0.3", "0.999"), ("20", "0.5"), ("2", 0.1)],
)
def test_integer_orders(sigma: str, q: object, order: int) -> None:
    mp = context(140)
    truth = mp.log(mixture_moment(mp, real(mp, sigma), real(mp, Fraction(q)), order)) / (order - 1)  # type: ignore[arg-type]
    found = pv.rdp(pv.PoissonSubsampled(pv.Gaussian(sigma), q), order=order, adjacency="remove", digits=40)
    assert found.digits >= 40
    assert holds(found, truth, 60)


@pytest.mark.parametrize("order", [2, 7, 40])
@pytest.mark.parametrize(("sigma", "q"), [("1", "0.01"), ("0.7", "0.6"), ("3", "0.9")])
def test_remove_is_the_larger_direction(sigma: str, q: str, order: int) -> None:
    # MTZ19, Corollary 7: A_α ≥ B_α
    pair = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    both, remove, add = (
        pv.rdp(pair, order=order, adjacency=adjacency, digits=20)
        for adjacency in ("add-or-remove", "remove", "add")
    )
    assert add.upper < remove.lower
    assert both.overlaps(remove)


@pytest.mark.parametrize("order", ["1.25", "2.5", "10.1", "63.7"])
@pytest.mark.parametrize(("sigma", "q"), [("1", "0.01"), ("4", "0.3"), ("0.8", "0.1")])
def test_real_orders(sigma: str, q: str, order: str) -> None:
    mp = context(60)
    alpha = real(mp, order)
    # the terms alternate and fall, so the last one bounds what the cut leaves out
    moments = [
        mixture_moment_fractional(mp, real(mp, sigma), real(mp, q), alpha, terms) for terms in (600, 601)
    ]
    truth = mp.log(moments[0]) / (alpha - 1)
    digits = int(min(25, -mp.log10(abs(moments[0] - moments[1]) / abs(moments[0] - 1)))) - 1
    assert digits >= 6
    found = pv.rdp(pv.PoissonSubsampled(pv.Gaussian(sigma), q), order=order, adjacency="remove", digits=30)
    assert found.digits >= 30
    assert holds(found, truth, digits)


@pytest.mark.parametrize("order", ["1.001", "1.5", "2", "17", "300"])
@pytest.mark.parametrize("b", ["0.3", "1", "12"])
def test_laplace(b: str, order: str) -> None:
    # Mironov 2017, Table II
    mp = context(80)
    size, alpha = real(mp, b), real(mp, order)
    truth = mp.log(
        alpha / (2 * alpha - 1) * mp.exp((alpha - 1) / size)
        + (alpha - 1) / (2 * alpha - 1) * mp.exp(-alpha / size)
    ) / (alpha - 1)
    found = pv.rdp(pv.Laplace(b), order=order)
    assert found.digits >= 30
    assert holds(found, truth, 50)


@pytest.mark.parametrize("order", ["1.001", "2", "300"])
@pytest.mark.parametrize("p", ["0.6", "0.999", "0.1"])
def test_randomized_response(p: str, order: str) -> None:
    # Mironov 2017, Table II
    mp = context(80)
    share, alpha = real(mp, p), real(mp, order)
    truth = mp.log(share**alpha * (1 - share) ** (1 - alpha) + (1 - share) ** alpha * share ** (1 - alpha))
    found = pv.rdp(pv.RandomizedResponse(p), order=order)
    assert found.digits >= 30
    assert holds(found, truth / (alpha - 1), 50)


def test_divergences_of_a_composition_add() -> None:
    mp = context(80)
    found = pv.rdp(
        10**9 * pv.PoissonSubsampled(pv.Gaussian(2), "0.001") + 3 * pv.Gaussian(4),
        order=6,
        adjacency="remove",
    )
    truth = 10**9 * mp.log(mixture_moment(mp, mp.mpf(2), real(mp, "0.001"), 6)) / 5 + 3 * mp.mpf(6) / 32
    assert found.digits >= 30
    assert holds(found, truth, 45)


def test_neighbouring_orders_and_directions_are_told_apart() -> None:
    pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    first, second = (pv.rdp(pair, order=order) for order in (2, "2.0000000000000000000001"))
    assert first.upper < second.lower
    assert not pv.rdp(pair, order=2, adjacency="add").overlaps(first)
