"""``pldverify convert --zcdp RHO --delta D``: what another definition of privacy means as (ε, δ)."""

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import click

from pldverify.cli import options
from pldverify.cli.answer import ASKED, answer, echo_json
from pldverify.cli.options import option
from pldverify.cli.output import echo
from pldverify.errors import InvalidInput
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import show
from pldverify.numbers.json import exact, text
from pldverify.numbers.order import renyi_order
from pldverify.numbers.scientific import scientific

if TYPE_CHECKING:
    from pldverify.reference.quantities.conversions import Rule

_DIGITS = 15
"""Significant digits of a bound, rounded up."""
_RULES = ("mironov-2017", "canonne-2020", "balle-2020", "asoodeh-2020")


@click.command()
@option("--zcdp RHO", "Of every ρ-zCDP mechanism.", options.FRACTION)
@option(
    "--rdp ORDER:DIVERGENCE",
    "Of every mechanism with that Rényi divergence at most; once for each order.",
    click.STRING,
    multiple=True,
)
@option("--gdp MU", "Of every μ-GDP mechanism; exact.", options.FRACTION)
@options.either
@option("--rule", "Which theorem, for --rdp; by default canonne-2020.", click.Choice(_RULES))
@options.as_json
def convert(
    zcdp: Fraction | None,
    rdp: tuple[str, ...],
    gdp: Fraction | None,
    epsilon: options.Exact | None,
    delta: options.Exact | None,
    rule: "Rule | None",
    as_json: bool,
) -> None:
    """Convert zCDP, RDP or GDP to (ε, δ).

    zCDP and RDP give proved upper bounds, rounded up: they fix no mechanism. GDP has a mechanism that attains
    it, and gives an enclosure.
    """
    if (zcdp is not None) + bool(rdp) + (gdp is not None) != 1:
        raise InvalidInput("one of --zcdp, --rdp and --gdp must be given")
    if rule is not None and not rdp:
        raise InvalidInput(f"--rule must stand with --rdp, got --rule {rule}")
    quantity, at = options.one_of(epsilon, delta)
    given, called = ASKED[quantity]
    argument = options.fraction(at, given)
    if gdp is not None:
        _exact(quantity, gdp, argument, as_json)
        return
    if zcdp is not None:
        of, bound = f"every {show(zcdp)}-zCDP mechanism", _of_zcdp(quantity, zcdp, argument)
    else:
        of, bound = _of_rdp(quantity, [_pair(each) for each in rdp], argument, rule or "canonne-2020")
    if as_json:
        echo_json({"quantity": quantity, "of": of, given: text(argument), **exact(upper=bound)})
        return
    shown = "inf" if isinstance(bound, float) else scientific(bound, _DIGITS, up=True)
    echo(f"{called.format(text(argument))} ≤ {shown}")
    echo(f"of {of}, proved")


def _exact(quantity: Literal["delta", "epsilon"], mu: Fraction, argument: Fraction, as_json: bool) -> None:
    from pldverify import reference
    from pldverify.mechanisms.gdp import GDP

    enclose = reference.delta if quantity == "delta" else reference.epsilon
    answer(quantity, enclose, 1 * GDP(mu), argument, as_json=as_json)


def _of_zcdp(quantity: str, rho: Fraction, argument: Fraction) -> Bound:
    from pldverify.reference.quantities.conversions import zcdp_delta, zcdp_epsilon

    return zcdp_delta(rho, argument) if quantity == "delta" else zcdp_epsilon(rho, argument)


def _of_rdp(
    quantity: str, curve: list[tuple[Bound, Fraction]], argument: Fraction, rule: "Rule"
) -> tuple[str, Bound]:
    from pldverify.reference.quantities.conversions import delta_from_rdp, epsilon_from_rdp

    orders, divergences = zip(*curve, strict=True)
    bound = delta_from_rdp if quantity == "delta" else epsilon_from_rdp
    points = ", ".join(f"({text(order)}, {text(divergence)})" for order, divergence in curve)
    return f"every mechanism with Rényi divergence ≤ {points}, {rule}", bound(
        orders, divergences, argument, rule
    )


def _pair(value: str) -> tuple[Bound, Fraction]:
    """Order and divergence. Raises InvalidInput."""
    order, colon, divergence = value.partition(":")
    if not colon:
        raise InvalidInput(f"rdp must be ORDER:DIVERGENCE such as 8:0.5, got rdp={value!r}")
    return renyi_order(order, options.fraction), options.fraction(divergence, "divergence")
