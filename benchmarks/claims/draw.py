"""Random claims over what docs/claims.md allows, the claimed number at a chosen distance from the truth."""

import random
from collections.abc import Callable
from fractions import Fraction
from math import floor, log10
from typing import Any

from mpmath import mp

from benchmarks.claims.meanings import meanings
from benchmarks.claims.oracle import refusal
from benchmarks.claims.releases import Release

Claim = dict[str, Any]
Phase = dict[str, Any]
Rng = random.Random
_FIELDS: dict[str, tuple[str, ...]] = {
    "gaussian": ("sigma", "sensitivity"),
    "laplace": ("b", "sensitivity"),
    "discrete_gaussian": ("sigma", "sensitivity"),
    "discrete_laplace": ("b", "sensitivity"),
    "randomized_response": ("p", "categories"),
    "finite_pair": ("p", "q"),
    "binomial": ("n", "p", "sensitivity"),
    "pure_dp": ("epsilon",),
    "approximate_dp": ("epsilon", "delta"),
    "zcdp": ("rho",),
    "gdp": ("mu",),
    "poisson": ("", "q"),
    "sampled_without_replacement": ("", "q"),
    "sampled_with_replacement": ("", "m", "n"),
    "kjh19_substitute": ("", "q"),
    "shuffled": ("", "batches"),
    "balls_and_bins": ("", "batches"),
    "group": ("", "m"),
}


def text(release: Release) -> str:
    """The release as an expression of the command line."""
    kind, *values = release
    words = [f"{name}={_text(v)}" if name else text(v) for name, v in zip(_FIELDS[kind], values, strict=True)]
    return f"{kind}({', '.join(words)})"


def _text(value: Any) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def expression(*pieces: tuple[Release, int]) -> list[Phase]:
    """One phase."""
    said = " + ".join(text(r) if k == 1 else f"{k} * {text(r)}" for r, k in pieces)
    return [{"mechanism": "expression", "expression": said, "_releases": list(pieces)}]


def _decimal(rng: Rng, low: float, high: float, digits: int = 3) -> str:
    """A decimal, evenly in its logarithm, of so many digits at most."""
    value = low * (high / low) ** rng.random()
    return _shown(value, rng.randint(1, digits))


def _shown(value: float, digits: int) -> str:
    """``value`` with so many significant digits, as plain decimal."""
    if value == 0:
        return "0"
    places = max(0, digits - 1 - floor(log10(abs(value))))
    return f"{value:.{places}f}" if places < 20 else f"{value:.{digits - 1}e}"


def _real(rng: Rng, low: float, high: float) -> Any:
    """As decimals, fractions, roots or numbers of TOML."""
    plain = _decimal(rng, low, high)
    if float(plain) == 0:
        plain = repr(low)
    shape = rng.random()
    if shape < 0.6:
        return plain
    if shape < 0.7:
        return float(plain)
    if shape < 0.8:
        return f"{rng.randint(1, 9)}/{max(1, round(rng.randint(1, 9) / float(plain)))}"
    return f"sqrt({_shown(float(plain) ** 2, 2)})" if shape < 0.93 else f"{plain}*sqrt(2)"


def _q(rng: Rng) -> Any:
    return rng.choice(["0.01", "1%", 0.1, "1/3", "0.3", "0.03", "1/50", "0.5", "0.9"])


def _steps(rng: Rng, most: int = 1000) -> int:
    return max(1, round(most ** rng.random()))


def _noise(rng: Rng, steps: int) -> Phase:
    scale = steps**0.5
    if rng.random() < 0.7:
        return {"mechanism": "gaussian", "noise_multiplier": _real(rng, 0.4 * scale, 4 * scale)}
    s = _real(rng, 0.5, 3)
    return {
        "mechanism": "gaussian",
        "standard_deviation": _real(rng, 0.5 * scale, 8 * scale),
        "sensitivity": s,
    }


