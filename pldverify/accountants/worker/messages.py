"""Messages: questions to the process that runs an accountant, and its answers, as JSON objects of strings.

Programs and adapters in another environment are asked as ``docs/accountant_protocol.md`` says. A process of
ours is asked in objects (:mod:`pldverify.accountants.worker.objects`), and answers in the same way

    {"id": "7", "accountant": value, "query": value}

Whatever is not an answer of that document is a failure of the kind INVALID: nothing of it is repaired or
guessed.
"""

import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import cast, get_args

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer, flaw
from pldverify.accountants.standalone import TooLarge, encode
from pldverify.accountants.worker import objects, plain
from pldverify.accountants.worker.lines import JSON, Message
from pldverify.errors import FailureKind, InvalidInput, NotSupported, SubjectFailure
from pldverify.mechanisms.query import Query
from pldverify.named import one_line
from pldverify.numbers.claim import Claim, Direction, Promise
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import rational, show

_FIELDS = {
    "loaded": {"version"},
    "claim": {"value", "direction", "promise", "parameters", "source", "seconds"},
    "failure": {"failure", "message", "seconds"},
}
"""Of an answer, by its kind, beside ``id`` and ``kind``."""
_FAILURES: tuple[FailureKind, ...] = ("REFUSED", "RAISED", "INVALID", "OUT OF MEMORY")
"""What a process may say of itself; that it was stopped, or ended, we see."""
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
"""As JSON writes numbers."""
_MOST_SECONDS = 10**9
"""Cap on the seconds that a message may state: thirty years."""
_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)/[1-9][0-9]*")


def question(number: int, accountant: object, query: object) -> bytes:
    """The line of a question to a process of ours.

    Raises InvalidInput for an accountant that the process could not make, NotSupported for a query that is
    longer than a line.
    """
    return _line(number, {"accountant": objects.write(accountant), "query": objects.write(query)})


def plain_question(number: int, name: str, query: Query) -> bytes:
    """The line of a question to a program, or to the adapter that has an accountant of that name.

    Raises NotSupported for a query that is longer than a line, or of mechanisms without a plain form.
    """
    return _line(number, {"protocol": plain.PROTOCOL, "accountant": name, "query": plain.query(query)})


def _line(number: int, asked: Message) -> bytes:
    try:
        return encode({"id": str(number), **asked})
    except TooLarge as error:
        raise NotSupported(f"the query is too long to be sent to a worker: {error}") from None


def loaded(version: str) -> Message:
    """What the process says when it has loaded the accountant's library."""
    return {"kind": "loaded", "version": version}


def report(answer: Answer) -> Message:
    """What the process says at the end; ``answer`` is a claim without a flaw, or a failure."""
    seconds = repr(answer.seconds)
    if answer.claim is not None:
        return {"kind": "claim", "seconds": seconds, **_claim(answer.claim)}
    failure = cast(SubjectFailure, answer.failure)
    return {"kind": "failure", "seconds": seconds, "failure": failure.kind, "message": str(failure)}


def answered(
    message: Message, number: int, accountant: Accountant, version: str, seconds: float = 0.0
) -> Answer | str:
    """What the process said to question ``number``: how it ended, or the version that it has loaded.

    The name and the direction of the ``accountant``, ``version`` and ``seconds`` stand in for what it leaves
    out. Raises SubjectFailure, kind INVALID, for what is no answer.
    """
    if message.get("id") != str(number):
        raise SubjectFailure("answered what it was not asked", "INVALID")
    kind = message.get("kind")
    fields = _FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise _unexpected("kind", kind)
    if unknown := message.keys() - fields - {"id", "kind"}:
        raise _unexpected("field", min(unknown))
    seconds = _seconds(message["seconds"]) if "seconds" in message else seconds
    match kind:
        case "loaded":
            return _text(message.get("version"), "version")
        case "claim":
            return Answer(version, seconds, claim=_read_claim(message, accountant, version))
    failure = SubjectFailure(_line_of(message.get("message")), _kind(message.get("failure")))
    return Answer(version, seconds, failure=failure)


