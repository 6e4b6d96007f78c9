r"""A claim as a theorem of Coq: the file that states it and its numbers, for the development in ``kernel/``.

The file holds no proof but hints: of each outcome, where on a grid of losses it goes. ``Kernel.Upper`` and
``Kernel.Lower`` check them and conclude, or the file does not compile. So nothing here has to be right. One
thing has to be read: that ``steps``, ``epsilon`` and ``delta`` are those of the claim.

Grids are chosen as in the checker: a pure guarantee's loss is a multiple of the step h; losses that are
multiples of one number get it as h, all but exactly; others lie between grid points, whose error is of order
h² a step.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.numbers.exact import show
from pldverify.numbers.irrational import Irrational
from pldverify.recheck import Fixed
from pldverify.rulings.certify import Certificate

BITS = 192
"""Masses are integers times 2^−BITS, as in ``kernel/theories/Rounding.v``."""
SLACK = Fraction(1, 2**70)
"""Relative error of the kernel's exponentials, at most, for losses up to FARTHEST: x²/2^80 and roundings."""
FARTHEST = 30
"""Greatest loss: beyond it fewer digits of a Q-mass are left than SLACK says."""
POINTS = (250, 1000)
"""Losses of the whole composition: the next if the first ones leave the claim open. Coq's time grows with
their square: seconds for 250, two minutes for 1000."""
MOST = 2000
"""Losses at most, twice the last of POINTS: some ten minutes of Coq."""
OUTCOMES = 200
"""Outcomes of a pair at most: Coq takes two exponentials, some 10 ms, for each."""
MARGIN = Fraction(1, 2**55)
"""What the kernel's rounding may take from a proof, of the masses that count: SLACK at MOST losses."""
NEARLY = Fraction(1, 2**100)
"""What two losses that are equal may differ by: :func:`_log` is better than that."""
_ONE = 1 << BITS
"""The integer that stands for a mass of 1."""
_FIXED = Fixed(600)

Rows = list[tuple[Fraction, Fraction]]
"""(P, Q) of each outcome."""
Step = Rows | Fraction
"""A pair, or the ε of a pure guarantee."""
Steps = list[tuple[Step, int]]
"""With the number of their runs."""


@dataclass(frozen=True)
class _Direction:
    """Of all steps, seen in one direction: the hints, and the δ that they prove, less a margin."""

    hints: str
    delta: Fraction


