r"""The near engine: much noise and rare sampling, direction ``remove``: steps of outlying outcome apart.

There the loss is like a log-normal one. A tilt large enough for the bulk is then ruled by an absurd far mode
of :math:`\varphi w^{\theta+1}`, and the contour engine finds no tilt. So let a step i be *far* if its outcome
is beyond a cut, which is chosen such that its loss is at least s_i > ε there. The steps that are all near are
a composition of measures without a far mode (``near_mixture.py``), whose δ_near the contour engine gives.
With F the event that some step is far, and its part A where the sum S is at most ε all the same,

.. math:: \delta(\epsilon) = \delta_{near}(\epsilon) + P(F) - e^\epsilon Q(F) - [P(A) - e^\epsilon Q(A)],
          \qquad -e^\epsilon Q(A) \le P(A) - e^\epsilon Q(A) \le 0 ,

for dP/dQ ≤ e^ε on A. P(F) = 1 − Π(1 − p_i)^{k_i} is closed, and likewise Q(F). On A the other losses have to
make up for s_i − ε; with Chernoff's bound for any λ ≥ 0,

.. math:: Q(A) \le \sum_i k_i q_i \min\bigl(1,\, e^{\lambda(\epsilon - s_i)} M(-1-\lambda)\bigr) ,

in which M(−1−λ) = E_Q[e^{−λS}] is that of all steps: each of its factors is at least 1 by Jensen.
On the lower side, where the contour engine gives 1 − f, δ_near is 1 − P(F) − f. It is 0 if near steps
never reach ε.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from pldverify.balls.ball import LOG2_10, ball, clamped, short, working
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.inversion.contour import BOUND_BITS, Contour
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.near_mixture import NearMixtureLaw
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.contour import offer_contour
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.offer import Offer
from pldverify.reference.search.outcome import outcome
from pldverify.reference.search.tilt import saddle

_SLACK = 5.0
"""Nats that A should be below the last digit of what is far."""
_TURNS = 200
MAX_LAWS = 20
"""Cap on distinct laws."""
_RANGE, _CLOSE = (1e-12, 1e3), 5.0
"""Where ε is guessed, and nats by which a guess that was not misled should not be off."""
_MOST_SECONDS = 15.0
_TRIES, _MORE = 4, 4
"""How often more digits of δ_near are asked for, and how many more than seem to be missing."""
_FARTHEST = 64.0
"""Outcome up to which there is any need for a cut: e^{−2048} is beyond."""


@dataclass(frozen=True)
class Near:
    """δ of a product.

    Attributes:
        near: its laws up to their cuts.
        many: answers for ``near``; None where near steps never reach ε.
        lam: λ of Chernoff's bound.
        log_moment: log M(−1−λ).
    """

    near: Product
    many: Contour | None
    lam: Fraction
    log_moment: arb
    bits: int
    limit = math.inf
    engine = "near"

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around δ(ε)."""
        with working(self.bits):
            first, second = self._far()
            rise = ball(epsilon).exp()
            value = self._many(epsilon) - rise * second
            if self.many is None or self.many.kernel.side == "upper":
                value += first
            value += arb(0).union(rise * self._astray(epsilon))
            return clamped(value)

    def _many(self, epsilon: Fraction) -> arb:
        """δ_near, or 1 − f on the lower side."""
        if self.many is not None:
            return self.many.truth(epsilon)
        if not self.near.ends_by(epsilon):
            raise NoConvergence(f"near: set up for a larger ε than ε={float(epsilon):.6g}")
        return arb(0)

    def _far(self) -> tuple[arb, arb]:
        """P(F) and Q(F)."""
        logs = [arb(0), arb(0)]
        for law, k in self.near.factors:
            for i, mass in enumerate(_part(law).far()):
                logs[i] += k * (-mass).log1p()
        return -logs[0].expm1(), -logs[1].expm1()

    def _astray(self, epsilon: Fraction) -> arb:
        """Upper bound of Q(A); λ < 0 tells nothing."""
        total = arb(0)
        for law, k in self.near.factors:
            part = _part(law)
            chernoff = (ball(self.lam) * (ball(epsilon) - part.largest_finite_loss) + self.log_moment).exp()
            total += k * part.far()[1] * (chernoff.min(arb(1)) if self.lam >= 0 else 1)
        return total.upper()

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and error terms, for reading."""
        with working(BOUND_BITS):
            first, _ = self._far()
            astray = self._astray(epsilon)
        many = {} if self.many is None else self.many.witness(epsilon)
        return {
            "cut": ", ".join(f"{float(_part(law).cut):.6g}" for law, _ in self.near.factors),
            "some step beyond the cut": first.str(3, radius=False),
            "of it at most ε in all": astray.str(3, radius=False),
            **{f"near: {name}": value for name, value in many.items()},
        }


def _part(law: object) -> NearMixtureLaw:
    assert isinstance(law, NearMixtureLaw)
    return law


def offer_near(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """Raises NotSupported unless it is the δ of Poisson-subsampled Gaussians, ``remove``; NoConvergence."""
    if quantity != "delta" or not may_mislead(product):
        raise NotSupported(
            f"near: not the δ of Poisson-subsampled Gaussians, direction remove (at most {MAX_LAWS} laws)"
        )
    gap, lam = _gap(product, digits)
    near = _cut(product, float(epsilon) + gap)
    bits = int(digits * LOG2_10 - math.log2(gap)) + 64
    with working(BOUND_BITS):
        reached = not near.ends_by(epsilon)
    many = _contour(near, epsilon, digits) if reached else None

    def build() -> Near:
        with working(BOUND_BITS):
            log_moment = product.log_moment(-1 - short(lam))
        return _refined(
            near, many, epsilon, digits, lambda part: Near(near, part, short(lam), log_moment, bits)
        )

    return Offer(0.02 * len(product.factors) + (many.seconds if many is not None else 0.0), build)


def _contour(near: Product, epsilon: Fraction, digits: int) -> Offer:
    many = offer_contour(near, "delta", epsilon, digits=digits)
    if many.seconds > _MOST_SECONDS:
        raise NoConvergence(f"near: the contour would take {many.seconds:.0f} s (cap {_MOST_SECONDS:.0f} s)")
    return many


def _refined(
    near: Product,
    many: Offer | None,
    epsilon: Fraction,
    digits: int,
    engine: Callable[[Contour | None], Near],
) -> Near:
    """With more digits of δ_near while its saddle point has overrated δ: next to the cut there is a mode."""
    more = digits
    for turn in range(_TRIES):
        contour = many.build() if many is not None else None
        assert contour is None or isinstance(contour, Contour)
        found = engine(contour)
        missing = _missing(found.truth(epsilon), digits)
        if contour is None or missing <= 0 or turn == _TRIES - 1:
            break
        more += math.ceil(missing) + _MORE
        many = _contour(near, epsilon, more)
    return found


def _missing(value: arb, digits: int) -> float:
    """How many of ``digits`` digits a ball has not."""
    relative = (
        float((value.rad() / abs(value).upper()).log()) / math.log(10) if value.rad() > 0 else -math.inf
    )
    return digits + relative


def may_mislead(product: Product) -> bool:
    """Whether a far mode may mislead saddle points, and :func:`guess` may help."""
    laws = [law for law, _ in product.factors if isinstance(law, GaussianMixtureLaw)]
    return 0 < len(laws) == len(product.factors) <= MAX_LAWS and all(w.direction == "remove" for w in laws)


def guess(product: Product, goal: float, point: float) -> tuple[Fraction, float] | None:
    """ε with log δ(ε) about ``goal`` and how fast it falls there (search only); None if ``point`` is near it.

    Saddle points of all steps are misled by the far mode, those of near steps are not. None also where the
    engine does not apply.
    """
    if not may_mislead(product):
        return None
    rate = 1.0
    try:
        gap, _ = _gap(product, 3)
        if abs(_log_size(product, point, gap)[0] - goal) < _CLOSE:
            return None
    except (NoConvergence, OverflowError):
        return None
    low, high = _RANGE
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        try:
            size, rate = _log_size(product, middle, gap)
        except (NoConvergence, OverflowError):  # no near steps come up to there
            size = -math.inf
        low, high = (middle, high) if size > goal else (low, middle)
    return short(low), rate


def _log_size(product: Product, epsilon: float, gap: float) -> tuple[float, float]:
    """About log δ(ε), by the saddle point of near steps or by far ones, and θ."""
    near = _cut(product, epsilon + gap)
    theta, size = saddle(near, Kernel("delta", "upper"), epsilon)
    with working(53):
        far = sum((k * _part(law).far()[0] for law, k in near.factors), arb(0))
        return max(size, float((far * min(1.0, gap)).log().mid())), theta


def _cut(product: Product, loss: float) -> Product:
    """The steps up to where they lose about ``loss``."""
    return Product(
        tuple(
            (NearMixtureLaw(law, short(min(_FARTHEST, outcome(law, loss)))), k)
            for law, k in product.factors
            if isinstance(law, GaussianMixtureLaw)
        )
    )


def _gap(product: Product, digits: int) -> tuple[float, float]:
    """How far the cut's loss exceeds ε for A not to matter, and λ, in floats.

    At the best λ for a gap B, Chernoff's exponent is K(−1−λ) − λB with B = −K'(−1−λ). What is far, less e^ε
    times its second measure, is about the part B of it, for B < 1.
    """
    low, high, lam = 0.0, math.inf, 1.0
    for _ in range(_TURNS):
        value, slope, _ = cumulant(product, -1 - lam)
        gap = -slope
        if not gap > 0:
            break
        short_by = value - lam * gap + digits * math.log(10) + _SLACK - min(0.0, math.log(gap))
        if -1 < short_by < 1:
            return gap, lam
        low, high = (lam, high) if short_by > 0 else (low, lam)
        lam = 4 * lam if math.isinf(high) else math.sqrt(low * high) if low else lam / 4
    raise NoConvergence("near: nothing bounds how far the other losses may be below 0")
