"""A snippet asks the library alone, and prints what the adapter claims."""

import contextlib
import io
from collections.abc import Callable, Iterator

import pytest

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.adapters.adapter import Adapter
from pldverify.accountants.registry import accountant, accountant_names
from pldverify.errors import MissingLibrary
from pldverify.mechanisms import (
    ApproximateDP,
    FinitePair,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    PureDP,
    Query,
    RandomizedResponse,
    SampledWithoutReplacement,
)
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")

SAMPLED = PoissonSubsampled(Gaussian(2), "1/4")
QUERIES = [
    Query(3 * SAMPLED, delta="1e-5"),
    Query(3 * SAMPLED, epsilon=1),
    Query(2 * SAMPLED + 3 * PoissonSubsampled(Gaussian(4), "1/4"), delta="1e-5"),
    Query(SAMPLED, epsilon=0),
    Query(Gaussian(3), delta="1e-5"),
    Query(Gaussian(6, sensitivity=2), delta="1e-5", adjacency="replace-one"),
    Query(4 * Laplace(3) + 5 * Laplace(2), delta="1e-5"),
    Query(4 * Laplace(3), epsilon="1/2"),
    Query(3 * RandomizedResponse("3/4"), delta="1e-3"),
    Query(2 * PureDP("1/2") + ApproximateDP("1/4", "1e-6"), delta="1e-3"),
    Query(3 * FinitePair(["1/2", "1/2", 0], ["1/4", "1/4", "1/2"]), epsilon=1),
    Query(3 * SampledWithoutReplacement(Gaussian(3), "1/4"), delta="1e-5"),
    NoiseQuery(3 * PoissonSubsampled(Gaussian(1), "1/4"), epsilon=1, delta="1e-5"),
    NoiseQuery(Gaussian(1), epsilon=1, delta="1e-5"),
    NoiseQuery(3 * Laplace(1), epsilon=1, delta="1e-5"),
    RenyiQuery(3 * SAMPLED, order="5/2"),
    RenyiQuery(3 * Laplace(2), order="5/2"),
    TradeOffQuery(3 * SAMPLED, alpha="1/20"),
]
SLOW = ("opacus", "jax-privacy", "opendp", "diffprivlib")
"""Libraries that take seconds to load, and are seldom there."""
QUICK = ("dp-accounting", "prv-accountant", "autodp", "riskcal", "fourier-accountant")


MOST = 2
"""Questions of one accountant."""


def printed(snippet: str) -> float:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(snippet, "snippet", "exec"), {})
    return float(said.getvalue())


def claimed(subject: Accountant, query: Query) -> object:
    return subject.claim(query).value  # type: ignore[union-attr]  # adapters return claims


def outcome(function: Callable[..., object], *arguments: object) -> object:
    """What comes back; of an exception its type."""
    try:
        return function(*arguments)
    except Exception as error:  # whatever the library raises
        return type(error)


def cases() -> Iterator[object]:
    for name in accountant_names():
        library, _, variant = name.partition("/")
        if library in QUICK + SLOW and name != "autodp/fourier":
            is_slow = library in SLOW or variant.startswith(
                ("calibrate", "smallest", "upper-", "pld-mixture")
            )
            yield pytest.param(name, marks=[pytest.mark.slow] if is_slow else [])


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", list(cases()))
def test_a_snippet_prints_the_claim(name: str) -> None:
    try:
        subject = accountant(name)
    except MissingLibrary as missing:
        pytest.skip(str(missing))
    asked = [query for query in QUERIES if type(query) in subject.asks and subject.supports(query) is None]
    assert asked
    for query in asked[:MOST]:
        snippet = subject.snippet(query)  # type: ignore[attr-defined]  # of adapters
        assert snippet is not None and "pldverify" not in snippet
        assert outcome(printed, snippet) == outcome(claimed, subject, query)


def test_a_snippet_of_another_question_would_be_seen() -> None:
    pytest.importorskip("dp_accounting")
    subject = accountant("dp-accounting")
    assert isinstance(subject, Adapter)
    other = subject.snippet(Query(4 * SAMPLED, delta="1e-5"))
    assert other is not None and printed(other) != subject.claim(QUERIES[0]).value


def test_what_is_refused_has_no_snippet() -> None:
    pytest.importorskip("riskcal")
    with pytest.raises(NotImplementedError, match="epsilon = 0"):
        accountant("riskcal").snippet(Query(Gaussian(1), epsilon=1))  # type: ignore[attr-defined]
