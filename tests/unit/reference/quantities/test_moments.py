"""Transform, mean and variance: closed forms, and sums over the outcomes of a pair."""

import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.clock import allowance
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.engines.derived import moments as rule
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.moments import mgf, moments


def close(found: pv.Enclosure, truth: mpmath.mpf) -> bool:
    """Whether the enclosure contains the 50-digit number up to its last digits."""
    with mpmath.workdps(50):
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        slack = abs(truth) * mpmath.mpf(10) ** -40
        return bool(low - slack <= truth <= high + slack)


@pytest.mark.parametrize("steps", [1, 7, 10**6])
@pytest.mark.parametrize("sigma", ["0.2", "1", "50"])
def test_gaussian(steps: int, sigma: str) -> None:
    found = moments(steps * pv.Gaussian(sigma))
    variance = steps / Fraction(sigma) ** 2
    assert variance / 2 in found.mean and variance in found.variance
    assert min(found.mean.digits, found.variance.digits) >= 15
    assert found.variance.upper < variance * (1 + Fraction(1, 10**14))


@pytest.mark.parametrize(("b", "digits"), [("0.5", 15), ("3", 30)])
def test_laplace(b: str, digits: int) -> None:
    with mpmath.workdps(50):
        c = 1 / mpmath.mpf(b)
        mean = c + mpmath.exp(-c) - 1  # KL of two Laplace laws, c apart
        density = mpmath.quad(lambda s: s**2 * mpmath.exp((s - c) / 2) / 4, [-c, c])
        variance = c**2 / 2 + c**2 * mpmath.exp(-c) / 2 + density - mean**2
        mean, variance = 3 * mean, 3 * variance
    found = moments(3 * pv.Laplace(b), digits=digits)
    assert close(found.mean, mean) and close(found.variance, variance)
    assert found.mean.digits >= digits and found.variance.digits >= digits


@pytest.mark.parametrize("steps", [1, 1000, 10**9])
@pytest.mark.parametrize("p", ["0.75", "0.5001", "0.999999"])
def test_randomized_response(steps: int, p: str) -> None:
    """The loss is ±log(p/(1 − p))."""
    with mpmath.workdps(50):
        high = mpmath.mpf(p)
        loss = mpmath.log(high / (1 - high))
        mean, variance = steps * (2 * high - 1) * loss, steps * 4 * high * (1 - high) * loss**2
    found = moments(steps * pv.RandomizedResponse(p), digits=25)
    assert close(found.mean, mean) and close(found.variance, variance)
    assert min(found.mean.digits, found.variance.digits) >= 25


@pytest.mark.parametrize("adjacency", ["remove", "add"])
def test_pairs_by_counting(adjacency: str) -> None:
    p, q = ["0.5", "0.2", "0.2", "0", "0.1"], ["0.1", "0.4", "0.2", "0.3", "0"]
    first, second = (p, q) if adjacency == "remove" else (q, p)
    with mpmath.workdps(50):
        finite = [(mpmath.mpf(a), mpmath.mpf(b)) for a, b in zip(first, second, strict=True)][:3]
        mass = mpmath.fsum(a for a, _ in finite)
        losses = [(a / mass, mpmath.log(a / b)) for a, b in finite]
        mean = mpmath.fsum(a * s for a, s in losses)
        variance = 3 * (mpmath.fsum(a * s**2 for a, s in losses) - mean**2)
        mean *= 3
    found = moments(3 * pv.FinitePair(p, q), adjacency=adjacency)  # type: ignore[arg-type]
    assert close(found.mean, mean) and close(found.variance, variance)


def test_compositions_add_up() -> None:
    parts = [7 * pv.Gaussian(3), 20 * pv.Laplace(2), 5 * pv.RandomizedResponse("0.6"), 3 * pv.PureDP("0.1")]
    each = [moments(part, digits=25) for part in parts]
    found = moments(parts[0] + parts[1] + parts[2] + parts[3], digits=20)
    for name in ("mean", "variance"):
        whole, terms = getattr(found, name), [getattr(one, name) for one in each]
        assert whole.lower <= sum(t.upper for t in terms) and sum(t.lower for t in terms) <= whole.upper
        assert whole.digits >= 20


@pytest.mark.parametrize(("sigma", "q"), [("1", "0.01"), ("0.5", "0.5"), ("4", "0.001")])
@pytest.mark.parametrize("adjacency", ["remove", "add"])
def test_sampled_gaussian_to_twenty_digits(adjacency: str, sigma: str, q: str) -> None:
    with mpmath.workdps(40):
        rate, noise = mpmath.mpf(q), mpmath.mpf(sigma)

        def moment(power: int) -> mpmath.mpf:
            def integrand(t: mpmath.mpf) -> mpmath.mpf:
                ratio = 1 - rate + rate * mpmath.exp((2 * t - 1) / (2 * noise**2))
                weight, sign = (ratio, 1) if adjacency == "remove" else (1, -1)
                return mpmath.npdf(t, 0, noise) * weight * (sign * mpmath.log(ratio)) ** power

            return mpmath.quad(integrand, [noise * j for j in range(-14, 15)] + [14 * noise + 2])

        mean = moment(1)
        variance = moment(2) - mean**2
        found = moments(pv.PoissonSubsampled(pv.Gaussian(sigma), q), adjacency=adjacency, digits=20)  # type: ignore[arg-type]
        for enclosure, truth in ((found.mean, mean), (found.variance, variance)):
            exact = Fraction(mpmath.nstr(truth, 40))
            assert enclosure.digits >= 20
            assert enclosure.lower - exact / 10**22 <= exact <= enclosure.upper + exact / 10**22


