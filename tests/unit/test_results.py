"""Whatever the public API returns pickles, copies, compares, hashes, shows itself, and is judged by words."""

import copy
import json
import math
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from multiprocessing import get_context
from typing import Any

import pytest

import pldverify as pv
from pldverify.accountants.fourier import Fourier
from pldverify.errors import InvalidInput, NoConvergence, NoTruthValue, OracleDisagreement, SubjectFailure
from pldverify.numbers.claim import Claim, Promise
from pldverify.numbers.word import Certification, Keeping, Soundness, Word
from pldverify.rulings.finding import Finding

STEP = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
TRAINING = 100 * STEP
SHORT = Fourier(n=2_000, L=6.0)
BY_DELTA = pv.Query(TRAINING, delta="1e-6")

MADE: dict[str, Callable[[], Any]] = {
    "delta": lambda: pv.delta(TRAINING, epsilon="0.5"),
    "epsilon": lambda: pv.epsilon(TRAINING, delta="1e-6"),
    "tail": lambda: pv.tail(TRAINING, epsilon="0.5"),
    "rdp": lambda: pv.rdp(TRAINING, order=2),
    "mgf": lambda: pv.mgf(TRAINING, order=1),
    "moments": lambda: pv.moments(TRAINING),
    "trade_off": lambda: pv.trade_off(TRAINING, alpha="0.05"),
    "privacy_loss_cdf": lambda: pv.privacy_loss_cdf(TRAINING, epsilon="0.5"),
    "bracket": lambda: pv.bracket(TRAINING, delta="1e-6"),
    "infinite": lambda: pv.epsilon(pv.ApproximateDP(1, "0.1"), delta="0.01"),
    "profile": lambda: pv.profile(TRAINING),
    "points": lambda: pv.profile(TRAINING).delta(["0.5", 1]),
    "interval": lambda: 2 * pv.delta(TRAINING, epsilon="0.5") + math.inf,
    "estimate": lambda: pv.quadrature.delta(pv.Laplace(1), epsilon=1),
    "claim": lambda: SHORT.claim(BY_DELTA),
    "promise": lambda: Claim(1.0, "estimate", "test", {"grid": "1e-4"}, Promise(1, 1)),  # type: ignore[arg-type]
    "finding": lambda: pv.check(SHORT, BY_DELTA),
    "unsound finding": lambda: pv.check("gdp/upper", BY_DELTA),
    "certificate": lambda: pv.certify(BY_DELTA, "0.1"),
    "error budget": lambda: pv.error_budget(SHORT, pv.Query(TRAINING, epsilon="0.5")),
    "derivation": lambda: pv.derive(pv.Laplace(1)),
    "query": lambda: BY_DELTA,
    "composition": lambda: TRAINING + 3 * pv.Laplace(2),
    "accountant": lambda: SHORT,
    "mechanisms": lambda: (
        STEP,
        pv.FinitePair(["1/2", "1/2"], ["1/4", "3/4"]),
        pv.SampledWithoutReplacement(pv.Gaussian(2), q="0.1"),
        pv.ZCDP("0.5"),
    ),
}


@cache
def made(name: str) -> Any:
    return MADE[name]()


EVERY = pytest.mark.parametrize("name", MADE)


def echo(value: Any) -> Any:
    """For another process."""
    return value


def same(one: Any, other: Any) -> bool:
    """Equal, of one class, with the same text; a claim with its parameters, an enclosure with its witness."""
    deep = [(x.parameters if isinstance(x, Claim) else None) for x in (one, other)]
    proofs = [(getattr(x, "witness", None), getattr(x, "provenance", None)) for x in (one, other)]
    return (
        type(one) is type(other)
        and one == other
        and repr(one) == repr(other)
        and deep[0] == deep[1]
        and proofs[0] == proofs[1]
    )


@EVERY
def test_results_pickle_copy_compare_and_hash(name: str) -> None:
    value = made(name)
    protocols = range(2, pickle.HIGHEST_PROTOCOL + 1)
    copies = [copy.copy(value), copy.deepcopy(value)]
    copies += [pickle.loads(pickle.dumps(value, protocol)) for protocol in protocols]
    for found in copies:
        assert same(found, value)
        assert hash(found) == hash(value) and len({found, value}) == 1
    assert value != object()


@pytest.mark.slow
def test_results_come_back_from_another_process() -> None:
    values = [made(name) for name in MADE]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(echo, values))
        verdicts = list(pool.map(pv.certify, [BY_DELTA, BY_DELTA], ["0.1", "3"]))
    assert [same(one, other) for one, other in zip(found, values, strict=True)] == [True] * len(MADE)
    assert verdicts == [pv.certify(BY_DELTA, "0.1"), pv.certify(BY_DELTA, "3")]


def test_a_claim_stays_frozen_when_it_comes_back() -> None:
    claim = pickle.loads(pickle.dumps(made("promise")))
    assert dict(claim.parameters) == {"grid": "1e-4"}
    with pytest.raises(TypeError):
        claim.parameters["grid"] = "1"


@pytest.mark.parametrize(
    "error",
    [
        NoConvergence("stuck", made("delta")),
        SubjectFailure("died", "CRASHED"),
        OracleDisagreement("two", ("a", "b"), (1, 2)),
        InvalidInput("sigma"),
    ],
)
def test_errors_pickle_with_what_they_hold(error: Exception) -> None:
    found = pickle.loads(pickle.dumps(error))
    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))


