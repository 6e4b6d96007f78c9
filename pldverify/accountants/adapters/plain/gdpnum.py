"""gdpnum: its accountant of DP-SGD, dp-accounting's privacy loss by connect-the-dots, in Opacus's words.

For Poisson batches, adding or removing a record. It has ε at a δ. The history is set, as a state is loaded.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

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
        noise_multiplier = question.double(noise, "noise_multiplier")
        return question.call("step", noise_multiplier=noise_multiplier, sample_rate=question.double(q, "q"))

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        accountant = script.let("accountant", script.load("gdpnum", "CTDAccountant")())
        history = [
            (call.arguments["noise_multiplier"], call.arguments["sample_rate"], n) for call, n in steps
        ]
        script.set(accountant, "history", history)
        return script.prints(accountant.get_epsilon(delta=question.target)), {"grid_step": "default"}, None
