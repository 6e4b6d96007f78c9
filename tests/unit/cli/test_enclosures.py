"""delta, epsilon, rdp and tail print enclosures that contain the closed forms."""

import json
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from click.testing import Result

Run = Callable[..., Result]


def gaussian_delta(epsilon: str) -> mpmath.mpf:
    """δ(ε) of the Gaussian mechanism with σ = 1: Balle and Wang 2018, Theorem 5."""
    e = mpmath.mpf(epsilon)
    return mpmath.ncdf(0.5 - e) - mpmath.exp(e) * mpmath.ncdf(-0.5 - e)


def contains(document: dict[str, str], value: mpmath.mpf) -> bool:
    """Whether the printed interval, read exactly, contains the value to mpmath's 50 digits."""
    truth = Fraction(mpmath.nstr(value, 50))
    slack = abs(truth) / 10**45
    return Fraction(document["lower"]) - slack <= truth <= Fraction(document["upper"]) + slack


@pytest.fixture(autouse=True)
def _fifty_digits() -> object:
    with mpmath.workdps(60):
        yield


def test_delta_json_contains_the_closed_form(run: Run) -> None:
    result = run("delta", "gaussian(sigma=1)", "--epsilon", "0.7", "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert contains(document, gaussian_delta("0.7"))
    assert not contains(document, gaussian_delta("0.7000000000000001"))
    assert document["digits"] >= 30
    assert document["quantity"] == "delta"
    assert document["composition"] == "gaussian(sigma=1)"
    assert document["epsilon"] == "0.7"
    assert document["lower_float"] == pytest.approx(float(gaussian_delta("0.7")), rel=1e-15, abs=0)


def test_delta_of_two_directions(run: Run) -> None:
    command = ["delta", "poisson(gaussian(1), 0.1)", "--epsilon", "0.5", "--json", "--adjacency"]
    values = [json.loads(run(*command, way).stdout) for way in ("add", "remove", "add-or-remove")]
    add, remove, both = ((Fraction(value["lower"]), Fraction(value["upper"])) for value in values)
    assert add[1] < remove[0]
    assert both == remove


def test_epsilon_is_the_inverse(run: Run) -> None:
    delta = mpmath.nstr(gaussian_delta("1"), 60)
    document = json.loads(run("epsilon", "gaussian(1)", "--delta", delta, "--json").stdout)
    assert contains(document, mpmath.mpf(1))
    assert document["digits"] >= 15


def test_rdp_of_a_gaussian(run: Run) -> None:
    document = json.loads(run("rdp", "gaussian(sigma=2)", "--order", "2.5", "--json").stdout)
    assert contains(document, mpmath.mpf("2.5") / 8)
    assert document["order"] == "2.5"


def test_tail_of_a_gaussian(run: Run) -> None:
    document = json.loads(run("tail", "gaussian(1)", "--epsilon", "1", "--json").stdout)
    assert contains(document, mpmath.ncdf(-0.5))


def test_digits_are_what_was_asked_for(run: Run) -> None:
    document = json.loads(run("delta", "gaussian(1)", "--epsilon", "1", "--digits", "100", "--json").stdout)
    assert document["digits"] >= 100
    with mpmath.workdps(120):
        truth = Fraction(mpmath.nstr(gaussian_delta("1"), 110))
    assert abs(Fraction(document["lower"]) - truth) < truth / 10**99


def test_text_for_people(run: Run) -> None:
    result = run("delta", "2 * gaussian(sigma=1)", "--epsilon", "1/3")
    first, second, third = result.stdout.splitlines()
    printed = first.removeprefix("δ(ε=1/3) = ").split(" ± ")
    with mpmath.workdps(80):
        e, mu = mpmath.mpf(1) / 3, mpmath.sqrt(2)
        truth = mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
    assert abs(Fraction(printed[0]) - Fraction(mpmath.nstr(truth, 70))) <= Fraction(printed[1])
    assert second == "of 2 * gaussian(sigma=1), add-or-remove"
    assert "proved digits, engine: " in third


@pytest.mark.parametrize(
    ("command", "terms"),
    [
        (["delta", "1000 * poisson(gaussian(1), 0.01)", "--epsilon", "1"], ["cut: ", "alias: "]),
        (["epsilon", "1000 * poisson(gaussian(1), 0.01)", "--delta", "1e-5"], ["lower end: ", "cut: "]),
        (["tail", "1000 * poisson(gaussian(1), 0.01)", "--epsilon", "1"], ["cut: ", "alias: "]),
        (["rdp", "laplace(1)", "--order", "2"], ["bits: "]),
    ],
)
def test_explain_tells_the_engine_and_its_errors(run: Run, command: list[str], terms: list[str]) -> None:
    plain, explained = run(*command), run(*command, "--explain")
    assert explained.exit_code == 0
    lines = explained.stdout.splitlines()
    assert len(plain.stdout.splitlines()) == 3 < len(lines)
    assert all(any(line.startswith(term) for line in lines) for term in terms)
    value = lines[0].partition(" = ")[2]
    assert not any(line.startswith(value) for line in lines), "the answer is said once"
    document = json.loads(run(*command, "--json").stdout)
    rows = [f"{name}: {text}" for name, text in document["witness"].items()]
    assert len(rows) == len(lines) - 4, "no name stands for two numbers"


def test_tiny_values_print(run: Run) -> None:
    """S ~ N(5000, 100²), so δ(20000) is below P(Z ≥ 150) = 1e-4888.4."""
    text = run("delta", "gaussian(0.01)", "--epsilon", "20000")
    assert text.exit_code == 0
    assert -4892 <= int(text.stdout.split(" ± ")[0].split("e")[-1]) <= -4889
    assert run("delta", "gaussian(0.01)", "--epsilon", "20000", "--json").exit_code == 0


def test_huge_values_print(run: Run) -> None:
    document = json.loads(run("rdp", "gaussian(1e-200)", "--order", "2", "--json").stdout)
    assert Fraction(document["lower"]) <= Fraction(10**400) <= Fraction(document["upper"])
    assert document["upper_float"] is None


def test_infinite_values_print(run: Run) -> None:
    text = run("epsilon", "randomized_response(p=1)", "--delta", "0.5")
    assert text.stdout.startswith("ε(δ=0.5) = inf\n")
    document = json.loads(run("epsilon", "randomized_response(p=1)", "--delta", "0.5", "--json").stdout)
    assert (document["lower"], document["upper"], document["digits"]) == ("inf", "inf", None)


@pytest.mark.parametrize(
    ("expression", "note"),
    [
        ("sampled_without_replacement(gaussian(4), q=0.5)", None),
        ("2 * sampled_without_replacement(gaussian(4), q=0.5)", "privacy is at least that good"),
        ("kjh19_substitute(gaussian(4), q=0.5)", "privacy is at most that good"),
    ],
)
def test_pairs_that_are_not_the_truth_are_named(run: Run, expression: str, note: str | None) -> None:
    arguments = ["delta", expression, "--epsilon", "1", "--adjacency", "replace-one"]
    lines = run(*arguments).stdout.splitlines()
    assert len(lines) == (3 if note is None else 4)
    assert note is None or lines[2].endswith(note)
    pairs = json.loads(run(*arguments, "--json").stdout)["pairs"]
    assert pairs == {None: "exact"}.get(note, "upper bound" if "least" in str(note) else "lower bound")
