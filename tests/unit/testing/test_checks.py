"""Checks: what they say of correct, of loose and of faulty accountants, and how pytest shows it."""

import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

import pldverify as pv
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper
from pldverify.errors import InvalidInput
from pldverify.testing import (
    Oracle,
    check_accountant,
    check_names,
    parametrize_with_checks,
    run_checks,
)
from pldverify.testing.checks.questions import NOISE
from pldverify.testing.checks.run import CHECKS
from pldverify.testing.looseness import looseness
from pldverify.testing.zoo.formulas import HONEST
from pldverify.testing.zoo.mutants import MUTANTS

ROOT = Path(__file__).parents[3]


def failed(accountant: object, **how) -> dict[str, object]:
    return {
        result.check.name: result for result in run_checks(accountant, **how) if result.outcome == "failed"
    }


@pytest.mark.parametrize("direction", ["lower", "upper"])
@pytest.mark.parametrize("name", CHECKS)
def test_the_truth_breaks_nothing(name, direction) -> None:
    tightness = "1e-6" if name == "tight" else None
    (result,) = run_checks(Oracle(direction), checks=[name], tightness=tightness)
    no_lower_end = direction == "lower" and name in {regime.name for regime in NOISE}
    unasked = no_lower_end or name == "adaptive"  # the truth is no filter
    assert result.breaks == () and (result.outcome == "passed") != unasked, str(result)


def test_nothing_is_tight_where_nobody_says_how() -> None:
    (result,) = run_checks(Oracle("lower"), checks=["tight"])
    assert result.outcome == "skipped" and result.breaks == ()


@pytest.mark.parametrize(
    ("accountant", "tightness", "known"),
    [
        (HONEST[0], None, set()),
        (HONEST[1], None, set()),
        (
            HeterogeneousFourierUpper(2**14, 32.0),
            None,
            {"tiny-delta", "gaussians-add-up", "falls-with-target", "grows-with-sampling"},
        ),
        ("rdp/canonne-2020", None, {"convex"}),
        ("rdp/canonne-2020", "3", {"tight"}),
        ("rdp/mironov-2017", "3", {"tight"}),
        ("gdp/estimate", None, set()),
        ("kairouz-oh-viswanath", None, {"rounding", "gaussians-add-up", "convex"}),
        ("basic-composition", None, {"rounding", "gaussians-add-up", "round-trip"}),
    ],
    ids=lambda value: (
        ",".join(sorted(value)) if isinstance(value, set) else getattr(value, "name", str(value))
    ),
)
def test_a_correct_accountant_breaks_what_is_known_of_it(accountant, tightness, known: set[str]) -> None:
    """Of loose ones relations may break where nothing was said of their tightness, and doubles are rounded to
    the nearest; nothing else.
    """
    found = failed(accountant, tightness=tightness)
    assert {name: str(result) for name, result in found.items() if name not in known} == {}


def test_a_faulty_accountant_is_found_and_told() -> None:
    mutant = MUTANTS["one-step-lost"].make()
    (result,) = run_checks(mutant, checks=["many-steps"])
    assert (result.outcome, result.breaks[0].fault) == ("failed", "UNSOUND")
    text = str(result)
    assert text.startswith("many-steps: failed. Steps are lost in composition")
    assert 'pv.check(one-step-lost, pv.Query("4 * gaussian(sigma=2)", delta="1e-5"))  # upper 3.' in text
    assert "verdict" in text and "true ε" in text


def test_inconsistent_is_not_unsound() -> None:
    (result,) = run_checks(MUTANTS["epsilon-on-a-grid"].make(), checks=["convex"])
    (first, *_) = result.breaks
    assert first.fault == "INCONSISTENT" and 0 < first.size < 1 and len(first.queries) == 3


def test_what_was_said_to_be_loose_breaks_no_relation() -> None:
    generous = MUTANTS["search-is-generous"].make()
    assert "round-trip" in failed(generous, checks=["round-trip"])
    assert failed(generous, checks=["round-trip"], tightness="0.5") == {}


