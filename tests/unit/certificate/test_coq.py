"""Claims as theorems of Coq. Without Coq: what is stated, what is refused, and that hints obey lemma U."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from click.testing import CliRunner, Result

import pldverify as pv
from pldverify.certificate.coq import claim
from pldverify.cli import main
from pldverify.errors import InvalidInput

PAIR = pv.FinitePair(p=["0.5", "0.3", "0.2"], q=["0.4", "0.35", "0.25"])


def theorem(composition: object, delta: str, epsilon: str, **more: str) -> str:
    return claim(pv.certify(pv.Query(composition, delta=delta, **more), epsilon=epsilon))  # type: ignore[arg-type]


def test_steps_and_numbers_are_those_of_the_claim() -> None:
    text = theorem(3 * PAIR + 2 * pv.PureDP("1/3"), "0.01", "3")
    assert "(Pair 20 [(10, 8); (6, 7); (4, 5)]%Z, 3%positive)" in text
    assert "(Private (1, 3)%Z (0, 1)%Z, 2%positive)" in text
    assert "epsilon : Z * Z := (3, 1)%Z" in text
    assert "delta : Z * Z := (1, 100)%Z" in text
    assert "Theorem claim : both_claim steps" in text


def test_guarantees_and_noise_are_stated_by_their_numbers() -> None:
    text = theorem(pv.ApproximateDP("1/10", "1e-3") + 2 * pv.Laplace(b=4, sensitivity="0.5"), "0.1", "0.3")
    assert "(Private (1, 10)%Z (1, 1000)%Z, 1%positive)" in text
    assert "(Noisy Laplace (1, 8)%Z, 2%positive)" in text
    assert "(Noisy Gaussian (3, 4)%Z, 1%positive)" in theorem(pv.Gaussian(sigma=4, sensitivity=3), "0.1", "4")
    assert "(Noisy Gaussian (1, 3)%Z, 1%positive)" in theorem(pv.GDP("1/3"), "0.1", "4")


def test_a_replaced_record_moves_noise_twice_as_far() -> None:
    text = theorem(pv.Laplace(b=4, sensitivity="0.5") + pv.Gaussian(3), "0.1", "4", adjacency="replace-one")
    assert "(Noisy Laplace (1, 4)%Z, 1%positive)" in text
    assert "(Noisy Gaussian (2, 3)%Z, 1%positive)" in text
    promised = theorem(pv.GDP("1/3") + pv.PureDP("1/3"), "0.1", "4", adjacency="replace-one")
    assert "(Noisy Gaussian (1, 3)%Z, 1%positive)" in promised and "Private (1, 3)%Z (0, 1)%Z" in promised
    zeroed = theorem(pv.Gaussian(3), "0.1", "4", adjacency="zero-out")
    assert "(Noisy Gaussian (1, 3)%Z, 1%positive)" in zeroed
    assert "~ both_claim" in theorem(pv.Laplace(1), "0", "1", adjacency="replace-one")  # it has 2


def test_a_sample_is_stated_by_its_probability() -> None:
    text = theorem(3 * pv.PoissonSubsampled(pv.Gaussian(sigma=2), q="0.1"), "0.1", "0.5")
    assert "(Sampled Gaussian (1, 2)%Z (1, 10)%Z, 3%positive)" in text
    text = theorem(pv.PoissonSubsampled(PAIR, q="0.5"), "0.1", "0.5")
    assert "(Pair 40 [(18, 16); (13, 14); (9, 10)]%Z, 1%positive)" in text


def test_randomised_response_is_its_pair() -> None:
    text = theorem(pv.RandomizedResponse(p="0.5", categories=4), "0", "2")
    assert "(Pair 6 [(3, 1); (1, 3); (2, 2)]%Z, 1%positive)" in text


@pytest.mark.parametrize(
    ("adjacency", "epsilon", "statement"),
    [
        ("remove", "3", "remove_claim"),
        ("add", "3", "add_claim"),
        ("replace-one", "3", "both_claim"),
        ("remove", "0.1", "~ remove_claim"),
        ("add", "0.1", "~ add_claim"),
        ("add-or-remove", "0.1", "~ both_claim"),
    ],
)
def test_directions(adjacency: str, epsilon: str, statement: str) -> None:
    text = theorem(3 * PAIR, "0.01", epsilon, adjacency=adjacency)
    assert f"Theorem claim : {statement} steps (ratio epsilon) (ratio delta)." in text


def cells(text: str) -> list[tuple[int, int, int]]:
    found = re.findall(r"\((-?\d+), \((\d+), (\d+)\)\)", text)
    return [(int(c), int(u), int(v)) for c, u, v in found]


@pytest.mark.parametrize("q", [["0.4", "0.35", "0.25"], ["0.2", "0.5", "0.3"], ["0.5", "0.3", "0.2"]])
def test_hints_obey_lemma_u(q: list[str]) -> None:
    """u + v ≥ p and u e^−ch + v e^−(c+1)h ≤ q, by mpmath, with rounding to spare."""
    pair = pv.FinitePair(p=["0.5", "0.3", "0.2"], q=q)
    text = theorem(2 * pair, "0.02", "4", adjacency="remove")
    h = Fraction(*map(int, re.search(r"remove_certified steps\s+\((\d+), (\d+)\)%Z", text).groups()))  # type: ignore[union-attr]
    found = cells(text)
    assert len(found) == 3
    with mpmath.workdps(80):
        width, unit = mpmath.mpf(h.numerator) / h.denominator, mpmath.mpf(2) ** 192
        for (c, u, v), p, base in zip(found, pair.p, pair.q, strict=True):
            assert Fraction(u + v, 2**192) >= p
            held = (u * mpmath.exp(-c * width) + v * mpmath.exp(-(c + 1) * width)) / unit
            assert held <= mpmath.mpf(base.numerator) / base.denominator


@pytest.mark.parametrize("adjacency", ["remove", "add"])
@pytest.mark.parametrize(
    ("mechanism", "density", "distance", "q"),
    [
        (pv.Laplace(b=1), lambda x: mpmath.exp(-abs(x)) / 2, 1, 1),
        (pv.Gaussian(sigma=2), mpmath.npdf, 0.5, 1),
        (pv.PoissonSubsampled(pv.Gaussian(sigma=2), q="0.25"), mpmath.npdf, 0.5, 0.25),
        (
            pv.PoissonSubsampled(pv.Laplace(b=2), q="0.125"),
            lambda x: mpmath.exp(-abs(x)) / 2,
            0.5,
            0.125,
        ),
    ],
    ids=["laplace", "gaussian", "sampled-gaussian", "sampled-laplace"],
)
def test_hints_of_noise_obey_lemma_u(
    mechanism: object, density: Callable[[mpmath.mpf], mpmath.mpf], distance: float, q: float, adjacency: str
) -> None:
    """Of each cell between two points, by mpmath's integrals of both densities; no loss is above its j·h."""
    text = theorem(mechanism, "0.1", "0.8", adjacency=adjacency)
    numbers = re.search(rf"{adjacency}_certified steps\s+\((\d+), (\d+)\)%Z", text)
    grid = re.search(r"Grid \((-?\d+)\) (\d+) \[(.*?)\]%Z \[(.*?)\]%Z", text)
    assert numbers is not None
    assert grid is not None
    low = int(grid[1])
    parts = [tuple(map(int, pair)) for pair in re.findall(r"\((\d+), (\d+)\)", grid[4])]
    with mpmath.workdps(40):
        points = [mpmath.mpf(int(x)) / int(grid[2]) for x in grid[3].split(";")]
        assert len(points) == len(parts) + 1
        h, unit = mpmath.mpf(int(numbers[1])) / int(numbers[2]), mpmath.mpf(2) ** 192
        first, second = (
            lambda x, sign=sign: density(x + sign * mpmath.mpf(distance) / 2) for sign in (1, -1)
        )
        sides = [lambda x: q * first(x) + (1 - q) * second(x), second]
        # in the other direction the line is reflected
        mass, base = sides if adjacency == "remove" else [lambda x, f=f: f(-x) for f in reversed(sides)]
        for i, x in enumerate(points):
            assert mpmath.log(mass(x) / base(x)) <= (low + i) * h + mpmath.mpf(10) ** -35
        for c, (u, v) in list(enumerate(parts, start=low))[::5]:
            ends = [points[c - low + 1], points[c - low]]
            assert ends[0] < ends[1]
            p, rest = (mpmath.quad(f, ends) for f in (mass, base))
            assert (u + v) / unit >= p
            assert (u * mpmath.exp(-c * h) + v * mpmath.exp(-(c + 1) * h)) / unit <= rest


