"""δ(ε), ε(δ), the Rényi divergence and P(S ≥ ε) by mpmath: a second opinion, never a proof.

Everything is computed twice, with finer panels, a longer and shifted line, a smaller step and more digits the
second time; a value is trusted to the digits in which both agree, and refined again where they are too few.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms import DensityPair
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Adjacency, Direction
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.estimate import Estimate
from pldverify.numbers.exact import count, nearest, probability
from pldverify.numbers.order import renyi_order
from pldverify.quadrature.allocation import AllocatedStep, allocated
from pldverify.quadrature.arithmetic import Clock, Real, context, fraction, real
from pldverify.quadrature.inversion import Inversion, Parts
from pldverify.quadrature.lattice import lattice
from pldverify.quadrature.law import Law
from pldverify.quadrature.pairs import pair, symmetric
from pldverify.quadrature.pieces import reversed_pair
from pldverify.quadrature.profile import Profile
from pldverify.quadrature.saddle import Cumulant, exact, line_for_delta, line_for_epsilon, log_kernel
from pldverify.quadrature.sums import MOST_SUMS, Multisets, OneStep, multisets

MAX_DIGITS = 60
"""Cap on the decimal digits that may be asked for."""
SECONDS = 20.0
"""Processor seconds of one answer."""
_LEVELS = 4
"""Cap on the refinements of an answer with too few digits."""
_NEWTON = 60
"""Cap on the Newton steps for ε."""
Line = Callable[[Cumulant], tuple[float, float]]
"""(θ, ε) of the line that suits a question."""
Ask = Callable[["Refinement"], tuple[Real, str]]
"""The answer of one refinement, and how it was found."""


def delta(
    composition: Composed,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 10,
    seconds: float = SECONDS,
) -> Estimate:
    """δ(ε) by quadrature, refined until ``digits`` digits of two refinements agree or ``seconds`` are spent.

    Args:
        composition: a composition, a mechanism, or an expression of them in a string; irrational numbers are
            rounded to 90 digits.
        epsilon: in nats; any finite real, negative too.
        adjacency: ``add``, ``remove``, the maximum of both, or ``replace-one``; by default the composition's.
        digits: 1 to 60; the estimate says how many agree, which may be fewer.
        seconds: processor time.

    Raises InvalidInput, NotSupported for a mechanism without densities or masses, NoConvergence where no
    digit agrees.

    >>> round(float(pv.quadrature.delta(pv.Laplace(b=1), epsilon=0)), 8)
    0.39346934
    """
    eps = nearest(epsilon, "epsilon")
    return _largest(composition, adjacency, digits, seconds, lambda refined: refined.at(eps, 0))


def tail(
    composition: Composed,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 10,
    seconds: float = SECONDS,
) -> Estimate:
    """P(S ≥ ε) of the composed privacy loss S, S = +∞ included; arguments as in :func:`delta`.

    >>> round(float(pv.quadrature.tail(pv.Gaussian(sigma=1), epsilon="1.5")), 8)
    0.15865525
    """
    eps = nearest(epsilon, "epsilon")
    return _largest(composition, adjacency, digits, seconds, lambda refined: refined.at(eps, 1))


def epsilon(
    composition: Composed,
    *,
    delta: object,
    adjacency: Adjacency | None = None,
    digits: int = 10,
    seconds: float = SECONDS,
) -> Estimate:
    """ε(δ) ≥ 0 in nats, +∞ included, by Newton's method on δ(ε); the other arguments as in :func:`delta`.

    >>> round(float(pv.quadrature.epsilon(pv.Gaussian(sigma=1), delta="0.126936737506")), 8)
    1.0
    """
    target = probability(delta, "delta", nearest)
    return _largest(composition, adjacency, digits, seconds, lambda refined: refined.epsilon(target))


def rdp(
    composition: Composed,
    *,
    order: object,
    adjacency: Adjacency | None = None,
    digits: int = 10,
    seconds: float = SECONDS,
) -> Estimate:
    """The Rényi divergence of any order in (0, ∞] in nats, +∞ included.

    At 1 the mean of the loss, at infinity the largest loss; the other arguments as in :func:`delta`. Raises
    InvalidInput unless order > 0.

    >>> round(float(pv.quadrature.rdp(pv.Gaussian(sigma=2), order=8)), 8)
    1.0
    """
    alpha = renyi_order(order, nearest)
    return _largest(composition, adjacency, digits, seconds, lambda refined: refined.rdp(alpha))


def _largest(
    composition: object, adjacency: str | None, digits: object, seconds: float, ask: Ask
) -> Estimate:
    """The largest of the directions' values."""
    whole, wanted = as_composition(composition).middle(), count(digits, "digits", cap=MAX_DIGITS)
    asked = whole.directions(adjacency)
    if all(symmetric(mechanism) for mechanism, _ in whole.parts):
        asked = asked[:1]
    clock = Clock(seconds)
    found = [_agreed(whole, direction, wanted, clock, ask) for direction in asked]
    return max(found, key=lambda estimate: estimate.value)


