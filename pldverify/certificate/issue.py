"""From a ruling to its document: everything exact, everything named."""

import inspect
import math
import platform
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from pldverify.certificate.document import SCHEMA, Document, digest
from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.mechanism import Composition, Mechanism, composed, parameters
from pldverify.mechanisms.one_sample import OneSample
from pldverify.mechanisms.truncated_geometric import TruncatedGeometric
from pldverify.numbers.exact import show
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.json import text
from pldverify.numbers.witness import Bound, Witness
from pldverify.rulings.certify import Certificate

ASSUMPTIONS = {
    "releases": "nothing else that depends on the data is released",
    "noise": "each step's randomness is exact, independent and secret",
    "sensitivity": "each step's query has the stated sensitivity, per record",
    "poisson-sampling": "each record is in each batch independently, with the stated probability",
    "fixed-batches": "each batch is drawn as stated, independently of the others",
    "hidden-batches": "each record's batch is drawn as stated, and stays secret",
    "draws": "moves of queries, numbers of runs and orders of reports are drawn as stated, and stay secret",
    "guarantee": "the guarantees that are stated of mechanisms hold",
    "pairs": "the pairs that are stated dominate all neighbours",
}
"""What verdicts take for granted; ``pldverify/recheck.py`` has its own copy of those that it knows."""
_BATCHES = ("truncated_poisson", "sampled_without_replacement", "sampled_with_replacement")
_PRINTED = ("kjh19_substitute", "kjh20_with_replacement")
_GUARANTEES = ("pure_dp", "approximate_dp", "group_dp", "gdp", "zcdp", "renyi_dp")
_OF_MECHANISM = {
    "poisson": "poisson-sampling",
    **dict.fromkeys((*_BATCHES, *_PRINTED), "fixed-batches"),
    **dict.fromkeys(("shuffled", "balls_and_bins"), "hidden-batches"),
    **dict.fromkeys(("mixture_of_gaussians", "repeat_and_select", "shuffle_model"), "draws"),
    **dict.fromkeys(_GUARANTEES, "guarantee"),
    **dict.fromkeys(("finite_pair", "density_pair"), "pairs"),
}
_NAMES = {kind: name for name, kind in Mechanism.expressions.items()} | {
    DensityPair: "density_pair",
    OneSample: "one_sample",
    TruncatedGeometric: ApproximateDP.expression,
}
_LONGEST = 2**53
"""Least size of integers that are written as strings: readers of JSON may take numbers as doubles, which are
exact below it (RFC 7493, section 2.2)."""


def document(certificate: Certificate) -> Document:
    """The certificate as a document of the schema ``pldverify-certificate/1``.

    >>> from pldverify.certificate.issue import document
    >>> found = document(pv.certify(pv.Query(10 * pv.Laplace(b=5), delta=0), epsilon=2))
    >>> found.verdict, found.claim.epsilon, found.composition[0].mechanism.parameters["b"]
    ('CERTIFIED', '2', '5')
    """
    query, truth = certificate.query, certificate.truth
    composition = query.composition
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "claim": {
            "quantity": "epsilon",
            "relation": str(certificate.relation),
            "epsilon": text(certificate.epsilon),
            "delta": text(query.delta),
        },
        "adjacency": query.adjacency,
        "composition": [{"count": times, "mechanism": _plain(m)} for m, times in composition.parts],
        "assumptions": [{"id": name, "text": ASSUMPTIONS[name]} for name in assumed(composition)],
        "dominating_pairs": [
            {
                "mechanism": str(m),
                "directions": list(composition.directions(query.adjacency)),
                "theorem": inspect.cleandoc(sys.modules[type(m).__module__].__doc__ or ""),
            }
            for m, _ in composition.parts
        ],
        "standing": certificate.truth_is,
        "verdict": str(certificate.verdict),
        "reason": certificate.reason,
        "cause": certificate.cause,
        "enclosure": None if truth is None else {"lower": end(truth.lower), "upper": end(truth.upper)},
        "witness": None if truth is None or truth.witness is None else _witness(truth.engine, truth.witness),
        "versions": {
            "pldverify": certificate.version,
            "python": platform.python_version(),
            "python-flint": version("python-flint"),
        },
    }
    return Document.model_validate({**content, "sha256": digest(content)})


