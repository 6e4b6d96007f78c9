"""Findings in JSON form, for tests: made by hand, so that nothing is asked."""

from typing import Any

LONG = "x" * 1_000_000
SCRIPT = "<script>alert(1)</script>"
HOSTILE_FIELDS = ("accountant", "version", "query", "composition", "reason", "engine")
"""Texts that come from a subject, or from whoever wrote a file."""


def finding(**changed: object) -> dict[str, Any]:
    """A SOUND claim of ε, 0.25 above the truth, with what is changed."""
    document: dict[str, Any] = {
        "verdict": "SOUND",
        "severity": None,
        "accountant": "planted/upper",
        "version": "1.0",
        "query": "ε at δ=1e-6 of 10 * poisson(gaussian(sigma=2), q=0.1) [add-or-remove]",
        "composition": "10 * poisson(gaussian(sigma=2), q=0.1)",
        "adjacency": "add-or-remove",
        "quantity": "epsilon",
        "delta": "1e-6",
        "epsilon": None,
        "direction": "upper",
        "claim": "1.25",
        "claim_float": 1.25,
        "lower": "0.999999999999",
        "lower_float": 0.999999999999,
        "upper": "1",
        "upper_float": 1.0,
        "slack": "0.25",
        "slack_float": 0.25,
        "excess": None,
        "excess_float": None,
        "tightness": "0.25",
        "tightness_float": 0.25,
        "error_float": 0.25,
        "promise": None,
        "parameters": {},
        "lower_by": "some neighbours have the pair",
        "upper_by": "the pair dominates all neighbours",
        "engine": "contour",
        "seconds": 0.5,
        "reason": "",
        "cause": None,
    }
    document |= changed
    lower, upper = document["lower"] or "", document["upper"] or ""
    truth = f"[{lower}, {upper}]" if lower and upper else f"≤ {upper}" if upper else ""
    shown = {"claim": document["claim"] or "", "truth": truth, "lower": lower, "upper": upper}
    return {"shown": shown} | document


def unsound(by: float = 0.5, **changed: object) -> dict[str, Any]:
    """A material violation."""
    gone = dict.fromkeys(("slack", "slack_float", "tightness", "tightness_float"))
    wrong = {"verdict": "UNSOUND", "severity": "material", "excess": str(by), "excess_float": by}
    return finding(**{**gone, **wrong, "claim": str(1 - by), "claim_float": 1 - by, **changed})


def failed(verdict: str = "CRASHED", reason: str = "it fell asleep", **changed: object) -> dict[str, Any]:
    """No claim."""
    names = ("claim", "lower", "upper", "slack", "tightness")
    gone = {f"{name}{end}": None for name in names for end in ("", "_float")}
    return finding(**{**gone, "verdict": verdict, "direction": None, "reason": reason, **changed})


def mixed() -> list[dict[str, Any]]:
    """One of each verdict, of three accountants and three mechanisms."""
    laplace = {"composition": "laplace(b=2)", "query": "δ at ε=1 of laplace(b=2) [add-or-remove]"}
    several = {"composition": "gaussian(sigma=1) + 3 * laplace(b=2)", "accountant": "other"}
    return [
        finding(),
        finding(seconds=1.5, composition="100 * poisson(gaussian(sigma=4), q=0.01)", tightness_float=0.5),
        unsound(**laplace, accountant="other"),
        unsound(1e-13, severity="rounding-level"),
        failed(),
        failed("REFUSED", "it does not take laplace", **laplace),
        failed("UNDECIDED", "an estimate", direction="estimate", claim="1.1", claim_float=1.1, **several),
        failed("INVALID", "nan is no number", accountant="third"),
    ]


def decomposition() -> dict[str, Any]:
    """The error of an FFT accountant, in two terms."""

    def interval(size: float) -> dict[str, Any]:
        return {"lower": str(-size), "upper": str(size), "lower_float": -size, "upper_float": size}

    def term(name: str, size: float, promised: object) -> dict[str, Any]:
        ends = {"promised_low_float": 0.0, "promised_high_float": promised}
        return {
            "name": name,
            "observed": interval(size),
            **ends,
            "verdict": "INSIDE",
            "theorem": "KH21 (5.3)",
        }

    return {
        "direction": "remove",
        "terms": [term("tail", 1e-12, 1e-11), term("rounding", 1e-16, "inf")],
        "total": interval(1e-12),
        "dominant": "tail",
    }
