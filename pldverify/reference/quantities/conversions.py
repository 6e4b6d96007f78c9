r"""From Rényi to (ε, δ): upper bounds for every mechanism with :math:`D_\alpha(P\|Q) \le \tau`.

Rules for one order α > 1, with :math:`\gamma = e^\epsilon`:

* ``mironov-2017`` (Proposition 3): :math:`\delta \le e^{(\alpha-1)(\tau-\epsilon)}`.
* ``canonne-2020`` (Canonne, Kamath, Steinke, Proposition 12) and ``balle-2020`` (Balle et al., Theorem 21),
  two forms of one bound:
  :math:`\delta \le \frac{e^{(\alpha-1)(\tau-\epsilon)}}{\alpha-1}(1-\frac1\alpha)^\alpha`.
  Proof: :math:`(1-e^{-s})_+ \le c\,e^{(\alpha-1)s}` with the best constant c, at :math:`s = S-\epsilon`.
* ``asoodeh-2020`` (Theorem 2), the best possible: by data processing an event E with
  :math:`P(E) - \gamma Q(E) = \delta` forces
  :math:`e^{(\alpha-1)\tau} \ge m(\delta) = \min_{\delta \le p \le 1} g(p)`,

  .. math:: g(p) = p^\alpha r^{1-\alpha} + (1-p)^\alpha (1-r)^{1-\alpha}, \quad r = (p-\delta)/\gamma.

  For ε ≥ 0 m increases in δ (less r below p is more divergence), so
  :math:`m(\delta) > e^{(\alpha-1)\tau}`
  proves that δ(ε) < δ. As
  :math:`p^\alpha r^{1-\alpha}` is jointly convex and r is affine, g is convex: where
  :math:`g'(a) < 0 < g'(b)`, :math:`m \ge g(a) + g'(a)(b-a)`.

By every rule, where α = ∞: :math:`P \le e^\tau Q` gives :math:`P(E) - e^\epsilon Q(E) \le P(E)(1 -
e^{\epsilon-\tau})`, so :math:`\delta \le (1 - e^{\epsilon-\tau})_+`, which an event and its complement have.

All results are exact rationals that round up: proved upper bounds, not enclosures. A poor order, or a search
that stops early, costs tightness, never truth. Every order gives a bound, so several give their least:

>>> import pldverify as pv
>>> steps = 1000 * pv.PoissonSubsampled(pv.Gaussian(1), q="0.01")
>>> orders = [2, 4, 8, 16]
>>> float(pv.epsilon_from_rdp(orders, [pv.rdp(steps, order=order) for order in orders], delta="1e-5"))
2.10775...
"""

import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

from pldverify.balls import arb
from pldverify.balls.ball import ball, rounded, short, upper, working
from pldverify.balls.clock import clock, spend
from pldverify.balls.compare import surely_less
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.exact import brief, nonnegative, probability, rational, show
from pldverify.numbers.order import infinite
from pldverify.reference.search.golden import golden_section
from pldverify.reference.search.halved import halved, middle

Rule = Literal["mironov-2017", "canonne-2020", "balle-2020", "asoodeh-2020"]

_BITS = 256
"""Precision in bits; any value is right: a poor one costs tightness."""
_HALVINGS = 40
"""Bisections of log δ or ε by the optimal rule."""
_GAINED = (-60.0, -1e-9)
"""Range searched for log of the ratio of δ by the optimal rule to δ by ``canonne-2020``."""
_LOGS = (-60.0, 60.0)
"""Range searched for log(α − 1)."""
_CLOSE = 1e-12
"""Width in log(α − 1) at which that search ends."""


