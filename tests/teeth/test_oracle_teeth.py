"""Planted errors in every proof term, and the comparisons that must find them.

Each test first lets the honest code pass a comparison with the truth (mpmath, or exact rationals), with
parameters so poor that the term counts, and then shows that the same comparison fails once the error is
planted.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
from flint import acb, arb

import pldverify as pv
from pldverify.balls import ball as balls
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.balls.memory import forget
from pldverify.errors import OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.contour import Contour, Parameters
from pldverify.reference.engines.inversion.inversion_sum import Run
from pldverify.reference.fast import gaussian_mixture
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid
from pldverify.reference.laws import gaussian_mixture as law_of_mixture
from pldverify.reference.laws import poisson_sample
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas import layers
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.lemmas.layers import Layers
from tests.oracle.closed_forms import (
    context,
    fraction,
    gaussian_delta,
    holds,
    inversion,
    mixture_delta,
    mixture_moment,
    normal_tail,
    randomized_response_delta,
    real,
)

Patch = pytest.MonkeyPatch
# the package exports functions of the same names
delta, profile, products, directions, question = (
    import_module(f"pldverify.reference.{name}")
    for name in (
        "quantities.delta",
        "quantities.profile",
        "laws.composed_loss",
        "engines.derived.directions",
        "engines.derived.question",
    )
)


@pytest.fixture(autouse=True)
def fresh_decays() -> Iterator[None]:
    """Bounds remembered by honest code must not help a planted error, nor the other way round."""
    contour.decays.cache_clear()
    yield
    contour.decays.cache_clear()


def plant_everywhere(monkeypatch: Patch, name: str, value: Any) -> None:
    """In the question and in the statements that prove its answer: in one alone, a statement refuses."""
    for module in (delta, profile, directions, question):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, value)


def law(composition: Any, direction: Direction = "remove") -> ComposedLoss:
    return products.product(as_composition(composition), direction)


def contains(value: arb, truth: Fraction) -> bool:
    return bool(lower(value) <= truth <= upper(value))


def honest_then_planted(check: Callable[[], bool], plant: Callable[[], None]) -> None:
    assert check(), "the honest code must pass"
    plant()
    forget()
    with suppress(OracleDisagreement):  # no probability at all
        assert not check(), "the planted error must be found"


EPSILON = Fraction(1)
GAUSS = law(pv.Gaussian(1))
# a period of π and two nodes: aliases and cut are large
COARSE = Parameters("upper", Fraction(2), Fraction(0), Fraction(6), Fraction(2), 20, 100)
SHORT = Parameters("upper", Fraction(2), Fraction(0), Fraction(6), Fraction(1, 4), 6, 100)


def gauss_truth() -> Fraction:
    mp = context(50)
    return fraction(gaussian_delta(mp, mp.mpf(1))(mp.mpf(1)))


def contour_holds(parameters: Parameters, epsilon: Fraction = EPSILON) -> bool:
    return contains(Contour(GAUSS, "delta", parameters).value(epsilon), gauss_truth())


class TestContour:
    def test_dropped_alias_sum(self, monkeypatch: Patch) -> None:
        honest_then_planted(
            lambda: contour_holds(COARSE),
            lambda: monkeypatch.setattr(Kernel, "aliases", lambda *_: []),
        )

    def test_aliases_of_one_side_only(self, monkeypatch: Patch) -> None:
        aliases = Kernel.aliases
        # with θ small the aliases below count: e^{−θR} g(ε − R)
        parameters = replace(COARSE, theta=Fraction(1, 2), above=Fraction(3))
        honest_then_planted(
            lambda: contour_holds(parameters),
            lambda: monkeypatch.setattr(Kernel, "aliases", lambda *asked: aliases(*asked)[1:]),
        )

    def test_a_chernoff_constant_that_is_too_small(self, monkeypatch: Patch) -> None:
        chernoff = Kernel.chernoff
        honest_then_planted(
            lambda: contour_holds(COARSE),
            lambda: monkeypatch.setattr(Kernel, "chernoff", lambda self, lam: chernoff(self, lam) / 10**6),
        )

    def test_cut_bound_of_zero(self, monkeypatch: Patch) -> None:
        errors = Contour._errors
        honest_then_planted(
            lambda: contour_holds(SHORT),
            lambda: monkeypatch.setattr(
                Contour, "_errors", lambda self, epsilon: (arb(0), errors(self, epsilon)[1])
            ),
        )

    def test_halved_sum_with_the_bound_of_the_whole(self, monkeypatch: Patch) -> None:
        parameters = replace(SHORT, nodes=14)

        def half(first: int, terms: list[acb]) -> Run:
            return Run(first, terms[: len(terms) // 2])

        honest_then_planted(
            lambda: contour_holds(parameters), lambda: monkeypatch.setattr(contour, "Run", half)
        )

    def test_conjugate_terms_counted_once(self, monkeypatch: Patch) -> None:

        def once(first: int, terms: list[acb]) -> Run:
            return Run(first, [terms[0], *(term / 2 for term in terms[1:])])

        honest_then_planted(
            lambda: contour_holds(replace(SHORT, nodes=60)),
            lambda: monkeypatch.setattr(contour, "Run", once),
        )

    def test_decay_that_is_too_strong(self, monkeypatch: Patch) -> None:
        log_sup = Decay.log_sup
        honest_then_planted(
            lambda: contour_holds(SHORT),
            lambda: monkeypatch.setattr(Decay, "log_sup", lambda self, u: 10 * log_sup(self, u)),
        )

    def test_tail_without_its_constant(self, monkeypatch: Patch) -> None:
        mp = context(50)
        truth = fraction(normal_tail(mp, mp.mpf(1) / 2))

        def check() -> bool:
            return contains(Contour(GAUSS, "tail", SHORT).value(EPSILON), truth)

        cut = Contour._cut_decay

        def planted(self: Contour, decays: list[Decay]) -> arb:
            return cut(self, decays) - 14

        honest_then_planted(check, lambda: monkeypatch.setattr(Contour, "_cut_decay", planted))

    def test_the_wrong_side_of_the_pole(self, monkeypatch: Patch) -> None:
        left = Parameters("lower", Fraction(-1, 2), Fraction(-1), Fraction(0), Fraction(1, 8), 120, 120)

        def check() -> bool:
            return contains(Contour(GAUSS, "delta", left).value(EPSILON), gauss_truth())

        value = Kernel.value
        honest_then_planted(
            check, lambda: monkeypatch.setattr(Kernel, "value", lambda self, z: -value(self, z))
        )

    def test_a_kernel_without_its_second_pole(self, monkeypatch: Patch) -> None:
        honest_then_planted(
            lambda: contour_holds(replace(SHORT, nodes=60)),
            lambda: monkeypatch.setattr(Kernel, "value", lambda self, z: 1 / z),
        )


class TestDecay:
    """|φ(u)| of the tilted law, evaluated, against the bound that the cut relies on."""

    @staticmethod
    def bounded(single: Any, theta: Fraction) -> bool:
        with working(100):
            bound = single.decay(theta)
            values = single.on_line(theta, Fraction(1, 4), 200)
            return all(
                not (abs(values[j]) / values[0].real - bound.log_sup(ball(Fraction(j, 4))).exp()) > 0
                for j in range(1, 200)
            )

    @staticmethod
    def over_u(single: Any, theta: Fraction) -> bool:
        with working(100):
            bound = single.decay(theta).over_u
            values = single.on_line(theta, Fraction(1, 4), 200)
            return all(
                not (abs(values[j]) / values[0].real - bound / ball(Fraction(j, 4))) > 0
                for j in range(1, 200)
            )

    MIXTURE = ByTrapezoid(Fraction(2), Fraction(1, 5), "remove")

    def test_envelope_of_the_zero_instead_of_the_peak(self, monkeypatch: Patch) -> None:
        # a box of one layer: env must not follow sin y / y down to its zeros
        layer = Layers([arb(1)], [arb(1)])

        def check() -> bool:
            with working(80):
                return all(
                    not ((v := arb(j) / 10).sin() / v).__abs__() > (1 - layer.deficit(arb(u) / 10)).upper()
                    for u in range(1, 120)
                    for j in range(u, 240)
                )

        honest_then_planted(
            check, lambda: monkeypatch.setattr(layers, "_envelope", lambda x: abs(x.sin() / x))
        )

    def test_infimum_instead_of_supremum(self, monkeypatch: Patch) -> None:
        envelope = layers._envelope
        honest_then_planted(
            lambda: self.bounded(self.MIXTURE, Fraction(3)),
            lambda: monkeypatch.setattr(layers, "_envelope", lambda x: envelope(4 * x)),
        )

    def test_heights_twice_too_high(self, monkeypatch: Patch) -> None:
        under = Layers.under
        honest_then_planted(
            lambda: self.bounded(self.MIXTURE, Fraction(3)),
            lambda: monkeypatch.setattr(
                Layers, "under", staticmethod(lambda edges, heights: under(edges, [2 * h for h in heights]))
            ),
        )

    def test_peaks_not_lowered_to_one_mode(self, monkeypatch: Patch) -> None:
        # two far boxes: their transforms add up in phase where the hull of both would have died
        edges = [arb(0), arb(1), arb(9), arb(10)]
        heights = [arb(1) / 2, arb(0), arb(1) / 2]

        def check() -> bool:
            stack = Layers.under(edges, heights)
            with working(80):
                u = 2 * arb.pi() / 9
                size = abs((acb(0, u).exp() - 1) / acb(0, u) * (1 + acb(0, 9 * u).exp()) / 2)
                return not (size > (1 - stack.deficit(u)).upper())

        def hull(edges: list[arb], heights: list[arb]) -> Layers:
            return Layers([arb(1)], [(edges[-1] - edges[0]) / 2])

        honest_then_planted(check, lambda: monkeypatch.setattr(Layers, "under", staticmethod(hull)))

    def test_cells_from_the_wrong_end(self, monkeypatch: Patch) -> None:
        honest_then_planted(
            lambda: self.bounded(self.MIXTURE, Fraction(3)),
            lambda: monkeypatch.setattr(
                gaussian_mixture,
                "_cells",
                lambda floats, c, q, cells=gaussian_mixture._cells: _narrow(cells(floats, c, q)),
            ),
        )

    def test_total_variation_without_its_factor(self, monkeypatch: Patch) -> None:
        supremum = gaussian_mixture._supremum
        honest_then_planted(
            lambda: self.over_u(self.MIXTURE, Fraction(3)),
            lambda: monkeypatch.setattr(
                gaussian_mixture, "_supremum", lambda *arguments: supremum(*arguments) / 100
            ),
        )


def _narrow(cells: tuple[list[arb], list[arb]]) -> tuple[list[arb], list[arb]]:
    squares, logs = cells
    return [square - 2 * arb(2).log() for square in squares], logs  # e^{−square/2} twice as large


class TestTransform:
    """M on the line, against the exact binomial sum of MTZ19 at integer orders."""

    @staticmethod
    def moment_holds(sigma: Fraction, q: Fraction, order: int) -> bool:
        mp = context(60)
        truth = fraction(mixture_moment(mp, real(mp, sigma), real(mp, q), order))
        with working(60):
            value = ByTrapezoid(sigma, q, "remove").on_line(Fraction(order - 1), Fraction(0), 0)[0].real
        return contains(value, truth)

    @staticmethod
    def coarse(monkeypatch: Patch, factor: Fraction, reach: int | None = None) -> None:
        """A grid in x that is too coarse, or too short, for the precision: its error bounds count."""
        grid = gaussian_mixture.trapezoid

        def poor(*arguments: Any) -> Any:
            eta, first, last, strip, shift, below, above = grid(*arguments)
            eta, first, last = eta * factor, int(first / factor), int(last / factor)
            if reach is not None:
                first, last = max(first, -reach), min(last, reach)
            return eta, first, last, strip / (4 if factor > 1 else 1), shift, below, above

        monkeypatch.setattr(gaussian_mixture, "trapezoid", poor)

    def test_dropped_strip_bound(self, monkeypatch: Patch) -> None:
        # on a full range of x only the strip bound is left: the sum without any radius stands for its loss
        self.coarse(monkeypatch, Fraction(5, 2))
        moments = gaussian_mixture._moments

        def bare(*arguments: Any) -> list[acb]:
            return [acb(value.real.mid(), value.imag.mid()) for value in moments(*arguments)]

        honest_then_planted(
            lambda: self.moment_holds(Fraction(1), Fraction(1, 2), 3),
            lambda: monkeypatch.setattr(gaussian_mixture, "_moments", bare),
        )

    def test_dropped_tails(self, monkeypatch: Patch) -> None:
        self.coarse(monkeypatch, Fraction(1), reach=25)
        honest_then_planted(
            lambda: self.moment_holds(Fraction(1), Fraction(1, 2), 4),
            lambda: monkeypatch.setattr(gaussian_mixture, "mixture_tail", lambda *_: arb(0)),
        )

    def test_tail_of_the_base_alone(self, monkeypatch: Patch) -> None:
        self.coarse(monkeypatch, Fraction(1), reach=25)
        tail = gaussian_mixture.mixture_tail
        honest_then_planted(
            lambda: self.moment_holds(Fraction(1), Fraction(1, 2), 4),
            lambda: monkeypatch.setattr(
                gaussian_mixture, "mixture_tail", lambda c, q, p, *rest: tail(c, q, 0 * p, *rest)
            ),
        )

    def test_a_strip_wider_than_the_domain_of_analyticity(self, monkeypatch: Patch) -> None:
        # beyond a = πσ the trapezoid's bound has no proof, however small it looks: it must be refused
        grid = gaussian_mixture.trapezoid

        def wide(*arguments: Any) -> Any:
            eta, first, last, _, shift, below, above = grid(*arguments)
            return eta * 4, first // 4 - 2, last // 4 + 2, Fraction(10), shift, below, above

        monkeypatch.setattr(gaussian_mixture, "trapezoid", wide)
        with working(60), pytest.raises(pv.errors.NoConvergence):
            ByTrapezoid(Fraction(1, 2), Fraction(1, 5), "remove").on_line(Fraction(1, 2), Fraction(1, 10), 3)


HEADLINE = 10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")


def headline_truth(direction: str = "remove") -> Fraction:
    mp = context(42)
    theta, period = (mp.mpf(3), 30) if direction == "remove" else (mp.mpf(5), 30)
    return fraction(
        inversion(
            mp,
            [(mp.mpf(1), real(mp, "0.01"), 10_000)],
            direction,
            real(mp, "6.90735948"),
            theta=theta,
            period=mp.mpf(period),
        )
    )


class TestAnswers:
    """Errors in what surrounds the proof, found by the oracle's comparisons of public answers."""

    def test_lost_factor_k_in_the_decay(self, monkeypatch: Patch) -> None:
        # too weak a decay costs width only; a k too many is a lie
        parameters = Parameters("upper", Fraction(3), Fraction(0), Fraction(8), Fraction(1, 4), 12, 120)
        truth = headline_truth()

        def check() -> bool:
            line = Contour(law(HEADLINE), "delta", parameters)
            return contains(line.value(Fraction("6.90735948")), truth)

        cut = Contour._cut_decay

        def planted(self: Contour, decays: list[Decay]) -> arb:
            return cut(self, decays) * 10

        honest_then_planted(check, lambda: monkeypatch.setattr(Contour, "_cut_decay", planted))

    def test_lost_factor_k_in_the_alias_bound(self, monkeypatch: Patch) -> None:
        # θ far above the saddle point and a period of 3: the aliases from above are larger than δ
        epsilon, truth = Fraction("6.90735948"), headline_truth()
        parameters = Parameters("upper", Fraction(7), Fraction(0), Fraction(9), Fraction(21, 10), 60, 120)
        log_moment = ComposedLoss.log_moment

        def single(self: ComposedLoss, lam: Fraction) -> arb:
            return log_moment(ComposedLoss(tuple((law, 1) for law, _ in self.factors)), lam)

        honest_then_planted(
            lambda: contains(Contour(law(HEADLINE), "delta", parameters).value(epsilon), truth),
            lambda: monkeypatch.setattr(ComposedLoss, "log_moment", single),
        )

    def test_lost_factor_k_in_the_transform(self, monkeypatch: Patch) -> None:
        truth = headline_truth()
        product = products.product

        def one_less(composition: Any, direction: Direction) -> ComposedLoss:
            return ComposedLoss(tuple((law, k - 1) for law, k in product(composition, direction).factors))

        honest_then_planted(
            lambda: holds(pv.delta(HEADLINE, epsilon="6.90735948", adjacency="remove", digits=15), truth, 20),
            lambda: plant_everywhere(monkeypatch, "product", one_less),
        )

    def test_swapped_direction(self, monkeypatch: Patch) -> None:
        truth = headline_truth()
        swap = {"add": "remove", "remove": "add"}
        product = products.product
        honest_then_planted(
            lambda: holds(pv.delta(HEADLINE, epsilon="6.90735948", adjacency="remove", digits=15), truth, 20),
            lambda: plant_everywhere(monkeypatch, "product", lambda c, d: product(c, swap[d])),  # type: ignore[arg-type]
        )

    def test_one_direction_forgotten(self, monkeypatch: Patch) -> None:
        # below 0 the maximum is `add`
        mp = context(50)
        truth = max(
            mixture_delta(mp, mp.mpf(1), mp.mpf(1) / 5, d)(mp.mpf(-1) / 10) for d in ("add", "remove")
        )
        pair, ways = pv.PoissonSubsampled(pv.Gaussian(1), "0.2"), Composition.directions
        honest_then_planted(
            lambda: holds(pv.delta(pair, epsilon="-0.1"), truth, 40),
            lambda: monkeypatch.setattr(Composition, "directions", lambda self, asked: ways(self, asked)[:1]),
        )

    def test_a_float_instead_of_a_decimal(self, monkeypatch: Patch) -> None:
        mp = context(60)
        truth = mixture_delta(mp, mp.mpf(1), real(mp, "0.1"), "remove")(mp.mpf(1))
        pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
        modules = balls, law_of_mixture, poisson_sample

        def rounded(value: Any) -> arb:
            return arb(float(value))

        honest_then_planted(
            lambda: holds(pv.delta(pair, epsilon=1, adjacency="remove"), truth, 50),
            lambda: [monkeypatch.setattr(m, "ball", rounded) for m in modules],  # type: ignore[func-returns-value]
        )

    def test_the_sign_in_the_identity_below_zero(self, monkeypatch: Patch) -> None:
        mp = context(50)
        truth = mixture_delta(mp, mp.mpf(1), mp.mpf(1) / 5, "add")(mp.mpf(-1) / 10)
        pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.2")
        honest_then_planted(
            lambda: holds(pv.delta(pair, epsilon="-0.1", adjacency="add"), truth, 40),
            # without the change of direction the identity is that of a symmetric pair
            lambda: plant_everywhere(monkeypatch, "reverse", lambda direction: direction),
        )

    def test_infinite_losses_forgotten(self, monkeypatch: Patch) -> None:
        # 1 − (1 − δ_∞)^k at an ε beyond all finite losses
        pair = 5 * pv.ApproximateDP("0.1", "0.001")
        truth = 1 - (1 - Fraction("0.001")) ** 5
        honest_then_planted(
            lambda: holds(pv.delta(pair, epsilon=2), truth, 60),
            lambda: monkeypatch.setattr(ComposedLoss, "exact_infinite_mass", lambda self: Fraction(0)),
        )

    def test_an_atom_left_out_of_the_threshold(self, monkeypatch: Patch) -> None:
        from pldverify.reference.laws.laplace import LaplaceLaw

        tails = LaplaceLaw.tails
        honest_then_planted(
            lambda: Fraction(1, 2) in pv.tail(pv.Laplace(1), epsilon=1),
            lambda: monkeypatch.setattr(
                LaplaceLaw, "tails", lambda self, s: tails(self, s + Fraction(1, 10**40))
            ),
        )

    def test_a_mixture_with_its_weights_exchanged(self, monkeypatch: Patch) -> None:
        mp = context(50)
        truth = mp.log(mixture_moment(mp, mp.mpf(1), real(mp, "0.1"), 3)) / 2
        pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
        moments = gaussian_mixture._moments
        honest_then_planted(
            lambda: holds(pv.rdp(pair, order=3, adjacency="remove"), truth, 40),
            lambda: monkeypatch.setattr(
                gaussian_mixture, "_moments", lambda m, q, *rest: moments(m, 1 - q, *rest)
            ),
        )

    def test_an_epsilon_that_is_bracketed_on_one_side_only(self, monkeypatch: Patch) -> None:
        from pldverify.reference.engines.closed.threshold import Threshold

        mp = context(60)
        profile = gaussian_delta(mp, mp.mpf(1))
        truth = Threshold.value

        def check() -> bool:
            found = pv.epsilon(pv.Gaussian(1), delta="1e-5", digits=15)
            return bool(profile(real(mp, found.lower)) >= mp.mpf(10) ** -5 >= profile(real(mp, found.upper)))

        honest_then_planted(
            check,
            lambda: monkeypatch.setattr(
                Threshold, "value", lambda self, epsilon: truth(self, epsilon) * (1 - arb(2) ** -30)
            ),
        )


