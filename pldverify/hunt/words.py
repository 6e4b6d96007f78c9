"""Words: what a finding means for those who use the accountant, by kind and question."""

from textwrap import shorten

from pldverify.accountants.ask import impossible
from pldverify.hunt.grouping import LIMITED, Kind
from pldverify.rulings.finding import Finding

TITLES: dict[Kind, str] = {
    "impossible": "the answer is no {quantity}: {short}",
    "violation": "{bound} {quantity} is on the wrong side of the true one",
    "rounding": "{bound} {quantity} is on the wrong side of the true one, at rounding level",
    "wrong estimate": "the {quantity} is far from the true one",
    "crash": "no answer: {short}",
    "invalid": "the answer is no {quantity}: {short}",
    "hang": "{short}",
    "memory": "{short}",
    "waits": "{short}",
    "underflow": "{bound} {quantity} is 0, which the true one is not",
    "vacuous": "{bound} {quantity} says nothing",
    "loose": "the loosest {bound} {quantity} that was found",
}
SEVERITIES: dict[Kind, str] = {
    "violation": "high: a soundness bug; the number is wrong in its first nine digits",
    "rounding": "low: a soundness bug at rounding level, within 1e-9 of the true value",
    "wrong estimate": "high where it is reported as a guarantee; an estimate promises nothing",
    "crash": "medium: no wrong number, and no answer",
    "invalid": "medium: no wrong number that would be believed, and no answer",
    "impossible": "medium: no comparison is needed to see that the number is none",
    "hang": "low: no answer in the processor time that it was given",
    "memory": "low: no answer in the memory that it was given",
    "waits": "none yet: it waits for something, or the machine was busy",
    "underflow": "low: the true value is below the smallest double",
    "vacuous": "low: true of every mechanism, and useless",
    "loose": "low: sound, and looser than it need be",
}
QUANTITIES = {"epsilon": "ε", "delta": "δ", "rdp": "Rényi divergence", "noise": "noise"}
_LONGEST = 100
"""Characters of what was said, in a title."""
_BOUNDS = {"upper": "an upper bound on", "lower": "a lower bound on", "estimate": "an estimate of"}

_TOO_LOW = {
    "epsilon": "An upper bound on ε that is below the true ε claims more privacy than there is: at the "
    "claimed ε the true δ is above the one that was asked at.",
    "delta": "An upper bound on δ that is below the true δ claims more privacy than there is.",
    "rdp": "A Rényi divergence below the true one makes every ε that is derived from it too small.",
    "noise": "With the returned noise the mechanism is not as private as was asked for: its true ε is above "
    "the target.",
}
_EXCLUDES = "and a pair of bounds that excludes the truth proves nothing."
_TOO_HIGH = {
    quantity: f"A lower bound on {unit} above the true one accuses a mechanism of what it does not leak, "
    + _EXCLUDES
    for quantity, unit in (("epsilon", "ε"), ("delta", "δ"))
}


def title(kind: Kind, finding: Finding) -> str:
    """One line."""
    claim = finding.claim
    bound = "the" if claim is None else {"upper": "an upper", "lower": "a lower"}.get(claim.direction, "an")
    quantity = QUANTITIES[finding.query.quantity]
    told = (claim and impossible(claim, finding.query)) or finding.reason
    short = shorten(
        told.removeprefix(finding.accountant).removeprefix(f" {finding.version}"), _LONGEST, placeholder=" …"
    )
    said = TITLES[kind].format(bound=f"{bound} bound on" if claim else bound, quantity=quantity, short=short)
    return said.replace("the loosest an upper", "the loosest upper").replace(
        "the loosest a lower", "the loosest lower"
    )


def why(kind: Kind, finding: Finding) -> str:
    """Why it is a soundness bug, or what else it is."""
    quantity, claim = finding.query.quantity, finding.claim
    if kind in ("violation", "rounding", "underflow"):
        side = _TOO_HIGH if claim is not None and claim.direction == "lower" else _TOO_LOW
        return side.get(quantity, _TOO_LOW[quantity])
    if kind == "impossible":
        return "Probabilities lie between 0 and 1, and neither ε, a divergence nor noise is negative."
    if kind in LIMITED:
        return (
            "It is no error to need more than it was given: what is told above are our own limits, under "
            "which it was asked twice, the second time alone."
        )
    if kind == "wrong estimate":
        return (
            "The number is documented as an estimate, so it breaks no promise; whoever reports it as a "
            "guarantee reports a wrong one. " + _reported(finding)
        )
    if kind in ("loose", "vacuous"):
        return (
            f"The answer is {_BOUNDS[claim.direction] if claim else 'a bound on'} the "
            f"{QUANTITIES[quantity]}, and true. It gives away what is stated above: more noise is added, "
            "or less is released, than the guarantee needs."
        )
    return (
        "The question is well posed, so an answer, or an error that says what is not supported, could be "
        "expected."
    )


def _reported(finding: Finding) -> str:
    _, marker, said = finding.reason.partition("; reported as")
    return f"Reported as{said}." if marker else ""
