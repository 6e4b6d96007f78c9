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

from pldverify.accountants.adapters.adapter import Adapter, Asked
from pldverify.accountants.adapters.fourier_accountant_grid import Grid, columns, grid
from pldverify.accountants.standalone import Call, Said, Steps
from pldverify.errors import NotSupported
from pldverify.mechanisms.kjh19_substitute import KJH19Substitute
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import PoissonSubsampled, noise_and_q
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.sampled_without_replacement import SampledWithoutReplacement

_FIXED = SampledWithoutReplacement | KJH19Substitute


class FourierAccountant(Adapter):
    """``get_epsilon_R``, ``get_delta_R`` and, of replaced records, ``…_S``, with their defaults."""

    name = "fourier-accountant"
    library = "fourier-accountant"
    direction = "estimate"
    adjacencies = ("add-or-remove", "add", "remove", "replace-one")

    def refusal(self, question: Asked) -> str | None:
        """Sampled, ``remove`` is computed, and used for both directions; else there is one."""
        known = (noise_and_q(mechanism) for mechanism, _ in question.parts)
        if question.adjacency == "add" and any(found is not None and found[1] < 1 for found in known):
            return "fourier-accountant has the direction remove of sampled mechanisms, got 'add'"
        return None

    def call(self, question: Asked, mechanism: Mechanism) -> Call:
        if isinstance(mechanism, _FIXED):
            mechanism = PoissonSubsampled(mechanism.base, mechanism.q)
        known = noise_and_q(mechanism)
        if known is None:
            raise NotSupported(f"{self.library} knows the Gaussian mechanism alone, not {mechanism}")
        noise, q = question.double(known[0], "noise_multiplier"), question.double(known[1], "q")
        return question.call("step", noise_multiplier=noise, q=q)

    def answer(self, question: Asked, steps: Steps) -> Said:
        script = question.script()
        np = script.load("numpy", alias="np")
        name = f"get_{question.quantity}_{_relation(question.query)}"
        sigma, q, ncomp = map(np.array, columns(steps))
        value = script.load("fourier_accountant", name)(question.target, sigma=sigma, q=q, ncomp=ncomp)
        settings = {"function": name, "nx": "1e6", "L": "20.0"}
        if any(isinstance(mechanism, _FIXED) for mechanism, _ in question.parts):
            settings["rewritten"] = "batches of a fixed size as Poisson samples, under replace-one"
        return script.prints(value), settings, None

    def grid(self, query: Query) -> Grid:
        """What the library computes with for δ at an ε. Raises NotSupported, or what the library raises."""
        question, steps = self.asked(query)
        return grid(_relation(query), question.target, steps)


def _relation(query: Query) -> str:
    return "S" if query.adjacency == "replace-one" else "R"
