"""What mechanisms on batches of a fixed size share: a Gaussian base, and records that are replaced only."""

from pldverify.errors import InvalidInput
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Relation
from pldverify.numbers.exact import count


class FixedBatch(Mechanism):
    """``base`` run on a batch whose size all neighbours share."""

    base: Gaussian

    @property
    def relations(self) -> tuple[Relation, ...]:
        return ("replace-one",)


def records(n: object) -> int:
    """The number of records to draw from, an integer from 2 to 10**12. Raises InvalidInput."""
    if (exact := count(n, "n")) == 1:
        raise InvalidInput("n must be an integer from 2 to 1000000000000, got n=1")
    return exact
