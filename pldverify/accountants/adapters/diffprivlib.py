"""diffprivlib: the composition theorem of its BudgetAccountant, Kairouz, Oh, Viswanath 2015, Theorem 3.5.

For mechanisms of which ε-DP is known, whatever the adjacency: pure DP, randomised response with two
categories (ε = log(p/(1 − p)), p > 1/2) and Laplace noise (s/b, 2s/b under ``replace-one``). All of the δ
that is asked at goes into the theorem's slack. Upper bounds on ε; it has no δ at an ε. Spends are a list; the
longest one here has 10**5.
"""

import math
from fractions import Fraction

from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.errors import NotSupported
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import Adjacency

_MOST_STEPS = 10**5


class DiffPrivLib(Adapter):
    """``BudgetAccountant(spent_budget=…).total(slack=…)``."""

    name = "diffprivlib"
    library = "diffprivlib"
    module = "diffprivlib"
    extra = "diffprivlib"
    direction = "upper"

    def refusal(self, query: Query) -> str | None:
        if query.quantity == "delta":
            return "diffprivlib has no delta at an epsilon"
        if query.composition.steps > _MOST_STEPS:
            return f"diffprivlib takes a list, and one of {query.composition.steps} is too long"
        return None

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        match mechanism:
            case PureDP(epsilon):
                spent = doubles(epsilon, "epsilon")
            case Laplace(b, sensitivity):
                moved = 2 * sensitivity if adjacency == "replace-one" else sensitivity
                spent = doubles(moved / b, "epsilon")
            case RandomizedResponse(p, categories=2) if Fraction(1, 2) < p < 1:
                spent = math.log1p(doubles((2 * p - 1) / (1 - p), "odds-1"))
            case _:
                raise NotSupported(f"diffprivlib is asked of pure DP, and {mechanism} is not known to be")
        return Call("spend", {"epsilon": spent, "delta": 0})

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        from diffprivlib import BudgetAccountant

        spent = [(call.arguments["epsilon"], 0) for call, count in steps for _ in range(count)]
        total, _ = BudgetAccountant(spent_budget=spent).total(slack=target)
        return float(total), {"slack": repr(target)}, None

    def script(self, query: Query, steps: Steps, target: float) -> str:
        spent = " + ".join(f"[({call.arguments['epsilon']!r}, 0)] * {count}" for call, count in steps)
        return (
            "from diffprivlib import BudgetAccountant\n"
            f"print(BudgetAccountant(spent_budget={spent}).total(slack={target!r})[0])"
        )
