"""How an enclosure is printed, for people and as JSON."""

import math
import time
from collections.abc import Callable, Mapping
from typing import Literal

from pldverify.cli.options import Exact
from pldverify.cli.output import echo
from pldverify.cli.second_opinion import end, opinion
from pldverify.foreign import json_text
from pldverify.mechanisms.mechanism import Composition, Standing
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.json import exact, text

Quantity = Literal["delta", "epsilon", "rdp", "tail", "trade-off", "tpr"]

ASKED: dict[Quantity, tuple[str, str]] = {
    "delta": ("epsilon", "δ(ε={})"),
    "epsilon": ("delta", "ε(δ={})"),
    "rdp": ("order", "D_α(α={})"),
    "tail": ("epsilon", "P(S ≥ {})"),
    "trade-off": ("alpha", "f(α={})"),
    "tpr": ("fpr", "TPR(FPR={})"),
}
"""By quantity, the argument that says where it is asked for, and how the answer is called."""
NOT_EXACT: dict[Standing, str] = {
    "upper bound": "of the dominating pairs, which are not attained: privacy is at least that good",
    "lower bound": "of the printed pairs, which do not dominate: privacy is at most that good",
    "neither": "of the pairs alone: some are not attained, some do not dominate",
}


def _standing(quantity: Quantity, composition: Composition) -> Standing:
    """Of one step δ(ε) may be attained at each ε, by several neighbours, and more than that by none."""
    rates = quantity in ("trade-off", "tpr") and composition.tight_rates
    points = quantity in ("delta", "epsilon") or rates or composition.attained
    return "upper bound" if composition.standing == "exact" and not points else composition.standing


def answer(
    quantity: Quantity,
    enclose: Callable[..., Enclosure],
    composition: Composition,
    argument: Exact | float,
    *,
    adjacency: Adjacency | None = None,
    digits: object = None,
    engine: str | None = None,
    as_json: bool = False,
    explain: bool = False,
    second_opinion: bool = False,
) -> None:
    """Call ``enclose(composition, <argument>, adjacency=…, digits=…)``, time it and print the enclosure.

    With ``second_opinion`` print what mpmath quadrature says too. Raises OracleDisagreement where it
    contradicts the enclosure; ends with exit code 3 where it has no answer.
    """
    adjacency = adjacency or composition.adjacency
    name, called = ASKED[quantity]
    options: dict[str, object] = {name: argument, "adjacency": adjacency}
    wanted = {"digits": digits, "engine": engine}
    options |= {each: value for each, value in wanted.items() if value is not None}
    start = time.perf_counter()
    enclosure = enclose(composition, **options)
    seconds = time.perf_counter() - start
    label = called.format(text(argument))
    standing: Standing = "exact" if enclosure.two_sided else _standing(quantity, composition)
    second = opinion(quantity, composition, options, enclosure) if second_opinion else None
    if as_json:
        document: dict[str, object] = {
            "quantity": quantity,
            "composition": str(composition),
            "adjacency": adjacency,
            name: text(argument),
            **exact(lower=enclosure.lower, upper=enclosure.upper),
            "digits": None if math.isinf(enclosure.digits) else enclosure.digits,
            "pairs": standing,
            "engine": enclosure.engine,
            "witness": dict(enclosure.notes()),
            "seconds": seconds,
        }
        if second is not None:
            document["second_opinion"] = second.to_json()
        echo_json(document)
    else:
        echo(f"{label} = {enclosure}")
        echo(f"of {composition}, {adjacency}")
        if standing != "exact":
            echo(NOT_EXACT[standing])
        echo(f"{enclosure.proof()}, {seconds:.3f} s")
        if second is not None:
            echo(second.text())
        if explain:
            echo("\n".join(enclosure.details()))
    end(second, label, enclosure)


def echo_json(document: Mapping[str, object]) -> None:
    """The one JSON document on standard output."""
    echo(json_text(document))
