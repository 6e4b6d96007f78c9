"""Group privacy: what each mechanism becomes, and what is refused."""

import pickle
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.accountants.worker import plain
from pldverify.certificate.html_page import html
from pldverify.certificate.markdown_page import markdown
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.rulings.cases import cases
from pldverify.rulings.model import Claim, Expression

SAMPLED = pv.PoissonSubsampled(pv.Gaussian(2, sensitivity="0.5"), "0.1")


@pytest.mark.parametrize(
    ("one", "three"),
    [
        (pv.Gaussian(2, "0.5"), pv.Gaussian(2, "1.5")),
        (pv.Laplace(2), pv.Laplace(2, 3)),
        (pv.DiscreteGaussian(2, 2), pv.DiscreteGaussian(2, 6)),
        (pv.DiscreteLaplace(2), pv.DiscreteLaplace(2, 3)),
        (pv.GDP("0.5"), pv.GDP("1.5")),
        (pv.ZCDP("0.1"), pv.ZCDP("0.9")),
        (pv.PureDP(1), pv.GroupDP(1, 0, 3)),
        (pv.ApproximateDP(1, "0.1"), pv.GroupDP(1, "0.1", 3)),
        (pv.GroupDP(1, "0.1", 2), pv.GroupDP(1, "0.1", 6)),
        (pv.PureDP("sqrt(2)"), pv.GroupDP("sqrt(2)", 0, 3)),
        (pv.PoissonSubsampled(pv.Gaussian(2), 1), pv.Gaussian(2, 3)),
        (
            SAMPLED,
            pv.MixtureOfGaussians(2, [0, "0.5", 1, "1.5"], ["0.729", "0.243", "0.027", "0.001"]),
        ),
    ],
    ids=str,
)
def test_three_records(one: Mechanism, three: Mechanism) -> None:
    assert pv.group(5 * one, 3) == 5 * three
    assert pv.group(one, 1) == pv.Composition.of((one, 1))


def test_an_approximate_promise_loses_a_geometric_sum() -> None:
    """δ(1 + e + e²) of three records at ε = 1."""
    found = pv.delta(pv.group(pv.ApproximateDP(1, "0.01"), 3), epsilon=3)
    assert Fraction("0.11107337927") < found.lower <= found.upper < Fraction("0.11107337928")


@pytest.mark.parametrize(
    ("composition", "standing"),
    [
        (7 * pv.PureDP(1), "exact"),
        (pv.PureDP("sqrt(2)"), "exact"),
        (pv.ApproximateDP(1, "0.01"), "exact"),
        (pv.Gaussian(2) + pv.PureDP(1), "exact"),
        (pv.ZCDP("0.1"), "upper bound"),
        (pv.PureDP(0) + pv.ApproximateDP(0, "0.01"), "exact"),
        (7 * pv.Gaussian(2) + pv.Laplace(1) + pv.GDP(1) + pv.DiscreteGaussian(2), "exact"),
        (7 * SAMPLED, "exact"),
    ],
    ids=str,
)
def test_what_a_group_is_of_the_truth(composition: pv.Composition, standing: str) -> None:
    whole = pv.group(composition, 2)
    assert whole.standing == standing and (3 * whole).standing == standing
    assert (whole + pv.Gaussian(1)).standing == standing
    assert whole.middle().standing == standing
    assert {end.standing for end in whole.ends()} == {standing}
    assert parse(str(whole)) == whole


def test_total_variations_add_up() -> None:
    """Three records move 0.2 each from the first outcome to the second one: TV 0.2, and 0.6 of all three."""
    laws = [[Fraction(3 - j, 5), Fraction(j, 5), Fraction(2, 5)] for j in range(4)]
    apart = [
        sum(max(a - b, Fraction(0)) for a, b in zip(laws[i], laws[j], strict=True))
        for i, j in ((0, 1), (1, 2), (2, 3), (0, 3))
    ]
    assert apart == [Fraction(n, 5) for n in (1, 1, 1, 3)]
    assert apart[-1] in pv.delta(pv.group(pv.ApproximateDP(0, "0.2"), 3), epsilon=0)


def test_numbers_that_are_no_fractions_are_enclosed() -> None:
    whole = pv.group(pv.GDP("sqrt(2)") + pv.Gaussian(1, "sqrt(3)"), 2)
    assert parse(str(whole)) == whole
    assert pv.delta(whole, epsilon=1, digits=6).digits >= 6


