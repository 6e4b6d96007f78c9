r"""``derive`` and ``derive_pair``: the two doors of the symbolic layer."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace

import sympy as sp

from pldverify.errors import InvalidInput, NotSupported, PldverifyError
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic import cache
from pldverify.symbolic.build.builder import derive_formulas
from pldverify.symbolic.build.user_pair import densities_of_user
from pldverify.symbolic.check.obligations import obligations
from pldverify.symbolic.check.prover import Prover
from pldverify.symbolic.derivation import Derivation
from pldverify.symbolic.families.family import Family, Printed, forward
from pldverify.symbolic.families.table import family
from pldverify.symbolic.model.densities import Densities
from pldverify.symbolic.model.formulas import Formulas
from pldverify.symbolic.model.serial import SYMPY_RAISES

_DIRECTIONS = ("remove", "add", "replace", "replace-back")


def derive(mechanism: Mechanism, *, direction: Direction | None = None) -> Derivation:
    r"""Everything about the privacy loss of one mechanism, derived from its two densities and proved.

    The formulas are symbolic in all parameters; the mechanism's own values are attached as ``values``.
    ``direction`` is ``remove`` (P‖Q) or ``add`` (Q‖P), under replace-one ``replace`` or ``replace-back``;
    without it the first one that the mechanism has. Results are cached on disk, see
    :mod:`pldverify.symbolic.cache`.

    Raises InvalidInput for something that is no mechanism or a direction that it does not have,
    NotSupported for a mechanism without a pair (ρ-zCDP, Rényi DP).

    >>> derived = pv.derive(pv.Gaussian(sigma=1))
    >>> derived.loss, derived.inverse
    (t/sigma**2 - 1/(2*sigma**2), s*sigma**2 + 1/2)
    >>> {obligation.state.value for obligation in derived.obligations if not obligation.source}
    {'PROVED'}
    """
    if not isinstance(mechanism, Mechanism):
        raise InvalidInput(f"mechanism must be a mechanism, got {mechanism!r}; derive_pair takes densities")
    if not mechanism.is_exact:
        raise InvalidInput(f"mechanism must have rational parameters for a derivation, got {mechanism}")
    if direction is None:
        direction = "remove" if "add-or-remove" in mechanism.relations else "replace"
    if direction not in _DIRECTIONS:
        raise InvalidInput(f"direction must be one of {', '.join(_DIRECTIONS)}, got direction={direction!r}")
    found = family(mechanism, direction)
    with _what_sympy_raises() if isinstance(mechanism, DensityPair) else nullcontext():
        general = derive_family(found, direction)
    values = {
        symbol.name: found.values[symbol.name] for symbol in general.parameters if symbol.name in found.values
    }
    return replace(general, direction=direction, notes=found.notes).at(**values)


def derive_family(found: Family, direction: Direction) -> Derivation:
    """The derivation of a family, symbolic in all parameters; from the cache if it is there."""
    straight = forward(direction)
    pair = found.densities if straight else found.densities.swapped()
    printed = found.printed if straight else None
    key = f"{found.key} {'forward' if straight else 'backward'} {pair.key()}"
    return Derivation.of(cache.recall(key, lambda: _prove(pair, found.key, direction, printed)))


def _prove(pair: Densities, key: str, direction: str, printed: Printed | None) -> Formulas:
    straight = derive_formulas(pair, key, direction)
    reverse = derive_formulas(pair.swapped(), key, "reverse")
    found = obligations(straight, reverse)
    if printed is not None:
        found += tuple(printed(straight, reverse, Prover(pair.domain)))
    return replace(straight, obligations=found)


def derive_pair(
    p_expr: sp.Expr,
    q_expr: sp.Expr,
    symbol: sp.Symbol,
    assumptions: Mapping[sp.Symbol, tuple[object, object]] | None = None,
    *,
    box: Mapping[sp.Symbol, tuple[object, object]] | None = None,
) -> Derivation:
    r"""The same for densities that the user writes in sympy.

    Args:
        p_expr, q_expr: densities (or, for an integer ``symbol``, probabilities) of P and Q; ``Piecewise`` and
            ``Abs`` in the outcome are taken apart into regions.
        symbol: the outcome.
        assumptions: {symbol: (lower, upper)}, one open interval for each parameter and, optionally, the
            support of the outcome (without it all reals, or all integers); ends are rational or ±oo.
        box: {symbol: (lower, upper)}, where proofs in balls take place; default: inside the assumptions.

    The result's ``mechanism(**values)`` composes like a built-in one.

    Raises InvalidInput for symbols that ``assumptions`` does not name, densities that are not positive or
    do not have total mass 1, and a loss that is not piecewise monotone with pieces that can be found;
    NotSupported where sympy fails.

    Logistic noise of scale 1 on a query of sensitivity 1, whose loss is less than 1:

    >>> import sympy as sp
    >>> t = sp.Symbol("t", real=True)
    >>> def density(mean):
    ...     return sp.exp(-(t - mean)) / (1 + sp.exp(-(t - mean))) ** 2
    >>> derived = pv.derive_pair(density(1), density(0), t)
    >>> derived.failed, derived.pieces[0].range
    ((), (-1, 1))
    >>> float(pv.epsilon(derived.mechanism(), delta=0))
    1.0
    """
    with _what_sympy_raises():
        densities = densities_of_user(p_expr, q_expr, symbol, assumptions or {}, box or {})
        return derive_family(Family("density-pair", densities), "remove")


@contextmanager
def _what_sympy_raises() -> Iterator[None]:
    """Of densities that a user wrote: NotSupported."""
    try:
        yield
    except PldverifyError:
        raise
    except SYMPY_RAISES as error:
        how = f"{type(error).__name__}: {error}"[:200]
        raise NotSupported(f"densities must be what sympy can work with, got {how}") from error


__all__ = ["derive", "derive_family", "derive_pair"]
