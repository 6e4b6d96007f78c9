r"""Where the steps of a claim go on a grid of losses: the hints that Coq checks.

Grids are chosen as in the checker: a guarantee's ε is a multiple of the step h; losses that are multiples of
one number get it as h, all but exactly; others lie between grid points, whose error is of order h² a step.
Noise is cut where its loss is a multiple of h; that of a sampled answer a hair to the right, since such
points are logarithms. Ends of a composition with next to no mass are cut off, as the kernel does.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeVar

from pldverify.balls import arb
from pldverify.balls.ball import ball, dyadic, working
from pldverify.errors import InvalidInput

BITS = 192
"""Masses are integers times 2^−BITS, as in ``kernel/theories/Rounding.v``."""
SLACK = Fraction(1, 2**85)
"""Relative error of the kernel's exponentials, at most, for losses up to FARTHEST: x²/2^100 and roundings."""
BLUR = Fraction(1, 2**78)
"""Absolute error of the kernel's masses of noise, at most: it knows the normal law's area to 2^−87."""
FARTHEST = 30
"""Greatest loss: beyond it fewer digits of a Q-mass are left than SLACK says."""
POINTS = (60, 250, 500, 1000, 2500, 5000)
"""Losses of the whole composition, or up to twice as many: the next if the first ones leave the claim open. A
factor of 2 changes only time."""
MOST = 8000
"""Losses at most: some minutes of Coq."""
MARGIN = Fraction(1, 2**55)
"""What the kernel's rounding may take from a proof, of the masses that count: SLACK at MOST losses."""
CUT = Fraction(1, 2**20)
"""All that is cut off from a composition, of its δ: a factor of 2 changes only time."""
TAIL = Fraction(1, 2**10)
"""What of δ goes for losses of Gaussian noise beyond the grid: a factor of 2 changes only time."""
GAP = Fraction(1, 2**75)
"""What a mixture's loss at a point is less than that of its cell's end: the kernel's exponentials see it."""
BEYOND = Fraction(1, 2**60)
"""A mass of Gaussian noise that matters for no δ: a factor of 2 changes only time."""
NEARLY = Fraction(1, 2**100)
"""What two losses that are equal may differ by: :func:`_log` is better than that."""
_ONE = 1 << BITS
"""The integer that stands for a mass of 1."""
_WORKING = 256
"""Bits of exponentials, logarithms and areas, of which the kernel knows fewer."""

T = TypeVar("T")
Rows = list[tuple[Fraction, Fraction]]
"""(P, Q) of each outcome."""


@dataclass(frozen=True)
class Guarantee:
    """Some mechanism of which (ε, δ)-differential privacy is known."""

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True)
class Noise:
    """Noise of unit scale on one of two answers at a distance, in units of the scale: on the first one with
    probability ``p`` under P, ``q`` ≤ ``p`` under Q.
    """

    kind: Literal["Laplace", "Gaussian"]
    distance: Fraction
    p: Fraction = Fraction(1)
    q: Fraction = Fraction(0)

    @property
    def plain(self) -> bool:
        """Whether P and Q are the noise itself: with points that are rational."""
        return self.p == 1 and self.q == 0


Step = Rows | Guarantee | Noise
Steps = list[tuple[Step, int]]
"""With the number of their runs."""


@dataclass(frozen=True)
class Direction:
    """Of all steps, seen in one direction: the hints, and the δ that they prove, less a margin."""

    hints: str
    delta: Fraction


def swapped(step: Step) -> Step:
    """The other direction; guarantees have but one, noise is reflected."""
    match step:
        case Guarantee():
            return step
        case Noise():
            return Noise(step.kind, step.distance, p=1 - step.q, q=1 - step.p)
    return [(q, p) for p, q in step]


def number(x: Fraction) -> str:
    return f"({x.numerator}, {x.denominator})%Z"


# --- numbers ---------------------------------------------------------------------------------------------


def _exp(x: Fraction) -> Fraction:
    with working(_WORKING):
        return dyadic(ball(x).exp().mid())


def _log(x: Fraction) -> Fraction:
    with working(_WORKING):
        return dyadic(ball(x).log().mid())


def _left_of(kind: str, x: Fraction) -> Fraction:
    """The distribution function of noise."""
    if kind == "Laplace":
        return _exp(x) / 2 if x < 0 else 1 - _exp(-x) / 2
    with working(_WORKING):
        return dyadic((-ball(x) / arb(2).sqrt()).erfc().mid() / 2)


