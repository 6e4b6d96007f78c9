"""Claims for tests: one row, changed here and there."""

from typing import Any

from pldverify.rulings.model import Claim
from pldverify.rulings.rule import rule
from pldverify.rulings.ruling import Ruling

RUN = {
    "mechanism": "gaussian",
    "noise_multiplier": 1,
    "sampling": "poisson",
    "q": "0.01",
    "steps": 100,
}
"""True ε at δ = 1e-6: 0.95421."""


def claim(*phases: dict[str, Any], **changes: Any) -> Claim:
    """ε ≤ 1 at δ = 1e-6, of RUN by default."""
    row: dict[str, Any] = {"id": "one", "epsilon": "1", "delta": "1e-6", "adjacency": "add-or-remove"}
    row |= {"phase": list(phases or (RUN,)), **changes}
    return Claim.model_validate({name: value for name, value in row.items() if value is not None})


def ruled(*phases: dict[str, Any], **changes: Any) -> Ruling:
    """The ruling on :func:`claim`."""
    return rule(claim(*phases, **changes))


def noise(**changes: Any) -> dict[str, Any]:
    """RUN, changed; None takes a field away."""
    return {name: value for name, value in {**RUN, **changes}.items() if value is not None}


def verdicts(ruling: Ruling, kind: str = "literal") -> list[str]:
    """One a meaning."""
    return [str(reading.verdict) for reading in ruling.readings if reading.kind == kind]
