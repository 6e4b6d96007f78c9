r"""A claim as a theorem of Coq: the file that states it and its numbers, for the development in ``kernel/``.

The file holds no proof but hints: where on a grid of losses each outcome goes, of ``certificate/grids.py``.
``Kernel.Upper`` and ``Kernel.Lower`` check them and conclude, or the file does not compile. So nothing here
has to be right. One thing has to be read: that ``steps``, ``epsilon`` and ``delta`` are those of the claim.
"""

import math
from fractions import Fraction

from pldverify.certificate import grids
from pldverify.certificate.grids import Guarantee, Noise, Rows, Step
from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import relation
from pldverify.numbers.exact import show
from pldverify.numbers.irrational import Irrational
from pldverify.rulings.certify import Certificate
from pldverify.web_page import filled

OUTCOMES = 200
"""Outcomes of a pair at most: Coq takes two exponentials, some 10 ms, for each."""


def claim(certificate: Certificate) -> str:
    """The file's text: a theorem if the claim is CERTIFIED, that of its negation if it is REFUTED.

    Raises InvalidInput for what the kernel has no statement of: other relations than ``<=``, other verdicts,
    irrational numbers, and mechanisms that it does not know; for compositions too long for it; and where its
    grids are too coarse for the claim.

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
    parts = certificate.query.composition.parts
    replaced = relation(certificate.query.adjacency) == "replace-one"
    if replaced and any(isinstance(m, PoissonSubsampled) for m, _ in parts):
        raise InvalidInput("--coq must be of add-or-remove for a Poisson sample, got replace-one")
    steps = [(_step(m, 2 if replaced else 1), times) for m, times in parts]
    ways = certificate.query.composition.directions(certificate.query.adjacency)
    kind = "both" if len(ways) == 2 else ways[0]
    forward = [kind == "add"] if kind != "both" else [False, True]
    sides = [[(grids.swapped(step) if swap else step, times) for step, times in steps] for swap in forward]
    if certificate.verdict == "CERTIFIED":
        proofs = [grids.upper(side, epsilon, delta) for side in sides]
        name, hints = f"{kind}_certified", [proof.hints for proof in proofs]
        statement = f"{kind}_claim steps (ratio epsilon) (ratio delta)"
    else:
        proof, swap = max(
            ((grids.lower(side, epsilon, delta), swap) for side, swap in zip(sides, forward, strict=True)),
            key=lambda row: row[0].delta,
        )
        name = f"both_refuted_by_{'add' if swap else 'remove'}" if kind == "both" else f"{kind}_refuted"
        hints, statement = [proof.hints], f"~ {kind}_claim steps (ratio epsilon) (ratio delta)"
        if proof.delta <= delta:
            raise InvalidInput(
                f"--coq must be of a claim that {max(grids.POINTS)} losses refute, got ε <= {epsilon}"
            )
    return filled(
        __file__,
        "claim.v",
        certificate=certificate,
        steps=[(_stated(step), times) for step, times in steps],
        epsilon=grids.number(epsilon),
        delta=grids.number(delta),
        statement=statement,
        name=name,
        hints=hints,
    )


def _step(mechanism: Mechanism, moves: int) -> Step:
    """For neighbours that differ in ``moves`` presences of a record. Raises InvalidInput for a mechanism that
    has none.
    """
    rows: Rows | None = None
    match mechanism:
        case PureDP(epsilon=Fraction() as epsilon) if epsilon > 0:
            return Guarantee(epsilon, Fraction(0))
        case ApproximateDP(epsilon=Fraction() as epsilon, delta=Fraction() as delta) if epsilon > 0:
            return Guarantee(epsilon, delta)
        case Laplace(b=Fraction() as b, sensitivity=Fraction() as sensitivity):
            return Noise("Laplace", moves * sensitivity / b)
        case Gaussian(sigma=Fraction() as sigma, sensitivity=Fraction() as sensitivity):
            return Noise("Gaussian", moves * sensitivity / sigma)
        case GDP(mu=Fraction() as mu):
            return Noise("Gaussian", mu)
        case PoissonSubsampled(base=base, q=Fraction() as q):
            return _sampled(_step(base, moves), q)
        case RandomizedResponse(p=Fraction() as p):
            rest = (mechanism.categories - 2) * mechanism.other
            rows = [(p, mechanism.other), (mechanism.other, p), (rest, rest)]
        case FinitePair():
            rows = list(zip(mechanism.p, mechanism.q, strict=True))
    if rows is None:
        raise InvalidInput(
            "--coq must be of finite pairs, randomised response, Laplace and Gaussian noise, Poisson samples "
            f"of these, and guarantees of (ε, δ)-DP with ε > 0, of rational numbers, got {mechanism}"
        )
    rows = [row for row in rows if any(row)]
    if len(rows) > OUTCOMES:
        raise InvalidInput(f"--coq must be of at most {OUTCOMES} outcomes a pair, got {len(rows)}")
    return rows


def _sampled(step: Step, q: Fraction) -> Step:
    """With probability ``q`` the step, else its Q. Raises InvalidInput for a guarantee, which has no pair."""
    match step:
        case Guarantee():
            raise InvalidInput(
                "--coq must be of Poisson samples of noise or of finite pairs, got a guarantee"
            )
        case Noise():
            return Noise(step.kind, step.distance, p=q)
    return [(q * p + (1 - q) * base, base) for p, base in step]


def _stated(step: Step) -> str:
    if isinstance(step, Guarantee):
        return f"Private {grids.number(step.epsilon)} {grids.number(step.delta)}"
    if isinstance(step, Noise):
        name = f"{step.kind} {grids.number(step.distance)}"
        return f"Noisy {name}" if step.plain else f"Sampled {name} {grids.number(step.p)}"
    whole = math.lcm(*(x.denominator for row in step for x in row))
    rows = "; ".join(f"({p * whole}, {q * whole})" for p, q in step)
    return f"Pair {whole} [{rows}]%Z"
