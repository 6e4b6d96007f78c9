"""The moments accountant: the minimum over λ = 1, …, 32 of exp(α(λ) − λε)."""

import math

from pldverify.accountants.moments import Moments
from pldverify.accountants.rdp import RDPMironov, log_a_integer
from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query


def test_delta_and_epsilon_by_hand() -> None:
    step = PoissonSubsampled(Gaussian(2), "0.02")
    log_moments = {lam: 500 * log_a_integer(2.0, 0.02, lam + 1) for lam in range(1, 33)}
    delta = math.exp(min(value - lam for lam, value in log_moments.items()))
    assert abs(float(Moments().claim(Query(500 * step, epsilon=1)).value) / delta - 1) < 1e-10
    epsilon = min((value - math.log(1e-6)) / lam for lam, value in log_moments.items())
    assert abs(float(Moments().claim(Query(500 * step, delta="1e-6")).value) / epsilon - 1) < 1e-12


def test_it_is_renyi_with_fewer_orders() -> None:
    query = Query(500 * PoissonSubsampled(Gaussian(2), "0.02"), delta="1e-6")
    assert Moments().claim(query).value >= RDPMironov().claim(query).value
