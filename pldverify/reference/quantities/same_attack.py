"""δ at many ε where batches are hidden, by the attack that one question has found.

The events of an attack make a law of which some neighbours have at least the δ(ε), at every ε
(:mod:`pldverify.reference.laws.batch_sums`). So what was searched for at one place proves a lower end at all
others; it is best near the place for which its events were chosen.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.choice import settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.both_sides import Attack, BothSides
from pldverify.reference.quantities.both_sides import ONLY_A_BRACKET
from pldverify.reference.quantities.profile import Profile


def attacked(found: Enclosure | None) -> BothSides | None:
    """The statement of a bracket of hidden batches with an attack by many events; None for all else.

    A single event, the best where one epoch is all, tells little at another ε.
    """
    if found is None or found.witness is None or not isinstance(found.witness.statement, BothSides):
        return None
    events = [seen for attack in found.witness.statement.below for seen in attack.events]
    return found.witness.statement if any(len(seen.cuts) > 1 for seen in events) else None


def same_attack(
    known: BothSides, epsilons: Sequence[Fraction], digits: int, floor: Fraction
) -> list[Enclosure]:
    """δ at each ε ≥ 0 (nats, rising) of what ``known`` is about: at most that of the revealed batches, and at
    least what its attacks have, to so many significant digits; 0 from where they have less than ``floor``.

    Raises NotSupported, NoConvergence.
    """
    revealed = Profile(known.above.composition, known.adjacency)  # type: ignore[arg-type]  # an adjacency
    above = revealed.delta(epsilons, digits=digits)
    found: list[Enclosure] = []
    for epsilon, high in zip(epsilons, above, strict=True):
        assert high.witness is not None  # a profile keeps its statements
        told = not found or found[-1].lower >= floor
        below = tuple(_at(attack, epsilon, digits) for attack in known.below if told)
        statement = high.witness.statement
        asked = replace(known, quantity="delta", at=epsilon, above=statement, below=below)  # type: ignore[arg-type]  # of all directions
        found.append(look(asked, {"why not narrower": ONLY_A_BRACKET}))
    return found


def _at(attack: Attack, epsilon: Fraction, digits: int) -> Attack:
    """The same attack, asked for δ at ε."""
    return replace(attack, part=settle(attack.part.about, "delta", epsilon, digits).statement)
