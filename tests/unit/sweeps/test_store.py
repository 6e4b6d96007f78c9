"""Store: exact, resumable, bounded; nothing that was written by another version decides."""

import math
import sqlite3
from fractions import Fraction
from pathlib import Path
from uuid import uuid4

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.numbers import Enclosure
from pldverify.reference.engines.conclude import enclosed
from pldverify.sweeps import keys, store
from pldverify.sweeps.kept import BRACKET, Kept
from pldverify.sweeps.keys import Subject
from pldverify.sweeps.remembered import Remembered
from pldverify.sweeps.seal import Seal
from pldverify.sweeps.store import Store
from pldverify.values.value import of_pairs

QUERY = pv.Query(pv.Gaussian(1), delta="1e-6")
KEY = keys.question(QUERY)
SUBJECT = Subject("a", "1.0", "c")
UNDER = "60 s, 1 bytes"
SOUND = {"verdict": "SOUND"}
SEAL = Seal(b"x" * 32)


@pytest.mark.parametrize(
    "ends",
    [(Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 2**20000), Fraction(10**5000)), (Fraction(0), math.inf)],
)
def test_an_enclosure_comes_back_exactly_and_without_its_witness(ends: tuple[Fraction, Fraction]) -> None:
    found = enclosed(*ends, "contour")
    text = Kept.of(15, found).text(KEY, "v", SEAL)
    kept = Kept.read(text, KEY, "v", SEAL)
    assert kept is not None
    back = kept.outcome()
    assert isinstance(back, Enclosure) and back == found
    with pytest.raises(InvalidInput, match="witness"):
        pv.prove_again(back)


def test_what_is_of_the_mechanisms_stays_so() -> None:
    """Between two pairs both ends are of the mechanism: read back as of a pair that only bounds, the lower
    one was lost, and a false bound UNDECIDED.
    """
    query = pv.Query(2 * pv.SampledWithoutReplacement(pv.Gaussian(1), "0.1"), epsilon=1)
    found = pv.bracket(query.composition, epsilon=1)
    for kept in (Kept.of(BRACKET, found, True), Kept.of(15, NoConvergence("too far", found))):
        text = kept.text(KEY, "v", SEAL)
        outcome = Kept.read(text, KEY, "v", SEAL).outcome()
        back = outcome if isinstance(outcome, Enclosure) else outcome.bracket
        assert of_pairs(query, back).ends == of_pairs(query, found).ends == (found.lower, found.upper)


def test_failures_come_back_with_what_was_proved() -> None:
    found = enclosed(Fraction(1), Fraction(2), "markov")
    back = Kept.of(30, NoConvergence("too far", found)).outcome()
    assert isinstance(back, NoConvergence) and str(back) == "too far" and back.bracket == found
    assert isinstance(Kept.of(30, NotSupported("no law")).outcome(), NotSupported)


@pytest.mark.parametrize("change", ["question", "version", "text", "seal", "nothing", "deep"])
def test_a_row_of_another_question_version_or_user_or_with_a_changed_digit_is_not_read(change: str) -> None:
    text = Kept.of(15, enclosed(Fraction(1, 16), Fraction(1, 8), "contour")).text(KEY, "v", SEAL)
    assert Kept.read(text, KEY, "v", SEAL) is not None
    planted = {
        "question": (text, "another", "v", SEAL),
        "version": (text, KEY, "w", SEAL),
        "text": (text.replace("1/10", "1/20"), KEY, "v", SEAL),
        "seal": (text, KEY, "v", Seal(b"y" * 32)),
        "nothing": ("", KEY, "v", SEAL),
        "deep": ("[" * 10**6, KEY, "v", SEAL),
    }
    assert Kept.read(*planted[change]) is None


def test_a_truth_of_another_version_is_not_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = Kept.of(15, enclosed(Fraction(1), Fraction(2), "contour"))
    with Store(tmp_path / "s.sqlite") as first:
        first.put(SUBJECT, KEY, UNDER, SOUND, 0.1, [kept])
        assert first.truths(KEY) == [kept]
        assert first.findings(SUBJECT, UNDER) == {KEY: SOUND}
    monkeypatch.setattr(store, "truth_version", lambda: "another")
    monkeypatch.setattr(store, "verdict_version", lambda: "another")
    with Store(tmp_path / "s.sqlite") as second:
        assert second.truths(KEY) == [] and second.findings(SUBJECT, UNDER) == {}


def test_the_version_follows_the_source() -> None:
    """A planted change of a file that proves, and of one that only judges."""
    before = keys._source(("balls",)), keys._source(("balls", "rulings"))
    assert before[0] != before[1] and before[0].startswith(pv.__version__)


def test_what_was_stopped_under_other_limits_is_asked_again() -> None:
    with Store() as there:
        there.put(SUBJECT, KEY, UNDER, {"verdict": "CRASHED"}, 60.0)
        assert there.findings(SUBJECT, UNDER) == {KEY: {"verdict": "CRASHED"}}
        assert there.findings(SUBJECT, "600 s, 1 bytes") == {}
        there.put(SUBJECT, KEY, "600 s, 1 bytes", SOUND, 60.0)
        assert there.findings(SUBJECT, UNDER) == {KEY: SOUND}, "replaced, and there once"


