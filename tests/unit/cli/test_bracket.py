"""pldverify bracket, and brackets in error messages."""

import json
from collections.abc import Callable
from fractions import Fraction

import pytest
from click.testing import Result

Run = Callable[..., Result]
TRAINING = "1000 * poisson(gaussian(sigma=1), q=0.01)"


def test_epsilon_and_delta(run: Run) -> None:
    for quantity, arguments, argument in (
        ("epsilon", ["--delta", "1e-6"], "delta"),
        ("delta", ["--epsilon", "1"], "epsilon"),
    ):
        found = json.loads(run("bracket", TRAINING, *arguments, "--json").stdout)
        exact = json.loads(run(quantity, TRAINING, *arguments, "--json").stdout)
        assert found["quantity"] == quantity and found[argument] == exact[argument]
        assert Fraction(found["lower"]) <= Fraction(exact["upper"])
        assert Fraction(exact["lower"]) <= Fraction(found["upper"])


def test_both_ends_are_shown_where_no_digit_is_proved(run: Run) -> None:
    result = run("bracket", "10 * poisson(zcdp(rho=0.5), q=0.01)", "--delta", "1e-6", "--explain")
    assert result.exit_code == 0
    first, second, third, *_ = result.stdout.splitlines()
    assert first.startswith("ε(δ=1e-6) = [0.592") and ", 1.3526" in first
    assert second == "of 10 * poisson(zcdp(rho=0.5), q=0.01), add-or-remove"
    assert third.startswith("both ends are proved, engine: both sides")  # and no word of pairs
    assert "why not narrower: the pair that dominates is not attained" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gaussian(1)"], "one of --epsilon and --delta must be given"),
        (["gaussian(1)", "--epsilon", "1", "--delta", "0.1"], "one of --epsilon and --delta must be given"),
        (["gaussian(1)", "--epsilon", "1", "--seconds", "0"], "seconds must be > 0, got seconds=0"),
        (["gaussian(1)", "--delta", "2"], "delta must be in [0, 1], got delta=2"),
    ],
)
def test_bad_input(run: Run, arguments: list[str], message: str) -> None:
    result = run("bracket", *arguments)
    assert result.exit_code == 2 and result.stderr == f"Error: {message}\n"


def test_an_undecided_answer_says_what_is_proved(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from pldverify.errors import NoConvergence
    from pldverify.reference import choice

    def gives_up(*rest: object, **more: object) -> None:
        raise NoConvergence("no engine is left")

    monkeypatch.setattr(choice, "choose", gives_up)
    result = run("epsilon", TRAINING, "--delta", "1e-6")
    assert result.exit_code == 3
    assert result.stderr.startswith("Error: undecided: proved: [") and "no engine is left" in result.stderr
