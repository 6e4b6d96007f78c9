"""tensorflow-privacy: its functions of a training run, one Poisson-subsampled Gaussian mechanism many times.

``compute_dp_sgd_privacy`` has Rényi DP with orders of its own, by the dp-accounting 0.4.3 that it asks for;
``compute_eps_poisson`` has the central limit of Gaussian DP, which is reported as a guarantee. Both take the
number of records, the size of a batch and epochs. The first makes ⌈epochs · n/batch⌉ steps of them, and is
given half a step less than there are, which is rounded up to all of them; the second rounds nothing, and is
given whole steps. Adding or removing a record is what they are for.

The first is deprecated in favour of a printed statement, which is computed in the same way. The library is
imported with all of TensorFlow, of which it works up to 2.15, and so it has an environment of its own.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "tensorflow-privacy"
MODULE = "tensorflow_privacy"


class RDP:
    """``compute_dp_sgd_privacy``."""

    name = "tensorflow-privacy/rdp"
    direction = "upper"
    less = Fraction(1, 2)
    """Steps that are left to the function to round up."""

    quantities = ("epsilon",)
    adjacencies = ("add-or-remove",)
    most_mechanisms = 1

    def call(self, question: "Question", mechanism: Any) -> "Call":
        (noise, q), ((_, count),) = question.dp_sgd(mechanism), question.parts
        return question.call(
            "run",
            n=q.denominator,
            batch_size=q.numerator,
            noise_multiplier=question.double(noise, "noise_multiplier"),
            epochs=float((count - self.less) * q),
        )

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        ((call, _),) = steps
        script = question.script()
        library = script.load("tensorflow_privacy.privacy.analysis", "compute_dp_sgd_privacy_lib")
        asked = library.compute_dp_sgd_privacy(**call.arguments, delta=question.target)
        found = script.let("found", asked)  # ε, and the order that gives it
        return script.prints(found[0]), {"function": "compute_dp_sgd_privacy", "order": found[1]}, None


class GDP(RDP):
    """``gdp_accountant.compute_eps_poisson``."""

    name = "tensorflow-privacy/gdp"
    less = Fraction(0)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        ((call, _),) = steps
        script, given = question.script(), dict(call.arguments)
        noise, epochs = given.pop("noise_multiplier"), given.pop("epochs")
        library = script.load("tensorflow_privacy.privacy.analysis", "gdp_accountant")
        found = library.compute_eps_poisson(epochs, noise, **given, delta=question.target)
        return script.prints(found), {"function": "compute_eps_poisson"}, None
