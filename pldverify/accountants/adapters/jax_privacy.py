"""jax-privacy: its training accountant of DP-SGD, over the PLD or the RDP accountant of dp-accounting.

Upper bounds on ε at a δ; it has no δ at an ε. ``batch_size`` and ``num_samples`` are those of q in lowest
terms. SamplingMethod.POISSON is for adding or removing a record. SamplingMethod.FIXED_BATCH_SIZE is
"compatible with replace adjacency": batches without replacement under ``replace-one``. Steps with different
noise and one q are a schedule of noise multipliers, in the order of the composition; a second q is refused,
for one data set has one size.
"""

from fractions import Fraction
from itertools import accumulate

from pldverify.accountants.adapters import dp_sgd
from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled, noise_and_q
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement

_METHODS = {"add-or-remove": "POISSON", "replace-one": "FIXED_BATCH_SIZE"}


class PLD(Adapter):
    """``DpsgdTrainingAccountant`` over ``PldAccountantConfig``."""

    name = "jax-privacy/pld"
    library = "jax-privacy"
    module = "jax_privacy"
    extra = "jax-privacy"
    direction = "upper"
    config = "PldAccountantConfig"

    def refusal(self, query: Query) -> str | None:
        if query.quantity == "delta":
            return "jax-privacy has no delta at an epsilon"
        if query.adjacency not in _METHODS:
            return f"jax-privacy is asked for add-or-remove and replace-one only, got {query.adjacency!r}"
        for mechanism, _ in query.composition.parts:
            fixed = isinstance(mechanism, SampledWithoutReplacement)
            if fixed != (query.adjacency == "replace-one"):
                return f"jax-privacy has no sampling method for {mechanism} under {query.adjacency}"
        if len({_q(mechanism) for mechanism, _ in query.composition.parts}) > 1:
            return "jax-privacy has one size of batches and of data sets"
        return None

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        if isinstance(mechanism, SampledWithoutReplacement):
            mechanism = PoissonSubsampled(mechanism.base, mechanism.q)
        return dp_sgd.step(mechanism, doubles, self.library)

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        from jax_privacy import accounting

        q = _q(query.composition.parts[0][0])
        method = _METHODS[query.adjacency]
        parameters = accounting.DpParams(
            noise_multipliers=_schedule(steps),
            num_samples=q.denominator,
            batch_size=q.numerator,
            delta=target,
            sampling_method=accounting.SamplingMethod[method],
        )
        accountant = accounting.DpsgdTrainingAccountant(getattr(accounting, self.config)())
        value = accountant.compute_epsilon(query.composition.steps, parameters)
        return float(value), {"config": self.config, "sampling_method": method}, None

    def script(self, query: Query, steps: Steps, target: float) -> str:
        q = _q(query.composition.parts[0][0])
        return "\n".join(
            [
                "from jax_privacy import accounting",
                "parameters = accounting.DpParams(",
                f"    noise_multipliers={_schedule(steps)}, delta={target!r},",
                f"    num_samples={q.denominator}, batch_size={q.numerator},",
                f"    sampling_method=accounting.SamplingMethod.{_METHODS[query.adjacency]},",
                ")",
                f"accountant = accounting.DpsgdTrainingAccountant(accounting.{self.config}())",
                f"print(accountant.compute_epsilon({query.composition.steps}, parameters))",
            ]
        )


class RDP(PLD):
    """``DpsgdTrainingAccountant`` over ``RdpAccountantConfig`` with its orders."""

    name = "jax-privacy/rdp"
    config = "RdpAccountantConfig"


def _schedule(steps: Steps) -> float | list[tuple[int, float]]:
    """The noise multiplier, or several with the steps from which they are used."""
    rows = list(dp_sgd.rows(steps))
    starts = accumulate((count for _, _, count in rows), initial=0)
    noise = [(start, multiplier) for start, (multiplier, _, _) in zip(starts, rows, strict=False)]
    return noise if len(noise) > 1 else noise[0][1]


def _q(mechanism: Mechanism) -> Fraction:
    """Part of the records in a batch; 1 for what is not sampled, or unknown and refused later."""
    if isinstance(mechanism, SampledWithoutReplacement):
        return mechanism.q
    known = noise_and_q(mechanism)
    return Fraction(1) if known is None else known[1]
