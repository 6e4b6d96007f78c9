"""Random questions: the same everywhere, within their ranges, and as code that asks the same."""

import math
import random
from fractions import Fraction

import pytest

import pldverify as pv
from benchmarks import questions
from benchmarks.questions import FAMILIES, Name, code, question

MANY = 100


def some(family: str, count: int = MANY) -> list[questions.Question]:
    """The first ones; schedules have hundreds of mechanisms, so fewer of them."""
    count = min(count, 40) if family == "schedules" else count
    return [question(Name(family, 1, number)) for number in range(count)]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_name_makes_one_question(family: str) -> None:
    assert some(family, 20) == some(family, 20)
    first = [q.query for q in some(family, 20)]
    assert first != [question(Name(family, 2, number)).query for number in range(20)]
    assert len(set(first)) == 20


def test_a_question_is_the_same_on_every_machine() -> None:
    asked = question(Name("dp-sgd", 1, 0))
    known = 5410 * pv.PoissonSubsampled(pv.Gaussian("0.481"), "0.0239")
    assert asked.query == pv.Query(known, delta="9.32e-6")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_question_is_well_posed(family: str) -> None:
    for asked in some(family):
        assert Fraction("1e-10") <= asked.query.delta <= Fraction("1e-4")
        assert asked.composition.directions(asked.adjacency)


def test_dp_sgd_fills_its_ranges() -> None:
    parts = [q.composition.parts for q in some("dp-sgd", 1000)]
    assert {len(part) for part in parts} == {1}
    noise = [mechanism.base.sigma for ((mechanism, _),) in parts]
    q = [mechanism.q for ((mechanism, _),) in parts]
    steps = [count for ((_, count),) in parts]
    for values, low, high in ((noise, "0.4", 10), (q, "1e-5", "0.3"), (steps, 10, 10**6)):
        low, high = Fraction(low), Fraction(high)
        assert low <= min(values) and max(values) <= high
        assert min(values) < low * Fraction(11, 10) and max(values) > high * Fraction(9, 10)
        middle = sorted(values)[len(values) // 2]
        assert abs(math.log(middle / low) / math.log(high / low) - 0.5) < 0.05


def test_federated_rounds_are_within_their_ranges() -> None:
    for family in ("federated-poisson", "federated-fixed"):
        for asked in some(family):
            ((mechanism, rounds),) = asked.composition.parts
            assert Fraction("1e-6") <= mechanism.q <= Fraction("1e-2") and 10 <= rounds <= 5000


def test_a_census_has_up_to_400_steps_of_up_to_20_sigmas() -> None:
    found = [q.composition for q in some("census", 1000)]
    assert min(c.steps for c in found) == 1 and 390 < max(c.steps for c in found) <= 400
    assert min(len(c.parts) for c in found) == 1 and max(len(c.parts) for c in found) <= 20
    assert all(isinstance(m, pv.DiscreteGaussian) for c in found for m, _ in c.parts)


def test_schedules_have_up_to_1000_distinct_phases() -> None:
    sizes = [len(q.composition.parts) for q in some("schedules")]
    assert min(sizes) <= 4 and 500 < max(sizes) <= 1000
    noise = [len({m.base.sigma for m, _ in q.composition.parts}) > 1 for q in some("schedules")]
    assert 0.3 < sum(noise) / len(noise) < 0.7


def test_replace_one_is_asked_at_tiny_and_large_q() -> None:
    for family in ("replace-poisson", "replace-fixed"):
        asked = some(family)
        q = [mechanism.q for one in asked for mechanism, _ in one.composition.parts]
        assert any(rate < Fraction("1e-5") for rate in q) and any(rate > Fraction("0.5") for rate in q)
        assert {one.query.adjacency for one in asked} == {"replace-one"}


def test_discrete_gaussians_reach_a_sigma_of_a_million() -> None:
    found = [mechanism for q in some("discrete-gaussian") for mechanism, _ in q.composition.parts]
    assert max(m.sigma for m in found) > 8 * 10**5
    assert any(m.sigma > 10**5 and m.sensitivity == 1 for m in found)


def test_a_mix_has_a_gaussian_and_another() -> None:
    for asked in some("mixed"):
        kinds = {type(getattr(m, "base", m)) for m, _ in asked.composition.parts}
        assert pv.Gaussian in kinds and len(kinds) > 1


@pytest.mark.parametrize("family", FAMILIES)
def test_code_asks_the_question(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pv, "epsilon", lambda composition, **asked: (composition, asked), raising=False)
    for asked in some(family, 20):
        line = asked.code(6)
        composition, arguments = eval(line, {"pv": pv, "question": question, "Name": Name})
        assert (
            pv.Query(composition, delta=arguments["delta"], adjacency=arguments.get("adjacency"))
            == asked.query
        )
        assert arguments["digits"] == 6


def test_code_leaves_out_what_is_default() -> None:
    assert code(pv.Gaussian("1.5")) == 'pv.Gaussian("1.5")'
    assert code(pv.DiscreteGaussian(3, 2)) == 'pv.DiscreteGaussian("3", 2)'


def test_shares_and_splits_are_whole() -> None:
    pick = random.Random(0)
    assert sum(questions.shares(pick, 7)) == pytest.approx(1, abs=1e-12)
    pieces = questions.split(pick, 100, 13)
    assert sum(pieces) == 100 and len(pieces) == 13 and min(pieces) > 0
    assert questions.split(pick, 1, 1) == [1]
