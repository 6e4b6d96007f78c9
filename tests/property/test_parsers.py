"""What others wrote is read, or refused as is documented: certificates, claims files, expressions.

A hundred examples of each here; ``HYPOTHESIS_PROFILE=nightly`` tries thousands.
"""

import base64
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pldverify import recheck
from pldverify.claims.read import ENDINGS, BadClaim, read
from pldverify.errors import PldverifyError
from pldverify.mechanisms.expression import MECHANISMS, parse
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers import toml
from pldverify.rulings.model import Claim
from tests.unit.claims.claims import HOSTILE, RUN

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
TESTS = Path(__file__).parents[1]
STORED = [
    path.read_text("utf-8")
    for path in sorted((TESTS / "data" / "certificates").glob("*.json"))
    if NIGHTLY or "balls-and-bins" not in path.name  # whose law alone takes a second
]
CLAIMS = [path for path in sorted((TESTS.parent / "examples" / "claims").iterdir()) if path.suffix in ENDINGS]
many = settings(
    max_examples=2_000 if NIGHTLY else 40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

WORDS = st.sampled_from(
    [
        *HOSTILE, "", "0", "-1", "1e-6", "1e400", "1e999999999", "1/0", "1/3", "nan", "inf", "1_0", "١",
        "9" * 5000, "0x1", "sqrt(2)", "1*2^3", "add", "remove", "replace-one", "zero-out", "CERTIFIED", "<=",
        ">=", "=", "gaussian", "laplace", "poisson", "pure_dp", "shuffled", "none", "exact", "a.b", "REFUTED",
    ]
)  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | WORDS | st.text(max_size=9)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
CUTS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), WORDS | st.text(max_size=5)), max_size=4)


def cut(text: str, cuts: list[tuple[float, int, str]]) -> str:
    """With some places, each a share of the text, replaced."""
    for share, length, put in cuts:
        at = int(share * len(text))
        text = text[:at] + put + text[at + length :]
    return text


def places(value: Any) -> list[tuple[Any, Any]]:
    """Each container with each of its keys."""
    rows = list(value.items() if isinstance(value, dict) else enumerate(value))
    inner = [place for _, item in rows if isinstance(item, dict | list) for place in places(item)]
    return [(value, key) for key, _ in rows] + inner


def changed(document: Any, data: st.DataObject) -> Any:
    """With values, keys and rows that are others, or gone, or twice."""
    document = json.loads(json.dumps(document))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(places(document) or [({"": 0}, "")]))
        what = data.draw(st.sampled_from(["put", "put", "put", "drop", "name", "again"]))
        if what == "put":
            holder[key] = data.draw(VALUES)
        elif what == "drop":
            del holder[key]
        elif isinstance(holder, dict):
            holder[data.draw(WORDS)] = holder.pop(key)
        else:
            holder.append(holder[key])
    return document


# --- certificates ---


def decided(data: bytes) -> str:
    """How the checker ends, as its ``main`` does; any exception but Rejected is an error of the checker."""
    try:
        document, notes = recheck.opened(data)
        outcome, lines = recheck.recheck(document)
    except recheck.Rejected as reason:
        return f"REJECTED {reason}"[:8]
    assert all(isinstance(line, str) for line in lines + notes)
    return outcome