# --- verdicts are words ---


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        (Soundness("UNSOUND"), "verdict == 'SOUND'"),
        (Certification("REFUTED"), "verdict == 'CERTIFIED'"),
        (Keeping("INSIDE"), "verdict == 'INSIDE'"),
    ],
)
def test_a_verdict_is_text_without_a_truth_value(word: Word, instead: str) -> None:
    with pytest.raises(
        NoTruthValue, match=f"the verdict '{word!s}' is neither true nor false: write {instead}"
    ):
        bool(word)
    with pytest.raises(TypeError):
        assert word
    with pytest.raises(TypeError):
        assert not word
    plain = str(word)
    assert type(plain) is str and plain == word and {word: 1} == {plain: 1} and repr(word) == repr(plain)
    assert f"{word:>10}" == f"{plain:>10}" and json.dumps([word]) == json.dumps([plain])
    with pytest.raises(TypeError):
        bool(pickle.loads(pickle.dumps(word)))


def verdicts() -> list[Any]:
    finding, certificate, budget = made("finding"), made("certificate"), made("error budget")
    return [finding.verdict, certificate.verdict, *(term.verdict for term in budget.terms)]


def test_every_verdict_that_is_returned_is_such_a_word() -> None:
    assert len(verdicts()) > 5
    for verdict in [*verdicts(), replace(made("finding"), verdict="SOUND").verdict]:
        assert isinstance(verdict, Word)


def test_what_holds_a_verdict_has_no_truth_value() -> None:
    with pytest.raises(NoTruthValue, match=r"certificate\.verdict == 'CERTIFIED' \(it is 'REFUTED'\)"):
        assert made("certificate")
    with pytest.raises(NoTruthValue, match=r"a finding is neither .* finding\.verdict == 'SOUND'"):
        assert made("unsound finding")
    assert made("certificate").verdict == "REFUTED" and repr(made("certificate").verdict) == "'REFUTED'"
    assert made("unsound finding").verdict == "UNSOUND"


# --- what is shown ---


def test_a_finding_says_verdict_and_reason_first() -> None:
    assert repr(made("finding")).startswith("Finding(UNDECIDED, reason: an estimate without a promised error")
    assert repr(made("unsound finding")).startswith("Finding(UNSOUND, claim: ε ≤ ")
    failed = Finding(BY_DELTA, "x/pld", "1.0", None, None, "UNDECIDED", 0.5, "x raised ValueError", "RAISED")
    assert repr(failed).startswith("Finding(UNDECIDED, reason: x raised ValueError, accountant: x/pld 1.0")
    assert str(failed).splitlines()[:2] == ["verdict     UNDECIDED", "reason      x raised ValueError"]


def test_a_certificate_says_what_is_claimed_and_what_is_true() -> None:
    lines = str(made("certificate")).splitlines()
    assert lines[0] == "verdict  REFUTED" and lines[1] == "claim    ε ≤ 0.1"
    assert lines[2].startswith("true ε   ") and "engine: " in str(made("certificate"))
    printed = pv.certify(pv.Query(pv.KJH19Substitute(pv.Gaussian(2), "0.3"), delta="1e-5"), 9)
    assert dict(printed.rows())["true ε"].startswith("≥") and printed.verdict == "CONDITIONAL"


def test_a_budget_prints_as_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    budget = made("error budget")
    text = str(budget.table())
    assert text == str(budget) and "object at" not in text
    for term in budget.terms:
        assert term.name in text
    assert max(map(len, text.splitlines())) <= 80
    assert " ".join(text.split("┏")[0].split()) == budget.title
    assert budget.title.endswith("poisson(gaussian(sigma=1), q=0.01) [add-or-remove], direction remove")
    assert repr(budget).startswith(f"ErrorBudget({budget.title}: true δ 0.0001274981")
    assert "\n" not in repr(budget)


def test_a_budget_prints_in_blocks_where_there_is_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = str(made("error budget")).splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[lines.index("rounding") + 3] == "  verdict: INSIDE"
    assert not any(edge in "".join(lines) for edge in "┏│")


def test_a_derivation_says_how_its_proofs_ended() -> None:
    derivation = made("derivation")
    assert repr(derivation).startswith("Derivation(laplace, remove: ") and " PROVED" in repr(derivation)
    assert str(derivation).endswith(repr(derivation).partition(": ")[2].removesuffix(")"))
    assert "ω(" in str(derivation) and max(map(len, str(derivation).splitlines())) <= 100


@pytest.mark.parametrize("name", ["delta", "infinite", "finding", "certificate", "error budget"])
def test_notebooks_show_tables(name: str) -> None:
    html, latex = made(name)._repr_html_(), made(name)._repr_latex_()
    assert html.count("<tr>") == html.count("</tr>") > 0 and html.endswith("</table>")
    assert latex.startswith("$") and latex.endswith("$") and latex.count("{") == latex.count("}")


def test_markup_is_escaped() -> None:
    failed = Finding(BY_DELTA, "x", "1", None, None, "UNDECIDED", 0.5, "<script> & 50% of a_b {c}", "RAISED")
    assert "&lt;script&gt; &amp; 50%" in failed._repr_html_() and "<script>" not in failed._repr_html_()
    assert r"<script> \& 50\% of a\_b \{c\}" in failed._repr_latex_()