def test_truths_are_bounded_and_the_oldest_go() -> None:
    with Store(truths=100) as there:
        for number in range(250):
            there.put(SUBJECT, f"q{number}", UNDER, SOUND, 0.1, [Kept(15, "NotSupported", "x")])
        kept = [number for number in range(250) if there.truths(f"q{number}")]
    assert 90 <= len(kept) <= 100 and kept[-1] == 249 and kept == list(range(kept[0], 250))


@pytest.mark.parametrize("what", ["text", "database", "newer", "folder"])
def test_what_is_no_store_is_refused(what: str, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    if what == "text":
        path.write_text("no database, " * 100)
    elif what == "folder":
        path = tmp_path / "none" / "s.sqlite"
    else:
        data = sqlite3.connect(path)
        data.execute("CREATE TABLE mine(x)" if what == "database" else "PRAGMA user_version = 99")
        data.commit()
        data.close()
    with pytest.raises(InvalidInput, match="store must be an SQLite file of sweeps"):
        Store(path)


def test_what_is_remembered_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bracket's time was up once, and 15 digits were found; a failure costs its time once too."""
    wide, narrow = enclosed(Fraction(1), Fraction(3), "markov"), enclosed(Fraction(2), Fraction(2), "contour")
    first = Remembered(QUERY, [Kept.of(BRACKET, wide, exhausted=True), Kept.of(15, narrow)])
    for name in ("truth", "bracket"):
        monkeypatch.setattr(f"pldverify.sweeps.remembered.{name}", lambda *_: pytest.fail("asked"))
    assert first.bracket(QUERY, lambda found: False) == wide
    assert first.truth(QUERY, 15) == narrow and first.new == []
    second = Remembered(QUERY, [Kept.of(15, NoConvergence("too far", wide))])
    with pytest.raises(NoConvergence, match="too far"):
        second.truth(QUERY, 15)


def test_what_is_learnt_is_kept_and_of_other_questions_nothing() -> None:
    asked = Remembered(QUERY)
    assert asked.bracket(QUERY, lambda found: found.digits >= 2).digits >= 2
    asked.truth(pv.Query(pv.Gaussian(1), epsilon=1), 15)
    asked.truth(QUERY, 15)
    assert [kept.digits for kept in asked.new] == [BRACKET, 15]
    again = Remembered(QUERY, asked.new)
    assert again.truth(QUERY, 15) == pv.epsilon(pv.Gaussian(1), delta="1e-6", digits=15)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pv.Query(pv.Gaussian("0.1"), delta="1e-6"), pv.Query(pv.Gaussian(0.1), delta="1e-6")),
        (QUERY, pv.Query(pv.Gaussian(1), delta="1e-6", adjacency="replace-one")),
        (QUERY, pv.Query(pv.GDP(1), delta="1e-6")),
        (QUERY, pv.Query(2 * pv.Gaussian(1), delta="1e-6")),
    ],
)
def test_different_questions_have_different_keys(one: pv.Query, other: pv.Query) -> None:
    assert keys.question(one) != keys.question(other)
    again = pv.Query(one.composition, delta=one.delta, adjacency=one.adjacency)
    assert keys.question(one) == keys.question(again)


def test_a_changed_file_is_another_accountant(tmp_path: Path) -> None:
    from pldverify.accountants.registry import accountant

    file = tmp_path / "mine.py"
    source = (
        "import pldverify as pv\nclass Mine(pv.Accountant):\n    direction = 'upper'\n"
        "    def claim(self, query):\n        return {}\n"
    )
    file.write_text(source.format(1.0))
    before = keys.subject(accountant(f"{file}:Mine"))
    assert keys.subject(accountant(f"{file}:Mine")) == before
    file.write_text(source.format(2.0))
    assert keys.subject(accountant(f"{file}:Mine")) != before


@pytest.mark.parametrize(
    "uses",
    [
        "from {0} import Base\nclass Mine(Base):\n    pass\n",
        "import {0}\nclass Mine({0}.Base):\n    pass\n",
        "from {0} import answer, pv\nclass Mine(pv.Accountant):\n    direction = 'upper'\n"
        "    def claim(self, query):\n        return answer()\n",
    ],
    ids=["base", "module", "function"],
)
def test_an_accountant_is_what_it_imports_too(uses: str, tmp_path: Path) -> None:
    """A sweep was taken up again after the base class had changed, and told the old answer, SOUND."""
    from pldverify.accountants.registry import accountant

    name = f"neighbour_{uuid4().hex}"
    base, file = tmp_path / f"{name}.py", tmp_path / "mine.py"
    source = (
        "import pldverify as pv\nclass Base(pv.Accountant):\n    direction = 'upper'\n"
        "    def claim(self, query):\n        return {0}\ndef answer():\n    return {0}\n"
    )
    base.write_text(source.format(10.0))
    file.write_text(uses.format(name))
    before = keys.subject(accountant(f"{file}:Mine"))
    assert keys.subject(accountant(f"{file}:Mine")) == before
    base.write_text(source.format(1.0))
    assert keys.subject(accountant(f"{file}:Mine")) != before


def test_settings_are_part_of_an_accountant() -> None:
    from pldverify.accountants.fourier import Fourier

    assert keys.subject(Fourier(n=1000, L=10.0)).code != keys.subject(Fourier(n=2000, L=10.0)).code
