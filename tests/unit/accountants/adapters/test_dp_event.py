"""dp-accounting's trees of events: each node as its definition says, all others refused by name, and back."""

import math
from collections.abc import Callable
from fractions import Fraction
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.accountants.adapters import dp_event
from pldverify.errors import InvalidInput, MissingLibrary, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition

events = pytest.importorskip("dp_accounting.dp_event")
GAUSSIAN = events.GaussianDpEvent(2.0)
LAPLACE = events.LaplaceDpEvent(0.5)
ZCDP = events.ZCDpEvent(0.5)


@pytest.mark.parametrize(
    ("event", "meant"),
    [
        (GAUSSIAN, "gaussian(2)"),
        (LAPLACE, "laplace(1/2)"),
        (events.DiscreteLaplaceDpEvent(0.25, 3), "discrete_laplace(4, sensitivity=3)"),
        (events.RandomizedResponseDpEvent(0.5, 4), "randomized_response(5/8, categories=4)"),
        (events.RandomizedResponseDpEvent(0.0, 1), "pure_dp(0)"),
        (events.ZCDpEvent(0.5), "zcdp(1/2)"),
        (events.ZCDpEvent(0.0), "pure_dp(0)"),
        (events.NoOpDpEvent(), "pure_dp(0)"),
        (
            events.ComposedDpEvent([GAUSSIAN, LAPLACE, events.NoOpDpEvent(), GAUSSIAN]),
            "2*gaussian(2)+laplace(.5)",
        ),
        (
            events.SelfComposedDpEvent(events.ComposedDpEvent([GAUSSIAN, LAPLACE]), 3),
            "3*gaussian(2)+3*laplace(.5)",
        ),
        (events.SelfComposedDpEvent(GAUSSIAN, 0), "pure_dp(0)"),
        (events.PoissonSampledDpEvent(0.25, LAPLACE), "poisson(laplace(1/2), q=1/4)"),
        (events.PoissonSampledDpEvent(0.0, LAPLACE), "pure_dp(0)"),
        (
            events.PoissonSampledDpEvent(0.25, events.SelfComposedDpEvent(GAUSSIAN, 4)),
            "poisson(gaussian(1), 1/4)",
        ),
        (
            events.PoissonSampledDpEvent(0.25, events.SelfComposedDpEvent(GAUSSIAN, 2)),
            "poisson(gaussian(1/sqrt(0.5)), 1/4)",
        ),
        (
            events.SampledWithoutReplacementDpEvent(1000, 10, GAUSSIAN),
            "sampled_without_replacement(gaussian(2), q=1/100)",
        ),
        (
            events.SampledWithoutReplacementDpEvent(1000, 10, LAPLACE),
            "sampled_without_replacement(laplace(1/2), q=1/100)",
        ),
        (
            events.TruncatedSubsampledGaussianDpEvent(1000, 0.25, 300, 2.0),
            "truncated_poisson(gaussian(2), q=1/4, dataset_size=1000, max_batch=300)",
        ),
        (events.TruncatedSubsampledGaussianDpEvent(1000, 0.0, 300, 2.0), "pure_dp(0)"),
        (events.PoissonSampledDpEvent(0.25, ZCDP), "poisson(zcdp(0.5), q=1/4)"),
        (
            events.PoissonSampledDpEvent(0.25, events.ComposedDpEvent([ZCDP, GAUSSIAN])),
            "poisson(zcdp(5/8), q=1/4)",
        ),
        (
            events.PoissonSampledDpEvent(
                0.25, events.SelfComposedDpEvent(events.RandomizedResponseDpEvent(0.5, 2), 3)
            ),
            "poisson(3 * randomized_response(3/4), q=1/4)",
        ),
        (
            events.SampledWithReplacementDpEvent(1000, 10, GAUSSIAN),
            "sampled_with_replacement(gaussian(2), m=10, n=1000)",
        ),
        (
            events.MixtureOfGaussiansDpEvent(2.0, [0.0, 3.0], [0.75, 0.25]),
            "poisson(gaussian(2, sensitivity=3), q=1/4)",
        ),
        (events.MixtureOfGaussiansDpEvent(2.0, [3.0], [1.0]), "gaussian(2, sensitivity=3)"),
        (events.MixtureOfGaussiansDpEvent(2.0, [0.0], [1.0]), "pure_dp(0)"),
        (
            events.MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0, 2.0], [0.5, 0.25, 0.25]),
            "mixture_of_gaussians(1, [0, 1, 2], [1/2, 1/4, 1/4])",
        ),
        (
            events.SampledWithoutReplacementDpEvent(1000, 10, ZCDP),
            "sampled_without_replacement(zcdp(1/2), q=1/100)",
        ),
        (events.SingleEpochTreeAggregationDpEvent(2.0, 8), "tree_aggregation(2, steps=8)"),
        (events.SingleEpochTreeAggregationDpEvent(2.0, [3, 7, 4]), "tree_aggregation(2, steps=7)"),
        (
            events.SelfComposedDpEvent(events.SingleEpochTreeAggregationDpEvent(2.0, 100_000), 3),
            "3 * gaussian(2, sensitivity=sqrt(17))",
        ),
        (
            events.RepeatAndSelectDpEvent(events.SelfComposedDpEvent(GAUSSIAN, 3), 10.0, math.inf),
            "repeat_and_select(3 * gaussian(2), mean=10, shape=inf)",
        ),
        (events.NonPrivateDpEvent(), "approximate_dp(0, 1)"),
        (
            events.PoissonSampledDpEvent(0.25, events.NonPrivateDpEvent()),
            "poisson(approximate_dp(0, 1), 1/4)",
        ),
    ],
)
def test_an_event_is_read_as_it_is_defined(event: Any, meant: str) -> None:
    assert pv.from_dp_event(event) == as_composition(meant)