def told(accountant: Accountant, query: Query, answer: Answer) -> Answer:
    """The answer of a program, a failure told with the accountant's name; INVALID for a flawed claim."""
    name, source = accountant.name, f"{accountant.name} {answer.version}"
    if answer.claim is not None:
        wrong = flaw(answer.claim, query)
        if wrong is None and answer.claim.direction != accountant.direction:
            wrong = f"a claim of direction {answer.claim.direction}, and its own is {accountant.direction}"
        if wrong is None:
            return answer
        return Answer(answer.version, answer.seconds, failure=SubjectFailure(f"{source} returned {wrong}"))
    failure = cast(SubjectFailure, answer.failure)
    whole = {
        "REFUSED": f"{name} does not support this: {failure}",
        "RAISED": f"{source} raised {failure}",
        "OUT OF MEMORY": f"{source} raised {failure}",
        "INVALID": f"{source} returned {failure}",
    }.get(failure.kind, f"{source}: {failure}")
    return replace(answer, failure=SubjectFailure(whole, failure.kind))


def _claim(claim: Claim) -> Message:
    said: Message = {
        "value": _number(claim.value),
        "direction": claim.direction,
        "source": claim.source,
        "parameters": dict(claim.parameters),
    }
    return said if claim.promise is None else {**said, "promise": _promise(claim.promise)}


def _promise(promise: Promise) -> JSON:
    return {"epsilon": _number(promise.epsilon), "delta": _number(promise.delta)}


def _read_claim(said: Message, accountant: Accountant, version: str) -> Claim:
    parameters = _object(said.get("parameters", {}), "parameters")
    return Claim(
        _read_number(said.get("value"), "value"),
        _direction(said.get("direction", accountant.direction)),
        _text(said.get("source", f"{accountant.name} {version}"), "source"),
        {_text(name, "parameters"): _text(text, "parameters") for name, text in parameters.items()},
        _read_promise(_object(said["promise"], "promise")) if "promise" in said else None,
    )


def _read_promise(parts: Message) -> Promise:
    if parts.keys() != {"epsilon", "delta"}:
        raise _unexpected("promise", parts)
    epsilon, delta = (_read_number(parts[name], "promise") for name in ("epsilon", "delta"))
    if math.inf in (epsilon, delta) or min(epsilon, delta) < 0:
        raise _unexpected("promise", parts)
    return Promise(Fraction(epsilon), Fraction(delta))


def _number(value: Bound) -> str:
    return "inf" if value == math.inf else show(Fraction(value))


def _read_number(value: JSON, name: str) -> Bound:
    text = _text(value, name)
    if text == "inf":
        return math.inf
    if not (_DECIMAL.fullmatch(text) or _FRACTION.fullmatch(text)):
        raise _unexpected(name, value)
    try:
        return rational(text, name)
    except InvalidInput:  # too long
        raise _unexpected(name, value) from None


def _seconds(value: JSON) -> float:
    seconds = _read_number(value, "seconds")
    if not 0 <= seconds <= _MOST_SECONDS:
        raise _unexpected("seconds", value)
    return float(seconds)


def _text(value: JSON, name: str) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise _unexpected(name, value)
    return value


def _object(value: JSON, name: str) -> Message:
    if not isinstance(value, dict):
        raise _unexpected(name, value)
    return value


def _direction(value: JSON) -> Direction:
    if value not in get_args(Direction):
        raise _unexpected("direction", value)
    return cast(Direction, value)


def _kind(value: JSON) -> FailureKind:
    if value not in _FAILURES:
        raise _unexpected("failure", value)
    return value


def _line_of(value: JSON) -> str:
    """A message, shown on one line; a program may write more than one."""
    if not isinstance(value, str):
        raise _unexpected("message", value)
    return one_line(value)


def _unexpected(name: str, value: JSON) -> SubjectFailure:
    return SubjectFailure(f"answered with a {name} that is none: {one_line(value)}", "INVALID")
