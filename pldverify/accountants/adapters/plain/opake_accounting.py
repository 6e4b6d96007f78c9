"""opake: its PLD accountant of DP-SGD, from above; a training process has ε and δ of both directions.

Gaussian steps whole, of Poisson batches, of Poisson batches that are cut at a size, and random allocation,
each with its own counts, in one composition. Adding or removing a record; of cut batches as the library says
it, indexed by the size of the larger data set. CPython 3.13.0 can import 0.16.1; 3.11.7 and 3.12.1 can not,
since their ``dataclass`` gives a slot for weak references twice.
"""

from functools import reduce
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "opake-accounting"
MODULE = "opake.dpsgd.accounting"


class PLD:
    """``epsilon_at`` and ``delta_at`` of a composition, with the library's grid."""

    name = "opake-accounting/pld"
    direction = "upper"

    def refusal(self, question: "Question") -> str | None:
        if question.adjacency != "add-or-remove":
            return f"opake is asked for add-or-remove, got {question.adjacency!r}"
        return None

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
        from opake.dpsgd import accounting

        parts = [call.make(accounting) * count for call, count in steps]
        run = reduce(lambda one, other: one | other, parts)
        return getattr(run, f"{question.quantity}_at")(question.target), {"grid": "default"}, None

    def script(self, question: "Question", steps: "Steps") -> str:
        """:meth:`answer` as lines of Python."""
        parts = " | ".join(f"{_source(call)} * {count}" for call, count in steps)
        return (
            "from opake.dpsgd import accounting\n"
            f"run = {parts}\n"
            f"print(run.{question.quantity}_at({question.target!r}))"
        )


def _gaussian(question: "Question", base: Any) -> "Call":
    noise = question.double(base["sigma"] / base["sensitivity"], "noise_multiplier")
    return question.call("gaussian", noise_multiplier=noise)


def _source(call: "Call") -> str:
    inner = call.arguments.get("inner")
    if inner is None:
        return call.source("accounting")
    rest = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items() if name != "inner")
    return f"accounting.{call.function}({inner.source('accounting')}, {rest})"
