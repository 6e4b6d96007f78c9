"""Many claims: worker processes, and one that is lost."""

from concurrent.futures import BrokenExecutor
from typing import Any

import pytest

import pldverify as pv
from pldverify.claims import many
from pldverify.claims.certificates import certificates
from pldverify.claims.many import judged, processes
from pldverify.claims.read import BadClaim
from pldverify.claims.wrong import Place
from pldverify.errors import InvalidInput
from pldverify.rulings.rule import rule
from pldverify.rulings.ruling import Ruling
from tests.unit.claims.claims import claim, noise

SUM = {"mechanism": "pure_dp", "epsilon": "0.2", "times": 4}


def test_two_processes_say_what_one_says() -> None:
    rows = [("f", claim(SUM, id=f"c{i}", epsilon=f"0.{i}"), Place()) for i in (7, 8, 9)]
    rows.append(("f", claim(noise(q="2"), id="wrong"), Place()))
    alone = dict(judged(rows))
    with processes(2) as place:
        shared = dict(judged(rows, place))
    assert set(alone) == set(shared) == {0, 1, 2, 3}
    assert [found(alone[i]) for i in range(4)] == [found(shared[i]) for i in range(4)]
    assert [found(alone[i]) for i in range(3)] == ["REFUTED", "CERTIFIED", "CERTIFIED"]
    assert "phase.0: q must be in [0, 1]" in found(alone[3])


def found(each: Ruling | BadClaim) -> str:
    return each.reason if isinstance(each, BadClaim) else str(each.verdict)


class Pool:
    """A pool in this process whose workers die of claim ``c1``."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None: ...

    def renew(self) -> None: ...

    def executor(self) -> "Pool":
        return self

    def submit(self, function: Any, file: str, each: Any, at: Place) -> Any:
        from concurrent.futures import Future

        future: Future[Any] = Future()
        if each.id == "c1":
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(function(file, each, at))
        return future


def test_who_leaves_early_ends_what_waits() -> None:
    """Pages come next in the same processes, and waited for claims that nobody wanted."""
    ended: list[bool] = []

    class Ended(Pool):
        def renew(self) -> None:
            ended.append(True)

    rows = [("f.csv", claim(SUM, id=f"d{i}"), Place()) for i in range(3)]
    pool: Any = Ended()
    whole = judged(rows, pool)
    next(whole)
    whole.close()  # type: ignore[attr-defined]  # a generator
    assert ended == [True]
    assert len(dict(judged(rows, pool))) == 3 and ended == [True]


def test_a_process_that_ends_loses_one_claim() -> None:
    rows = [("f.csv", claim(SUM, id=f"c{i}"), Place(i + 2)) for i in range(3)]
    pool: Any = Pool()
    got = dict(judged(rows, pool))
    assert [type(got[i]) for i in range(3)] == [Ruling, BadClaim, Ruling]
    assert str(got[1]).startswith("f.csv, line 3: claim c1: its process ended")


def test_certify_file_tells_every_wrong_claim(tmp_path: Any) -> None:
    path = tmp_path / "claims.json"
    path.write_text('{"schema": "pldverify-claims/1", "claim": [{"id": "a"}, {"id": "b"}]}', "utf-8")
    with pytest.raises(InvalidInput, match=r"claim a: .*; .*claim b: "):
        pv.certify_file(path)
    with pytest.raises(InvalidInput, match="jobs must be"):
        pv.certify_file(path, jobs=0)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [pytest.param(many._SECONDS, marks=pytest.mark.slow), 0.01])
def test_pages_are_the_same_in_other_processes_and_where_one_ends(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a hundredth of a second processes end at once, and others go on."""
    issued = list(certificates([rule(claim(SUM, id="a", epsilon="1"))]))
    here = dict(many.pages(issued))
    monkeypatch.setattr(many, "_SECONDS", seconds)
    with processes(2) as place:
        assert dict(many.pages(issued, place)) == here and len(here) == len(issued) > 0


def test_the_names_of_certificates_say_the_reading() -> None:
    """They ended in .2, .3, …"""
    run = noise(noise_multiplier="5", sampling="shuffled", accounted_as="poisson", q=None, steps=10)
    shuffled = {**run, "batch_size": 10, "dataset_size": 100}
    ruling = rule(claim(shuffled, id="a", epsilon="1.10", delta="1e-5", adjacency="add-or-remove"))
    names = [issued.name for issued in certificates([ruling])]
    assert names == ["a", "a.rounded", "a.poisson-batches", "a.poisson-batches.rounded"]
