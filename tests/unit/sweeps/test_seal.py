"""A seal is opened by its key alone, and the key is made once, for its owner."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pldverify.errors import InvalidInput
from pldverify.sweeps.seal import Seal


def test_the_key_is_made_once_and_is_its_owners(key_of_stores: Path) -> None:
    seal = Seal.of_this_user()
    assert stat.S_IMODE(key_of_stores.stat().st_mode) == 0o600 and len(key_of_stores.read_bytes()) == 32
    assert Seal.of_this_user().opens(seal.on("a"), "a")
    assert not Seal.of_this_process().opens(seal.on("a"), "a")
    assert list(key_of_stores.parent.iterdir()) == [key_of_stores]
    assert "_key" not in repr(seal) and repr(key_of_stores.read_bytes()) not in repr(seal)


def test_processes_that_begin_together_have_one_key(key_of_stores: Path) -> None:
    code = "from pldverify.sweeps.seal import Seal; print(Seal.of_this_user().on('a'))"
    begun = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(3)]
    assert len({each.communicate()[0] for each in begun}) == 1


@pytest.mark.parametrize("parts", [("ab", ""), ("a",), ("b", "a"), ("a", "b", "")])
def test_texts_and_their_order_are_sealed(parts: tuple[str, ...]) -> None:
    seal = Seal.of_this_process()
    assert not seal.opens(seal.on("a", "b"), *parts)
    assert not seal.opens("", "a") and not seal.opens("é", "a")


@pytest.mark.parametrize("what", ["short", "folder", "nowhere"])
def test_a_key_that_is_none_is_told(what: str, key_of_stores: Path) -> None:
    if what == "nowhere":
        key_of_stores.parents[1].write_text("")
    elif what == "folder":
        key_of_stores.mkdir(parents=True)
    else:
        key_of_stores.parent.mkdir(parents=True)
        key_of_stores.write_bytes(b"x" * 31)
    with pytest.raises(InvalidInput, match="key of stores must be"):
        Seal.of_this_user()