def _agreed(whole: Composition, direction: Direction, digits: int, clock: Clock, ask: Ask) -> Estimate:
    """Refined until two refinements agree to ``digits`` digits, or as far as the clock allows."""
    best: Estimate | None = None
    before, reason = ask(Refinement(whole, direction, digits, 0, clock))[0], ""
    for level in range(1, _LEVELS + 1):
        try:
            refinement = Refinement(whole, direction, digits, level, clock)
            value, method = ask(refinement)
        except NoConvergence as error:
            reason = f"; {error}"
            break
        common = min(digits, _common_digits(before, value) - refinement.slow)
        if best is None or common > best.digits:
            best = Estimate(_exact(value), common, method)
        if common >= digits:
            break
        before = value
    if best is None or best.digits < 1:
        raise NoConvergence(f"quadrature: no digit of two refinements agrees for {whole}{reason}")
    return best


def _require_all_mass(found: Real, digits: int) -> None:
    """Raise NoConvergence where a density's mass is not 1 to the digits wanted."""
    if abs(found - 1) > 10.0**-digits:
        raise NoConvergence(f"quadrature: the mass of a density must be 1, found {float(found):.12g}")


def _exact(value: Real) -> Fraction | float:
    return math.inf if math.isinf(float(value)) and str(value) == "+inf" else fraction(value)


def _common_digits(a: Real, b: Real) -> int:
    """Significant digits in which two values agree."""
    if a == b:
        return MAX_DIGITS
    if math.isinf(float(a)) or math.isinf(float(b)) or b == 0:
        return 0
    apart = abs(fraction(a) - fraction(b)) / abs(fraction(b))
    if apart >= 1:
        return 0
    return math.floor(-math.log10(apart)) if apart > Fraction(1, 10**MAX_DIGITS) else MAX_DIGITS


