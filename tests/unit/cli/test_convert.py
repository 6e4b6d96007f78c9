"""convert: bounds that hold for a mechanism that has the definition, and are those of the papers."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from click.testing import Result

import pldverify as pv

Run = Callable[..., Result]


def document(run: Run, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("convert", *arguments, "--json").stdout)
    return found


@pytest.mark.parametrize(
    "definition", [["--zcdp", "1/8"], ["--rdp", "4:1/2"], ["--rdp", "4:0.5", "--rdp", "8:1"]]
)
def test_a_gaussian_keeps_the_bounds_of_its_definition(run: Run, definition: list[str]) -> None:
    """σ = 2 is 1/8-zCDP and has Rényi divergence α/8."""
    epsilon = document(run, *definition, "--delta", "1e-5")
    assert Fraction(epsilon["upper"]) >= pv.epsilon("gaussian(sigma=2)", delta="1e-5").upper
    delta = document(run, *definition, "--epsilon", "1")
    assert Fraction(delta["upper"]) >= pv.delta("gaussian(sigma=2)", epsilon=1).upper


def test_the_census(run: Run) -> None:
    """ρ = 2.63 at δ = 1e-10 is ε = 17.43 (Bun and Steinke's conversion, improved, gives less than 17.91)."""
    result = run("convert", "--zcdp", "2.63", "--delta", "1e-10")
    first, second = result.stdout.splitlines()
    assert first.startswith("ε(δ=1e-10) ≤ 17.4305") and second == "of every 2.63-zCDP mechanism, proved"
    shown = Fraction(first.partition(" ≤ ")[2])
    assert shown >= pv.zcdp_epsilon("2.63", "1e-10") > shown - Fraction(1, 10**12), "rounded up"


def test_a_rule_is_a_rule(run: Run) -> None:
    bounds = {
        rule: Fraction(document(run, "--rdp", "8:1", "--rule", rule, "--delta", "1e-5")["upper"])
        for rule in ("mironov-2017", "canonne-2020", "asoodeh-2020")
    }
    assert bounds["mironov-2017"] > bounds["canonne-2020"] > bounds["asoodeh-2020"]
    assert bounds["canonne-2020"] == pv.epsilon_from_rdp(8, 1, "1e-5")


def test_gdp_is_exact(run: Run) -> None:
    found = document(run, "--gdp", "1/2", "--delta", "1e-5")
    single = pv.epsilon("gaussian(sigma=2)", delta="1e-5")
    assert Fraction(found["lower"]) <= single.upper and single.lower <= Fraction(found["upper"])
    assert run("convert", "--gdp", "1/2", "--epsilon", "1").stdout.startswith("δ(ε=1) = 0.0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--delta", "0.1"], "one of --zcdp, --rdp and --gdp must be given"),
        (["--zcdp", "1", "--gdp", "1", "--delta", "0.1"], "one of --zcdp, --rdp and --gdp must be given"),
        (["--zcdp", "1"], "one of --epsilon and --delta must be given"),
        (["--zcdp", "1", "--epsilon", "1", "--delta", "0.1"], "one of --epsilon and --delta must be given"),
        (["--zcdp", "-1", "--delta", "0.1"], "rho must be >= 0, got rho=-1"),
        (["--zcdp", "1", "--delta", "0"], "delta must be in (0, 1], got delta=0"),
        (["--zcdp", "1", "--delta", "0.1", "--rule", "balle-2020"], "--rule must stand with --rdp"),
        (["--rdp", "8", "--delta", "0.1"], "rdp must be ORDER:DIVERGENCE such as 8:0.5, got rdp='8'"),
        (["--rdp", "1:1", "--delta", "0.1"], "order must be > 1, got order=1"),
        (["--rdp", "2:x", "--delta", "0.1"], "divergence must be a decimal or a fraction"),
        (["--gdp", "0", "--delta", "0.1"], "mu must be > 0, got mu=0"),
        (["--rdp", "2:1", "--delta", "0.1", "--rule", "best"], "Invalid value for '--rule'"),
    ],
)
def test_bad_input(run: Run, arguments: list[str], message: str) -> None:
    result = run("convert", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {message}") and result.stderr.count("\n") == 1
