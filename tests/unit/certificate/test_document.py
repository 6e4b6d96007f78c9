"""The certificate as a document: exact, readable by its schema, unchanged or refused."""

import json
import random
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import sympy as sp

import pldverify as pv
from benchmarks.rechecking import choice, mechanism, scheme
from pldverify import recheck
from pldverify.certificate import issue
from pldverify.certificate.document import Document, canonical, digest, load, schema
from pldverify.certificate.html_page import html
from pldverify.certificate.issue import document
from pldverify.certificate.markdown_page import markdown
from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import parse

ROOT = Path(__file__).parents[3]
STORED = sorted((ROOT / "tests" / "data" / "certificates").glob("*.json"))
PUBLISHED = ROOT / "pldverify" / "certificate" / "certificate-1.schema.json"
COMPOSITIONS = [
    5 * pv.Laplace(3),
    20 * pv.PureDP("0.1") + 3 * pv.ApproximateDP("0.3", "1e-7") + pv.Gaussian(4),
    100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"),
    1 * pv.SampledWithoutReplacement(pv.Gaussian(2), "0.1"),
    pv.FinitePair(["0.5", "0.5"], ["0.25", "0.75"]) + pv.DiscreteGaussian(sigma=5),
    10 * pv.GDP("sqrt(2)/10"),
    pv.ZCDP("0.1"),
]


def certified(composition: Any, delta: str = "1e-5", epsilon: Any = 2, relation: Any = "<=") -> Document:
    return document(pv.certify(pv.Query(composition, delta=delta), epsilon, relation=relation))


@pytest.mark.parametrize("composition", COMPOSITIONS, ids=str)
def test_a_document_is_read_back(composition: Any) -> None:
    found = certified(composition)
    assert load(found.text()) == found
    jsonschema.validate(json.loads(found.text()), schema())
    assert canonical(found.to_json()) == recheck.canonical(found.to_json())
    assert recheck.parse(found.text().encode()) == found.to_json()
    assert all(pair.theorem for pair in found.dominating_pairs)
    (witness,) = (line for line in found.text().splitlines() if line.startswith('  "witness": '))
    assert witness.endswith("}"), "indented, 40,000 cells are more than the checker reads"


def test_every_number_is_exact() -> None:
    ruling = pv.certify(pv.Query(100 * pv.Gaussian(10), delta="1e-6"), "5.1")
    found = document(ruling)
    assert found.enclosure is not None and ruling.truth is not None
    ends = [recheck.end(text) for text in (found.enclosure.lower, found.enclosure.upper)]
    assert ends == [ruling.truth.lower, ruling.truth.upper]
    assert (Fraction(found.claim.epsilon), Fraction(found.claim.delta)) == (
        Fraction("5.1"),
        Fraction(1, 10**6),
    )
    assert found.witness is not None and found.witness.statement.type == "Directions"


def test_the_published_schema_is_that_of_the_models() -> None:
    assert json.loads(PUBLISHED.read_text("utf-8")) == schema()


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_certificates_of_older_versions_stay_readable(path: Path) -> None:
    found = load(path.read_bytes())
    assert found.schema_ == "pldverify-certificate/1" and found.versions["pldverify"]
    jsonschema.validate(json.loads(path.read_text("utf-8")), schema())


def test_there_are_stored_certificates() -> None:
    assert len(STORED) >= 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "REFUTED"}, "the digest is not that of the content"),
        ({"verdict": "TRUE"}, "verdict"),
        ({"more": 1}, "more"),
        ({"schema": "pldverify-certificate/2"}, "schema"),
    ],
)
def test_what_was_changed_is_refused(change: dict[str, Any], message: str) -> None:
    changed = deepcopy(certified(pv.Laplace(3)).to_json()) | change
    with pytest.raises(InvalidInput, match=message):
        load(json.dumps(changed))


def test_the_canonical_form_is_rfc_8785s() -> None:
    """Its example of key order (section 3.2.3), with strings for values."""
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    found = canonical(dict.fromkeys(keys, '\x0f\n"\\/<\u007f'))
    order = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(json.loads(found)) == order
    assert b'"\\u000f\\n\\"\\\\/<\x7f"' in found
    assert digest({"sha256": "x"}) == digest({}) == digest({"sha256": "y"})


def test_both_sides_mean_the_same_assumptions() -> None:
    assert {name: issue.ASSUMPTIONS[name] for name in recheck.ASSUMPTIONS} == recheck.ASSUMPTIONS


@pytest.mark.parametrize(
    "promise",
    [
        pv.PureDP(1),
        pv.ApproximateDP(1, "1e-8"),
        pv.GroupDP("0.1", 0, 2),
        pv.GDP(1),
        pv.ZCDP(1),
        pv.RenyiDP([2, 8], ["0.1", "0.5"]),
    ],
)
def test_a_promise_is_assumed_and_no_sensitivity(promise: Any) -> None:
    """A promise of Rényi divergences was taken for a query of a stated sensitivity."""
    assert issue.assumed(1 * promise) == ["guarantee", "noise", "releases"]
    assert issue.assumed(1 * pv.RepeatAndSelect(promise, 3, 1)) == ["draws", "guarantee", "noise", "releases"]


