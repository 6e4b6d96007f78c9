r"""The jumps engine: rare large losses of Poisson-subsampled Gaussians, direction ``remove``.

With tiny q or little noise most steps lose next to nothing and a few lose much. The many small losses make
the integrand of the contour engine last for millions of nodes, although it is the few large ones that bring
the sum beyond ε. So let every step jump with a probability that rises smoothly with its outcome
(``soft_part.py``). Then

.. math:: \delta(\epsilon) = \delta_G(\epsilon) + \delta_N(\epsilon) ,

G the measure of the steps of which some jump, whose integrand decays like that of one jump
(``some_jump.py``): the contour engine gives :math:`\delta_G`. N is that of the steps without a jump. Those
with an outcome beyond some x₂ above the cut hardly ever are without, and the others lose little:

.. math:: 0 \le \delta_N(\epsilon) \le \sum_i k_i\, \Phi(-(x_{2,i} - x_{c,i})/\tau)\, P_i(x > x_{2,i})
          + c(\lambda)\, e^{-\lambda\epsilon} \prod_i M_i^{k_i}, \qquad
          M_i = M_{x_c,i}(\lambda)
          + \sum_j \Phi(-(x_j - x_{c,i})/\tau)\, w_i(x_{j+1})^\lambda\, P_i(x_j < x \le x_{j+1}) ,

for every λ > 0, over cells from the cut to x₂, with :math:`M_{x_c}(\lambda)` of the outcomes up to the cut
(``near_mixture.py``) and c(λ) as in ``kernel.py``; the last term is 0 where the losses up to x₂ never reach
ε. Both fall below the last digit if jumps begin at a small part of ε: two or three losses below it are far
less probable than one beyond.
"""

import math
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb

from pldverify.balls.ball import LOG2_10, ball, clamped, short, working
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.inversion.contour import BOUND_BITS, Contour
from pldverify.reference.engines.inversion.truncated import MAX_LAWS, may_mislead
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.near_mixture import NearMixtureLaw
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.laws.some_jump import SomeJump
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.contour import offer_contour
from pldverify.reference.search.offer import Offer
from pldverify.reference.search.outcome import outcome
from pldverify.reference.search.tilt import saddle

_WIDTHS = (0.8, 0.4, 0.2, 0.1, 0.05)
"""τ that are tried, until the price rises."""
_SLACK = 3.0
"""Nats that δ_N should be below the last digit."""
_HALVINGS, _SECTIONS, _CELLS = 7, 14, 500
_MORE = 2
"""Digits more than wanted: the saddle point of what has two modes overrates δ."""
_LEAST, _MOST = 1e-3, 1.0
"""Parts of ε that jumps may begin at."""
_KERNEL = Kernel("delta", "upper")
Parts = tuple[tuple[SoftPart, int], ...]
Split = tuple[Parts, tuple[float, ...], float]


@dataclass(frozen=True)
class Jumps:
    """δ of a product.

    Attributes:
        parts: what jumps of its steps.
        some: answers for the steps of which some jump.
        small: the steps up to x₂.
        lam: λ of Chernoff's bound for those without a jump.
        log_moment: log of their Π M_i^k.
    """

    parts: Parts
    some: Contour
    small: Product
    lam: Fraction
    log_moment: arb
    bits: int
    limit = math.inf
    engine = "jumps"

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around δ(ε)."""
        with working(self.bits):
            value = self.some.truth(epsilon) + arb(0).union(self._none(epsilon))
            if self.some.kernel.side == "lower":  # it takes G(0) to be 1
                value -= 1 - SomeJump(self.parts).on_line(Fraction(0), Fraction(0), 0)[0].real
            return clamped(value)

    def _none(self, epsilon: Fraction) -> arb:
        """Upper bound of δ_N."""
        total = arb(0)
        for (part, k), (law, _) in zip(self.parts, self.small.factors, strict=True):
            assert isinstance(law, NearMixtureLaw)
            total += k * _beyond(part, law)
        if not self.small.ends_by(epsilon):
            moment = (self.log_moment - ball(self.lam) * ball(epsilon)).exp()
            total += _KERNEL.chernoff(self.lam) * moment
        return total.upper()

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and error terms, for reading."""
        with working(BOUND_BITS):
            none = self._none(epsilon)
        begin = (f"{float(part.cut):.6g} ± {float(part.width):.2g}" for part, _ in self.parts)
        return {
            "jumps begin at": ", ".join(begin),
            "no step jumps": none.str(3, radius=False),
            **self.some.witness(epsilon),
        }


