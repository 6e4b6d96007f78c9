"""Accountants on choices, sparse vectors, thresholds and their compositions: a row a question.

    python -m benchmarks.choices [ACCOUNTANT …]

Each is asked for ε at δ = 1e-4. A cell is the verdict, with the number that was claimed and the proved
bracket of the truth. Accountants whose library is missing are left out.
"""

import sys
import warnings

import pldverify as pv
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.registry import accountant
from pldverify.errors import MissingLibrary

ACCOUNTANTS = (
    "autodp/zoo",
    "opendp/zcdp",
    "opendp/pure",
    "diffprivlib",
    "dp-accounting/pld",
    "tmlt-core/pure",
)
QUESTIONS = (
    "exponential(epsilon=1)",
    "30 * exponential(epsilon=0.2)",
    "30 * exponential(epsilon=0.2, monotone=True)",
    "permute_and_flip(epsilon=1)",
    "30 * permute_and_flip(epsilon=0.2)",
    "30 * permute_and_flip(epsilon=0.2, monotone=True)",
    "noisy_max(b=2)",
    "above_threshold(b=4, query_b=4)",
    "5 * above_threshold(b=4, query_b=4)",
    "5 * above_threshold(b=4, query_b=4, monotone=True)",
    "3 * thresholded_histogram(laplace(b=2), threshold=21)",
    "3 * thresholded_histogram(gaussian(sigma=2), threshold=10)",
)


def cell(subject: Accountant, expression: str) -> str:
    """The verdict, the claim and the truth."""
    finding = pv.check(subject, pv.Query(expression, delta="1e-4"))
    if finding.claim is None:
        return str(finding.verdict)
    truth = pv.bracket(expression, delta="1e-4", digits=3)
    ends = f"[{float(truth.lower):.4g}, {float(truth.upper):.4g}]"
    return f"{finding.verdict} {float(finding.claim.value):.4g} in {ends}"


def main(names: list[str]) -> None:
    """Prints the table."""
    warnings.simplefilter("ignore")
    for name in names or ACCOUNTANTS:
        try:
            subject = accountant(name)
            for expression in QUESTIONS:
                print(f"{name:18} {expression:55} {cell(subject, expression)}", flush=True)
        except MissingLibrary as missing:
            print(f"{name:18} {missing}")


if __name__ == "__main__":
    main(sys.argv[1:])
