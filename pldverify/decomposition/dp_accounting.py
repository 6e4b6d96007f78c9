r"""dp-accounting's privacy loss distributions: from the true δ to what the library returns.

* ``discretisation``: one distribution after another has masses on the grid. Promised, if pessimistic, is that
  δ rises, and by no more than rounding every loss up to the grid would raise it (KH21 Theorem 2, corrected),
  where a loss that is beyond the last mass counts as infinite, and one below the first as there.
  Connect-the-dots interpolates the curve of one step linearly in :math:`e^\varepsilon` between the points of
  the grid. The curve of the losses rounded up is linear between the same points and nowhere below, so it is
  nowhere below the interpolation, and composition keeps that (Blackwell). If optimistic, δ falls, and by no
  more than rounding down lowers it.
* ``periodisation``: ``self_compose`` wraps at the period of its FFT and keeps a window. Promised is that at
  most ``tail_mass_truncation`` is outside of each window.
* ``truncation``: each window's ``tail_mass_truncation`` is added at infinity, and ``compose`` moves at most
  as much from both ends to the safe side. Promised is that it is the safe side.
* ``rounding``: FFT, powers and sums.
"""

from fractions import Fraction

from pldverify.accountants.adapters.dp_accounting import PLD
from pldverify.accountants.adapters.dp_accounting_functions import Functions
from pldverify.accountants.adapters.dp_accounting_grid import TAIL, Distribution, Grid
from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.bounds.right_grid import left_grid, right_grid
from pldverify.decomposition.grid import GridPart, Kernel, unwrapped_sum, wrapped_sum
from pldverify.decomposition.reading import Reading, require_same
from pldverify.decomposition.steps import (
    UNIT,
    chain_rounding,
    checked,
    exact_sum,
    mass_above,
    mass_outside,
    observed_term,
    rounding_bound,
    rounding_term,
    widened,
)
from pldverify.decomposition.term import Term
from pldverify.decomposition.truth import Truth
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Direction

_CUT = Fraction(TAIL)
"""The library's cap on the mass that one truncation removes, exactly."""
_SPARSE = 1002
"""Roundings of one mass that is composed without an FFT: the library does so for at most 1000 masses."""
_TRUNCATED = "tail_mass_truncation"
_UP = "KH21 Theorem 2, corrected; masses in doubles"
_DOWN = "KH21 Theorem 2, left grid; masses in doubles"


def read(accountant: PLD | Functions, query: Query) -> Reading:
    """What the library returns for δ(ε), its distributions, and the direction that decided."""
    claim, found = accountant.claim(query), accountant.grid(query)
    require_same(claim, exact_sum(found.delta))
    side = max(found.deltas, key=lambda one: found.deltas[one])
    directions = query.composition.directions(query.adjacency)
    direction: Direction = next((one for one in directions if one == side), directions[0])
    return Reading(claim, direction, lambda truth: _terms(found, side, truth))


def _terms(found: Grid, side: str, truth: Truth) -> list[Term]:
    step, zero = Fraction(found.interval), arb(0)
    losses = found.parts[side]
    parts = [GridPart(checked(one.masses), one.first, one.count) for one in losses]
    end = sum((one.first + len(one.masses)) * one.count for one in losses)
    kernel = Kernel(step, Fraction(float(truth.epsilon)), end)
    infinite, goal = _infinite(losses, Fraction(0)), min(truth.goal, _CUT / 1000)
    finite = unwrapped_sum(
        parts,
        kernel,
        n=max(len(one.masses) for one in losses),
        outside=mass_outside(parts, step),
        goal=goal,
    )
    composed = _composed(losses, parts, kernel, finite, goal)
    windows = sum(one.window is not None for one in losses)
    safe = 1 if found.pessimistic else -1
    added = _infinite(losses, _CUT) - infinite if windows else zero
    moved = zero.union(safe * found.cuts * ball(_CUT))
    exact = infinite + composed + added + moved
    terms = [_discretisation(found, losses, infinite + finite, truth)]
    if windows:
        far = (windows * ball(_CUT)).upper()
        terms.append(observed_term("periodisation", composed - finite, -far, far, _TRUNCATED))
    if windows or found.cuts:
        most = widened((windows + found.cuts) * ball(_CUT))
        promised = (zero, most) if found.pessimistic else (-most, zero)
        sign = safe if not windows else 0
        terms.append(observed_term("truncation", added + moved, *promised, _TRUNCATED, sign))
    rounding = _rounding(losses, parts, kernel, infinite)
    return [*terms, rounding_term(exact_sum(found.deltas[side]), exact, rounding)]


