"""Audits: lower bounds on ε by statistics, with a stated confidence; and how often an auditor is wrong."""

from pldverify.audit.bounds import clopper_pearson as clopper_pearson
from pldverify.audit.bounds import one_run as one_run
from pldverify.audit.confidence import Confidence as Confidence
from pldverify.audit.coverage import Coverage as Coverage
from pldverify.audit.coverage import coverage as coverage

__all__ = ["Confidence", "Coverage", "clopper_pearson", "coverage", "one_run"]
