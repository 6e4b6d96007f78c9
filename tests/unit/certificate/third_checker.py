"""A third checker of certificates, written from docs/certificates.md alone, in floats.

It shares nothing with the package or with both checkers, and another idea decides: masses of the loss stand
on a lattice, and one power of one Fourier transform composes all steps. Above, the mass of each cell goes to
its two ends, so that its P- and its Q-mass are kept; below, each loss becomes the number of its cell, and of
their sum an event of large ones is asked. Rounding is allowed for and not bounded: it is a test of the page
and of the format, and no proof.
"""

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr

Array = NDArray[np.float64]
Masses = tuple[Array, Array]
"""Of P and of Q. ``Law``: those of losses at most each of the edges; ∞ is no edge."""
Law = Callable[[Array], Masses]
Ends = tuple[float, float]

KEYS = {
    "schema", "claim", "adjacency", "composition", "assumptions", "dominating_pairs", "standing", "verdict",
    "reason", "cause", "enclosure", "witness", "versions", "sha256",
}  # fmt: skip
DIRECTIONS = {"remove": ["remove"], "add": ["add"]}
CELLS = 2**17
TILTS = np.concatenate([[0], 2.0 ** np.arange(-7, 10)])
PROMISES = ("pure_dp", "approximate_dp", "gdp")
POSITIVE = ("sigma", "b", "sensitivity", "mu")
KNOWN = (*PROMISES, "gaussian", "laplace", "randomized_response", "discrete_gaussian", "discrete_laplace")


class Unknown(Exception):
    """A mechanism or a number that this checker has not."""


class Rejected(Exception):
    """No certificate."""


def opened(data: bytes) -> dict[str, Any]:
    """The certificate of a file or envelope, unchanged by its digest."""
    content = json.loads(data)
    if "payload" in content:
        content = json.loads(base64.b64decode(content["payload"]))["predicate"]
    if set(content) != KEYS or content["schema"] != "pldverify-certificate/1":
        raise Rejected("other keys")
    body = {key: value for key, value in content.items() if key != "sha256"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if hashlib.sha256(text.encode()).hexdigest() != content["sha256"]:
        raise Rejected("it was changed")
    return dict(content)


def assumed(composition: list[dict[str, Any]]) -> set[str]:
    """The ids that mechanisms add."""
    found = set()
    for step in composition:
        each = step["mechanism"]
        if each["name"] == "poisson":
            found.add("poisson-sampling")
            each = each["base"]
        if each["name"] == "finite_pair":
            found.add("pairs")
        else:
            found.add("guarantee" if each["name"] in PROMISES else "sensitivity")
    return found


TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|sqrt|exp|ln|log|[-+*/()])", re.ASCII)


def number(text: str) -> float:
    """The value of an expression."""
    words, at = [], 0
    while at < len(text.rstrip()):
        found = TOKEN.match(text, at)
        if not found:
            raise Rejected(f"no number: {text}")
        words.append(found[1])
        at = found.end()
    value = total(words)
    if words:
        raise Rejected(f"no number: {text}")
    return float(value)


def total(words: list[str]) -> Any:
    value = product(words)
    while words and words[0] in "+-":
        value = value + product(words) if words.pop(0) == "+" else value - product(words)
    return value


def product(words: list[str]) -> Any:
    value = factor(words)
    while words and words[0] in "*/":
        value = value * factor(words) if words.pop(0) == "*" else value / factor(words)
    return value


def factor(words: list[str]) -> Any:
    if not words:
        raise Rejected("a number ends too soon")
    word = words.pop(0)
    if word in "+-":
        return factor(words) if word == "+" else -factor(words)
    if word[0].isdigit():
        return Fraction(word)
    if word != "(" and words.pop(0) != "(":
        raise Rejected("a function without brackets")
    value = total(words)
    if not words or words.pop(0) != ")":
        raise Rejected("a bracket without its other half")
    return value if word == "(" else {"sqrt": math.sqrt, "exp": math.exp}.get(word, math.log)(value)


def gaussian(mu: float) -> Law:
    """N(μ, 1) against N(0, 1)."""
    return lambda losses: (ndtr(losses / mu - mu / 2), ndtr(losses / mu + mu / 2))


def laplace(shift: float) -> Law:
    """Noise of scale 1 around ``shift`` against that around 0."""

    def law(losses: Array) -> Masses:
        at = (np.clip(losses, -shift, shift) + shift) / 2
        above, under = losses >= shift, losses < -shift
        with_record = np.where(above, 1, np.where(under, 0, np.exp(np.minimum(at - shift, 0)) / 2))
        return with_record, np.where(above, 1, np.where(under, 0, 1 - np.exp(-at) / 2))

    return law


