"""``pldverify calibrate``: the smallest noise, or the most sampling or steps, that meet an (ε, δ)."""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from pldverify.cli import options
from pldverify.cli.answer import NOT_EXACT, echo_json
from pldverify.cli.named import composition as read
from pldverify.cli.options import FRACTION, option
from pldverify.cli.output import echo
from pldverify.cli.run import NAMES, argument, flag, flags, of_run
from pldverify.errors import InvalidInput
from pldverify.mechanisms.batches import SCHEMES
from pldverify.mechanisms.mechanism import Composition, Standing
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import show
from pldverify.numbers.json import exact, text

if TYPE_CHECKING:
    from pldverify.reference.quantities.calibrate import Calibration, Parameter

_PARAMETERS: "dict[Parameter, str]" = {
    "sigma": "noise_multiplier",
    "q": "sampling_probability",
    "steps": "steps",
}
"""A parameter, and the flag of a run that is left out for it."""
_RANGES: "dict[Parameter, tuple[str, str, str]]" = {
    "sigma": ("0.1", "1000", "0.001"),
    "q": ("0.00001", "1", "0.00001"),
    "steps": ("1", "1000000", "1"),
}
"""Low, high and resolution where they are left out."""
_BLANK = re.compile(r"\{(\w*)\}")

Build = Callable[[Fraction], Composition]


@click.command()
@argument
@flags
@option("--epsilon E", "In nats, ≥ 0.", FRACTION, required=True)
@option("--delta D", "Between 0 and 1.", FRACTION, required=True)
@option("--low X", "Least candidate, > 0.", FRACTION)
@option("--high X", "Greatest candidate.", FRACTION)
@option("--resolution X", "Candidates are its multiples: σ 0.001, q 1e-5, 1 step.", FRACTION)
@options.adjacency
@options.explain
@options.as_json
def calibrate(
    expression: str | None,
    epsilon: Fraction,
    delta: Fraction,
    low: Fraction | None,
    high: Fraction | None,
    resolution: Fraction | None,
    adjacency: Adjacency | None,
    explain: bool,
    as_json: bool,
    **run: object,
) -> None:
    """Find the least σ, or the largest q or steps, for (ε, δ).

    Leave out one flag of the run: --noise-multiplier, --sampling-probability or --steps. Or give an EXPR with
    {sigma}, {q} or {steps} where the number is to stand: "1000 * poisson(gaussian({sigma}), q=0.01)".
    """
    from pldverify.cli.progress import progress
    from pldverify.reference.quantities.calibrate import calibrate as search

    parameter, build = _asked(expression, run)
    given = {"low": low, "high": high, "resolution": resolution}
    ends = {
        name: options.fraction(default if value is None else value, name)
        for (name, value), default in zip(given.items(), _RANGES[parameter], strict=True)
    }
    most = _looks(**ends)
    with progress(most) as tell:
        seen: list[Fraction] = []

        def told(value: Fraction) -> Composition:
            tell(len(seen), f"{parameter} = {show(value)}")
            seen.append(value)
            return build(value)

        found = search(told, parameter=parameter, epsilon=epsilon, delta=delta, adjacency=adjacency, **ends)
        tell(most, f"{parameter} = {show(found.value)} found")
    if as_json:
        echo_json(_document(parameter, found, build, epsilon, delta))
    else:
        step = -ends["resolution"] if parameter == "sigma" else ends["resolution"]
        _print(parameter, found, found.value + step, build, epsilon, delta, explain)


def _looks(low: Fraction, high: Fraction, resolution: Fraction) -> int:
    """Both ends, and as many candidates as a bisection looks at; the search itself judges the numbers."""
    if not 0 < low <= high < math.inf or resolution <= 0:
        return 2
    return 2 + int((high - low) / resolution).bit_length()


def _asked(expression: str | None, run: dict[str, object]) -> "tuple[Parameter, Build]":
    """The parameter that is searched for, and what it makes. Raises InvalidInput."""
    given = {name: run[name] for name in NAMES if run[name] is not None}
    if expression is None:
        return _of_run(given)
    if given:
        raise InvalidInput(f"EXPR must stand alone, without {flag(next(iter(given)))} of a run")
    blanks = set(_BLANK.findall(expression))
    parameter = next((name for name in _PARAMETERS if blanks == {name}), None)
    if parameter is None:
        allowed = ", ".join(f"{{{name}}}" for name in _PARAMETERS)
        raise InvalidInput(
            f"EXPR must have one of {allowed} in the place of a number, got {expression[:60]!r}"
        )
    return parameter, lambda value: read(_BLANK.sub(f"({show(value)})", expression))


def _of_run(given: Mapping[str, object]) -> "tuple[Parameter, Build]":
    known = {"sampling_probability", "batch_size"} & set(given)
    scheme = SCHEMES[str(given.get("sampling", "poisson"))]  # type: ignore[index]  # a choice of the flag
    missing = {
        "sigma": "noise_multiplier" not in given,
        "q": not known and "sampling_probability" not in scheme.without,
        "steps": not {"steps", "epochs"} & set(given) and "steps" not in scheme.needs,
    }
    left_out = [name for name in _PARAMETERS if missing[name]]
    if len(left_out) != 1:
        raise InvalidInput(
            "one of --noise-multiplier, --sampling-probability and --steps must be left out to be found, got "
            + (" ".join(map(flag, given)) or "none of them")
        )
    parameter = left_out[0]
    return parameter, lambda value: of_run({**given, _PARAMETERS[parameter]: value})


def _print(
    parameter: "Parameter",
    found: "Calibration",
    beside: Fraction,
    build: Build,
    epsilon: Fraction,
    delta: Fraction,
    explain: bool,
) -> None:
    best = build(found.value)
    standing = _standing(found.passes, best)
    of_mechanism = standing in ("exact", "upper bound"), standing in ("exact", "lower bound")
    met, failed = ("" if proved else " by the pairs" for proved in of_mechanism)
    echo(f"{parameter} = {show(found.value)}")
    echo(f"of {best}: (ε={text(epsilon)}, δ={text(delta)}) is met{met}, proved: δ(ε) = {found.passes}")
    if standing != "exact":
        echo(NOT_EXACT[standing])
    if found.fails is None:
        echo("the last candidate of the range")
    else:
        told = f"fails{failed}, proved" if found.fails.lower > delta else "is not proved to meet it"
        echo(f"{parameter} = {show(beside)} {told}: δ(ε) = {found.fails}")
    if explain:
        for name, proof in (("passes", found.passes), ("fails", found.fails)):
            if proof is not None:
                echo("\n".join([f"{name}: engine: {proof.engine}", *proof.details()]))


def _standing(found: Enclosure, best: Composition) -> Standing:
    return "exact" if found.two_sided else best.standing


def _document(
    parameter: "Parameter", found: "Calibration", build: Build, epsilon: Fraction, delta: Fraction
) -> dict[str, object]:
    best = build(found.value)
    return {
        "parameter": parameter,
        **exact(value=found.value),
        "composition": str(best),
        "pairs": _standing(found.passes, best),
        "epsilon": text(epsilon),
        "delta": text(delta),
        "passes": _ends(found.passes),
        "fails": None if found.fails is None else _ends(found.fails),
    }


def _ends(found: Enclosure) -> dict[str, object]:
    return {**exact(lower=found.lower, upper=found.upper), "engine": found.engine}
