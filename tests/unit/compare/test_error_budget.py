"""Error budgets: exact pieces by hand, the analytic Gaussian everywhere, failures attributed."""

import io
import json
import math
import sys
from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from flint import arb

from pldverify.accountants.fourier import Fourier, FourierUpper
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierLower, HeterogeneousFourierUpper
from pldverify.accountants.prv import PRVEstimate, PRVLower, PRVUpper
from pldverify.accountants.rdp import RDP
from pldverify.cli import main
from pldverify.compare import budget_grid
from pldverify.compare.budget_grid import GridPart, Kernel, unwrapped_sum, wrapped_sum
from pldverify.compare.budget_plot import plot
from pldverify.compare.budget_terms import ErrorBudget, Term
from pldverify.compare.budget_truth import Truth
from pldverify.compare.error_budget import error_budget
from pldverify.errors import InvalidInput, MissingLibrary, NotSupported, SubjectFailure
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse
from pldverify.mechanisms.composition import as_composition
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.balls import ball, working


def term(budget: ErrorBudget, name: str) -> Term:
    return next(term for term in budget.terms if term.name == name)


def reach(budget: ErrorBudget, name: str) -> float:
    observed = term(budget, name).observed
    return max(abs(float(observed.lower)), abs(float(observed.upper)))


# exact convolution


def brute(masses: list[F], first: int, k: int, period: int | None, kernel: Kernel) -> arb:
    law: dict[int, F] = {0: F(1)}
    for _ in range(k):
        grown: dict[int, F] = {}
        for i, p in law.items():
            for j, q in enumerate(masses):
                grown[i + first + j] = grown.get(i + first + j, F(0)) + p * q
        law = grown
    total = arb(0)
    for i, p in law.items():
        at = i if period is None else (i - kernel.end) % period + kernel.end - period
        if at >= kernel.start:
            total += ball(p) * (1 - ball(kernel.epsilon - at * kernel.step).exp())
    return total


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("epsilon", [F(0), F(1, 3), F(1)])
def test_wrapped_and_unwrapped_sums_against_brute_force(k: int, epsilon: F) -> None:
    masses = np.array([0.1, 0.0, 0.5, 0.25, 0.125, 1e-30])
    exact = [F(m) for m in masses.tolist()]
    part, kernel = GridPart(masses, -3, k), Kernel(F(1, 4), epsilon, 5)
    with working(256):
        wrapped = wrapped_sum([part], 10, kernel, goal=F(1, 10**30))
        assert wrapped.overlaps(brute(exact, -3, k, 10, kernel))
        assert wrapped.rad() < 1e-29
        whole = unwrapped_sum([part], kernel, n=10, outside=lambda low, high: arb(1), goal=F(1, 10**30))
        assert whole.overlaps(brute(exact, -3, k, None, kernel))
        assert whole.rad() < 1e-29