def _unsampled(rng: Rng) -> list[Phase]:
    steps = _steps(rng)
    counted = {"steps": steps} if rng.random() < 0.8 else {"epochs": steps}
    return [{**_noise(rng, steps), "sampling": "none", **counted}]


def _batches(rng: Rng) -> Phase:
    if rng.random() < 0.5:
        return {"q": _q(rng)}
    n = rng.choice([50, 600, 1000, 6000])
    return {"batch_size": max(1, round(n * rng.choice([0.01, 0.02, 0.1, 0.3]))), "dataset_size": n}


def _counted(rng: Rng, most: int) -> Phase:
    if rng.random() < 0.5:
        return {"steps": _steps(rng, most)}
    rule = rng.choice([None, None, "ceil", "floor"])
    return {"epochs": rng.choice([1, 2, 3, "1.5", 5])} | ({"steps_rule": rule} if rule else {})


def _poisson(rng: Rng) -> list[Phase]:
    return [{**_noise(rng, 1), "sampling": "poisson", **_batches(rng), **_counted(rng, 400)}]


def _shuffled(rng: Rng) -> list[Phase]:
    other = {"accounted_as": "poisson"} if rng.random() < 0.4 else {}
    return [{**_noise(rng, 1), "sampling": "shuffled", **other, **_batches(rng), **_counted(rng, 300)}]


def _fixed(rng: Rng) -> list[Phase]:
    other = {"accounted_as": "poisson"} if rng.random() < 0.4 else {}
    if rng.random() < 0.7:
        phase = {"sampling": "fixed_without_replacement", **other, **_batches(rng)}
    else:
        n = rng.choice([20, 100])
        phase = {
            "sampling": "fixed_with_replacement",
            **other,
            "batch_size": rng.choice([1, 2, 3]),
            "dataset_size": n,
        }
    return [{**_noise(rng, 1), **phase, "steps": _steps(rng, 100)}]


def _laplace(rng: Rng) -> list[Phase]:
    steps = _steps(rng, 100)
    base = {
        "mechanism": "laplace",
        "scale": _real(rng, steps**0.5, 5 * steps**0.5),
        "sensitivity": rng.choice([1, 2, "0.5"]),
    }
    if rng.random() < 0.6:
        return [{**base, "sampling": "none", "steps": steps}]
    return [{**base, "sampling": "poisson", "q": _q(rng), "steps": steps}]


def _discrete_gaussian(rng: Rng) -> list[Phase]:
    base = {
        "mechanism": "discrete_gaussian",
        "sigma" if rng.random() < 0.9 else "standard_deviation": _decimal(
            rng, 0.4, 6
        ),  # that is no parameter
        "sensitivity": rng.choice([1, 2]),
    }
    if rng.random() < 0.6:
        return [{**base, "sampling": "none", "steps": _steps(rng, 20)}]
    return [{**base, "sampling": "poisson", "q": _q(rng), "steps": _steps(rng, 20)}]


def _guarantee(rng: Rng) -> list[Phase]:
    times = _steps(rng, 30)
    kind = rng.choice(["pure_dp", "pure_dp", "approximate_dp", "zcdp", "zcdp", "gdp"])
    if kind == "zcdp":
        phase: Phase = {"rho": _decimal(rng, 0.01, 2)}
    elif kind == "gdp":
        phase = {"mu": _real(rng, 0.1, 2)}
    else:
        phase = {"epsilon": _real(rng, 0.05, 2)}
    phase |= {"delta": rng.choice(["1e-6", "1e-4", 1e-8])} if kind == "approximate_dp" else {}
    if kind in ("pure_dp", "approximate_dp") and rng.random() < 0.25:
        phase |= {"sampling": "poisson", "q": _q(rng)}
    return [{"mechanism": kind, **phase, **({"times": times} if times > 1 else {})}]


def _vectors(rng: Rng) -> Release:
    size = rng.randint(2, 4)
    p, q = ([Fraction(rng.randint(1, 20)) for _ in range(size)] for _ in range(2))
    if rng.random() < 0.25:
        q[-1] = Fraction(0)
    normal = [tuple(str(each / sum(v)) for each in v) for v in (p, q)]
    return ("finite_pair", *normal)


