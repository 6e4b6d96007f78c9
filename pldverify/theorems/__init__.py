"""The ledger: what five papers state, and what became of it. One module a paper, one record a statement."""

from pldverify.theorems.ledger import check, chosen, record, records

__all__ = ["check", "chosen", "record", "records"]
