"""Baselines: what is known is counted, and told again only where it is worse."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import pldverify as pv
from pldverify.accountants.worker import GIB
from pldverify.errors import InvalidInput
from pldverify.hunt.baseline import Baseline, read, written
from pldverify.hunt.grouping import Cause, Group, collect
from pldverify.hunt.hunt import Hunt
from pldverify.hunt.panel import Panel
from pldverify.hunt.search import Search

QUERY = pv.Query(3 * pv.Gaussian(1), delta="1e-5")
"""Its ε is 8.69…"""


def group(claim: object, query: pv.Query = QUERY) -> Group:
    def mine(query: pv.Query) -> object:
        return claim() if callable(claim) else claim

    groups: dict[Cause, Group] = {}
    collect(groups, pv.check(mine, query, direction="upper"))  # type: ignore[arg-type]
    ((_, found),) = groups.items()
    return found


def test_what_is_no_worse_is_known() -> None:
    known = Baseline().with_groups([group(4.0)])
    assert known.holds(group(4.0)) and known.holds(group(6.0)) and known.holds(group(3.95))
    assert not known.holds(group(1.0))  # worse
    assert not known.holds(group(4.0, pv.Query(3 * pv.Gaussian(1), delta="1e-5", adjacency="replace-one")))
    assert not known.holds(group(20.0))  # of another kind: loose


def test_a_crash_is_known_by_its_message() -> None:
    def fails(message: str) -> Callable[[], float]:
        def raises() -> float:
            raise ValueError(message)

        return raises

    known = Baseline().with_groups([group(fails("no order 3"))])
    assert known.holds(group(fails("no order 77"))) and not known.holds(group(fails("no grid")))


def test_a_probability_above_1_that_is_known_hides_no_negative_one() -> None:
    """The one claims no privacy; the other is UNSOUND, and a hunt ended with 0."""
    query = pv.Query(pv.Gaussian(1), epsilon=1)
    known = Baseline().with_groups([group(1.5, query)])
    assert known.holds(group(1.25, query)) and not known.holds(group(-0.5, query))


def test_what_is_known_stays_as_bad_as_it_was() -> None:
    known = Baseline().with_groups([group(1.0)]).with_groups([group(6.0)])
    assert known.holds(group(1.0))


def test_others_that_say_the_same_are_known_too() -> None:
    joined = group(4.0)
    joined.also = ("other",)
    names = {why.accountant for why in Baseline().with_groups([joined]).known}
    assert names == {"mine", "other"}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file, known = tmp_path / "known.json", Baseline().with_groups([group(4.0), group(20.0)])
    file.write_text(written(known), "utf-8")
    assert read(file) == known and len(known.known) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the whole"),
        ('{"schema": "pldverify-baseline/2", "known": []}', "schema"),
        ('{"schema": "pldverify-baseline/1", "known": [{"kind": "bad"}]}', "known.0.kind"),
        ('{"schema": "pldverify-baseline/1", "known": [], "more": 1}', "more"),
    ],
)
def test_what_is_no_baseline_is_told(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "known.json"
    file.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=f"of the schema pldverify-baseline/1, got .*: {said}"):
        read(file)
    with pytest.raises(InvalidInput, match="must be a file that can be read"):
        read(tmp_path / "absent.json")


class Low(pv.Accountant):
    """ε of Gaussian mechanisms alone, without its last step."""

    direction = "upper"
    library = "low"

    def __init__(self, share: float = 0.5) -> None:
        self.share = share

    def supports(self, query: pv.Query) -> str | None:
        whole = query.composition
        if query.delta is None or not all(isinstance(m, pv.Gaussian) for m, _ in whole.parts):
            return "ε of Gaussian noise alone"
        return None

    def claim(self, query: pv.Query) -> float:
        return self.share / float(query.composition.parts[0][0].sigma)  # type: ignore[attr-defined]


def hunted(share: float, known: Baseline) -> Hunt:
    made = Hunt([Low(share)], minutes=60, questions=3, seed=3, baseline=known)
    made.run()
    return made


@pytest.mark.slow
def test_a_second_hunt_tells_nothing_again_and_then_what_is_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pldverify.hunt.hunt._SHRINKS", 2)
    first = hunted(0.5, Baseline())
    assert first.groups and first.known == []
    known = first.baseline.with_groups(first.groups)
    again = hunted(0.5, known)
    assert again.groups == [] and len(again.known) >= 1
    assert hunted(1e-9, known).groups


@pytest.mark.parametrize("known", [False, True])
def test_the_search_goes_on_from_what_is_not_known_alone(known: bool) -> None:
    search = Search(Panel([Low()], timeout=1, memory=GIB), Random(1), is_known=lambda group: known)
    found = pv.check(Low(), QUERY)
    collect(search.groups, found)
    assert search._start("Low") == (None if known else QUERY)
