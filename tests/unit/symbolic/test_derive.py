"""Every mechanism is derived in every direction; only statements that are printed wrong fail."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest
import sympy as sp

from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.expression import MECHANISMS, parse
from pldverify.symbolic import Derivation, State, derive
from pldverify.symbolic.model.densities import EPSILON, LAMBDA, S
from pldverify.theorems.ledger import PAPERS
from pldverify.theorems.rows import obliged, rows

Make = Callable[..., Derivation]

ADD_OR_REMOVE = [
    "gaussian(sigma=2)",
    "gdp(mu=1/2)",
    "poisson(gaussian(sigma=1), q=1/100)",
    "laplace(b=2)",
    "poisson(laplace(b=1), q=1/10)",
    "randomized_response(p=3/4)",
    "randomized_response(p=3/4, categories=5)",
    "poisson(randomized_response(p=3/4), q=1/10)",
    "pure_dp(epsilon=1)",
    "approximate_dp(epsilon=1, delta=1e-5)",
    "group_dp(epsilon=1/2, delta=0, m=3)",
    "finite_pair(p=[1/2, 1/2, 0], q=[1/4, 1/2, 1/4])",
    "poisson(finite_pair(p=[1/2, 1/2, 0], q=[1/4, 1/2, 1/4]), q=1/10)",
    "discrete_laplace(b=2)",
    "discrete_laplace(b=2, sensitivity=3)",
    "poisson(discrete_laplace(b=2, sensitivity=3), q=1/10)",
    "discrete_gaussian(sigma=2, sensitivity=3)",
    "poisson(discrete_gaussian(sigma=2), q=1/10)",
    "binomial(n=100, p=1/2)",
    "binomial(n=100, p=1/3, sensitivity=3)",
    "poisson(binomial(n=100, p=1/2, sensitivity=2), q=1/10)",
    "poisson(pure_dp(epsilon=1), q=1/10)",
    "poisson(approximate_dp(epsilon=1, delta=1e-5), q=1/10)",
    "exponential(epsilon=1)",
    "permute_and_flip(epsilon=1, monotone=True)",
    "mixture_of_gaussians(sigma=1, sensitivities=[0, 1, 2], probabilities=[0.81, 0.18, 0.01])",
]
REPLACE_ONE = [
    "kjh19_substitute(gaussian(sigma=1), q=1/100)",
    "sampled_without_replacement(gaussian(sigma=1), q=1/10)",
    "sampled_with_replacement(gaussian(sigma=1), m=3, n=100)",
    "kjh20_with_replacement(gaussian(sigma=1), m=1, n=10)",
    "kjh20_with_replacement(gaussian(sigma=1), m=2, n=10)",
    "kjh20_with_replacement(gaussian(sigma=1), m=50, n=100)",
]
CASES = [(text, d) for text in ADD_OR_REMOVE for d in ("remove", "add")]
CASES += [(text, d) for text in REPLACE_ONE for d in ("replace", "replace-back")]


@cache
def wrong_in_print() -> set[str]:
    """Sources of what the ledger's derivations see fail."""
    return {
        obligation.source
        for paper in PAPERS
        for row in rows(paper).values()
        if "disproved" in row
        for obligation in obliged(row["disproved"]).obligations()
        if obligation.state is State.FAILED
    }


@pytest.mark.sample(3)
@pytest.mark.parametrize(("text", "direction"), CASES)
def test_every_obligation_is_proved_or_wrong_in_print(text: str, direction: str, derived: Make) -> None:
    found = derived(text, direction)
    assert found.obligations
    for obligation in found.obligations:
        if obligation.state is State.FAILED:
            assert obligation.source in wrong_in_print(), obligation
            assert obligation.disproved and obligation.right, obligation
        else:
            assert obligation.state is State.PROVED, obligation


def test_every_mechanism_of_the_command_line_is_covered() -> None:
    covered = {text.split("(")[0] for text in ADD_OR_REMOVE + REPLACE_ONE}
    apart = {"zcdp", "shuffled", "shuffle_model", "balls_and_bins", "truncated_poisson"}
    apart |= {"noisy_max", "above_threshold"}
    apart |= {"thresholded_histogram", "renyi_dp", "repeat_and_select", "gnmax", "gaussian_above_threshold"}
    assert covered | apart == set(MECHANISMS)


