"""fourier-accountant: the code of Koskela, Jälkö, Honkela 2020 (KJH19), in its authors' package.

``get_delta_R`` and ``get_epsilon_R`` have the privacy loss log(w/1) of the mixture against the base,
direction ``remove``. They are asked for it and for ``add-or-remove``, which their documentation calls
"remove/add relation"; ``add`` is refused where anything is sampled. ``get_delta_S`` and ``get_epsilon_S``
have the pair (1 − q)N(0) + qN(1) against (1 − q)N(0) + qN(−1): Poisson sampling under ``replace-one``, and
what KJH19 prints for batches of a fixed size. As q is documented as "how large are batches relative to the
dataset", batches without replacement are asked too. ``sigma`` is in units of the sensitivity.

Grid and range are the defaults, nx = 1e6 points on [−20, 20]. The numbers promise nothing: estimates. Some
calls do not return.
"""

from pldverify.accountants.adapters import dp_sgd
from pldverify.accountants.adapters.adapter import Adapter, Said
from pldverify.accountants.adapters.doubles import Doubles
from pldverify.accountants.adapters.fourier_accountant_grid import Grid, grid
from pldverify.accountants.standalone import Call, Script, Steps
from pldverify.mechanisms.kjh19_substitute import KJH19Substitute
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement


class FourierAccountant(Adapter):
    """``get_epsilon_R``, ``get_delta_R`` and, of replaced records, ``…_S``, with their defaults."""

    name = "fourier-accountant"
    library = "fourier-accountant"
    module = "fourier_accountant"
    direction = "estimate"

    def refusal(self, query: Query) -> str | None:
        if query.adjacency == "replace-one":
            return None
        return dp_sgd.only_one_direction(query, self.library)

    def rewritten(self, query: Query) -> str | None:
        fixed = SampledWithoutReplacement | KJH19Substitute
        if any(isinstance(mechanism, fixed) for mechanism, _ in query.composition.parts):
            return "batches of a fixed size as Poisson samples, under replace-one"
        return None

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        if isinstance(mechanism, SampledWithoutReplacement | KJH19Substitute):
            mechanism = PoissonSubsampled(mechanism.base, mechanism.q)
        return dp_sgd.step(mechanism, doubles, self.library)

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        script = Script()
        np = script.load("numpy", alias="np")
        name = f"get_{query.quantity}_{_relation(query)}"
        columns = zip(*dp_sgd.rows(steps), strict=True)
        sigma, q, ncomp = (np.array(list(column)) for column in columns)
        value = script.load("fourier_accountant", name)(target, sigma=sigma, q=q, ncomp=ncomp)
        return script.prints(value), {"function": name, "nx": "1e6", "L": "20.0"}, None

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        steps, target = self.steps(query)
        return grid(_relation(query), target, steps)


def _relation(query: Query) -> str:
    return "S" if query.adjacency == "replace-one" else "R"