def offer_jumps(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """Raises NotSupported unless it is the δ of Poisson-subsampled Gaussians, ``remove``; NoConvergence."""
    if quantity != "delta" or not may_mislead(product):
        raise NotSupported(
            f"jumps: not the δ of Poisson-subsampled Gaussians, direction remove (at most {MAX_LAWS} laws)"
        )
    if epsilon <= 0:
        raise NoConvergence("jumps: ε is not above 0")
    best, trouble = None, NoConvergence("jumps: steps without a jump count too much, wherever jumps begin")
    for width in _WIDTHS:
        split = _split(product, epsilon, digits + _MORE, width)
        if split is None:
            continue
        try:
            offer = _offer(split, epsilon, digits + _MORE)
        except NoConvergence as reason:
            trouble = reason
            continue
        if best is not None and offer.seconds > best.seconds:
            break
        best = offer
    if best is None:
        raise trouble
    return best


def _split(product: Product, epsilon: Fraction, digits: int, width: float) -> Split | None:
    """The largest jumps that leave nothing to steps without one, x₂ and λ; None if there are none."""
    low, high, found = math.log(_LEAST), math.log(_MOST), None
    for _ in range(_HALVINGS):
        middle, fits = (low + high) / 2, False
        with suppress(NoConvergence, ArithmeticError, ValueError):  # beyond the range of floats
            parts = _parts(product, math.exp(middle) * float(epsilon), width)
            _, size = saddle(_steps_with_jumps(parts), _KERNEL, float(epsilon))
            goal = size - digits * math.log(10) - _SLACK
            ends = tuple(_end(part, k, goal) for part, k in parts)
            lam, none = _chernoff(parts, ends, float(epsilon))
            fits = none < goal
        if fits:
            low, found = middle, (parts, ends, lam)
        else:
            high = middle
    return found


def _offer(split: Split, epsilon: Fraction, digits: int) -> Offer:
    """Raises NoConvergence."""
    parts, ends, lam = split
    some = offer_contour(_steps_with_jumps(parts), "delta", epsilon, digits=digits)

    def build() -> Jumps:
        small = [NearMixtureLaw(part.law, short(end)) for (part, _), end in zip(parts, ends, strict=True)]
        log_moment = arb(0)
        with working(BOUND_BITS):
            for (part, k), reached in zip(parts, small, strict=True):
                log_moment += k * _moment(part, reached, short(lam)).log()
        contour = some.build()
        assert isinstance(contour, Contour)
        counted = tuple((reached, k) for reached, (_, k) in zip(small, parts, strict=True))
        return Jumps(parts, contour, Product(counted), short(lam), log_moment, int(digits * LOG2_10) + 64)

    return Offer(0.05 + some.seconds, build)


def _steps_with_jumps(parts: Parts) -> Product:
    return Product(((SomeJump(parts), 1),))


def _beyond(part: SoftPart, small: NearMixtureLaw) -> arb:
    """Upper bound of the probability of an outcome beyond x₂ without a jump."""
    return part.rest().weight(ball(small.cut)) * small.far()[0]


def _moment(part: SoftPart, small: NearMixtureLaw, lam: Fraction) -> arb:
    """Upper bound M_i of the outcomes up to x₂ without a jump."""
    total = NearMixtureLaw(part.law, part.cut).on_line(lam, Fraction(0), 0)[0].real
    width = (small.cut - part.cut) / _CELLS
    laws = [NearMixtureLaw(part.law, part.cut + width * j) for j in range(_CELLS + 1)]
    for left, right in pairwise(laws):
        mass = left.far()[0] - right.far()[0]
        total += part.rest().weight(ball(left.cut)) * (ball(lam) * right.largest_finite_loss).exp() * mass
    return total.upper()


def _parts(product: Product, loss: float, width: float) -> Parts:
    """Jumps from about ``loss`` on."""
    return tuple(
        (SoftPart(law, short(outcome(law, loss)), short(width), True), k)
        for law, k in product.factors
        if isinstance(law, GaussianMixtureLaw)
    )


def _end(part: SoftPart, k: int, goal: float) -> float:
    """x₂ beyond which log of what does not jump is about ``goal``."""
    from pldverify.reference.search.cumulants.soft_part import log_moment  # loads numpy

    nats = math.log(k) + log_moment(part, 0.0) - goal
    return float(part.cut) + float(part.width) * math.sqrt(2 * max(1.0, nats))


def _chernoff(parts: Parts, ends: tuple[float, ...], eps: float) -> tuple[float, float]:
    """λ, and log of the bound of δ_N with it, by golden section in log λ (floats)."""
    from pldverify.reference.search.cumulants.soft_part import log_small  # loads numpy

    def size(log_lam: float) -> float:
        lam = math.exp(log_lam)
        moments = (k * log_small(part, end, lam) for (part, k), end in zip(parts, ends, strict=True))
        return math.fsum(moments) - lam * eps - math.log1p(lam)

    low, high = math.log(0.05), math.log(1e4 / eps + 1)
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(_SECTIONS):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if size(a) < size(b) else (a, high)
    return math.exp(low), size(low)
