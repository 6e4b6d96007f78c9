"""Built-in queries, DP-SGD and the basic mechanisms, that ``check`` asks an accountant.

DP-SGD cells span sigma from 0.5 to 10, q from 1e-4 to 0.5, 1 to 10**5 steps and δ from 1e-5 to 1e-10; some
are settings that people have trained with or reported bugs for. All are under add-or-remove.
"""

from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse

_DP_SGD_AT_DELTA = (  # sigma, q, steps, delta
    ("0.5", "0.001", 1_000, "1e-5"),
    ("0.6", "0.004", 10_000, "1e-6"),
    ("0.7", "0.01", 2_000, "1e-5"),
    ("0.8", "0.0001", 100_000, "1e-6"),
    ("0.9", "256/100000", 4_900, "1e-5"),
    ("1", "0.01", 10_000, "1e-6"),
    ("1", "0.01", 10_000, "1e-10"),
    ("1", "0.001", 1, "1e-6"),
    ("1", "0.1", 1, "1e-5"),
    ("1", "0.1", 10, "1e-5"),
    ("1", "0.2", 500, "1e-5"),
    ("1.1", "256/60000", 14_062, "1e-5"),
    ("1.3", "1/250", 15_000, "1e-5"),
    ("1.5", "0.05", 1_000, "1e-8"),
    ("2", "0.02", 500, "1e-6"),
    ("2", "0.5", 100, "1e-5"),
    ("3", "0.1", 3_000, "1e-7"),
    ("4", "0.00033", 10_000, "1e-10"),
    ("5", "0.3", 1_000, "1e-9"),
    ("8", "0.05", 100_000, "1e-8"),
    ("10", "0.5", 1_000, "1e-10"),
    ("10", "0.01", 100, "1e-5"),
)
_DP_SGD_AT_EPSILON = (  # sigma, q, steps, epsilon
    ("1", "0.01", 10_000, "6.90735948"),
    ("2", "0.02", 500, "1"),
    ("0.8", "0.01", 1_000, "2"),
    ("5", "0.1", 10_000, "0.5"),
    ("1", "0.1", 1, "1"),
)
_BASIC = (
    Query(1 * Gaussian("1"), delta="1e-5"),
    Query(1 * Gaussian("0.5"), delta="1e-10"),
    Query(1 * Gaussian("2", sensitivity="3"), delta="1e-6"),
    Query(100 * Gaussian("10"), delta="1e-6"),
    Query(1_000 * Gaussian("50"), delta="1e-8"),
    Query(1 * Gaussian("1"), epsilon="1"),
    Query(10 * Gaussian("4") + 20 * Gaussian("8"), delta="1e-5"),
    Query(1 * Laplace("1"), delta="1e-5"),
    Query(1 * Laplace("0.5"), epsilon="1"),
    Query(100 * Laplace("10"), delta="1e-6"),
    Query(1_000 * Laplace("40"), delta="1e-8"),
    Query(1 * RandomizedResponse("0.75"), delta="1e-5"),
    Query(10 * RandomizedResponse("0.75"), delta="1e-5"),
    Query(100 * RandomizedResponse("0.55"), delta="1e-6"),
    Query(1 * RandomizedResponse("0.9"), epsilon="1"),
)


def builtin_queries() -> list[Query]:
    """The built-in queries, some 40."""
    return [
        *(Query(steps * _dp_sgd(sigma, q), delta=delta) for sigma, q, steps, delta in _DP_SGD_AT_DELTA),
        *(Query(steps * _dp_sgd(sigma, q), epsilon=eps) for sigma, q, steps, eps in _DP_SGD_AT_EPSILON),
        *_BASIC,
    ]


def _dp_sgd(sigma: str, q: str) -> PoissonSubsampled:
    return PoissonSubsampled(Gaussian(sigma), q)