# --- grids -----------------------------------------------------------------------------------------------


def _losses(step: Step) -> list[Fraction]:
    """Losses of finitely many outcomes, or the greatest one, of Gaussian noise but for 1e-18 of mass."""
    match step:
        case Guarantee():
            return [step.epsilon]
        case Noise(kind="Laplace"):
            return [step.distance]
        case Noise():
            return [step.distance**2 / 2 + 9 * step.distance]
    return [_log(p / q) for p, q in step if p and q]


def _greatest(step: Step) -> Fraction:
    """The greatest size of a finite loss. Raises InvalidInput if that is too great."""
    found = max((abs(x) for x in _losses(step)), default=Fraction(0))
    if found > FARTHEST:
        raise InvalidInput(f"--coq must be of losses up to {FARTHEST}, got {float(found):.6g}")
    return found


def _cut(steps: Steps, delta: Fraction) -> int:
    """What may be cut off an end of a product, so that CUT of δ goes in all."""
    return int(delta * CUT / (4 * sum(times for _, times in steps)) * _ONE)


def _reach(steps: Steps, delta: Fraction) -> Fraction:
    """The width of the losses that remain: all of them, or as many standard deviations as δ asks for."""
    found = [(_greatest(step), times) for step, times in steps]
    whole = sum((2 * most * times for most, times in found), Fraction(0))
    if not (cut := _cut(steps, delta)):
        return whole
    sizes = [_spread(step) if isinstance(step, Noise) else _greatest(step) for step, _ in steps]
    spread = math.sqrt(sum(float(size) ** 2 * times for size, (_, times) in zip(sizes, steps, strict=True)))
    return min(whole, Fraction(2 * spread * math.sqrt(2 * BITS * math.log(2) - 2 * math.log(cut))))


def _spread(step: Noise) -> float:
    """About the loss's standard deviation; of a mixture by the χ²-divergence of P from Q."""
    s = float(step.distance)
    return s if step.plain else min(s, float(step.p - step.q) * math.sqrt(math.expm1(min(s * s, 700))))


def _grids(steps: Steps, delta: Fraction) -> Iterator[Fraction]:
    """The distances h of losses, each less than the one before. Raises InvalidInput if already the first one
    asks for too many losses.
    """
    reach, before = _reach(steps, delta), None
    for points in POINTS:
        h = _distance(steps, (reach or Fraction(1)) / points)
        losses = math.ceil(reach / h) + 2 * sum(times for step, times in steps if isinstance(step, list))
        if losses > MOST and before is None:
            raise InvalidInput(f"--coq must be of compositions on at most {MOST} losses, got {losses}")
        if losses <= MOST and h != before:
            yield h
        before = h


def _distance(steps: Steps, width: Fraction) -> Fraction:
    """About ``width``, or what divides all losses."""
    multiples = [step.epsilon for step, _ in steps if isinstance(step, Guarantee)]
    for step, _ in steps:
        if isinstance(step, Noise) and not step.plain:
            return _to_least_loss(step, width)
    if not multiples and all(isinstance(step, Noise) for step, _ in steps):
        multiples = [step.distance for step, _ in steps[:1] if isinstance(step, Noise)]
    if multiples:
        whole = math.lcm(*(x.denominator for x in multiples))
        common = Fraction(math.gcd(*(int(x * whole) for x in multiples)), whole)
        exact = all(isinstance(step, Guarantee) for step, _ in steps)
        return common if exact else common / math.ceil(common / width)
    losses = [x for step, _ in steps if isinstance(step, list) for x in _losses(step) if abs(x) > NEARLY]
    least = min(map(abs, losses), default=Fraction(1))
    exact = all(abs(x - round(x / least) * least) < NEARLY for x in losses)
    if exact and least > width / 4 and all(isinstance(step, list) for step, _ in steps):
        return Fraction(math.ceil(least * (1 + Fraction(1, 2**50)) * 2**80), 2**80)
    return Fraction(math.ceil(width * 2**60), 2**60)


def _noise_loss(step: Noise, own: Fraction) -> Fraction:
    """Where the noise's own loss is ``own``."""
    odds = _exp(own)
    return own if step.plain else _log((step.p * odds + 1 - step.p) / (step.q * odds + 1 - step.q))


