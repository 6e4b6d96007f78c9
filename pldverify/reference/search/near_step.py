"""A step up to a cut for convolutions in floats: masses and losses at nodes in x, and both masses beyond."""

import math
from functools import lru_cache, singledispatch
from typing import Literal, NamedTuple

import numpy as np

from pldverify.errors import NotSupported
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import GaussianPairLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.laws.sampled import symmetric
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.search.columns import Columns, Floats
from pldverify.reference.search.halved import TURNS, halved, middle
from pldverify.reference.search.mixture import log_normal
from pldverify.reference.search.outcome import outcome, shift_and_q
from pldverify.reference.search.pair_table import LOW, floats, log_sum

_RARE = -7.0
"""log of Σ k p beyond the cut, wanted where other steps may make up for one that is beyond."""
_OFTEN = -5.0
"""log of Σ k p beyond the least cut above which other steps may do so; under replace-one they always may."""
LEAST = 1e-12
"""Least loss of that search, in nats; what is less is as good as 0."""
MOST = 300.0
"""Greatest loss of that search, in nats."""
FEW = 400
"""Nodes where a moment is all that is asked for."""
FEWEST = 6
"""Nodes where only what lies beyond is asked for."""
_COMPONENTS = 4
"""Of a batch with replacement that are looked at."""


class NearStep(NamedTuple):
    """log of the masses up to the cut, their losses, and log of P- and Q-mass beyond it."""

    logs: Floats
    losses: Floats
    log_p: float
    log_q: float


@singledispatch
def near_step(law: Law, loss: float, nodes: int) -> NearStep:
    """Up to the outcome that loses ``loss``. Raises NotSupported for other laws."""
    raise NotSupported(f"no nodes of {type(law).__name__}")


@near_step.register
def _mixture(law: GaussianMixtureLaw, loss: float, nodes: int) -> NearStep:
    if law.direction != "remove":
        raise NotSupported("no nodes of direction add")
    return _up_to(law.pair(), outcome(law, loss), nodes)


@near_step.register
def _pair(law: GaussianPairLaw, loss: float, nodes: int) -> NearStep:
    return _up_to(law, outcome(law, loss), nodes)


def _up_to(law: GaussianPairLaw, cut: float, nodes: int) -> NearStep:
    c, first, second = float(law.shift), floats(law.first), floats(law.second)
    x, log_weights = _midpoints(LOW - c * second[-1][0], cut, nodes)
    up, down = log_sum(c, first, x), log_sum(c, second, -x)
    log_p, log_q = (
        float(np.logaddexp.reduce([math.log(w) + log_normal(side * c * level - cut) for level, w in rows]))
        for rows, side in ((first, 1), (second, -1))
    )
    return NearStep(up + log_weights, up - down, log_p, log_q)


@near_step.register
def _discrete(law: PoissonDiscreteGaussianLaw, loss: float, nodes: int) -> NearStep:
    if law.direction != "remove":
        raise NotSupported("no nodes of direction add")
    (c, q), sigma = shift_and_q(law), math.sqrt(law.variance)
    cut = outcome(law, loss)
    first, last = math.floor(LOW * sigma), math.floor(cut * sigma)
    if last - first >= nodes:  # as if it were continuous
        x, log_weights = _midpoints(LOW, cut, nodes)
        base, shifted = log_normal(-cut), log_normal(c - cut)
    else:
        x = np.arange(first, last + 1) / sigma
        whole = np.arange(first, 1 - first) / sigma
        total = float(np.logaddexp.reduce(-(whole**2) / 2))
        log_weights = -(x**2) / 2 - total
        far = np.arange(last + 1, last + 1 + math.ceil((c - LOW) * sigma)) / sigma
        base, shifted = (float(np.logaddexp.reduce(-((far - y) ** 2) / 2) - total) for y in (0.0, c))
        missing = nodes - len(x)
        x, log_weights = np.pad(x, (0, missing)), np.pad(log_weights, (0, missing), constant_values=-np.inf)
    losses = log_sum(c, ((0, 1 - q), (1, q)), x)
    return NearStep(losses + log_weights, losses, _mean(q, base, shifted), base)