def listed(p: Array, q: Array) -> Law:
    """Two lists of probabilities."""
    with np.errstate(divide="ignore"):
        losses = np.log(p[p + q > 0]) - np.log(q[p + q > 0])
    order = np.argsort(losses)
    sums = [np.concatenate([[0], np.cumsum(each[p + q > 0][order])]) for each in (p, q)]

    def law(edges: Array) -> Masses:
        at = np.searchsorted(losses[order], edges, side="right")
        return sums[0][at], sums[1][at]

    return law


def two_sided(q: float, shift: float) -> Law:
    """(1 − q) N(0, 1) + q N(C, 1) against (1 − q) N(0, 1) + q N(−C, 1): the loss rises with the outcome."""

    def loss(x: Array) -> Any:
        up, down = (math.log(q) + side * shift * x - shift**2 / 2 for side in (1, -1))
        other = math.log1p(-q) if q < 1 else -math.inf
        return np.logaddexp(up, other) - np.logaddexp(down, other)

    def law(edges: Array) -> Masses:
        low, high = np.full_like(edges, -200.0), np.full_like(edges, 200.0)
        for _ in range(60):
            middle = (low + high) / 2
            right = loss(middle) <= edges
            low, high = np.where(right, middle, low), np.where(right, high, middle)
        return tuple((1 - q) * ndtr(low) + q * ndtr(low - side * shift) for side in (1, -1))  # type: ignore[return-value]

    return law


def sampled(base: Law, q: float) -> Law:
    """(1 − q) Q + q P of the base against Q."""

    def law(losses: Array) -> Masses:
        ratio = np.expm1(losses) / q + 1
        with np.errstate(divide="ignore"):
            p, plain = base(np.log(np.maximum(ratio, 0)))
        return (1 - q) * plain + q * p, plain

    return law


def integers(weight: Callable[[Array], Array], reach: int, shift: int) -> Law:
    """Noise on the integers around ``shift`` against that around 0; ``weight``: logarithms."""
    at = np.arange(-reach - shift, reach + shift + 1, dtype=float)
    whole = math.fsum(np.exp(weight(at)))
    return listed(np.exp(weight(at - shift)) / whole, np.exp(weight(at)) / whole)


def law(mechanism: dict[str, Any], adjacency: str) -> Law:
    """(P, Q) of the page's table."""
    name, base, given = mechanism["name"], mechanism["base"], mechanism["parameters"]
    if name == "poisson":
        rate = number(given["q"])
        if not 0 < rate <= 1:
            raise Unknown(name)
        if adjacency != "replace-one":
            return law(base, adjacency) if rate == 1 else sampled(law(base, adjacency), rate)
        if base["name"] == "gaussian":
            inner = {key: number(value) for key, value in base["parameters"].items()}
            return two_sided(rate, inner["sensitivity"] / inner["sigma"])
        raise Unknown(name)
    if name == "finite_pair":
        p, q = (np.array([number(each) for each in given[side]]) for side in "pq")
        if len(p) != len(q) or max(abs(sum(p) - 1), abs(sum(q) - 1)) > 1e-12:
            raise Rejected("lists of one length, each of sum 1")
        return listed(p, q)
    if name not in KNOWN:
        raise Unknown(name)
    values = {key: number(value) for key, value in given.items()}
    if not all(value > 0 for key, value in values.items() if key in POSITIVE) or values.get("p", 1) > 1:
        raise Rejected("a parameter that is not allowed")
    if name.startswith("discrete") and values["sensitivity"] % 1:
        raise Rejected("integers move by integers")
    moved = values.get("sensitivity", 0) * (2 if adjacency == "replace-one" else 1)
    if name in ("gaussian", "gdp"):
        return gaussian(values["mu"] if name == "gdp" else moved / values["sigma"])
    if name == "laplace":
        return laplace(moved / values["b"])
    if name == "randomized_response":
        p = values["p"]
        rest = (1 - p) / (values["categories"] - 1)
        others = max(0, 1 - p - rest)
        return listed(np.array([p, rest, others]), np.array([rest, p, others]))
    if name in ("pure_dp", "approximate_dp"):
        lost, odds = values.get("delta", 0), math.exp(values["epsilon"])
        p = np.array([lost, (1 - lost) * odds / (1 + odds), (1 - lost) / (1 + odds), 0])
        return listed(p, p[::-1])
    if name == "discrete_gaussian":
        sigma = values["sigma"]
        return integers(lambda x: -(x**2) / (2 * sigma**2), int(12 * sigma) + 2, int(moved))
    return integers(lambda x: -abs(x) / values["b"], int(45 * values["b"]) + 2, int(moved))


def profile(composition: list[tuple[int, Law]], backwards: bool, epsilon: float) -> Ends:
    """Lower and upper end of δ(ε)."""
    reach = 2.0 ** max(0, math.ceil(math.log2(epsilon + 1e-9)))
    while reach < 600:
        found = on_lattice(composition, backwards, epsilon, reach)
        if found:
            return found
        reach *= 2
    return 0, 1


