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
from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.accountants.adapters.fourier_accountant_grid import Grid, grid
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
        import fourier_accountant
        import numpy as np

        sigma, q, counts = map(np.array, zip(*dp_sgd.rows(steps), strict=True))
        function = getattr(fourier_accountant, _function(query))
        value = function(target, sigma=sigma, q=q, ncomp=counts)
        return float(value), {"function": function.__name__, "nx": "1e6", "L": "20.0"}, None

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        steps, target = self.steps(query)
        return grid("S" if query.adjacency == "replace-one" else "R", target, steps)

    def script(self, query: Query, steps: Steps, target: float) -> str:
        sigma, q, counts = (list(column) for column in zip(*dp_sgd.rows(steps), strict=True))
        return (
            "import numpy as np\n"
            f"from fourier_accountant import {_function(query)}\n"
            f"sigma, q, ncomp = np.array({sigma}), np.array({q}), np.array({counts})\n"
            f"print({_function(query)}({target!r}, sigma=sigma, q=q, ncomp=ncomp))"
        )


def _function(query: Query) -> str:
    return f"get_{query.quantity}_{'S' if query.adjacency == 'replace-one' else 'R'}"
