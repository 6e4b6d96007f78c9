"""The ledger: what five papers state and what became of it, and what audits and summaries rest on."""

from pldverify.theorems.ledger import check, chosen, record, records

__all__ = ["check", "chosen", "record", "records"]
