"""Files that users write."""

from pathlib import Path

import pytest

from pldverify.errors import InvalidInput
from pldverify.numbers import user_file
from pldverify.numbers.user_file import data, sized, text


def written(folder: Path, name: str, content: bytes) -> Path:
    file = folder / name
    file.write_bytes(content)
    return file


def test_floats_are_their_text(tmp_path: Path) -> None:
    found = data(written(tmp_path, "a.JSON", b'{"q": 0.10, "n": 7, "x": [NaN, -Infinity]}'), "it")
    assert found == {"q": "0.10", "n": 7, "x": ["NaN", "-Infinity"]}
    assert data(written(tmp_path, "a.toml", b"q = 0.10\nn = 7"), "it") == {"q": "0.10", "n": 7}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", b"{", "grid mine must be JSON: "),
        ("a.json", b'{"q": 1, "q": 2}', "grid mine must be JSON: a key stands twice in one object"),
        ("a.json", b"[" * 100_000, "grid mine must be JSON: "),
        ("a.toml", b"q = 1\nq = 2", "grid mine must be TOML: "),
        ("a.toml", b"q = '\xff'", "grid mine must be UTF-8 text"),
    ],
)
def test_what_is_neither_is_told(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{reason}"):
        data(written(tmp_path, name, content), "grid mine")


def test_what_is_not_there_or_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match=r"^it can't be read: No such file"):
        text(tmp_path / "none.csv", "it")
    monkeypatch.setattr(user_file, "LARGEST", 3)
    assert text(sized(written(tmp_path, "a.csv", b"abc"), "it"), "it") == "abc"
    with pytest.raises(InvalidInput, match=r"^it must have at most 3 bytes"):
        text(written(tmp_path, "b.csv", b"abcd"), "it")
