"""jax-privacy: its training accountant of DP-SGD, over the PLD or the RDP accountant of dp-accounting.

Upper bounds on ε at a δ; it has no δ at an ε. ``batch_size`` and ``num_samples`` are those of q in lowest
terms. SamplingMethod.POISSON is for adding or removing a record. SamplingMethod.FIXED_BATCH_SIZE is
"compatible with replace adjacency": batches without replacement under ``replace-one``. Steps with different
noise and one q are a schedule of noise multipliers, in the order of the composition; a second q is refused,
for one data set has one size.
"""

from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "jax-privacy"
MODULE = "jax_privacy"
_METHODS = {"add-or-remove": "POISSON", "replace-one": "FIXED_BATCH_SIZE"}
_FIXED = "sampled_without_replacement"


class PLD:
    """``DpsgdTrainingAccountant`` over ``PldAccountantConfig``."""

    name = "jax-privacy/pld"
    direction = "upper"
    config = "PldAccountantConfig"
    quantities = ("epsilon",)
    adjacencies = tuple(_METHODS)

    def refusal(self, question: "Question") -> str | None:
        for mechanism, _ in question.parts:
            if (mechanism["kind"] == _FIXED) != (question.adjacency == "replace-one"):
                return (
                    f"jax-privacy has no sampling method for {mechanism['kind']} under {question.adjacency}"
                )
        if len({_q(mechanism) for mechanism, _ in question.parts}) > 1:
            return "jax-privacy has one size of batches and of data sets"
        return None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        base = mechanism.get("base", mechanism)
        if base["kind"] != "gaussian" or mechanism["kind"] not in ("gaussian", "poisson_subsampled", _FIXED):
            raise NotImplementedError(
                f"jax-privacy knows the Gaussian mechanism alone, not {mechanism['kind']} of these parameters"
            )
        noise = question.double(base["sigma"] / base["sensitivity"], "noise_multiplier")
        q = _q(mechanism)
        return question.call(
            "step", noise_multiplier=noise, batch_size=q.numerator, num_samples=q.denominator
        )

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        accounting = script.load("jax_privacy", "accounting")
        method, sizes = _METHODS[question.adjacency], steps[0][0].arguments
        parameters = accounting.DpParams(
            noise_multipliers=_schedule(steps),
            delta=question.target,
            num_samples=sizes["num_samples"],
            batch_size=sizes["batch_size"],
            sampling_method=getattr(accounting.SamplingMethod, method),
        )
        accountant = accounting.DpsgdTrainingAccountant(getattr(accounting, self.config)())
        number = accountant.compute_epsilon(
            sum(count for _, count in steps), script.let("parameters", parameters)
        )
        return script.prints(number), {"config": self.config, "sampling_method": method}, None


class RDP(PLD):
    """``DpsgdTrainingAccountant`` over ``RdpAccountantConfig`` with its orders."""

    name = "jax-privacy/rdp"
    config = "RdpAccountantConfig"


def _schedule(steps: "Steps") -> "float | list[tuple[int, float]]":
    """The noise multiplier, or several with the steps from which they are used."""
    starts = accumulate((count for _, count in steps), initial=0)
    noise = [
        (start, call.arguments["noise_multiplier"]) for start, (call, _) in zip(starts, steps, strict=False)
    ]
    return noise if len(noise) > 1 else noise[0][1]


def _q(mechanism: Any) -> Fraction:
    """Part of the records in a batch; 1 for what is not sampled."""
    return Fraction(mechanism.get("q", 1))
