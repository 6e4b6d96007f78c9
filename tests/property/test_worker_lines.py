"""Whatever a process writes, it is a claim only if it is exactly one of ``docs/accountant_protocol.md``."""

import json
import math
from fractions import Fraction
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pldverify.accountants.ask import Answer
from pldverify.accountants.worker import lines, messages
from pldverify.errors import SubjectFailure
from pldverify.numbers.claim import Claim
from tests.unit.accountants import subjects
from tests.unit.accountants.subjects import Subject

SUBJECT = Subject(subjects.one)
NUMBERS = ["0.1", "1e-5", "-3", "1/3", "0", "inf", "1E+2", "5e-324", "0.1e400"]
STRANGE = [
    *("1_0", "Inf", "infinity", "-inf", "nan", "+1", ".5", "5.", "0x1p-3", " 1", "1 ", "1\n", "01", "1/0"),
    *("1/3/3", "0.5/2", "١", "１", "½", "1e", "1e5_0", "sqrt(4)", "1+1", "2*3", "1e999999999", "--1", ""),
]
FIELDS: dict[str, list[str]] = {
    "id": ['"3"', '"4"', "3", "null"],
    "kind": ['"claim"', '"claim"', '"failure"', '"loaded"', '"claims"', "[]"],
    "value": [*map(json.dumps, NUMBERS + STRANGE), "5", "null", "true", '["1"]'],
    "direction": ['"upper"', '"lower"', '"estimate"', '"up"', "null"],
    "promise": ['{"epsilon":"1","delta":"0"}', '{"epsilon":"1"}', '{"epsilon":"1_0","delta":"0"}', "null"],
    "parameters": ["{}", '{"grid":"1"}', '{"grid":"1","grid":"2"}', '{"grid":1}', "[]"],
    "source": ['"me 1"', '"a\\nb"', "null"],
    "seconds": ['"0.5"', '"1_0"', '"nan"', '"-1"', '"inf"', "1"],
    "version": ['"2"'],
    "failure": ['"REFUSED"', '"TIMED OUT"'],
    "message": ['"no"'],
    "valeu": ['"1"'],
}
VALID = '{"id":"3","kind":"claim","value":"0.25","direction":"upper","parameters":{"grid":"1e-4"}}'

fields = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda name: st.sampled_from(FIELDS[name]).map(lambda value: f'"{name}":{value}')
)
claims = st.tuples(st.sampled_from(NUMBERS + STRANGE), st.lists(fields, max_size=3)).map(
    lambda parts: (
        "{" + ",".join(['"id":"3"', '"kind":"claim"', f'"value":{json.dumps(parts[0])}', *parts[1]]) + "}"
    )
)
spoilt = st.tuples(st.integers(0, len(VALID)), st.integers(0, 3), st.text(max_size=3)).map(
    lambda cut: VALID[: cut[0]] + cut[2] + VALID[cut[0] + cut[1] :]
)


class Twice(Exception):
    """A name stands twice in an object."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise Twice
    return dict(pairs)


def number(text: object) -> Fraction | float | None:
    """What the document calls a number, told by Python's own reader of JSON numbers."""
    if text == "inf":
        return math.inf
    if not isinstance(text, str) or text != text.strip():
        return None
    parts = text.split("/")
    try:
        read = [json.loads(part, parse_int=Fraction, parse_float=str) for part in parts]
    except ValueError:
        return None
    if len(read) == 2 and all(type(part) is Fraction for part in read):
        return read[0] / read[1] if read[1] > 0 and not parts[1].startswith("-") else None
    if len(read) != 1 or type(read[0]) not in (Fraction, str) or text[0] == '"':
        return None
    short = abs(int(text.lower().partition("e")[2] or "0")) <= 4000
    return Fraction(text) if short else None


def is_text(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


def claimed(data: bytes) -> Fraction | float | None:
    """The value of a line that is exactly a claim; None of any other line."""
    try:
        said = json.loads(data.decode(), object_pairs_hook=once)
    except (ValueError, RecursionError, Twice):
        return None
    allowed = {"id", "kind", "value", "direction", "promise", "parameters", "source", "seconds"}
    if not isinstance(said, dict) or not said.keys() <= allowed:
        return None
    if (said.get("id"), said.get("kind")) != ("3", "claim"):
        return None
    promise = said.get("promise", {"epsilon": "0", "delta": "0"})
    if not isinstance(promise, dict) or promise.keys() != {"epsilon", "delta"}:
        return None
    parameters, seconds = said.get("parameters", {}), number(said.get("seconds", "0"))
    errors = [number(promise[name]) for name in promise]
    good = (
        said.get("direction", "upper") in ("upper", "lower", "estimate")
        and all(error is not None and 0 <= error < math.inf for error in errors)
        and isinstance(parameters, dict)
        and all(map(is_text, [*parameters, *parameters.values()]))
        and is_text(said.get("source", ""))
        and seconds is not None
        and 0 <= seconds < math.inf
    )
    return number(said.get("value")) if good else None


def heard(data: bytes) -> Claim | None:
    """What we take for a claim. Only INVALID failures leave."""
    try:
        said = messages.answered(lines.decode(data), 3, SUBJECT, "2")
    except SubjectFailure as failure:
        assert failure.kind == "INVALID" and str(failure).isprintable()
        return None
    return said.claim if isinstance(said, Answer) else None


@settings(max_examples=600)
@given(st.one_of(claims, spoilt, st.text(max_size=30)).map(str.encode) | st.binary(max_size=40))
@example(b'{"id":"3","kind":"claim","value":"5","value":"1"}')
@example(b'{"id":"3","kind":"claim","value":"1_0"}')
@example(VALID.encode())
def test_only_what_is_exactly_a_claim_is_one(data: bytes) -> None:
    found = heard(data)
    assert (None if found is None else found.value) == claimed(data)


def test_the_reader_of_this_test_knows_claims() -> None:
    assert claimed(VALID.encode()) == Fraction(1, 4)
    assert [number(text) for text in NUMBERS if text != "0.1e400"] == [
        *(Fraction(1, 10), Fraction(1, 10**5), -3, Fraction(1, 3), 0, math.inf, 100),
        Fraction(5, 10**324),
    ]
    assert [text for text in STRANGE if number(text) is not None] == []
