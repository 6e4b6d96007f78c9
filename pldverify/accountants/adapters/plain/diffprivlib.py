"""diffprivlib: the composition theorem of its BudgetAccountant, Kairouz, Oh, Viswanath 2015, Theorem 3.5.

For mechanisms of which ε-DP is known, whatever the adjacency: pure DP, randomised response with two
categories (ε = log(p/(1 − p)), p > 1/2), Laplace noise (s/b, 2s/b under ``replace-one``), and its mechanisms
``Exponential`` and ``PermuteAndFlip``, whose ε for monotone scores is half of ours. All of the δ
that is asked at goes into the theorem's slack. Upper bounds on ε; it has no δ at an ε. Spends are a list; the
longest one here has 10**5.
"""

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "diffprivlib"
MODULE = "diffprivlib"


class DiffPrivLib:
    """``BudgetAccountant(spent_budget=…).total(slack=…)``."""

    name = "diffprivlib"
    direction = "upper"
    quantities = ("epsilon",)
    most_steps = 10**5
    """The library takes a list with one entry a step."""

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "pure_dp", "epsilon": epsilon}:
                spent = question.double(epsilon, "epsilon")
            case {"kind": "laplace", "b": b, "sensitivity": sensitivity}:
                moved = 2 * sensitivity if question.adjacency == "replace-one" else sensitivity
                spent = question.double(moved / b, "epsilon")
            case {"kind": "exponential" | "permute_and_flip", "epsilon": epsilon, "monotone": monotone} if (
                mechanism.get("times", 1) == 1
            ):
                spent = question.double(epsilon / 2 if monotone else epsilon, "epsilon")
            case {"kind": "randomized_response", "p": p, "categories": 2} if 1 < 2 * p < 2:
                spent = math.log1p(question.double((2 * p - 1) / (1 - p), "odds-1"))
            case _:
                kind = mechanism["kind"]
                raise NotImplementedError(f"diffprivlib is asked of pure DP, and {kind} is not known to be")
        return question.call("spend", epsilon=spent, delta=0)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        budget = script.load("diffprivlib", "BudgetAccountant")
        spent = script.repeated([((call.arguments["epsilon"], 0), count) for call, count in steps])
        total = budget(spent_budget=spent).total(slack=question.target)[0]
        return script.prints(total), {"slack": repr(question.target)}, None
