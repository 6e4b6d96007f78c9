"""KJH20S."""

from pldverify.theorems.record import Record

RECORDS: tuple[Record, ...] = ()