def claim(certificate: Certificate) -> str:
    """The file's text: a theorem if the claim is CERTIFIED, that of its negation if it is REFUTED.

    Raises InvalidInput for what the kernel has no statement of: other relations than ``<=``, other verdicts,
    irrational numbers, and mechanisms without a pair of finitely many rational masses, pure DP aside; for
    compositions too long for it; and where its grids are too coarse for the claim.

    >>> from pldverify.certificate.coq import claim
    >>> text = claim(pv.certify(pv.Query(4 * pv.PureDP("1/2"), delta=0), epsilon=2))
    >>> [line for line in text.splitlines() if line.startswith("Theorem")]
    ['Theorem claim : both_claim steps (ratio epsilon) (ratio delta).']
    """
    epsilon, delta = certificate.epsilon, certificate.query.delta
    if certificate.relation != "<=" or certificate.verdict not in ("CERTIFIED", "REFUTED"):
        raise InvalidInput(
            "--coq must be of a claim ε <= E that is CERTIFIED or REFUTED, "
            f"got {certificate.verdict}: ε {certificate.relation} {show(epsilon)}"
        )
    if isinstance(epsilon, Irrational) or not isinstance(delta, Fraction):
        raise InvalidInput("--coq must be of rational numbers, got an irrational ε or δ")
    steps = [(_step(m), times) for m, times in certificate.query.composition.parts]
    ways = certificate.query.composition.directions(certificate.query.adjacency)
    kind = "both" if len(ways) == 2 else ways[0]
    forward = [kind == "add"] if kind != "both" else [False, True]
    sides = [[(_swapped(step) if swap else step, times) for step, times in steps] for swap in forward]
    if certificate.verdict == "CERTIFIED":
        proofs = [_upper(side, epsilon, delta) for side in sides]
        name, hints = f"{kind}_certified", [proof.hints for proof in proofs]
        statement = f"{kind}_claim steps (ratio epsilon) (ratio delta)"
    else:
        proof, swap = max(
            ((_lower(side, epsilon, delta), swap) for side, swap in zip(sides, forward, strict=True)),
            key=lambda row: row[0].delta,
        )
        name = f"both_refuted_by_{'add' if swap else 'remove'}" if kind == "both" else f"{kind}_refuted"
        hints, statement = [proof.hints], f"~ {kind}_claim steps (ratio epsilon) (ratio delta)"
        if proof.delta <= delta:
            raise InvalidInput(
                f"--coq must be of a claim that {max(POINTS)} losses refute, got ε <= {epsilon}"
            )
    return "\n".join(
        [
            f"(** {certificate.verdict}: ε <= {epsilon} at δ = {delta},",
            f"    of {certificate.query.composition}, {certificate.query.adjacency}.",
            "    Check it: make -C kernel && coqc -Q kernel/theories Kernel THIS_FILE *)",
            "From Kernel Require Import Claims.",
            "Require Import Reals ZArith List.",
            "Import ListNotations.",
            "",
            "Definition steps : composition := [",
            ";\n".join(f"  ({_stated(step)}, {times}%positive)" for step, times in steps),
            "].",
            f"Definition epsilon : Z * Z := {_number(epsilon)}.",
            f"Definition delta : Z * Z := {_number(delta)}.",
            "",
            f"Theorem claim : {statement}.",
            "Proof.",
            f"  apply ({name} steps",
            *(f"    {text}" for text in hints),
            "    epsilon delta); vm_cast_no_check (eq_refl true).",
            "Qed.",
            "Print Assumptions claim.",
            "",
        ]
    )


def _step(mechanism: Mechanism) -> Step:
    """Raises InvalidInput for a mechanism that has none."""
    rows: Rows | None = None
    if isinstance(mechanism, PureDP) and isinstance(mechanism.epsilon, Fraction) and mechanism.epsilon > 0:
        return mechanism.epsilon
    if isinstance(mechanism, RandomizedResponse) and isinstance(mechanism.p, Fraction):
        p, r, rest = mechanism.p, mechanism.other, (mechanism.categories - 2) * mechanism.other
        rows = [(p, r), (r, p), (rest, rest)]
    if isinstance(mechanism, FinitePair):
        rows = list(zip(mechanism.p, mechanism.q, strict=True))
    if rows is None:
        raise InvalidInput(
            "--coq must be of finite pairs, randomised response and pure DP with ε > 0, of rational numbers, "
            f"got {mechanism}"
        )
    rows = [row for row in rows if any(row)]
    if len(rows) > OUTCOMES:
        raise InvalidInput(f"--coq must be of at most {OUTCOMES} outcomes a pair, got {len(rows)}")
    return rows


def _swapped(step: Step) -> Step:
    return step if isinstance(step, Fraction) else [(q, p) for p, q in step]


def _number(x: Fraction) -> str:
    return f"({x.numerator}, {x.denominator})%Z"


def _stated(step: Step) -> str:
    if isinstance(step, Fraction):
        return f"Pure {step.numerator} {step.denominator}"
    whole = math.lcm(*(x.denominator for row in step for x in row))
    rows = "; ".join(f"({p * whole}, {q * whole})" for p, q in step)
    return f"Pair {whole} [{rows}]%Z"


# --- grids -----------------------------------------------------------------------------------------------


def _exp(x: Fraction) -> Fraction:
    return Fraction(_FIXED.exp(x)[0], _FIXED.one)


