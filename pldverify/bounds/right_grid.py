r"""What rounding every loss up to the grid adds to δ (KH21 Theorem 2, 8 of the proofs; (5.5)-(5.7))."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_less
from pldverify.bounds.upper_end import upper


def right_grid(tail: Real, delta: Real, k: int, step: Real) -> arb:
    r"""Upper bound on :math:`\delta^R(\varepsilon) - \delta(\varepsilon) \ge 0`.

    .. math:: \delta^R(\varepsilon) - \delta(\varepsilon) \le (1 - e^{-D})\,
              \big(\Pr[S > \varepsilon - D] - \delta(\varepsilon)\big), \qquad D = k\Delta x.

    Printed (5.5): :math:`k\Delta x\,(\Pr[S \ge \varepsilon] - \delta(\varepsilon))`. Its proof sums over S
    ≥ ε only and forgets losses just below ε that the grid lifts above it. False for one atom at s < ε
    whose grid point lies above ε: the right side is 0, the left is not.
    Proof: a loss s grows by d ≤ D. From s ≥ ε the integrand 1 − e^{ε−s} grows by e^{ε−s}(1 − e^{−d}); from
    ε − D < s < ε it grows from 0 to at most 1 − e^{ε−s−D} ≤ 1 − e^{−D}; so by at most (1 − e^{−D}) min(1,
    e^{ε−s}), and E[min(1, e^{ε−S}); S > ε − D] = Pr[S > ε − D] − E[(1 − e^{ε−S})₊].
    Assumes: k ≥ 1 losses in all, Δx > 0; ``tail`` ≥ Pr[S > ε − kΔx], ``delta`` encloses δ(ε), both finite
    parts. Rounds: up; a failed hypothesis gives +∞.
    """
    h = ball(step)
    value = -(-k * h).expm1() * (ball(tail) - ball(delta))
    return upper(value.max(arb(0)), bool(surely_less(0, h)), k >= 1)


def right_grid_chernoff(log_moment: Real, lam: Real, k: int, step: Real, epsilon: Real) -> arb:
    r""":func:`right_grid` with Chernoff's bound on the tail and without the δ that it takes off.

    .. math:: (1 - e^{-D})\, e^{\alpha(\lambda) - \lambda(\varepsilon - D)}, \qquad D = k\Delta x.

    Printed (5.7): :math:`k\Delta x\, e^{\alpha(\lambda) - \lambda\varepsilon}`, false by the same example
    with λ → ∞. (5.6), kΔx, is true: it is larger than :func:`right_grid`.
    Proof: :func:`right_grid` with Pr[S > ε − D] ≤ e^{α(λ) − λ(ε − D)} and δ(ε) ≥ 0.
    Assumes: λ > 0, k ≥ 1 losses in all, Δx > 0; ``log_moment`` ≥ α(λ) = log E[e^{λS}; S < ∞]. Rounds: up; a
    failed hypothesis gives +∞.
    """
    h, tilt = ball(step), ball(lam)
    value = -(-k * h).expm1() * (ball(log_moment) - tilt * (ball(epsilon) - k * h)).exp()
    return upper(value, bool(surely_less(0, h)), bool(surely_less(0, tilt)), k >= 1)


def left_grid(tail: Real, delta: Real, k: int, step: Real) -> arb:
    r"""Upper bound on :math:`\delta(\varepsilon) - \delta^L(\varepsilon) \ge 0`, losses rounded down.

    .. math:: \delta(\varepsilon) - \delta^L(\varepsilon) \le (e^D - 1)\,(\Pr[S \ge \varepsilon] -
              \delta(\varepsilon)), \qquad D = k\Delta x.

    Proof: for s ≥ ε the integrand loses e^{ε−s+d} − e^{ε−s} at most, d ≤ D; below ε it is 0.
    Assumes: k ≥ 1 losses in all, Δx > 0; ``tail`` ≥ Pr[S ≥ ε], ``delta`` encloses δ(ε), both finite parts.
    Rounds: up; a failed hypothesis gives +∞.
    """
    h = ball(step)
    return upper(((k * h).expm1() * (ball(tail) - ball(delta))).max(arb(0)), bool(surely_less(0, h)), k >= 1)


def printed_right_grid(tail: Real, delta: Real, k: int, step: Real) -> arb:
    """KH21 (5.5) as printed, ``tail`` = Pr[S ≥ ε]; refuted, see :func:`right_grid`."""
    return upper(k * ball(step) * (ball(tail) - ball(delta)))