@pytest.mark.parametrize(
    ("expression", "others"),
    [
        ("group(poisson(gaussian(1), q=0.01), 3)", ["sensitivity"]),
        ("shuffle_model(pure_dp(1), n=100)", ["guarantee"]),
        ("shuffle_model(randomized_response(0.75), n=100)", ["sensitivity"]),
        ("repeat_and_select(gaussian(1), mean=10, shape=1)", ["sensitivity"]),
    ],
)
def test_what_is_drawn_in_secret_is_assumed(expression: str, others: list[str]) -> None:
    """Batches of groups, shuffles and numbers of runs were assumed in silence."""
    assert issue.assumed(parse(expression)) == sorted(["draws", "noise", "releases", *others])


def test_the_best_of_several_runs_assumes_what_each_run_does() -> None:
    base = 100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01") + pv.FinitePair(["1/2", "1/2"], ["1/4", "3/4"])
    assert issue.assumed(1 * pv.RepeatAndSelect(base, 3, 1)) == [
        "draws",
        "noise",
        "pairs",
        "poisson-sampling",
        "releases",
        "sensitivity",
    ]


@pytest.mark.parametrize("kind", [pv.ShuffledBatches, pv.BallsAndBins])
def test_hidden_batches_are_assumed_and_zero_out_has_a_document(kind: Any) -> None:
    """The relation was none of the document's, and nothing said how batches are drawn."""
    found = issue.document(pv.certify(pv.Query(kind(pv.Gaussian(1), batches=10), delta="1e-6"), 90))
    assert found.adjacency == ("zero-out" if kind is pv.ShuffledBatches else "add-or-remove")
    assert {"hidden-batches", "sensitivity"} <= {row.id for row in found.assumptions}


def test_what_several_mechanisms_on_one_sample_take_for_granted_is_stated() -> None:
    """The promise was left out."""
    whole = pv.PoissonSubsampled(pv.PureDP("0.1") + pv.RandomizedResponse("0.6"), "0.1")
    issued = document(pv.certify(whole, 9, delta="1e-3"))
    assert [each.id for each in issued.assumptions] == [
        "guarantee",
        "noise",
        "poisson-sampling",
        "releases",
        "sensitivity",
    ]
    base = issued.composition[0].mechanism.base
    assert base is not None and base.name == "one_sample"
    cut = pv.TruncatedPoisson(pv.Gaussian(1), q="0.01", dataset_size=1000, max_batch=30)
    assert "fixed-batches" in [each.id for each in document(pv.certify(cut, 9, delta="1e-3")).assumptions]


def test_the_checker_asks_for_no_other_assumptions_than_are_issued() -> None:
    """Of all that benchmarks draw: certificates of best runs and of shuffled reports were REJECTED."""
    kinds: set[str] = set()
    for at in range(300):
        rng = random.Random(f"assumed {at}")
        whole = 1 * rng.choice([mechanism, scheme, choice])(rng)
        try:
            needed = {"releases", "noise"}
            for part, _ in whole.parts:
                recheck.law(issue._plain(part), whole.adjacency, needed)
        except recheck.Beyond:
            continue
        assert sorted(needed) == issue.assumed(whole), whole
        kinds |= {part.expression for part, _ in whole.parts}
    assert kinds >= {"repeat_and_select", "shuffle_model", "poisson", "truncated_poisson", "zcdp", "gnmax"}


def test_every_name_that_assumes_something_is_one() -> None:
    """The row of users' densities was never reached: they passed for queries of a stated sensitivity."""
    assert set(issue._OF_MECHANISM) <= set(issue._NAMES.values())


def test_densities_by_hand_are_a_stated_pair() -> None:
    t = sp.Symbol("t", real=True)
    pair = pv.derive_pair(t + sp.Rational(1, 2), sp.Integer(1), t, {t: (0, 1)}).mechanism()
    sampled = pv.certify(pv.Query(pv.PoissonSubsampled(pair, "0.1"), delta="0.1"), epsilon="0.5")
    made = pv.certify(pv.Query(pair, delta="0.1"), epsilon="0.5")
    assert issue.assumed(1 * pair) == ["noise", "pairs", "releases"]
    for text in (html(made), markdown(made), markdown(sampled)):
        assert "pldverify certify FILE.py:NAME --delta" in text
        assert "where FILE.py:NAME is what has these densities" in text


def test_a_group_and_what_is_equal_to_it_have_one_certificate() -> None:
    """The size of the group, which is told in words, leaked into the witness of whoever asked second."""
    group, plain = pv.group(pv.Gaussian(sigma=1), 2), 1 * pv.Gaussian(sigma=1, sensitivity=2)
    texts = [document(pv.certify(each, epsilon=20, delta="1e-5")).text() for each in (group, plain)]
    assert texts[0] == texts[1] and '"records"' not in texts[0]


def test_both_sides_ask_the_same_of_a_mixture() -> None:
    made = pv.certify(pv.Query("group(poisson(gaussian(1), q=0.01), 3)", delta="1e-5"), epsilon=9)
    outcome, lines = recheck.recheck(recheck.parse(document(made).text().encode()))
    assert outcome == "CONFIRMED", lines
