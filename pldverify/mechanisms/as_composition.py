"""What may stand for a composition: one, a mechanism, or an expression of them in a string."""

from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed

Composed = Composition | Mechanism | str


def as_composition(value: object) -> Composition:
    """The composition that ``value`` denotes; a mechanism alone is a composition of one.

    Raises InvalidInput, which says what is wrong with an expression, and for anything else.

    >>> print(as_composition("10 * gaussian(2) + gaussian(1)"))
    gaussian(sigma=1) + 10 * gaussian(sigma=2)
    """
    return parse(value) if isinstance(value, str) else composed(value)
