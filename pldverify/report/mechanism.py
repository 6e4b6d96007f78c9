"""What a composition is made of, read from its text alone: nothing is looked up, loaded or run."""

import math
import re
from collections.abc import Iterator
from fractions import Fraction

_MOST = 20_000
"""Characters that are read."""
_TOKEN = re.compile(r"[A-Za-z_]\w{0,60}(?=\()|[()+]|,")
_TIMES = re.compile(r"(?:^|\+ )([0-9]{1,18}) \* ")
_PARAMETER = re.compile(r"\b([A-Za-z_]\w{0,40})=(-?[0-9][0-9.eE/+-]{0,60})(?=[,)\]])")


def shape(composition: str) -> str:
    """Its mechanisms without their parameters.

    >>> from pldverify.report.mechanism import shape
    >>> shape("1000 * poisson(gaussian(sigma=2), q=0.02) + laplace(b=40)")
    'poisson(gaussian) + laplace'
    >>> shape("10 * gaussian(sigma=4) + 20 * gaussian(sigma=8)")
    'gaussian, several'
    """
    terms = list(_terms(composition[:_MOST]))
    different = sorted(set(terms), key=terms.index)
    if not different:
        return composition.strip()[:60]
    if len(different) > 3:
        return f"{len(different)} mechanisms"
    return " + ".join(different) + (", several" if len(terms) > len(different) else "")


def _terms(composition: str) -> Iterator[str]:
    """Names and parentheses of each summand."""
    names, depth = "", 0
    for token in _TOKEN.findall(composition):
        depth += (token == "(") - (token == ")")
        if token == "+" and depth <= 0:
            yield names.replace("()", "")
            names = ""
        elif token not in "+,":
            names += token
    if names:
        yield names.replace("()", "")


def parameters(composition: str) -> dict[str, float]:
    """Its number of steps, as ``k``, and every parameter that has one value throughout.

    >>> from pldverify.report.mechanism import parameters
    >>> parameters("1000 * poisson(gaussian(sigma=2), q=1/50) + gaussian(sigma=2)")
    {'k': 1001.0, 'sigma': 2.0, 'q': 0.02}
    """
    text = composition[:_MOST]
    times = [int(digits) for digits in _TIMES.findall(text)]
    alone = max(0, len(list(_terms(text))) - len(times))
    found: dict[str, set[float]] = {}
    for name, value in _PARAMETER.findall(text):
        found.setdefault(name, set()).add(value_of(value))
    single = {name: next(iter(values)) for name, values in found.items() if len(values) == 1}
    return {"k": float(sum(times) + alone)} | {
        name: value for name, value in single.items() if math.isfinite(value)
    }


def value_of(text: str) -> float:
    """The nearest double; NaN for what is no number or out of range."""
    try:
        if "/" in text:
            return float(Fraction(text))
        return float(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan
