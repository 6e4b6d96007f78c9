r"""Where the steps of a claim go on a grid of losses: the hints that Coq checks.

Grids are chosen as in the checker: a guarantee's ε is a multiple of the step h; losses that are multiples of
one number get it as h, all but exactly; others lie between grid points, whose error is of order h² a step.
Noise is cut where its loss is a multiple of h. Ends of a composition with next to no mass are cut off, as the
kernel does.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Literal, TypeVar

from pldverify.errors import InvalidInput
from pldverify.recheck import Fixed

BITS = 192
"""Masses are integers times 2^−BITS, as in ``kernel/theories/Rounding.v``."""
SLACK = Fraction(1, 2**70)
"""Relative error of the kernel's exponentials, at most, for losses up to FARTHEST: x²/2^80 and roundings."""
BLUR = Fraction(1, 2**60)
"""Absolute error of the kernel's masses of noise, at most: it knows the normal law's area to 2^−67."""
FARTHEST = 30
"""Greatest loss: beyond it fewer digits of a Q-mass are left than SLACK says."""
POINTS = (60, 250, 500, 1000)
"""Losses of the whole composition: the next if the first ones leave the claim open. Coq's time grows with
their square: seconds for 60 and 250, two minutes for 1000."""
MOST = 2000
"""Losses at most, twice the last of POINTS: some ten minutes of Coq."""
MARGIN = Fraction(1, 2**55)
"""What the kernel's rounding may take from a proof, of the masses that count: SLACK at MOST losses."""
CUT = Fraction(1, 2**20)
"""All that is cut off from a composition, of its δ: a factor of 2 changes only time."""
TAIL = Fraction(1, 2**10)
"""What of δ goes for losses of Gaussian noise beyond the grid: a factor of 2 changes only time."""
NEARLY = Fraction(1, 2**100)
"""What two losses that are equal may differ by: :func:`_log` is better than that."""
_ONE = 1 << BITS
"""The integer that stands for a mass of 1."""
_FIXED = Fixed(600)

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
    """Noise of unit scale on two answers at a distance, in units of the scale."""

    kind: Literal["Laplace", "Gaussian"]
    distance: Fraction


Step = Rows | Guarantee | Noise
Steps = list[tuple[Step, int]]
"""With the number of their runs."""


@dataclass(frozen=True)
class Direction:
    """Of all steps, seen in one direction: the hints, and the δ that they prove, less a margin."""

    hints: str
    delta: Fraction


def swapped(step: Step) -> Step:
    """The other direction; guarantees and noise have but one."""
    return [(q, p) for p, q in step] if isinstance(step, list) else step


def number(x: Fraction) -> str:
    return f"({x.numerator}, {x.denominator})%Z"


# --- numbers ---------------------------------------------------------------------------------------------


def _exp(x: Fraction) -> Fraction:
    return Fraction(_FIXED.exp(x)[0], _FIXED.one)


def _log(x: Fraction) -> Fraction:
    """To 2^−180 or so: Newton's steps on a float."""
    y = Fraction(math.log(x.numerator) - math.log(x.denominator))
    for _ in range(3):
        y = Fraction(round((y + x * _exp(-y) - 1) * 2**200), 2**200)
    return y


def _area(x: Fraction) -> Fraction:
    """Under e^(−t²/2) from 0 to x, by its series."""
    square, term, k, found = x * x, int(x * _FIXED.one), 1, 0
    while term:
        found += term
        k += 2
        term = term * square.numerator // (square.denominator * k)
    return Fraction(found, _FIXED.one) * _exp(-square / 2)


@cache
def _half_area() -> Fraction:
    return _area(Fraction(20))


def _left_of(kind: str, x: Fraction) -> Fraction:
    """The distribution function of noise, to 2^−180 or so."""
    if x < 0:
        return 1 - _left_of(kind, -x)
    return 1 - _exp(-x) / 2 if kind == "Laplace" else (1 + _area(x) / _half_area()) / 2


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
    sizes = [step.distance if isinstance(step, Noise) else _greatest(step) for step, _ in steps]
    spread = math.sqrt(sum(float(size) ** 2 * times for size, (_, times) in zip(sizes, steps, strict=True)))
    return min(whole, Fraction(2 * spread * math.sqrt(2 * BITS * math.log(2) - 2 * math.log(cut))))


def _grid(steps: Steps, delta: Fraction, points: int) -> Fraction:
    """The distance h of losses. Raises InvalidInput if there are too many of them."""
    reach = _reach(steps, delta)
    h = _distance(steps, (reach or Fraction(1)) / points)
    losses = math.ceil(reach / h) + 2 * sum(times for step, times in steps if isinstance(step, list))
    if losses > MOST:
        raise InvalidInput(f"--coq must be of compositions on at most {MOST} losses, got {losses}")
    return h


