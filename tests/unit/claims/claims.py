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


HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07",
    "\x9b31m",
    "sound\u202edno\u2066",
    "[click](https://example.org/x)",
    "![](https://example.org/x.png)",
    "<https://example.org>",
    "https://example.org and www.example.org",
    "<img src=x onerror=alert(1)>",
    "`` ` `",
    "` [click](https://example.org/x)",
    "[click](https://example.org/x) `",
    "| a | b |",
    "@everyone",
    "=1+1",
    "＝1+1",
    " =1+1",
    "\t@SUM(A1)",
    "'=1",
    "\n# Heading\n- item",
    "\ud800",
)
"""Texts that steer a terminal, make links, or run in a spreadsheet."""
