"""Error budgets: exact pieces by hand, the analytic Gaussian everywhere, failures attributed."""

import io
import json
import math
import sys
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from flint import arb

from pldverify.accountants import fft_grid
from pldverify.accountants.fourier import Fourier, FourierUpper
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierLower, HeterogeneousFourierUpper
from pldverify.accountants.prv import PRVEstimate, PRVLower, PRVUpper
from pldverify.accountants.rdp import RDP
from pldverify.balls.ball import ball, working
from pldverify.bounds.fft_rounding import convolution_rounding
from pldverify.cli import main
from pldverify.decomposition import grid as grid_module
from pldverify.decomposition.error_budget import error_budget
from pldverify.decomposition.grid import GridPart, Kernel, unwrapped_sum, wrapped_sum
from pldverify.decomposition.result import ErrorBudget, Term
from pldverify.decomposition.truth import Truth
from pldverify.errors import InvalidInput, MissingLibrary, NotSupported, SubjectFailure
from pldverify.mechanisms import (
    Gaussian,
    KJH19Substitute,
    KJH20WithReplacement,
    Laplace,
    PoissonSubsampled,
    Query,
    RandomizedResponse,
)
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers.enclosure import Enclosure
from tests.unit.accountants import kh21


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
    with working(grid_module.PREC):
        found = grid_module._frequencies([part], n, F(1, 10**25))
        assert found is not None
        fast = grid_module._by_frequencies([part], n, kernel, *found)
        slow = grid_module._by_convolution([part], n, kernel)
    assert fast.overlaps(slow)
    assert fast.rad() < 1e-24 and slow.rad() < 1e-40


def test_blocks_and_taylor_series_against_a_plain_sum() -> None:
    masses = np.random.default_rng(1).random(5000) / 5000
    part = GridPart(masses, -1234, 3)
    with working(256):
        step = 2 * arb.pi() / 100_000
        line = grid_module._line(part, step, 30, 100_000)
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
    assert float(beyond) == pytest.approx(psi(2, 60, 0), rel=1e-12, abs=0)
    expected = psi(1, 2, -4) + psi(1, 2, 4)
    assert float(around.lower()) <= expected * (1 + 1e-9) and expected * (1 - 1e-9) <= float(around.upper())
    outside = math.erfc(1.5 / math.sqrt(2)) / 2 + math.erfc(2.5 / math.sqrt(2)) / 2
    assert float(truth.outside(F(2))) == pytest.approx(outside, rel=1e-12, abs=0)


# the analytic Gaussian


@pytest.mark.sample(5)
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


RESPONSES = 20 * RandomizedResponse("0.6")
SAMPLED = 400 * PoissonSubsampled(Gaussian(sigma=2), q="0.1")
"""Losses up to 8.1."""


@pytest.mark.parametrize("side", ["add", "remove"])
def test_aliasing_at_small_L(side: Any) -> None:
    """The mass beyond L is lost, and what of it comes round again is the periodisation."""
    budget = error_budget(Fourier(n=4000, L=2.0), Query(SAMPLED, epsilon="0.5", adjacency=side))
    first, second = sorted(budget.terms, key=lambda term: term.size)[:-3:-1]
    assert (first.name, second.name) == (budget.dominant, "periodisation") == ("tail", "periodisation")
    assert second.observed.lower > 1e-3
    assert budget.sum.overlaps(budget.total)


def largest_but_margin(budget: ErrorBudget) -> str:
    return max((t for t in budget.terms if t.name != "margin"), key=lambda t: t.size).name


SMALL_PERIODS = [
    (HeterogeneousFourierUpper(n=20_000, L=2.0), Query(RESPONSES, epsilon="0.9")),
    (HeterogeneousFourierLower(n=20_000, L=2.0), Query(RESPONSES, epsilon="0.9")),
    *(
        (kind(eps_error=0.1, delta_error=0.5), Query(100 * Gaussian(10), epsilon=2))
        for kind in (PRVUpper, PRVEstimate, PRVLower)
    ),
]
COARSE = [
    (Fourier(n=2000, L=6.0), Query(50 * PoissonSubsampled(Gaussian(1), "0.02"), epsilon="0.5")),
    (HeterogeneousFourierUpper(n=2000, L=10.0), Query(RESPONSES, epsilon="0.9")),
    (HeterogeneousFourierLower(n=2000, L=10.0), Query(RESPONSES, epsilon="0.9")),
    (HeterogeneousFourierUpper(n=500, L=5.0), Query(10 * Gaussian(4), epsilon=1)),
    (HeterogeneousFourierLower(n=500, L=5.0), Query(10 * Gaussian(4), epsilon=1)),
    *(
        (kind(eps_error=2.0), Query(100 * Gaussian(10), epsilon=2))
        for kind in (PRVUpper, PRVEstimate, PRVLower)
    ),
]
TINY = [
    (Fourier(n=20_000, L=20.0), Query(10 * Gaussian(sigma=4), epsilon=8)),
    (HeterogeneousFourierUpper(n=20_000, L=5.0), Query(100 * RandomizedResponse("0.51"), epsilon="3.6")),
    (HeterogeneousFourierLower(n=20_000, L=5.0), Query(100 * RandomizedResponse("0.51"), epsilon="3.6")),
    *(
        (kind(eps_error=0.1, delta_error=1e-30), Query(100 * Gaussian(10), epsilon=12))
        for kind in (PRVUpper, PRVEstimate, PRVLower)
    ),
]


