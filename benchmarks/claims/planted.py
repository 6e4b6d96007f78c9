"""Claims that were once judged wrongly, or told of wrongly, by the name of the mistake."""

from typing import Any

Claim = dict[str, Any]


def gaussian(noise: Any, sampling: str = "none", **more: Any) -> Claim:
    return {"mechanism": "gaussian", "noise_multiplier": noise, "sampling": sampling, **more}


def expression(text: str, *releases: tuple[Any, int]) -> Claim:
    return {"mechanism": "expression", "expression": text, "_releases": list(releases)}


_ROOT = gaussian("sqrt(2)", steps=1)
_ONE = ("gaussian", "1", "1")
_GROUP = expression("group(pure_dp(epsilon=1), m=2)", (("group", ("pure_dp", "1"), 2), 1))
_SUBSTITUTE = expression("kjh19_substitute(gaussian(sigma=1), q=0.3)", (("kjh19_substitute", _ONE, "0.3"), 1))
_BALLS = expression(
    "balls_and_bins(gaussian(sigma=2), batches=5)", (("balls_and_bins", ("gaussian", "2", "1"), 5), 1)
)
_TRAINING = gaussian("1.1", "poisson", batch_size=100, dataset_size=6000, epochs=3)
_HALF = {
    "mechanism": "discrete_gaussian",
    "standard_deviation": "0.5",
    "sensitivity": 1,
    "sampling": "none",
    "steps": 1,
}


def _claim(name: str, adjacency: str, *phases: Claim, **claimed: Any) -> Claim:
    stated = {"adjacency": adjacency} if adjacency else {}
    return {"id": name, **claimed, **stated, "phase": list(phases)}


PLANTED: list[Claim] = [
    _claim("unknown-rho-is-infinite", "add-or-remove", _ROOT, rho="0.26"),
    _claim("unknown-rho-certifies", "add-or-remove", _ROOT, rho="100", relation=">="),
    _claim(
        "unknown-divergence-is-infinite", "add-or-remove", _ROOT, rdp={"order": "2", "divergence": "0.51"}
    ),
    _claim(
        "unknown-divergence-certifies",
        "add-or-remove",
        _ROOT,
        rdp={"order": "2", "divergence": "100"},
        relation=">=",
    ),
    _claim(
        "zcdp-below-order-one",
        "",
        {"mechanism": "zcdp", "rho": "1.5232"},
        rdp={"order": "1/2", "divergence": "0.7616"},
    ),
    _claim("negative-order", "add-or-remove", gaussian("1", steps=1), rdp={"order": "-1", "divergence": "0"}),
    _claim(
        "part-of-an-epoch",
        "zero-out",
        gaussian("1", "shuffled", q="0.03", steps=1),
        epsilon="4.2",
        delta="1e-5",
    ),
    _claim(
        "rounded-equality",
        "add-or-remove",
        gaussian("1", steps=1),
        epsilon="4.38",
        delta="1e-5",
        relation="=",
    ),
    _claim(
        "fixed-batches-of-no-relation",
        "",
        gaussian("2", "fixed_without_replacement", q="0.1", steps=1),
        epsilon="5",
        delta="1e-5",
    ),
    _claim("deviation-is-no-parameter", "add-or-remove", _HALF, epsilon="8.6", delta="1e-5"),
    _claim("group-of-a-promise-is-bounded", "add-or-remove", _GROUP, epsilon="0", delta="0.7"),
    _claim("print-that-shows-nothing", "add-or-remove", _TRAINING, epsilon="1.19", delta="1e-5"),
    _claim("print-that-shows-nothing-refuted", "add-or-remove", _TRAINING, epsilon="1.181", delta="1e-5"),
    _claim(
        "page-of-another-relation",
        "add-or-remove",
        gaussian("1", "shuffled", q="0.01", epochs=1),
        epsilon="4",
        delta="1e-6",
    ),
    _claim(
        "lower-end-of-an-upper-bound",
        "zero-out",
        gaussian("0.7", "shuffled", q="0.03", epochs=30),
        epsilon="60",
        delta="1e-5",
    ),
    _claim("printed-pair-told-as-true", "replace-one", _SUBSTITUTE, epsilon="9", delta="1e-6"),
    _claim("gdp-of-no-pair", "replace-one", _BALLS, mu="1.5"),
]
"""By mistake: unknown taken for infinite, a lemma outside its hypothesis, a certificate that says more than
its ruling, an assumption dropped, a deviation taken for a parameter, a bound taken for exact, prints that
show nothing, pages and ends of something else, a relation without a pair."""
