r"""Poisson batches with a largest size: an upper bound of δ(ε).

Code with static shapes can't take a batch of any size, so a sample of more than B records is cut to B of them
by some rule (Chua et al. 2024, arXiv 2411.04205, truncated Poisson batches). Let n be the records of the
larger data set and

.. math:: \tau = \sum_i k_i \Pr[\mathrm{Bin}(n, q_i) > B],

over the steps of the composition. Then, for every rule, of which nothing is known, and every ε,

.. math:: \delta_{\text{cut}}(\epsilon) \le \delta(\epsilon) + (1 + e^\epsilon)\,\tau .

Proof: run both with the same samples and noise: unless a sample is too large, which under either data set has
probability τ at most (union bound; a smaller data set has smaller samples) whatever was output before, the
outputs are the same. So for every event :math:`P'(S) \le P(S) + \tau \le e^\epsilon Q(S) + \delta + \tau \le
e^\epsilon (Q'(S) + \tau) + \delta + \tau`.

**Tail.** With k = B + 1 terms fall at least by :math:`r = \frac{n-k}{k+1} \frac{q}{1-q}` from the k-th on; if
r < 1, :math:`\Pr[\mathrm{Bin}(n, q) \ge k] \le \binom{n}{k} q^k (1-q)^{n-k} / (1 - r)`.

Rounds up. A bound, not the truth: rules that leak nothing may have a δ below it.
"""

from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, upper, working
from pldverify.balls.clock import clock
from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, count, rational
from pldverify.reference.quantities.questions import delta

_BITS = 256


def truncated_delta(
    composition: Composed,
    epsilon: Number,
    *,
    dataset_size: Number,
    max_batch: Number,
    adjacency: Adjacency | None = None,
) -> Fraction:
    """Upper bound on δ(``epsilon``) of Poisson-sampled steps whose batches are cut to ``max_batch`` records.

    Args:
        composition: Poisson-sampled mechanisms, as if no batch was cut.
        epsilon: in nats, rational.
        dataset_size: of the larger one of two neighbouring data sets.

    Rounds up; at most 1. Raises InvalidInput and what :func:`pldverify.delta` raises.

    >>> run = pv.dp_sgd(noise_multiplier=1, batch_size=500, dataset_size=50_000, steps=1000)
    >>> cut = pv.truncated_delta(run, 3, dataset_size=50_000, max_batch=700)
    >>> float(cut) - float(pv.delta(run, epsilon=3)) < 1e-10
    True
    """
    whole, eps = as_composition(composition), rational(epsilon, "epsilon")
    records, largest = count(dataset_size, "dataset_size"), count(max_batch, "max_batch")
    rows: list[tuple[Fraction, int]] = []
    for mechanism, k in whole.parts:
        if not isinstance(mechanism, PoissonSubsampled) or not mechanism.is_exact:
            raise InvalidInput(f"steps must be Poisson-sampled with rational parameters, got {mechanism}")
        rows.append((mechanism.q, k))
    plain = delta(whole, epsilon=eps, adjacency=adjacency, digits=6)
    with clock(), working(_BITS):
        lost = sum((k * _beyond(records, q, largest) for q, k in rows), arb(0))
        bound = upper(ball(Fraction(plain.upper)) + (1 + ball(eps).exp()) * lost)
    return min(Fraction(1), bound) if isinstance(bound, Fraction) else Fraction(1)


def _beyond(n: int, q: Fraction, largest: int) -> arb:
    """Upper bound of Pr[Bin(n, q) > ``largest``]."""
    k = largest + 1
    if k > n:
        return arb(0)
    ratio = Fraction(n - k, k + 1) * q / (1 - q) if q < 1 else Fraction(1)
    if ratio >= 1:
        return arb(1)
    choose = arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()
    term = (choose + k * ball(q).log() + (n - k) * (-ball(q)).log1p()).exp()
    return (term / ball(1 - ratio)).upper().min(arb(1))
