"""Expressions: numbers are their text, the round trip is exact, and nothing is evaluated."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify.errors import InvalidInput
from pldverify.mechanisms import (
    GDP,
    ZCDP,
    AboveThreshold,
    ApproximateDP,
    BallsAndBins,
    Binomial,
    Composition,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    FinitePair,
    Gaussian,
    GaussianAboveThreshold,
    GNMax,
    GroupDP,
    KJH19Substitute,
    KJH20WithReplacement,
    Laplace,
    MixtureOfGaussians,
    NoisyMax,
    PermuteAndFlip,
    PoissonSubsampled,
    PureDP,
    RandomizedResponse,
    RenyiDP,
    RepeatAndSelect,
    SampledWithoutReplacement,
    SampledWithReplacement,
    ShuffledBatches,
    ShuffleModel,
    ThresholdedHistogram,
    TruncatedPoisson,
)
from pldverify.mechanisms.expression import MECHANISMS, REFERENCE, names, parse
from pldverify.mechanisms.mechanism import Mechanism

STEP = PoissonSubsampled(Gaussian(1), Fraction(1, 100))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("10000 * poisson(gaussian(sigma=1), q=0.01) + 5 * laplace(b=2)", 10_000 * STEP + 5 * Laplace(2)),
        ("10_000*poisson(gaussian(1), 1/100)", 10_000 * STEP),
        ("1e4 * poisson(base=gaussian(sigma=1.0), q=1e-2)", 10_000 * STEP),
        ("10**4 * poisson(gaussian(1), q=10**-2)", 10_000 * STEP),
        ("25 * 400 * poisson(gaussian(1), q=256/25_600)", 10_000 * STEP),
        ("2 * (3 * gaussian(1) + laplace(.5))", 6 * Gaussian(1) + 2 * Laplace("0.5")),
        ("gaussian(sigma=2, sensitivity=1/2)", Composition.of((Gaussian(2, Fraction(1, 2)), 1))),
        ("\n randomized_response ( p = 3/4 ) ", Composition.of((RandomizedResponse("0.75"), 1))),
        ("gaussian(0.1)", Composition.of((Gaussian(Fraction(1, 10)), 1))),
        ("1000000000000 * gaussian(1)", 10**12 * Gaussian(1)),
    ],
)
def test_parse(text: str, meant: Composition) -> None:
    assert parse(text) == meant


POSITIVE = st.fractions(min_value=Fraction(1, 10**9), max_value=10**9) | st.floats(
    min_value=0, exclude_min=True, allow_infinity=False
).map(Fraction)
UNIT = st.fractions(min_value=0, max_value=1) | st.floats(0, 1).map(Fraction)
MECHANISM: st.SearchStrategy[Mechanism] = st.one_of(
    st.builds(Gaussian, POSITIVE, POSITIVE),
    st.builds(Laplace, POSITIVE, POSITIVE),
    st.builds(PoissonSubsampled, st.builds(Gaussian, POSITIVE), UNIT.filter(bool)),
    st.builds(RandomizedResponse, UNIT),
)
COMPOSITION = st.lists(st.tuples(MECHANISM, st.integers(1, 10**9)), min_size=1, max_size=5).map(
    lambda parts: Composition.of(*parts)
)


@given(COMPOSITION)
def test_round_trip(composition: Composition) -> None:
    assert parse(str(composition)) == composition


def test_a_noise_schedule_of_a_thousand_steps_is_read() -> None:
    schedule = Composition.of(
        *((PoissonSubsampled(Gaussian(1 + Fraction(i, 1000)), "0.01"), i) for i in range(1, 1001))
    )
    assert parse(str(schedule)) == schedule


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expression must have a number or a mechanism at character 1, got the end"),
        ("   ", "expression must have a number or a mechanism at character 4, got the end"),
        (
            "foo(1)",
            "got mechanism='foo': mechanism must be one of above_threshold, approximate_dp, ",
        ),
        ("__import__('os')", "got mechanism='__import__': mechanism must be one of "),
        ("gaussian", "expression must have '(' at character 9, got the end"),
        ("gaussian(1", "expression must have ')' at character 11, got the end"),
        ("gaussian(1))", "expression must have '+', '*' or the end at character 12"),
        ("gaussian(1) gaussian(2)", "expression must have '+', '*' or the end at character 13"),
        ("gaussian(σ=1)", "expression must have a number or a mechanism at character 10, got 'σ'"),
        ("gaussian(1).sigma", "expression must have '+', '*' or the end at character 12, got '.'"),
        ("gaussian(1)\x00", "expression must have '+', '*' or the end at character 12, got '\\x00'"),
        ("gaussian('1')", "expression must have a number or a mechanism at character 10"),
        ("gaussian(0x10)", "expression must have ')' at character 11, got 'x10'"),
        ("gaussian()", "gaussian must have exactly one of sigma, standard_deviation, noise_multiplier"),
        ("gaussian(1, 2, 3)", "gaussian must be called as gaussian(sigma, sensitivity=1): too many pos"),
        (
            "gaussian(1, noise=2)",
            "gaussian must be called as gaussian(sigma, sensitivity=1): it has no argument 'noise'",
        ),
        (
            "gaussian(sgima=1)",
            "gaussian must be called as gaussian(sigma, sensitivity=1): it has no argument 'sgima' "
            "(did you mean sigma?)",
        ),
        ("gaussian(sigma=1, sigma=2)", "expression must have each argument of gaussian once"),
        ("gaussian(sigma=1, 2)", "expression must have each argument of gaussian once"),
        ("gaussian(sigma=0)", "sigma must be > 0, got sigma=0"),
        ("gaussian(sigma=-1)", "sigma must be > 0, got sigma=-1"),
        ("gaussian(sigma=nan)", "sigma must be finite, got sigma=nan"),
        ("gaussian(sigma=-inf)", "sigma must be finite, got sigma=-inf"),
        ("gaussian([1, 2])", "sigma must be a number or a decimal string"),
        ("gaussian(gaussian(1))", "sigma must be a number or a decimal string"),
        ("poisson(gaussian(1), q=0)", "q must be in (0, 1], got q=0"),
        ("poisson(gaussian(1), q=1.01)", "q must be in (0, 1], got q=1.01"),
        ("poisson(2 * laplace(1), q=0.1)", "mechanisms on one sample must be "),
        ("0 * gaussian(1)", "count must be an integer from 1 to 1000000000000, got count=0"),
        ("-3 * gaussian(1)", "count must be an integer from 1 to 1000000000000, got count=-3"),
        ("2.5 * gaussian(1)", "count must be an integer from 1 to 1000000000000, got count=2.5"),
        ("nan * gaussian(1)", "count must be finite, got count=nan"),
        ("1e13 * gaussian(1)", "count must be an integer from 1 to 1000000000000"),
        ("1e999999999 * gaussian(1)", "number must have at most"),
        ("gaussian(1__0)", "number must be a decimal or a fraction"),
        ("gaussian(1) + 3", "expression must have a mechanism on both sides of '+', got 3"),
        ("gaussian(1) ** 3", "expression must have numbers around"),
        ("-gaussian(1)", "expression must have numbers around"),
        (
            "3",
            "expression must name one of above_threshold, approximate_dp, approximate_zcdp, balls_and_bins, ",
        ),
        ("[gaussian(1)]", "expression must name one of "),
        ("1/0 * gaussian(1)", "expression must not divide by zero, got 1/0"),
        ("gaussian(0 ** -1)", "expression must have a moderate exponent, got 0 ** -1"),
        ("gaussian(10 ** 10 ** 10)", "expression must have a moderate exponent, got 10 ** 10 ** 10"),
        ("gaussian(10 ** (10 ** 10))", "expression must have a moderate exponent, got 10 ** (10 ** 10)"),
        ("gaussian(1e4000 * 1e4000)", "number must be a ratio of integers of at most"),
        ("(" * 60 + "gaussian(1)" + ")" * 60, "expression must nest at most 50 brackets"),
        ("gaussian(" * 60, "expression must nest at most 50 brackets"),
        ("1" * 100_001, "expression must have at most 100000 characters, got 100001"),
    ],
)
def test_bad_expressions_get_one_line(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200 + len(", ".join(names()))  # at most all names are listed


@pytest.mark.parametrize(
    ("text", "near"), [("poison(gaussian(1), 0.1)", "poisson"), ("gaussian(squrt(2))", "sqrt")]
)
def test_a_name_that_is_nearly_right_gets_a_suggestion(text: str, near: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^got mechanism='\w+' \(did you mean {near}\?\): mechanism"):
        parse(text)


def test_only_text_is_parsed() -> None:
    with pytest.raises(InvalidInput, match="expression must be a string"):
        parse(Gaussian(1))  # type: ignore[arg-type]


FRAGMENT = st.sampled_from([*MECHANISMS, "sigma", "q", "nan", *"()[],=+-*/ ", "**", "1", "0.5", "1e9"])


@given(st.text() | st.lists(FRAGMENT, max_size=30).map("".join))
def test_any_text_ends_in_a_composition_or_in_bad_input(text: str) -> None:
    try:
        assert isinstance(parse(text), Composition)
    except InvalidInput as error:
        assert "\n" not in str(error)


def test_a_list_argument_arrives_as_exact_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[object] = []

    def pair(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Mechanism:
        received.extend((p, q))
        return Gaussian(1)

    monkeypatch.setitem(MECHANISMS, "pair", pair)
    parse("pair([0.1, 9/10], q=[0.5, 0.5])")
    assert received == [(Fraction(1, 10), Fraction(9, 10)), (Fraction(1, 2), Fraction(1, 2))]


def test_every_mechanism_has_a_name_that_it_prints() -> None:
    for name in MECHANISMS:
        assert any(str(mechanism).startswith(f"{name}(") for mechanism in EXAMPLES)


EXAMPLES = [
    Gaussian(1),
    Laplace(1),
    STEP,
    RandomizedResponse("0.75"),
    RandomizedResponse("0.75", categories=5),
    DiscreteGaussian("2.5", sensitivity=3),
    DiscreteLaplace(2),
    Binomial(1000, "0.5"),
    PureDP("0.1"),
    ApproximateDP(1, "1e-6"),
    GroupDP("0.1", "1e-6", 3),
    GDP("0.5"),
    RenyiDP([2, 8], ["0.2", 1]),
    GNMax("40.5"),
    RepeatAndSelect(Gaussian(1), mean=10, shape="1/2"),
    RepeatAndSelect(100 * STEP + Laplace(1), mean="2.5", shape="inf"),
    GaussianAboveThreshold(10, 20, 100, 2, True),
    ZCDP("0.125"),
    ShuffledBatches(Gaussian(1), batches=100),
    ShuffledBatches(Gaussian(2, "0.5"), batches=100, persistent=True),
    ShuffleModel(RandomizedResponse("0.75"), n=100),
    ShuffleModel(PureDP(1), n=1000, alike=True),
    BallsAndBins(Gaussian(1), batches=100),
    BallsAndBins(Gaussian(1), batches=4, participations=3, steps=10),
    ShuffledBatches(Gaussian(1), batches=12, dropped="0.02"),
    FinitePair(["0.5", "1/3", "1/6"], ["0.25", "0.75", 0]),
    PoissonSubsampled(FinitePair([1, 0], ["0.5", "0.5"]), "0.1"),
    SampledWithoutReplacement(Gaussian(1), "0.1"),
    SampledWithoutReplacement(ApproximateDP(1, "1e-6"), "0.1"),
    SampledWithoutReplacement(ZCDP("0.5"), "0.1"),
    SampledWithReplacement(Gaussian(1), 10, 100),
    SampledWithReplacement(Laplace(1), 10, 100),
    TruncatedPoisson(Gaussian(1), "0.1", 100, 20),
    PoissonSubsampled(ZCDP("0.5"), "0.1"),
    PoissonSubsampled(GDP(1), "0.1"),
    PoissonSubsampled(3 * PureDP("0.5") + RandomizedResponse("0.75"), "0.1"),
    KJH19Substitute(Gaussian(2), "0.01"),
    KJH20WithReplacement(Gaussian(2), 10, 100),
    MixtureOfGaussians(2, [0, "0.5", 3], ["0.5", "0.25", "0.25"]),
    Exponential(1),
    Exponential("0.5", monotone=True, times=3),
    PermuteAndFlip(1),
    PermuteAndFlip(1, monotone=True),
    NoisyMax(2),
    NoisyMax(2, "0.5", monotone=True),
    ThresholdedHistogram(Laplace(2), 21),
    ThresholdedHistogram(Gaussian(2, 3), "15.5"),
    AboveThreshold(2, 4),
    AboveThreshold(2, 4, 3, monotone=True),
]


@pytest.mark.parametrize("mechanism", EXAMPLES, ids=str)
def test_every_mechanism_is_read_back(mechanism: Mechanism) -> None:
    assert parse(str(mechanism)) == Composition.of((mechanism, 1))


@pytest.mark.parametrize("left", ["(2 * gaussian(1))", "gaussian(1)"])
def test_two_compositions_have_no_product(left: str) -> None:
    with pytest.raises(InvalidInput, match="count must be a number"):
        parse(f"{left} * (3 * gaussian(1))")


@pytest.mark.parametrize("text", ["aa.bb.py:make", "aa.bb:make"])
def test_a_reference_begins_where_its_name_does(text):
    """Else a long text is scanned once from each of its characters."""
    assert REFERENCE.match(text)
    assert not any(REFERENCE.match(text, start) for start in range(1, text.index(":")))


def test_a_count_may_stand_on_either_side() -> None:
    assert parse("gaussian(2) * 5 + laplace(b=1) * 2^3") == parse("5 * gaussian(2) + 8 * laplace(b=1)")
    for text in ("gaussian(2) * gaussian(2)", "gaussian(2) / 5", "gaussian(2) * 0.5", "gaussian(2) * 0"):
        with pytest.raises(InvalidInput):
            parse(text)


def test_what_is_no_argument_is_not_repeated_at_length() -> None:
    with pytest.raises(InvalidInput, match=r"it has no argument 's9+") as refused:
        parse(f"gaussian(s{'9' * 5000}=1)")
    assert len(str(refused.value)) < 500
