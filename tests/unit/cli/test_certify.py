"""certify: three rulings, three exit codes. With q = 1 the truth is a closed form."""

import json
import shlex
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from click.testing import Result

from pldverify.errors import NoConvergence

Run = Callable[..., Result]


def epsilon_of_gaussian(mu: str, delta: str) -> mpmath.mpf:
    """ε(δ) of μ-GDP: Balle and Wang 2018, Theorem 5, solved by mpmath."""
    m, d = mpmath.mpf(mu), mpmath.mpf(delta)

    def profile(e: mpmath.mpf) -> mpmath.mpf:
        return mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)

    return mpmath.findroot(lambda e: mpmath.log(profile(e) / d), 2)


def arguments(epsilon: str, *more: str) -> list[str]:
    """25 steps at σ = 10 without sampling: μ = 1/2."""
    return [*shlex.split("certify --sigma 10 --q 1 --steps 25 --delta 1e-5 --epsilon"), epsilon, *more]


@pytest.mark.parametrize(
    ("factor", "verdict", "code"), [("1.0000001", "CERTIFIED", 0), ("0.9999999", "REFUTED", 1)]
)
def test_rulings_around_the_truth(run: Run, factor: str, verdict: str, code: int) -> None:
    with mpmath.workdps(40):
        truth = epsilon_of_gaussian("0.5", "1e-5")
        claimed = mpmath.nstr(truth * mpmath.mpf(factor), 30)
    result = run(*arguments(claimed, "--json"))
    document = json.loads(result.stdout)
    assert (document["verdict"], result.exit_code) == (verdict, code)
    assert Fraction(document["lower"]) < Fraction(mpmath.nstr(truth, 30)) < Fraction(document["upper"])
    text = run(*arguments(claimed))
    assert text.exit_code == code
    assert text.stdout.startswith(f"{verdict}: ε ≤ {claimed[:10]}")
    assert "of 25 * gaussian(sigma=10), add-or-remove" in text.stdout
    assert f"true ε = {mpmath.nstr(truth, 30)[:12]}" in text.stdout


def test_a_reference_that_gives_up_is_undecided(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(*_: object, **__: object) -> None:
        raise NoConvergence("wanted 15 digits, reached 2")

    monkeypatch.setattr("pldverify.reference.epsilon", gives_up)
    monkeypatch.setattr("pldverify.reference.delta", gives_up)
    for name in ("epsilon_one_way", "delta_one_way"):
        monkeypatch.setattr(f"pldverify.reference.quantities.bracket.{name}", gives_up)
    asked = shlex.split("certify --sigma 9.87 --q 0.1 --steps 25 --delta 1e-5 --epsilon 0.123456")
    result = run(*asked, "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["verdict"] == "UNDECIDED"
    text = run(*asked)
    assert text.exit_code == 3
    assert text.stdout.startswith(
        "UNDECIDED (the claim lies within what is proved): ε ≤ 0.123456 at δ = 1e-5\n"
    )
    assert "proved: [0.0317" in text.stdout and "wanted 15 digits, reached 2" in text.stdout


def test_the_direction_is_passed_on(run: Run) -> None:
    command = shlex.split("certify --sigma 1 --q 0.1 --steps 1 --delta 0.01 --epsilon 0.15 --json")
    add, remove = (json.loads(run(*command, "--adjacency", way).stdout) for way in ("add", "remove"))
    assert Fraction(add["upper"]) < Fraction(remove["lower"])
    assert (add["adjacency"], remove["adjacency"]) == ("add", "remove")


def test_what_only_bounds_is_not_called_the_truth(capsys: pytest.CaptureFixture[str]) -> None:
    from pldverify.cli.certify import _print
    from pldverify.mechanisms import (
        Gaussian,
        KJH19Substitute,
        Query,
        SampledWithoutReplacement,
        TruncatedPoisson,
    )
    from pldverify.rulings.certify import certify as rule

    for mechanism, verdict, called in (
        (SampledWithoutReplacement(Gaussian(4), "0.5"), "CERTIFIED", "true ε "),
        (2 * SampledWithoutReplacement(Gaussian(4), "0.5"), "CERTIFIED", "true ε = "),
        (2 * TruncatedPoisson(Gaussian(1), "0.9", 1000, 1), "CERTIFIED", "true ε ≤ "),
        (KJH19Substitute(Gaussian(4), "0.5"), "CONDITIONAL", "true ε ≥ "),
    ):
        _print(rule(Query(mechanism, delta="1e-3"), 30), explain=False)
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith(f"{verdict}: ε ≤ 30")
        assert lines[2].startswith(called)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("2", "CERTIFIED"),
        ("<= 2", "CERTIFIED"),
        ("≤2", "CERTIFIED"),
        (">= 2", "REFUTED"),
        ("≥ 1.99", "CERTIFIED"),
        (">=1.9", "CERTIFIED"),
        ("= 1.99", "REFUTED"),
        ("= 2", "REFUTED"),
        ("== 1.99", "REFUTED"),
        (">= sqrt(4)", "REFUTED"),
        ("sqrt(5)", "CERTIFIED"),
        (">= 0", "CERTIFIED"),
    ],
)
def test_claims_with_a_sign(run: Run, claim: str, verdict: str) -> None:
    """The true ε is 1.99309…: 25 steps at σ = 10."""
    result = run(*arguments(claim, "--json"))
    document = json.loads(result.stdout)
    assert document["verdict"] == verdict
    assert result.exit_code == {"CERTIFIED": 0, "REFUTED": 1}[verdict]
    sign = claim.rstrip("0123456789.sqrt()").strip()
    assert document["relation"] == {"": "<=", "≤": "<=", "≥": ">=", "==": "="}.get(sign, sign)


