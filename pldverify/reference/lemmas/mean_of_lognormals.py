r"""Complex moments of a mean of lognormal variables, from their Laplace transform along rays.

Notation: :math:`W = e^{cy - c^2/2}` with y standard normal, of mean 1; :math:`R = \frac1T \sum_{i \le T} W_i`
of independent ones; :math:`F(w) = E[R^{-w}]`, which is finite for every w. With Re w = θ and an order n ≥ 0
such that p = θ + n > 0,

.. math:: F(w) = \frac{1}{\Gamma(w+n)} \int_0^\infty s^{w+n-1} H(s)\, ds ,
          \qquad H(s) = E[R^n e^{-sR}] ,

as the integral is :math:`E[R^n R^{-(w+n)}]\,\Gamma(w+n)`.

**Continuation.** H continues from s > 0 to all of the surface of log s, and

.. math:: |H(re^{i\psi})| \le e^{(\psi-\beta)^2 T/(2c^2)}\, E[R^n e^{-r\cos\beta\, R}]
          \quad\text{for every } 0 \le \beta < \pi/2 .

Proof, for ψ ≥ 0; below it is the same, conjugate. Move the paths of all y by i(β − ψ)/c: each W, and so R,
turns by β − ψ, and the modulus of each normal density grows by :math:`e^{(\psi-\beta)^2/(2c^2)}`. While ψ and
the angles on the way are below π/2, the exponential is at most 1 in modulus, nothing is left at infinity, and
the integral is the same. For each β it is analytic in s where |angle of sR| < π/2 on its paths, and for two β
the same where both are: that is the continuation. ∎

So for :math:`I(\psi) = \int_0^\infty r^{p-1} |H(re^{i\psi})|\, dr`, as :math:`E[R^{n-p}] = F(\theta)`,

.. math:: I(\psi) \le e^{(\psi-\beta)^2 T/(2c^2)} (\cos\beta)^{-p}\, \Gamma(p) F(\theta) ,

and the integral of F may be taken along any ray :math:`s = Te^{v+i\psi}`, whose integrand in v is
:math:`s^{w+n} H(s)`.

**Trapezoidal rule along a ray.** With step η it errs by at most :math:`1/(e^{2\pi a/\eta} - 1)` times the
integrals of the modulus on the rays at ψ + a and ψ − a, which are :math:`e^{-u(\psi \pm a)} I(\psi \pm a)`,
u = Im w (Trefethen and Weideman 2014, Theorem 5.1). Here 0 ≤ ψ < π/2 and |ψ − a| < π/2, where β = |ψ − a|;
for ψ + a the ``bend`` β is a choice.

**Cut.** For 0 < κ ≤ p, as :math:`x^{p-\kappa}e^{-x} \le ((p-\kappa)/e)^{p-\kappa}` and ρ = cos ψ,

.. math:: r^p |H(re^{i\psi})| \le r^{\kappa} \Big(\frac{p-\kappa}{e\rho}\Big)^{p-\kappa} E[R^{\kappa-\theta}],

and the same with −κ < 0 in the place of κ: geometric series over the nodes below the first one and above the
last one. Powers of R: for κ ≤ θ, :math:`E[R^{\kappa-\theta}] \le F(\theta)^{1-\kappa/\theta} \le F(\theta)`
(Lyapunov, and F(θ) ≥ 1 as E[R] = 1); for κ > θ, as κ − θ ≤ n, at most :math:`E[R^n]^{(\kappa-\theta)/n}`.
:math:`E[R^n]/n!` is a coefficient of the power T of :math:`E e^{xW/T}`, as formal series. For m ≥ 0
:math:`E[R^{-m}] \le e^{c^2(m^2/T + m)/2}`, as R is at least the geometric mean of the W_i.

**H at a node**, with z = s/T: as :math:`E e^{-s(1-x)R} = (E e^{-z(1-x)W})^T`,

.. math:: \frac{s^n}{n!} H(s) = [x^n] \Big(\sum_{j \le n} A_j(z) x^j\Big)^T ,
          \qquad A_j(z) = E\Big[\frac{(zW)^j e^{-zW}}{j!}\Big] .

A_j is a trapezoidal sum in y along Im y = b, so chosen that Z = zW has the angle ``base`` there. As
:math:`|Z^j e^{-Z}/j!| \le (\cos\arg Z)^{-j}` for \|arg Z\| < π/2, and with Y its last node,

* the rule of step h errs by at most :math:`2 e^{(|b|+a)^2/2} \cos(|base|+ca)^{-j}/(e^{2\pi a/h}-1)`;
* what is cut is at most :math:`2 e^{b^2/2} \bar\Phi(Y) \cos(base)^{-j}`, as the density falls from 0 on.

As :math:`|Z^j e^{-Z}/j!| \le |Z|^j/j!`, too, and :math:`\varphi(y) e^{j(cy-c^2/2)} =
e^{(j^2-j)c^2/2}\varphi(y-jc)`, both also hold with :math:`|z|^j e^{(j^2-j)c^2/2}/j!` in the place of the
powers of cosines, and Y − jc ≥ 0 in that of Y. All Z are :math:`e^{kd - c^2/2 + i\,base}` with whole k, as η
and ch are multiples of one unit d.

Assumes: nothing of a ray. Rounds: outward; a ray that does not meet these conditions proves nothing. A poor
ray costs width, never truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pldverify.balls import acb, acb_poly, arb, ctx
from pldverify.balls.ball import BOUND_BITS, ball, nearest, working
from pldverify.balls.chirp import chirp_sums
from pldverify.balls.clock import paced, spend
from pldverify.balls.compare import surely_less
from pldverify.balls.correlation import correlated
from pldverify.balls.line_sums import widened
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence

MAX_POINTS = 1_000_000
"""Cap on exponentials of a ray times n + 1: some ten seconds."""
MAX_ORDER = 100
"""Cap on n of an integral."""
MAX_MOMENT = 1000
"""Cap on n of E[R^n]."""
_SPARE = 16
"""Bits beyond the working precision, as a sum has thousands of terms."""


class Ray(NamedTuple):
    """What serves some nodes of a line Re w = θ that follow one another.

    Attributes:
        nodes: how many of them.
        angle, base: ψ, and the angle of zW on the path of y.
        unit: d.
        every, across: η and ch, in units.
        first, last: of the nodes v = log(s/T), in steps η.
        half: nodes in y on each side of 0.
        strip, bend: a and β of the rule along the ray.
        across_strip: a of the rule in y.
        below, above: κ of the cut on each side.
    """

    nodes: int
    angle: Fraction
    base: Fraction
    unit: Fraction
    every: int
    across: int
    first: int
    last: int
    half: int
    strip: Fraction
    bend: Fraction
    across_strip: Fraction
    below: Fraction
    above: Fraction


@dataclass(frozen=True)
class Mean:
    """R, the mean of ``count`` = T lognormal variables of c = 1/``noise_multiplier``."""

    noise_multiplier: Fraction
    count: int

    def moments(
        self, theta: Fraction, step: Fraction, count: int, order: int, rays: Sequence[Ray]
    ) -> list[acb]:
        """F(θ + i j step), j = 0 … count, at the working precision.

        Raises NoConvergence where nothing is proved, and unless the rays have so many nodes.
        """
        if any(ray.nodes < 1 for ray in rays) or sum(ray.nodes for ray in rays) != count + 1:
            raise NoConvergence(f"mean of lognormals: rays for each of {count + 1} nodes are needed")
        if not 0 <= order <= MAX_ORDER or theta + order <= 0:
            raise NoConvergence(f"mean of lognormals: no integral of order {order} at θ={float(theta):.6g}")
        first, found, most = 0, list[acb](), arb.pos_inf()
        for ray in rays:
            errors = _Errors(self, theta, step, order, ray, first)
            if not errors.valid:
                raise NoConvergence("mean of lognormals: unusable ray")
            sums = self._sums(theta, step, order, ray, first)
            for j, value in enumerate(sums):
                fixed, share = errors.at(j)
                if not first and not j:
                    value = acb(value.real)
                    most = ((value.real + fixed) / (1 - share)).upper()  # F(θ), if its share is below 1
                    if not (surely_less(share, 1) and most.is_finite()):
                        raise NoConvergence("mean of lognormals: no proved error bound of the transform")
                error = (fixed + share * most).upper()
                if not (error.is_finite() and value.is_finite()):
                    raise NoConvergence("mean of lognormals: no proved error bound of the transform")
                found.append(widened(value, error, first + j))
            first += ray.nodes
        return found

    def _sums(self, theta: Fraction, step: Fraction, order: int, ray: Ray, first: int) -> list[acb]:
        """The trapezoidal sums of F at the nodes of a ray, the first of which is node ``first``."""
        parts = self._laplace(order, ray)  # refuses more points than memory holds
        height, start = ball(step), ball(step * first)
        origin, eta = arb(self.count).log(), ball(ray.unit * ray.every)
        places = [acb(origin + eta * i, ball(ray.angle)) for i in range(ray.first, ray.last + 1)]
        power = acb(ball(theta), start)
        coefficients = [(power * at).exp() * part for at, part in zip(places, parts, strict=True)]
        scale, turn = eta * arb(order).fac(), acb(0, height) * places[0]
        return [
            scale * value * (turn * j).exp() * acb(ball(theta) + order, start + height * j).rgamma()
            for j, value in enumerate(chirp_sums(coefficients, height * eta, ray.nodes - 1))
        ]

    def _laplace(self, order: int, ray: Ray) -> list[acb]:
        r""":math:`s^n E[R^n e^{-sR}]/n!` at the nodes along a ray."""
        low = ray.first * ray.every - ray.half * ray.across
        high = ray.last * ray.every + ray.half * ray.across
        if (high - low) * (order + 1) > MAX_POINTS:
            raise NoConvergence(
                f"mean of lognormals: {high - low} points of order {order} (cap {MAX_POINTS} in all)"
            )
        smallest = (
            order * ball(ray.unit) * ray.every * ray.first - arb(order).fac().log()
        )  # log of A_n at one end
        bits = ctx.prec + _SPARE + max(0, nearest(-smallest / arb(2).log()))
        with working(bits):
            rows = self._averages(order, ray, low, high)
        if not order:
            return [value**self.count for value in rows[0]]
        return [_coefficient(list(row), self.count) for row in zip(*rows, strict=True)]

    def _averages(self, order: int, ray: Ray, low: int, high: int) -> list[list[acb]]:
        """The A_j at the nodes along a ray; zW at ``low`` to ``high``."""
        spend(3e-6 * (high - low) * (1 + ctx.prec / 300))
        c, unit = 1 / ball(self.noise_multiplier), ball(ray.unit)
        turn = acb(-c * c / 2, ball(ray.base)).exp()
        points = [(unit * k).exp() * turn for k in paced(range(low, high + 1))]
        masses = [(-z).exp() for z in paced(points)]
        h = unit * ray.across / c
        tilt = (ball(ray.base) - ball(ray.angle)) / c
        weight = h / (2 * arb.pi()).sqrt()
        ys = (acb(h * m, tilt) for m in range(-ray.half, ray.half + 1))
        weights = [weight * (-y * y / 2).exp() for y in ys]
        sizes = [(unit * ray.every * i).exp() for i in range(ray.first, ray.last + 1)]
        rows: list[list[acb]] = []
        for j in range(order + 1):
            if j:
                masses = [mass * z / j for mass, z in zip(masses, points, strict=True)]
            flat, rising = _across(ray, c, h, tilt, j)
            errors = (flat.min(rising * size**j).upper() for size in sizes)
            wobbles = (arb(0, error) for error in errors)
            values = _along(weights, masses, ray, ctx.prec)
            rows.append([value + acb(x, x) for value, x in zip(values, wobbles, strict=True)])
        return rows


def _along(weights: list[acb], masses: list[acb], ray: Ray, bits: int) -> list[acb]:
    """Σ_m weight_m · mass at i · every + m · across for the nodes i of a ray, i and m from 0 on."""
    count = (ray.last - ray.first) * ray.every + 1
    starts = range(min(ray.across, count))
    rows = [masses[s :: ray.across][: len(range(s, count, ray.across)) + len(weights) - 1] for s in starts]
    found: dict[int, acb] = {}
    for start, sums in zip(starts, correlated(weights, rows, bits), strict=True):
        found.update(zip(range(start, count, ray.across), sums, strict=True))  # those of one remainder
    return [found[i] for i in range(0, count, ray.every)]


def _coefficient(row: list[acb], power: int) -> acb:
    """The last coefficient of the ``power`` of a polynomial, as far as the polynomial goes."""
    spend(2e-6 * len(row) * power.bit_length())
    base, whole, length = acb_poly(row), acb_poly([1]), len(row)
    while power:
        if power & 1:
            whole = (whole * base).truncate(length)
        power >>= 1
        if power:
            base = (base * base).truncate(length)
    return whole[length - 1]


def _across(ray: Ray, c: arb, h: arb, tilt: arb, j: int) -> tuple[arb, arb]:
    """(e, r): A_j errs by at most e, and by at most r|z|^j; +∞ unless the strip turns by less than π/2."""
    a, y = ball(ray.across_strip), h * ray.half
    edge = abs(ball(ray.base)) + c * a
    if not (surely_less(0, a) and surely_less(edge, arb.pi() / 2)):
        return arb.pos_inf(), arb.pos_inf()
    rule = 2 * ((abs(tilt) + a) ** 2 / 2).exp() / (2 * arb.pi() * a / h).expm1()
    size, shifted = 2 * (tilt * tilt / 2).exp(), y - j * c
    flat = (rule + size * normal_tail(y)) / edge.cos() ** j
    if not surely_less(0, shifted):
        return flat, arb.pos_inf()
    growth = (c * c * (j * j - j) / 2).exp() / arb(j).fac()
    return flat, (rule + size * normal_tail(shifted)) * growth


class _Errors:
    """What the sums of a ray err by."""

    def __init__(self, mean: Mean, theta: Fraction, step: Fraction, order: int, ray: Ray, first: int) -> None:
        self.theta, self.step, self.order, self.ray, self.first = theta, step, order, ray, first
        self.valid = self._is_valid()
        if not self.valid:
            return
        c, t, p = 1 / ball(mean.noise_multiplier), ball(mean.count), ball(theta + order)
        eta, psi, a, bend = (ball(x) for x in (ray.unit * ray.every, ray.angle, ray.strip, ray.bend))
        turned = psi + a - bend
        self.psi, self.a, self.p = psi, a, p
        self.up = turned * turned * t / (2 * c * c) - p * bend.cos().log()
        self.down = -p * (psi - a).cos().log()
        self.alias = p.lgamma() - (2 * arb.pi() * a / eta).expm1().log()
        low, high = (t.log() + eta * i for i in (ray.first, ray.last))
        below, above, log_rho = ball(ray.below), ball(ray.above), psi.cos().log()
        self.left = (
            below * low - (below * eta).expm1().log() + eta.log() + _peak(theta + order - ray.below, log_rho)
        )
        m = ball(theta) + above
        geometric = c * c * (m * m / t + m) / 2
        self.right = -above * high - (above * eta).expm1().log() + eta.log() + geometric
        self.right += _peak(theta + order + ray.above, log_rho)
        if ray.below > theta:
            self.left += ball((ray.below - theta) / order) * raw_moment(mean, order).log()

    def _is_valid(self) -> bool:
        ray, quarter = self.ray, arb.pi() / 2
        whole = min(ray.every, ray.across, ray.half, ray.last - ray.first) >= 1
        kappas = 0 < ray.below <= self.theta + self.order and ray.above > 0 and self.theta + ray.above >= 0
        angles = ray.angle >= 0 and ray.strip > 0 and ray.bend >= 0 and ray.unit > 0
        inside = (ray.angle, ray.bend, abs(ray.angle - ray.strip))
        return whole and kappas and angles and all(surely_less(ball(x), quarter) for x in inside)

    def at(self, j: int) -> tuple[arb, arb]:
        """(fixed, share): node j errs by at most fixed + share · F(θ)."""
        u = ball(self.step * (self.first + j))
        size = -acb(self.p, u).lgamma().real
        flat = size - u * self.psi
        swing = u * self.a
        share = (self.alias + flat + self.up - swing).exp() + (self.alias + flat + self.down + swing).exp()
        left, right = (self.left + flat).exp(), (self.right + flat).exp()
        if self.ray.below <= self.theta:
            return right.upper(), (share + left).upper()
        return (right + left).upper(), share.upper()


def _peak(power: Fraction, log_rho: arb) -> arb:
    """log of (power/(eρ))^power, for power ≥ 0."""
    return ball(power) * (ball(power).log() - 1 - log_rho) if power else arb(0)


@remembered(64)
def raw_moment(mean: Mean, order: int, prec: int = BOUND_BITS) -> arb:
    """E[R^n], n = ``order``."""
    with working(prec):
        c, t = 1 / ball(mean.noise_multiplier), mean.count
        row = [acb((c * c * (j * j - j) / 2).exp() / (arb(t) ** j * arb(j).fac())) for j in range(order + 1)]
        return arb(order).fac() * _coefficient(row, t).real
