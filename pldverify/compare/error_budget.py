r"""Split an FFT accountant's error into terms, each observed exactly and held against its theorem.

A budget walks from the true δ(ε) to the printed number. Each step replaces one problem by the next, so
that the signed changes add up to the whole error:

* ``fourier``: ``tail`` (the integral stops at L), ``truncation`` (single losses outside [−L, L) are dropped),
  ``periodisation`` (the rest is wrapped), ``discretisation`` (density to grid masses, as the accountant
  has them in doubles), ``rounding`` (FFT, power, sum), ``margin`` (what an upper bound adds on purpose).
* ``heterogeneous-fourier``: ``truncation``, ``discretisation`` on the infinite grid, ``periodisation`` with
  the tail, ``rounding``, ``margin``.
* ``prv``: ``discretisation`` with the conditioning on [−L, L] (by coupling), ``periodisation``, ``rounding``,
  ``margin``.

The discretised problem is evaluated without rounding: the accountant's own grid masses, convolved in balls.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from flint import arb

from pldverify.accountants import fft_grid, fourier, heterogeneous_fourier, prv
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.fft_grid import Vector
from pldverify.accountants.fourier import Fourier
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper
from pldverify.accountants.losses import loss, sigma_and_q
from pldverify.accountants.prv import PRVUpper
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.bounds.chernoff import chernoff_tail
from pldverify.bounds.coupling import coupling_band, coupling_shift
from pldverify.bounds.fft_rounding import convolution_rounding
from pldverify.bounds.right_grid import left_grid, right_grid
from pldverify.compare.budget_evaluation import evaluation
from pldverify.compare.budget_grid import PREC, GridPart, Kernel, unwrapped_sum, wrapped_sum
from pldverify.compare.budget_moments import noise_and_q
from pldverify.compare.budget_promises import first_order, second_order
from pldverify.compare.budget_terms import ErrorBudget, Term
from pldverify.compare.budget_truth import Truth, least
from pldverify.errors import InvalidInput, NotSupported, SubjectFailure
from pldverify.mechanisms.mechanism import Direction
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim
from pldverify.numbers.enclosure import Bound, Enclosure

UNIT = Fraction(1, 2**53)
"""Unit roundoff of doubles."""
_NEGINF = -math.inf


def error_budget(accountant: Accountant, query: Query) -> ErrorBudget:
    """Where the error of an accountant's δ(ε) comes from: signed terms that add up to it, each proved.

    Args:
        accountant: an in-house ``Fourier``, ``HeterogeneousFourier…`` or ``PRV…`` accountant with its grid.
        query: asks for δ at an ε. Under add-or-remove the budget is of the direction that decided the answer.

    Returns an :class:`~pldverify.compare.budget_terms.ErrorBudget`: ``.terms``, each with ``.name``,
    ``.observed`` (an Enclosure), the promise ``.low`` and ``.high``, ``.verdict`` (INSIDE, OUTSIDE, UNDECIDED
    or NO BOUND) and ``.theorem``; ``.dominant`` names the largest, ``.broken`` those outside of their
    promise; ``.table()``, ``.plot()`` and ``.to_json()`` show it.

    Raises InvalidInput for a query without ε, NotSupported for another accountant or a query that it refuses,
    SubjectFailure where it prints no number, NoConvergence where the reference or the exact convolution
    would take too long.

    >>> from pldverify.accountants.fourier import Fourier
    >>> from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query
    >>> training = 100 * PoissonSubsampled(Gaussian(sigma=1), q="0.01")
    >>> budget = error_budget(Fourier(n=2_000, L=6.0), Query(training, epsilon="0.5"))
    >>> budget.dominant, budget.broken
    ('discretisation', ())
    >>> [term.name for term in budget.terms]
    ['tail', 'truncation', 'periodisation', 'discretisation', 'rounding']
    >>> budget.sum.overlaps(budget.total)
    True
    """
    walk = next((walk for kind, walk in _WALKS if isinstance(accountant, kind)), None)
    if walk is None:
        raise NotSupported(f"a budget needs an in-house FFT accountant, got {accountant.name}")
    if query.epsilon is None:
        raise InvalidInput("a budget needs a query with epsilon")
    refusal = accountant.supports(query)
    if refusal is not None:
        raise NotSupported(f"{accountant.name} does not support {query}: {refusal}")
    claim, direction = max(_answers(accountant, query), key=lambda answer: answer[0].value)
    printed = claim.value
    if not isinstance(printed, Fraction):
        raise SubjectFailure(f"{accountant.name} printed {printed} for {query}")
    with working(PREC):
        truth = Truth(query.composition, direction, query.epsilon)
        terms = walk(accountant, truth, claim)
    return ErrorBudget(query, accountant.name, direction, printed, truth.delta, tuple(terms))


def _answers(accountant: Accountant, query: Query) -> list[tuple[Claim, Direction]]:
    """What is printed for each direction by itself."""
    ordered = query.composition.directions(query.adjacency)
    if "replace" in ordered:
        return [(accountant.claim(query), "replace")]
    composition, epsilon = query.composition, query.epsilon
    return [
        (accountant.claim(Query(composition, epsilon=epsilon, adjacency=side)), side)
        for side in ordered
        if side == "add" or side == "remove"
    ]


def _term(name: str, observed: arb, low: arb, high: arb, theorem: str, sign: int = 0) -> Term:
    """``sign``: −1 or 1 for a change that is ≤ 0 or ≥ 0 by definition."""
    if not observed.is_finite():
        raise SubjectFailure(f"budget: the {name} is not finite, because the accountant's numbers are not")
    ends = lower(observed), upper(observed)
    if math.inf in ends or _NEGINF in ends:
        raise SubjectFailure(f"budget: the {name} is beyond all numbers, because the accountant's masses are")
    bottom, top = (Fraction(end) for end in ends)
    if sign:  # a ball next to 0 can't hold that
        bottom, top = (max(bottom, Fraction(0)), top) if sign > 0 else (bottom, min(top, Fraction(0)))
    return Term(name, Enclosure(bottom, top, "error budget"), _end(low), _end(high), theorem)


def _end(value: arb) -> Bound:
    """An exact ball of a promise."""
    if value.is_finite():
        return upper(value) if value >= 0 else lower(value)
    return math.inf if value > 0 else _NEGINF


def _wider(bound: arb) -> arb:
    """Room for the coarse radius of a ball [0, bound]."""
    return (bound * (1 + arb(2) ** -20)).upper()


def _change(wrapped: arb, whole: arb, far: arb) -> arb:
    """The difference, or [−far, far] where that is known better: no more mass than ``far`` wraps."""
    direct = wrapped - whole
    return arb(0, far) if far < direct.rad() else direct


def _margin(accountant: Accountant, claim: Claim, raw: Fraction, noise: arb) -> list[Term]:
    """What the accountant adds to its own sum, exactly: on its side, or back to where δ can be.

    A margin that is the difference of two sums has twice their rounding, ``noise``.
    """
    printed = Fraction(claim.value)
    if printed == raw:
        return []
    change = Enclosure(printed - raw, printed - raw, "error budget")
    slack = 2 * Fraction(upper(noise))
    low: Bound = min(Fraction(0), 1 - raw) - slack if accountant.direction == "upper" else _NEGINF
    high: Bound = max(Fraction(0), -raw) + slack if accountant.direction == "lower" else math.inf
    return [Term("margin", change, low, high, "added on purpose")]


def _exact(value: float) -> Fraction:
    if not math.isfinite(value):
        raise SubjectFailure(f"the accountant's sum is {value}")
    return Fraction(value)


def _rounding(parts: list[GridPart], *, n: int, kernel: int, reach: float) -> arb:
    norms = [
        (
            Fraction(float(np.sqrt(np.sum(part.masses**2))) * 1.001) + Fraction(1, 2**500),
            part.total,
            part.count,
        )
        for part in parts
    ]
    return convolution_rounding(norms, n=n, kernel=min(n, max(0, kernel)), reach=Fraction(reach), unit=UNIT)


def _checked(masses: Vector) -> Vector:
    if not np.all(np.isfinite(masses)):
        raise SubjectFailure("the accountant's grid masses are not finite: tiny sigma overflows its density")
    return np.maximum(masses, 0.0)


def _discretisation(truth: Truth, parts: list[GridPart], L: Fraction, step: Fraction) -> tuple[arb, str]:
    """The smaller promise, and whose it is."""
    printed = first_order(truth, [part.total for part in parts], step)
    smooth = second_order(truth, L, step)
    return (smooth, "Poisson summation") if smooth < printed else (printed, "KJH19 10.4, corrected")


def _fourier(accountant: Fourier, truth: Truth, claim: Claim) -> list[Term]:
    for mechanism, _ in truth.composition.parts:
        if noise_and_q(mechanism) is None:
            raise NotSupported(f"no budget for {mechanism}: its moments are not bounded far out")
    n, L = accountant.n, Fraction(accountant.L)
    step = 2 * L / n
    densities = fourier.densities(truth.composition, truth.direction)
    x = fft_grid.points(n, accountant.L)
    grids = [(_checked(density(x) * (2 * accountant.L / n)), k) for density, k in densities]
    parts = [GridPart(masses, -(n // 2), k) for masses, k in grids]
    raw = _exact(fft_grid.hockey_stick(fft_grid.compose(grids), accountant.L, float(truth.epsilon)))
    # the accountant's ε is a double
    kernel = Kernel(step, Fraction(float(truth.epsilon)), n // 2)
    exact = wrapped_sum(parts, n, kernel, goal=truth.goal)

    delta, tail, alias = truth.delta_at(truth.epsilon), truth.beyond(L), truth.wrapped(L)
    dropped = truth.outside(L)
    zero = arb(0)
    lost = zero.union(dropped.min((delta - tail).upper().max(zero)))
    around = (alias - zero.union(dropped)).max(zero)
    periodic = delta - tail + alias - zero.union(dropped)
    steps, theorem = _discretisation(truth, parts, L, step)
    steps += evaluation(truth, parts, x, step)
    far = truth.promised_periodisation(L)
    rounding = _rounding(parts, n=n, kernel=n // 2 - kernel.start, reach=accountant.L)
    return [
        _term("tail", -tail, -_wider(truth.chernoff(L)), zero, "Chernoff, KH21 (5.3)", -1),
        _term("truncation", -lost, -truth.promised_truncation(L), zero, "KH21 D.4, corrected", -1),
        _term("periodisation", around, zero, far, "KH21 Theorem 1", 1),
        _term("discretisation", exact - periodic, -steps, steps, f"{theorem}; masses in doubles"),
        _term("rounding", ball(raw) - exact, -rounding, rounding, "Higham 24.2, in a model of the FFT"),
        *_margin(accountant, claim, raw, zero),
    ]


def _heterogeneous(accountant: HeterogeneousFourierUpper, truth: Truth, claim: Claim) -> list[Term]:
    n, L = accountant.n, Fraction(accountant.L)
    step, zero = 2 * L / n, arb(0)
    losses = [(accountant.on_grid(m, truth.direction), k) for m, k in truth.composition.parts]
    parts = [GridPart(_checked(one.masses), -(n // 2), k) for one, k in losses]
    masses = fft_grid.compose([(one.masses, k) for one, k in losses])
    infinite = heterogeneous_fourier.infinite_mass(losses)
    raw = _exact(infinite + fft_grid.hockey_stick(masses, accountant.L, float(truth.epsilon)))
    finite = arb(1)
    for one, k in losses:
        finite *= ball(1 - Fraction(one.infinity)) ** k
    kernel = Kernel(step, Fraction(float(truth.epsilon)), n // 2)
    wrapped = 1 - finite + wrapped_sum(parts, n, kernel, goal=truth.goal)
    outside = _outside(parts, step)
    whole = 1 - finite + unwrapped_sum(parts, kernel, n=n, outside=outside, goal=truth.goal)

    delta = truth.delta_at(truth.epsilon)
    continuous = all(sigma_and_q(m) is not None for m, _ in truth.composition.parts)
    # ω_max covers (−L − Δx, L − Δx], ω_min [−L, L)
    kept = L - step if accountant.side == "right" else L
    dropped = truth.outside(kept) if continuous else zero
    lost = zero.union(dropped.min(delta.upper()))
    steps = truth.composition.steps
    if continuous:
        x = fft_grid.points(n, accountant.L)
        noise = evaluation(truth, parts, x, step)
        size = first_order(truth, [part.total for part in parts], step) + noise
        low, high = -size, noise
        if accountant.side == "right":
            low, high = -noise, size.min(_above(parts, step)(kernel.start))
        theorem = "KH21 (6.1), and KJH19 10.4, corrected"
    elif accountant.side == "right":
        tail = truth.tail_at(truth.epsilon - steps * step)
        low, high = zero, right_grid(tail.upper(), delta, steps, step)
        theorem = "KH21 Theorem 2, corrected"
    else:
        tail = truth.tail_at(truth.epsilon)
        low, high = -left_grid(tail.upper(), delta, steps, step), zero
        theorem = "KH21 Theorem 2, left grid"
    far = outside(-(n // 2), n // 2)
    rounding = _rounding(parts, n=n, kernel=n // 2 - kernel.start, reach=accountant.L)
    terms = []
    if continuous:
        terms.append(
            _term("truncation", -lost, -truth.promised_truncation(kept), zero, "KH21 D.4, corrected", -1)
        )
    return [
        *terms,
        _term("discretisation", whole - delta + lost, low, high, theorem),
        _term("periodisation", _change(wrapped, whole, far), -_wider(far), _wider(far), "KH21 Theorem 1"),
        _term("rounding", ball(raw) - wrapped, -rounding, rounding, "Higham 24.2, in a model of the FFT"),
        *_margin(accountant, claim, raw, zero),
    ]


def _above(parts: list[GridPart], step: Fraction, side: int = 1) -> Callable[[int], arb]:
    """i ↦ Chernoff's bound on the composed mass at i and above; for ``side`` −1 at i and below."""

    def moment(lam: Fraction) -> arb:
        return sum((p.count * p.log_moment(side * lam, step) for p in parts), arb(0))

    def about(lam: float) -> float:
        return math.fsum(p.count * p.about_log_moment(side * lam, float(step)) for p in parts)

    def bound(i: int) -> arb:
        at = i * step
        return least(
            lambda lam: chernoff_tail(moment(lam), side * lam, at),
            lambda lam: about(lam) - lam * side * float(at),
        )

    return bound


