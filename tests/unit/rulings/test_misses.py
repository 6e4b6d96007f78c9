"""Near misses: both neighbours are decided."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.numbers import Enclosure
from pldverify.rulings import misses
from pldverify.rulings.cases import Case
from pldverify.rulings.misses import _first
from tests.unit.claims.claims import noise, ruled


def verdict(
    epsilon: str = "0.95", delta: Fraction | str = "1e-6", sigma: object = 1, steps: object = 100
) -> str:
    run = pv.Composition.of((pv.PoissonSubsampled(pv.Gaussian(sigma), "0.01"), steps))  # type: ignore[arg-type]
    return str(pv.certify(pv.Query(run, delta=delta), epsilon).verdict)


def test_what_would_hold_holds_and_its_neighbour_does_not() -> None:
    delta, sigma, steps = found = ruled(epsilon="0.95").misses
    assert [miss.name for miss in found] == ["δ", "noise multiplier", "steps"]
    assert (verdict(delta=delta.value), verdict(delta=delta.beyond)) == ("CERTIFIED", "REFUTED")
    assert (verdict(sigma=sigma.value), verdict(sigma=sigma.beyond)) == ("CERTIFIED", "REFUTED")
    assert (verdict(steps=steps.value), verdict(steps=steps.beyond)) == ("CERTIFIED", "REFUTED")


def test_steps_of_groups_that_take_turns_are_those_of_the_run() -> None:
    """Three steps of a group were told, of a run of twelve."""
    run = noise(noise_multiplier="1.1", sampling="cyclic-poisson", q="0.2", cycle_length=4, steps=100)
    found = next(miss for miss in ruled(run, epsilon=3, delta="1e-5").misses if miss.name == "steps")
    assert (found.value, found.beyond) == (12, 13)
    for steps, said in ((found.value, "CERTIFIED"), (found.beyond, "REFUTED")):
        assert ruled(run | {"steps": int(steps)}, epsilon=3, delta="1e-5").verdict == said


def test_steps_of_groups_are_not_those_of_other_phases() -> None:
    """A run of 4 + 2 steps was REFUTED, and "would hold with steps = 6"."""
    turns = noise(sampling="cyclic-poisson", q="0.1", cycle_length=2, steps=4)
    found = ruled(turns, noise(q="0.1", steps=2), epsilon="2.1", delta="1e-5")
    assert found.verdict == "REFUTED" and "steps" not in [miss.name for miss in found.misses]


@pytest.mark.slow
def test_steps_of_a_run_are_not_those_of_the_groups_that_it_was_accounted_for() -> None:
    """Four times the steps of Poisson batches were told, as the account has 4 groups."""
    run = noise(noise_multiplier="1.1", q=None, batch_size=10, dataset_size=200, steps=100)
    run |= {"accounted_as": "cyclic-poisson", "cycle_length": 4}
    found = next(miss for miss in ruled(run, epsilon=2, delta="1e-5").misses if miss.name == "steps")
    for steps, said in ((found.value, "CERTIFIED"), (found.beyond, "REFUTED")):
        alone = noise(noise_multiplier="1.1", q="0.05", steps=int(steps))
        assert ruled(alone, epsilon=2, delta="1e-5").verdict == said


def test_what_holds_misses_nothing() -> None:
    assert ruled(epsilon="1").misses == ()
    assert ruled({"mechanism": "pure_dp", "epsilon": 1}, epsilon="0.9", delta=0).misses == ()


@pytest.mark.parametrize(
    ("claimed", "sigma", "steps"),
    [
        ({"rho": "0.4"}, ("11.19", "11.18"), (80, 81)),
        ({"mu": "0.9"}, ("11.12", "11.11"), (81, 82)),
        ({"rdp": {"order": 2, "divergence": "0.8"}}, ("11.19", "11.18"), (80, 81)),
    ],
)
def test_claims_of_zcdp_gdp_and_a_divergence(
    claimed: dict[str, object], sigma: tuple[str, str], steps: tuple[int, int]
) -> None:
    """100 steps of σ = 10 have ρ = 100/2σ² = 1/2, μ = 10/σ = 1 and D_2 = 1; ρ ≤ 0.4 from σ = 11.1803 on."""
    run = noise(noise_multiplier=10, steps=100, sampling="none", q=None)
    found = ruled(run, epsilon=None, delta=None, **claimed)
    assert found.verdict == "REFUTED"
    assert [(miss.name, miss.value, miss.beyond) for miss in found.misses] == [
        ("noise multiplier", *map(Fraction, sigma)),
        ("steps", *steps),
    ]
    twice = ruled(run | {"steps": 2}, epsilon=None, delta=None, rho="0.005").misses[-1]
    assert (twice.value, twice.beyond) == (1, 2)
    sampled = noise(noise_multiplier=10, steps=100, q="0.9")
    assert ruled(sampled, epsilon=None, delta=None, rho="1e-9").misses == ()


def test_different_noises_have_no_one_noise() -> None:
    found = ruled(noise(), noise(noise_multiplier=2), epsilon="0.5").misses
    assert [miss.name for miss in found] == ["δ"]


@pytest.mark.parametrize(("lower", "told"), [("0.15", []), ("0.19996", [Fraction("0.2")])])
def test_a_delta_that_is_known_roughly_has_no_neighbour(
    monkeypatch: pytest.MonkeyPatch, lower: str, told: list[Fraction]
) -> None:
    rough = Enclosure(Fraction(lower), Fraction("0.19999"), "stub")
    monkeypatch.setattr(misses, "bracket", lambda query, enough, seconds: rough)
    found = misses._delta(Case(pv.Composition.of((pv.Gaussian(1), 1)), "add"), Fraction(1))
    assert [miss.value for miss in found] == told


@pytest.mark.parametrize("edge", [1, 2, 3, 17, 100])
def test_the_search_finds_the_edge(edge: int) -> None:
    assert _first(lambda i: "CERTIFIED" if i >= edge else "REFUTED", 0, 100) == edge


def test_a_search_that_is_not_proved_finds_nothing() -> None:
    assert _first(lambda i: "REFUTED", 0, 100) is None
    assert _first(lambda i: "CERTIFIED" if i > 60 else "UNDECIDED" if i == 60 else "REFUTED", 0, 100) is None
    assert _first(lambda i: "CERTIFIED", 0, 0) is None


def test_what_would_hold_of_a_printed_pair_alone_is_not_told() -> None:
    """δ = 0.00003059 was told of q = 0.3, σ = 1 at ε = 3: that sampling has a greater δ."""
    phase = {"mechanism": "expression", "expression": "kjh19_substitute(gaussian(sigma=1), q=0.3)"}
    found = ruled(phase, epsilon="3", adjacency="replace-one")
    sampling = pv.SampledWithoutReplacement(pv.Gaussian(sigma=1), q="0.3")
    assert pv.delta(sampling, epsilon=3, digits=5).lower > Fraction("0.00003059")
    assert found.verdict == "REFUTED" and found.misses == ()
