"""Mechanism expressions with symbolic parameters: ``poisson(gaussian(sigma), q)``.

Bare names stand for parameters. They are put into the mechanism as exact stand-in numbers, so that the
mechanism's own constructor checks its shape, and taken out again: the derivation is symbolic anyway.
Structural parameters (counts, probability vectors) must be numbers.
"""

import ast
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from inspect import signature

from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import MECHANISMS, parse
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.functions import CONSTANTS
from pldverify.symbolic.derivation import Derivation
from pldverify.symbolic.derive import derive

_STAND_INS = {
    "sigma": Fraction(1),
    "q": Fraction(1, 10),
    "b": Fraction(1),
    "p": Fraction(3, 4),
    "mu": Fraction(1),
    "epsilon": Fraction(1),
    "delta": Fraction(1, 10),
    "n": Fraction(100),
    "m": Fraction(5),
    "sensitivity": Fraction(1),
    "categories": Fraction(5),
    "rho": Fraction(1),
}
"""A valid value for each argument that may be a name."""


def derive_expression(text: str, *, direction: Direction | None = None) -> Derivation:
    """The derivation of one mechanism, written with numbers, bare names, or both.

    Raises InvalidInput for text that is not one mechanism, or a name where a number is needed.
    """
    mechanism, symbolic = read(text)
    found = derive(mechanism, direction=direction)
    return replace(found, values={}) if symbolic else found


def read(text: str) -> tuple[Mechanism, bool]:
    """(mechanism, whether any parameter is a bare name). Raises InvalidInput."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is not None and not isinstance(tree, ast.Call):
        raise InvalidInput(
            f"expression must be one mechanism, such as poisson(gaussian(sigma), q), got {text}"
        )
    names = {} if tree is None else _names(tree)
    for start, end, argument in sorted(names.values(), reverse=True):
        if argument not in _STAND_INS:
            raise InvalidInput(f"{argument} must be a number, got the name {text[start:end]}")
        value = _STAND_INS[argument]
        text = f"{text[:start]}{value.numerator}/{value.denominator}{text[end:]}"
    composition = parse(text)
    if composition.steps != 1:
        raise InvalidInput(f"expression must be one mechanism, not a composition, got {composition}")
    return composition.parts[0][0], bool(names)


def _names(call: ast.Call) -> Mapping[int, tuple[int, int, str]]:
    """Bare names in the arguments of a call and of the calls inside: {position: (start, end, argument)}."""
    found: dict[int, tuple[int, int, str]] = {}
    function = call.func.id if isinstance(call.func, ast.Name) else ""
    if function not in MECHANISMS:
        return found
    order = list(signature(MECHANISMS[function]).parameters)
    arguments = [(order[i] if i < len(order) else "", node) for i, node in enumerate(call.args)]
    arguments += [(str(keyword.arg), keyword.value) for keyword in call.keywords]
    for argument, node in arguments:
        if isinstance(node, ast.Call):
            found.update(_names(node))
        elif isinstance(node, ast.Name) and node.lineno == 1 and node.end_col_offset is not None:
            if node.id in CONSTANTS:
                continue
            found[node.col_offset] = (node.col_offset, node.end_col_offset, argument)
    return found