def delta_from_rdp(
    order: object, divergence: object, epsilon: object, rule: Rule = "canonne-2020"
) -> Fraction:
    """Upper bound on δ(``epsilon``) where the Rényi divergence of ``order`` is at most ``divergence``.

    Args:
        order: α > 1, ``math.inf`` or "inf", or several of them.
        divergence: τ ≥ 0 in nats, ``math.inf``, or an Enclosure, whose upper end counts; one for each order.
        epsilon: in nats; any finite real, but ≥ 0 for ``asoodeh-2020``.
        rule: a rule of the module docstring, which states its theorem.

    Rounds up; at most 1. Raises InvalidInput, NoConvergence.

    Mironov's δ = e^((α − 1)(τ − ε)), and a sharper rule:

    >>> float(pv.delta_from_rdp(2, 1, epsilon=3, rule="mironov-2017"))
    0.13533528323661...
    >>> pv.delta_from_rdp(2, 1, epsilon=3) < pv.delta_from_rdp(2, 1, epsilon=3, rule="mironov-2017")
    True
    """
    (curve, most), eps = _curve(order, divergence), rational(epsilon, "epsilon")
    _check(rule)
    with clock(), working(_BITS):
        known = Fraction(1) if most is None else _below_one(-ball(min(eps - most, Fraction(0))).expm1())
        if rule == "asoodeh-2020":
            return min(known, _least_delta(curve, nonnegative(eps, "epsilon")))
        bounds = ((_log_constant(a, rule) + ball((a - 1) * (tau - eps))).exp() for a, tau in curve)
        return min((known, *map(_below_one, bounds)))


def epsilon_from_rdp(order: object, divergence: object, delta: object, rule: Rule = "canonne-2020") -> Bound:
    """Upper bound on ε(``delta``) in nats, delta > 0; the inverse of :func:`delta_from_rdp`, at least 0.

    ``math.inf`` where every divergence is infinite. Rounds up. Raises InvalidInput, NoConvergence.

    Mironov's ε = τ + log(1/δ)/(α − 1), here 1 + log(10⁵)/10, and the best of a curve of orders:

    >>> float(pv.epsilon_from_rdp(11, 1, delta="1e-5", rule="mironov-2017"))
    2.15129254649702...
    >>> orders = range(2, 40)
    >>> curve = [pv.rdp(pv.Gaussian(sigma=4), order=order) for order in orders]
    >>> bound = pv.epsilon_from_rdp(orders, curve, delta="1e-5")
    >>> bound > pv.epsilon(pv.Gaussian(sigma=4), delta="1e-5").upper
    True
    """
    (curve, most), target = _curve(order, divergence), probability(delta, "delta", zero=False)
    _check(rule)
    if target == 1:
        return Fraction(0)
    with clock(), working(_BITS):
        known: Bound = math.inf if most is None else _end(ball(most) + ball(1 - target).log())
        if rule == "asoodeh-2020":
            return min(known, _least_epsilon(curve, target))
        return min((known, *(_solved(alpha, tau, target, rule) for alpha, tau in curve)))


def zcdp_delta(rho: object, epsilon: object) -> Fraction:
    r"""Upper bound on δ(``epsilon``) of every ρ-zCDP mechanism: ``canonne-2020`` with τ = ρα.

    .. math:: \delta \le \inf_{\alpha>1} \frac{e^{(\alpha-1)(\alpha\rho-\epsilon)}}{\alpha-1}
              \left(1-\frac1\alpha\right)^\alpha

    The order is searched for and the bound evaluated there, rounding up; at most 1. ``epsilon`` in nats,
    any finite real. Raises InvalidInput, NoConvergence.

    Housing unit tables of the US Census of 2020: ρ = 0.07, reported as ε = 2.47 at δ = 1e-10.

    >>> float(pv.zcdp_delta(rho="0.07", epsilon="2.47")) < 1e-10
    True
    """
    r, eps = nonnegative(rho, "rho"), rational(epsilon, "epsilon")

    def log_delta(alpha: Fraction) -> arb:
        return _log_constant(alpha, "canonne-2020") + ball((alpha - 1) * (alpha * r - eps))

    alpha = _best(log_delta)
    return delta_from_rdp(alpha, r * alpha, eps)


