import math
from fractions import Fraction

import pytest
from pydantic import TypeAdapter, ValidationError

from pldverify.boundary import Closed, Exact, Open
from pldverify.numbers.json import text
from pldverify.numbers.literal import MAX_EXPONENT

EXACT = TypeAdapter(Exact)


@pytest.mark.parametrize(
    "value",
    [
        Fraction(0),
        Fraction(-1, 3),
        Fraction(1, 10**40),
        Fraction(1, 10**MAX_EXPONENT),
        Fraction(3, 2**20_000),
        Fraction(-(10**60)),
        math.inf,
    ],
)
def test_what_is_written_is_read(value: Fraction | float) -> None:
    assert EXACT.validate_python(text(value)) == text(value)


@pytest.mark.parametrize(
    "value", ["", "1/0", "1/00", "nan", "-inf", "1e-1000000", "0x1", "1 ", "one", 1, 0.5, None]
)
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        EXACT.validate_python(value)


def test_keys_that_are_not_named() -> None:
    class Ours(Closed):
        a: int

    class Theirs(Open):
        a: int

    assert Theirs.model_validate({"a": 1, "b": 2}) == Theirs(a=1)
    with pytest.raises(ValidationError):
        Ours.model_validate({"a": 1, "b": 2})
    for kind in (Ours, Theirs):
        with pytest.raises(ValidationError):
            kind.model_validate({"a": "1"})
