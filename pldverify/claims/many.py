"""Many claims, and their pages: in this process, or in bounded worker processes, which are the same for both;
one that fails stops no other.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, as_completed
from contextlib import AbstractContextManager, nullcontext, suppress

from pldverify.certificate.html_page import html
from pldverify.claims.certificates import Issued
from pldverify.claims.read import BadClaim
from pldverify.claims.wrong import Place
from pldverify.errors import PldverifyError
from pldverify.rulings.model import Claim
from pldverify.rulings.rule import rule
from pldverify.rulings.ruling import Ruling
from pldverify.sweeps import watch
from pldverify.sweeps.local import Local

Row = tuple[str, Claim | BadClaim, Place]
"""The file, the claim in it, and where."""
_MEMORY = 2 * 2**30
"""Bytes of a worker process."""
_SECONDS = 300.0
"""Processor time of one claim in a worker process."""
_LOST = "its process ended: more than {:.0f} s of processor time or {} GiB of memory"


def processes(jobs: int) -> AbstractContextManager[Local | None]:
    """So many processes for claims and then their pages; none where one job is this process."""
    return Local(jobs, memory=_MEMORY, seconds=_SECONDS) if jobs > 1 else nullcontext()


def judged(rows: Sequence[Row], place: Local | None = None) -> Iterator[tuple[int, Ruling | BadClaim]]:
    """(index, ruling) of each as it is known; where one of several processes ends, the rest is judged again,
    one process a claim, so that only that claim is lost.

    Leaving the iterator early ends what the processes do.
    """
    if place is None:
        yield from ((i, one(*row)) for i, row in enumerate(rows))
        return
    left = dict(enumerate(rows))
    try:
        yield from _side_by_side(place, left)
        for i, (file, claim, at) in list(left.items()):
            place.renew()
            try:
                yield i, place.executor().submit(one, file, claim, at).result()
            except BrokenExecutor:
                name = claim.claim if isinstance(claim, BadClaim) else claim.id
                yield i, BadClaim(file, name, _LOST.format(_SECONDS, _MEMORY >> 30), at.line)
            del left[i]
    finally:
        if left:
            place.renew()


def _side_by_side(place: Local, left: dict[int, Row]) -> Iterator[tuple[int, Ruling | BadClaim]]:
    """What is judged is taken from ``left``; ends where a process does."""
    pool = place.executor()
    try:
        futures: dict[Future[Ruling | BadClaim], int] = {
            pool.submit(one, *row): i for i, row in sorted(left.items(), key=_dearest_first)
        }
        for future in as_completed(futures):
            found = future.result()
            del left[futures[future]]
            yield futures[future], found
    except BrokenExecutor:
        return


def _dearest_first(item: tuple[int, Row]) -> bool:
    """Hidden batches take seconds: last, they would keep one process alone."""
    _, (_, claim, _) = item
    phases = () if isinstance(claim, BadClaim) else claim.phase
    return not any(getattr(phase, "sampling", "") in ("shuffled", "balls-and-bins") for phase in phases)


def pages(issued: Sequence[Issued], place: Local | None = None) -> Iterator[tuple[int, str]]:
    """(index, page) of each certificate as it is made; where one of several processes ends, the rest is made
    in this one.
    """
    left = dict(enumerate(issued))
    if place is not None:
        with suppress(BrokenExecutor):
            pool = place.executor()
            futures = {pool.submit(page, each): i for i, each in left.items()}
            for future in as_completed(futures):
                made = future.result()
                del left[futures[future]]
                yield futures[future], made
    yield from ((i, page(each)) for i, each in left.items())


def page(issued: Issued) -> str:
    """The page of a certificate."""
    with watch.running():
        return html(issued.certificate, issued.about(), issued.told())


def one(file: str, claim: Claim | BadClaim, at: Place) -> Ruling | BadClaim:
    """The ruling, or why there is none: a number that is out of range is found here, not by reading."""
    if isinstance(claim, BadClaim):
        return claim
    try:
        with watch.running():
            return rule(claim, file)
    except PldverifyError as error:
        return BadClaim(file, claim.id, at.said(str(error)), at.line)
