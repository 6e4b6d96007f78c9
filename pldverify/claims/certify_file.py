"""Certify every claim of a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pldverify.claims.many import Row, judged, processes
from pldverify.claims.read import BadClaim, with_places
from pldverify.claims.saves import Saves
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import Number, count
from pldverify.rulings import ruling as rulings

_MOST_JOBS = 64
"""Cap on the processes that judge the claims of a file."""


@dataclass(frozen=True, repr=False, eq=False)
class Ruling(Saves, rulings.Ruling):
    """A :class:`pldverify.rulings.ruling.Ruling` with :meth:`save`."""


def certify_file(path: str | Path, *, jobs: Number = 1) -> list[Ruling]:
    """The rulings on the claims of a file, in its order.

    Args:
        path: TOML, JSON or CSV of the schema ``pldverify-claims/1``, or an entry of the OpenDP deployments
            registry, in YAML.
        jobs: processes, 1 to 64; 1 is this one.

    Raises InvalidInput where the file can't be read; and where claims are wrong, after all others were
    judged, with every one of them named. ``pldverify certify FILE`` prints what was judged nevertheless.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = '''
    ... schema = "pldverify-claims/1"
    ... [[claim]]
    ... id = "one-epoch"
    ... epsilon = "1.0"
    ... delta = 1e-6
    ... adjacency = "add-or-remove"
    ... phase = [{mechanism = "gaussian", noise_multiplier = 1, sampling = "poisson", q = 0.01, epochs = 1}]
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "claims.toml"
    ...     _ = file.write_text(text, "utf-8")
    ...     (ruling,) = pv.certify_file(file)
    >>> print(ruling.verdict, ruling.explanation)
    CERTIFIED the true ε is 0.0457… less than 1.0
    """
    with processes(count(jobs, "jobs", cap=_MOST_JOBS)) as place:
        found = dict(judged(rows(path), place))
    return [Ruling.of(ruling) for ruling in sure(found)]


def rows(path: str | Path) -> list[Row]:
    """The claims of a file with its name and their places. Raises InvalidInput."""
    return [(str(path), claim, at) for claim, at in with_places(path)]


def apart(
    found: Mapping[int, rulings.Ruling | BadClaim],
) -> tuple[list[rulings.Ruling], list[BadClaim]]:
    """What was judged, and what could not be, in the order of the file."""
    ordered = [found[i] for i in sorted(found)]
    good = [each for each in ordered if not isinstance(each, BadClaim)]
    return good, [each for each in ordered if isinstance(each, BadClaim)]


def sure(found: Mapping[int, rulings.Ruling | BadClaim]) -> list[rulings.Ruling]:
    """Raises InvalidInput for claims that could not be judged."""
    good, bad = apart(found)
    if bad:
        raise InvalidInput("; ".join(map(str, bad)))
    return good
