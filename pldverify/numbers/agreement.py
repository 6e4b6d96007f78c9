"""Whether an estimate and an enclosure can be true of one number."""

import math
from fractions import Fraction

from pldverify.errors import OracleDisagreement
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.estimate import Estimate
from pldverify.numbers.scientific import scientific


def agree(enclosure: Enclosure, estimate: Estimate) -> bool:
    """Whether some number in the enclosure agrees with the estimate to its stated digits."""
    return estimate.covers(_nearest(enclosure, estimate.value))


def require_agreement(question: str, enclosure: Enclosure, estimate: Estimate) -> None:
    """Raise OracleDisagreement, which names both routes and both values, unless they agree."""
    if agree(enclosure, estimate):
        return
    routes, values = (f"engine {enclosure.engine}", estimate.method), (enclosure, estimate)
    raise OracleDisagreement(
        f"{question} is {enclosure} by {routes[0]}, but {shown(estimate)} to {estimate.digits} digits "
        f"by {routes[1]}",
        routes,
        values,
    )


def shown(estimate: Estimate) -> str:
    """The estimate in its trusted digits."""
    if estimate.value == math.inf:
        return "inf"
    return scientific(Fraction(estimate.value), max(1, estimate.digits))


def _nearest(enclosure: Enclosure, value: Bound) -> Bound:
    if value < enclosure.lower:
        return enclosure.lower
    return enclosure.upper if value > enclosure.upper else value
