"""trade-off prints an enclosure that contains the closed form."""

import json
from collections.abc import Callable
from fractions import Fraction

import mpmath
from click.testing import Result

Run = Callable[..., Result]


def test_trade_off_of_a_gaussian(run: Run) -> None:
    result = run("trade-off", "gaussian(sigma=1)", "--alpha", "0.5", "--digits", "20", "--json")
    document = json.loads(result.stdout)
    with mpmath.workdps(50):
        truth = Fraction(mpmath.nstr(mpmath.ncdf(-1), 40))
    assert Fraction(document["lower"]) <= truth <= Fraction(document["upper"])
    assert document["digits"] >= 20 and (document["quantity"], document["alpha"]) == ("trade-off", "0.5")


def test_text_for_people(run: Run) -> None:
    result = run("trade-off", "gaussian(sigma=1)", "--alpha", "0.5", "--explain")
    assert result.stdout.startswith("f(α=0.5) = 0.15865525")
    assert "supremum: near ε = -0." in result.stdout


def test_bad_levels(run: Run) -> None:
    for level in ("-0.1", "1.5", "x"):
        result = run("trade-off", "gaussian(sigma=1)", "--alpha", level)
        assert result.exit_code == 2 and "alpha must be" in result.stderr
