"""A composition is a multiset: order and grouping do not matter."""

from fractions import Fraction

import dp_accounting
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Composition, Gaussian, Laplace, PoissonSubsampled, Query

STEP = PoissonSubsampled(Gaussian(1), "0.01")


def test_equal_mechanisms_merge() -> None:
    assert Gaussian(1) + Gaussian("1.0") == 2 * Gaussian(Fraction(1))
    assert (3 * STEP + 4 * STEP).counts == {STEP: 7}


def test_order_and_grouping_do_not_matter() -> None:
    assert Laplace(2) + 5 * STEP == 5 * STEP + Laplace(2)
    assert 2 * (3 * STEP + Laplace(2)) == 6 * STEP + 2 * Laplace(2)
    assert hash(Laplace(2) + STEP) == hash(STEP + Laplace(2))


def test_sums_and_products_are_read_from_both_sides() -> None:
    schedule = [Gaussian(2), STEP, Gaussian(2), Laplace(3)]
    assert sum(schedule) == 2 * Gaussian(2) + STEP + Laplace(3) == sum(reversed(schedule))
    assert sum(schedule) * 2 == sum(mechanism * 2 for mechanism in schedule) == 2 * sum(schedule)
    assert sum([STEP]) == 1 * STEP


@pytest.mark.parametrize("other", [1, True, 1.5, "gaussian(1)", None])
def test_nothing_but_mechanisms_is_added(other) -> None:
    for composed in (STEP, 2 * STEP):
        with pytest.raises((InvalidInput, TypeError)):
            composed + other
        with pytest.raises((InvalidInput, TypeError)):
            other + composed


