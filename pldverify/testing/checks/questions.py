"""Questions that relations start from, and those for Rényi divergences and type II errors."""

from pldverify.mechanisms.query import Query
from pldverify.questions.written import queries


def renyi_queries() -> list[Query]:
    """Questions for divergences; the smaller of two directions changes between these."""
    return queries("""
        gaussian(sigma=2); 10 * laplace(b=2); poisson(gaussian(sigma=1), q=0.1);
            100 * poisson(gaussian(sigma=2), q=0.01) | order 1.5 2 3 8 32 256""")


def trade_off_queries() -> list[Query]:
    """Questions for type II errors; likewise."""
    return queries("""
        gaussian(sigma=1); 4 * laplace(b=2); poisson(gaussian(sigma=1), q=0.3);
            100 * poisson(gaussian(sigma=2), q=0.01) | alpha 0.001 0.05 0.5""")


_SEEDS = """
gaussian(sigma=1); 4 * gaussian(sigma=2); 3 * laplace(b=2); 5 * randomized_response(p=0.6)
    | epsilon 0.75 | delta 1e-5
gaussian(sigma=0.5); laplace(b=0.6); 100 * gaussian(sigma=20) | epsilon 0.75 | delta 1e-5
poisson(gaussian(sigma=1), q=0.1); 100 * poisson(gaussian(sigma=1), q=0.01) | epsilon 0.25 | delta 1e-5
5 * poisson(gaussian(sigma=2), q=0.9) | epsilon 0.75 | delta 1e-5
gaussian(sigma=1) + 2 * gaussian(sigma=8); gaussian(sigma=2) + laplace(b=2) | epsilon 0.75 | delta 1e-5
3 * approximate_dp(epsilon=0.2, delta=1e-4) | epsilon 0.75 | delta 1e-3
"""
_MORE_SEEDS = """
gaussian(sigma=3); 10 * gaussian(sigma=4); laplace(b=1) | epsilon 0 2 | delta 1e-10 0.01
20 * poisson(gaussian(sigma=0.8), q=0.05); poisson(laplace(b=1), q=0.5) | epsilon 0.1 1 | delta 1e-8
2 * discrete_gaussian(sigma=2); 10 * randomized_response(p=0.55) | epsilon 0.5 | delta 1e-6
"""
"""Those of the level ``standard`` too."""


def seeds(level: str) -> list[Query]:
    """Queries that relations start from."""
    return queries(_SEEDS if level == "quick" else _SEEDS + _MORE_SEEDS)
