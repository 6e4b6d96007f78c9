"""Choices by noisy scores, thresholds and local randomisers: what they are, and what is said of them."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.certificate.issue import document
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.selection import Selection
from pldverify.reference.search.neighbours import SHARES, attained_by

F = Fraction


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pv.Exponential(0), "epsilon must be > 0, got epsilon=0"),
        (lambda: pv.Exponential(1, monotone=1), "monotone must be True or False, got monotone=1"),
        (lambda: pv.Exponential(1, times=301), "times must be an integer from 1 to 300, got times=301"),
        (lambda: pv.PermuteAndFlip(-1), "epsilon must be > 0, got epsilon=-1"),
        (lambda: pv.PermuteAndFlip(1, "True"), "monotone must be True or False, got monotone='True'"),
        (lambda: pv.NoisyMax(0), "b must be > 0, got b=0"),
        (lambda: pv.NoisyMax(1, sensitivity=0), "sensitivity must be > 0, got sensitivity=0"),
        (lambda: pv.AboveThreshold(1, 0), "query_b must be > 0, got query_b=0"),
        (
            lambda: pv.ThresholdedHistogram(pv.Laplace(2, 3), 3),
            "threshold must be > 3, the most that one record adds, got threshold=3",
        ),
        (
            lambda: pv.ThresholdedHistogram(pv.Gaussian("sqrt(2)"), 3),
            "base must have rational parameters, got gaussian(sigma=sqrt(2))",
        ),
        (
            lambda: pv.ThresholdedHistogram(pv.DiscreteLaplace(2), 9),  # type: ignore[arg-type]
            "base must be a Gaussian or Laplace mechanism, got DiscreteLaplace(",
        ),
        (lambda: pv.rappor(0, 0, 2), "q must be in [0, 1], got q=2"),
        (lambda: pv.rappor(0, 0, 1, hashes=0), "hashes must be an integer from 1 to 1000000, got hashes=0"),
        (lambda: pv.subset_selection("1/2", 4, 4), "size must be below categories, got size=4 of 4"),
        (lambda: pv.truncated_geometric(0, 3), "epsilon must be > 0, got epsilon=0"),
        (
            lambda: pv.truncated_geometric(1801, 5),
            "epsilon must be at most 9000/bound, where delta is e^-9000, got epsilon=1801, bound=5",
        ),
        (lambda: pv.truncated_geometric(1, 0), "bound must be an integer from 1 to 1000000, got bound=0"),
    ],
)
def test_bad_input_gets_one_line(make: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert str(caught.value).startswith(message)


LOSSES: list[tuple[Selection, F, F | None]] = [
    (pv.PermuteAndFlip(3), F(3), F(3)),
    (pv.PermuteAndFlip(3, monotone=True), F(3, 2), None),
    (pv.NoisyMax(2, 5), F(5), F(10)),
    (pv.NoisyMax(2, 5, monotone=True), F(5, 2), F(5)),
    (pv.AboveThreshold(2, 8, 5), F(15, 4), F(15, 2)),
    (pv.AboveThreshold(2, 8, 5, monotone=True), F(25, 8), F(15, 4)),
]


@pytest.mark.parametrize(("mechanism", "there", "replaced"), LOSSES, ids=str)
def test_the_largest_loss_by_relation(mechanism: Selection, there: F, replaced: F | None) -> None:
    """The ε of pure DP: a record that is there or not, or replaced, where monotone scores move both ways."""
    assert pv.epsilon(mechanism, delta=0).lower == pv.epsilon(mechanism, delta=0).upper == there
    if replaced is None:
        assert not pv.Composition.of((mechanism, 1)).has("replace-one")
    else:
        found = pv.epsilon(mechanism, delta=0, adjacency="replace-one")
        assert found.lower == found.upper == replaced


@pytest.mark.parametrize(
    ("mechanism", "one", "two"),
    [
        (pv.Exponential(1), "exact", "upper bound"),
        (pv.Exponential(1, times=2), "exact", "upper bound"),
        (pv.PermuteAndFlip(1), "exact", "upper bound"),
        (pv.NoisyMax(1), "upper bound", "upper bound"),
        (pv.AboveThreshold(1, 1), "upper bound", "upper bound"),
        (pv.ThresholdedHistogram(pv.Laplace(1), 9), "exact", "upper bound"),
        (pv.truncated_geometric(1, 9), "exact", "exact"),
        (pv.rappor("1/2", "1/4", "3/4"), "exact", "exact"),
    ],
    ids=str,
)
def test_what_is_attained_and_what_only_bounds(mechanism: Any, one: str, two: str) -> None:
    assert (1 * mechanism).standing == one and (2 * mechanism).standing == two


# --- what is attained ---


def laplace(x: Any) -> Any:
    return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2


def logistic(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


@pytest.mark.parametrize("share", SHARES[::3])
@pytest.mark.parametrize(
    ("mechanism", "distribution", "moved"),
    [
        (pv.PermuteAndFlip("7/5"), laplace, F(7, 5)),
        (pv.Exponential("7/5"), logistic, F(7, 5)),
    ],
    ids=["permute and flip", "exponential"],
)
def test_two_candidates_have_the_response(mechanism: Any, distribution: Any, moved: F, share: F) -> None:
    """Rounded inward by next to nothing: the first candidate wins when the noises differ by its lead or less.
    For Gumbel noise any two leads that far apart do: the one with this q is looked for.
    """
    found, adjacency = attained_by(3 * mechanism, "add-or-remove", share)  # type: ignore[misc]  # it has one
    ((pair, steps),) = found.parts
    assert steps == 3 and adjacency == "add-or-remove" and isinstance(pair, pv.FinitePair)
    with mpmath.workdps(40):
        p, q = (mpmath.mpf(x[0].numerator) / x[0].denominator for x in (pair.p, pair.q))
        low = -mpmath.mpf(share.numerator) / share.denominator * moved.numerator / moved.denominator
        if distribution is logistic:
            low = mpmath.log(q / (1 - q))
        high = low + mpmath.mpf(moved.numerator) / moved.denominator
        assert 0 <= distribution(high) - p + mpmath.mpf(10) ** -30 < mpmath.mpf(10) ** -25
        assert 0 <= q - distribution(low) + mpmath.mpf(10) ** -30 < mpmath.mpf(10) ** -25


@pytest.mark.parametrize("share", SHARES)
def test_a_response_is_rounded_inward(share: F) -> None:
    """To the last of 120 digits, of two exponential noises: p is not above what they have, q not below."""
    found, _ = attained_by(2 * pv.PermuteAndFlip("7/5"), "add-or-remove", share)  # type: ignore[misc]  # it has one
    ((pair, _),) = found.parts
    assert isinstance(pair, pv.FinitePair)
    with mpmath.workdps(120):
        low, high = (-share * F(7, 5), (1 - share) * F(7, 5))
        p, q = (mpmath.mpf(x[0].numerator) / x[0].denominator for x in (pair.p, pair.q))
        true = [laplace(mpmath.mpf(x.numerator) / x.denominator) for x in (high, low)]
        assert p < true[0] and q > true[1]


@pytest.mark.parametrize("noise", ["laplace(b=2)", "gaussian(sigma=2)"])
@pytest.mark.parametrize("threshold", [3, 9, 21])
def test_a_new_key_is_shown_at_least_so_often(noise: str, threshold: int) -> None:
    whole = pv.Query(f"2 * thresholded_histogram({noise}, threshold={threshold})", delta=0).composition
    found, _ = attained_by(whole, "add-or-remove", SHARES[-1])  # type: ignore[misc]  # it has one
    ((pair, _),) = found.parts
    assert isinstance(pair, pv.FinitePair)
    x = mpmath.mpf(threshold - 1) / 2
    exact = mpmath.exp(-x) / 2 if noise == "laplace(b=2)" else mpmath.erfc(x / mpmath.sqrt(2)) / 2
    rho = mpmath.mpf(pair.p[0].numerator) / pair.p[0].denominator
    assert pair.q == (0, 1) and exact * mpmath.mpf("0.7") < rho <= exact
    assert rho > exact * mpmath.mpf("0.999") or threshold < 9  # Mills' ratio, near its corner


@pytest.mark.parametrize(
    "mechanism", [pv.Exponential("1e-15"), pv.NoisyMax("1e-9"), pv.AboveThreshold("1e13", "1e13")]
)
def test_nothing_is_attained_where_nothing_is_known_or_worth_it(mechanism: Any) -> None:
    assert attained_by(2 * mechanism, "add-or-remove") is None


# --- brackets and claims ---


@pytest.mark.parametrize(
    ("expression", "ratio"),
    [
        ("20 * exponential(epsilon=0.1)", "1.15"),
        ("10 * exponential(epsilon=1)", "1.1"),
        ("20 * permute_and_flip(epsilon=0.1)", "1.05"),
        ("3 * permute_and_flip(epsilon=2)", "1.02"),
        ("2 * thresholded_histogram(laplace(b=2), threshold=30)", "1.1"),
        ("noisy_max(b=2)", "1.01"),
        ("noisy_max(b=40)", "1.05"),
        ("10 * noisy_max(b=4)", "1.25"),
        ("above_threshold(b=2, query_b=4)", "1.05"),
        ("10 * above_threshold(b=2, query_b=4)", "1.8"),
        ("gaussian_above_threshold(sigma=4, query_sigma=14, queries=12)", "1.15"),
        pytest.param(
            "10 * gaussian_above_threshold(sigma=13, query_sigma=19, queries=35)",
            "1.4",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_both_ends_are_near(expression: str, ratio: str) -> None:
    found = pv.bracket(expression, delta="1e-5", seconds=10, digits=1)
    assert found.two_sided and 0 < found.lower <= found.upper <= F(ratio) * F(found.lower)
    assert pv.prove_again(found) == found


@pytest.mark.parametrize(
    ("expression", "epsilon", "delta", "verdict"),
    [
        ("permute_and_flip(epsilon=2)", "1.9", "0", "REFUTED"),
        ("permute_and_flip(epsilon=2)", "2", "0", "CERTIFIED"),
        ("10 * exponential(epsilon=1)", "7.4", "1e-6", "REFUTED"),
        ("10 * exponential(epsilon=1)", "8.2", "1e-6", "CERTIFIED"),
        pytest.param("10 * exponential(epsilon=1)", "7.9", "1e-6", "UNDECIDED", marks=pytest.mark.slow),
        ("noisy_max(b=2)", "0.95", "0.01", "UNDECIDED"),
        ("noisy_max(b=2)", "0.9", "0.01", "REFUTED"),
        ("10 * noisy_max(b=4)", "5", "1e-6", "CERTIFIED"),
        ("10 * noisy_max(b=4)", "4.1", "1e-6", "REFUTED"),
        ("exponential(epsilon=1, times=10)", "7.7", "1e-6", "REFUTED"),
        ("exponential(epsilon=1, times=10)", "7.8", "1e-6", "CERTIFIED"),
        ("3 * above_threshold(b=2, query_b=4)", "3", "0", "CERTIFIED"),
        ("3 * above_threshold(b=2, query_b=4)", "2.9", "0", "REFUTED"),
        ("3 * above_threshold(b=2, query_b=4)", "2.9999", "0", "UNDECIDED"),
        ("10 * above_threshold(b=2, query_b=4)", "4.5", "1e-6", "REFUTED"),
        ("10 * above_threshold(b=2, query_b=4)", "7.7", "1e-6", "CERTIFIED"),
        ("3 * noisy_max(b=2)", "0.3", "0.01", "REFUTED"),
        ("thresholded_histogram(laplace(b=2), threshold=21)", "50", "2e-5", "REFUTED"),
        ("thresholded_histogram(laplace(b=2), threshold=21)", "1", "2.3e-5", "CERTIFIED"),
        ("10 * thresholded_histogram(laplace(b=2), threshold=21)", "100", "2.2e-4", "REFUTED"),
        ("10 * thresholded_histogram(laplace(b=2), threshold=21)", "5", "2.3e-4", "CERTIFIED"),
    ],
)
def test_claims(expression: str, epsilon: str, delta: str, verdict: str) -> None:
    assert pv.certify(expression, epsilon=epsilon, delta=delta).verdict == verdict


@pytest.mark.parametrize(
    ("expression", "least", "most"),
    [
        ("permute_and_flip(epsilon=2)", "0.94", "1.53"),  # it is not ε²/8-zCDP
        ("3 * exponential(epsilon=1)", "0.36", "0.375"),  # which the exponential mechanism is
        ("3 * exponential(epsilon=2, monotone=True)", "0.36", "0.375"),
        ("exponential(epsilon=1, times=3)", "0.36", "0.375"),
        ("above_threshold(b=2, query_b=4)", "0.0232", "0.4622"),  # 0.5192 log(0.5192/0.4121) + …; tanh ½
    ],
)
def test_zero_concentrated(expression: str, least: str, most: str) -> None:
    found = pv.zcdp(expression)
    assert found.lower is not None and found.upper is not None
    assert F(least) < found.lower.at <= found.upper.at <= F(most)


def test_what_a_threshold_hides_is_no_promise_where_a_record_is_replaced() -> None:
    """Two counts change then: δ(1.1) is 0.398, and (1.1, 0.05) was CERTIFIED."""
    counts = pv.truncated_geometric("ln(3)", 3)
    assert pv.certify(counts, epsilon="1.1", delta="0.05").verdict == "CERTIFIED"
    for refused in (
        lambda: pv.certify(counts, epsilon="1.1", delta="0.05", adjacency="replace-one"),
        lambda: pv.SampledWithoutReplacement(counts, q="0.1"),
        lambda: pv.group(counts, 2),  # of which a promise under every relation was made
    ):
        with pytest.raises((InvalidInput, NotSupported)):
            refused()
    promise = pv.ApproximateDP(counts.epsilon, counts.delta)
    assert counts + promise == promise + counts and parse(str(counts)) == pv.Composition.of((counts, 1))
    assert '"name": "approximate_dp"' in document(pv.certify(counts, epsilon="1.1", delta="0.05")).text()
