"""What mechanisms on batches of a fixed size share: a Gaussian base, and records that are replaced only."""

from pldverify.errors import InvalidInput
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Relation
from pldverify.numbers.exact import brief, count


class FixedBatch(Mechanism):
    """``base`` run on a batch whose size all neighbours share."""

    base: Gaussian

    @property
    def relations(self) -> tuple[Relation, ...]:
        return ("replace-one",)

    def _require_gaussian(self) -> None:
        """Raises InvalidInput unless ``base`` is a Gaussian."""
        if not isinstance(self.base, Gaussian):
            raise InvalidInput(f"base must be a Gaussian mechanism, got base={brief(self.base)}")


def draws(m: object, n: object, *, cap: int) -> tuple[int, int]:
    """m draws from n records: exact integers, 1 ≤ m ≤ ``cap`` and 2 ≤ n ≤ 10**12. Raises InvalidInput."""
    batch, records = count(m, "m", cap=cap), count(n, "n")
    if records == 1:
        raise InvalidInput("n must be an integer from 2 to 1000000000000, got n=1")
    return batch, records
