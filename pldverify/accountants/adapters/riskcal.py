"""riskcal: its CTDAccountant, dp-accounting's privacy loss distributions behind the interface of Opacus.

Upper bounds for adding or removing a record, both directions at once. ``get_epsilon`` has ε at a δ; of δ it
has the advantage, which is δ at ε = 0; ``get_beta`` has the type II error at a type I error. The history is
set, as Opacus does when it loads a state; ``step`` would be called once for each step.
"""

from typing import Any

from pldverify.accountants.adapters import dp_sgd
from pldverify.accountants.adapters.adapter import Adapter, Said
from pldverify.accountants.adapters.doubles import Doubles
from pldverify.accountants.standalone import Call, Script, Steps
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.claim import Direction

GRID = {"grid_step": "1e-4"}


class RiskCal(Adapter):
    """``CTDAccountant`` with its default grid."""

    name = "riskcal"
    library = "riskcal"
    module = "riskcal"
    direction: Direction = "upper"

    def refusal(self, query: Query) -> str | None:
        if query.epsilon:
            return "riskcal has delta at epsilon = 0 alone, its advantage"
        return dp_sgd.both_directions(query, self.library)

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        return dp_sgd.step(mechanism, doubles, self.library)

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        script = Script()
        accountant = script.let("accountant", script.load("riskcal.accountants", "CTDAccountant")())
        script.set(accountant, "history", list(dp_sgd.rows(steps)))  # noise multiplier, sample rate, steps
        return script.prints(self.asked(accountant, query, target)), GRID, None

    def asked(self, accountant: Any, query: Query, target: float) -> Any:
        """What the accountant answers."""
        return (
            accountant.get_epsilon(delta=target)
            if query.quantity == "epsilon"
            else accountant.get_advantage()
        )


class TradeOff(RiskCal):
    """``get_beta``: the type II error that is left, a lower bound."""

    name = "riskcal/trade-off"
    direction = "lower"
    asks = (TradeOffQuery,)

    def asked(self, accountant: Any, query: Query, target: float) -> Any:
        return accountant.get_beta(alpha=target)