def test_the_larger_direction_is_reported() -> None:
    steps = 10 * pv.PoissonSubsampled(pv.Gaussian("0.5"), "0.2")
    sides = [moments(steps, adjacency=side) for side in ("add", "remove")]  # type: ignore[arg-type]
    both = moments(steps)
    assert not sides[0].mean.overlaps(sides[1].mean)
    assert both.mean.overlaps(max((side.mean for side in sides), key=float))
    assert both.variance.overlaps(max((side.variance for side in sides), key=float))


def test_planted_bugs_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Teeth: a variance that is off in its 17th digit, and a mean over all losses, not the finite ones."""
    true_mean, true_variance = rule.mean, rule.variance
    plants = {
        "variance": lambda *a: true_variance(*a) * (1 + arb(10) ** -16),
        "mean": lambda *a: true_mean(*a) * 3 / 4,
    }
    with mpmath.workdps(50):
        p = 1 / (1 + mpmath.exp(-2))
        mean, variance = 2 * (2 * p - 1), 16 * p * (1 - p)
    for name, plant in plants.items():
        with monkeypatch.context() as patch:
            patch.setattr(rule, name, plant)
            found = moments(pv.ApproximateDP(2, "0.25"))
        assert not (close(found.mean, mean) and close(found.variance, variance))


def test_infinite_losses_are_left_out() -> None:
    with mpmath.workdps(50):
        p = 1 / (1 + mpmath.exp(-2))
        mean, variance = 2 * (2 * p - 1), 16 * p * (1 - p)
    found = moments(pv.ApproximateDP(2, "0.25"))
    assert close(found.mean, mean) and close(found.variance, variance)
    assert not close(found.mean, mean * 3 / 4)  # teeth: not conditioned


def test_sampled_gaussian_against_quadrature() -> None:
    pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    with mpmath.workdps(50):
        q = mpmath.mpf("0.01")

        def loss(t: mpmath.mpf) -> mpmath.mpf:
            return mpmath.log(1 - q + q * mpmath.exp(t - 0.5))

        def moment(power: int) -> mpmath.mpf:
            return mpmath.quad(
                lambda t: mpmath.exp(loss(t)) * loss(t) ** power * mpmath.npdf(t), range(-20, 31, 2)
            )

        mean, variance = moment(1), moment(2) - moment(1) ** 2
    found = moments(1000 * pair, adjacency="remove", digits=12)
    assert float(found.mean) == pytest.approx(float(1000 * mean), rel=1e-11, abs=0)
    assert float(found.variance) == pytest.approx(float(1000 * variance), rel=1e-11, abs=0)


@pytest.mark.parametrize("order", ["-3", "-1", "-0.5", "0", "0.5", "4"])
def test_transform_of_the_gaussian(order: str) -> None:
    with mpmath.workdps(50):
        lam = mpmath.mpf(order)
        truth = mpmath.exp(8 * lam * (lam + 1))
    assert close(mgf(4 * pv.Gaussian("0.5"), order=order), truth)


def test_transform_and_divergence_agree() -> None:
    steps = 10 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
    assert math.log(mgf(steps, order="2.5")) == pytest.approx(
        2.5 * float(pv.rdp(steps, order="3.5")), rel=1e-13, abs=0
    )


def test_the_transform_at_zero_is_the_finite_mass() -> None:
    assert Fraction(3, 4) in mgf(pv.ApproximateDP(2, "0.25"), order=0)


def test_bad_arguments() -> None:
    with pytest.raises(InvalidInput, match="order"):
        mgf(pv.Gaussian(1), order="inf")
    with pytest.raises(InvalidInput, match="digits"):
        moments(pv.Gaussian(1), digits=0)


@pytest.mark.parametrize("step", ["0", "-1/2"])
def test_a_difference_needs_a_step(step: str) -> None:
    loss, h = product(as_composition(pv.Gaussian(1)), "remove"), Fraction(step)
    with pytest.raises(NoConvergence, match="must be > 0"):
        rule.mean(loss, h)
    for steps in ((h, Fraction(1)), (Fraction(1), h)):
        with pytest.raises(NoConvergence, match="must be > 0"):
            rule.variance(loss, Fraction(0), *steps)


def test_what_leaves_the_range_of_floats_is_undecided() -> None:
    with pytest.raises(NoConvergence, match="moments: the search left the range of floats"):
        pv.moments(pv.GDP("1e4000"))
    with pytest.raises(NoConvergence, match="transform: wanted 30 digits, reached 0"):
        pv.mgf(10**4 * pv.PoissonSubsampled(pv.DiscreteGaussian("1e-4000"), 1), order=2)


def test_the_allowance_ends_between_nodes_of_thousands_of_bits() -> None:
    with allowance(0.1), pytest.raises(NoConvergence, match="far more work"):
        pv.moments(2 * pv.PoissonSubsampled(pv.Gaussian(1), "1e-5"), digits=1000)


def test_a_schedule_has_the_moments_of_its_steps() -> None:
    """Means and variances of independent losses add up; together they share transforms."""
    steps = [pv.PoissonSubsampled(pv.Gaussian(1 + Fraction(i, 25)), "0.01") for i in range(25)]
    alone = [moments(step, adjacency="add") for step in steps]
    whole = moments(pv.Composition.of(*((step, 1) for step in steps)), adjacency="add")
    for name in ("mean", "variance"):
        parts, total = [getattr(one, name) for one in alone], getattr(whole, name)
        assert total.digits >= 15
        assert (
            total.lower <= sum(one.upper for one in parts) and sum(one.lower for one in parts) <= total.upper
        )