def _finite(rng: Rng) -> list[Phase]:
    release: Release = rng.choice(
        [
            ("randomized_response", rng.choice(["0.6", "0.75", "0.9", "0.99"]), rng.choice([2, 3, 10])),
            _vectors(rng),
            _vectors(rng),
            ("discrete_laplace", rng.choice(["1", "2", "5", "3/2"]), rng.choice([1, 2, 3])),
            ("discrete_gaussian", _decimal(rng, 0.5, 4), rng.choice([1, 2])),
            ("binomial", rng.choice([20, 20, 100]), rng.choice(["1/2", "1/2", "0.3"]), rng.choice([1, 2])),
        ]
    )
    if release[0] in ("randomized_response", "discrete_laplace") and rng.random() < 0.3:
        release = ("poisson", release, str(rng.choice(["0.1", "1/3", "0.5"])))
    return expression((release, rng.choice([1, 1, 2, 5])))


def _grouped(rng: Rng) -> list[Phase]:
    base: Release = rng.choice(
        [
            ("gaussian", _decimal(rng, 1, 8), "1"),
            ("laplace", _decimal(rng, 1, 8), "1"),
            ("pure_dp", _decimal(rng, 0.05, 1)),
            ("approximate_dp", _decimal(rng, 0.05, 1), "1e-5"),
            ("zcdp", _decimal(rng, 0.01, 0.5)),
            ("gdp", _decimal(rng, 0.05, 1)),
            ("poisson", ("gaussian", _decimal(rng, 1, 4), "1"), rng.choice(["0.1", "1/4"])),
        ]
    )
    return expression((("group", base, rng.choice([2, 3])), rng.choice([1, 1, 1, 4])))


def _matrix(rng: Rng) -> list[Phase]:
    sigma = _decimal(rng, 1, 9)
    if rng.random() < 0.5:
        rows = [[rng.randint(0, 2) for _ in range(3)] for _ in range(3)]
        rows[0] = [1, 1, 1]
        norm = max(sum(row[j] ** 2 for row in rows) for j in range(3))
        said = f"matrix_mechanism(sigma={sigma}, strategy={rows})"
    else:
        leaves = rng.choice([1, 5, 16, 100])
        norm = leaves.bit_length()
        said = f"tree_aggregation(sigma={sigma}, steps={leaves})"
    return [
        {
            "mechanism": "expression",
            "expression": said,
            "_releases": [(("gaussian", sigma, f"sqrt({norm})"), 1)],
        }
    ]


def _hidden(rng: Rng) -> list[Phase]:
    base: Release = ("gaussian", _decimal(rng, 0.6, 4), "1")
    kind = rng.choice(["balls_and_bins", "shuffled", "kjh19_substitute", "sampled_without_replacement"])
    hidden = kind in ("balls_and_bins", "shuffled")
    second = rng.choice([2, 5, 50]) if hidden else str(rng.choice(["0.1", "0.3", "1"]))
    return expression(((kind, base, second), rng.choice([1, 1, 3])))


def _several(rng: Rng) -> list[Phase]:
    makers = [_unsampled, _poisson, _laplace, _guarantee, _finite, _discrete_gaussian, _matrix]
    return [phase for _ in range(rng.choice([2, 2, 3])) for phase in rng.choice(makers)(rng)]


KINDS: dict[str, tuple[Callable[[Rng], list[Phase]], float]] = {
    "unsampled": (_unsampled, 2.0),
    "poisson": (_poisson, 2.0),
    "shuffled": (_shuffled, 1.5),
    "fixed": (_fixed, 1.0),
    "laplace": (_laplace, 1.0),
    "discrete gaussian": (_discrete_gaussian, 1.0),
    "guarantee": (_guarantee, 2.0),
    "finite": (_finite, 2.0),
    "group": (_grouped, 1.0),
    "matrix": (_matrix, 0.5),
    "hidden": (_hidden, 1.0),
    "several": (_several, 1.5),
}
"""How phases are drawn, and how often."""
_ALLOWED = 0.85
"""Share of the claims that ask what docs/claims.md allows."""
_ADJACENCIES = ["add-or-remove"] * 5 + ["replace-one"] * 3 + ["zero-out"] * 3 + ["add", "remove"] + [None] * 3


