r"""The truncated engine: much noise and rare sampling: steps of outlying outcome apart.

There the loss is like a log-normal one, or the difference of two. A tilt large enough for the bulk is then
ruled by an absurd far mode of the tilted density, and the contour engine finds no tilt. So let a step i be
*far* if its outcome is beyond a cut, where its loss is at least s_i. The steps that are all near are a
composition of measures without a far mode (``laws/gaussian_pair.py``, ``shifted_gaussian.py``), whose δ_near
the contour gives. With F the event that some step is far,

.. math:: \delta(\epsilon) = \delta_{near}(\epsilon) + P(F) - e^\epsilon Q(F) + E, \qquad
          0 \le E = \int_F (e^\epsilon dQ - dP)_+
          \le e^\epsilon \sum_i k_i\, q_i\, D(s_i - \epsilon) .

P(F) = 1 − Π(1 − p_i)^{k_i} is closed, and likewise Q(F); p_i and q_i are both masses of one far step; D is
the privacy profile of all steps in the other direction, Q‖P. Proof of the bound: F is the union of its parts,
in which one given step is far. Given that step's outcome, of loss ℓ ≥ s_i, the integral over the others is
:math:`q\,e^\epsilon \int (dQ' - e^{\ell - \epsilon} dP')_+`, q the density of Q there: the profile of one
step less, which is at most that of all steps (post-processing), and it decreases.

**D**: with any λ > 0 and c(λ) as in ``lemmas/kernel.py``, in direction ``remove`` of Poisson sampling

.. math:: D(t) \le \min\bigl(1,\, c(\lambda)\, e^{-\lambda t} M(-1-\lambda)\bigr) .

Under replace-one both directions are the same, and M(λ) may be ruled by a far mode once more. So steps beyond
a second cut, of P-mass p'_i each, are left out there:

.. math:: D(t) \le c(\lambda)\, e^{-\lambda t} \prod_i M'_i(\lambda)^{k_i}
    + \sum_i k_i \bigl(P_i(S > t) - e^t Q_i(S > t) + p'_i V\bigr), \qquad t \ge 0,

V the total variation of all steps, at most the sum of each one's; for t < 0, Σ k_i p'_i is enough.
Proof: the outcome of such a step has densities p and q, and the others add
:math:`\int (p\,dP' - e^t q\,dQ')_+`. If its loss is at most t, that is at most
:math:`p \int (dP' - dQ')_+`, and else :math:`(p - e^t q) + e^t q \int (dP' - dQ')_+`.

δ_near is 0 if near steps never reach ε.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, clamped, dyadic, working
from pldverify.balls.compare import surely_at_most
from pldverify.errors import NoConvergence
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.engines.inversion import contour
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.near import NearLaw
from pldverify.reference.laws.sampled import sampled, symmetric, up_to
from pldverify.reference.lemmas.kernel import Kernel

_KERNEL = Kernel("delta", "upper")


@dataclass(frozen=True)
class Parameters:
    """What the search chooses.

    Attributes:
        cuts: x_c of each law.
        many: of the contour of the near steps; None where these never reach ε.
        lam: λ of Chernoff's bound of D; λ < 0 tells nothing.
        bits: precision of the closed part.
        others: the second cuts, under replace-one.
    """

    cuts: tuple[Fraction, ...]
    many: contour.Parameters | None
    lam: Fraction
    bits: int
    others: tuple[Fraction, ...] = ()


class Truncated(Evaluator):
    """δ of sampled Gaussians: Poisson, direction ``remove``, or under replace-one."""

    engine = "truncated"
    quantities = ("delta",)
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p = parameters
        if bool(p.others) != symmetric(loss) or not isinstance(p.many, contour.Parameters | None):
            raise NoConvergence(f"truncated: unusable parameters {p}")
        self.near = near_steps(loss, p.cuts)
        self.many = None if p.many is None else contour.Contour(self.near, "delta", p.many)
        with working(BOUND_BITS):
            others = near_steps(loss, p.others) if p.others else None
            self._log_moment = others.log_moment(p.lam) if others else loss.log_moment(-1 - p.lam)
            self._others = _rows(others) if others else []

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            first, second = self._far()
            closed = first - ball(epsilon).exp() * second
            return clamped(self._near(epsilon) + closed + arb(0).union(self._recovered(epsilon)))

    def _near(self, epsilon: Fraction) -> arb:
        """δ_near."""
        if self.many is not None:
            return self.many.value(epsilon)
        if not self.near.ends_by(epsilon):
            raise NoConvergence(f"truncated: set up for a larger ε than ε={float(epsilon):.6g}")
        return arb(0)

    def _far(self) -> tuple[arb, arb]:
        """P(F) and Q(F)."""
        logs = [arb(0), arb(0)]
        for law, k in _rows(self.near):
            for i, mass in enumerate(law.far()):
                logs[i] += k * (-mass).log1p()
        return -logs[0].expm1(), -logs[1].expm1()

    def _recovered(self, epsilon: Fraction) -> arb:
        """Upper bound of E: the other losses recover what a far one has."""
        total = arb(0)
        for law, k in _rows(self.near):
            total += k * law.far()[1] * self._profile(law.largest_finite_loss - ball(epsilon))
        return (ball(epsilon).exp() * total).upper()

    def _profile(self, at: arb) -> arb:
        """Upper bound of D."""
        lam = self.parameters.lam
        chernoff = _KERNEL.chernoff(lam) * (self._log_moment - ball(lam) * at).exp()
        bound = (chernoff + self._left_out(at)).upper()
        return bound.min(arb(1)) if bound.is_finite() else arb(1)

    def _left_out(self, at: arb) -> arb:
        """Upper bound of what steps beyond the second cuts add to D."""
        far = sum((k * law.far()[0] for law, k in self._others), arb(0))
        if far.is_zero() or not surely_at_most(0, at):
            return far
        variation, alone = (self._profiles(s) for s in (Fraction(0), dyadic(at.lower())))
        return alone + variation * far

    def _profiles(self, t: Fraction) -> arb:
        """Σ k (P(S ≥ t) − e^t Q(S ≥ t))."""
        pairs, growth = [(k, *law.law.tails(t)) for law, k in self._others], ball(t).exp()
        return sum((k * (first - growth * second) for k, first, second in pairs), arb(0))

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        with working(BOUND_BITS):
            recovered = self._recovered(epsilon)
        many = {} if self.many is None else self.many.errors(epsilon)
        return {"a step beyond the cut, at most ε in all": recovered, **many}


def _rows(near: ComposedLoss) -> list[tuple[NearLaw, int]]:
    return [(law, k) for law, k in near.factors if isinstance(law, NearLaw)]


def near_steps(loss: ComposedLoss, cuts: tuple[Fraction, ...]) -> ComposedLoss:
    """The steps up to the ``cuts``, one for each law. Raises NotSupported, ValueError."""
    rows = zip(sampled(loss), cuts, strict=True)
    return ComposedLoss(tuple((up_to(law, cut), k) for (law, k), cut in rows))
