"""gdpnum: its accountant of DP-SGD, dp-accounting's privacy loss by connect-the-dots, in Opacus's words.

For Poisson batches, adding or removing a record. It has ε at a δ. The history is set, as a state is loaded.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "gdpnum"
MODULE = "gdpnum"


class CTD:
    """``CTDAccountant.get_epsilon`` on its default grid."""

    name = "gdpnum/ctd"
    direction = "upper"

    def refusal(self, question: "Question") -> str | None:
        if question.quantity != "epsilon":
            return "gdpnum has no delta at an epsilon"
        if question.adjacency != "add-or-remove":
            return f"gdpnum is asked for add-or-remove, got {question.adjacency!r}"
        return None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "gaussian"}:
                base, q = mechanism, Fraction(1)
            case {"kind": "poisson_subsampled", "base": {"kind": "gaussian"} as base, "q": q}:
                pass
            case _:
                raise NotImplementedError(f"gdpnum knows DP-SGD alone, not {mechanism['kind']}")
        noise = question.double(base["sigma"] / base["sensitivity"], "noise_multiplier")
        return question.call("step", noise_multiplier=noise, sample_rate=question.double(q, "q"))

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        from gdpnum import CTDAccountant

        accountant = CTDAccountant()
        accountant.history = _history(steps)
        return float(accountant.get_epsilon(delta=question.target)), {"grid_step": "default"}, None

    def script(self, question: "Question", steps: "Steps") -> str:
        """:meth:`answer` as lines of Python."""
        return (
            "from gdpnum import CTDAccountant\n"
            "accountant = CTDAccountant()\n"
            f"accountant.history = {_history(steps)}  # noise multiplier, sample rate, steps\n"
            f"print(accountant.get_epsilon(delta={question.target!r}))"
        )


def _history(steps: "Steps") -> list[tuple[float, float, int]]:
    return [(call.arguments["noise_multiplier"], call.arguments["sample_rate"], n) for call, n in steps]
