"""An answer with two values, or with numerals that only Python reads, was a claim; nothing is guessed now."""

import json

import pytest

from pldverify.accountants.worker import lines, messages
from pldverify.errors import SubjectFailure
from tests.unit.accountants import subjects
from tests.unit.accountants.subjects import Subject


@pytest.mark.parametrize(
    "line",
    [
        '{"id":"0","kind":"claim","value":"5","value":"1"}',
        '{"id":"0","kind":"claim","value":"1","parameters":{"grid":"1","grid":"2"}}',
        *(
            json.dumps({"id": "0", "kind": "claim", "value": value})
            for value in ("1_0", "+1", ".5", "5.", " 1", "01", "Infinity", "١", "1/2/3", "1/0", "2*3")
        ),
        '{"id":"0","kind":"claim","value":"1","seconds":"1_0"}',
        '{"id":"0","kind":"claim","value":"1","promise":null}',
        '{"id":"0","kind":"claim","value":"1","promise":{"epsilon":"0","delta":"0","rho":"0"}}',
        '{"id":"0","kind":"claim","value":"1","failure":"RAISED"}',
        '{"id":"0","kind":"failure","failure":"TIMED OUT","message":"a program does not stop itself"}',
    ],
)
def test_such_a_line_is_no_answer(line: str) -> None:
    with pytest.raises(SubjectFailure) as caught:
        messages.answered(lines.decode(line.encode()), 0, Subject(subjects.one), "1")
    assert caught.value.kind == "INVALID"


@pytest.mark.parametrize("value", ["1e-05", "-0.25", "1/3", "inf", "5.5000000000000004", "1E-5", "0"])
def test_what_printers_of_numbers_write_is_a_claim(value: str) -> None:
    line = json.dumps({"id": "0", "kind": "claim", "value": value}).encode()
    assert messages.answered(lines.decode(line), 0, Subject(subjects.one), "1").claim is not None  # type: ignore[union-attr]