@pytest.mark.parametrize(("subject", "query"), SMALL_PERIODS)
def test_a_small_period_is_named_periodisation(subject: Any, query: Query) -> None:
    assert largest_but_margin(error_budget(subject, query)) == "periodisation"


@pytest.mark.parametrize(("subject", "query"), COARSE)
def test_a_coarse_grid_is_named_discretisation(subject: Any, query: Query) -> None:
    assert largest_but_margin(error_budget(subject, query)) == "discretisation"


@pytest.mark.sample(1)
@pytest.mark.parametrize(("subject", "query"), TINY)
def test_noise_above_a_tiny_delta_is_named_rounding(subject: Any, query: Query) -> None:
    """δ below 1e-18, below what doubles can add up to."""
    budget = error_budget(subject, query)
    assert float(budget.true) < 1e-18
    assert budget.dominant == "rounding"
    assert budget.broken == ()


@pytest.mark.parametrize(
    "composition",
    [
        50 * KJH19Substitute(Gaussian(2), "0.1"),
        50 * Gaussian(10),
        50 * PoissonSubsampled(Gaussian(2), "0.1") + 3 * Gaussian(8),
    ],
)
def test_replaced_records(composition: Any) -> None:
    budget = error_budget(Fourier(n=4_000, L=8.0), Query(composition, epsilon=1, adjacency="replace-one"))
    assert budget.direction == "replace"
    assert {t.verdict for t in budget.terms} == {"INSIDE"}
    assert float(term(budget, "discretisation").high) < 1e-2 * float(budget.true)
    assert budget.sum.overlaps(budget.total)


def test_draws_with_replacement_are_refused() -> None:
    query = Query(KJH20WithReplacement(Gaussian(4), 10, 1000), epsilon="0.05")
    with pytest.raises(NotSupported, match="no budget for kjh20_with_replacement"):
        error_budget(Fourier(n=400, L=10.0), query)


@pytest.mark.slow
def test_mixed_compositions() -> None:
    query = Query(50 * PoissonSubsampled(Gaussian(2), "0.1") + 3 * Gaussian(8), epsilon=2)
    for kind in (Fourier, HeterogeneousFourierUpper, HeterogeneousFourierLower):
        budget = error_budget(kind(n=2_000, L=6.0), query)
        assert budget.broken == () and budget.sum.overlaps(budget.total)
    responses = 10 * RandomizedResponse("0.6") + 5 * RandomizedResponse("0.7")
    budget = error_budget(HeterogeneousFourierUpper(n=2000, L=10.0), Query(responses, epsilon=1))
    assert {t.verdict for t in budget.terms} == {"INSIDE"}


def test_plancherel_is_as_good_as_the_inverse_transform() -> None:
    """KH21 Lemma 5 evaluates the same discretised problem: within the same rounding of its exact value."""
    subject = HeterogeneousFourierUpper(n=2000, L=10.0)
    loss, k, epsilon = subject.on_grid(RandomizedResponse("0.6"), "remove"), 20, F(9, 10)
    spectrum = fft_grid.product([(fft_grid.transform(loss.masses), k)])
    weights = kh21.plancherel_weights(float(epsilon), n=2000, L=10.0)
    found = kh21.plancherel(weights, spectrum, 2000)
    part, kernel = GridPart(loss.masses, -1000, k), Kernel(F(1, 100), F(float(epsilon)), 1000)
    with working(grid_module.PREC):
        exact = wrapped_sum([part], 2000, kernel, goal=F(1, 10**30))
        promised = convolution_rounding(
            [(F(float(np.linalg.norm(loss.masses)) * 1.001), part.total, k)],
            n=2000,
            kernel=1000,
            reach=10,
            unit=F(1, 2**53),
        )
        assert 0 < float(abs(exact - ball(F(found)))) < float(promised) < 1e-9


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
    assert small.plot(axes) is axes
    image = io.BytesIO()
    axes.figure.savefig(image, format="png")
    assert image.getvalue().startswith(b"\x89PNG") and len(image.getvalue()) > 10_000
    assert axes.get_yscale() == "log"
    heights = [bar.get_height() for bar in axes.patches]
    assert len(heights) == len(small.terms) + 2
    assert heights[0] == pytest.approx(float(small.true), rel=1e-12, abs=0)
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
    assert bar == pytest.approx(reach(small, "rounding"), rel=1e-12, abs=0)
    ticks = sorted(segment[0][1] for lines in axes.collections for segment in lines.get_segments())
    promised = [float(max(abs(t.low), abs(t.high))) for t in small.terms]
    floor = max(float(small.true), float(small.printed)) / 1e20
    assert ticks == pytest.approx(sorted(max(floor, p) for p in promised), rel=1e-9, abs=0)


