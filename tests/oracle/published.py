"""Reading the rows of tests/data/published_values.json: numbers that other projects' tests and papers print.

A row becomes a :class:`Question` in our words, or a reason why it can't be asked. Conventions of the sources,
each one read off its source and confirmed by the rows that agree to all printed digits:

* dp-accounting's ``REPLACE`` moves a query of sensitivity s by 2s, between N(s) and N(−s): our
  ``replace-one``. ``REPLACE_SPECIAL`` is randomised response against a uniform output.
* Its ``noise_parameter`` and ``num_buckets`` of randomised response: with that probability the output is
  uniform.
* Koskela's "substitution" is the pair of KJH19 section 5.3, which is Poisson sampling under replace-one.
* TensorFlow Privacy's examples: ⌈epochs⌉ Gaussians without, ⌈epochs/q⌉ steps with Poisson sampling;
  microbatches double the sensitivity.
* WBK19's bound takes the noise multiplier relative to the replace-one sensitivity 2C.
"""

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pldverify.mechanisms import (
    ApproximateDP,
    Composition,
    DiscreteLaplace,
    FinitePair,
    Gaussian,
    Laplace,
    MixtureOfGaussians,
    PoissonSubsampled,
    PureDP,
    RandomizedResponse,
    SampledWithoutReplacement,
)
from pldverify.mechanisms.as_composition import as_composition

PATH = Path(__file__).parents[1] / "data" / "published_values.json"
Row = dict[str, Any]

SIDES = {
    "exact": "both",
    "claimed exact": "both",
    "numerical": "both",
    "pure-DP limit": "both",
    "FFT estimate (no error bound)": "both",
    "calibration": "both",
    "calibration/regression": "both",
    "upper bound": "upper",
    "upper bound (formula value)": "upper",
    "formula value": "upper",
    "RDP upper bound": "upper",
    "PLD pessimistic": "upper",
    "moments accountant": "upper",
    "PRV eps_upper": "upper",
    "PRV eps_upper (true eps in about [v-0.02,v])": "upper",
    "calibration (epsilon_tolerance 0.01)": "upper",
    "CLT approximation (UNDER-estimates)": "lower",
    "gdp value is an UNDER-estimate (true in [1.958,1.961])": "lower",
    "known-bad output, use as negative test": "lower",
}
"""What a row says of the true value: it is the printed one, at most that, or at least that."""

ADJACENCIES = {
    "ADD": "add",
    "REMOVE": "remove",
    "REPLACE": "replace-one",
    "REPLACE (substitution)": "replace-one",
    "REPLACE_ONE": "replace-one",
    "REPLACE_ONE (noise multiplier relative to replace-one L2 sensitivity)": "replace-one",
    "ADD_OR_REMOVE_ONE": "add-or-remove",
    "REPLACE_SPECIAL": "add-or-remove",
    "n/a": "add-or-remove",
}

RELATIVE = {
    "test compares to autodp with rel tol": "1e-9",
    "rtol 1e-4": "1e-4",
    "rel 1e-3": "1e-3",
    "3 digits": "1e-2",
}
"""autodp's tests don't print their tolerance: 1e-9 is what its rows with q > 0 keep."""
ABSOLUTE = {
    "1e-7 (assertAlmostEqual 7 places)": "1e-7",
    "<=": "0",
    "6.59..6.60": "0.005",
    "0.005 (doctest rounded)": "0.005",
}


@dataclass(frozen=True)
class Question:
    """``quantity`` of ``composition`` at ``point``; the print says [low, high] ∋, ≥ or ≤ the true value."""

    composition: Composition
    quantity: str
    point: str
    adjacency: str
    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class Unsupported:
    reason: str


def rows() -> list[Row]:
    """All rows; decimals stay text."""
    text = PATH.read_text(encoding="utf-8")
    loaded: list[Row] = json.loads(text, parse_float=str, parse_constant=str)
    return loaded


def tolerance(row: Row, value: Fraction) -> Fraction:
    text = row["tolerance"]
    if text in RELATIVE:
        return abs(value) * Fraction(RELATIVE[text])
    return Fraction(ABSOLUTE.get(text, text))


def claimed(row: Row) -> str:
    """The printed number; the known-bad rows print a "lower" bound."""
    value = row["value"]
    return str(value["prv_lower"] if isinstance(value, dict) else value)


def question(row: Row) -> list[Question] | Unsupported:
    """One question, or two for a calibrated parameter; all must hold."""
    value, params = Fraction(claimed(row)) if claimed(row) != "inf" else None, row["params"]
    if value is None or params.get("alpha") == "Infinity":
        return Unsupported("infinite order of a mechanism that is not pure DP")
    side, adjacency = SIDES.get(row["kind"]), ADJACENCIES[row["neighbouring"]]
    slack = tolerance(row, value) if side else Fraction(0)
    low = -(Fraction(10) ** 9) if side == "upper" else value - slack
    high = Fraction(10) ** 9 if side == "lower" else value + slack
    quantity = row["quantity"]
    if quantity == "advanced_composition_epsilon":
        pair = ApproximateDP(params["epsilon"], params["delta"])
        return [
            Question(
                params["num_queries"] * pair, "epsilon", params["total_delta"], adjacency, Fraction(-1), high
            )
        ]
    if quantity == "advanced_composition_inverse_epsilon":
        pair = ApproximateDP(value, params["delta"])
        most = Fraction(params["total_delta"])
        point = str(params["total_epsilon"])
        return [Question(params["num_queries"] * pair, "delta", point, adjacency, Fraction(-1), most)]
    if quantity in ("sigma", "subsampled_gaussian_sigma", "laplace_parameter"):
        return calibrated(row, value, slack, adjacency)
    if quantity not in ("delta", "rdp", "epsilon", "epsilon_upper"):
        return Unsupported(f"quantity {quantity}")
    composition = mechanism(row)
    if isinstance(composition, Unsupported):
        return composition
    if quantity == "rdp":
        order = str(params["alpha"])
        if order == "inf":
            return [Question(composition, "epsilon", "0", adjacency, low, high)]
        return [Question(composition, "rdp", order, adjacency, low, high)]
    if quantity == "delta":
        return [Question(composition, "delta", str(params["epsilon"]), adjacency, low, high)]
    delta = {"2^-25": "1/33554432"}.get(str(params.get("slack")), str(params.get("delta")))
    return [Question(composition, "epsilon", delta, adjacency, low, high)]