@pytest.fixture(autouse=True, scope="module")
def little_work() -> Any:
    """Most are refused before anything is decided; what is not may stay undecided."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recheck, "WORK", 10**5)
        yield


@many
@given(st.sampled_from(STORED), CUTS)
def test_no_text_breaks_the_checker(text: str, cuts: list[tuple[float, int, str]]) -> None:
    whole = cut(text, cuts)
    assert decided(whole.encode("utf-8", "surrogatepass")) in recheck.CODES


@many
@given(st.sampled_from(STORED), st.data())
def test_no_document_breaks_the_checker(text: str, data: st.DataObject) -> None:
    """With its own digest, alone and in an envelope."""
    document = changed(json.loads(text), data)
    try:
        sealed = json.dumps(
            document | {"sha256": recheck.hashlib.sha256(recheck.canonical(document)).hexdigest()}
        )
    except (recheck.Rejected, UnicodeError):
        sealed = json.dumps(document)
    assert decided(sealed.encode()) in recheck.CODES
    statement = {
        "_type": recheck.STATEMENT,
        "subject": [{"digest": {"sha256": json.loads(sealed).get("sha256")}}],
        "predicateType": recheck.PREDICATE,
        "predicate": json.loads(sealed),
    }
    if data.draw(st.booleans()):
        statement = changed(statement, data)
    envelope: Any = {
        "payloadType": recheck.PAYLOAD,
        "payload": base64.b64encode(json.dumps(statement).encode()).decode(),
        "signatures": [{"sig": "eHh4"}],
    }
    if data.draw(st.booleans()):
        envelope = changed(envelope, data)
    assert decided(json.dumps(envelope).encode()) in recheck.CODES


# --- claims files ---

ROW = {"id": "one", "epsilon": "1", "delta": "1e-6", "adjacency": "add-or-remove", "phase": [RUN]}
ENTRY = (
    "url_slug: &a x\ndeployment:\n  basic: {name: &b Tables, description: [*a, *b]}\n  privacy_loss:\n"
    "    privacy_parameters: {rho: 0.07, epsilon: 2.47, delta: 1.0e-10}\n"
)


def claims_in(text: str, ending: str) -> None:
    """Each is a claim or what is wrong with it, in a line or two; or the file can't be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"claims{ending}"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            found = read(path)
        except PldverifyError as error:
            assert len(str(error)) < 2_000
            return
    assert all(isinstance(claim, Claim) or len(str(claim)) < 2_000 for claim in found)
    assert all(isinstance(claim, Claim | BadClaim) for claim in found)


@many
@given(
    st.sampled_from([(path.read_text("utf-8"), path.suffix) for path in CLAIMS] + [(ENTRY, ".yaml")]), CUTS
)
def test_no_text_breaks_the_reader_of_claims(
    file: tuple[str, str], cuts: list[tuple[float, int, str]]
) -> None:
    claims_in(cut(file[0], cuts), file[1])


@many
@given(st.data())
def test_no_document_breaks_the_reader_of_claims(data: st.DataObject) -> None:
    document = changed({"schema": "pldverify-claims/1", "claim": [ROW]}, data)
    claims_in(json.dumps(document), ".json")


@many
@given(
    st.lists(st.lists(WORDS, max_size=5), max_size=4), st.sampled_from(["id,epsilon,delta,mechanism", "id"])
)
def test_no_table_breaks_the_reader_of_claims(rows: list[list[str]], heading: str) -> None:
    claims_in("\n".join([heading, *(",".join(row) for row in rows)]), ".csv")


@many
@given(
    st.lists(
        st.sampled_from(["a", ".", "=", "[", "]", "{", "}", '"', "'", "\n", "#", ",", "1", "\\"]), max_size=40
    )
)
def test_no_toml_breaks_its_reader(tokens: list[str]) -> None:
    try:
        toml.loads("".join(tokens))
    except (ValueError, RecursionError):
        return


# --- expressions ---

EXPRESSIONS = (
    "10_000 * poisson(gaussian(sigma=1), q=1/100) + 5 * laplace(b=2)",
    "3 * randomized_response(p=0.75, categories=4) + pure_dp(0.5) + approximate_dp(epsilon=1, delta=1e-6)",
    "finite_pair(p=[0.6, 0.3, 0.1], q=[0.1, 0.3, 0.6]) + binomial(n=100, p=1/4)",
)
TOKENS = st.sampled_from(
    [*MECHANISMS, *"+-*/(),=[]._ \n\t\0é", "**", "1", "0.5", "1e9", "sigma=", "q=", "x.py:f"]
)


@many
@given(
    st.tuples(st.sampled_from(EXPRESSIONS), CUTS).map(lambda parts: cut(*parts))
    | st.lists(TOKENS, max_size=30).map("".join)
    | WORDS
)
def test_an_expression_is_a_composition_or_refused(text: str) -> None:
    """What is read prints as what is read again as the same."""
    try:
        found = parse(text)
    except PldverifyError as error:
        assert len(str(error)) < 2_000
        return
    assert isinstance(found, Composition) and parse(str(found)) == found


def test_nesting_is_refused_and_not_followed() -> None:
    for deep in ("(" * 10_000, "[" * 10_000, "-" * 10_000, "1*" * 10_000, "gaussian(" * 10_000):
        with pytest.raises(PldverifyError):
            parse(deep)
    for ending, text in (
        (".json", "[" * 100_000),
        (".toml", "a = " + "[" * 100_000),
        (".yaml", "[" * 10_000),
    ):
        claims_in(text, ending)