def test_plot_says_what_is_up_down_unknown_broken_and_without_bound(axes: Any) -> None:
    from matplotlib.colors import to_rgb

    terms = (
        Term("up", enclosure("1/100", "2/100"), F(-1), F(1), "t"),
        Term("down", enclosure("-2/100", "-1/100"), F(-1), F(1), "t"),
        Term("unknown", enclosure("-1/100", "1/100"), -math.inf, math.inf, "t"),
        Term("broken", enclosure("1/100", "1/100"), F(0), F("1/1000"), "t"),
    )
    query = Query(Gaussian(sigma=1), epsilon=1)
    ErrorBudget(query, "x", "remove", F("1/8"), enclosure("1/8", "1/8"), terms).plot(axes)
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
    with pytest.raises(NotSupported, match="FFT accountant that it knows"):
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


BAD = [
    (["--accountant", "fourier", "--n", "7"], "n must be"),
    (["--accountant", "fourier", "--n", "0"], "n must be"),
    (["--accountant", "fourier", "--n", "1"], "n must be"),
    (["--accountant", "fourier", "--n", "-2"], "n must be"),
    (["--accountant", "fourier", "--n", "2.5"], "n must be"),
    (["--accountant", "fourier", "--n", "1e30"], "n must be"),
    (["--accountant", "fourier", "--n", "1000000000000"], "n must be at most"),
    (["--accountant", "fourier/upper", "--n", "16777216"], "n must be at most"),
    (["--accountant", "heterogeneous-fourier", "--n", "16777218"], "n must be at most"),
    (["--accountant", "heterogeneous-fourier/lower", "--n", "3"], "n must be an even integer"),
    (["--accountant", "fourier", "--L", "-1"], "L must be"),
    (["--accountant", "fourier", "--L", "0"], "L must be"),
    (["--accountant", "fourier", "--L", "nan"], "L must be"),
    (["--accountant", "fourier", "--L", "inf"], "L must be"),
    (["--accountant", "heterogeneous-fourier", "--L", "-1/2"], "L must be"),
    (["--accountant", "fourier", "--L", "0.5", "--n", "400"], "epsilon must be in [0, L)"),
    (["--accountant", "heterogeneous-fourier", "--L", "1", "--n", "400"], "epsilon must be in [0, L)"),
    (["--accountant", "prv", "--n", "400"], "chooses its grid itself"),
    (["--accountant", "prv", "--adjacency", "replace-one"], "got replace-one"),
    (["--accountant", "rdp"], "FFT accountant that it knows"),
    (["--accountant", "dp-accounting/rdp"], "FFT accountant that it knows"),
    (["--accountant", "dp-accounting", "--n", "100"], "chooses its grid itself"),
    (["--accountant", "nothing"], "accountant must be one of"),
]


@pytest.mark.sample(10)
@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_input_is_one_line_before_memory_is_spent(options: list[str], message: str) -> None:
    run("gaussian(sigma=1)", "--epsilon", "1", *options)  # imports are not counted
    tracemalloc.start()
    result = run("gaussian(sigma=1)", "--epsilon", "1", *options)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.exit_code == 2 and result.stdout == ""
    assert message in result.output and len(result.output.strip().splitlines()) == 1
    assert peak < 2_000_000


@pytest.mark.parametrize("epsilon", ["-1", "20", "nan", "inf", "-inf", "one"])
def test_bad_epsilon_is_one_line(epsilon: str) -> None:
    result = run("gaussian(sigma=1)", "--accountant", "fourier", "--epsilon", epsilon)
    assert result.exit_code == 2
    assert "epsilon must be" in result.output and len(result.output.strip().splitlines()) == 1


def test_a_prv_grid_beyond_memory() -> None:
    result = run("1000000 * gaussian(sigma=1/2)", "--accountant", "prv", "--epsilon", "1")
    assert result.exit_code == 2
    assert "2L/h must be at most 16777216 to work within 1 GiB" in result.output


@pytest.mark.parametrize(
    "kind", [Fourier, FourierUpper, HeterogeneousFourierUpper, HeterogeneousFourierLower]
)
@pytest.mark.parametrize(
    "grid",
    [{"n": 7}, {"n": 0}, {"n": 2.0}, {"n": True}, {"n": 2**40}, {"L": 0}, {"L": -1.0}, {"L": math.nan}],
)
def test_bad_grids_in_python(kind: Any, grid: dict[str, Any]) -> None:
    (name,) = grid
    with pytest.raises(InvalidInput, match=f"{name} must be"):
        kind(**grid)