@pytest.mark.parametrize("build", [sum, lambda parts: Composition.of(*((part, 1) for part in parts))])
def test_a_long_sum_reads_each_part_a_few_times(build, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it costs must not grow with the square of its length."""
    asked = 0
    show = Gaussian.__str__

    def counted(self: Gaussian) -> str:
        nonlocal asked
        asked += 1
        return show(self)

    monkeypatch.setattr(Gaussian, "__str__", counted)
    whole = build([Gaussian(Fraction(i, 100)) for i in range(100, 300)])
    assert len(whole.parts) == 200
    assert asked <= 400


@given(
    st.lists(
        st.tuples(st.sampled_from([STEP, Gaussian(1), Gaussian(2), Laplace(2)]), st.integers(1, 3)),
        min_size=1,
    )
)
def test_a_sum_is_the_composition_of_its_parts(parts: list) -> None:
    """However it is bracketed."""
    whole = Composition(tuple(parts))
    half = len(parts) // 2
    left, right = (sum(k * m for m, k in each) for each in (parts[:half], parts[half:]))
    assert sum(k * m for m, k in parts) == whole == left + right
    assert str(whole) == str(left + right)


def test_a_sum_has_a_common_relation_or_is_refused() -> None:
    batch, rate = pv.SampledWithoutReplacement(Gaussian(1), "0.1"), PoissonSubsampled(Laplace(1), "0.1")
    with pytest.raises(InvalidInput, match="must have one neighbouring relation"):
        sum([rate, STEP, batch])
    assert (rate + STEP).directions() == ("remove", "add")
    with pytest.raises(InvalidInput, match="adjacency must be add-or-remove or zero-out for"):
        sum([STEP, rate]).directions("replace-one")


def test_a_directly_built_composition_is_the_same() -> None:
    assert Composition(((STEP, 3), (Laplace(2), 1), (STEP, 4))) == Laplace(2) + 7 * STEP
    assert Composition(((STEP, "7"),)).parts == ((STEP, 7),)  # type: ignore[arg-type]


@pytest.mark.parametrize("build", [lambda parts: Composition(parts), lambda parts: Composition.of(*parts)])
@pytest.mark.parametrize(
    ("count", "shown"),
    [(2.5, "2.5"), (-3, "-3"), (0, "0"), (10**12 + 1, "1000000000001"), (True, "True"), (None, "None")],
)
def test_counts_are_integers_from_1(build, count: object, shown: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^count must be .*, got count={shown}$"):
        build(((Gaussian(1), count),))


@pytest.mark.parametrize("parts", [(), Gaussian(1), (Gaussian(1),), ((1, Gaussian(1)),), "gaussian(1)"])
def test_parts_are_pairs_of_a_mechanism_and_a_count(parts: object) -> None:
    with pytest.raises(InvalidInput, match=r"^(parts must be pairs of|composition must have at least one)"):
        Composition(parts)  # type: ignore[arg-type]


def test_counts_that_merge_stay_below_the_cap() -> None:
    with pytest.raises(InvalidInput, match="count must be an integer from 1 to 1000000000000"):
        Composition(((STEP, 10**12), (STEP, 1)))


BATCH, DRAWS = pv.SampledWithoutReplacement, pv.SampledWithReplacement
PRINTED, PRINTED_DRAWS = pv.KJH19Substitute(Gaussian(1), "0.1"), pv.KJH20WithReplacement(Gaussian(1), 2, 9)


@pytest.mark.parametrize(
    ("composition", "standing"),
    [
        (10 * STEP, "exact"),
        (1 * BATCH(Gaussian(1), "0.1"), "exact"),
        (2 * BATCH(Gaussian(1), "0.1"), "upper bound"),
        (BATCH(Gaussian(1), "0.1") + Gaussian(2), "upper bound"),
        (5 * BATCH(Gaussian(1), 1), "exact"),
        (1 * DRAWS(Gaussian(1), 1, 9), "exact"),
        (2 * DRAWS(Gaussian(1), 1, 9), "upper bound"),
        (1 * DRAWS(Gaussian(1), 2, 9), "upper bound"),
        (3 * PRINTED, "lower bound"),
        (1 * pv.KJH19Substitute(Gaussian(1), 1), "exact"),
        (1 * PRINTED_DRAWS, "lower bound"),
        (PRINTED + 2 * BATCH(Gaussian(1), "0.1"), "neither"),
        (1 * pv.ZCDP(1), "upper bound"),
    ],
    ids=str,
)
def test_what_the_pairs_are_of_the_truth(composition: Composition, standing: str) -> None:
    assert composition.standing == standing


def test_steps_count_multiplicity() -> None:
    assert (10**12 * STEP + 5 * Laplace(2)).steps == 10**12 + 5


def test_a_float_and_a_decimal_are_different_mechanisms() -> None:
    assert PoissonSubsampled(Gaussian(1), 0.1) != PoissonSubsampled(Gaussian(1), "0.1")


def test_a_query_takes_a_mechanism_for_a_composition_of_one() -> None:
    assert Query(STEP, epsilon=1).composition == Composition.of((STEP, 1))
    assert Query(STEP, epsilon=1).quantity == "delta"
    assert Query(STEP, delta="1e-6").quantity == "epsilon"
    asked = str(Query(STEP, delta="1e-6"))
    assert asked == "ε at δ=1e-6 of poisson(gaussian(sigma=1), q=0.01) [add-or-remove]"
    assert str(Query(STEP, epsilon=1)).startswith("δ at ε=1 of ")


def test_noise_multipliers_are_exact() -> None:
    assert Gaussian("0.3", sensitivity="0.1").noise_multiplier == 3
    assert Laplace("0.3", sensitivity="0.1").noise_multiplier == 3


def test_what_it_shows_is_short() -> None:
    whole = sum((Gaussian(i) for i in range(2, 100)), start=3 * Gaussian(1))
    assert repr(3 * Gaussian(1)) == "Composition('3 * gaussian(sigma=1)')"
    assert len(repr(whole)) < 250 and repr(whole).endswith("…')")
    assert "<td" in whole._repr_html_() and "gaussian(sigma=1)" in whole._repr_html_()


def test_an_event_of_another_library_names_what_reads_it() -> None:
    event = dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(2.0), 3)
    with pytest.raises(InvalidInput, match=r"pldverify\.from_dp_event makes one of SelfComposed"):
        pv.epsilon(event, delta="1e-5")
