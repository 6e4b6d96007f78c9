"""opacus: its RDP, PRV and GDP accountants.

For DP-SGD with Poisson sampling, adding or removing a record. RDP and PRV are meant as upper bounds of both
directions, though the loss of the PRV accountant is that of ``remove`` alone, as prv-accountant's is, from
which it was taken. GDP is the central limit theorem's approximation and promises nothing: an estimate. All
have ε at a δ and no δ at an ε. The history is set, as a state is loaded; ``step`` would be called once for
each step.
"""

from typing import Any

from pldverify.accountants.adapters import dp_sgd
from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.claim import Direction


class _Accountant(Adapter):
    """``opacus.accountants`` with a history."""

    library = "opacus"
    module = "opacus"
    extra = "opacus"
    direction: Direction = "upper"
    kind: str
    options: tuple[tuple[str, Any], ...] = ()
    """Of ``get_epsilon``."""

    def refusal(self, query: Query) -> str | None:
        if query.quantity == "delta":
            return "opacus has no delta at an epsilon"
        return dp_sgd.both_directions(query, self.library)

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        return dp_sgd.step(mechanism, doubles, self.library)

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        from opacus import accountants

        accountant = getattr(accountants, self.kind)()
        accountant.history = list(dp_sgd.rows(steps))
        settings = {name: _shown(value) for name, value in self.options} or {"options": "defaults"}
        return float(accountant.get_epsilon(target, **dict(self.options))), settings, None

    def script(self, query: Query, steps: Steps, target: float) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options)
        return (
            f"from opacus.accountants import {self.kind}\n"
            f"accountant = {self.kind}()\n"
            f"accountant.history = {list(dp_sgd.rows(steps))}  # noise multiplier, sample rate, steps\n"
            f"print(accountant.get_epsilon({target!r}{options}))"
        )


class RDP(_Accountant):
    """``RDPAccountant`` with its default orders."""

    name = "opacus/rdp"
    kind = "RDPAccountant"


class RDPIntegerOrders(RDP):
    """Orders 2 to 256, as ``int``."""

    name = "opacus/rdp-integer-orders"
    options = (("alphas", list(range(2, 257))),)


class RDPWideOrders(RDP):
    """Orders from next to 1 to far out, hardly one of them whole."""

    name = "opacus/rdp-wide-orders"
    options = (("alphas", [1 + 10 ** (i / 4) for i in range(-16, 15)]),)


class RDPCurve(_Accountant):
    """The Rényi divergence itself, ``compute_rdp``, at one order, added up."""

    name = "opacus/rdp-curve"
    asks = (RenyiQuery,)

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        from opacus.accountants.analysis.rdp import compute_rdp

        value = sum(
            compute_rdp(q=q, noise_multiplier=noise, steps=count, orders=target)
            for noise, q, count in dp_sgd.rows(steps)
        )
        return float(value), {"function": "compute_rdp"}, None

    def script(self, query: Query, steps: Steps, target: float) -> str:
        terms = (
            f"compute_rdp(q={q!r}, noise_multiplier={noise!r}, steps={count}, orders={target!r})"
            for noise, q, count in dp_sgd.rows(steps)
        )
        return f"from opacus.accountants.analysis.rdp import compute_rdp\nprint({' + '.join(terms)})"


class PRV(_Accountant):
    """``PRVAccountant`` with its default errors."""

    name = "opacus/prv"
    kind = "PRVAccountant"


class GDP(_Accountant):
    """``GaussianAccountant``, which takes one kind of step."""

    name = "opacus/gdp"
    kind = "GaussianAccountant"
    direction = "estimate"

    def refusal(self, query: Query) -> str | None:
        if len(query.composition.parts) > 1:
            return "GaussianAccountant takes one kind of step"
        return super().refusal(query)


def _shown(value: Any) -> str:
    return f"{len(value)} from {value[0]:g} to {value[-1]:g}"
