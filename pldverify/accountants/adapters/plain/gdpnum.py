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
        return question.step(mechanism)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        accountant = script.let("accountant", script.load("gdpnum", "CTDAccountant")())
        script.set(accountant, "history", [(*call.arguments.values(), count) for call, count in steps])
        return script.prints(accountant.get_epsilon(delta=question.target)), {"grid_step": "default"}, None
