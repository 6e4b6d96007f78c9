"""Audits: lower bounds on ε and μ by statistics, with a confidence; and how often an auditor is wrong."""

from pldverify.audit.bounds import clopper_pearson as clopper_pearson
from pldverify.audit.bounds import one_run as one_run
from pldverify.audit.confidence import Confidence as Confidence
from pldverify.audit.confidence import GaussianConfidence as GaussianConfidence
from pldverify.audit.coverage import Coverage as Coverage
from pldverify.audit.coverage import coverage as coverage
from pldverify.audit.gaussian import clopper_pearson_gdp as clopper_pearson_gdp
from pldverify.audit.gaussian import one_run_gdp as one_run_gdp
from pldverify.audit.kit import check_auditor as check_auditor
from pldverify.audit.scores import coverage_of_scores as coverage_of_scores
from pldverify.audit.scores import sampled_coverage as sampled_coverage

__all__ = [
    "Confidence",
    "Coverage",
    "GaussianConfidence",
    "check_auditor",
    "clopper_pearson",
    "clopper_pearson_gdp",
    "coverage",
    "coverage_of_scores",
    "one_run",
    "one_run_gdp",
    "sampled_coverage",
]