def _log(x: Fraction) -> Fraction:
    """To 2^−180 or so: Newton's steps on a float."""
    y = Fraction(math.log(x.numerator) - math.log(x.denominator))
    for _ in range(3):
        y = Fraction(round((y + x * _exp(-y) - 1) * 2**200), 2**200)
    return y


def _greatest(step: Step) -> Fraction:
    """The greatest size of a finite loss. Raises InvalidInput if that is too great."""
    found = max((abs(x) for x in _losses(step)), default=Fraction(0))
    if found > FARTHEST:
        raise InvalidInput(f"--coq must be of losses up to {FARTHEST}, got {float(found):.6g}")
    return found


def _losses(step: Step) -> list[Fraction]:
    return [step] if isinstance(step, Fraction) else [_log(p / q) for p, q in step if p and q]


def _grid(steps: Steps, points: int) -> Fraction:
    """The distance h of losses. Raises InvalidInput if there are too many of them."""
    reach = sum((2 * _greatest(step) * times for step, times in steps), Fraction(0))
    h = _distance(steps, max(reach, Fraction(1)) / points)
    losses = math.ceil(reach / h) + 2 * sum(times for step, times in steps if isinstance(step, list))
    if losses > MOST:
        raise InvalidInput(f"--coq must be of compositions on at most {MOST} losses, got {losses}")
    return h


def _distance(steps: Steps, width: Fraction) -> Fraction:
    """About ``width``, or what divides all losses."""
    pure = [step for step, _ in steps if isinstance(step, Fraction)]
    if pure:
        whole = math.lcm(*(x.denominator for x in pure))
        common = Fraction(math.gcd(*(int(x * whole) for x in pure)), whole)
        return common if len(pure) == len(steps) else common / math.ceil(common / width)
    losses = [x for step, _ in steps for x in _losses(step) if abs(x) > NEARLY]
    least = min(map(abs, losses), default=Fraction(1))
    if all(abs(x - round(x / least) * least) < NEARLY for x in losses) and least > width / 4:
        return Fraction(math.ceil(least * (1 + Fraction(1, 2**50)) * 2**80), 2**80)
    return Fraction(math.ceil(width * 2**60), 2**60)


