"""Messages: what is said between us and the process that runs an accountant, as JSON objects of strings.

We say, once for each question (values as in :mod:`pldverify.accountants.worker.objects`)

    {"id": "7", "accountant": value, "query": value}

The process says one or two things: which version it has loaded, and how it ended

    {"id": "7", "kind": "loaded", "version": text}
    {"id": "7", "kind": "claim", "seconds": double, "claim": {
        "value": number, "direction": "upper" | "lower" | "estimate", "source": text,
        "parameters": {text: text, …}, "promise": null | {"epsilon": number, "delta": number}}}
    {"id": "7", "kind": "failure", "seconds": double, "failure": kind, "message": text}

A number is the string of an exact rational ("0.1", "1/3") or "inf"; a double a decimal string, finite and not
negative; a text has printable characters only; a kind is a ``FailureKind``. The id is that of the question.
Whatever else is said is a failure of the kind INVALID: nothing of it is repaired or guessed.
"""

import math
from fractions import Fraction
from typing import cast, get_args

from pldverify.accountants.ask import Answer
from pldverify.accountants.worker import objects
from pldverify.accountants.worker.frames import JSON, Message, TooLarge, encode
from pldverify.errors import FailureKind, InvalidInput, NotSupported, SubjectFailure
from pldverify.numbers.claim import Claim, Direction, Promise
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import rational, show


def question(number: int, accountant: object, query: object) -> bytes:
    """The frame of a question.

    Raises InvalidInput for an accountant that the process could not make, NotSupported for a query that is
    longer than a frame.
    """
    message: Message = {
        "id": str(number),
        "accountant": objects.write(accountant),
        "query": objects.write(query),
    }
    try:
        return encode(message)
    except TooLarge as error:
        raise NotSupported(f"the query is too long to be sent to a worker: {error}") from None


def loaded(version: str) -> Message:
    """What the process says when it has loaded the accountant's library."""
    return {"kind": "loaded", "version": version}


def report(answer: Answer) -> Message:
    """What the process says at the end; ``answer`` is a claim without a flaw, or a failure."""
    if answer.claim is not None:
        return {"kind": "claim", "seconds": repr(answer.seconds), "claim": _claim(answer.claim)}
    failure = cast(SubjectFailure, answer.failure)
    return {
        "kind": "failure",
        "seconds": repr(answer.seconds),
        "failure": failure.kind,
        "message": str(failure),
    }


def answered(message: Message, number: int, version: str) -> Answer | str:
    """What the process said to question ``number``: how it ended, or the version that it has loaded.

    Raises SubjectFailure, kind INVALID, for what is not written in the schema.
    """
    if message.get("id") != str(number):
        raise SubjectFailure("answered what it was not asked", "INVALID")
    match message.get("kind"):
        case "loaded":
            return _text(message.get("version"), "version")
        case "claim":
            return Answer(version, _seconds(message.get("seconds")), claim=_read_claim(message.get("claim")))
        case "failure":
            text = _text(message.get("message"), "message")
            failure = SubjectFailure(text, _kind(message.get("failure")))
            return Answer(version, _seconds(message.get("seconds")), failure=failure)
    raise _unexpected("kind")


def _claim(claim: Claim) -> JSON:
    return {
        "value": _number(claim.value),
        "direction": claim.direction,
        "source": claim.source,
        "parameters": dict(claim.parameters),
        "promise": None if claim.promise is None else _promise(claim.promise),
    }


def _promise(promise: Promise) -> JSON:
    return {"epsilon": _number(promise.epsilon), "delta": _number(promise.delta)}


def _read_claim(value: JSON) -> Claim:
    parts = _object(value, "claim")
    parameters = _object(parts.get("parameters"), "parameters")
    promise = parts.get("promise")
    return Claim(
        _read_number(parts.get("value"), "value"),
        _direction(parts.get("direction")),
        _text(parts.get("source"), "source"),
        {_text(name, "parameters"): _text(text, "parameters") for name, text in parameters.items()},
        None if promise is None else _read_promise(_object(promise, "promise")),
    )


def _read_promise(parts: Message) -> Promise:
    epsilon, delta = (_read_number(parts.get(name), "promise") for name in ("epsilon", "delta"))
    if math.inf in (epsilon, delta):
        raise _unexpected("promise")
    return Promise(Fraction(epsilon), Fraction(delta))


def _number(value: Bound) -> str:
    return "inf" if value == math.inf else show(Fraction(value))


def _read_number(value: JSON, name: str) -> Bound:
    if value == "inf":
        return math.inf
    try:
        return rational(_text(value, name), name)
    except InvalidInput:
        raise _unexpected(name) from None


def _seconds(value: JSON) -> float:
    try:
        seconds = float(_text(value, "seconds"))
    except ValueError:
        raise _unexpected("seconds") from None
    if not 0 <= seconds < math.inf:
        raise _unexpected("seconds")
    return seconds


def _text(value: JSON, name: str) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise _unexpected(name)
    return value


def _object(value: JSON, name: str) -> Message:
    if not isinstance(value, dict):
        raise _unexpected(name)
    return value


def _direction(value: JSON) -> Direction:
    if value not in get_args(Direction):
        raise _unexpected("direction")
    return cast(Direction, value)


def _kind(value: JSON) -> FailureKind:
    if value not in get_args(FailureKind):
        raise _unexpected("failure")
    return cast(FailureKind, value)


def _unexpected(name: str) -> SubjectFailure:
    return SubjectFailure(f"answered with a {name} that is none", "INVALID")
