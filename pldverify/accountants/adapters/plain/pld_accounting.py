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

    def refusal(self, question: "Question") -> str | None:
        if question.adjacency != "add-or-remove":
            return f"pld-accounting is asked for add-or-remove, got {question.adjacency!r}"
        return "pld-accounting takes epochs of one kind" if len(question.parts) > 1 else None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "balls_and_bins", "base": base, "batches": batches, "participations": 1}:
                noise = question.double(base["sigma"] / base["sensitivity"], "sigma")
                return question.call("allocation", sigma=noise, num_steps=int(batches))
        raise NotImplementedError(f"pld-accounting is asked for random allocation, not {mechanism['kind']}")

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        import PLD_accounting as pld

        ((call, epochs),) = steps
        given = {**call.arguments, "num_epochs": epochs}
        if question.quantity == "epsilon":
            ends = pld.gaussian_allocation_epsilon_range(delta=question.target, **given)
            return ends[self.direction == "lower"], {"accuracy": "default"}, None
        asked = pld.PrivacyParams(epsilon=question.target, **given)
        bound = getattr(pld.BoundType, self.bound)
        value = pld.gaussian_allocation_delta_configurable(
            params=asked, config=pld.AllocationSchemeConfig(), bound_type=bound
        )
        return value, {"config": "default"}, None

    def script(self, question: "Question", steps: "Steps") -> str:
        """:meth:`answer` as lines of Python."""
        ((call, epochs),) = steps
        given = ", ".join(
            f"{name}={value!r}" for name, value in {**call.arguments, "num_epochs": epochs}.items()
        )
        if question.quantity == "epsilon":
            asked = f"pld.gaussian_allocation_epsilon_range(delta={question.target!r}, {given})"
            return f"import PLD_accounting as pld\nprint({asked}[{int(self.direction == 'lower')}])"
        return (
            "import PLD_accounting as pld\n"
            f"params = pld.PrivacyParams(epsilon={question.target!r}, {given})\n"
            "print(pld.gaussian_allocation_delta_configurable(params=params, "
            f"config=pld.AllocationSchemeConfig(), bound_type=pld.BoundType.{self.bound}))"
        )


class Lower(Upper):
    """The lower end; δ of the dominated grid."""

    name = "pld-accounting/lower"
    direction = "lower"
    bound = "IS_DOMINATED"
