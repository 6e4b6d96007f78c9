"""KH21."""

from pldverify.theorems.record import Record

RECORDS: tuple[Record, ...] = ()
