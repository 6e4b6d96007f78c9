"""What a claim may mean, and what is true of each meaning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from mpmath import mp

from benchmarks.claims.numbers import SLACK, Real, number, rational, real
from benchmarks.claims.privacy_loss import gaussian_delta
from benchmarks.claims.releases import Known, Release, known, sampled
from benchmarks.claims.truth import Truth, truth

RELATIONS = ("add-or-remove", "replace-one", "zero-out")


@dataclass(frozen=True)
class Meaning:
    """One of them.

    Attributes:
        adjacency: of the reading; empty where a guarantee is one of the relation that is meant.
        words: that the reading's assumption must contain.
        role: ``known``; ``other`` (what was accounted for, Gaussian noise of a stated ρ); ``printed`` (a pair
            that a paper prints: what is proved of it is not the true value).
        truth: None where nothing is proved of it.
        above_only: whether docs say that it is bounded from above alone.
    """

    adjacency: str
    words: tuple[str, ...]
    role: str
    truth: Truth | None
    above_only: bool = False


_WORDS = {
    "poisson": "Poisson batches",
    "shuffled": "shuffled batches",
    "fixed_without_replacement": "without replacement",
    "fixed_with_replacement": "with replacement",
}
Parts = list[tuple[Release, int]]


def meanings(claim: dict[str, Any]) -> list[Meaning]:
    """All that the claim may mean."""
    phases = claim["phase"]
    others = any(p.get("accounted_as") not in (None, p.get("sampling")) for p in phases)
    found: list[Meaning] = []
    for accounted in (False, True) if others else (False,):
        for rule in rules_of(phases):
            found += _of(claim, accounted, rule, others)
    return found


def _of(claim: dict[str, Any], accounted: bool, rule: str | None, others: bool) -> Iterator[Meaning]:
    phases, role = claim["phase"], "other" if accounted else "known"
    pieces: Parts = [piece for p in phases for piece in releases(p, accounted, rule)]
    shuffled = any(sampling_of(p, accounted) == "shuffled" for p in phases) or any(
        r[0] == "shuffled" for r, _ in pieces
    )
    words = [rule] if rule else []
    if others:
        words += sorted({_WORDS[s] for p in phases if (s := sampling_of(p, accounted)) in _WORDS})
    above = any(r[0] == "a part of an epoch" for r, _ in pieces)
    for adjacency, relation, sort in _relations(claim, phases, pieces, shuffled):
        parts = [] if relation is None else [(known(r, relation), k) for r, k in pieces]
        if relation is None or any(p is None for p, _ in parts):
            yield Meaning(adjacency, tuple(words), role, None)
            continue
        value = truth([(p, k) for p, k in parts if p is not None], adjacency, claim)
        if above and "epsilon" in claim:
            value = _with_convexity(value, pieces, relation, claim)
        yield Meaning(adjacency, tuple(words), "other" if sort == "other" else role, value, above)
        gaussian = [(("gdp", f"sqrt({2 * Fraction(r[1])})") if r[0] == "zcdp" else r, k) for r, k in pieces]
        if gaussian != pieces and all(known(r, relation) is not None for r, _ in gaussian):
            noise = truth([(known(r, relation), k) for r, k in gaussian], adjacency, claim)  # type: ignore[misc]
            yield Meaning(adjacency, (*words, "Gaussian noise"), "other", noise)
        printed = [_printed(r, relation) for r, _ in pieces]
        if any(printed):
            seen = [(new or known(r, relation), k) for new, (r, k) in zip(printed, pieces, strict=True)]
            yield Meaning(adjacency, tuple(words), "printed", truth(seen, adjacency, claim))  # type: ignore[arg-type]


def _printed(release: Release, relation: str) -> Known | None:
    if release[0] != "kjh19_substitute" or release[2] == "1":
        return None
    return sampled(release[1], rational(release[2]) or Fraction(0), relation)


def _with_convexity(value: Truth, pieces: Parts, relation: str, claim: dict[str, Any]) -> Truth:
    """One record takes part with a chance: δ ≤ chance · δ of the base."""
    if len(pieces) != 1 or pieces[0][1] != 1:
        return Truth(lambda v: None if v > 0 else True, lambda v: value.at_most(v) or None, value.near)
    (((_, base, chance), _),) = pieces
    whole = known(base, relation)
    assert whole is not None
    delta, q = number(claim["delta"]), number(chance)

    def high(v: Real) -> mp.mpf:
        return q * gaussian_delta(real(whole.mu_squared), real(v)) * (1 + SLACK)

    return Truth(
        lambda v: True if v <= 0 else False if high(v) < delta else None,
        lambda v: True if v >= 0 and high(v) <= delta else None,
        value.near,
    )


def _relations(
    claim: dict[str, Any], phases: Sequence[dict[str, Any]], pieces: Parts, shuffled: bool
) -> Iterator[tuple[str, str | None, str]]:
    """(adjacency of the reading, relation that is judged or None, known or other)."""
    stated = claim.get("adjacency")
    less = "zero-out" if shuffled else "add-or-remove"
    has = {r: all(known(p, r) is not None for p, _ in pieces) for r in RELATIONS}
    if stated is not None:
        relation = "add-or-remove" if stated in ("add", "remove") else stated
        if shuffled and relation == "add-or-remove":
            yield stated, None, "known"
            if has["zero-out"]:
                yield "zero-out", "zero-out", "other"
        else:
            yield stated, relation if has[relation] else None, "known"
        return
    promised = all(
        p["mechanism"] in ("pure_dp", "approximate_dp", "zcdp", "gdp") and "q" not in p for p in phases
    )
    if promised:
        yield "", "add-or-remove", "known"
        return
    if shuffled:
        yield "add-or-remove", None, "known"
    yield less, less if has[less] else None, "known"
    yield "replace-one", "replace-one" if has["replace-one"] else None, "known"


def sampling_of(phase: dict[str, Any], accounted: bool) -> str | None:
    return phase.get("accounted_as", phase.get("sampling")) if accounted else phase.get("sampling")


def _fraction(phase: dict[str, Any]) -> Fraction:
    q = (
        rational(phase["q"])
        if "q" in phase
        else Fraction(str(phase["batch_size"])) / int(phase["dataset_size"])
    )
    assert q is not None
    return q


def _batches(phase: dict[str, Any]) -> Fraction:
    if "batches_per_epoch" in phase:
        return Fraction(phase["batches_per_epoch"])
    return Fraction(1) if phase["sampling"] == "none" else 1 / _fraction(phase)


def rules_of(phases: Sequence[dict[str, Any]]) -> tuple[str | None, ...]:
    for p in phases:
        if "epochs" in p and "steps_rule" not in p:
            whole = Fraction(str(p["epochs"])) * _batches(p)
            if whole.denominator != 1 and max(1, floor(whole)) != -floor(-whole):
                return ("ceil", "floor")
    return (None,)


def releases(phase: dict[str, Any], accounted: bool, rule: str | None) -> Parts:
    """What a phase runs, and how often."""
    kind = phase["mechanism"]
    if kind == "expression":
        return [(_plain(release), times) for release, times in phase["_releases"]]
    if kind in ("pure_dp", "approximate_dp", "zcdp", "gdp"):
        names = {
            "pure_dp": ("epsilon",),
            "approximate_dp": ("epsilon", "delta"),
            "zcdp": ("rho",),
            "gdp": ("mu",),
        }
        release: Release = (kind, *(str(phase[name]) for name in names[kind]))
        return [
            (("poisson", release, str(phase["q"])) if "q" in phase else release, int(phase.get("times", 1)))
        ]
    steps = _steps(phase, rule)
    names_of_noise = ("noise_multiplier", "standard_deviation", "sigma", "scale")
    spread = str(next(phase[name] for name in names_of_noise if name in phase))
    base: Release = (kind, spread, str(phase.get("sensitivity", 1)))
    if kind == "discrete_gaussian" and "sigma" not in phase:
        base = ("discrete_gaussian of deviation", *base[1:])
    sampling = sampling_of(phase, accounted)
    if sampling == "none":
        return [(base, steps)]
    q = _fraction(phase)
    if sampling == "poisson":
        return [(("poisson", base, str(q)), steps)]
    if sampling == "fixed_without_replacement":
        return [(("sampled_without_replacement", base, str(q)), steps)]
    if sampling == "fixed_with_replacement":
        return [(("sampled_with_replacement", base, phase["batch_size"], phase["dataset_size"]), steps)]
    batches = int(phase["batches_per_epoch"]) if "batches_per_epoch" in phase else floor(1 / q)
    if kind == "gaussian" and (batches * q == 1 or "batches_per_epoch" in phase):
        whole, last = divmod(steps, batches)
        each = [(batches, min(Fraction(1), batches * q), whole), (last, last * q, 1)]
        return [(("shuffled", base, n, str(part)), times) for n, part, times in each if n * times]
    chance = min(Fraction(1), steps * q) if steps <= batches else Fraction(1)
    return [(("a part of an epoch", base, str(chance)), -(-steps // batches))]


def _plain(release: Release) -> Release:
    """Groups under zCDP are zCDP (Bun and Steinke 2016, Proposition 1.9)."""
    if release[0] == "group" and release[1][0] == "zcdp":
        return ("zcdp", str(int(release[2]) ** 2 * Fraction(release[1][1])))
    return release


def _steps(phase: dict[str, Any], rule: str | None) -> int:
    if "steps" in phase:
        return int(phase["steps"])
    whole = Fraction(str(phase["epochs"])) * _batches(phase)
    if whole.denominator == 1:
        return int(whole)
    chosen = phase.get("steps_rule", rule or "ceil")
    return max(1, floor(whole) if chosen == "floor" else -floor(-whole))