@dataclass
class Refinement:
    """One direction of a composition at one refinement ``level``, with a context of its own.

    ``slow``: digits that agreement does not vouch for: one where the line was faded out and converges slowly.
    """

    whole: Composition
    direction: Direction
    digits: int
    level: int
    clock: Clock
    slow: int = 0

    def __post_init__(self) -> None:
        more = math.ceil(math.log10(self.whole.steps)) + 2 * self.level
        self.mp = context(max(30, self.digits + 15 + more))
        self.nats = (self.digits + 5 + more) * math.log(10)
        self.order = 4 if self.digits <= 25 else 5
        self.splits = 2**self.level
        self.allocated = allocated(self.whole)
        parts = () if self.allocated else self.whole.parts
        self.parts: Parts = [(self._law(mechanism), k) for mechanism, k in parts]

    def _law(self, mechanism: Mechanism) -> Law:
        found = pair(self.mp, mechanism, self.direction)
        law = Law(self.mp, found, self.nats, self.clock)
        if isinstance(mechanism, DensityPair):  # nothing else says where a user's density has its mass
            for one in (law, Law(self.mp, reversed_pair(found), self.nats, self.clock)):
                _require_all_mass(one.whole_mass(self.order, self.splits), self.digits)
        return law

    def at(self, epsilon: Fraction, which: int) -> tuple[Real, str]:
        """δ(ε) for 0, P(S ≥ ε) for 1."""
        eps, infinite = real(self.mp, epsilon), self.infinite_mass()
        if eps > self.largest_loss():
            return infinite, "mpmath: no finite loss reaches ε"
        profile = self.profile(lambda cumulant: (line_for_epsilon(cumulant, float(eps)), float(eps)))
        return infinite + profile.at(eps)[which], profile.method

    def epsilon(self, target: Fraction) -> tuple[Real, str]:
        mp, room = self.mp, real(self.mp, target) - self.infinite_mass()
        top = self.largest_loss()
        if room < 0 or (room == 0 and top == mp.inf):
            return mp.inf, "mpmath: δ is at most P(S = ∞)"
        if top <= 0 or target == 1:
            return mp.mpf(0), "mpmath: no finite loss exceeds 0"
        if room == 0:
            return top, "mpmath: the largest finite loss"
        profile = self.profile(lambda cumulant: line_for_delta(cumulant, float(mp.log(room))))
        return self._solved(profile, room, top), f"{profile.method}; Newton's method for ε"

    def _solved(self, profile: Profile, room: Real, top: Real) -> Real:
        """ε with g(ε) = ``room``, by Newton's method on log g kept inside of a bracket."""
        mp = self.mp
        low, high = mp.mpf(0), top
        at, tolerance = self.start if self.start is not None else mp.mpf(1), mp.mpf(10) ** (-self.digits - 4)
        at = min(max(at, low), high) if at < high else (low + high) / 2
        if profile.at(low)[0] <= room:
            return low
        for _ in range(_NEWTON):
            value, reached = profile.at(at)
            low, high = (at, high) if value > room else (low, at)
            slope = value - reached
            step = -value * mp.log(value / room) / slope if value > 0 and slope < 0 else mp.inf
            following = at + step
            if abs(step) <= tolerance * abs(at):
                return following
            if not low < following < high:
                following = (low + high) / 2 if high < mp.inf else 2 * at + 1
            at = following
        raise NoConvergence("quadrature: Newton's method for ε did not end")

    def rdp(self, alpha: Bound) -> tuple[Real, str]:
        if self.allocated:
            raise NotSupported(f"the quadrature has no divergence of {self.allocated}")
        mp, method = self.mp, "mpmath: ∫ p^α q^{1−α}"
        if alpha >= 1 and self.infinite_mass() > 0:
            return mp.inf, method
        if alpha == math.inf:
            return self.largest_loss(), "mpmath: the largest loss"
        order = real(mp, Fraction(alpha))
        total = mp.mpf(0)
        for law, k in self.parts:
            rows = law.rows(order - 1, order=self.order, splits=self.splits)
            if alpha == 1:
                total += k * mp.fsum(mass * loss for mass, loss in rows)
            else:
                total += k * mp.log(mp.fsum(mass for mass, _ in rows)) / (order - 1)
        return total, method

    def infinite_mass(self) -> Real:
        """P(S = ∞) of the composition."""
        mp = self.mp
        finite = [k * mp.log1p(-law.infinite_mass) for law, k in self.parts if law.infinite_mass < 1]
        return -mp.expm1(mp.fsum(finite)) if len(finite) == len(self.parts) else mp.mpf(1)

    def largest_loss(self) -> Real:
        """The supremum of the finite losses of the composition."""
        if self.allocated:
            return self.mp.inf
        return self.mp.fsum(k * law.largest_loss() for law, k in self.parts)

    def profile(self, line: Line) -> Profile:
        """The route: the defining integral, the sum over multisets, or the inversion integral."""
        mp = self.mp
        self.start: Real | None = None
        if self.allocated:
            return AllocatedStep(mp, self.allocated, self.direction, self.level, self.clock)
        if self.whole.steps == 1:
            return OneStep(mp, self.parts[0][0], self.order, self.splits)
        if all(law.finite for law, _ in self.parts):
            lists = [(law.rows(mp.mpf(0)), k) for law, k in self.parts]
            if multisets(lists) <= MOST_SUMS:
                return Multisets(mp, lists, self.clock)
        cumulant = Cumulant(mp, self.parts)
        theta, epsilon = line(cumulant)
        theta *= 1 + self.level / 16 * (1 if theta > 0 else -1)
        self.start = mp.mpf(epsilon)
        found = Inversion(
            mp,
            self.parts,
            exact(mp, theta),
            self._period(cumulant, theta, epsilon) * (1 + self.level / 4),
            self.nats,
            self.clock,
            order=self.order,
            splits=self.splits,
            effort=2.0**self.level * (1 + self.level / 4),
            lattice=lattice(mp, self.parts),
            finite_mass=1 - self.infinite_mass(),
        )
        self.slow = int(found.faded)
        return found

    def _period(self, cumulant: Cumulant, theta: float, epsilon: float) -> float:
        """A period at which folding the loss moves the sum by less than e^{−nats} of its size."""
        size = min(0.0, cumulant(theta) - theta * epsilon + log_kernel(theta))
        near = (self.nats - size) / abs(theta)
        tilts = [theta * r for r in (1.1, 1.3, 1.6, 2.0, 3.0)]
        if theta < 0:
            tilts = [theta - r * (1 + theta) for r in (0.2, 0.5, 0.8, 0.95)]
        far = min((self.nats - size + cumulant(t) - t * epsilon) / abs(t - theta) for t in tilts)
        reach = max(float(self.largest_loss()) - epsilon, 0.0) if theta > 0 else math.inf
        return max(near, min(far, reach))
