"""opake: its PLD accountant of DP-SGD, from above; a training process has ε and δ of both directions.

Gaussian steps whole, of Poisson batches, of Poisson batches that are cut at a size, and random allocation,
each with its own counts, in one composition. Adding or removing a record; of cut batches as the library says
it, indexed by the size of the larger data set. CPython 3.13.0 can import 0.16.1; 3.11.7 and 3.12.1 can not,
since their ``dataclass`` gives a slot for weak references twice.
"""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "opake-accounting"
MODULE = "opake.dpsgd.accounting"


class PLD:
    """``epsilon_at`` and ``delta_at`` of a composition, with the library's grid."""

    name = "opake-accounting/pld"
    direction = "upper"
    adjacencies = ("add-or-remove",)

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "gaussian"}:
                return _gaussian(question, mechanism)
            case {"kind": "poisson_subsampled", "base": {"kind": "gaussian"} as base, "q": q}:
                return question.call(
                    "poisson", inner=_gaussian(question, base), sample_rate=question.double(q, "q")
                )
            case {"kind": "truncated_poisson", "base": base, "q": q, "dataset_size": n, "max_batch": most}:
                return question.call(
                    "poisson",
                    inner=_gaussian(question, base),
                    sample_rate=question.double(q, "q"),
                    truncated_batch_size=int(most),
                    dataset_size=int(n),
                )
            case {"kind": "balls_and_bins", "base": base, "batches": t, "participations": 1}:
                return question.call(
                    "k_out_of_t", inner=_gaussian(question, base), k=1, t=int(t), allocation="block"
                )
        raise NotImplementedError(f"opake has no {mechanism['kind']} of these parameters")

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        accounting = script.load("opake.dpsgd", "accounting")
        run = script.let("run", reduce(or_, (call.make(accounting) * count for call, count in steps)))
        return (
            script.prints(getattr(run, f"{question.quantity}_at")(question.target)),
            {"grid": "default"},
            None,
        )


def _gaussian(question: "Question", base: Any) -> "Call":
    noise = question.double(base["sigma"] / base["sensitivity"], "noise_multiplier")
    return question.call("gaussian", noise_multiplier=noise)