def on_lattice(
    composition: list[tuple[int, Law]], backwards: bool, epsilon: float, reach: float
) -> Ends | None:
    """From ``CELLS`` losses between ± ``reach``; None where the sum of all steps goes beyond.

    P-masses are tilted by e^(θ loss), Q-masses by e^((θ + 1) loss), so that rounding is small beside δ(ε).
    """
    width = 2 * reach / CELLS
    edges = width * np.arange(-CELLS // 2, CELLS // 2 + 1)
    above = [
        (count, ends_of(*masses_of(each, edges, backwards), edges, width)) for count, each in composition
    ]
    around = edges + (width / 2 if backwards else -width / 2)
    below = [(count, *masses_of(each, around, backwards)) for count, each in composition]

    def cumulants(side: int) -> Array:
        with np.errstate(divide="ignore"):
            logs = [(k, np.log(ends)) for k, ends in above]
        return np.array([sum(k * logsumexp(side * tilt * edges + log) for k, log in logs) for tilt in TILTS])

    up, down = cumulants(1), cumulants(-1)
    best = int(np.argmin(up - TILTS * epsilon))
    scale, tilt = up[best] - TILTS[best] * epsilon, TILTS[best]
    if min(up - TILTS * reach) > scale - 23 or min(down - TILTS * reach) > scale - 23:
        return None
    losses = edges[:-1]
    lost = -math.expm1(sum(k * math.log(min(1, ends.sum())) for k, ends in above))
    sums = summed([(k, ends[:-1]) for k, ends in above], losses, tilt, epsilon)
    upper = lost + sums @ np.maximum(0, -np.expm1(np.minimum(epsilon - losses, 0)))
    p = summed([(k, p) for k, p, _ in below], losses, tilt, epsilon)
    q = summed([(k, q) for k, _, q in below], losses, tilt + 1, epsilon)
    best_event = np.max(np.cumsum((p - math.exp(epsilon) * q)[::-1]))
    slip = 1e-7 * math.exp(scale) + 1e-14 * sum(k for k, _ in above)
    return lost + float(best_event) - slip, float(upper) + slip


def summed(laws: list[tuple[int, Array]], losses: Array, tilt: float, epsilon: float) -> Array:
    """Masses of the sum at the losses, what is below ε in the largest unit that doubles have."""
    spectrum, whole = np.ones(CELLS // 2 + 1, complex), 0.0
    for count, masses in laws:
        with np.errstate(divide="ignore"):
            exponents = tilt * losses + np.log(masses)
        log_mass = float(logsumexp(exponents))
        tilted = np.exp(exponents - log_mass)
        spectrum *= np.fft.rfft(np.roll(tilted, CELLS // 2)) ** count
        whole += count * log_mass
    exponents = np.where(losses > epsilon, whole - tilt * losses, -math.inf)
    return np.roll(np.fft.irfft(spectrum, CELLS), CELLS // 2) * np.exp(exponents)


def masses_of(law: Law, edges: Array, backwards: bool) -> Masses:
    """Of P and Q in each cell; of (Q, P) if ``backwards``."""
    p, q = (np.diff(side) for side in law(edges))
    return (q[::-1], p[::-1]) if backwards else (p, q)


def ends_of(p: Array, q: Array, edges: Array, width: float) -> Array:
    """P-masses on the edges: those of each cell, with its Q-mass kept."""
    far = np.clip((p - np.exp(edges[:-1]) * q) / -math.expm1(-width), 0, p)
    return np.append(p - far, 0) + np.append(0, far)


def checked(data: bytes) -> str:
    """CONFIRMED, CONTRADICTED, UNDECIDED or REJECTED."""
    try:
        document = opened(data)
        claim, adjacency = document["claim"], document["adjacency"]
        steps = [(each["count"], law(each["mechanism"], adjacency)) for each in document["composition"]]
        named = [each["id"] for each in document["assumptions"]]
        if named != sorted({"noise", "releases"} | assumed(document["composition"])):
            raise Rejected("other assumptions")
        epsilon, delta = number(claim["epsilon"]), number(claim["delta"])
    except Unknown:
        return "UNDECIDED"
    except Rejected:
        return "REJECTED"
    ways = [way == "add" for way in DIRECTIONS.get(adjacency, ["remove", "add"])]
    found = [profile(steps, backwards, epsilon) for backwards in ways]
    lower, upper = (max(side) for side in zip(*found, strict=True))
    less = upper < delta and document["standing"] in ("exact", "upper bound")
    more = lower > delta and document["standing"] in ("exact", "lower bound")
    if not less and not more:
        return "UNDECIDED"
    if claim["relation"] == "=":
        verdict = "REFUTED"
    else:
        verdict = "CERTIFIED" if less == (claim["relation"] == "<=") else "REFUTED"
    return "CONFIRMED" if verdict == document["verdict"] else "CONTRADICTED"