class TestComparisons:
    """The comparisons themselves have teeth."""

    def test_holds_sees_one_unit_beyond_the_slack(self) -> None:
        found = pv.delta(pv.Gaussian(1), epsilon=1, digits=20)
        good = gauss_truth()
        assert holds(found, good, 25)
        assert not holds(found, good * (1 + Fraction(1, 10**15)), 25)

    def test_brute_force_inversion_sees_another_count(self) -> None:
        found = pv.delta(HEADLINE, epsilon="6.90735948", adjacency="remove", digits=15)
        other = pv.delta(
            10_001 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"),
            epsilon="6.90735948",
            adjacency="remove",
            digits=15,
        )
        truth = headline_truth()
        assert holds(found, truth, 20) and not holds(other, truth, 20)

    @pytest.mark.parametrize("k", [3, 10])
    def test_exact_sums_see_one_atom_too_many(self, k: int) -> None:
        mp = context(80)
        growth = fraction(mp.exp(1))
        truth = randomized_response_delta(Fraction(3, 5), k, growth)
        missing = Fraction(3, 5) ** k - growth * Fraction(2, 5) ** k
        found = pv.delta(k * pv.RandomizedResponse("0.6"), epsilon=1)
        assert holds(found, truth, 60)
        assert truth == missing or not holds(found, truth - missing, 60)


def test_every_planted_error_left_no_trace() -> None:
    assert contour_holds(COARSE) and contour_holds(SHORT)