def test_an_expression_is_printed_in_names_of_mechanisms() -> None:
    whole = parse("group(10 * poisson(gaussian(1), q=0.1) + gaussian(3), m=2)")
    assert whole == pv.group(10 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1") + pv.Gaussian(3), 2)
    assert parse(str(whole)) == whole


@pytest.mark.parametrize(
    "mechanism",
    [
        pv.SampledWithoutReplacement(pv.Gaussian(1), "0.1"),
        pv.RandomizedResponse("0.7"),
        pv.PoissonSubsampled(pv.Laplace(1), "0.1"),
    ],
    ids=str,
)
def test_groups_without_a_known_pair_are_refused(mechanism: Mechanism) -> None:
    with pytest.raises(NotSupported, match="no pair is known for groups"):
        pv.group(mechanism, 2)


@pytest.mark.parametrize("m", [0, -1, "1.5", 10**7])
def test_a_group_has_a_size(m: object) -> None:
    with pytest.raises(InvalidInput, match="m must be an integer from 1"):
        pv.group(pv.Gaussian(1), m)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, [1], [1]), "sigma must be > 0"),
        ((1, [0], [1]), "one > 0 of positive probability"),
        ((1, [0, 1], ["0.5", "0.4"]), "sum to exactly 1, got a sum of 0.9"),
        ((1, [0, 1], [1]), "as long as sensitivities, got 1 and 2"),
        ((1, [-1, 1], ["0.5", "0.5"]), r"sensitivities\[0\] must be >= 0"),
        ((1, [1, 1001], ["0.5", "0.5"]), "at most 1000 times the unit"),
        ((1, 1, [1]), "sensitivities must be a list of numbers"),
    ],
)
def test_mixtures_that_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        pv.MixtureOfGaussians(*arguments)  # type: ignore[arg-type]


def test_components_in_any_order_are_one_law() -> None:
    a = pv.MixtureOfGaussians(1, [2, 0, 2, 7], ["0.1", "0.5", "0.4", 0])
    assert a.unit == 2 and a.levels == ((0, Fraction(1, 2)), (1, Fraction(1, 2)))
    same = pv.PoissonSubsampled(pv.Gaussian(1, 2), "0.5")
    assert pv.delta(3 * a, epsilon=1, digits=8).overlaps(pv.delta(3 * same, epsilon=1, digits=8))


def test_accountants_are_told_of_the_group() -> None:
    ((mechanism, _),) = pv.group(pv.PureDP("0.5"), 2).parts
    assert plain.mechanism(mechanism) == {"kind": "group_dp", "epsilon": "1/2", "delta": "0", "m": "2"}


@pytest.mark.parametrize(
    ("expression", "size"),
    [
        ("group(gaussian(1), 3)", 3),
        ("2 * group(gaussian(1), 3) + group(laplace(2), 3)", 3),
        ("group(group(pure_dp(1), 2), 3)", 6),
        ("group(gaussian(1) + pure_dp(1), 3)", 3),
        ("group_dp(epsilon=1, delta=0, m=4)", 4),
        ("gaussian(sigma=1, sensitivity=3)", 1),
    ],
)
def test_a_ruling_says_what_stands_for_one_record(expression: str, size: int) -> None:
    """A page said of groups that neighbours differ in one record: of these another claim is true."""
    made = pv.certify(pickle.loads(pickle.dumps(pv.Query(expression, delta="1e-5"))), epsilon=5)
    told = f"a group of up to {size} records"
    assert made.to_json()["group_size"] == (size if size > 1 else None)
    for text in (str(made), html(made), markdown(made)):
        assert (told in text) == (size > 1)


def test_a_claim_on_groups_keeps_their_size() -> None:
    phases = [
        Expression(mechanism="expression", expression=text)
        for text in ("group(gaussian(1), 2)", "group(laplace(2), 2)")
    ]
    claim = Claim(id="one", epsilon="9", delta="1e-5", relation="<=", adjacency="add-or-remove", phase=phases)
    assert {case.composition.records for case in cases(claim)} == {2}


def test_a_size_is_a_number_of_records() -> None:
    with pytest.raises(InvalidInput):
        pv.Composition(((pv.Gaussian(sigma=1), 1),), 0)
