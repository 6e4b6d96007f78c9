"""opacus: the Rényi divergence of DP-SGD. Its accountants are in ``plain/opacus.py``."""

from pldverify.accountants.adapters import dp_sgd
from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.renyi_query import RenyiQuery


class RDPCurve(Adapter):
    """``accountants.analysis.rdp.compute_rdp`` at one order, added up."""

    name = "opacus/rdp-curve"
    library = "opacus"
    module = "opacus"
    extra = "opacus"
    direction = "upper"
    asks = (RenyiQuery,)

    def refusal(self, query: Query) -> str | None:
        return dp_sgd.both_directions(query, self.library)

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        return dp_sgd.step(mechanism, doubles, self.library)

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
