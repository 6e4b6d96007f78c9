"""riskcal: its CTDAccountant, dp-accounting's privacy loss distributions behind the interface of Opacus.

Upper bounds for adding or removing a record, both directions at once. ``get_epsilon`` has ε at a δ; of δ it
has the advantage, which is δ at ε = 0; ``get_beta`` has the type II error at a type I error. The history is
set, as Opacus does when it loads a state; ``step`` would be called once for each step.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "riskcal"
MODULE = "riskcal"


class RiskCal:
    """``CTDAccountant`` with its default grid."""

    name = "riskcal"
    direction = "upper"
    quantities: "tuple[str, ...]" = ("epsilon", "delta")
    adjacencies = ("add-or-remove",)

    def refusal(self, question: "Question") -> str | None:
        if question.quantity == "delta" and question.target:
            return "riskcal has delta at epsilon = 0 alone, its advantage"
        return None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        return question.step(mechanism)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        accountant = script.let("accountant", script.load("riskcal.accountants", "CTDAccountant")())
        script.set(accountant, "history", [(*call.arguments.values(), count) for call, count in steps])
        return script.prints(self.asked(accountant, question)), {"grid_step": "1e-4"}, None

    def asked(self, accountant: Any, question: "Question") -> Any:
        """What the accountant answers."""
        if question.quantity == "epsilon":
            return accountant.get_epsilon(delta=question.target)
        return accountant.get_advantage()


class TradeOff(RiskCal):
    """``get_beta``: the type II error that is left, a lower bound."""

    name = "riskcal/trade-off"
    direction = "lower"
    quantities = ("trade-off",)

    def asked(self, accountant: Any, question: "Question") -> Any:
        return accountant.get_beta(alpha=question.target)