@pytest.fixture(
    params=[("one-step", "mixed", "grows-with-parts"), pytest.param(tuple(CHECKS), marks=pytest.mark.slow)]
)
def checks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Few of them, and all at night."""
    monkeypatch.setattr("pldverify.testing.checks.run.CHECKS", {name: CHECKS[name] for name in request.param})
    return request.param


@pytest.mark.usefixtures("checks")
def test_all_breaks_are_raised_together() -> None:
    with pytest.raises(AssertionError) as raised:
        check_accountant(MUTANTS["noise-averaged"].make())
    assert "mixed: failed" in str(raised.value) and "grows-with-parts: failed" in str(raised.value)


SEVEN = pv.Accountant.of(lambda query: 0.7, direction="estimate", name="seven")
"""An estimate that promises nothing."""


def test_a_check_that_has_decided_nothing_has_not_passed() -> None:
    (result,) = run_checks(SEVEN, checks=["one-step"])
    assert (result.outcome, result.asked, result.compared) == ("skipped", 9, 0)
    assert "no claim is decided: an estimate without a promised error" in str(result)


def test_a_loose_estimate_is_farther_than_was_said() -> None:
    (result,) = run_checks(SEVEN, checks=["tight"], tightness="0.1")
    assert (result.outcome, result.breaks[0].fault) == ("failed", "LOOSE")
    assert "farther from the truth than 0.1 in ε" in str(result)


@pytest.mark.slow
def test_a_tight_estimate_is_as_near_as_was_said() -> None:
    truth = pv.Accountant.of(Oracle("upper").claim, direction="estimate", name="truth")
    (result,) = run_checks(truth, checks=["tight"], tightness="0.001")
    assert (result.outcome, result.compared > 50) == ("passed", True)


def test_a_lower_bound_below_zero_gives_something_away() -> None:
    query = pv.Query(pv.Gaussian(1), delta="1e-5")
    claim = pv.Claim(-5, "lower", "test")
    assert looseness(claim, query, Fraction(1)) == "UNSOUND"


def test_a_relation_without_two_claims_has_not_passed() -> None:
    def one_gaussian(query: pv.Query) -> float:
        if str(query.composition) != "gaussian(sigma=1)" or query.delta is None:
            raise NotImplementedError("one Gaussian only")
        return 4.5

    alone = pv.Accountant.of(one_gaussian, direction="upper")
    (result,) = run_checks(alone, checks=["full-sample"])
    assert (result.outcome, result.asked) == ("skipped", 2)
    assert "no two claims can be compared: one_gaussian does not support this" in str(result)


def test_who_refuses_everything_is_not_checked() -> None:
    @pv.Accountant.of(direction="upper")
    def silent(query):
        raise NotImplementedError("no")

    with pytest.raises(AssertionError, match="nothing was checked: no question has an answer: silent does"):
        check_accountant(silent)


def test_a_crash_tells_its_line() -> None:
    @pv.Accountant.of(direction="upper")
    def crashes(query):
        return 1 / 0

    (result,) = run_checks(crashes, checks=["answers"])
    assert "crashes raised ZeroDivisionError: division by zero (test_checks.py, line" in str(result)
    assert ": return 1 / 0)" in str(result)


def test_a_copy_that_fails_tells_why() -> None:
    class Once(pv.Accountant):
        direction, questions = "upper", 0

        def claim(self, query):
            self.questions += 1
            if self.questions > 1:
                raise ValueError("only once")
            return 0.5

    (result,) = run_checks(Once(), checks=["stateless"])
    assert "has another answer; Once raised ValueError: only once" in str(result)


@dataclass(frozen=True)
class Settings(pv.Accountant):
    grid: float = 0.1
    direction: str = "upper"

    def claim(self, query):
        return 0.01


def test_an_object_is_told_with_its_settings() -> None:
    (result,) = run_checks(Settings(grid=0.5), checks=["one-step"])
    assert "pv.check(Settings(grid=0.5, direction='upper'), pv.Query(" in str(result)


def test_a_failure_tells_the_version_if_there_is_one() -> None:
    wrong = pv.Accountant.of(lambda query: 0.01, direction="upper", name="wrong")
    object.__setattr__(wrong, "version", lambda: "4.5")
    assert "accountant  wrong 4.5" in str(run_checks(wrong, checks=["one-step"])[0])
    object.__setattr__(wrong, "version", lambda: "unknown")
    assert "unknown" not in str(run_checks(wrong, checks=["one-step"])[0])


def test_expected_failures_are_strict(checks: tuple[str, ...]) -> None:
    with pytest.raises(AssertionError, match="mixed: expected to fail, as 'it was', but it passed"):
        check_accountant(HONEST[0], expected_failures={"mixed": "it was"})
    found = failed(MUTANTS["noise-averaged"].make())
    reasons = dict.fromkeys(found, "Gaussians are averaged")
    assert len(check_accountant(MUTANTS["noise-averaged"].make(), expected_failures=reasons)) == len(checks)


@pytest.mark.parametrize(
    "call",
    [
        lambda: run_checks(HONEST[0], level="slow"),
        lambda: run_checks(HONEST[0], checks=["mixd"]),
        lambda: run_checks(HONEST[0], tightness=-1),
        lambda: run_checks(7),
        lambda: check_accountant(HONEST[0], expected_failures={"nothing": "?"}),
        lambda: parametrize_with_checks([HONEST[0]], level="thorough"),
        lambda: parametrize_with_checks([]),
        lambda: parametrize_with_checks(HONEST[0]),
        lambda: parametrize_with_checks("rdp"),
    ],
)
def test_what_can_not_be_run_is_bad_input(call) -> None:
    with pytest.raises(InvalidInput):
        call()


def test_names_are_words_and_causes_sentences() -> None:
    assert check_names() == list(CHECKS)
    for check in CHECKS.values():
        assert check.name == check.name.lower() and " " not in check.name
        assert check.cause.endswith(".") and not check.cause[0].isspace()


SUITE = """
import pldverify as pv
from pldverify.accountants.heterogeneous_fourier import HeterogeneousFourierUpper
from pldverify.testing import parametrize_with_checks

