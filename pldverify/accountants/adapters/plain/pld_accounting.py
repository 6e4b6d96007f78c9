"""pld-accounting: privacy loss distributions of random allocation, from above and from below.

One step of t for each record in each epoch, Gaussian noise, adding or removing a record (Feldman and Shenfeld
2025, arXiv 2502.08202; 2026, arXiv 2602.17284). ε is refined until both ends are close, or the library gives
up; δ is that of one grid, its default. Both ends are claims: an upper and a lower accountant.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "pld-accounting"
MODULE = "PLD_accounting"


class Upper:
    """The upper end of ``gaussian_allocation_epsilon_range``; δ of the dominating grid."""

    name = "pld-accounting/upper"
    direction = "upper"
    bound = "DOMINATES"
    adjacencies = ("add-or-remove",)
    most_mechanisms = 1

    def call(self, question: "Question", mechanism: Any) -> "Call":
        return question.allocation(mechanism)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        ((call, epochs),) = steps
        script, given = question.script(), {**call.arguments, "num_epochs": epochs}
        pld = script.load("PLD_accounting", alias="pld")
        if question.quantity == "epsilon":
            ends = pld.gaussian_allocation_epsilon_range(delta=question.target, **given)
            return script.prints(ends[int(self.direction == "lower")]), {"accuracy": "default"}, None
        asked = script.let("params", pld.PrivacyParams(epsilon=question.target, **given))
        bound = getattr(pld.BoundType, self.bound)
        number = pld.gaussian_allocation_delta_configurable(
            params=asked, config=pld.AllocationSchemeConfig(), bound_type=bound
        )
        return script.prints(number), {"config": "default"}, None


class Lower(Upper):
    """The lower end; δ of the dominated grid."""

    name = "pld-accounting/lower"
    direction = "lower"
    bound = "IS_DOMINATED"