def test_the_sign_of_a_claim_is_printed(run: Run) -> None:
    for claim, said in ((">= 2", "ε ≥ 2 at"), ("= 2", "ε = 2 at"), ("2", "ε ≤ 2 at")):
        assert said in run(*arguments(claim)).stdout


def test_any_composition_engine_and_digits(run: Run) -> None:
    claim = ["certify", "3 * laplace(b=1) + gaussian(sigma=2)", "--delta", "1e-5", "--epsilon", "4"]
    plain = json.loads(run(*claim, "--json").stdout)
    forced = json.loads(run(*claim, "--engine", "contour", "--digits", "20", "--json").stdout)
    assert plain["verdict"] == forced["verdict"] == "REFUTED"
    assert (forced["engine"], forced["digits"]) == ("contour", 20)
    width = Fraction(forced["upper"]) - Fraction(forced["lower"])
    assert width < Fraction(1, 10**18) < Fraction(plain["upper"]) - Fraction(plain["lower"])
    assert Fraction(plain["lower"]) <= Fraction(forced["lower"])
    assert Fraction(forced["upper"]) <= Fraction(plain["upper"])


def test_an_engine_that_cannot_answer_leaves_it_undecided(run: Run) -> None:
    result = run(*arguments("1.994", "--engine", "lattice"))
    assert result.exit_code == 3 and result.stdout.startswith("UNDECIDED")


def test_explain(run: Run) -> None:
    plain, explained = (run(*arguments("2.5", *more)).stdout for more in ([], ["--explain"]))
    assert explained.startswith(plain)
    assert "all errors together" in explained.removeprefix(plain)


@pytest.mark.parametrize(
    ("option", "start"), [("--html", "<!doctype html>"), ("--markdown", "# CERTIFIED: ")]
)
def test_a_page_of_one_certificate(run: Run, tmp_path: Path, option: str, start: str) -> None:
    page = tmp_path / "page"
    result = run("certify", "laplace(1)", "--delta", "0", "--epsilon", "1", option, str(page))
    assert result.exit_code == 0 and result.stdout.startswith("CERTIFIED: ")
    assert page.read_text("utf-8").startswith(start)


@pytest.mark.parametrize("option", ["--html", "--markdown"])
def test_a_page_that_can_not_be_written_is_told_at_once(run: Run, tmp_path: Path, option: str) -> None:
    """Before anything is judged."""
    result = run(
        "certify", "laplace(1)", "--delta", "0", "--epsilon", "1", option, str(tmp_path / "no" / "p")
    )
    assert result.exit_code == 2 and f"{option} must be a file" in result.stderr and result.stdout == ""


def test_the_terminal_says_what_stands_for_one_record(run: Run) -> None:
    told = run("certify", "group(gaussian(1), 3)", "--delta", "1e-5", "--epsilon", "5").output
    assert "one record being a group of up to 3 records" in told
    assert "group" not in run("certify", "gaussian(1)", "--delta", "1e-5", "--epsilon", "5").output
