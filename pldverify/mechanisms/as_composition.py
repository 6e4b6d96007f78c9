"""What may stand for a composition: one, a mechanism, or an expression of them in a string."""

from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed
from pldverify.numbers.exact import brief

_READERS = {"dp_accounting": "pldverify.from_dp_event", "opacus": "pldverify.from_opacus_history"}
"""What reads the objects of other libraries."""
Composed = Composition | Mechanism | str


def as_composition(value: object) -> Composition:
    """The composition that ``value`` denotes; a mechanism alone is a composition of one.

    Raises InvalidInput, which says what is wrong with an expression, and for anything else.

    >>> print(as_composition("10 * gaussian(2) + gaussian(1)"))
    gaussian(sigma=1) + 10 * gaussian(sigma=2)
    """
    if isinstance(value, str):
        return parse(value)
    reader = _READERS.get(type(value).__module__.partition(".")[0])
    if reader is not None:
        raise InvalidInput(
            f"composition must be a mechanism or a composition: {reader} makes one of {brief(value)}"
        )
    return composed(value)