def end(value: Bound) -> str:
    """An end of an enclosure, exactly: ``m*2^e``, or ``n/d`` where it is not dyadic.

    >>> end(Fraction(3, 8)), end(Fraction(5)), end(Fraction(1, 3)), end(math.inf)
    ('3*2^-3', '5', '1/3', 'inf')
    """
    if value == math.inf:
        return "inf"
    number = Fraction(value)
    exponent = number.denominator.bit_length() - 1
    if number.denominator != 1 << exponent:
        return f"{number.numerator}/{number.denominator}"
    return f"{number.numerator}*2^{-exponent}" if exponent else str(number.numerator)


def assumed(composition: Composition) -> list[str]:
    """The names of what a verdict on the composition takes for granted, as in ``ASSUMPTIONS``."""
    kinds = {_name(m) for m in consists_of(composition) if not isinstance(m, OneSample)}
    moves = {"sensitivity"} if "mixture_of_gaussians" in kinds else set()  # of how much, and how often
    return sorted({"releases", "noise", *moves, *(_OF_MECHANISM.get(kind, "sensitivity") for kind in kinds)})


def promised(composition: Composition) -> bool:
    """Whether it is of guarantees or pairs that were stated: what was run may tell less than they allow."""
    return not {"guarantee", "pairs"}.isdisjoint(assumed(composition))


def consists_of(composition: Composition) -> Iterator[Mechanism]:
    """The mechanisms, and their bases; of several on one sample each.

    >>> from pldverify.certificate.issue import consists_of
    >>> print(*consists_of(3 * pv.PoissonSubsampled(pv.Gaussian(1), q="0.1")))
    poisson(gaussian(sigma=1), q=0.1) gaussian(sigma=1)
    """
    for mechanism, _ in composition.parts:
        yield mechanism
        base = mechanism.composition if isinstance(mechanism, OneSample) else getattr(mechanism, "base", None)
        if base is not None:
            yield from consists_of(composed(base))


def _plain(mechanism: Mechanism) -> dict[str, Any]:
    if isinstance(mechanism, TruncatedGeometric):  # what it promises, which is its pair
        mechanism = ApproximateDP(mechanism.epsilon, mechanism.delta)
    base, given = None, {}
    for item in parameters(mechanism):
        value = getattr(mechanism, item.name)
        if isinstance(value, Mechanism):
            base = _plain(value)
        elif item.init and value is not None:
            given[item.name] = [_exact(x) for x in value] if isinstance(value, tuple) else _exact(value)
    return {"name": _name(mechanism), "parameters": given, "base": base}


def _name(mechanism: Mechanism) -> str:
    return _NAMES.get(type(mechanism), type(mechanism).__name__)


def _exact(value: object) -> str:
    return show(value) if isinstance(value, Fraction | Irrational) else str(value)


def _witness(engine: str, witness: Witness) -> dict[str, Any]:
    errors = [{"name": name, "bound": end(size)} for name, size in witness.errors]
    return {"engine": engine, "statement": _typed(witness.statement), "errors": errors}


def _typed(value: object) -> Any:
    """An object of a proof: frozen dataclasses of exact numbers, words, and tuples of these."""
    if isinstance(value, Mechanism):
        return {"type": "Mechanism", "fields": {"expression": str(value)}}
    if is_dataclass(value) and not isinstance(value, type):
        told = [item.name for item in fields(value) if item.init and item.compare]  # equal ones tell the same
        return {"type": type(value).__name__, "fields": {name: _typed(getattr(value, name)) for name in told}}
    if isinstance(value, tuple | list | frozenset):
        return [_typed(item) for item in value]
    if isinstance(value, Fraction) or value == math.inf:
        return text(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _LONGEST:
        return str(value)
    if value is None or isinstance(value, str | bool | int):
        return value
    raise InvalidInput(f"witness must be of exact numbers and words, got {type(value).__name__}")
