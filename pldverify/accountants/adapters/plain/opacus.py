"""opacus: its RDP, PRV and GDP accountants.

For DP-SGD with Poisson sampling, adding or removing a record. RDP and PRV are meant as upper bounds of both
directions, though the loss of the PRV accountant is that of ``remove`` alone, as prv-accountant's is, from
which it was taken. GDP is the central limit theorem's approximation and promises nothing: an estimate. All
have ε at a δ and no δ at an ε. The history is set, as a state is loaded; ``step`` would be called once for
each step.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "opacus"
MODULE = "opacus"


class RDP:
    """``accountants.RDPAccountant`` with its default orders."""

    name = "opacus/rdp"
    direction = "upper"
    kind = "RDPAccountant"
    options: dict[str, Any] = {}  # noqa: RUF012  # of get_epsilon; nobody writes to it

    def refusal(self, question: "Question") -> str | None:
        if question.quantity != "epsilon":
            return "opacus has no delta at an epsilon"
        if question.adjacency != "add-or-remove":
            return f"opacus is asked for add-or-remove, got {question.adjacency!r}"
        return None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "gaussian"}:
                base, q = mechanism, Fraction(1)
            case {"kind": "poisson_subsampled", "base": {"kind": "gaussian"} as base, "q": q}:
                pass
            case _:
                raise NotImplementedError(
                    f"opacus knows the Gaussian mechanism alone, not {mechanism['kind']}"
                )
        noise = question.double(base["sigma"] / base["sensitivity"], "noise_multiplier")
        return question.call("step", noise_multiplier=noise, q=question.double(q, "q"))

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        from opacus import accountants

        accountant = getattr(accountants, self.kind)()
        accountant.history = _history(steps)
        settings = {name: _shown(value) for name, value in self.options.items()} or {"options": "defaults"}
        return float(accountant.get_epsilon(question.target, **self.options)), settings, None

    def script(self, question: "Question", steps: "Steps") -> str:
        """:meth:`answer` as lines of Python."""
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return (
            f"from opacus.accountants import {self.kind}\n"
            f"accountant = {self.kind}()\n"
            f"accountant.history = {_history(steps)}  # noise multiplier, sample rate, steps\n"
            f"print(accountant.get_epsilon({question.target!r}{options}))"
        )


class PRV(RDP):
    """``accountants.PRVAccountant`` with its default errors."""

    name = "opacus/prv"
    kind = "PRVAccountant"


class GDP(RDP):
    """``accountants.GaussianAccountant``, the central limit's estimate, which takes one kind of step."""

    name = "opacus/gdp"
    kind = "GaussianAccountant"
    direction = "estimate"

    def refusal(self, question: "Question") -> str | None:
        if len(question.parts) > 1:
            return "GaussianAccountant takes one kind of step"
        return super().refusal(question)


class RDPIntegerOrders(RDP):
    """``RDPAccountant`` with the orders 2 to 256, as ``int``."""

    name = "opacus/rdp-integer-orders"
    options = {"alphas": list(range(2, 257))}  # noqa: RUF012  # as above


class RDPWideOrders(RDP):
    """``RDPAccountant`` with orders from next to 1 to far out, hardly one of them whole."""

    name = "opacus/rdp-wide-orders"
    options = {"alphas": [1 + 10 ** (i / 4) for i in range(-16, 15)]}  # noqa: RUF012  # as above


def _history(steps: "Steps") -> list[tuple[float, float, int]]:
    return [(call.arguments["noise_multiplier"], call.arguments["q"], count) for call, count in steps]


def _shown(orders: list[float]) -> str:
    return f"{len(orders)} from {orders[0]:g} to {orders[-1]:g}"
