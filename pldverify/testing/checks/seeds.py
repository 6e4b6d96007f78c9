"""Seeds: the questions that relations start from."""

from pldverify.mechanisms.query import Query
from pldverify.testing.checks.questions import question, rows

SEEDS = (
    *rows(
        "gaussian(sigma=1)\n4 * gaussian(sigma=2)\n3 * laplace(b=2)\n5 * randomized_response(p=0.6)",
        "0.75",
        "1e-5",
    ),
    *rows("gaussian(sigma=0.5)\nlaplace(b=0.6)\n100 * gaussian(sigma=20)", "0.75", "1e-5"),
    *rows("poisson(gaussian(sigma=1), q=0.1)\n100 * poisson(gaussian(sigma=1), q=0.01)", "0.25", "1e-5"),
    *rows("5 * poisson(gaussian(sigma=2), q=0.9)", "0.75", "1e-5"),
    *rows("gaussian(sigma=1) + 2 * gaussian(sigma=8)\ngaussian(sigma=2) + laplace(b=2)", "0.75", "1e-5"),
    *rows("3 * approximate_dp(epsilon=0.2, delta=1e-4)", "0.75", "1e-3"),
)
"""What relations start from."""
MORE_SEEDS = (
    *rows("gaussian(sigma=3)\n10 * gaussian(sigma=4)\nlaplace(b=1)", "0 2", "1e-10 0.01"),
    *rows("20 * poisson(gaussian(sigma=0.8), q=0.05)\npoisson(laplace(b=1), q=0.5)", "0.1 1", "1e-8"),
    *rows("2 * discrete_gaussian(sigma=2)\n10 * randomized_response(p=0.55)", "0.5", "1e-6"),
)
"""Those of the level ``standard``."""


def seeds(level: str) -> list[Query]:
    """Queries that relations start from."""
    return [question(*row) for row in (SEEDS if level == "quick" else (*SEEDS, *MORE_SEEDS))]
