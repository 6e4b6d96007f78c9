"""Claims that are wrong in ways that people get them wrong: each is refuted, its right twin is not."""

from typing import Any

import pytest

from tests.unit.claims.claims import noise, ruled

EPOCHS = noise(q=None, steps=None, batch_size=100, dataset_size=1050, epochs=1, noise_multiplier=4)
"""10.5 batches: ε(1e-6) is 0.7… for ten."""


def verdict(*phases: dict[str, Any], **changes: Any) -> str:
    return str(ruled(*phases, **changes).verdict)


PLANTED = {
    "sigma as standard deviation": (
        noise(noise_multiplier=None, standard_deviation=4, sensitivity=4),
        noise(noise_multiplier=4),
        {"epsilon": "0.2"},
    ),
    "q per cent": (noise(q=1), noise(q="1%"), {}),
    "steps of one epoch for ten": (noise(steps=None, epochs=10), noise(steps=None, epochs=1), {}),
    "accountant's Poisson for a batch of a fixed size": (
        noise(sampling="fixed_without_replacement", steps=1, q="0.5"),
        noise(sampling="poisson", steps=1, q="0.5"),
        {"adjacency": "replace-one", "epsilon": "4.8"},
    ),
    "half the noise in one of two phases": (
        [noise(), noise(noise_multiplier="0.5")],
        [noise(), noise()],
        {"epsilon": "1.2"},
    ),
    "a release that is left out": ([noise(), {"mechanism": "pure_dp", "epsilon": 1}], [noise()], {}),
    "basic amplification q·ε": (
        {"mechanism": "pure_dp", "epsilon": 5, "sampling": "poisson", "q": "0.1"},
        {"mechanism": "pure_dp", "epsilon": "0.5"},
        {"epsilon": "0.5", "delta": "0"},
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_wrong_claim_is_refuted_and_its_twin_is_not(name: str) -> None:
    wrong, right, changes = PLANTED[name]
    as_list = [phase if isinstance(phase, list) else [phase] for phase in (wrong, right)]
    assert verdict(*as_list[0], **changes) in ("REFUTED", "CONDITIONAL")
    assert verdict(*as_list[1], **changes) in ("CERTIFIED", "CONDITIONAL")
    assert verdict(*as_list[0], **changes) != verdict(*as_list[1], **changes)


def test_adjacency_swapped() -> None:
    """0.954 where a record is added or removed, 1.11 where it is replaced."""
    claimed = {"epsilon": "1.05", "relation": ">=", "exact": True}
    assert verdict(adjacency="add-or-remove", **claimed) == "REFUTED"
    assert verdict(adjacency="replace-one", **claimed) == "CERTIFIED"


def test_the_rule_of_steps_swapped() -> None:
    """ε of ten and of eleven steps differ; a claim between them tells floor from ceil."""
    import pldverify as pv

    def true(steps: int) -> pv.Enclosure:
        return pv.epsilon(f"{steps} * poisson(gaussian(4), q=100/1050)", delta="1e-6", digits=6)

    between = str((true(10).upper + true(11).lower) / 2)  # type: ignore[operator]
    assert verdict({**EPOCHS, "steps_rule": "floor"}, epsilon=between) == "CERTIFIED"
    assert verdict({**EPOCHS, "steps_rule": "ceil"}, epsilon=between) == "REFUTED"
    assert verdict(EPOCHS, epsilon=between) == "CONDITIONAL"


def test_a_claim_for_shuffled_batches_is_not_certified_by_poisson() -> None:
    assert verdict(noise(sampling="shuffled", accounted_as="poisson")) == "CONDITIONAL"
    assert verdict(noise(sampling="shuffled")) == "UNDECIDED"
    assert verdict(noise(sampling="shuffled"), adjacency="zero-out") == "REFUTED"
