"""opacus: its RDP, PRV and GDP accountants, and the Rényi divergence that the first adds up.

For DP-SGD with Poisson sampling, adding or removing a record. RDP and PRV are meant as upper bounds of both
directions, though the loss of the PRV accountant is that of ``remove`` alone, as prv-accountant's is, from
which it was taken. GDP is the central limit theorem's approximation and promises nothing: an estimate. All
have ε at a δ and no δ at an ε. The history is set, as a state is loaded; ``step`` would be called once for
each step.
"""

from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "opacus"
MODULE = "opacus"


class RDP:
    """``accountants.RDPAccountant`` with its default orders."""

    name = "opacus/rdp"
    direction = "upper"
    quantities: "tuple[str, ...]" = ("epsilon",)
    adjacencies = ("add-or-remove",)
    kind = "RDPAccountant"
    options: dict[str, Any] = {}  # noqa: RUF012  # of get_epsilon; nobody writes to it

    def call(self, question: "Question", mechanism: Any) -> "Call":
        return question.step(mechanism)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        accountant = script.let("accountant", script.load("opacus.accountants", self.kind)())
        script.set(accountant, "history", [(*call.arguments.values(), count) for call, count in steps])
        settings = {name: _shown(value) for name, value in self.options.items()} or {"options": "defaults"}
        return script.prints(accountant.get_epsilon(question.target, **self.options)), settings, None


class PRV(RDP):
    """``accountants.PRVAccountant`` with its default errors."""

    name = "opacus/prv"
    kind = "PRVAccountant"


class GDP(RDP):
    """``accountants.GaussianAccountant``, the central limit's estimate, which takes one kind of step."""

    name = "opacus/gdp"
    kind = "GaussianAccountant"
    direction = "estimate"
    most_mechanisms = 1


class RDPIntegerOrders(RDP):
    """``RDPAccountant`` with the orders 2 to 256, as ``int``."""

    name = "opacus/rdp-integer-orders"
    options = {"alphas": list(range(2, 257))}  # noqa: RUF012  # as above


class RDPWideOrders(RDP):
    """``RDPAccountant`` with orders from next to 1 to far out, hardly one of them whole."""

    name = "opacus/rdp-wide-orders"
    options = {"alphas": [1 + 10 ** (i / 4) for i in range(-16, 15)]}  # noqa: RUF012  # as above


class RDPCurve(RDP):
    """``accountants.analysis.rdp.compute_rdp`` at one order, added up."""

    name = "opacus/rdp-curve"
    quantities = ("rdp",)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        divergence = script.load("opacus.accountants.analysis.rdp", "compute_rdp")
        each = (divergence(**call.arguments, steps=count, orders=question.target) for call, count in steps)
        return script.prints(reduce(add, each)), {"function": "compute_rdp"}, None


def _shown(orders: list[float]) -> str:
    return f"{len(orders)} from {orders[0]:g} to {orders[-1]:g}"