@pytest.mark.slow
def test_what_is_wrong_in_print_is_all_found(derived: Make) -> None:
    texts = ["gaussian(sigma=2)", "poisson(gaussian(sigma=1), q=1/100)", *REPLACE_ONE]
    assert {o.source for text in texts for o in derived(text).failed} == wrong_in_print()


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("poisson(gaussian(sigma=1), q=1/100)", "KJH19 section 5.2"),
        ("poisson(gaussian(sigma=1), q=1/100)", "KJH20s B.2.1"),
        ("poisson(gaussian(sigma=1), q=1/100)", "KH21 section 6.2"),
        ("poisson(gaussian(sigma=1), q=1/100)", "MTZ19"),
        ("kjh19_substitute(gaussian(sigma=1), q=1/100)", "KJH19 section 5.3"),
        ("kjh19_substitute(gaussian(sigma=1), q=1/100)", "KJH20s B.3"),
        ("kjh20_with_replacement(gaussian(sigma=1), m=2, n=10)", "KJH20s (B.9)"),
        ("gaussian(sigma=2)", "GLW21 section 1"),
        ("gaussian(sigma=2)", "KH21 section 6.1"),
        ("randomized_response(p=3/4)", "KH21 section 6.1"),
    ],
)
def test_printed_formulas_that_hold_are_proved(text: str, source: str, derived: Make) -> None:
    states = [o.state for o in derived(text).obligations if source in o.source]
    assert State.PROVED in states


def test_the_gaussian_formulas(derived: Make) -> None:
    found = derived("gaussian(sigma=2)")
    sigma = found.parameters[0]
    assert found.loss.equals((2 * found.outcome - 1) / (2 * sigma**2))
    assert found.inverse is not None and found.inverse.equals(sigma**2 * S + sp.Rational(1, 2))
    assert found.mgf is not None
    assert found.cumulant.equals((LAMBDA**2 + LAMBDA) / (2 * sigma**2))  # type: ignore[union-attr]
    assert found.values == {sigma: Fraction(2)}


def test_replacing_a_record_moves_the_query_twice(derived: Make) -> None:
    assert list(derived("gaussian(sigma=2)", "replace").values.values()) == [1]
    assert list(derived("laplace(b=3, sensitivity=2)", "replace").values.values()) == [Fraction(3, 4)]


def test_laplace_is_one_piece_between_two_atoms(derived: Make) -> None:
    found = derived("laplace(b=2)")
    (b,) = found.parameters
    assert found.only_piece().range == (-1 / b, 1 / b)
    assert [(atom.loss, atom.p) for atom in found.atoms] == [
        (1 / b, sp.Rational(1, 2)),
        (-1 / b, sp.exp(-1 / b) / 2),
    ]


def test_delta_infinity_of_the_binomial_is_what_only_p_reaches(derived: Make) -> None:
    found = derived("binomial(n=10, p=1/2)")
    p, n = found.parameters
    assert found.delta_infinity == p**n
    assert derived("binomial(n=10, p=1/2)", "add").delta_infinity == (1 - p) ** n


@pytest.mark.slow
def test_implicit_inverse_is_none_and_omega_is_at_the_outcome(derived: Make) -> None:
    found = derived("kjh20_with_replacement(gaussian(sigma=1), m=2, n=10)")
    assert found.inverse is None and found.delta is None
    assert found.density is not None and found.outcome in found.density.free_symbols


def test_degenerate_parameters_become_pairs_of_numbers() -> None:
    certain = derive(parse("randomized_response(p=1)").parts[0][0])
    assert certain.delta_infinity == 1
    nothing = derive(parse("pure_dp(epsilon=0)").parts[0][0])
    assert nothing.delta is not None and nothing.delta.subs(EPSILON, 0) == 0
    all_records = derive(parse("poisson(gaussian(sigma=1), q=1)").parts[0][0])
    assert all_records.family == "gaussian"


def test_what_has_no_pair_is_refused() -> None:
    with pytest.raises(NotSupported, match="fixes no pair"):
        derive(parse("zcdp(rho=1)").parts[0][0])
    with pytest.raises(InvalidInput, match="mechanism must be a mechanism"):
        derive("gaussian(1)")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="direction must be one of"):
        derive(parse("gaussian(1)").parts[0][0], direction="sideways")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="has a pair"):
        derive(parse(REPLACE_ONE[0]).parts[0][0], direction="remove")


def test_values_are_checked(derived: Make) -> None:
    found = derived("poisson(gaussian(sigma=1), q=1/100)")
    assert found.at(sigma="0.5").values[found.parameters[0]] == Fraction(1, 2)
    with pytest.raises(InvalidInput, match="q must be in"):
        found.at(q=2)
    with pytest.raises(InvalidInput, match="parameter must be one of"):
        found.at(tau=2)
    with pytest.raises(InvalidInput, match="must be an integer"):
        derived("binomial(n=100, p=1/2)").at(n="7/2")
    with pytest.raises(InvalidInput, match="one monotone piece"):
        _ = derived("pure_dp(epsilon=1)").loss