def _outside(parts: list[GridPart], step: Fraction) -> Callable[[int, int], arb]:
    """(low, high) ↦ Chernoff's bound on the composed mass outside of low ≤ i < high."""
    above, below = _above(parts, step), _above(parts, step, -1)
    return lambda low, high: (above(high) + below(low - 1)).upper()


def _prv(accountant: PRVUpper, truth: Truth, claim: Claim) -> list[Term]:
    L, h = float(claim.parameters["L"]), float(claim.parameters["h"])
    losses = [(loss(m, truth.direction), k) for m, k in truth.composition.parts]
    cells = [(prv.discretize(one, L=L, h=h), k) for one, k in losses]
    size = len(cells[0][0].masses)
    half = (size - 1) // 2
    parts = [GridPart(_checked(cell.masses), -half, k) for cell, k in cells]
    composed = prv.compose_prv(losses, L=L, h=h)
    raw = _exact(composed.delta(float(truth.epsilon)))
    step = Fraction(h)
    # the accountant's grid of the composition begins at this double
    shift = Fraction(composed.start) + half * step
    kernel = Kernel(step, Fraction(float(truth.epsilon)) - shift, half + 1)
    outside = _outside(parts, step)
    wrapped = wrapped_sum(parts, size, kernel, goal=truth.goal)
    whole = unwrapped_sum(parts, kernel, n=size, outside=outside, goal=truth.goal)

    delta, eta = truth.delta_at(truth.epsilon), Fraction(claim.parameters["delta_error"]) / 6
    reach = coupling_shift(step, truth.composition.steps, eta)
    shifted = Fraction(upper(reach))
    slack = ball(eta) + truth.outside(Fraction(L))
    low, high = coupling_band(
        truth.delta_at(truth.epsilon + shifted), truth.delta_at(truth.epsilon - shifted), slack
    )
    far = outside(-half, half + 1)
    farthest = L + abs(float(shift))
    rounding = _rounding(parts, n=size, kernel=half + 1 - kernel.start, reach=farthest)
    noise = _rounding(parts, n=size, kernel=size, reach=farthest)
    return [
        _term(
            "discretisation",
            whole - delta,
            -(delta - low).upper(),
            (high - delta).upper(),
            "GLW21 Lemmas 5.2 and 5.3",
        ),
        _term("periodisation", _change(wrapped, whole, far), -_wider(far), _wider(far), "KH21 Theorem 1"),
        _term("rounding", ball(raw) - wrapped, -rounding, rounding, "Higham 24.2, in a model of the FFT"),
        *_margin(accountant, claim, raw, noise),
    ]


_WALKS: tuple[tuple[type, Callable[..., list[Term]]], ...] = (
    (Fourier, _fourier),
    (HeterogeneousFourierUpper, _heterogeneous),
    (PRVUpper, _prv),
)
