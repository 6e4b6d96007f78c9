"""flwr: Flower's Rényi accountant of its server's rounds, which asks dp-accounting behind words of its own.

A record is a client. Poisson samples under ``add-or-remove``, samples of a fixed size under ``replace-one``,
and rounds of all clients; one sampling for a run, whose noise and sample size may change. A sampling
probability is a number of clients of a population, so it has to be a fraction of integers. Its noise
multiplier is noise over clipping norm, as that of dp-accounting's events is.
"""

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pldverify.accountants.standalone import Call, Question, Said, Steps

LIBRARY = "flwr"
MODULE = "flwr.supercore.privacy_accounting.rdp_accountant"
_RELATION = {"add-or-remove": "ADD_OR_REMOVE_ONE", "replace-one": "REPLACE_ONE"}
_SAMPLING = {
    "gaussian": "NO_AMPLIFICATION",
    "poisson_subsampled": "POISSON",
    "sampled_without_replacement": "WITHOUT_REPLACEMENT",
}


class RDP:
    """``RdpAccountant`` with its default orders."""

    name = "flwr/rdp"
    direction = "upper"
    adjacencies = tuple(_RELATION)

    def refusal(self, question: "Question") -> str | None:
        kinds = {mechanism["kind"] for mechanism, _ in question.parts}
        if len(kinds) > 1:
            return "flwr takes one kind of sampling for a run"
        if (question.adjacency == "replace-one") != (kinds == {"sampled_without_replacement"}):
            return f"flwr has no {', '.join(kinds)} under {question.adjacency}"
        return None

    def call(self, question: "Question", mechanism: Any) -> "Call":
        match mechanism:
            case {"kind": "gaussian"}:
                base, q = mechanism, Fraction(1)
            case {
                "kind": "poisson_subsampled" | "sampled_without_replacement",
                "base": {"kind": "gaussian"} as base,
                "q": Fraction() as q,
            }:
                pass
            case _:
                raise NotImplementedError(f"flwr has no {mechanism['kind']} of these parameters")
        clients = lcm(*(_share(other).denominator for other, _ in question.parts))
        noise = question.double(base["sigma"] / base["sensitivity"], "noise_multiplier")
        return question.call(
            "GaussianPrivacyEvent",
            noise_multiplier=noise,
            sample_size=int(q * clients),
            population_size=clients,
        )

    def answer(self, question: "Question", steps: "Steps") -> "Said":
        script = question.script()
        pa = script.load("flwr.supercore", "privacy_accounting", alias="pa")
        rdp_accountant = script.load("flwr.supercore.privacy_accounting.rdp_accountant", "RdpAccountant")
        relation = getattr(pa.NeighboringRelation, _RELATION[question.adjacency])
        sampling = getattr(pa.SamplingMethod, _SAMPLING[question.parts[0][0]["kind"]])
        clients = steps[0][0].arguments["population_size"]
        config = script.let("config", pa.PrivacyConfig(0.5, clients, relation, sampling))
        accountant = script.let("accountant", rdp_accountant(config))
        for call, count in steps:
            script.do(accountant.compose(call.make(pa), count))
        number = getattr(accountant, f"get_{question.quantity}")(question.target)
        return script.prints(number), {"orders": "default"}, None


def _share(mechanism: Any) -> Fraction:
    """The sampling probability of a step."""
    q = mechanism.get("q", Fraction(1))
    if not isinstance(q, Fraction):
        raise NotImplementedError("flwr takes a sample of a population, and no other sampling probability")
    return q
