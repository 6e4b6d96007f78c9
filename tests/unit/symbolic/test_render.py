"""How a derivation is shown: terminal, LaTeX, JSON, and the command line."""

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from rich.console import Console

from pldverify.cli import main
from pldverify.errors import InvalidInput
from pldverify.symbolic import Derivation
from pldverify.symbolic.expression import derive_expression, read

Make = Callable[..., Derivation]


def shown(derivation: Derivation) -> str:
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(derivation)
    return console.export_text()


@pytest.mark.slow
def test_the_terminal_view_has_every_formula_and_state(derived: Make) -> None:
    text = shown(derived("kjh19_substitute(gaussian(sigma=1), q=1/100)"))
    for part in (
        "L(t)",
        "L′(t)",
        "L⁻¹(s)",
        "dL⁻¹/ds",
        "ω(s)",
        "δ_∞",
        "δ(ε)",
        "PROVED",
        "FAILED",
        "right:",
    ):
        assert part in text
    assert "sigma = 1, q = 0.01" in text and "0 < q < 1" in text
    assert "KJH20s B.3" in text and "oo" not in text


def test_atoms_and_implicit_inverses_are_shown(derived: Make) -> None:
    assert "atoms of ω" in shown(derived("laplace(b=2)"))
    assert "no closed inverse" in shown(derived("kjh20_with_replacement(gaussian(sigma=1), m=2, n=10)"))
    assert "L(t+1) − L(t)" in shown(derived("binomial(n=4, p=1/2)"))


def test_latex_is_balanced_display_mathematics(derived: Make) -> None:
    for text in ("gaussian(sigma=2)", "laplace(b=2)", "binomial(n=100, p=1/2)", "pure_dp(epsilon=1)"):
        found = derived(text)
        latex = found.latex()
        assert latex == found._repr_latex_()
        assert latex.count(r"\begin{aligned}") == latex.count(r"\end{aligned}") == latex.count("$$") / 2
        assert latex.count("{") == latex.count("}")
        assert r"\delta(\varepsilon)" in latex


def test_symbolic_parameters_and_numbers() -> None:
    mechanism, symbolic = read("poisson(gaussian(sigma), q)")
    assert symbolic and str(mechanism).startswith("poisson(gaussian(")
    assert derive_expression("poisson(gaussian(sigma), q)").values == {}
    assert len(derive_expression("poisson(gaussian(2), 0.01)").values) == 2
    assert read("laplace(b=scale)")[1] and not read("laplace(b=1)")[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gaussian(sigma) + laplace(b)", "one mechanism"),
        ("10 * gaussian(1)", "one mechanism"),
        ("finite_pair(p, q)", "must"),
        ("gaussian(", "expression must"),
        ("gauss(sigma)", "mechanism must be one of"),
        ("__import__('os')", "mechanism must be one of"),
        ("gaussian(sigma, sigma, sigma)", "must"),
        ("", "expression must"),
    ],
)
def test_bad_expressions_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        derive_expression(text)


def test_the_command() -> None:
    runner = CliRunner()
    plain = runner.invoke(main, ["derive", "poisson(gaussian(sigma), q)"])
    assert plain.exit_code == 0 and "PROVED  L(L⁻¹(s)) = s" in plain.output
    back = runner.invoke(main, ["derive", "poisson(gaussian(sigma), q)", "--direction", "add"])
    assert back.exit_code == 0 and "direction add" in back.output
    latex = runner.invoke(main, ["derive", "laplace(b)", "--latex"])
    assert latex.exit_code == 0 and r"\mathcal{L}^{-1}(s)" in latex.output
    document = runner.invoke(main, ["derive", "laplace(b)", "--json"])
    assert json.loads(document.output)["family"] == "laplace"
    assert runner.invoke(main, ["derive", "laplace(b)", "--json", "--latex"]).exit_code == 2
    refused = runner.invoke(main, ["derive", "zcdp(rho)"])
    assert refused.exit_code == 2 and "fixes no pair" in refused.output
