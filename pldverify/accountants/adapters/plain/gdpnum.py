"""gdpnum: its accountant of DP-SGD, dp-accounting's privacy loss by connect-the-dots, in Opacus's words.

For Poisson batches, adding or removing a record. It has ε at a δ. The history is set, as a state is loaded.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Steps

LIBRARY = "gdpnum"
MODULE = "gdpnum"


class CTD:
    """``CTDAccountant.get_epsilon`` on its default grid."""

    name = "gdpnum/ctd"
    direction = "upper"
    quantities = ("epsilon",)
    adjacencies = ("add-or-remove",)

    def call(self, question: "Question", mechanism: Any) -> "Call":
        noise, q = question.dp_sgd(mechanism)
        return question.call("step", noise_multiplier=noise, sample_rate=question.double(q, "q"))

    def script(self, question: "Question", steps: "Steps") -> str:
        return (
            "from gdpnum import CTDAccountant\n"
            "accountant = CTDAccountant()\n"
            f"accountant.history = {_history(steps)}  # noise multiplier, sample rate, steps\n"
            f"print(accountant.get_epsilon(delta={question.target!r}))"
        )


def _history(steps: "Steps") -> list[tuple[float, float, int]]:
    return [(call.arguments["noise_multiplier"], call.arguments["sample_rate"], n) for call, n in steps]
