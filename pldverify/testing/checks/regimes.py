"""Regimes: where accountants go wrong, and why; the questions of each stand in order, the simplest first."""

from dataclasses import dataclass

from pldverify.mechanisms.query import Query
from pldverify.testing.checks.questions import Row, question, rows


@dataclass(frozen=True)
class Regime:
    """Questions of one kind.

    Attributes:
        name, cause: of the check.
        quick: its questions.
        standard: more of them, for the level ``standard``.
    """

    name: str
    cause: str
    quick: tuple[Row, ...]
    standard: tuple[Row, ...] = ()

    def queries(self, level: str) -> list[Query]:
        """Its questions."""
        rows = self.quick if level == "quick" else (*self.quick, *self.standard)
        return [question(*row) for row in rows]


REGIMES = (
    Regime(
        "one-step",
        "The privacy loss of a single mechanism is wrong.",
        rows("gaussian(sigma=1)\nlaplace(b=1)\nrandomized_response(p=0.75)", "0.5", "1e-5 0.1"),
        rows("gaussian(sigma=3)\nlaplace(b=0.5)\ngdp(mu=2)\npure_dp(epsilon=1)", "0.1 1 2", "1e-3 1e-8"),
    ),
    Regime(
        "decimals",
        "A parameter is kept with fewer digits than a double has.",
        rows("gaussian(sigma=1.1)\nlaplace(b=1.1)\npoisson(gaussian(sigma=1.1), q=0.3)", "0.5", "1e-5"),
    ),
    Regime(
        "many-steps",
        "Steps are lost in composition, or its error is not accounted for.",
        rows(
            """4 * gaussian(sigma=2)
            10 * gaussian(sigma=4)
            10 * randomized_response(p=0.6)
            10 * laplace(b=4)
            225 * gaussian(sigma=15)
            1000 * gaussian(sigma=40)""",
            "1",
            "1e-5",
        ),
        rows(
            "100 * laplace(b=10)\n10000 * gaussian(sigma=50)\n50 * randomized_response(p=0.55)", "2", "1e-8"
        ),
    ),
    Regime(
        "few-steps",
        "A composition of two or three steps is treated like one, or like many.",
        rows("2 * gaussian(sigma=1)\n2 * laplace(b=2)\n3 * randomized_response(p=0.6)", "0.25", "1e-4"),
        rows("2 * poisson(gaussian(sigma=1), q=0.5)\n3 * laplace(b=1)", "0.5 2", "1e-6"),
    ),
    Regime(
        "sampled",
        "Sampling is credited with more privacy than it gives.",
        rows(
            "poisson(gaussian(sigma=1), q=0.1)\n20 * poisson(gaussian(sigma=1), q=0.01)", "0.05 0.5", "1e-5"
        ),
        rows(
            "100 * poisson(gaussian(sigma=0.8), q=0.02)\npoisson(laplace(b=1), q=0.3)\n1000 * "
            "poisson(gaussian(sigma=2), q=0.001)",
            "0.1 1",
            "1e-6",
        ),
    ),
    Regime(
        "high-sampling",
        "A sampling probability near 1/2 or 1 meets a formula that holds for small ones.",
        rows("poisson(gaussian(sigma=1), q=0.5)\n10 * poisson(gaussian(sigma=2), q=0.9)", "0.5", "1e-5"),
        rows("poisson(gaussian(sigma=1), q=1)\n20 * poisson(gaussian(sigma=2), q=0.99)", "1", "1e-6"),
    ),
    Regime(
        "direction-remove",
        "The direction in which the record is removed is left out, or taken for the other.",
        rows(
            "poisson(gaussian(sigma=1), q=0.2)\n10 * poisson(gaussian(sigma=1), q=0.2)",
            "0.5",
            "1e-4",
            "remove",
        ),
        rows("poisson(laplace(b=1), q=0.2)", "0.1", "1e-2", "remove"),
    ),
    Regime(
        "direction-add",
        "The direction in which the record is added is left out, or taken for the other.",
        rows(
            "poisson(gaussian(sigma=1), q=0.2)\nfinite_pair(p=[0.1, 0.9], q=[0.5, 0.5])", "0.1", "1e-3", "add"
        ),
        rows("poisson(laplace(b=1), q=0.2)\nfinite_pair(p=[0.1, 0.9], q=[0.2, 0.8])", "0.05", "1e-2", "add"),
    ),
    Regime(
        "replace-one",
        "A replaced record is accounted for like an added or a removed one.",
        rows(
            """gaussian(sigma=1)
            poisson(gaussian(sigma=2), q=0.1)
            5 * poisson(gaussian(sigma=2), q=0.1)
            sampled_without_replacement(gaussian(sigma=3), q=0.1)""",
            "0.1",
            "1e-4",
            "replace-one",
        ),
    ),
    Regime(
        "tiny-delta",
        "Rounding noise or a cut tail hides the true tail.",
        rows("10 * gaussian(sigma=4)\n4 * laplace(b=1)", "", "1e-20 1e-40") + rows("gaussian(sigma=1)", "12"),
        rows("100 * poisson(gaussian(sigma=1), q=0.01)", "", "1e-16 1e-30"),
    ),
    Regime(
        "large-epsilon",
        "exp(ε), or a probability next to it, over- or underflows.",
        rows("gaussian(sigma=0.2)\n4 * gaussian(sigma=0.4)", "30", "1e-5")
        + rows("gaussian(sigma=0.05)", "300"),
        rows("gaussian(sigma=0.025)", "700 1000", "1e-8"),
    ),
    Regime(
        "epsilon-zero",
        "δ(0), or ε where it is 0, is a special case that is missed.",
        rows("gaussian(sigma=1)\nlaplace(b=2)\n5 * randomized_response(p=0.6)", "0", "0.9"),
        rows("gaussian(sigma=100)\n2 * laplace(b=1)", "0", "0.9999"),
    ),
    Regime(
        "much-noise",
        "Differences of numbers that are nearly equal are taken in floating point.",
        rows("gaussian(sigma=1000)\n10 * gaussian(sigma=10000)", "1e-4", "1e-9"),
        rows("poisson(gaussian(sigma=100), q=0.01)", "1e-5", "1e-10"),
    ),
    Regime(
        "atoms",
        "A loss that has a mass at one value is met from the wrong side.",
        rows("laplace(b=1)\npure_dp(epsilon=1)", "1 0.999999", "0")
        + rows("2 * laplace(b=4)\n3 * pure_dp(epsilon=0.5)", "0.5 0.25", "1e-6"),
        rows("discrete_laplace(b=2)\n4 * randomized_response(p=0.75)", "0.5 1", "1e-3"),
    ),
    Regime(
        "infinite-loss",
        "Mass at an infinite loss is dropped, or lost in composition.",
        rows("approximate_dp(epsilon=0.5, delta=1e-4)", "0.5 2", "1e-4 0.001")
        + rows("10 * approximate_dp(epsilon=0.1, delta=1e-4)", "0.5 5", "1e-3 2e-3 1e-5"),
        rows("binomial(n=10, p=0.5)\nrandomized_response(p=1)", "1 5", "0.01"),
    ),
    Regime(
        "mixed",
        "Different mechanisms in one composition are not all counted, or not as what they are.",
        rows(
            """gaussian(sigma=1) + laplace(b=2)
            2 * gaussian(sigma=4) + 3 * gaussian(sigma=2)
            gaussian(sigma=3) + 2 * gaussian(sigma=5) + 4 * gaussian(sigma=6)""",
            "0.5",
            "1e-5",
        ),
        rows("10 * poisson(gaussian(sigma=1), q=0.1) + gaussian(sigma=5)", "1", "1e-6"),
    ),
    Regime(
        "sensitivity",
        "The sensitivity is ignored, halved or doubled.",
        rows(
            """gaussian(sigma=1, sensitivity=2)
            laplace(b=4, sensitivity=0.5)
            gaussian(sigma=2000, sensitivity=1000)
            gaussian(sigma=0.02, sensitivity=0.01)""",
            "0.1",
            "1e-5",
        ),
        rows("poisson(gaussian(sigma=3, sensitivity=3), q=0.1)", "0.1", "1e-5"),
    ),
    Regime(
        "discrete",
        "Noise on the integers is taken for continuous noise.",
        rows("discrete_gaussian(sigma=0.5)\n4 * discrete_gaussian(sigma=1)", "1", "1e-5"),
        rows("discrete_laplace(b=1)\n2 * discrete_laplace(b=2)", "0.25", "1e-2"),
    ),
    Regime(
        "categories",
        "Randomised response of several categories is taken for a coin.",
        rows(
            "randomized_response(p=0.5, categories=10)\n4 * randomized_response(p=0.4, categories=4)",
            "0.5",
            "1e-2",
        ),
    ),
)
"""Where accountants go wrong, and why."""
