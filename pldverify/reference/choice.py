"""Engine choice: what applies, cheapest first."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from pldverify.balls.clock import budget, spend
from pldverify.errors import InvalidInput, NoConvergence, NotSupported, PldverifyError
from pldverify.numbers.exact import brief
from pldverify.reference.engines.closed.atoms import offer_atoms
from pldverify.reference.engines.closed.atoms_and_one import offer_conditioning
from pldverify.reference.engines.closed.residues import offer_residues
from pldverify.reference.engines.closed.threshold import offer_threshold
from pldverify.reference.engines.closed.two_steps import offer_two_steps
from pldverify.reference.engines.convolution.grid import offer_grid
from pldverify.reference.engines.inversion.atom_at_zero import offer_zeros
from pldverify.reference.engines.inversion.lattice import offer_lattice
from pldverify.reference.engines.inversion.rare_events import offer_jumps
from pldverify.reference.engines.inversion.slope import offer_contour_slope, offer_grid_slope
from pldverify.reference.engines.inversion.truncated import offer_near
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.search.contour import offer_contour
from pldverify.reference.search.dyadic_grid import offer_octaves
from pldverify.reference.search.offer import Offer, Profile, Quantity
from pldverify.reference.search.smoothing import offer_smoothing


@dataclass(frozen=True)
class Engine:
    """What the choice knows of an engine before it asks for an offer.

    Attributes:
        offer: its offer for (product, quantity, ε, digits); NotSupported where it does not apply,
            NoConvergence where its search foresees too much work.
        least: seconds that any answer costs: below that it need not be asked.
        limit: digits that it can give at most.
    """

    offer: Callable[..., Offer]
    least: float
    limit: float = math.inf


ENGINES: dict[str, Engine] = {
    "threshold": Engine(offer_threshold, 0.0),
    "residues": Engine(offer_residues, 2e-5),
    "atoms": Engine(offer_atoms, 5e-5),
    "conditioning": Engine(offer_conditioning, 3e-4),
    "two steps": Engine(offer_two_steps, 0.001),
    "lattice": Engine(offer_lattice, 0.001),
    "zeros": Engine(offer_zeros, 0.05),
    "contour": Engine(offer_contour, 0.002),
    "near": Engine(offer_near, 0.2),
    "jumps": Engine(offer_jumps, 0.3),
    "smoothing": Engine(offer_smoothing, 0.01, limit=6),
    "contour slope": Engine(offer_contour_slope, 0.01),
    "grid": Engine(offer_grid, 0.01, limit=6),
    "octaves": Engine(offer_octaves, 0.05, limit=6),
    "grid slope": Engine(offer_grid_slope, 0.03, limit=3),
}
"""Closed forms of one loss, of Laplace losses, of finitely many sums and of these beside one of those; one
integral; one period of a lattice; the whole line, with losses of 0, far losses or steps without a jump set
apart or not; the same with noise added; convolution; and tails from the δ of a line and of a grid."""

_PATIENCE = 2.0
"""Seconds that any engine may take before another one has its turn."""


def choose(
    product: Product,
    quantity: Quantity,
    epsilon: Fraction,
    *,
    digits: int,
    names: Sequence[str] = tuple(ENGINES),
    extra: int = 0,
    dearer: Mapping[str, float] = MappingProxyType({}),
) -> tuple[Profile, dict[str, str]]:
    """The cheapest engine that applies, set up for ``digits`` digits near ``epsilon``; and why that one.

    Those that can give so many digits come first, by predicted seconds, times ``dearer``; nobody is asked
    whose least is more than the best offer. ``extra`` digits are asked of engines without a limit, and of
    those that are ``dearer`` as they fell short before. Where setting up fails, the next one has its turn;
    float trouble counts as failure. What takes ten times as long as predicted waits until all others have
    failed.
    Raises NoConvergence with all reasons when none is left.
    """
    waiting = sorted((ENGINES[name].limit < digits, ENGINES[name].least, name) for name in names)
    offers: dict[tuple[bool, float, str], Offer] = {}
    refusals: dict[str, str] = {}
    while waiting or offers:
        spend()
        if waiting and not (offers and min(offers) < waiting[0]):
            short, _, name = waiting.pop(0)
            with _noted(name, refusals):
                more = extra if math.isinf(ENGINES[name].limit) or name in dearer else 0
                offer = ENGINES[name].offer(product, quantity, epsilon, digits=digits + more)
                offers[short, offer.seconds * dearer.get(name, 1.0), name] = offer
        else:
            best = min(offers)
            offer, (short, price, name) = offers.pop(best), best
            alone = price == math.inf or not (offers or waiting)
            patience = math.inf if alone else max(_PATIENCE, 10 * offer.seconds)
            start = time.process_time()
            with _noted(name, refusals):
                only = "the only one allowed, " if len(names) == 1 else ""
                why = {f"why {name}": only + _price((short, offer.seconds, name), "predicted")}
                why |= {f"why not {other}": reason for other, reason in refusals.items() if other != name}
                why |= {f"why not {rank[2]}": _price(rank, "predicted") for rank in sorted(offers)}
                why |= {f"why not {rank[2]}": _price(rank, "at least") for rank in waiting}
                with budget(patience):
                    return offer.build(), why
            if time.process_time() - start >= patience:  # once more, if all the others fail
                offers[True, math.inf, name] = offer
    reasons = "; ".join(f"{name}: {reason}" for name, reason in refusals.items())
    raise NoConvergence(reasons or "no engine is left")


def _price(rank: tuple[bool, float, str], how: str) -> str:
    short, seconds, name = rank
    most = f"{ENGINES[name].limit} digits at most, " if short else ""
    return f"{most}{how} {seconds:.1g} s"


@contextmanager
def _noted(name: str, refusals: dict[str, str]) -> Iterator[None]:
    """Turn a refusal into a note."""
    try:
        yield
    except (NotSupported, NoConvergence) as reason:
        refusals[name] = str(reason).removeprefix(f"{name}: ")
    except PldverifyError:
        raise
    except (ArithmeticError, ValueError) as trouble:
        refusals[name] = f"the search left the range of floats ({trouble})"


def named(engine: str | None) -> Sequence[str]:
    """The engines to try: all of them, or the one that the caller insists on. Raises InvalidInput."""
    if engine is None:
        return tuple(ENGINES)
    if not isinstance(engine, str) or engine not in ENGINES:
        raise InvalidInput(f"engine must be one of {', '.join(ENGINES)}, got engine={brief(engine)}")
    return (engine,)