def _distance(steps: Steps, width: Fraction) -> Fraction:
    """About ``width``, or what divides all losses."""
    multiples = [step.epsilon for step, _ in steps if isinstance(step, Guarantee)]
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


def _ends_of_noise(step: Noise, h: Fraction, tail: Fraction) -> tuple[int, int]:
    """The lowest and the greatest loss, in units of h; of Gaussian noise, but for a mass of ``tail``."""
    s = step.distance
    if step.kind == "Laplace":
        return -math.floor(s / h), math.ceil(s / h)
    far = s * Fraction(math.sqrt(-2 * math.log(tail or BLUR)))
    return math.floor((s * s / 2 - far) / h), math.ceil((s * s / 2 + far) / h)


def _points(step: Noise, h: Fraction, j: int) -> tuple[Fraction, Fraction]:
    """P- and Q-mass left of the point where the loss is jh."""
    x = -j * h / (2 if step.kind == "Laplace" else step.distance)
    return _left_of(step.kind, x + step.distance / 2), _left_of(step.kind, x - step.distance / 2)


def _power(product: Callable[[T, T], T], x: T, times: int) -> T:
    """As the kernel does it."""
    if times == 1:
        return x
    half = _power(product, x, times // 2)
    square = product(half, half)
    return product(x, square) if times % 2 else square


def _product(x: dict[int, int], y: dict[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for i, a in x.items():
        for j, b in y.items():
            found[i + j] = found.get(i + j, 0) + a * b
    return {i: c >> BITS for i, c in found.items()}


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

    for points in POINTS:
        h = _grid(steps, delta, points)
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
    edges = [_points(step, h, j) for j in range(low, top + 1)]
    masses, parts = {low: round((1 - edges[0][0]) * _ONE)}, []
    if step.kind == "Laplace":
        masses[top] = round(edges[-1][0] * _ONE)
    for c in range(low, top):
        (p, q), (p_left, q_left) = edges[c - low], edges[c - low + 1]
        u, v = _parts(p - p_left + BLUR, q - q_left - BLUR, h, c)
        masses[c] = masses.get(c, 0) + u
        masses[c + 1] = masses.get(c + 1, 0) + v
        parts.append(f"({u}, {v})")
    return masses, f"Grid ({low}) [{'; '.join(parts)}]%Z"


def _parts(p: Fraction, q: Fraction, h: Fraction, cell: int) -> tuple[int, int]:
    """The P-masses u and v at a cell's ends: u + v ≥ p, with less Q-mass than q by a hair that covers the
    kernel's rounding; more than p at the upper one if there is no such u.
    """
    most, low, high = math.ceil(p * _ONE), _exp(-cell * h), _exp(-(cell + 1) * h)
    v = math.ceil(((p * low - q) + SLACK * p * low) / (low - high) * _ONE + 4 * low / (low - high))
    return most - max(v, 0), max(v, 0)


def _ends(p: Fraction, q: Fraction, h: Fraction) -> tuple[int, int, int]:
    """The cell of an outcome, and the P-masses at its ends."""
    if not p:
        return 0, 0, 0
    cell = math.floor(_log(p / q) / h)
    while True:
        u, v = _parts(p, q, h, cell)
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

    for points in POINTS:
        h = _grid(steps, delta, points)
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
    """Cut at odd and even multiples of h/2, so that cells lie around multiples of h."""
    low, top = _ends_of_noise(step, h, tail)
    half, cuts = h / 2, range(2 * low + 1, 2 * top)
    edges = [_points(step, half, j) for j in cuts]
    rows = [(1 - edges[0][0], 1 - edges[0][1])]
    rows += [(p - p_left, q - q_left) for (p, q), (p_left, q_left) in pairwise(edges)]
    rows.append(edges[-1])
    indices = [0, *((j + 1) // 2 - low for j in cuts[:-1]), top - low]
    return _gathered(rows, indices), f"Cut {number(half)} ({cuts[0]}) [{'; '.join(map(str, indices))}]%nat"


def _gathered(rows: Rows, indices: list[int]) -> Cells:
    found: Cells = {}
    for index, (p, q) in zip(indices, rows, strict=True):
        p_mass, q_mass = found.get(index, (0, 0))
        found[index] = (p_mass + int(p * _ONE), q_mass + math.ceil(q * _ONE))
    return found