@near_step.register
def _batch(law: ShiftedGaussianLaw, loss: float, nodes: int) -> NearStep:
    """Nodes on both sides of a loss of 0, and one there."""
    rows, _ = law.components()
    q = float(law.drawn())
    logs, losses, far = [], [], []
    rows = rows[:_COMPONENTS]
    for level, share in rows:
        c, log_share = float(level), float(share.log())
        cut = (math.log1p(math.expm1(loss) / q) + c * c / 2) / c
        x, log_weights = _midpoints(c / 2, cut, nodes // (3 * len(rows)))
        rise = log_sum(c, ((0, 1 - q), (1, q)), x)
        logs.append(log_share + rise + log_weights)
        losses.append(rise)
        x, log_weights = _midpoints(c / 2, c / 2 - LOW, nodes // (3 * len(rows)))
        logs.append(log_share + log_weights)
        losses.append(-log_sum(c, ((0, 1 - q), (1, q)), x))
        base = log_normal(-cut)
        far.append((log_share + _mean(q, base, log_normal(c - cut)), log_share + base))
    log_p, log_q = np.logaddexp.reduce(np.array(far), axis=0).tolist()
    atom = (
        1 - math.exp(log_p) - math.fsum(float(np.exp(row).sum()) for row in logs)
    )  # what thousands multiply
    if atom > 0:
        logs.append(np.array([math.log(atom)]))
        losses.append(np.zeros(1))
    missing = nodes - sum(map(len, logs))  # as many as of other laws
    logs.append(np.full(missing, -np.inf))
    losses.append(np.zeros(missing))
    return NearStep(np.concatenate(logs), np.concatenate(losses), log_p, log_q)


def _midpoints(low: float, high: float, nodes: int) -> tuple[Floats, Floats]:
    """Nodes, and log of φ times their distance."""
    x, eta = np.linspace(low, high, nodes, endpoint=False, retstep=True)
    x = x + eta / 2
    return x, -(x**2) / 2 + math.log(eta / math.sqrt(2 * math.pi))


def _mean(q: float, base: float, shifted: float) -> float:
    """log of the (1 − q, q)-mean of two masses."""
    return float(np.logaddexp(math.log1p(-q) + base, math.log(q) + shifted))


def near_columns(steps: Factors, loss: float, nodes: int) -> tuple[Columns, Floats]:
    """The steps of all laws side by side, and log of P- and Q-mass beyond for each."""
    rows = [near_step(law, loss, nodes) for law, _ in steps]
    logs, losses, *beyond = (np.array(column) for column in zip(*rows, strict=True))
    return Columns(logs, losses), np.array(beyond).T


def log_beyond(steps: Factors, loss: float, measure: Literal["p", "q"]) -> float:
    """log of Σ k p beyond ``loss``, or Σ k q."""
    index = 2 if measure == "p" else 3
    rows = [math.log(k) + float(near_step(law, loss, FEWEST)[index]) for law, k in steps]
    return float(np.logaddexp.reduce(rows))


def loss_beyond(steps: Factors, goal: float) -> float:
    """The loss beyond which log of Σ k p is about ``goal``."""

    def rare(log_loss: float) -> bool:
        return log_beyond(steps, math.exp(log_loss), "p") <= goal

    return math.exp(halved(math.log(LEAST), math.log(MOST), rare, middle, TURNS)[1])


def near_up_to(steps: Factors, least: float) -> float:
    """The loss up to which a step is near, ``least`` or more: other steps may make up for one that is beyond,
    so that is rare where losses may be large on both sides, or many sums have a step beyond ``least``.
    """
    if symmetric(ComposedLoss(steps)) or log_beyond(steps, least, "p") > _OFTEN:
        return max(least, _rare_loss(steps))
    return least


@lru_cache(maxsize=64)
def _rare_loss(steps: Factors) -> float:
    return loss_beyond(steps, _RARE)
