"""Entries of the OpenDP deployments registry (YAML): what they claim, as a claim, and back.

The registry's schema is ``schemas/deployments-schema.yaml`` of opendp/deployments-registry-data. An entry
states ε, δ and ρ, and a mechanism in words alone. With ρ beside ε and δ the question is whether ρ implies
them; else there is nothing to judge the claim by. Block ``basic`` is kept, as an entry must have it.

Reading and writing YAML needs PyYAML, extra ``registry``.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pldverify.claims.wrong import Place, wrong
from pldverify.errors import InvalidInput
from pldverify.late_names import needs
from pldverify.numbers.exact import real, show
from pldverify.rulings.model import Claim

_BASIC = (
    "name",
    "data_curators",
    "intended_use",
    "data_product_type",
    "data_product_region",
    "description",
    "publication_date",
)
"""What an entry must say of itself."""
_DECIMAL = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?")
"""Numbers that are written as they are printed."""
_NULL = ("", "~", "null", "Null", "NULL")
"""What YAML reads as nothing, where it is not quoted."""
_VARIANTS = {"epsilon": "Approximate DP", "rho": "Zero-concentrated DP"}
"""What the registry calls the claims that it has a field for."""


def claim_of(text: str, place: Path) -> Claim:
    """The claim of an entry. Raises InvalidInput, MissingLibrary."""
    yaml = _yaml()
    try:
        entry = yaml.load(text, Loader=_plain(yaml))
    except (yaml.YAMLError, RecursionError) as error:
        raise InvalidInput(f"{place} must be YAML: {error}") from None
    deployment = _mapping(entry).get("deployment")
    if not isinstance(deployment, dict) or not isinstance(deployment.get("basic"), dict):
        raise InvalidInput(f"{place} must have deployment.basic, as entries of the deployments registry do")
    loss, basic = _mapping(deployment.get("privacy_loss")), deployment["basic"]
    row: dict[str, Any] = {
        "id": re.sub(r"[^A-Za-z0-9._-]", "-", str(_mapping(entry).get("url_slug") or place.stem))[:100],
        "title": basic.get("name"),
        "unit": loss.get("privacy_unit"),
        "trust_model": _mapping(deployment.get("deployment_model")).get("model_name"),
        "other_releases": _short(_mapping(deployment.get("accounting")).get("composition")),
        "implementation": _short(_mapping(deployment.get("implementation")).get("mechanisms")),
        "deployment": basic,
        **_claimed(_mapping(loss.get("privacy_parameters")), place),
    }
    try:
        return Claim.model_validate({name: value for name, value in row.items() if value is not None})
    except ValidationError as error:
        raise InvalidInput(f"{place}: {wrong(error, Place())}") from None


def _claimed(parameters: Mapping[str, Any], place: Path) -> dict[str, Any]:
    epsilon, delta, rho = (parameters.get(name) for name in ("epsilon", "delta", "rho"))
    if epsilon is not None and rho is not None and delta is not None:
        return {"epsilon": epsilon, "delta": delta, "phase": [{"mechanism": "zcdp", "rho": rho}]}
    if rho is not None:  # of an ε without its δ nothing is claimed
        return {"rho": rho}
    if epsilon is not None:
        return {"epsilon": epsilon, "delta": "0" if delta is None else delta}
    raise InvalidInput(f"{place} must state epsilon or rho in privacy_loss.privacy_parameters, got neither")


def entry_of(claim: Claim) -> str:
    """The registry's entry for a claim that something is at most so much, as YAML: a draft of tier 1.

    What it needs beside the claim stands in ``claim.deployment``. Raises InvalidInput, also for numbers that
    are no decimals; MissingLibrary.
    """
    basic = claim.deployment or {}
    lacking = [name for name in _BASIC if name not in basic]
    if lacking:
        raise InvalidInput(f"claim {claim.id}: deployment must have {', '.join(lacking)}, for the registry")
    if claim.relation != "<=":
        raise InvalidInput(
            f"claim {claim.id}: relation must be <=, as entries guarantee, got {claim.relation}"
        )
    if claim.quantity not in _VARIANTS:
        raise InvalidInput(
            f"claim {claim.id}: {' or '.join(_VARIANTS)} must be claimed, for the registry, "
            f"got {claim.quantity}"
        )
    parameters = {name: getattr(claim, name) for name in ("epsilon", "delta", "rho")}
    given = {name: _decimal(claim, name, str(x)) for name, x in parameters.items() if x is not None}
    pure = claim.delta is not None and real(str(claim.delta), "delta") == 0
    loss: dict[str, Any] = {"privacy_unit": claim.unit} if claim.unit else {}
    deployment: dict[str, Any] = {
        "basic": dict(basic),
        "dp_variant": {
            "variant_name": "Pure DP" if pure else _VARIANTS[claim.quantity],
        },
        "privacy_loss": {**loss, "privacy_parameters": given},
        "administrative": {"registry_authors": ["not stated"]},
    }
    entry = {"url_slug": claim.id, "status": "Draft", "tier": 1, "deployment": deployment}
    yaml = _yaml()

    class Dumper(yaml.SafeDumper):  # type: ignore[name-defined,misc]
        """Numbers by their text."""

    Dumper.add_representer(_Plain, _scalar)
    return str(yaml.dump(entry, Dumper=Dumper, sort_keys=False, allow_unicode=True))


class _Plain(str):
    """A number that is written as it is."""


def _decimal(claim: Claim, name: str, text: str) -> _Plain:
    """As printed where YAML reads that, else as the decimal that it is."""
    found = text if _DECIMAL.fullmatch(text) else show(real(text, name))
    if not _DECIMAL.fullmatch(found):
        raise InvalidInput(f"claim {claim.id}: {name} must be a decimal, for the registry, got {text}")
    return _Plain(found)


def _scalar(dumper: Any, number: _Plain) -> Any:
    """As YAML 1.1 reads numbers: one with an exponent has a point before it."""
    mantissa, e, exponent = number.partition("e")
    if not e and mantissa.isdigit():
        return dumper.represent_scalar("tag:yaml.org,2002:int", mantissa)
    pointed = mantissa if "." in mantissa else f"{mantissa}.0"
    return dumper.represent_scalar("tag:yaml.org,2002:float", f"{pointed}{e}{exponent}")


def _plain(yaml: Any) -> Any:
    """Every scalar but null is text: 1.0e-10 is that decimal. Aliases are refused: ten lines print as
    gigabytes.
    """

    class Plain(yaml.BaseLoader):  # type: ignore[misc]
        def construct_scalar(self, node: Any) -> Any:
            found = super().construct_scalar(node)
            return None if node.style is None and found in _NULL else found

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                line = self.peek_event().start_mark.line + 1
                raise yaml.YAMLError(f"line {line}: an alias (*name) must be written out")
            return super().compose_node(parent, index)

    return Plain


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _short(text: Any) -> str | None:
    return str(text)[:2_000] or None if text else None


def _yaml() -> Any:
    with needs("entries of the registry need PyYAML: pip install 'pldverify[registry]'"):
        import yaml
    return yaml