@pytest.mark.parametrize(
    ("composition", "delta", "epsilon", "relation"),
    [
        (pv.Gaussian(sigma="sqrt(2)"), "1e-5", "10", "<="),
        (PAIR + pv.PoissonSubsampled(pv.PureDP(1), q="0.1"), "1e-5", "10", "<="),
        (pv.PureDP(0), "1e-5", "1", "<="),
        (pv.PureDP(1), "0", "1", "="),
        (pv.PureDP(1), "0.1", "0.5", ">="),
        (10**6 * pv.PureDP("0.001"), "1e-5", "50", "<="),
        (10**12 * pv.RandomizedResponse(p="0.75"), "0.5", "1", "<="),
        (pv.FinitePair(p=["0.5", "0.5"], q=["1e-20", "0.99999999999999999999"]), "0.1", "50", "<="),
        (pv.PureDP(1), "exp(-5)", "2", "<="),
    ],
)
def test_what_the_kernel_cannot_say_is_refused(
    composition: object, delta: str, epsilon: str, relation: str
) -> None:
    found = pv.certify(pv.Query(composition, delta=delta), epsilon=epsilon, relation=relation)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="--coq must be of"):
        claim(found)


def test_replace_one_of_a_sample_is_refused() -> None:
    """Its pair is another one than that of the statement."""
    with pytest.raises(InvalidInput, match="--coq must be of add-or-remove for a Poisson sample"):
        theorem(pv.PoissonSubsampled(pv.Gaussian(sigma=2), q="0.1"), "0.1", "2", adjacency="replace-one")


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_a_claim_too_near_the_truth_for_its_grids_is_refused(end: str) -> None:
    query = pv.Query(3 * PAIR, delta="0.01")
    found = pv.certify(query, epsilon=getattr(pv.epsilon(3 * PAIR, delta="0.01", digits=25), end))
    with pytest.raises(InvalidInput, match=r"that 5000 losses (prove|refute)"):
        claim(found)


def test_command_line(tmp_path: Path) -> None:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments)

    file = tmp_path / "claim.v"
    done = run("certify", "4 * pure_dp(1/2)", "--delta", "0", "--epsilon", "2", "--coq", str(file))
    assert done.exit_code == 0, done.output
    assert "Theorem claim : both_claim" in file.read_text()
    refused = run(
        "certify",
        "poisson(pure_dp(1), 0.1)",
        "--delta",
        "0.1",
        "--epsilon",
        "9",
        "--coq",
        str(tmp_path / "no.v"),
    )
    assert refused.exit_code == 2
    assert not (tmp_path / "no.v").exists()
