r"""The truncated engine: much noise and rare sampling, direction ``remove``: steps of outlying outcome apart.

There the loss is like a log-normal one. A tilt large enough for the bulk is then ruled by an absurd far mode
of :math:`\varphi w^{\theta+1}`, and the contour engine finds no tilt. So let a step i be *far* if its outcome
is beyond a cut, which is chosen such that its loss is at least s_i > ε there. The steps that are all near are
a composition of measures without a far mode (``laws/near_mixture.py``), whose δ_near the contour gives. With
F the event that some step is far, and its part A where the sum S is at most ε all the same,

.. math:: \delta(\epsilon) = \delta_{near}(\epsilon) + P(F) - e^\epsilon Q(F) - [P(A) - e^\epsilon Q(A)],
          \qquad -e^\epsilon Q(A) \le P(A) - e^\epsilon Q(A) \le 0 ,

for dP/dQ ≤ e^ε on A. P(F) = 1 − Π(1 − p_i)^{k_i} is closed, and likewise Q(F). On A the other losses have to
make up for s_i − ε; with Chernoff's bound for any λ ≥ 0,

.. math:: Q(A) \le \sum_i k_i q_i \min\bigl(1,\, e^{\lambda(\epsilon - s_i)} M(-1-\lambda)\bigr) ,

in which M(−1−λ) = E_Q[e^{−λS}] is that of all steps: each of its factors is at least 1 by Jensen. δ_near is 0
if near steps never reach ε.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.split import Split
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.near_mixture import NearMixtureLaw


@dataclass(frozen=True)
class Parameters:
    """What the search chooses.

    Attributes:
        cuts: x_c of each law.
        many: the contour of the near steps; None where these never reach ε.
        lam: λ of Chernoff's bound.
        bits: precision of the closed part.
    """

    cuts: tuple[Fraction, ...]
    many: contour.Parameters | None
    lam: Fraction
    bits: int


class Truncated(Evaluator):
    """δ of Poisson-subsampled Gaussians, direction ``remove``."""

    engine = "truncated"
    quantities = ("delta",)
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        self.near = near_steps(loss, parameters.cuts)
        many = parameters.many
        self.many = None if many is None else contour.Contour(self.near, "delta", many)
        with working(BOUND_BITS):
            self._log_moment = loss.log_moment(-1 - parameters.lam)

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            first, second = self._far()
            rise = ball(epsilon).exp()
            return Split(
                self._near(epsilon), first - rise * second, rise * self._recovered(epsilon), arb(1)
            ).value()

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
        for law, k in self.near.factors:
            for i, mass in enumerate(_near(law).far()):
                logs[i] += k * (-mass).log1p()
        return -logs[0].expm1(), -logs[1].expm1()

    def _recovered(self, epsilon: Fraction) -> arb:
        """Upper bound of Q(A): the other losses recover what a far one has; λ < 0 tells nothing."""
        lam, total = self.parameters.lam, arb(0)
        for law, k in self.near.factors:
            near = _near(law)
            chernoff = (ball(lam) * (ball(epsilon) - near.largest_finite_loss) + self._log_moment).exp()
            total += k * near.far()[1] * (chernoff.min(arb(1)) if lam >= 0 else 1)
        return total.upper()

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        with working(BOUND_BITS):
            recovered = self._recovered(epsilon) * ball(epsilon).exp()
        many = {} if self.many is None else self.many.errors(epsilon)
        return {"a step beyond the cut, at most ε in all": recovered, **many}


def _near(law: object) -> NearMixtureLaw:
    assert isinstance(law, NearMixtureLaw)
    return law


def near_steps(loss: ComposedLoss, cuts: tuple[Fraction, ...]) -> ComposedLoss:
    """The steps up to the ``cuts``, one for each law. Raises NotSupported, ValueError."""
    rows = zip(mixtures(loss), cuts, strict=True)
    return ComposedLoss(tuple((NearMixtureLaw(law, cut), k) for (law, k), cut in rows))


def mixtures(loss: ComposedLoss) -> list[tuple[GaussianMixtureLaw, int]]:
    """The laws and counts. Raises NotSupported unless all are Poisson-subsampled Gaussians, ``remove``."""
    laws = [(law, k) for law, k in loss.factors if isinstance(law, GaussianMixtureLaw)]
    if not laws or len(laws) < len(loss.factors) or any(law.direction != "remove" for law, _ in laws):
        raise NotSupported("not all are Poisson-subsampled Gaussians, direction remove")
    return laws