def zcdp_epsilon(rho: object, delta: object) -> Fraction:
    """Upper bound on ε(``delta``) in nats of a ρ-zCDP mechanism, delta > 0; inverse of :func:`zcdp_delta`.

    Rounds up; at least 0. Raises InvalidInput, NoConvergence.

    Bun and Steinke's ρ + 2√(ρ log(1/δ)) is 2.61 here; the sharper rule of Canonne, Kamath and Steinke:

    >>> float(pv.zcdp_epsilon(rho="0.07", delta="1e-10"))
    2.387...
    """
    r, target = nonnegative(rho, "rho"), probability(delta, "delta", zero=False)

    def epsilon(alpha: Fraction) -> arb:
        log_delta = _log_constant(alpha, "canonne-2020") - ball(target).log()
        return ball(alpha * r) + log_delta / ball(alpha - 1)

    alpha = _best(epsilon)
    return Fraction(epsilon_from_rdp(alpha, r * alpha, target))


def _curve(order: object, divergence: object) -> tuple[list[tuple[Fraction, Fraction]], Fraction | None]:
    """(α, τ) for every finite order with a finite τ, and the least finite τ of order ∞, if there is one."""
    orders, divergences = _several(order), _several(divergence)
    if len(orders) != len(divergences) or not orders:
        raise InvalidInput(
            "order and divergence must be two numbers or two sequences of one length ≥ 1, got "
            f"{len(orders)} and {len(divergences)}"
        )
    told = [(_order(a), _divergence(tau)) for a, tau in zip(orders, divergences, strict=True)]
    pairs = [(alpha, tau) for alpha, tau in told if tau is not None]
    curve = [(Fraction(alpha), tau) for alpha, tau in pairs if alpha != math.inf]
    return curve, min((tau for alpha, tau in pairs if alpha == math.inf), default=None)


def _several(value: object) -> list[object]:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]


def _order(order: object) -> Bound:
    if infinite(order):
        return math.inf
    alpha = rational(order, "order")
    if alpha <= 1:
        raise InvalidInput(f"order must be > 1, got order={show(alpha)}")
    return alpha


def _divergence(value: object) -> Fraction | None:
    """τ; None for +∞."""
    tau = value.upper if isinstance(value, Enclosure) else value
    signalling = isinstance(tau, Decimal) and tau.is_snan()  # which compares with nothing
    return None if not signalling and tau == math.inf else nonnegative(tau, "divergence")


def _check(rule: object) -> None:
    if not isinstance(rule, str) or rule not in get_args(Rule):
        raise InvalidInput(f"rule must be one of {', '.join(get_args(Rule))}, got rule={brief(rule)}")


def _log_constant(alpha: Fraction, rule: str) -> arb:
    """log of the factor of e^{(α−1)(τ−ε)}."""
    if rule == "mironov-2017":
        return arb(0)
    return ball(alpha - 1) * ball(1 - 1 / alpha).log() - ball(alpha).log()


def _best(objective: Callable[[Fraction], arb]) -> Fraction:
    """α near the minimum of ``objective``; search only."""

    def at(log: float) -> float:
        return float(objective(1 + short(math.exp(log), 53)))

    with working(_BITS):
        return 1 + short(math.exp(golden_section(at, *_LOGS, _CLOSE)), 53)


def _below_one(value: arb) -> Fraction:
    return Fraction(min(Fraction(1), upper(value)))


def _solved(alpha: Fraction, tau: Fraction, target: Fraction, rule: str) -> Fraction:
    """The rules in closed form, solved for ε."""
    return _end(ball(tau) + (_log_constant(alpha, rule) - ball(target).log()) / ball(alpha - 1))


def _end(value: arb) -> Fraction:
    end = upper(value)
    if end == math.inf:
        raise NoConvergence(f"epsilon_from_rdp: ε is beyond the range of exact numbers at {_BITS} bits")
    return max(Fraction(0), Fraction(end))


def _least_delta(curve: list[tuple[Fraction, Fraction]], epsilon: Fraction) -> Fraction:
    """``asoodeh-2020`` for δ, from ``canonne-2020`` downwards; every value kept is proved."""
    best = min((delta_from_rdp(*point, epsilon) for point in curve), default=Fraction(1))
    for point in curve:
        best = _lower_delta(*point, epsilon, best)
    return best