@pytest.mark.parametrize("kind", ["pld.PLDAccountant", "rdp.RdpAccountant"])
def test_an_accountant_is_read_by_its_ledger(kind: str) -> None:
    accountant = attrgetter(kind)(pytest.importorskip("dp_accounting"))()
    assert pv.from_dp_event(accountant) == as_composition("pure_dp(0)")
    accountant.compose(events.PoissonSampledDpEvent(0.25, GAUSSIAN), 3)
    assert pv.from_dp_event(accountant) == pv.from_dp_event(accountant.ledger) != as_composition("pure_dp(0)")


def test_a_float_means_its_double() -> None:
    ((step, _),) = pv.from_dp_event(events.PoissonSampledDpEvent(0.1, GAUSSIAN)).parts
    assert step.q == Fraction(0.1) != Fraction(1, 10)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (events.UnsupportedDpEvent(), "pldverify has no mechanism for UnsupportedDpEvent"),
        (events.ZCDpEvent(0.5, 0.1), r"no mechanism for ZCDpEvent\(rho=0.5, xi=0.1\): xi = 0 alone"),
        (events.MixtureOfGaussiansDpEvent(1.0, [0.0, -1.0], [0.5, 0.5]), "sensitivities >= 0 alone"),
        (events.PoissonSampledDpEvent(1.0, events.ZCDpEvent(0.5)), "PoissonSampledDpEvent of all records"),
        (
            events.PoissonSampledDpEvent(0.1, events.SelfComposedDpEvent(LAPLACE, 2)),
            "PoissonSampledDpEvent: mechanisms on one sample must be",
        ),
        (events.SampledWithReplacementDpEvent(9, 3, ZCDP), "SampledWithReplacementDpEvent of zcdp"),
        (
            events.SampledWithoutReplacementDpEvent(9, 9, ZCDP),
            "SampledWithoutReplacementDpEvent of zcdp",
        ),
        (
            events.ComposedDpEvent([GAUSSIAN, events.UnsupportedDpEvent()]),
            "no mechanism for UnsupportedDpEvent",
        ),
    ],
)
def test_all_others_are_refused_by_name(event: Any, message: str) -> None:
    with pytest.raises(NotSupported, match=message):
        pv.from_dp_event(event)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ("gaussian", "event must be a DpEvent or an accountant of dp-accounting, got 'gaussian'"),
        (None, "event must be a DpEvent"),
        (events.GaussianDpEvent(0.0), "noise_multiplier must be > 0"),
        (events.SingleEpochTreeAggregationDpEvent(0.0, 3), "noise_multiplier must be > 0"),
        (events.SingleEpochTreeAggregationDpEvent(1.0, []), "step_counts must have a tree, got none"),
        (events.SingleEpochTreeAggregationDpEvent(1.0, [3, 0]), "step_counts must be an integer from 1"),
        (events.GaussianDpEvent(float("nan")), "noise_multiplier must be finite"),
        (events.SelfComposedDpEvent(GAUSSIAN, -1), "SelfComposedDpEvent.count must be an integer from 1"),
        (events.PoissonSampledDpEvent(1.5, GAUSSIAN), "sampling_probability must be in"),
        (events.SampledWithoutReplacementDpEvent(10, 20, GAUSSIAN), "q must be in"),
        (events.MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [0.5, 0.4]), "must have a probability for each"),
        (events.MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [1.0]), "must have a probability for each"),
    ],
)
def test_bad_numbers_are_refused(event: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}|{message}"):
        pv.from_dp_event(event)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda event: events.SelfComposedDpEvent(event, 1),
        lambda event: events.SampledWithoutReplacementDpEvent(2, 1, event),
        lambda event: events.ComposedDpEvent([event]),
    ],
)
def test_no_depth_ends_in_a_traceback(wrap: Callable[[Any], Any]) -> None:
    event = GAUSSIAN
    for _ in range(5000):
        event = wrap(event)
    with pytest.raises(InvalidInput, match="events must nest at most 200 deep"):
        pv.from_dp_event(event)


