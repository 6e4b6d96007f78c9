"""Engine choice: one readable function."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, Protocol

from flint import arb

from pldverify.errors import InvalidInput, NoConvergence, NotSupported, PldverifyError
from pldverify.reference.budget import spend
from pldverify.reference.contour_search import build_contour
from pldverify.reference.grid import build_grid
from pldverify.reference.lattice import build_lattice
from pldverify.reference.product import Product
from pldverify.reference.threshold import build_threshold

Quantity = Literal["delta", "tail"]


class Profile(Protocol):
    """An engine at work on one composed loss; answers for every ε, best near the one it was built for."""

    engine: str
    limit: float  # digits that the engine can give at most

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around the finite part of δ(ε), or of P(S ≥ ε)."""

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and error terms."""


ENGINES: dict[str, Callable[..., Profile]] = {
    "threshold": build_threshold,
    "lattice": build_lattice,
    "contour": build_contour,
    "grid": build_grid,
}
"""Cheapest first: closed form of one loss, one period of a lattice, the whole line, convolution."""


def opened(
    product: Product,
    quantity: Quantity,
    epsilon: Fraction,
    *,
    digits: int,
    names: Sequence[str] = tuple(ENGINES),
) -> Iterator[Profile]:
    """The engines that apply and can afford it, in order, each set up for ``digits`` digits near ``epsilon``.

    An engine says NotSupported where it does not apply and NoConvergence where its search predicts too much
    work; float trouble in a search counts as the latter. Raises NoConvergence when none is left.
    """
    reasons = []
    for name in names:
        spend()
        try:
            yield ENGINES[name](product, quantity, epsilon, digits=digits)
        except (NotSupported, NoConvergence) as reason:
            reasons.append(str(reason))
        except PldverifyError:
            raise
        except (ArithmeticError, ValueError) as trouble:
            reasons.append(f"{name}: the search left the range of floats ({trouble})")
    raise NoConvergence("; ".join(reasons) or "no engine is left")


def named(engine: str | None) -> Sequence[str]:
    """The engines to try: all of them, or the one that the caller insists on. Raises InvalidInput."""
    if engine is None:
        return tuple(ENGINES)
    if engine not in ENGINES:
        raise InvalidInput(f"engine must be one of {', '.join(ENGINES)}, got engine={engine!r}")
    return (engine,)