def calibrated(row: Row, value: Fraction, slack: Fraction, adjacency: str) -> list[Question] | Unsupported:
    """The smallest noise that has δ(ε) ≤ δ: a little less does not have it, a little more does."""
    params, most = row["params"], Fraction(row["params"]["delta"])
    if "epochs" in params:  # calibrated by an upper bound on ε, so only "enough noise" is claimed
        steps = int(params["epochs"] / Fraction(params["q"]))
        whole = steps * poisson(Gaussian(value), params["q"])
        return [
            Question(whole, "epsilon", params["delta"], adjacency, Fraction(-1), Fraction(params["epsilon"]))
        ]

    def at(noise: Fraction) -> Composition:
        if row["quantity"] == "laplace_parameter":
            return params["num_queries"] * Laplace(noise, sensitivity=params["sensitivity"])
        rate = params.get("q", params.get("sampling_prob"))
        return as_composition(poisson(Gaussian(noise, sensitivity=params["sensitivity"]), rate))

    point = str(params["epsilon"])
    return [
        Question(at(value - slack), "delta", point, adjacency, most, Fraction(2)),
        Question(at(value + slack), "delta", point, adjacency, Fraction(-1), most),
    ]


def poisson(base: Gaussian | Laplace | DiscreteLaplace, q: object) -> Any:
    rate = Fraction(q)  # type: ignore[arg-type]
    if rate == 0:
        return RandomizedResponse("1/2")  # P = Q
    return base if rate == 1 else PoissonSubsampled(base, rate)


def mechanism(row: Row) -> Composition | Unsupported:
    name, params = row["mechanism"], row["params"]
    if name == "heterogeneous poisson gaussian RDP":
        total = [part["steps"] * poisson(Gaussian(part["sigma"]), part["q"]) for part in params["parts"]]
        return total[0] + total[1]  # type: ignore[no-any-return]
    if name.startswith("dp_sgd "):
        sigma = Fraction(params["sigma"]) / (2 if params["microbatching"] else 1)
        q, epochs = params["q"] or 1, Fraction(params["num_epochs"])
        return math.ceil(epochs / Fraction(q)) * poisson(Gaussian(sigma), q)  # type: ignore[no-any-return]
    if name.startswith("DP-SGD Abadi"):
        steps = params["epochs"] * params["n"] // params["batch"]
        return steps * poisson(Gaussian(params["sigma"]), params["q"])  # type: ignore[no-any-return]
    if name.startswith("gaussian sampled without replacement"):
        base = Gaussian(params["sigma"], sensitivity="1/2")
        return params["steps"] * SampledWithoutReplacement(base, params["q"])  # type: ignore[no-any-return]
    if name.startswith("poisson_sampled_gaussian"):
        steps = {"int(90//0.04)": 2249}.get(params["steps"], params["steps"])
        base = Gaussian(params["sigma"], sensitivity=params.get("sensitivity", 1))
        return steps * poisson(base, params["q"])  # type: ignore[no-any-return]
    if name == "poisson_sampled_laplace":
        base = Laplace(params["b"], sensitivity=params.get("sensitivity", 1))
        return params["steps"] * poisson(base, params["q"])  # type: ignore[no-any-return]
    if name == "poisson_sampled_discrete_laplace":
        base = DiscreteLaplace(1 / Fraction(params["a"]), sensitivity=params["sensitivity"])
        return params["steps"] * poisson(base, params["q"])  # type: ignore[no-any-return]
    if name == "mixture_of_gaussians":
        return as_composition(mixture(params["sigma"], params["sensitivities"], params["sampling_probs"]))
    if name == "mixture_of_gaussians composed":
        parts = (params["first"], params["second"])
        rows = [each["count"] * mixture(each["sigma"], each["sens"], each["probs"]) for each in parts]
        return rows[0] + rows[1]  # type: ignore[no-any-return]
    if name == "randomized_response":
        return randomized_response(row)
    if name.startswith("pure DP"):
        return params["k"] * PureDP("1/512")
    return Unsupported(f"mechanism {name}")


def mixture(sigma: float, sensitivities: list[float], chances: list[float]) -> MixtureOfGaussians:
    """The decimals that are printed, which sum to 1 where the doubles may not."""
    return MixtureOfGaussians(sigma, [str(c) for c in sensitivities], [str(w) for w in chances])


def randomized_response(row: Row) -> Composition:
    buckets, noise = row["params"]["num_buckets"], Fraction(row["params"]["noise_parameter"])
    wrong = noise / buckets
    if row["neighbouring"] == "REPLACE_ONE":
        return as_composition(RandomizedResponse(1 - noise + wrong, categories=buckets))
    told = [1 - noise + wrong, *[wrong] * (buckets - 1)]
    return as_composition(FinitePair(told, [Fraction(1, buckets)] * buckets))
