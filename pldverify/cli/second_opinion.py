"""``--second-opinion``: the same question by mpmath quadrature, beside the enclosure."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import click

from pldverify.cli.exits import Exit
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.agreement import agree, require_agreement, shown
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.estimate import Estimate
from pldverify.numbers.json import exact


@dataclass(frozen=True)
class Opinion:
    """What quadrature says: an estimate, or why there is none."""

    estimate: Estimate | None
    agrees: bool | None
    reason: str
    seconds: float

    def text(self) -> str:
        """One line to read."""
        if self.estimate is None:
            return f"second opinion: none: {self.reason}, {self.seconds:.3f} s"
        verdict = "agrees" if self.agrees else "DISAGREES"
        return (
            f"second opinion: {verdict}: {shown(self.estimate)} to {self.estimate.digits} digits, "
            f"{self.estimate.method}, {self.seconds:.3f} s"
        )

    def to_json(self) -> dict[str, object]:
        found = self.estimate
        return {
            "agrees": self.agrees,
            **exact(value=None if found is None else found.value),
            "digits": None if found is None else found.digits,
            "method": self.reason if found is None else found.method,
            "seconds": self.seconds,
        }


def opinion(
    quantity: str, composition: Composition, options: Mapping[str, object], enclosure: Enclosure
) -> Opinion:
    """The question of ``pldverify delta`` and its like, asked again; as many digits as quadrature gives."""
    from pldverify import quadrature

    asked = {name: value for name, value in options.items() if name not in ("digits", "engine")}
    start = time.perf_counter()
    try:
        estimate: Estimate = getattr(quadrature, quantity)(composition, **asked)
    except (NoConvergence, NotSupported) as error:
        return Opinion(None, None, str(error), time.perf_counter() - start)
    return Opinion(estimate, agree(enclosure, estimate), "", time.perf_counter() - start)


def end(second: Opinion | None, question: str, enclosure: Enclosure) -> None:
    """Raise OracleDisagreement where both exclude each other, exit undecided without a second opinion."""
    if second is None:
        return
    if second.estimate is None:
        raise click.exceptions.Exit(Exit.UNDECIDED)
    require_agreement(question, enclosure, second.estimate)
