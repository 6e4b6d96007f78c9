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

from pldverify.accountants.adapters.adapter import Adapter, Said
from pldverify.accountants.adapters.doubles import Doubles
from pldverify.accountants.adapters.fourier_accountant_grid import Grid, columns, grid
from pldverify.accountants.standalone import Call, Script, Steps
from pldverify.errors import NotSupported
from pldverify.mechanisms.kjh19_substitute import KJH19Substitute
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled, noise_and_q
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement


class FourierAccountant(Adapter):
    """``get_epsilon_R``, ``get_delta_R`` and, of replaced records, ``…_S``, with their defaults."""

    name = "fourier-accountant"
    library = "fourier-accountant"
    direction = "estimate"

    def refusal(self, query: Query) -> str | None:
        if query.adjacency == "replace-one":
            return None
        return _no_direction(query)

    def rewritten(self, query: Query) -> str | None:
        fixed = SampledWithoutReplacement | KJH19Substitute
        if any(isinstance(mechanism, fixed) for mechanism, _ in query.composition.parts):
            return "batches of a fixed size as Poisson samples, under replace-one"
        return None

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        if isinstance(mechanism, SampledWithoutReplacement | KJH19Substitute):
            mechanism = PoissonSubsampled(mechanism.base, mechanism.q)
        known = noise_and_q(mechanism)
        if known is None:
            raise NotSupported(f"{self.library} knows the Gaussian mechanism alone, not {mechanism}")
        noise, q = known
        return Call("step", {"noise_multiplier": doubles(noise, "noise_multiplier"), "q": doubles(q, "q")})

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        script = Script()
        np = script.load("numpy", alias="np")
        name = f"get_{query.quantity}_{_relation(query)}"
        sigma, q, ncomp = map(np.array, columns(steps))
        value = script.load("fourier_accountant", name)(target, sigma=sigma, q=q, ncomp=ncomp)
        return script.prints(value), {"function": name, "nx": "1e6", "L": "20.0"}, None

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        steps, target = self.steps(query)
        return grid(_relation(query), target, steps)


def _no_direction(query: Query) -> str | None:
    """Why the query is refused: of sampled mechanisms ``remove`` is computed, and used for both directions;
    others are symmetric.
    """
    if query.adjacency in ("remove", "add-or-remove"):
        return None
    if query.adjacency != "add":
        return f"fourier-accountant is asked for adding or removing a record, got {query.adjacency!r}"
    known = (noise_and_q(mechanism) for mechanism, _ in query.composition.parts)
    if any(found is not None and found[1] < 1 for found in known):
        return "fourier-accountant has the direction remove of sampled mechanisms, got 'add'"
    return None


def _relation(query: Query) -> str:
    return "S" if query.adjacency == "replace-one" else "R"
