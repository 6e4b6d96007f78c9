"""Calibration: the noise that libraries return for an (ε, δ), asked as their users ask.

Each is asked for one kind of step, Gaussian, Poisson-subsampled Gaussian or Laplace with noise 1 per unit of
sensitivity, so that the factor on it is the noise multiplier. All are for adding or removing a record, and
mean their answer to be enough noise.
"""

from typing import Any

from pldverify.accountants.adapters.adapter import Adapter, Said, Steps
from pldverify.accountants.adapters.call import Call, Doubles
from pldverify.errors import NotSupported
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.poisson_subsampled import noise_and_q
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency


class Calibrator(Adapter):
    """What they share: ``noise`` is all that each has to say."""

    direction = "upper"
    asks = (NoiseQuery,)
    sampled = True
    """Whether it takes sampled Gaussian mechanisms."""
    laplace = False
    """Whether it takes Laplace noise, and nothing else."""

    def refusal(self, query: Query) -> str | None:
        if query.adjacency != "add-or-remove":
            return f"{self.name} is asked for add-or-remove, got {query.adjacency!r}"
        return f"{self.name} takes one kind of step" if len(query.composition.parts) > 1 else None

    def call(self, mechanism: Mechanism, doubles: Doubles, adjacency: Adjacency) -> Call:
        if self.laplace and isinstance(mechanism, Laplace) and mechanism.noise_multiplier == 1:
            return Call("step", {"q": 1.0})
        known = None if self.laplace else noise_and_q(mechanism)
        if known is None or known[0] != 1 or (known[1] < 1 and not self.sampled):
            raise NotSupported(f"{self.name} has no calibration of {mechanism}")
        return Call("step", {"q": doubles(known[1], "q")})

    def answer(self, query: Query, steps: Steps, target: float) -> Said:
        ((call, count),) = steps
        assert query.epsilon is not None  # a NoiseQuery has both
        epsilon, q = float(query.epsilon), call.arguments["q"]
        return float(self.noise(epsilon, target, q, count)), {"epsilon": repr(epsilon)}, None

    def noise(self, epsilon: float, delta: float, q: Any, count: int) -> float:
        """The library's noise multiplier for ``count`` steps."""
        raise NotImplementedError

    def script(self, query: Query, steps: Steps, target: float) -> str | None:
        ((call, count),) = steps
        assert query.epsilon is not None  # a NoiseQuery has both
        return self.lines(float(query.epsilon), target, call.arguments["q"], count)

    def lines(self, epsilon: float, delta: float, q: Any, count: int) -> str | None:
        """:meth:`noise` as lines of Python."""
        return None


class DPAccountingPLD(Calibrator):
    """dp-accounting's ``calibrate_dp_mechanism`` over ``PLDAccountant``."""

    name = "dp-accounting/calibrate-pld"
    library = "dp-accounting"
    module = "dp_accounting"
    kind = "dp_accounting.pld.PLDAccountant"

    def noise(self, epsilon: float, delta: float, q: Any, count: int) -> float:
        import dp_accounting

        def event(noise: float) -> Any:
            gaussian = dp_accounting.GaussianDpEvent(noise)
            step = gaussian if q == 1 else dp_accounting.PoissonSampledDpEvent(q, gaussian)
            return dp_accounting.SelfComposedDpEvent(step, count)

        return float(
            dp_accounting.calibrate_dp_mechanism(
                self.accountant(), event, epsilon, delta, dp_accounting.LowerEndpointAndGuess(0.2, 1.0)
            )
        )

    def lines(self, epsilon: float, delta: float, q: Any, count: int) -> str:
        step = "dp_accounting.GaussianDpEvent(noise)"
        step = step if q == 1 else f"dp_accounting.PoissonSampledDpEvent({q!r}, {step})"
        return (
            "import dp_accounting\n"
            "print(dp_accounting.calibrate_dp_mechanism(\n"
            f"    {self.kind},\n"
            f"    lambda noise: dp_accounting.SelfComposedDpEvent({step}, {count}),\n"
            f"    {epsilon!r}, {delta!r}, dp_accounting.LowerEndpointAndGuess(0.2, 1.0),\n"
            "))"
        )

    def accountant(self) -> Any:
        """The class of the accountant that is asked."""
        from dp_accounting.pld import PLDAccountant

        return PLDAccountant


class DPAccountingRDP(DPAccountingPLD):
    """dp-accounting's ``calibrate_dp_mechanism`` over ``RdpAccountant``."""

    name = "dp-accounting/calibrate-rdp"
    kind = "dp_accounting.rdp.RdpAccountant"

    def accountant(self) -> Any:
        from dp_accounting.rdp import RdpAccountant

        return RdpAccountant