def _infinite(losses: tuple[Distribution, ...], tail: Fraction) -> arb:
    """Mass at infinity of the composition, each window with another ``tail``."""
    finite = arb(1)
    for one in losses:
        own = ball(1 - Fraction(one.infinity)) ** one.count
        finite *= own - ball(tail) if one.window is not None else own
    return 1 - finite


def _composed(
    losses: tuple[Distribution, ...], parts: list[GridPart], kernel: Kernel, finite: arb, goal: Fraction
) -> arb:
    """The finite part of δ after the windows of ``self_compose``, without rounding."""
    if len(losses) == 1 and losses[0].window is not None:
        low, size, period = losses[0].window
        inside = Kernel(kernel.step, kernel.epsilon, low + size, least=low)
        return wrapped_sum(parts, period, inside, goal=goal)
    lost = arb(0)
    for one, part in zip(losses, parts, strict=True):
        if one.window is not None:
            low, size, _ = one.window
            lost += _outside(part, kernel.step, low, low + size)
    return finite + arb(0, lost.upper())


def _outside(part: GridPart, step: Fraction, low: int, high: int) -> arb:
    """Bound on the mass of one part, composed with itself, outside of low ≤ i < high."""
    lost = arb(0)
    if part.first * part.count < low:
        lost += mass_above([part], step, -1)(low - 1)
    if (part.first + len(part.masses) - 1) * part.count >= high:
        lost += mass_above([part], step)(high)
    return lost


def _discretisation(found: Grid, losses: tuple[Distribution, ...], whole: arb, truth: Truth) -> Term:
    delta, zero, step = truth.delta_at(truth.epsilon), arb(0), Fraction(found.interval)
    count = sum(one.count for one in losses)
    beyond = arb(0)
    for one, (mechanism, k) in zip(losses, truth.composition.parts, strict=True):
        # rounded down, what is up to an interval above the last mass is there
        low, high = one.first - found.pessimistic, one.first + len(one.masses) - found.pessimistic
        beyond += Truth(Composition.of((mechanism, k)), truth.direction, truth.epsilon).strays(
            low * step, high * step, whole=one.count != k
        )
    if found.pessimistic:
        tail = truth.tail_at(truth.epsilon - count * step)
        size = (right_grid(tail.upper(), delta, count, step) + beyond).upper()
        return observed_term("discretisation", whole - delta, zero, size, _UP)
    tail = truth.tail_at(truth.epsilon)
    size = (left_grid(tail.upper(), delta, count, step) + beyond).upper()
    return observed_term("discretisation", whole - delta, -size, zero, _DOWN)


def _rounding(losses: tuple[Distribution, ...], parts: list[GridPart], kernel: Kernel, infinite: arb) -> arb:
    """Bound on the rounding of everything after the masses."""
    reach = float(max(abs(kernel.end), *(abs(one.first * one.count) for one in losses)) * kernel.step)
    count, unit = sum(one.count for one in losses), ball(UNIT)
    last = (64 + 4 * count) * unit * infinite
    if len(parts) > 1:
        n = 2 * sum(max(len(one.masses), one.window[2] if one.window else 0) for one in losses)
        return (chain_rounding(parts, n=n, reach=reach) + last).upper()
    if losses[0].window is None:  # sums of products of at most _SPARSE masses, none of them negative
        mass = ball(parts[0].total).max(arb(1)) ** count
        return (mass * unit * (_SPARSE * count + 200 + 6 * ball(Fraction(reach))) + last).upper()
    low, size, period = losses[0].window
    above = low + size - max(low, kernel.start)
    return (rounding_bound(parts, n=period, kernel=above, reach=reach) + last).upper()