def test_a_tree_of_shared_events_takes_no_longer_than_it_is_deep() -> None:
    event = GAUSSIAN
    for _ in range(30):
        event = events.ComposedDpEvent([event, event])
    assert pv.from_dp_event(event) == 2**30 * pv.Gaussian(2)
    for _ in range(100):
        event = events.ComposedDpEvent([event, event])
    with pytest.raises(InvalidInput, match="count must be an integer"):
        pv.from_dp_event(event)


DOUBLES = st.floats(1e-3, 1e3).map(Fraction)
CHANCES = st.floats(1e-6, 0.999).map(Fraction)
MECHANISMS = st.one_of(
    st.builds(pv.Gaussian, DOUBLES),
    st.builds(pv.Laplace, DOUBLES),
    st.builds(pv.ZCDP, DOUBLES),
    st.builds(pv.PoissonSubsampled, st.builds(pv.Gaussian, DOUBLES), CHANCES),
    st.builds(pv.SampledWithReplacement, st.builds(pv.Gaussian, DOUBLES), st.integers(1, 99), st.just(100)),
    st.builds(
        pv.SampledWithoutReplacement,
        st.builds(pv.Gaussian, DOUBLES),
        st.builds(Fraction, st.integers(1, 99), st.just(100)),
    ),
    st.builds(
        pv.TruncatedPoisson,
        st.builds(pv.Gaussian, DOUBLES),
        CHANCES,
        st.integers(1, 10**6),
        st.integers(1, 10**6),
    ),
    st.builds(
        pv.RepeatAndSelect,
        st.builds(pv.Gaussian, DOUBLES),
        st.floats(1, 100).map(Fraction),
        st.sampled_from([math.inf, Fraction(0)]) | st.floats(1e-6, 9).map(Fraction),  # less has no γ
    ),
    st.builds(pv.DiscreteLaplace, st.integers(-5, 5).map(lambda i: Fraction(2) ** i), st.integers(1, 9)),
    st.builds(pv.RandomizedResponse, st.integers(8, 16).map(lambda i: Fraction(i, 16)), st.just(2)),
)


@given(st.lists(st.tuples(MECHANISMS, st.integers(1, 10**6)), min_size=1, max_size=5))
def test_what_is_in_doubles_comes_back_unchanged(parts: list[tuple[Any, int]]) -> None:
    try:
        whole = Composition.of(*parts)
    except InvalidInput:  # no relation in common
        return
    assert pv.from_dp_event(pv.to_dp_event(whole)) == whole


def test_other_numbers_come_back_as_the_doubles_next_to_them() -> None:
    whole = as_composition("10 * poisson(gaussian(sqrt(2), sensitivity=2), q=1/3)")
    step = pv.PoissonSubsampled(pv.Gaussian(2**0.5 / 2), 1 / 3)
    assert pv.from_dp_event(pv.to_dp_event(whole)) == 10 * step


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gdp(1)", r"dp-accounting has no event for gdp\(mu=1\)"),
        ("binomial(10, 1/2)", "dp-accounting has no event for binomial"),
        ("kjh19_substitute(gaussian(1), 0.1)", "dp-accounting has no event for kjh19_substitute"),
        ("randomized_response(1/9, categories=4)", "dp-accounting needs p >= 1/4: randomized_response"),
        ("gaussian(1e-400)", "noise_multiplier=1e-400 is below the smallest double"),
    ],
)
def test_a_mechanism_without_an_event_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotSupported, match=message):
        pv.to_dp_event(text)


def test_an_event_that_the_installed_version_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = SimpleNamespace(DpEvent=events.DpEvent)
    monkeypatch.setattr(dp_event, "_events", lambda: lacking)
    for text, name in (
        ("pure_dp(1)", "EpsilonDeltaDpEvent"),
        ("approximate_dp(1, 1e-5)", "EpsilonDeltaDpEvent"),
        ("discrete_gaussian(2)", "DiscreteGaussianDpEvent"),
        ("balls_and_bins(gaussian(2), batches=9)", "GaussianDpEvent"),
    ):
        with pytest.raises(NotSupported, match=f"the installed version of dp-accounting has no {name}"):
            pv.to_dp_event(text)


