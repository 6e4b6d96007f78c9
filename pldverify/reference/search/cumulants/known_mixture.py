"""Cumulants of mixtures of laws, of which one is told which."""

import math

from pldverify.reference.laws.known_mixture import KnownMixtureLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def known_mixture(law: KnownMixtureLaw, theta: float) -> Cumulant:
    rows = [(math.log(share), cumulant(part, theta)) for share, part in law.parts]
    peak = max(log + value for log, (value, _, _) in rows)
    weights = [math.exp(log + value - peak) for log, (value, _, _) in rows]
    total = math.fsum(weights)
    mean = math.fsum(w * slope for w, (_, (_, slope, _)) in zip(weights, rows, strict=True)) / total
    squares = (
        w * (bend + (slope - mean) ** 2) for w, (_, (_, slope, bend)) in zip(weights, rows, strict=True)
    )
    return peak + math.log(total), mean, math.fsum(squares) / total
