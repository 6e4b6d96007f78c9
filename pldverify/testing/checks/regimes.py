"""Regimes: where accountants go wrong, and why; the questions of each stand in order, the simplest first."""

from dataclasses import dataclass

from pldverify.mechanisms.query import Query
from pldverify.questions.written import queries

_REGIMES = """
# one-step: The privacy loss of a single mechanism is wrong.
gaussian(sigma=1); laplace(b=1); randomized_response(p=0.75) | epsilon 0.5 | delta 1e-5 0.1
+ gaussian(sigma=3); laplace(b=0.5); gdp(mu=2); pure_dp(epsilon=1) | epsilon 0.1 1 2 | delta 1e-3 1e-8
# decimals: A parameter is kept with fewer digits than a double has.
gaussian(sigma=1.1); laplace(b=1.1); poisson(gaussian(sigma=1.1), q=0.3) | epsilon 0.5 | delta 1e-5
# delta-zero: ε at δ = 0, the largest loss, is that of one step, or of a sensitivity of 1.
laplace(b=0.5); 4 * laplace(b=4); 10 * randomized_response(p=0.6); 3 * pure_dp(epsilon=0.5);
    laplace(b=4, sensitivity=2); laplace(b=2) + 2 * laplace(b=4) | delta 0
+ discrete_laplace(b=2); 1000 * laplace(b=100); 5 * laplace(b=1, sensitivity=0.5) | delta 0
# many-steps: Steps are lost in composition, or its error is not accounted for.
4 * gaussian(sigma=2); 10 * gaussian(sigma=4); 10 * randomized_response(p=0.6); 10 * laplace(b=4);
    225 * gaussian(sigma=15); 1000 * gaussian(sigma=40) | epsilon 1 | delta 1e-5
+ 100 * laplace(b=10); 10000 * gaussian(sigma=50); 50 * randomized_response(p=0.55) | epsilon 2 | delta 1e-8
# few-steps: A composition of two or three steps is treated like one, or like many.
2 * gaussian(sigma=1); 2 * laplace(b=2); 3 * randomized_response(p=0.6) | epsilon 0.25 | delta 1e-4
+ 2 * poisson(gaussian(sigma=1), q=0.5); 3 * laplace(b=1) | epsilon 0.5 2 | delta 1e-6
# sampled: Sampling is credited with more privacy than it gives.
poisson(gaussian(sigma=1), q=0.1); 20 * poisson(gaussian(sigma=1), q=0.01) | epsilon 0.05 0.5 | delta 1e-5
+ 100 * poisson(gaussian(sigma=0.8), q=0.02); poisson(laplace(b=1), q=0.3);
    1000 * poisson(gaussian(sigma=2), q=0.001) | epsilon 0.1 1 | delta 1e-6
# high-sampling: A sampling probability near 1/2 or 1 meets a formula that holds for small ones.
poisson(gaussian(sigma=1), q=0.5); 10 * poisson(gaussian(sigma=2), q=0.9) | epsilon 0.5 | delta 1e-5
+ poisson(gaussian(sigma=1), q=1); 20 * poisson(gaussian(sigma=2), q=0.99) | epsilon 1 | delta 1e-6
# direction-remove: The direction in which the record is removed is left out, or taken for the other.
poisson(gaussian(sigma=1), q=0.2); 10 * poisson(gaussian(sigma=1), q=0.2)
    | epsilon 0.5 | delta 1e-4 | adjacency remove
+ poisson(laplace(b=1), q=0.2) | epsilon 0.1 | delta 1e-2 | adjacency remove
# direction-add: The direction in which the record is added is left out, or taken for the other.
poisson(gaussian(sigma=1), q=0.2); finite_pair(p=[0.1, 0.9], q=[0.5, 0.5])
    | epsilon 0.1 | delta 1e-3 | adjacency add
+ poisson(laplace(b=1), q=0.2); finite_pair(p=[0.1, 0.9], q=[0.2, 0.8])
    | epsilon 0.05 | delta 1e-2 | adjacency add
# replace-one: A replaced record is accounted for like an added or a removed one.
gaussian(sigma=1); poisson(gaussian(sigma=2), q=0.1); 5 * poisson(gaussian(sigma=2), q=0.1);
    sampled_without_replacement(gaussian(sigma=3), q=0.1) | epsilon 0.1 | delta 1e-4 | adjacency replace-one
# tiny-delta: Rounding noise or a cut tail hides the true tail.
10 * gaussian(sigma=4); 4 * laplace(b=1) | delta 1e-20 1e-40
gaussian(sigma=1) | epsilon 12
+ 100 * poisson(gaussian(sigma=1), q=0.01) | delta 1e-16 1e-30
# large-epsilon: exp(ε), or a probability next to it, over- or underflows.
gaussian(sigma=0.2); 4 * gaussian(sigma=0.4) | epsilon 30 | delta 1e-5
gaussian(sigma=0.05) | epsilon 300
+ gaussian(sigma=0.025) | epsilon 700 1000 | delta 1e-8
# epsilon-zero: δ(0), or ε where it is 0, is a special case that is missed.
gaussian(sigma=1); laplace(b=2); 5 * randomized_response(p=0.6) | epsilon 0 | delta 0.9
+ gaussian(sigma=100); 2 * laplace(b=1) | epsilon 0 | delta 0.9999
# much-noise: Differences of numbers that are nearly equal are taken in floating point.
gaussian(sigma=1000); 10 * gaussian(sigma=10000) | epsilon 1e-4 | delta 1e-9
+ poisson(gaussian(sigma=100), q=0.01) | epsilon 1e-5 | delta 1e-10
# atoms: A loss that has a mass at one value is met from the wrong side.
laplace(b=1); pure_dp(epsilon=1) | epsilon 1 0.999999 | delta 0
2 * laplace(b=4); 3 * pure_dp(epsilon=0.5) | epsilon 0.5 0.25 | delta 1e-6
+ discrete_laplace(b=2); 4 * randomized_response(p=0.75) | epsilon 0.5 1 | delta 1e-3
# infinite-loss: Mass at an infinite loss is dropped, or lost in composition.
approximate_dp(epsilon=0.5, delta=1e-4) | epsilon 0.5 2 | delta 1e-4 0.001
10 * approximate_dp(epsilon=0.1, delta=1e-4) | epsilon 0.5 5 | delta 1e-3 2e-3 1e-5
10 * approximate_dp(epsilon=0.1, delta=0.01) | delta 0.09
+ binomial(n=10, p=0.5); randomized_response(p=1) | epsilon 1 5 | delta 0.01
# mixed: Different mechanisms in one composition are not all counted, or not as what they are.
gaussian(sigma=1) + laplace(b=2); 2 * gaussian(sigma=4) + 3 * gaussian(sigma=2);
    gaussian(sigma=3) + 2 * gaussian(sigma=5) + 4 * gaussian(sigma=6) | epsilon 0.5 | delta 1e-5
+ 10 * poisson(gaussian(sigma=1), q=0.1) + gaussian(sigma=5) | epsilon 1 | delta 1e-6
# sensitivity: The sensitivity is ignored, halved or doubled.
gaussian(sigma=1, sensitivity=2); laplace(b=4, sensitivity=0.5); gaussian(sigma=2000, sensitivity=1000);
    gaussian(sigma=0.02, sensitivity=0.01) | epsilon 0.1 | delta 1e-5
+ poisson(gaussian(sigma=3, sensitivity=3), q=0.1) | epsilon 0.1 | delta 1e-5
# discrete: Noise on the integers is taken for continuous noise.
discrete_gaussian(sigma=0.5); 4 * discrete_gaussian(sigma=1) | epsilon 1 | delta 1e-5
+ discrete_laplace(b=1); 2 * discrete_laplace(b=2) | epsilon 0.25 | delta 1e-2
# categories: Randomised response of several categories is taken for a coin.
randomized_response(p=0.5, categories=10); 4 * randomized_response(p=0.4, categories=4)
    | epsilon 0.5 | delta 1e-2
"""
"""Name and cause, then questions; those from the first ``+`` on are of the level ``standard`` alone."""
_NOISE = """
# noise: The search for the noise ends before there is enough.
gaussian(sigma=1); laplace(b=1); poisson(gaussian(sigma=1), q=0.1) | goal 1,1e-5
gaussian(sigma=1) | goal 8,1e-10 0.1,1e-3
+ poisson(gaussian(sigma=1), q=0.5); laplace(b=1) | goal 0.5,1e-6 4,1e-6
# noise-steps: Steps are lost in the search for the noise.
4 * gaussian(sigma=1); 3 * laplace(b=1); 1000 * gaussian(sigma=1) | goal 1,1e-5
3 * laplace(b=1) | goal 1,0
+ 100 * poisson(gaussian(sigma=1), q=0.01) | goal 1,1e-5
# noise-range: The noise that is needed lies outside of where it is searched for.
gaussian(sigma=1); laplace(b=1) | goal 30,1e-2 1e-3,1e-8
+ 10000 * gaussian(sigma=1) | goal 0.1,1e-9
# noise-sensitivity: Noise is not scaled by the sensitivity, or is scaled and counted at 1.
gaussian(sigma=1, sensitivity=2); laplace(b=3, sensitivity=3); gaussian(sigma=1, sensitivity=0.5)
    | goal 1,1e-5
"""
"""The same of accountants of noise."""


@dataclass(frozen=True)
class Regime:
    """Questions of one kind, as they are written.

    Attributes:
        name, cause: of the check.
        quick: its questions.
        standard: more of them, for the level ``standard``.
    """

    name: str
    cause: str
    quick: str
    standard: str

    def queries(self, level: str) -> list[Query]:
        """Its questions."""
        return queries(self.quick if level == "quick" else f"{self.quick}\n{self.standard}")


def _regime(text: str) -> Regime:
    head, _, rows = text.partition("\n")
    name, _, cause = head.partition(": ")
    quick, *more = rows.split("\n+ ")
    return Regime(name, cause, quick, "\n".join(more))


REGIMES = tuple(map(_regime, _REGIMES.split("# ")[1:]))
"""Where accountants go wrong, and why."""
NOISE = tuple(map(_regime, _NOISE.split("# ")[1:]))
"""Where those go wrong that say how much noise is enough."""
