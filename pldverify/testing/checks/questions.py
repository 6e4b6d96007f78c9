"""Questions for Rényi divergences and type II errors; the smaller of two directions changes between these."""

from pldverify.mechanisms.query import Query
from pldverify.questions.written import queries


def renyi_queries() -> list[Query]:
    """Questions for divergences."""
    return queries("""
        gaussian(sigma=2); 10 * laplace(b=2); poisson(gaussian(sigma=1), q=0.1);
            100 * poisson(gaussian(sigma=2), q=0.01) | order 1.5 2 3 8 32 256""")


def trade_off_queries() -> list[Query]:
    """Questions for type II errors."""
    return queries("""
        gaussian(sigma=1); 4 * laplace(b=2); poisson(gaussian(sigma=1), q=0.3);
            100 * poisson(gaussian(sigma=2), q=0.01) | alpha 0.001 0.05 0.5""")
