"""Faults of other people's code, written as they stood there: the kit finds each, and names its cause."""

import math
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scipy import optimize, special

import pldverify as pv
from pldverify.testing import run_checks
from tests.unit.testing import five_faults


def calibrated(query: pv.Query) -> float:
    """Noise by bisection to two digits, of one step of sensitivity 1, whatever was asked."""
    assert isinstance(query, pv.NoiseQuery)
    ((mechanism, _), *_) = query.composition.parts
    if not isinstance(mechanism, pv.Laplace):
        raise NotImplementedError("Laplace noise")
    return round(1 / float(query.epsilon or 0), 2)


class Calibrated(pv.Accountant):
    direction = "upper"
    asks = (pv.NoiseQuery,)

    def claim(self, query: pv.Query) -> float:
        return calibrated(query)


class Brent(pv.Accountant):
    """Balle and Wang 2018, Theorem 8, solved by Brent's method, which stops on either side of the root."""

    direction = "upper"
    asks = (pv.NoiseQuery,)

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance

    def claim(self, query: pv.Query) -> float:
        if not isinstance(query, pv.NoiseQuery) or not query.delta:
            raise NotImplementedError("noise for (ε, δ), δ > 0")
        ((mechanism, _), *others) = query.composition.parts
        if others or not isinstance(mechanism, pv.Gaussian):
            raise NotImplementedError("one Gaussian mechanism")
        epsilon, delta, steps = float(query.epsilon or 0), float(query.delta), query.composition.steps

        def missing(factor: float) -> float:
            mu = math.sqrt(steps) / (factor * float(mechanism.noise_multiplier))
            near, far = special.ndtr([mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu])
            return float(near - math.exp(epsilon) * far - delta)

        return float(optimize.brentq(missing, 0.01, 1e6, xtol=self.tolerance))


@pytest.mark.parametrize(("tolerance", "outcome"), [(0.05, "failed"), (1e-9, "passed")])
def test_noise_by_brents_method_is_asked(tolerance: float, outcome: str) -> None:
    """It stops wherever its tolerance allows: next to the root with too little noise, or far from it."""
    (result,) = run_checks(Brent(tolerance), checks=["noise"])
    assert result.outcome == outcome and "ends before there is enough" in result.check.cause


FAULTS = {
    "Sums": ("delta-zero", "is that of one step, or of a sensitivity of 1"),
    "Parallel": ("delta-zero", "is that of one step"),
    "Odometer": ("infinite-loss", "lost in composition"),
    "Inverted": ("falls-with-noise", "The noise is inverted"),
    "Converted": ("range", "the result is not clipped"),
}
"""By accountant, the check that names its cause, and words of it."""
MINUTES = 2
"""Of processor time, for all checks of one accountant."""
TEST = """
from pldverify.testing import parametrize_with_checks
from five_faults import {name}

@parametrize_with_checks([{name}()])
def test_mine(accountant, check):
    check(accountant)
"""


@pytest.mark.parametrize("name", FAULTS)
def test_the_kit_finds_it_and_names_its_cause(name: str) -> None:
    check, cause = FAULTS[name]
    (result,) = run_checks(f"{five_faults.__file__}:{name}", checks=[check])
    assert result.outcome == "failed" and cause in result.check.cause


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_told_nothing_the_kit_finds_it_within_two_minutes(name: str, tmp_path: Path) -> None:
    """As a user has it: an accountant in a file, and the test that the docs give."""
    shutil.copy(str(five_faults.__file__), tmp_path)
    (tmp_path / "test_mine.py").write_text(TEST.format(name=name), "utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    check, cause = FAULTS[name]
    assert done.returncode == 1 and f"{check}: failed" in done.stdout and cause in done.stdout, done.stdout
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 60 * MINUTES


def test_a_calibration_is_asked_and_its_faults_are_told_apart() -> None:
    results = run_checks(Calibrated(), checks=["noise", "noise-steps", "noise-range", "noise-sensitivity"])
    outcomes = {result.check.name: result.outcome for result in results}
    assert outcomes == {
        "noise": "passed",  # 1 is enough for ε = 1
        "noise-steps": "failed",
        "noise-range": "failed",
        "noise-sensitivity": "passed",  # of b = 3 and sensitivity 3 the factor is that of 1 and 1
    }