@pytest.mark.parametrize(("n", "k"), [(400, 60), (401, 500), (3000, 40)])
def test_both_routes_of_the_wrapped_sum_agree(n: int, k: int) -> None:
    x = np.linspace(-3, 3, n)
    masses = np.exp(-8 * (x - 0.1) ** 2) + 1e-5 * np.exp(-5 * (x - 1) ** 2)
    masses /= masses.sum()
    part, kernel = GridPart(masses, -(n // 2), k), Kernel(F(6, n), F(1, 2), n - n // 2)
    with working(budget_grid.PREC):
        found = budget_grid._frequencies([part], n, F(1, 10**25))
        assert found is not None
        fast = budget_grid._by_frequencies([part], n, kernel, *found)
        slow = budget_grid._by_convolution([part], n, kernel)
    assert fast.overlaps(slow)
    assert fast.rad() < 1e-24 and slow.rad() < 1e-40


def test_blocks_and_taylor_series_against_a_plain_sum() -> None:
    masses = np.random.default_rng(1).random(5000) / 5000
    part = GridPart(masses, -1234, 3)
    with working(256):
        step = 2 * arb.pi() / 100_000
        line = budget_grid._line(part, step, 30, 100_000)
        for j in (0, 1, 30):
            angle = step * j
            real = sum(
                (ball(F(m)) * (angle * (i - 1234)).cos() for i, m in enumerate(masses.tolist())), arb(0)
            )
            assert line[j].real.overlaps(real)
            assert line[j].real.rad() < 1e-40


def test_moments_of_grid_masses_from_above() -> None:
    masses = np.array([0.25, 0.0, 0.5])
    part = GridPart(masses, -1, 1)
    for lam in (F(3), F(-3)):
        exact = math.log(0.25 * math.exp(-lam / 2) + 0.5 * math.exp(lam / 2))
        assert exact * (1 - 1e-12) <= float(part.log_moment(lam, F(1, 2))) <= exact * (1 + 1e-12)


# pieces of the truth


def test_tail_and_aliases_of_the_gaussian_in_closed_form() -> None:
    """S ~ N(1/2, 1), ε = 1, L = 2, through scipy-free normal integrals."""

    def psi(low: float, high: float, shift: float) -> float:
        """E[1 − e^{ε − S − shift}; low < S + shift < high], ε = 1."""

        def cdf(x: float) -> float:
            return math.erfc(-x / math.sqrt(2)) / 2

        plain = cdf(high - shift - 0.5) - cdf(low - shift - 0.5)
        tilted = cdf(high - shift + 0.5) - cdf(low - shift + 0.5)
        return plain - math.exp(1 - shift) * tilted

    truth = Truth(as_composition(Gaussian(sigma=1)), "remove", F(1))
    with working(256):
        beyond, around = truth.beyond(F(2)), truth.wrapped(F(2))
    assert float(beyond) == pytest.approx(psi(2, 60, 0), rel=1e-12)
    expected = psi(1, 2, -4) + psi(1, 2, 4)
    assert float(around.lower()) <= expected * (1 + 1e-9) and expected * (1 - 1e-9) <= float(around.upper())
    outside = math.erfc(1.5 / math.sqrt(2)) / 2 + math.erfc(2.5 / math.sqrt(2)) / 2
    assert float(truth.outside(F(2))) == pytest.approx(outside, rel=1e-12)


# the analytic Gaussian


@pytest.mark.parametrize("kind", [Fourier, HeterogeneousFourierUpper, HeterogeneousFourierLower])
@pytest.mark.parametrize(("sigma", "k"), [("0.5", 1), ("1", 30), ("4", 1), ("4", 1000), ("20", 100)])
def test_the_gaussian_stays_inside_of_every_bound(kind: Any, sigma: str, k: int) -> None:
    mu = math.sqrt(k) / float(sigma)
    L = float(math.ceil(mu * mu / 2 + 8 * mu + 1))
    n = 2 * math.ceil(L * 5 * float(sigma)) + 200
    query = Query(k * Gaussian(sigma=sigma), epsilon=F(round(64 * (mu * mu / 2 + mu)), 64))
    budget = error_budget(kind(n=n, L=L), query)
    assert [t.verdict for t in budget.terms if t.name != "margin"] == ["INSIDE"] * (
        len(budget.terms) - ("margin" in [t.name for t in budget.terms])
    )
    assert budget.sum.overlaps(budget.total)
    assert budget.broken == ()


@pytest.mark.parametrize("kind", [PRVEstimate, PRVUpper, PRVLower])
@pytest.mark.parametrize(("sigma", "k"), [("2", 1), ("8", 100)])
def test_the_gaussian_through_prv(kind: Any, sigma: str, k: int) -> None:
    budget = error_budget(kind(), Query(k * Gaussian(sigma=sigma), epsilon=1))
    assert {t.verdict for t in budget.terms} == {"INSIDE"}
    assert budget.sum.overlaps(budget.total)


# failures are attributed


def test_aliasing_at_small_L() -> None:
    composition = 400 * PoissonSubsampled(Gaussian(sigma=2), q="0.1")
    budget = error_budget(Fourier(n=4000, L=2.0), Query(composition, epsilon="0.5", adjacency="remove"))
    assert budget.dominant in ("tail", "periodisation")
    assert reach(budget, "periodisation") > 1e3 * reach(budget, "rounding")
    assert budget.sum.overlaps(budget.total)


def test_a_coarse_grid() -> None:
    composition = 100 * PoissonSubsampled(Gaussian(sigma=1), q="0.01")
    budget = error_budget(Fourier(n=2000, L=6.0), Query(composition, epsilon="0.5", adjacency="remove"))
    assert budget.dominant == "discretisation"


def test_the_rounding_floor_at_a_tiny_delta() -> None:
    """δ(8) = 1e-23, below what doubles can add up to."""
    budget = error_budget(Fourier(n=20_000, L=20.0), Query(10 * Gaussian(sigma=4), epsilon=8))
    assert float(budget.true) < 1e-18
    assert budget.dominant == "rounding"


def test_the_discrete_case_has_no_truncation() -> None:
    query = Query(20 * RandomizedResponse("0.6"), epsilon="0.9")
    budget = error_budget(HeterogeneousFourierUpper(n=2000, L=10.0), query)
    assert [t.name for t in budget.terms] == ["discretisation", "periodisation", "rounding"]
    assert budget.dominant == "discretisation"
    assert {t.verdict for t in budget.terms} == {"INSIDE"}
    lower = error_budget(HeterogeneousFourierLower(n=2000, L=10.0), query)
    assert term(lower, "discretisation").observed.upper <= 0


def test_what_an_upper_bound_adds_is_its_own_term() -> None:
    composition = 400 * PoissonSubsampled(Gaussian(sigma=2), q="0.1")
    query = Query(composition, epsilon="2", adjacency="remove")
    plain, strict = (error_budget(kind(n=4000, L=12.0), query) for kind in (Fourier, FourierUpper))
    assert term(strict, "margin").observed.width == 0
    assert strict.printed - plain.printed == term(strict, "margin").observed.lower


# verdicts and surfaces


def enclosure(low: str, high: str) -> Enclosure:
    return Enclosure(F(low), F(high), "test")


def test_verdicts() -> None:
    inside = Term("a", enclosure("-1", "1"), F(-1), F(1), "t")
    across = Term("b", enclosure("0", "2"), F(-1), F(1), "t")
    outside = Term("c", enclosure("2", "3"), F(-1), F(1), "t")
    promise = Term("d", enclosure("2", "3"), -math.inf, math.inf, "t")
    assert [t.verdict for t in (inside, across, outside, promise)] == [
        "INSIDE",
        "UNDECIDED",
        "OUTSIDE",
        "NO BOUND",
    ]
    query = Query(Gaussian(sigma=1), epsilon=1)
    budget = ErrorBudget(query, "x", "remove", F(6), enclosure("0", "1"), (inside, across, outside))
    assert budget.broken == ("c",) and budget.dominant == "c"
    assert (budget.total.lower, budget.total.upper) == (5, 6)
    assert (budget.sum.lower, budget.sum.upper) == (1, 6)


@pytest.fixture(scope="module")
def small() -> ErrorBudget:
    return error_budget(Fourier(n=400, L=10.0), Query(10 * Gaussian(sigma=4), epsilon=1))


def test_table_and_json(small: ErrorBudget) -> None:
    from rich.console import Console

    console = Console(width=160, record=True, file=io.StringIO())
    console.print(small.table())
    text = console.export_text()
    assert all(t.name in text for t in small.terms) and "INSIDE" in text
    document = json.loads(json.dumps(small.to_json(), allow_nan=False))
    assert F(document["printed"]) == small.printed
    assert [t["name"] for t in document["terms"]] == [t.name for t in small.terms]


@pytest.fixture
def axes() -> Iterator[Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    yield figure.subplots()


def test_plot(small: ErrorBudget, axes: Any) -> None:
    assert plot(small, axes) is axes
    image = io.BytesIO()
    axes.figure.savefig(image, format="png")
    assert image.getvalue().startswith(b"\x89PNG") and len(image.getvalue()) > 10_000
    assert axes.get_yscale() == "log"
    heights = [bar.get_height() for bar in axes.patches]
    assert len(heights) == len(small.terms) + 2
    assert heights[0] == pytest.approx(float(small.true), rel=1e-12)
    low, high = axes.get_ylim()
    assert all(low < height < high for height in heights)
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert [label.split("\n")[0] for label in labels] == [
        "true δ",
        *(t.name for t in small.terms),
        "printed δ",
    ]
    rounding = term(small, "rounding")
    (bar,) = [h for h, t in zip(heights[1:], small.terms, strict=False) if t is rounding]
    assert bar == pytest.approx(reach(small, "rounding"), rel=1e-12)
    ticks = sorted(segment[0][1] for lines in axes.collections for segment in lines.get_segments())
    promised = [float(max(abs(t.low), abs(t.high))) for t in small.terms]
    floor = max(float(small.true), float(small.printed)) / 1e20
    assert ticks == pytest.approx(sorted(max(floor, p) for p in promised), rel=1e-9)


def test_plot_says_what_is_up_down_unknown_broken_and_without_bound(axes: Any) -> None:
    from matplotlib.colors import to_rgb

    terms = (
        Term("up", enclosure("1/100", "2/100"), F(-1), F(1), "t"),
        Term("down", enclosure("-2/100", "-1/100"), F(-1), F(1), "t"),
        Term("unknown", enclosure("-1/100", "1/100"), -math.inf, math.inf, "t"),
        Term("broken", enclosure("1/100", "1/100"), F(0), F("1/1000"), "t"),
    )
    query = Query(Gaussian(sigma=1), epsilon=1)
    plot(ErrorBudget(query, "x", "remove", F("1/8"), enclosure("1/8", "1/8"), terms), axes)
    colours = [bar.get_facecolor()[:3] for bar in axes.patches]
    red, blue, grey = colours[1:4]
    assert red[0] > 2 * red[2] and blue[2] > 2 * blue[0] and grey == to_rgb("0.75")
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels[1:5] == [
        "up\n+0.020\npromised 1.0",
        "down\n−0.020\npromised 1.0",
        "unknown\n≤ 0.010\nno bound",
        "broken\n+0.010\nOUTSIDE, promised 0.0010",
    ]
    assert [line.get_marker() for line in axes.lines] == ["^"]


def test_plot_without_matplotlib(small: ErrorBudget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingLibrary, match=r'matplotlib: pip install "pldverify\[plot\]"'):
        small.plot()


def test_refusals() -> None:
    query = Query(Gaussian(sigma=1), epsilon=1)
    with pytest.raises(NotSupported, match="in-house FFT accountant"):
        error_budget(RDP(), query)
    with pytest.raises(InvalidInput, match="epsilon"):
        error_budget(Fourier(n=400), Query(Gaussian(sigma=1), delta="1e-5"))
    with pytest.raises(NotSupported, match="density"):
        error_budget(Fourier(n=400), Query(Laplace(b=1), epsilon=1))
    with pytest.raises(NotSupported, match=r"\[0, L\)"):
        error_budget(Fourier(n=400, L=2.0), Query(Gaussian(sigma=1), epsilon=3))


def test_numbers_that_are_not() -> None:
    """One grid point in the bulk: the masses sum to 32, and their power overflows."""
    with pytest.raises(SubjectFailure):
        error_budget(Fourier(n=10, L=10.0), Query(1000 * Gaussian(sigma=40), epsilon=1))


# command line


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["budget", *arguments])


def test_command() -> None:
    expression = "10 * gaussian(sigma=4)"
    result = run(expression, "--accountant", "fourier", "--L", "10", "--n", "400", "--epsilon", "1")
    assert result.exit_code == 0, result.output
    assert "periodisation" in result.output and "the error comes from: " in result.output
    result = run(expression, "--accountant", "fourier", "--L", "10", "--n", "400", "--epsilon", "1", "--json")
    assert json.loads(result.output)["broken"] == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--accountant", "fourier", "--n", "7"], "n must be"),
        (["--accountant", "fourier", "--n", "0"], "n must be"),
        (["--accountant", "fourier", "--n", "1000000000000"], "n must be at most"),
        (["--accountant", "fourier", "--L", "-1"], "L must be"),
        (["--accountant", "fourier", "--L", "0.5", "--n", "400"], "epsilon must be in [0, L)"),
        (["--accountant", "prv", "--n", "400"], "chooses its grid itself"),
        (["--accountant", "rdp"], "in-house FFT accountant"),
        (["--accountant", "nothing"], "accountant must be one of"),
    ],
)
def test_bad_input_is_one_line(options: list[str], message: str) -> None:
    result = run("gaussian(sigma=1)", "--epsilon", "1", *options)
    assert result.exit_code == 2
    assert message in result.output and len(result.output.strip().splitlines()) == 1
