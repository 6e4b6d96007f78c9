"""gdp and zcdp print both ends, and what proves each."""

import json
from collections.abc import Callable
from fractions import Fraction

import pytest
from click.testing import Result

Run = Callable[..., Result]
SAMPLED = "100 * poisson(gaussian(sigma=2), q=0.01)"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("gdp", SAMPLED), "μ = 5"),
        (("gdp", SAMPLED, "--regret", "0.5"), "μ = 0"),
        (("zcdp", SAMPLED), "ρ = 12.5"),
        (("gdp", "approximate_dp(1, 1e-5)"), "μ = inf"),
        (("gdp", "discrete_gaussian(sigma=2)"), "no more: not proved"),
        (("gdp", SAMPLED, "--regret", "1e-3"), "no more: proved at points, and by convexity between them"),
    ],
)
def test_what_is_printed(command: tuple[str, ...], told: str, run: Run) -> None:
    result = run(*command)
    assert result.exit_code == 0 and told in result.stdout.splitlines()


def test_the_document_has_exact_ends_or_none(run: Run) -> None:
    document = json.loads(run("gdp", "discrete_gaussian(sigma=2)", "--json").stdout)
    assert document["upper"] is None and Fraction(document["lower"]) > Fraction("0.505")
    assert document["quantity"] == "mu" and "regret" not in document


def test_a_regret_is_a_probability(run: Run) -> None:
    result = run("gdp", SAMPLED, "--regret", "2")
    assert result.exit_code == 2 and "regret must be" in result.stderr
