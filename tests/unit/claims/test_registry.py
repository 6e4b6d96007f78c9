"""Entries of the OpenDP deployments registry: read, judged, written."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from pldverify.claims.read import read
from pldverify.claims.registry import claim_of, entry_of
from pldverify.errors import InvalidInput
from pldverify.rulings.model import Claim
from pldverify.rulings.rule import rule

ENTRY = """
url_slug: tables/of-2020
status: Pending
tier: 3
deployment:
  basic:
    name: Tables
    data_curators: [Somebody]
    intended_use: Research
    data_product_type: Summary statistics
    data_product_region: USA
    description: Counts.
    publication_date: '2021-08-01'
  privacy_loss:
    privacy_unit: Person-level
    privacy_parameters:
      rho: 0.07
      epsilon: 2.47
      delta: 1.0e-10
  deployment_model:
    model_name: Central
  administrative:
    registry_authors: [Somebody]
"""
PLACE = Path("tables.yaml")


def changed(**parameters: Any) -> str:
    entry = yaml.safe_load(ENTRY)
    entry["deployment"]["privacy_loss"]["privacy_parameters"] = parameters
    return str(yaml.safe_dump(entry))


def test_rho_beside_epsilon_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "tables.yaml"
    path.write_text(ENTRY, "utf-8")
    (found,) = read(path)
    assert isinstance(found, Claim)
    assert (found.id, found.unit, found.trust_model) == ("tables-of-2020", "Person-level", "Central")
    assert (found.epsilon, found.delta) == ("2.47", "1.0e-10")  # as printed: no float in between
    assert rule(found).verdict == "CERTIFIED"


def test_what_is_claimed_alone_is_undecided() -> None:
    for parameters in ({"epsilon": 1.5}, {"rho": 2.63}, {"epsilon": 1, "delta": "1e-9"}):
        assert rule(claim_of(changed(**parameters), PLACE)).verdict == "UNDECIDED"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ("epsilon: 2, rho: 0.07", {"rho": "0.07"}),  # of an ε without its δ nothing is claimed
        ("epsilon: null, rho: 0.1", {"rho": "0.1"}),
        ("epsilon: , rho: 0.1, delta: ~", {"rho": "0.1"}),
        ("epsilon: 2, delta: null", {"epsilon": "2", "delta": "0"}),
        ("epsilon: 2, delta: 0, rho: 1", {"epsilon": "2", "delta": "0"}),
    ],
)
def test_what_is_not_said_is_no_number(parameters: str, said: dict[str, str]) -> None:
    """YAML's null was a number by that name, and a missing δ 0 in spite of ρ."""
    entry = f"deployment: {{basic: {{}}, privacy_loss: {{privacy_parameters: {{{parameters}}}}}}}"
    found = claim_of(entry, PLACE)
    assert {name: str(x) for name in ("epsilon", "delta", "rho") if (x := getattr(found, name))} == said


@pytest.mark.parametrize(
    "text", ["a: [", "[]", "deployment: 1", changed(), "!!python/object/apply:os.system ['true']", "[" * 1500]
)
def test_what_is_no_entry_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        claim_of(text, PLACE)


def test_an_entry_is_written_and_read_back() -> None:
    claim = claim_of(changed(epsilon=4.8, delta="4e-10"), PLACE)
    text = entry_of(claim)
    entry = yaml.safe_load(text)
    assert {"url_slug", "status", "tier", "deployment"} == set(entry)
    assert entry["deployment"]["privacy_loss"]["privacy_parameters"] == {"epsilon": 4.8, "delta": 4e-10}
    assert entry["deployment"]["dp_variant"] == {"variant_name": "Approximate DP"}
    again = claim_of(text, PLACE)
    assert (again.id, again.epsilon, again.unit, again.deployment) == (
        claim.id,
        claim.epsilon,
        claim.unit,
        claim.deployment,
    )


def test_an_entry_needs_its_basic_block() -> None:
    claim = Claim.model_validate({"id": "a", "epsilon": "1", "delta": "0"})
    with pytest.raises(InvalidInput, match="deployment must have name, data_curators"):
        entry_of(claim)


@pytest.mark.parametrize("epsilon", ["[1]", "{a: 1}", "''"])
def test_a_value_of_another_kind_is_named(epsilon: str) -> None:
    """It ended in a traceback."""
    with pytest.raises(InvalidInput, match=r"tables\.yaml: .*epsilon"):
        claim_of(ENTRY.replace("epsilon: 2.47", f"epsilon: {epsilon}").replace("rho: 0.07", ""), PLACE)


def test_an_alias_is_refused_with_its_line() -> None:
    """Each of a few lines doubled what the line above it prints as."""
    bomb = "\n".join(["a0: &a0 [x, x]", *(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40))])
    with pytest.raises(InvalidInput, match="line 2: an alias"):
        claim_of(f"{bomb}\nurl_slug: *a39\n{ENTRY.replace('url_slug: tables/of-2020', '')}", PLACE)
    with pytest.raises(InvalidInput, match=r"line \d+: an alias"):
        claim_of(ENTRY.replace("Person-level", "&unit Person").replace("Central", "*unit"), PLACE)


@pytest.mark.parametrize(
    ("changes", "written", "variant"),
    [
        ({"epsilon": "1/8", "delta": "1E-5"}, {"epsilon": 0.125, "delta": 1e-5}, "Approximate DP"),
        ({"epsilon": "2.0", "delta": "0.0"}, {"epsilon": 2.0, "delta": 0.0}, "Pure DP"),
        ({"epsilon": "010", "delta": "00.1"}, {"epsilon": 10, "delta": 0.1}, "Approximate DP"),
        ({"epsilon": "2", "delta": "0.001%"}, {"epsilon": 2, "delta": 1e-5}, "Approximate DP"),
    ],
)
def test_numbers_are_written_as_yaml_reads_them(
    changes: dict[str, str], written: dict[str, float], variant: str
) -> None:
    """1E-5 became the text '1E-5.0'."""
    found = yaml.safe_load(entry_of(drafted(**changes)))["deployment"]
    assert found["privacy_loss"]["privacy_parameters"] == written
    assert found["dp_variant"]["variant_name"] == variant


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epsilon": "1/3"}, "epsilon must be a decimal, for the registry, got 1/3"),
        ({"epsilon": "exp(1)"}, "epsilon must be a decimal"),
        ({"epsilon": "1", "relation": ">="}, "relation must be <=, as entries guarantee, got >="),
    ],
)
def test_what_no_entry_can_say_is_refused(changes: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        entry_of(drafted(delta="0", **changes))
    with pytest.raises(InvalidInput, match="epsilon or rho must be claimed, for the registry, got mu"):
        entry_of(drafted(mu="1", regret="0.01"))


def drafted(**changes: str) -> Claim:
    basic = claim_of(ENTRY, PLACE).deployment
    return Claim.model_validate({"id": "a", "deployment": basic, **changes})
