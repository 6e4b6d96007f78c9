"""``pldverify certify``: is a reported DP-SGD budget true?"""

from fractions import Fraction
from typing import TYPE_CHECKING

import click

from pldverify.cli import options
from pldverify.cli.answer import echo_json, provenance
from pldverify.cli.exits import Exit
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import STANDINGS, Composition
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import count, show

if TYPE_CHECKING:
    from pldverify.certificate.certify import Certificate

_EXITS = {
    "CERTIFIED": Exit.SOUND,
    "REFUTED": Exit.REFUTED,
    "CONDITIONAL": Exit.UNDECIDED,
    "UNDECIDED": Exit.UNDECIDED,
}


@click.command()
@click.option("--sigma", required=True, metavar="S", help="Noise multiplier of the Gaussian mechanism, > 0.")
@click.option("--q", required=True, metavar="Q", help="Poisson sampling probability, in (0, 1].")
@click.option("--steps", required=True, metavar="K", help="Number of steps, up to 10**12.")
@click.option("--delta", required=True, metavar="D", help="δ of the reported budget, between 0 and 1.")
@click.option("--epsilon", required=True, metavar="E", help="ε of the reported budget, in nats, ≥ 0.")
@options.adjacency
@options.as_json
def certify(
    sigma: str, q: str, steps: str, delta: str, epsilon: str, adjacency: Adjacency, as_json: bool
) -> None:
    """Certify or refute that Poisson-subsampled DP-SGD is (ε, δ)-DP."""
    from pldverify.certificate.certify import certify as rule

    step = PoissonSubsampled(Gaussian(sigma), q)
    query = Query(Composition.of((step, count(steps, "steps"))), delta=delta, adjacency=adjacency)
    certificate = rule(query, epsilon)
    if as_json:
        echo_json(certificate.to_json())
    else:
        _print(certificate)
    raise click.exceptions.Exit(_EXITS[certificate.verdict])


def _print(certificate: "Certificate") -> None:
    query = certificate.query
    delta = show(query.delta or Fraction(0))
    click.echo(f"{certificate.verdict}: ε = {show(certificate.epsilon)} at δ = {delta}")
    click.echo(f"of {query.composition}, {query.adjacency}")
    if certificate.truth is not None:
        click.echo(f"{STANDINGS[certificate.truth_is]} ε = {certificate.truth}")
        click.echo(provenance(certificate.truth))
    if certificate.reason:
        click.echo(certificate.reason)
