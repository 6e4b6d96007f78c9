r"""What is true of a claim, by closed forms, exact convolution and a grid in doubles: nothing of the package.

A *release* is a tuple: ``("gaussian", "2", "1")``, ``("poisson", base, "0.1")``, ``("pure_dp", "0.5")``, …
with numbers as texts. ``known(release, relation)`` is what is proved of it under a relation, after the
docstrings of ``pldverify/mechanisms`` and of the papers that they cite. ``truth`` answers "is the true
value at most v?", "at least v?", by yes, no or None.

**Verdicts that are right** (docs/claims.md; where it is silent, the rules of one verdict as a function of
two ends that may be missing). A claim means its *known* meanings: each relation that may be meant, where
none is stated, each rule of steps. Of some nothing is proved: fixed-size batches where a record is added,
shuffled ones likewise.

* CERTIFIED: true in all of them.
* REFUTED: false in all of them, and in what was accounted for.
* CONDITIONAL: true in some meaning, or with another assumption, where there are several.
* UNDECIDED is never wrong; how often it is given is counted.

Of a stated guarantee the value is that of the worst mechanism that has it: ε of ρ-zCDP lies between that of
Gaussian noise and a conversion, and a claim that Gaussian noise keeps is not REFUTED.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from benchmarks.claims.meanings import Meaning, Parts, releases, rules_of, sampling_of
from benchmarks.claims.numbers import Real, number, rational
from benchmarks.claims.releases import known
from benchmarks.claims.truth import Truth


@dataclass(frozen=True)
class Statement:
    """The literal claim, or its rounded one: ends that are claimed, and the relation."""

    relation: str
    low: Real
    high: Real

    def holds(self, value: Truth | None) -> bool | None:
        if value is None:
            return None
        parts = []
        if self.relation in ("<=", "="):
            parts.append(value.at_most(self.high))
        if self.relation in (">=", "="):
            parts.append(value.at_least(self.low))
        return False if False in parts else None if None in parts else True


def claimed(claim: dict[str, Any]) -> Any:
    """The number."""
    if "rdp" in claim:
        return claim["rdp"]["divergence"]
    if "tpr" in claim:
        return claim["tpr"]["tpr"]
    return next(claim[n] for n in ("epsilon", "rho", "mu", "advantage") if n in claim)


def statements(claim: dict[str, Any]) -> dict[str, Statement]:
    """By kind of reading: ``literal``, and ``rounded`` where the printed number is a decimal."""
    printed, relation = claimed(claim), claim.get("relation", "<=")
    value = rational(printed)
    literal = number(printed) if value is None else value
    found = {"literal": Statement(relation, literal, literal)}
    text = str(printed)
    plain = value is not None and not {"/", "%"} & set(text)
    if plain and not claim.get("exact"):
        mantissa, _, power = text.lower().partition("e")
        half = Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2])) / 2
        found["rounded"] = Statement(relation, max(Fraction(0), literal - half), literal + half)
    return found


def allowed(known_ones: Sequence[tuple[bool | None, bool]], others: Sequence[bool | None]) -> set[str]:
    """Right verdicts. Of known meanings: (whether it holds, whether anything is proved of it at all)."""
    found = {"UNDECIDED"}
    all_judged = bool(known_ones) and all(judged for _, judged in known_ones)
    values = [holds for holds, _ in known_ones]
    if all_judged and False not in values:
        found.add("CERTIFIED")
    if all_judged and True not in values and True not in others:
        found.add("REFUTED")
    may = [holds for holds, judged in known_ones if judged] + list(others)
    if any(holds is not False for holds in may) and len(known_ones) + len(others) > 1:
        found.add("CONDITIONAL")
    return found


def refusal(claim: dict[str, Any]) -> str:
    """Why the claim must be refused; empty where it must be ruled on."""
    if "rdp" in claim and str(claim["rdp"]["order"]).startswith("-"):
        return "an order that is not > 0"
    phases = claim["phase"]
    if any(p["mechanism"] == "discrete_gaussian" and "standard_deviation" in p for p in phases):
        return "a standard deviation, which is no parameter of discrete Gaussian noise"
    if "adjacency" not in claim:
        return ""
    for accounted in (False, True):
        shuffled = any(sampling_of(p, accounted) == "shuffled" for p in phases)
        for rule in rules_of(phases):
            pieces: Parts = [piece for p in phases for piece in releases(p, accounted, rule)]
            hidden = shuffled or any(r[0] == "shuffled" for r, _ in pieces)
            relation = "add-or-remove" if claim["adjacency"] in ("add", "remove") else claim["adjacency"]
            if not (hidden and relation == "add-or-remove") and any(
                known(r, relation) is None for r, _ in pieces
            ):
                return f"no pair of a release under {relation}"
    return ""


def right(claim: dict[str, Any], found: Sequence[Meaning], kind: str = "literal") -> set[str]:
    """The verdicts on the claim that are right."""
    if refusal(claim):
        return {"REFUSED"}
    said = statements(claim)[kind]
    mine = [(said.holds(m.truth), m.truth is not None) for m in found if m.role == "known"]
    return allowed(mine, [said.holds(m.truth) for m in found if m.role != "known"])
