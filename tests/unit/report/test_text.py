"""What others wrote is visible, short, and can be encoded."""

from hypothesis import given
from hypothesis import strategies as st

from pldverify.report.text import brief, passage, visible

ANY = st.text(st.characters())
"""Lone surrogates and control characters included."""


@given(ANY)
def test_everything_is_printable_and_encodes(text: str) -> None:
    assert all(line.isprintable() for line in visible(text).split("\n"))
    visible(text).encode("utf-8")


@given(ANY, st.integers(1, 50))
def test_short_is_short(text: str, most: int) -> None:
    note = len(f"… ({len(text)} characters)")
    assert "\n" not in brief(text, most)
    assert len(brief(text, most)) <= most + note
    assert len(passage(text, most)) <= 10 * most + note


def test_what_is_cut_says_so() -> None:
    assert brief("x" * 1_000_000, 5) == "xxxxx… (1000000 characters)"
    assert passage("a\nb" * 100, 4) == "a\nba… (300 characters)"
    assert brief(" " * 1_000_000, 5).endswith("… (1000000 characters)")


def test_overrides_of_direction_are_seen() -> None:
    assert visible("sound\u202edno\u200b") == r"sound\u202edno\u200b"