half = pv.Accountant.of(lambda query: 0.5, direction="upper", name="half")

def sure(query):
    if query.composition.steps > 1:
        raise NotImplementedError("one step only")
    return 1.0 if query.delta is None else float("inf")

sure = pv.Accountant.of(sure, direction="upper")

@parametrize_with_checks([sure])
def test_sure(accountant, check):
    check(accountant)

@parametrize_with_checks([half], expected_failures={"one-step": "it knows nothing", "range": "it does not"})
def test_half(accountant, check):
    if check.check.name in ("one-step", "range", "mixed"):
        check(accountant)

@parametrize_with_checks([sure], expected_failures={"mixed": "it may", "tight": "it is not"})
def test_strict(accountant, check):
    if check.check.name in ("mixed", "tight"):
        check(type(accountant).of(accountant.function, direction="upper", name="other"))
"""


def test_every_check_is_a_test_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "--tb=short", "test_mine.py"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "COLUMNS": "120"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert "PASSED test_mine.py::test_sure[sure-one-step]" in lines
    assert "XFAIL test_mine.py::test_half[half-one-step] - it knows nothing" in lines
    assert any(
        line.startswith("FAILED test_mine.py::test_half[half-range] - [XPASS(strict)]") for line in lines
    )
    assert any(
        line.startswith("FAILED test_mine.py::test_half[half-mixed] - AssertionError: mixed: failed. Diff")
        for line in lines
    )
    assert "no question has an answer: sure does not support this: one step only" in done.stdout
    assert not any("sure-tight" in line and "strict" not in line for line in lines)
    for name in ("mixed", "tight"):
        start = f"FAILED test_mine.py::test_strict[sure-{name}] - Failed: {name}: expected to fail"
        assert any(line.startswith(start) for line in lines)


@pytest.mark.parametrize("direction", ["upper", "estimate"])
@pytest.mark.parametrize("value", [10**400, -(10**400)], ids=["huge", "hugely negative"])
def test_no_answer_ends_a_check(value: int, direction) -> None:
    """Numbers beyond doubles ended checks with an OverflowError."""
    says = pv.Accountant.of(lambda query: value, direction=direction, name="says")
    checks = ["one-step", "range", "dual", "stateless"]
    found = {each.check.name: each.outcome for each in run_checks(says, checks=checks, tightness="0.1")}
    assert found["range"] == "failed" and found["stateless"] == "passed"
