"""Mechanisms that a user's own Python file or module defines: ``./mine.py:pair`` and ``package.module:pair``.

Reading one runs that file or module, as ``python`` would, with the rights of whoever typed the command. What
it names may be a mechanism, a composition, a derivation (a pair of densities), or a function that returns
one; the arguments of ``./mine.py:pair(sigma=2)`` are the parameters of a derivation, or the function's.
What it prints goes to standard error: standard output has answers only.
"""

import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, redirect_stdout
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import REFERENCE, parse
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.named import find, run
from pldverify.numbers.irrational import Irrational

if TYPE_CHECKING:
    from pldverify.symbolic.derivation import Derivation


def aside() -> AbstractContextManager[object]:
    """What is printed meanwhile goes to standard error: reading a file or a module runs it."""
    return redirect_stdout(sys.stderr)


def composition(text: str) -> Composition:
    """What an expression of the command line denotes, references read. Raises InvalidInput."""
    return parse(text, load)


def derivation(text: str, direction: Direction | None) -> "Derivation | None":
    """The derivation that ``text`` names, if it is a reference and nothing else; None otherwise."""
    if not REFERENCE.fullmatch(text.strip()):
        return None
    from pldverify.symbolic.derivation import Derivation
    from pldverify.symbolic.derive import derive

    with aside():
        found = find(text.strip())
    if isinstance(found, Derivation) and direction in (None, found.direction):
        return found
    if isinstance(found, Derivation):
        found = found.mechanism()
    return derive(found, direction=direction)  # type: ignore[arg-type]  # which it checks


def load(reference: str, arguments: Mapping[str, Fraction | Irrational]) -> Mechanism | Composition:
    """The mechanism or composition that a reference with arguments names. Raises InvalidInput."""
    with aside():
        found = find(reference)
        if callable(found):
            function, arguments = found, dict(arguments)
            found, arguments = run(reference, lambda: function(**arguments)), {}
    made = getattr(found, "mechanism", None)
    if made is not None:
        found = made(**arguments)
    elif arguments:
        raise InvalidInput(f"{reference} must be a derivation or a function to take arguments")
    if not isinstance(found, Mechanism | Composition):
        kind = type(found).__name__
        raise InvalidInput(f"{reference} must be a mechanism, a composition or a derivation, got {kind}")
    return found