def _power(x: dict[int, int], times: int) -> dict[int, int]:
    return x if times == 1 else _product(_power(x, times - times // 2), _power(x, times // 2))


def _product(x: dict[int, int], y: dict[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for i, a in x.items():
        for j, b in y.items():
            found[i + j] = found.get(i + j, 0) + a * b
    return {i: c >> BITS for i, c in found.items()}


def _possible(step: Rows) -> Rows:
    return [(p, q) for p, q in step if q]


def _all_finite(steps: Steps) -> Fraction:
    """P-mass of the outcomes without an infinite loss."""
    pairs = [(step, times) for step, times in steps if isinstance(step, list)]
    return math.prod(
        (sum((p for p, _ in _possible(step)), Fraction(0)) ** times for step, times in pairs),
        start=Fraction(1),
    )


def _upper(steps: Steps, epsilon: Fraction, delta: Fraction) -> _Direction:
    """Raises InvalidInput where no grid is fine enough."""
    for points in POINTS:
        h = _grid(steps, points)
        whole, hints = {0: _ONE}, []
        for step, times in steps:
            masses, hint = _placed(step, h)
            hints.append(hint)
            whole = _product(whole, _power(masses, times))
        above = [(c, i * h) for i, c in whole.items() if i * h > epsilon]
        sure = sum((c * (1 - _exp(epsilon - loss)) for c, loss in above), Fraction(0)) / _ONE
        lost = 1 - _all_finite(steps)
        found = lost + sure + MARGIN * (lost + sum(c for c, _ in above) / Fraction(_ONE))
        if found <= delta:
            return _Direction(f"{_number(h)} [{'; '.join(hints)}]", found)
    raise InvalidInput(
        f"--coq must be of a claim that {max(POINTS)} losses prove, got ε <= {epsilon} at δ = {delta}: "
        f"they prove δ <= {float(found):.6g}"
    )


def _placed(step: Step, h: Fraction) -> tuple[dict[int, int], str]:
    """Masses at multiples of h that tell more than a step does, and the hint."""
    masses: dict[int, int] = {}
    if isinstance(step, Fraction):
        m, odds = int(step / h), _exp(step)
        return {-m: round(_ONE / (1 + odds)), m: round(_ONE * odds / (1 + odds))}, f"Points {m}"
    rows = [_ends(p, q, h) for p, q in _possible(step)]
    start = min(cell for cell, _, _ in rows)
    for cell, u, v in rows:
        masses[cell] = masses.get(cell, 0) + u
        masses[cell + 1] = masses.get(cell + 1, 0) + v
    listed = "; ".join(f"({cell}, ({u}, {v}))" for cell, u, v in rows)
    return masses, f"Cells ({start}) [{listed}]%Z"


def _ends(p: Fraction, q: Fraction, h: Fraction) -> tuple[int, int, int]:
    """The cell of an outcome, and the P-masses u and v at its ends: u + v ≥ p, with less Q-mass than q by a
    hair that covers the kernel's rounding.
    """
    if not p:
        return 0, 0, 0
    most, cell = math.ceil(p * _ONE), math.floor(_log(p / q) / h)
    while True:
        low, high = _exp(-cell * h), _exp(-(cell + 1) * h)
        v = math.ceil(((p * low - q) + SLACK * p * low) / (low - high) * _ONE + 4 * low / (low - high))
        if v <= most:
            return cell, most - max(v, 0), max(v, 0)
        cell += 1


def _lower(steps: Steps, epsilon: Fraction, delta: Fraction) -> _Direction:
    """Cells by the nearest multiple of h; the finest grid if none is fine enough."""
    for points in POINTS:
        h = _grid(steps, points)
        p_whole, q_whole, hints = {0: _ONE}, {0: _ONE}, []
        for step, times in steps:
            if isinstance(step, Fraction):
                m, odds = int(step / h), _exp(step)
                low, high = round(_ONE / (1 + odds)), round(_ONE * odds / (1 + odds))
                p, q, hint = {0: low, 2 * m: high}, {0: high, 2 * m: low}, f"Apart {2 * m}"
            else:
                p, q, hint = _seen(_possible(step), h)
            hints.append(hint)
            p_whole, q_whole = _product(p_whole, _power(p, times)), _product(q_whole, _power(q, times))
        odds = _exp(epsilon)
        above = [(c, odds * q_whole[i]) for i, c in p_whole.items() if c > odds * q_whole[i]]
        lost = 1 - _all_finite(steps)
        sure = sum((p - q for p, q in above), Fraction(0)) / _ONE
        found = lost + sure - MARGIN * (lost + sum(p for p, _ in above) / Fraction(_ONE))
        if found > delta:
            break
    return _Direction(f"[{'; '.join(hints)}]", found)


def _seen(rows: Rows, h: Fraction) -> tuple[dict[int, int], dict[int, int], str]:
    """P- and Q-masses of the cells, and the hint."""
    cells = [round(_log(p / q) / h) if p else None for p, q in rows]
    least = min((cell for cell in cells if cell is not None), default=0)
    indices = [0 if cell is None else cell - least for cell in cells]
    p_masses: dict[int, int] = {}
    q_masses: dict[int, int] = {}
    for index, (p, q) in zip(indices, rows, strict=True):
        p_masses[index] = p_masses.get(index, 0) + int(p * _ONE)
        q_masses[index] = q_masses.get(index, 0) + math.ceil(q * _ONE)
    return p_masses, q_masses, f"Seen [{'; '.join(map(str, indices))}]%nat"
