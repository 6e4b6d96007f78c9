"""A proved ε while Opacus trains: once this is imported, an accountant that Opacus knows as ``pldverify``.

    engine = opacus.PrivacyEngine(accountant="pldverify")

``make_private_with_epsilon`` finds its noise with it, too. Add or remove one record; as with all of Opacus's
accountants, what is proved is of Poisson batches (``poisson_sampling=True``) and of the noise recorded.
Needs Opacus 1.6 or later.
"""

from typing import Any

from opacus.accountants import IAccountant, register_accountant

from pldverify.errors import InvalidInput
from pldverify.mechanisms.dp_sgd import from_opacus_history
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import Number
from pldverify.reference.quantities.questions import epsilon


class ProvedAccountant(IAccountant):  # type: ignore[misc]
    """ε(δ) of the steps so far, proved. ``history`` holds (noise multiplier, sampling probability, steps)."""

    def __init__(self) -> None:
        self.history: list[tuple[float, float, int]] = []

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """One more step; equal ones that follow each other are one row."""
        done = 0
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            done = self.history.pop()[2]
        self.history.append((noise_multiplier, sample_rate, done + 1))

    def enclosure(self, delta: Number) -> Enclosure:
        """The true ε(δ) in nats, to six digits. Raises InvalidInput, NoConvergence."""
        return epsilon(from_opacus_history(self.history), delta=delta, digits=6)

    def get_epsilon(self, delta: float, **options: Any) -> float:
        """The upper end of :meth:`enclosure`, rounded up. Raises InvalidInput for options: there are none."""
        if options:
            raise InvalidInput(
                f"options of get_epsilon must be none: a proof has none, got {', '.join(options)}"
            )
        return self.enclosure(delta).to_float("upper")

    def __len__(self) -> int:
        """Steps so far."""
        return sum(steps for _, _, steps in self.history)

    @classmethod
    def mechanism(cls) -> str:
        """The name that Opacus has for it."""
        return "pldverify"


register_accountant(ProvedAccountant.mechanism(), ProvedAccountant, force=True)
