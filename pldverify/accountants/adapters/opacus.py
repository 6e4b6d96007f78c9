"""opacus: the Rényi divergence of DP-SGD. Its accountants are in ``plain/opacus.py``."""

from functools import reduce
from operator import add

from pldverify.accountants.adapters import dp_sgd
from pldverify.accountants.adapters.adapter import Adapter, Said
from pldverify.accountants.adapters.doubles import Doubles
from pldverify.accountants.standalone import Call, Script, Steps
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
        script = Script()
        divergence = script.load("opacus.accountants.analysis.rdp", "compute_rdp")
        each = (
            divergence(q=q, noise_multiplier=noise, steps=count, orders=target)
            for noise, q, count in dp_sgd.rows(steps)
        )
        return script.prints(reduce(add, each)), {"function": "compute_rdp"}, None
