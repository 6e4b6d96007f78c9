"""Values for the parameters of a derivation: exact, and inside their intervals."""

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import rational, show
from pldverify.symbolic.model.domain import Domain


def checked_values(domain: Domain, values: Mapping[str, object]) -> dict[sp.Symbol, Fraction]:
    """{parameter: exact value} from {name: number}.

    Raises InvalidInput for a name that is no parameter or a value outside its open interval.
    """
    names = {symbol.name: symbol for symbol in domain.intervals}
    result = {}
    for name, value in values.items():
        if name not in names:
            raise InvalidInput(f"parameter must be one of {', '.join(names) or 'none'}, got {name}")
        number = rational(value, name)
        lower, upper = domain.intervals[names[name]]
        exact = sp.Rational(number.numerator, number.denominator)
        if not lower < exact < upper:
            raise InvalidInput(f"{name} must be in ({lower}, {upper}), got {name}={show(number)}")
        if names[name].is_integer and number.denominator != 1:
            raise InvalidInput(f"{name} must be an integer, got {name}={show(number)}")
        result[names[name]] = number
    return result
