"""Plain: a query as JSON that knows no class of ours, for programs and for adapters in another environment.

Every number is the string of an exact rational in lowest terms, ``"7"`` or ``"1/100"``. A mechanism is an
object: its kind, which is the name of its file in ``pldverify/mechanisms``, and its fields.
"""

from fractions import Fraction

from pldverify.accountants.worker.lines import JSON, Message
from pldverify.errors import NotSupported
from pldverify.mechanisms.mechanism import Mechanism, parameters
from pldverify.mechanisms.query import Query

PROTOCOL = "pldverify-accountant/1"
"""Name and version of what ``docs/accountant_protocol.md`` describes."""

_ROOM = "pldverify.mechanisms."


def query(asked: Query) -> Message:
    """The plain form of a query. Raises NotSupported for a mechanism that is not one of ours."""
    return {
        "quantity": asked.quantity,
        "target": str(getattr(asked, asked.given)),
        "adjacency": asked.adjacency,
        "composition": [
            {"count": str(count), "mechanism": mechanism(part)} for part, count in asked.composition.parts
        ],
    }


def mechanism(part: Mechanism) -> Message:
    """The plain form of a mechanism. Raises NotSupported for one that is not one of ours."""
    module = type(part).__module__
    if not module.startswith(_ROOM):
        raise NotSupported(f"the protocol has no kind for {part}")
    values = {field.name: _value(getattr(part, field.name)) for field in parameters(part) if field.compare}
    return {"kind": module.removeprefix(_ROOM), **values}


def _value(value: object) -> JSON:
    match value:
        case bool() | None:
            return value
        case Mechanism():
            return mechanism(value)
        case tuple():
            return [_value(item) for item in value]
        case int() | Fraction() | str():
            return str(value)
    raise NotSupported(f"the protocol has no value of {type(value).__name__}")