def _to_least_loss(step: Noise, width: Fraction) -> Fraction:
    """About ``width``, so that a multiple of it is the least loss of a mixture, or the greatest, where much
    of its mass is: but for what lies further out than the noise's own losses go.
    """
    reach = min(_own_reach(step, BEYOND), Fraction(FARTHEST))
    end = abs(_noise_loss(step, reach if step.p == 1 else -reach)) * (1 - Fraction(1, 2**50))
    return Fraction(math.floor(end / math.ceil(end / width) * 2**80), 2**80)


def _own_reach(step: Noise, tail: Fraction) -> Fraction:
    """The noise's own greatest loss; of Gaussian noise, but for a mass of ``tail`` of either answer."""
    s = step.distance
    if step.kind == "Laplace":
        return s
    return s * s / 2 + Fraction(float(s) * math.sqrt(-2 * math.log(tail or BEYOND)))


def _ends_of_noise(step: Noise, h: Fraction, tail: Fraction) -> tuple[int, int]:
    """The lowest and the greatest loss, in units of h: of points on the line for all but the greatest one."""
    reach = _own_reach(step, tail)
    top = math.ceil(_noise_loss(step, _own_reach(step, min(tail / step.p, Fraction(1, 2)))) / h)
    if step.kind == "Laplace":
        return math.ceil(_noise_loss(step, -reach) / h), top
    low = math.floor(_noise_loss(step, step.distance**2 - reach if step.p == 1 else -reach) / h)
    if step.p < 1 and low * h - GAP <= _log((1 - step.p) / (1 - step.q)):
        low += 1
    return low, top


def _point(step: Noise, loss: Fraction) -> Fraction:
    """Where the loss is that; of mixtures a hair to the right, or as far to the left as matters."""
    slope = 2 if step.kind == "Laplace" else step.distance
    if step.plain:
        return -loss / slope
    odds, farthest = _exp(loss - GAP), 2 * _own_reach(step, BEYOND)
    over, under = odds * (1 - step.q) - 1 + step.p, step.p - odds * step.q
    if over > 0 and under > 0:
        own = max(-farthest, min(farthest, _log(over / under)))
    else:
        own = farthest if over > 0 else -farthest
    return Fraction(math.ceil(-own / slope * 2**80), 2**80)


def _left_of_both(step: Noise, x: Fraction) -> tuple[Fraction, Fraction]:
    """P- and Q-mass left of a point."""
    first, second = (_left_of(step.kind, x + sign * step.distance / 2) for sign in (1, -1))
    return step.p * first + (1 - step.p) * second, step.q * first + (1 - step.q) * second


def _ratio(step: Noise, x: Fraction) -> Fraction:
    """Q/P at a point."""
    half = step.distance / 2
    own = abs(x - half) - abs(x + half) if step.kind == "Laplace" else -step.distance * x
    odds = _exp(own)
    return (step.q * odds + 1 - step.q) / (step.p * odds + 1 - step.p)


def _stated_points(points: list[Fraction]) -> str:
    whole = math.lcm(*(x.denominator for x in points))
    return f"{whole} [{'; '.join(str(int(x * whole)) for x in points)}]%Z"


