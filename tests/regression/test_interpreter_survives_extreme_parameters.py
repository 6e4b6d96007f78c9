"""A grid asked FLINT for 2^(1e300): SIGFPE. A contour listed 2e151 nodes until no memory was left.

Asked in a child with little of it, since a crash takes pytest with it.
"""

import subprocess
import sys

import pytest

QUESTION = """
import resource
import pldverify as pv
resource.setrlimit(resource.RLIMIT_DATA, (2**30, 2**30))
try:
    print(pv.delta({what}, epsilon={epsilon!r}, adjacency="remove", digits=3))
except pv.errors.NoConvergence as reason:
    print(reason)
"""


WIDE = 'pv.DiscreteGaussian("2.497e101", 18)'
LITTLE = 'pv.Gaussian("1.475e-1", "5.361e-252")'


@pytest.mark.parametrize(
    ("what", "epsilon"),
    [
        ('10**12 * pv.PoissonSubsampled(pv.Gaussian("1e-300"), q="1e-300")', "1"),
        ('10**12 * pv.PoissonSubsampled(pv.Gaussian("1e-3"), q="1e-20")', "1"),
        ('10**9 * pv.PoissonSubsampled(pv.Gaussian("1e-10"), q="1e-20")', "1"),
        ('10**12 * pv.PoissonSubsampled(pv.Gaussian("1e-5"), q="1e-50")', "1"),
        (f"50 * {WIDE} + 10**12 * {LITTLE}", "-1.463e-210"),
    ],
)
def test_an_answer_or_a_refusal(what: str, epsilon: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUESTION.format(what=what, epsilon=epsilon)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