class DPAccountingGaussian(Calibrator):
    """dp-accounting's ``get_smallest_gaussian_noise`` and ``get_smallest_subsampled_gaussian_noise``."""

    name = "dp-accounting/smallest-gaussian"
    library = "dp-accounting"
    module = "dp_accounting"

    def noise(self, epsilon: float, delta: float, q: Any, count: int) -> float:
        from dp_accounting.pld import accountant, common

        goal = common.DifferentialPrivacyParameters(epsilon, delta)
        if q == 1:
            return float(accountant.get_smallest_gaussian_noise(goal, count))
        return float(accountant.get_smallest_subsampled_gaussian_noise(goal, count, sampling_prob=q))

    def lines(self, epsilon: float, delta: float, q: Any, count: int) -> str:
        sampled = f"get_smallest_subsampled_gaussian_noise(goal, {count}, sampling_prob={q!r})"
        asked = f"get_smallest_gaussian_noise(goal, {count})" if q == 1 else sampled
        return f"{_goal(epsilon, delta)}\nprint(accountant.{asked})"


class DPAccountingLaplace(Calibrator):
    """dp-accounting's ``get_smallest_laplace_noise``."""

    name = "dp-accounting/smallest-laplace"
    library = "dp-accounting"
    module = "dp_accounting"
    laplace = True

    def noise(self, epsilon: float, delta: float, q: Any, count: int) -> float:
        from dp_accounting.pld import accountant, common

        goal = common.DifferentialPrivacyParameters(epsilon, delta)
        return float(accountant.get_smallest_laplace_noise(goal, count))

    def lines(self, epsilon: float, delta: float, q: Any, count: int) -> str:
        return f"{_goal(epsilon, delta)}\nprint(accountant.get_smallest_laplace_noise(goal, {count}))"


class DPAccountingSigma(Calibrator):
    """dp-accounting's ``get_sigma_gaussian``, for one step."""

    name = "dp-accounting/sigma-gaussian"
    library = "dp-accounting"
    module = "dp_accounting"
    sampled = False

    def refusal(self, query: Query) -> str | None:
        return "it is for one step" if query.composition.steps > 1 else super().refusal(query)

    def noise(self, epsilon: float, delta: float, q: Any, count: int) -> float:
        from dp_accounting import gaussian_mechanism

        return float(gaussian_mechanism.get_sigma_gaussian(epsilon, delta))

    def lines(self, epsilon: float, delta: float, q: Any, count: int) -> str:
        asked = f"get_sigma_gaussian({epsilon!r}, {delta!r})"
        return f"from dp_accounting import gaussian_mechanism\nprint(gaussian_mechanism.{asked})"


class OpacusRDP(Calibrator):
    """opacus' ``get_noise_multiplier`` over its RDP accountant."""

    name = "opacus/calibrate-rdp"
    library = "opacus"
    module = "opacus"
    extra = "opacus"
    kind = "rdp"

    def noise(self, epsilon: float, delta: float, q: Any, count: int) -> float:
        from opacus.accountants.utils import get_noise_multiplier

        return float(
            get_noise_multiplier(
                target_epsilon=epsilon, target_delta=delta, sample_rate=q, steps=count, accountant=self.kind
            )
        )

    def lines(self, epsilon: float, delta: float, q: Any, count: int) -> str:
        return (
            "from opacus.accountants.utils import get_noise_multiplier\n"
            "print(get_noise_multiplier(\n"
            f"    target_epsilon={epsilon!r}, target_delta={delta!r}, sample_rate={q!r}, steps={count},\n"
            f"    accountant={self.kind!r},\n"
            "))"
        )


class OpacusPRV(OpacusRDP):
    """opacus' ``get_noise_multiplier`` over its PRV accountant."""

    name = "opacus/calibrate-prv"
    kind = "prv"


class AutoDP(DPAccountingSigma):
    """autodp's ``ana_gaussian_calibrator``, for one step."""

    name = "autodp/ana-gaussian-calibrator"
    library = "autodp"
    module = "autodp"

    def noise(self, epsilon: float, delta: float, q: Any, count: int) -> float:
        from autodp import calibrator_zoo, mechanism_zoo

        calibrate = calibrator_zoo.ana_gaussian_calibrator()
        return float(calibrate(mechanism_zoo.ExactGaussianMechanism, epsilon, delta).params["sigma"])

    def lines(self, epsilon: float, delta: float, q: Any, count: int) -> str:
        return (
            "from autodp import calibrator_zoo, mechanism_zoo\n"
            "calibrate = calibrator_zoo.ana_gaussian_calibrator()\n"
            f"found = calibrate(mechanism_zoo.ExactGaussianMechanism, {epsilon!r}, {delta!r})\n"
            'print(found.params["sigma"])'
        )


def _goal(epsilon: float, delta: float) -> str:
    return (
        "from dp_accounting.pld import accountant, common\n"
        f"goal = common.DifferentialPrivacyParameters({epsilon!r}, {delta!r})"
    )