def draw(seed: int, index: int) -> tuple[str, Claim]:
    """(kind, claim) of that index: one that is allowed, as a rule, or one that must be refused."""
    rng = random.Random(f"{seed} {index}")
    allowed = rng.random() < _ALLOWED
    while True:
        kind, claim = _drawn(rng, f"claim-{seed}-{index}")
        if allowed != bool(refusal(claim)):
            _set(claim, _value(rng, claim))
            return kind, claim


def _drawn(rng: Rng, name: str) -> tuple[str, Claim]:
    kind = rng.choices(list(KINDS), [weight for _, weight in KINDS.values()])[0]
    claim: Claim = {"id": name}
    weights = {"epsilon": 6, "rho": 1.4, "mu": 1.2, "rdp": 1.4, "tpr": 0.8, "advantage": 0.8}
    quantity = rng.choices(list(weights), list(weights.values()))[0]
    if quantity == "tpr":
        claim["tpr"] = {"fpr": rng.choice(["0.001", "1e-5", "5%", "1/3", 0.1]), "tpr": "1"}
    elif quantity == "rdp":
        order = rng.choice(
            ["2", "3/2", "8", "32", "1/2", 1, "1.01", 4, "sqrt(2)", "inf"] + ["-1"] * (rng.random() < 0.1)
        )
        claim["rdp"] = {"order": order, "divergence": "1"}
    else:
        claim[quantity] = "1"
    if quantity == "epsilon":
        claim["delta"] = rng.choice(["1e-5", "1e-6", 1e-5, "1e-3", "0.01", "1/60000", 0.1, 0])
    adjacency = rng.choice(_ADJACENCIES)
    claim |= {"adjacency": adjacency} if adjacency else {}
    claim |= (
        {"relation": r}
        if (r := rng.choices(["<=", ">=", "="], [6, 2, 1.5])[0]) != "<=" or rng.random() < 0.2
        else {}
    )
    claim |= {"exact": True} if rng.random() < 0.3 else {}
    claim["phase"] = KINDS[kind][0](rng)
    return f"{kind}, {quantity}", claim


def _set(claim: Claim, value: Any) -> None:
    if "rdp" in claim:
        claim["rdp"] = {**claim["rdp"], "divergence": value}
    elif "tpr" in claim:
        claim["tpr"] = {**claim["tpr"], "tpr": value}
    else:
        claim[next(name for name in ("epsilon", "rho", "mu", "advantage") if name in claim)] = value


def _value(rng: Rng, claim: Claim) -> Any:
    """Near the true value of a meaning: of a relative distance from 1e-4 to 1 as a rule, rounded, or far."""
    near = [m.truth.near for m in meanings(claim) if m.truth is not None and m.truth.near is not None]
    truth = rng.choice(near) if near else 1.0
    if truth > 1e6:
        truth = 1.0
    shape = rng.random()
    if shape < 0.6:
        distance = 10 ** rng.uniform(-4, 0)
        value = truth * (1 + distance * rng.choice([-1, 1]))
        return _shown(max(value, 0.0), max(1, rng.randint(0, 2) + round(-log10(distance)) + 1))
    if shape < 0.75:
        return _shown(truth, rng.randint(1, 8))
    if shape < 0.8:
        return _shown(truth * 10 ** rng.uniform(-2, 2), 3)
    if shape < 0.85:
        return f"sqrt({_shown(max(1e-4, truth**2), 4)})"
    exact = Fraction(mp.nstr(mp.mpf(truth), 17)).limit_denominator(rng.choice([1, 10, 1000, 10**6]))
    return str(exact) if rng.random() < 0.7 else float(_shown(truth, 3))
