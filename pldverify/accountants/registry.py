"""Registry: accountants by name. A new one of ours is a line in ``accountants.txt``, another package's is an
entry point of the group ``pldverify.accountants``, and any other is named by its module, file or command.

Names are ``library/variant`` for third-party libraries, ``method/variant`` or ``method`` for pldverify's own.
The first variant is the headline: what people mean when they say only what stands before the slash.
"""

import sys
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pldverify import named
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.command import PREFIX, command
from pldverify.accountants.library import Library
from pldverify.accountants.made import made
from pldverify.errors import InvalidInput, MissingLibrary
from pldverify.numbers.claim import Direction
from pldverify.numbers.exact import Number

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pldverify.accountants"
"""Of entry points."""

_ROWS = [
    row.split()
    for row in Path(__file__).with_name("accountants.txt").read_text("utf-8").splitlines()
    if not row.startswith("#")
]
_ACCOUNTANTS = {name: f"pldverify.accountants.{place}" for name, place, *_ in _ROWS}
_ON_DEMAND = frozenset(name for name, _, *when in _ROWS if when)
"""A public accountant in other words or with other settings, a function below it, a curve, a calibration."""
_PLAIN = "pldverify.accountants.adapters.plain."
"""Adapters that import nothing of ours."""


def accountant_names() -> list[str]:
    """Names of all accountants, ours and those that installed packages register, whether their library is
    installed or not; headlines first.

    >>> import pldverify as pv
    >>> pv.accountant_names()[0]
    'dp-accounting/pld'
    """
    return list(dict.fromkeys([*_ACCOUNTANTS, *(point.name for point in _entry_points())]))


def beside(library: str) -> list[str]:
    """Names of the accountants that can run in the library's own environment.

    >>> from pldverify.accountants.registry import beside
    >>> beside("riskcal")
    ['riskcal', 'riskcal/trade-off']
    """
    plain = (name for name, reference in _ACCOUNTANTS.items() if reference.startswith(_PLAIN))
    return [name for name in plain if name.partition("/")[0] == library]


def accountant(thing: object, direction: Direction | None = None, error: Number | None = None) -> Accountant:
    """The accountant that is meant: by a name, by ``module:Class`` or ``file.py:Class``, by
    ``command:program arguments``, as an object, as a class, or as a function of a query with ``direction``.

    A library's name means its headline accountant. ``error`` is what a function that estimates is wrong by at
    most. Raises InvalidInput for what is none of these, and for a ``direction`` of what has its own;
    MissingLibrary where a library is not installed.

    >>> from pldverify.accountants.registry import accountant
    >>> accountant("rdp").name, accountant("pldverify.accountants.rdp:RDP").name
    ('rdp/canonne-2020', 'rdp/canonne-2020')
    """
    return variants(thing, direction, error)[0] if isinstance(thing, str) else made(thing, direction, error)


def variants(
    name: str, direction: Direction | None = None, error: Number | None = None, *, every: bool = True
) -> list[Accountant]:
    """All accountants of a library or method, headline first, or the one of that name; without ``every``
    those that a library offers for use. One that lacks what others of its library do not need, such as an
    environment of its own, is left out.

    Raises as :func:`accountant`.

    >>> from pldverify.accountants.registry import variants
    >>> [each.name for each in variants("rdp")]
    ['rdp/canonne-2020', 'rdp/mironov-2017', 'rdp/asoodeh-2020']
    """
    if name.startswith(PREFIX):
        return [command(name, direction or "upper")]
    names = [] if named.is_reference(name) else _matching(name)
    asked = [each for each in names if every or each == name or each not in _ON_DEMAND]
    references = [_reference(each) for each in asked] or [name]
    there, missing = [], []
    for reference in references:
        try:
            there.append(made(_found(reference), direction, error))
        except MissingLibrary as reason:
            missing.append(reason)
    if not there:
        raise missing[0]
    return there


def described(name: str) -> list[tuple[str, str, bool]]:
    """All accountants of a library or method, or what a file ``mine.py`` defines: each with a sentence on
    what it asks, and whether it is one of its :func:`variants` without ``every``. Raises InvalidInput for an
    unknown name.

    >>> from pldverify.accountants.registry import described
    >>> described("prv-accountant")[3]
    ('prv-accountant/upper-coarse', 'The upper bound of PRVAccountant with eps_error=1.', False)
    """
    if name.endswith(".py"):
        return [(f"{name}:{each}", _sentence(doc), True) for each, doc in named.defined(name).items()]
    return [
        (each, _sentence(named.find(_reference(each)).__doc__), each == name or each not in _ON_DEMAND)
        for each in _matching(name)
    ]


def _sentence(docstring: str | None) -> str:
    """The beginning of a docstring, as plain text."""
    return " ".join((docstring or "").partition("\n\n")[0].replace("``", "").split())


def _found(reference: str) -> object:
    """What a reference names; of an adapter that knows no class of ours, what asks it."""
    module, _, kind = reference.partition(":")
    return Library(module, kind) if module.startswith(_PLAIN) else named.find(reference)


def _matching(name: str) -> list[str]:
    known = accountant_names()
    matches = [each for each in known if each == name or each.startswith(f"{name}/")]
    if not matches and name.endswith(".py"):
        inside = ", ".join(f"{name}:{each}" for each in named.defined(name)) or f"{name}:Class"
        raise InvalidInput(f"got accountant={name!r}: accountant must be something that it defines: {inside}")
    if not matches:
        libraries = list(dict.fromkeys(each.split("/")[0] for each in known))
        near = get_close_matches(name, [*known, *libraries], n=1)
        meant = f" (did you mean {near[0]}?)" if near else ""
        raise InvalidInput(
            f"got accountant={name!r}{meant}: accountant must be one of {', '.join(libraries)}, or a variant "
            "of one of them, or module:Class, or file.py:Class, or command:program"
        )
    return matches


def _reference(name: str) -> str:
    """Where the accountant of that name stands. Raises InvalidInput for a name that is taken twice."""
    places = [(_ACCOUNTANTS[name], "pldverify")] if name in _ACCOUNTANTS else []
    places += [(point.value, point.dist.name if point.dist else "?") for point in _entry_points(name)]
    if len(places) > 1:
        listed = " and ".join(f"{package} ({reference})" for reference, package in places)
        raise InvalidInput(
            f"accountant {name} is a name that is taken twice, by {listed}: name one of them by module:Class"
        )
    return places[0][0]


def _entry_points(name: str | None = None) -> "list[EntryPoint]":
    return [point for point in _registered(tuple(sys.path)) if name is None or point.name == name]


@cache
def _registered(path: tuple[str, ...]) -> "list[EntryPoint]":
    """What the packages on the path register: to read their metadata takes a tenth of a second."""
    from importlib.metadata import entry_points

    return sorted(set(entry_points(group=GROUP)), key=lambda point: (point.name, point.value))