def test_events_of_newer_versions_are_read_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their fields, as dp-accounting's development version has them: (epsilon, delta); sigma, sensitivity,
    dimension."""

    class EpsilonDeltaDpEvent(events.DpEvent):  # type: ignore[misc, name-defined]
        def __init__(self, epsilon: float, delta: float) -> None:
            object.__setattr__(self, "epsilon", epsilon)
            object.__setattr__(self, "delta", delta)

    class DiscreteGaussianDpEvent(events.DpEvent):  # type: ignore[misc, name-defined]
        def __init__(self, sigma: float, sensitivity: float = 1.0, dimension: int = 1) -> None:
            for name, value in (("sigma", sigma), ("sensitivity", sensitivity), ("dimension", dimension)):
                object.__setattr__(self, name, value)

    newer = SimpleNamespace(
        **{
            **vars(events),
            "EpsilonDeltaDpEvent": EpsilonDeltaDpEvent,
            "DiscreteGaussianDpEvent": DiscreteGaussianDpEvent,
        }
    )
    monkeypatch.setattr(dp_event, "_events", lambda: newer)
    for text in ("pure_dp(1)", "approximate_dp(1, 1/1024)", "discrete_gaussian(2, sensitivity=3)"):
        assert pv.from_dp_event(pv.to_dp_event(text)) == as_composition(text)
    with pytest.raises(NotSupported, match="one dimension alone"):
        pv.from_dp_event(DiscreteGaussianDpEvent(2.0, 1.0, 5))


def test_random_allocation_of_newer_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its fields, as dp-accounting's development version has them: event, num_selected, num_steps."""
    if not hasattr(events, "RandomAllocationDpEvent"):
        with pytest.raises(NotSupported, match="of dp-accounting has no RandomAllocationDpEvent"):
            pv.to_dp_event("balls_and_bins(gaussian(2), batches=9)")

    class RandomAllocationDpEvent(events.DpEvent):  # type: ignore[misc, name-defined]
        def __init__(self, event: Any, num_selected: int, num_steps: int) -> None:
            for name, value in (("event", event), ("num_selected", num_selected), ("num_steps", num_steps)):
                object.__setattr__(self, name, value)

    newer = SimpleNamespace(**{**vars(events), "RandomAllocationDpEvent": RandomAllocationDpEvent})
    monkeypatch.setattr(dp_event, "_events", lambda: newer)
    epochs = as_composition("20 * balls_and_bins(gaussian(4), batches=1000)")
    assert pv.from_dp_event(pv.to_dp_event(epochs)) == epochs
    shares = "4 * balls_and_bins(gaussian(2), batches=25, participations=4, steps=100)"
    for k, meant in ((0, "pure_dp(0)"), (4, shares)):
        assert pv.from_dp_event(RandomAllocationDpEvent(GAUSSIAN, k, 100)) == as_composition(meant)
    with pytest.raises(NotSupported, match="RandomAllocationDpEvent of laplace"):
        pv.from_dp_event(RandomAllocationDpEvent(LAPLACE, 1, 9))
    with pytest.raises(NotSupported, match="no event for balls_and_bins"):
        pv.to_dp_event(shares)


def test_an_aggregation_in_trees_is_answered_as_dp_accounting_does() -> None:
    """Its RDP accountant: the deepest tree, of ⌈log2(n + 1)⌉ levels."""
    rdp = pytest.importorskip("dp_accounting.rdp")
    zero_out = pytest.importorskip("dp_accounting").NeighboringRelation.REPLACE_SPECIAL
    for steps in (1, 7, 8, [2, 31], 1000):
        event = events.SingleEpochTreeAggregationDpEvent(2.0, steps)
        (theirs,) = rdp.RdpAccountant([8.0], zero_out).compose(event).rdp
        assert abs(float(pv.rdp(pv.from_dp_event(event), order=8)) / theirs - 1) < 1e-12


def test_without_the_library_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dp_event, "find_spec", lambda name: None)
    for ask in (lambda: pv.from_dp_event(GAUSSIAN), lambda: pv.to_dp_event("gaussian(1)")):
        with pytest.raises(MissingLibrary, match="events need the library dp-accounting"):
            ask()


def test_both_libraries_answer_alike_for_one_tree() -> None:
    """The number that dp-accounting's own PLD accountant gives for the event, next to our enclosure."""
    pld = pytest.importorskip("dp_accounting.pld")
    event = events.ComposedDpEvent(
        [events.SelfComposedDpEvent(events.PoissonSampledDpEvent(0.05, GAUSSIAN), 100), LAPLACE]
    )
    theirs = pld.PLDAccountant().compose(event).get_epsilon(1e-5)
    ours = pv.epsilon(pv.from_dp_event(event), delta=1e-5, digits=3)
    assert float(ours.lower) - 1e-3 < theirs < float(ours.upper) + 1e-2
