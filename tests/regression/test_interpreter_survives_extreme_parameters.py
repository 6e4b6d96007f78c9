"""The dyadic grid asked FLINT for 2^(1e300): SIGFPE. Asked in a child, since a crash takes pytest with it."""

import subprocess
import sys

import pytest

QUESTION = """
import pldverify as pv
try:
    print(pv.delta({count} * pv.PoissonSubsampled(pv.Gaussian("{sigma}"), q="{q}"), epsilon=1))
except pv.errors.NoConvergence as reason:
    print(reason)
"""


@pytest.mark.parametrize(
    ("sigma", "q", "count"),
    [
        ("1e-300", "1e-300", 10**12),
        ("1e-3", "1e-20", 10**12),
        ("1e-10", "1e-20", 10**9),
        ("1e-5", "1e-50", 10**12),
    ],
)
def test_an_answer_or_a_refusal(sigma: str, q: str, count: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUESTION.format(sigma=sigma, q=q, count=count)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
