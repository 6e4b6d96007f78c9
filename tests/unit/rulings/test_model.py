"""The claims file's model: its published schema, and what it refuses."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from pldverify.rulings.model import ClaimsFile, Noise, schema
from tests.unit.claims.claims import claim, noise

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "pldverify" / "claims" / "claims-1.schema.json"
EXAMPLES = sorted((ROOT / "examples" / "claims").glob("*.toml"))
STORED = sorted((ROOT / "tests" / "data" / "claims").glob("*.json"))


def test_the_published_schema_is_that_of_the_models() -> None:
    assert json.loads(PUBLISHED.read_text("utf-8")) == schema()
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_follow_the_schema(path: Path) -> None:
    data = tomllib.loads(path.read_text("utf-8"), parse_float=str)
    jsonschema.validate(data, schema())
    assert ClaimsFile.model_validate(data).claim


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_files_stay_readable(path: Path) -> None:
    assert ClaimsFile.model_validate(json.loads(path.read_text("utf-8"))).claim


def test_something_is_stored() -> None:
    assert STORED and EXAMPLES


WRONG: list[tuple[dict[str, Any], str]] = [
    (noise(sensitivity=1), "must have standard_deviation and sensitivity, or noise_multiplier"),
    (noise(noise_multiplier=None, standard_deviation=1), "must have standard_deviation and sensitivity"),
    (noise(mechanism="laplace"), "laplace noise must have scale and sensitivity"),
    (noise(batch_size=5, dataset_size=10), "q must stand without batch_size and dataset_size"),
    (noise(q=None, batch_size=5), "batch_size and dataset_size must be given together"),
    (noise(q=None), "q must be given, or batch_size with dataset_size"),
    (noise(sampling="none"), "must be left out where nothing is sampled"),
    (noise(epochs=1), "exactly one of steps and epochs"),
    (noise(steps=None), "exactly one of steps and epochs"),
    (noise(steps_rule="ceil"), "must stand with epochs"),
    (noise(sampling="fixed_with_replacement"), "batch_size must be given for sampling or accounted_as"),
    (noise(accounted_as="fixed_with_replacement"), "batch_size must be given for sampling or accounted_as"),
    (
        noise(sampling="truncated-poisson", max_batch=9),
        "batch_size must be given for sampling or accounted_as",
    ),
    (
        noise(sampling="truncated-poisson", q=None, batch_size=5, dataset_size=10),
        "max_batch must be given for sampling or accounted_as = truncated-poisson",
    ),
    (noise(max_batch=9), "max_batch must be left out for sampling or accounted_as = poisson"),
    (noise(sampling="none", q=None, max_batch=9), "max_batch, .* must be left out where nothing is sampled"),
    (noise(sampling="allocation", participations=2), "q must be left out for sampling or accounted_as"),
    (noise(sampling="allocation", q=None), "participations must be given for sampling or accounted_as"),
    (
        noise(sampling="allocation", q=None, participations=2, steps=None, epochs=1),
        "steps must be given for sampling or accounted_as = allocation",
    ),
    (noise(sampling="cyclic-poisson"), "cycle_length must be given for sampling or accounted_as"),
    (
        noise(sampling="cyclic-poisson", cycle_length=2, accounted_as="poisson"),
        "not q, must be given for cyclic-poisson and another sampling",
    ),
    (noise(sampling="none", q=None, accounted_as="poisson"), "accounted_as must be left out where sampling"),
    (noise(sampling="shufled"), "'shuffled'"),
    (noise(standard_deviaton=1), "Extra inputs"),
    (noise(sigma=1), "gaussian noise must have standard_deviation and sensitivity"),
    (
        noise(noise_multiplier=None, mechanism="discrete_gaussian", standard_deviation=1, sensitivity=1),
        "sigma is the parameter, not the standard deviation, which is smaller",
    ),
    (noise(q=0.01), "valid string"),  # a float in Python is that double: not what a file says
    ({"mechanism": "zcdp", "epsilon": 1}, "zcdp must have rho, and nothing else"),
    ({"mechanism": "approximate_dp", "epsilon": 1}, "must have epsilon and delta"),
    ({"mechanism": "pure_dp", "epsilon": 1, "q": "0.1"}, "q must be given for sampling"),
    ({"mechanism": "magic"}, "does not match any of the expected tags"),
]


@pytest.mark.parametrize(("phase", "told"), WRONG, ids=lambda value: str(value)[:40])
def test_a_phase_that_says_too_much_or_too_little_is_refused(phase: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        claim(phase)


def test_the_q_of_groups_that_take_turns_is_that_of_a_group() -> None:
    (phase,) = claim(noise(sampling="cyclic-poisson", cycle_length=2)).phase
    assert isinstance(phase, Noise) and (phase.q, phase.cycle_length) == ("0.01", 2)


@pytest.mark.parametrize(
    ("phase", "name"),
    [
        (noise(noise_multiplier=None, sigma=2), "noise_multiplier"),
        (noise(noise_multiplier=None, sigma=2, sensitivity=3), "standard_deviation"),
        (noise(noise_multiplier=None, mechanism="discrete_gaussian", sigma=2, sensitivity=3), "sigma"),
    ],
)
def test_the_sigma_of_gaussian_noise_has_the_sensitivity_that_is_said(
    phase: dict[str, Any], name: str
) -> None:
    """Of discrete Gaussian noise it is the parameter."""
    (found,) = claim(phase).phase
    assert isinstance(found, Noise)
    spreads = {"noise_multiplier", "standard_deviation", "sigma", "scale"}
    assert {each: getattr(found, each) for each in found.model_fields_set & spreads} == {name: 2}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rho": "0.5"}, "exactly one of epsilon, rho, mu, rdp, tpr and advantage"),
        ({"epsilon": None}, "exactly one of epsilon, rho, mu, rdp, tpr and advantage"),
        ({"delta": None}, "delta must stand with epsilon"),
        ({"epsilon": None, "rho": "1"}, "delta must stand with epsilon"),
        ({"relation": "~"}, "Input should be"),
        ({"id": "../up"}, "String should match pattern"),
        ({"adjacency": "swap"}, "'replace-one'"),
    ],
)
def test_a_claim_that_says_too_much_or_too_little_is_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        claim(**changes)