def _lower_delta(alpha: Fraction, tau: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    def proved(log_factor: float) -> bool:
        return _excluded(alpha, tau, epsilon, _part(delta, log_factor))

    low, high = _GAINED
    if not proved(high):
        return delta
    return _part(delta, halved(low, high, proved, middle, _HALVINGS)[1])


def _part(whole: Fraction, log_factor: float) -> Fraction:
    return rounded(whole * short(math.exp(log_factor), 53), 60)


def _least_epsilon(curve: list[tuple[Fraction, Fraction]], target: Fraction) -> Bound:
    """``asoodeh-2020`` for ε, from ``canonne-2020`` downwards; every value kept is proved."""
    best = min((_solved(*point, target, "canonne-2020") for point in curve), default=None)
    if best is None:
        return math.inf
    for point in curve:
        best = _lower_epsilon(*point, best, target)
    return best


def _lower_epsilon(alpha: Fraction, tau: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    def proved(at: Fraction) -> bool:
        return _excluded(alpha, tau, at, delta)

    if not proved(epsilon):
        return epsilon
    if proved(Fraction(0)):
        return Fraction(0)
    return halved(Fraction(0), epsilon, proved, lambda a, b: rounded((a + b) / 2, 60), _HALVINGS)[1]


def _excluded(alpha: Fraction, tau: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether m(δ) > e^{(α−1)τ} is proved, 0 < δ < 1: then δ(ε) < δ."""
    if not 0 < delta < 1:
        return False
    curve = _Curve(alpha, epsilon, delta)
    left, right = _minimum(curve)
    value, slope = curve.at(left)
    if not surely_less(slope, 0):
        return False
    least = value + slope * ball((right - left) * (1 - delta))
    return bool(surely_less(ball((alpha - 1) * tau).exp(), least))


class _Curve:
    """g at p = δ + (1 − δ)t, and its derivative in p."""

    def __init__(self, alpha: Fraction, epsilon: Fraction, delta: Fraction) -> None:
        self.alpha, self.delta = alpha, delta
        self.shrink = (-ball(epsilon)).exp()

    def at(self, t: Fraction) -> tuple[arb, arb]:
        """(g, g') for 0 < t ≤ 1."""
        p, alpha = self.delta + (1 - self.delta) * t, ball(self.alpha)
        r = ball((1 - self.delta) * t) * self.shrink
        high = ball(p) / r
        low = ball(1 - p) / (1 - r)
        up = high ** (alpha - 1)
        down = low ** (alpha - 1) if p < 1 else arb(0)
        value = ball(p) * up + ball(1 - p) * down
        steep = (alpha - 1) * self.shrink
        slope = up * (alpha - steep * high) - down * (alpha - steep * low)
        return value, slope


def _minimum(curve: _Curve) -> tuple[Fraction, Fraction]:
    """t around the minimum of g: g' > 0 is proved at the right end, or that end is 1; bisection of log t."""
    right = Fraction(1)
    left = Fraction(1, 2)
    while not surely_less(slope := curve.at(left)[1], 0):
        spend()
        right, left = left if surely_less(0, slope) else right, left * left
        if left.denominator.bit_length() > 10_000:
            break

    def rises(at: Fraction) -> bool | None:
        spend()
        slope = curve.at(at)[1]
        return surely_less(0, slope) or (False if surely_less(slope, 0) else None)

    return halved(left, right, rises, _between, _BITS // 2)


def _between(left: Fraction, right: Fraction) -> Fraction | None:
    """Bisection of log t, then of t, to 50 bits."""
    if right - left <= left / 2**50:
        return None
    ratio = right / left
    return left * 2 ** (int(ratio).bit_length() // 2) if ratio > 4 else (left + right) / 2


__all__ = ["Rule", "delta_from_rdp", "epsilon_from_rdp", "zcdp_delta", "zcdp_epsilon"]