def _power(product: Callable[[T, T], T], x: T, times: int) -> T:
    """As the kernel does it."""
    if times == 1:
        return x
    half = _power(product, x, times // 2)
    square = product(half, half)
    return product(x, square) if times % 2 else square


def _product(x: dict[int, int], y: dict[int, int]) -> dict[int, int]:
    """Rounded down: one product of two integers with a field of bytes for each mass, as in the kernel."""
    width = (2 * BITS + len(x).bit_length()) // 8 + 2
    (low_x, a), (low_y, b) = ((min(z), _packed(z, width)) for z in (x, y))
    count = max(x) - low_x + max(y) - low_y + 1
    fields = (a * b).to_bytes(count * width, "little")
    found = (int.from_bytes(fields[i * width : (i + 1) * width], "little") >> BITS for i in range(count))
    return {low_x + low_y + i: c for i, c in enumerate(found) if c}


def _packed(x: dict[int, int], width: int) -> int:
    fields = bytearray((max(x) - min(x) + 1) * width)
    for i, c in x.items():
        at = (i - min(x)) * width
        fields[at : at + width] = c.to_bytes(width, "little")
    return int.from_bytes(fields, "little")


def _all_finite(steps: Steps) -> Fraction:
    """P-mass of the outcomes without an infinite loss."""
    found = Fraction(1)
    for step, times in steps:
        if isinstance(step, Guarantee):
            found *= (1 - step.delta) ** times
        if isinstance(step, list):
            found *= sum((p for p, _ in _possible(step)), Fraction(0)) ** times
    return found


def _possible(step: Rows) -> Rows:
    return [(p, q) for p, q in step if q]


# --- upper -----------------------------------------------------------------------------------------------


def upper(steps: Steps, epsilon: Fraction, delta: Fraction) -> Direction:
    """Hints for ``Kernel.Upper``. Raises InvalidInput where no grid is fine enough."""
    cut, tail = _cut(steps, delta), _tail(steps, delta)

    def product(x: dict[int, int], y: dict[int, int]) -> dict[int, int]:
        return _without_ends(_product(x, y), cut)

    for h in _grids(steps, delta):
        whole, hints, lost = {0: _ONE}, [], 1 - _all_finite(steps)
        for step, times in steps:
            masses, hint = _placed(step, h, tail)
            hints.append(hint)
            if isinstance(step, Noise) and step.kind == "Gaussian":
                lost += times * tail
            whole = product(_power(product, masses, times), whole)
        above = [(c, i * h) for i, c in whole.items() if i * h > epsilon]
        sure = sum((c * (1 - _exp(epsilon - loss)) for c, loss in above), Fraction(0)) / _ONE
        found = lost + sure + CUT * delta + MARGIN * (lost + sum(c for c, _ in above) / Fraction(_ONE))
        if found <= delta:
            return Direction(f"{number(h)} {cut} [{'; '.join(hints)}]", found)
    raise InvalidInput(
        f"--coq must be of a claim that {max(POINTS)} losses prove, got ε <= {epsilon} at δ = {delta}: "
        f"they prove δ <= {float(found):.6g}"
    )


def _tail(steps: Steps, delta: Fraction) -> Fraction:
    return delta * TAIL / sum(times for _, times in steps)


def _without_ends(masses: dict[int, int], cut: int) -> dict[int, int]:
    """Without the masses at both ends of no more than ``cut`` in all."""
    found = dict(sorted(masses.items()))
    for order in (list(found), list(reversed(found))):
        sure = 0
        for i in order[:-1]:
            sure += found.get(i, 0)
            if sure > cut:
                break
            found.pop(i, None)
    return found


def _placed(step: Step, h: Fraction, tail: Fraction) -> tuple[dict[int, int], str]:
    """Masses at multiples of h that tell more than a step does, and the hint."""
    match step:
        case Guarantee():
            m, odds, rest = int(step.epsilon / h), _exp(step.epsilon), (1 - step.delta) * _ONE
            return {-m: round(rest / (1 + odds)), m: round(rest * odds / (1 + odds))}, f"Points {m}"
        case Noise():
            return _placed_noise(step, h, tail)
    masses: dict[int, int] = {}
    rows = [_ends(p, q, h) for p, q in _possible(step)]
    start = min(cell for cell, _, _ in rows)
    for cell, u, v in rows:
        masses[cell] = masses.get(cell, 0) + u
        masses[cell + 1] = masses.get(cell + 1, 0) + v
    listed = "; ".join(f"({cell}, ({u}, {v}))" for cell, u, v in rows)
    return masses, f"Cells ({start}) [{listed}]%Z"


def _placed_noise(step: Noise, h: Fraction, tail: Fraction) -> tuple[dict[int, int], str]:
    low, top = _ends_of_noise(step, h, tail)
    points = [_point(step, j * h) for j in range(low, top + 1)]
    edges = [_left_of_both(step, x) for x in points]
    masses, parts = {low: round((1 - edges[0][0]) * _ONE)}, []
    if step.kind == "Laplace" and points[-1] <= -step.distance / 2:
        masses[top] = round(edges[-1][0] * _ONE)
    for i, ((p, q), (p_left, q_left)) in enumerate(pairwise(edges)):
        c = low + i
        ends = _ratio(step, points[i]) * (1 + SLACK), _exp(-(c + 1) * h) * (1 + SLACK)
        u, v = _parts(p - p_left + BLUR, q - q_left - BLUR, *ends)
        if u < 0:
            raise InvalidInput(f"--coq must be of masses beyond the kernel's rounding, got those of {step}")
        masses[c] = masses.get(c, 0) + u
        masses[c + 1] = masses.get(c + 1, 0) + v
        parts.append(f"({u}, {v})")
    return masses, f"(Grid ({low}) {_stated_points(points)} [{'; '.join(parts)}]%Z)"


def _parts(p: Fraction, q: Fraction, low: Fraction, high: Fraction) -> tuple[int, int]:
    """The P-masses u and v at a cell's ends, where Q/P is ``low`` and, less, ``high``: u + v ≥ p, with less
    Q-mass than q by a hair that covers the kernel's rounding; more than p at the upper one if there is no
    such u.
    """
    most = math.ceil(p * _ONE)
    v = math.ceil(((p * low - q) + SLACK * p * low) / (low - high) * _ONE + 4 * low / (low - high))
    return most - max(v, 0), max(v, 0)


def _ends(p: Fraction, q: Fraction, h: Fraction) -> tuple[int, int, int]:
    """The cell of an outcome, and the P-masses at its ends."""
    if not p:
        return 0, 0, 0
    cell = math.floor(_log(p / q) / h)
    while True:
        u, v = _parts(p, q, _exp(-cell * h), _exp(-(cell + 1) * h))
        if u >= 0:
            return cell, u, v
        cell += 1


# --- lower -----------------------------------------------------------------------------------------------

Cells = dict[int, tuple[int, int]]
"""P- and Q-mass of each cell."""


def lower(steps: Steps, epsilon: Fraction, delta: Fraction) -> Direction:
    """Hints for ``Kernel.Lower``: cells by the nearest multiple of h; of the finest grid if none will do."""
    cut, tail = _cut(steps, delta), _tail(steps, delta)

    def product(x: Cells, y: Cells) -> Cells:
        p = _product({i: p for i, (p, _) in x.items()}, {i: p for i, (p, _) in y.items()})
        q = _product({i: q for i, (_, q) in x.items()}, {i: q for i, (_, q) in y.items()})
        return {i: (a, q[i]) for i, a in _without_ends(p, cut).items()}

    for h in _grids(steps, delta):
        whole: Cells = {0: (_ONE, _ONE)}
        hints = []
        for step, times in steps:
            cells, hint = _seen(step, h, tail)
            hints.append(hint)
            whole = product(_power(product, cells, times), whole)
        odds = _exp(epsilon)
        above = [(p, odds * q) for p, q in whole.values() if p > odds * q]
        lost = 1 - _all_finite(steps)
        sure = sum((p - q for p, q in above), Fraction(0)) / _ONE
        found = lost + sure - CUT * delta - MARGIN * (lost + sum(p for p, _ in above) / Fraction(_ONE))
        if found > delta:
            break
    return Direction(f"{cut} [{'; '.join(hints)}]", found)


def _seen(step: Step, h: Fraction, tail: Fraction) -> tuple[Cells, str]:
    """P- and Q-masses of the cells, and the hint."""
    match step:
        case Guarantee():
            m, odds, rest = int(step.epsilon / h), _exp(step.epsilon), (1 - step.delta) * _ONE
            low, high = round(rest / (1 + odds)), round(rest * odds / (1 + odds))
            return {0: (low, high), 2 * m: (high, low)}, f"Apart {2 * m}"
        case Noise():
            return _seen_noise(step, h, tail)
    rows = _possible(step)
    nearest = [round(_log(p / q) / h) if p else None for p, q in rows]
    least = min((cell for cell in nearest if cell is not None), default=0)
    indices = [0 if cell is None else cell - least for cell in nearest]
    return _gathered(rows, indices), f"Seen [{'; '.join(map(str, indices))}]%nat"


def _seen_noise(step: Noise, h: Fraction, tail: Fraction) -> tuple[Cells, str]:
    """Cut at odd multiples of h/2, so that cells lie around multiples of h."""
    low, top = _ends_of_noise(step, h, tail)
    points = [_point(step, (2 * c + 1) * h / 2) for c in range(low, top)]
    edges = [_left_of_both(step, x) for x in points]
    rows = [(1 - edges[0][0], 1 - edges[0][1])]
    rows += [(p - p_left, q - q_left) for (p, q), (p_left, q_left) in pairwise(edges)]
    rows.append(edges[-1])
    indices = list(range(len(rows)))
    return _gathered(rows, indices), f"(Cut {_stated_points(points)} [{'; '.join(map(str, indices))}]%nat)"


def _gathered(rows: Rows, indices: list[int]) -> Cells:
    found: Cells = {}
    for index, (p, q) in zip(indices, rows, strict=True):
        p_mass, q_mass = found.get(index, (0, 0))
        found[index] = (p_mass + int(p * _ONE), q_mass + math.ceil(q * _ONE))
    return found
