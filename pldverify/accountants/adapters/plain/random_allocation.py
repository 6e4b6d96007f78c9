"""random-allocation: the bounds of Feldman and Shenfeld 2025 (arXiv 2502.08202), each by itself.

One step of t for each record in each epoch, Gaussian noise, adding or removing a record. All are meant as
upper bounds. By Rényi divergences of integer orders (with a bound for large t), by decomposition into Poisson
sampling, which takes one epoch, and by recursion.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "random-allocation"
MODULE = "random_allocation"


class RDP:
    """``allocation_epsilon_RDP_DCO``, and the same of δ."""

    name = "random-allocation/rdp"
    direction = "upper"
    function = "RDP_DCO.allocation_{}_RDP_DCO"
    adjacencies = ("add-or-remove",)
    most_mechanisms = 1

    def call(self, question: "Question", mechanism: Any) -> "Call":
        return question.allocation(mechanism)

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        ((call, epochs),) = steps
        script = question.script()
        module, _, name = self.function.format(question.quantity).partition(".")
        found = script.load(f"random_allocation.random_allocation_scheme.{module}", name)
        given = {**call.arguments, "num_epochs": epochs, question.given: question.target}
        params = script.load("random_allocation", "PrivacyParams")(**given)
        config = script.load("random_allocation", "SchemeConfig")()
        return script.prints(found(params, config)), {"config": "default"}, None


class Decomposition(RDP):
    """``allocation_epsilon_decomposition``, and the same of δ: one epoch."""

    name = "random-allocation/decomposition"
    function = "decomposition.allocation_{}_decomposition"
    most_steps = 1


class Recursive(RDP):
    """``allocation_epsilon_recursive``, and the same of δ."""

    name = "random-allocation/recursive"
    function = "recursive.allocation_{}_recursive"
