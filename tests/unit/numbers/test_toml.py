"""TOML from anybody: what is refused before it costs much, and that nothing else is."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify.numbers.toml import MOST_PARTS, loads

DEEP = ".".join(["a"] * (MOST_PARTS + 1))
HOSTILE = {
    "a key": f"x = 1\n{DEEP} = 1",
    "40 kB, which took 16 s": "x = 1\n" + "a." * 20_000 + "b = 1",
    "a table": f"\n[{DEEP}]",
    "a table in a list": f"\n[[{DEEP}]]",
    "an inline table": f"\nx = {{{DEEP} = 1}}",
    "a later key of one": f"\nx = {{y = 1, {DEEP} = 1}}",
    "quoted parts": "\n" + ".".join(['"a"', "'b.'"] * MOST_PARTS) + " = 1",
    "spaces": f"\n{DEEP.replace('.', ' . ')} = 1",
    "after a string of lines": f'x = """a"""\n{DEEP} = 1',
    "after an escaped quote": f'x = "a\\""\n{DEEP} = 1',
    "after literal strings": f"x = '\\'\n{DEEP} = 1",
    "after a comment with a quote": f"# it's\n{DEEP} = 1",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_key_of_many_parts_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(ValueError, match="line 2: a key must have at most 8 parts"):
        loads(text)


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * MOST_PARTS) + " = 1.5",
        f'note = "{DEEP}"',
        f"note = '''\n{DEEP}'''",
        f'note = """\n{DEEP} \\""" """',
        f"x = 1 # {DEEP}",
        "x = [1.5, 2.5, 3.5, 1.5, 2.5, 3.5, 1.5, 2.5, 3.5]",
        "".join(f"x{i} = 1.5\n" for i in range(20)),
    ],
)
def test_dots_elsewhere_are_none_of_a_key(text: str) -> None:
    assert loads(text) == tomllib.loads(text, parse_float=str)


@pytest.mark.parametrize(
    "text", ['"""' + '\\"""' * 50_000, '"' * 100_001, "'" * 100_000, "'''" + "''" * 50_000]
)
def test_strings_without_an_end_are_read_once(text: str) -> None:
    """It would not end, if each quote were looked at with all that follows."""
    with pytest.raises(ValueError):
        loads(text)


@given(st.text(st.sampled_from("ab.'\"\\\n=[]{},# 1"), max_size=60))
def test_it_says_what_tomllib_says_or_refuses_keys_of_many_parts(text: str) -> None:
    try:
        expected = tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError:
        with pytest.raises(ValueError):
            loads(text)
        return
    try:
        assert loads(text) == expected
    except ValueError:
        assert depth(expected) > MOST_PARTS


def depth(value: object) -> int:
    """Objects within each other."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, dict) + max(map(depth, inner), default=0)
