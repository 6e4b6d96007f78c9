"""A closed form at rising precision."""

from collections.abc import Callable

from pldverify.balls.ball import LOG2_10, SMALLEST
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.question import Proved

CAP = 20_000
"""Cap on the precision in bits: a closed form, or a difference from δ_∞, that needs more is given up."""


def rising(statement: Callable[[int], Proved], digits: int) -> tuple[Enclosure, Proved]:
    """``statement`` at rising precision, until ``digits`` significant digits are proved.

    A value below 2^−19999 is enclosed by [0, 2^−19999]. Raises NoConvergence.
    """
    bits = int(digits * LOG2_10) + 64
    while True:
        spend()
        proved = statement(bits)
        found = look(proved)
        if found.digits >= digits or (found.lower >= 0 and found.upper < SMALLEST):
            return found, proved
        bits *= 2
        if bits > CAP:
            raise NoConvergence(
                f"{found.engine}: wanted {digits} digits, reached {found.digits} at the cap of {CAP} bits"
            )
