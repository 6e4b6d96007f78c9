"""Questions of the checks, by regime: where accountants go wrong, and why; the simplest stand first.

They stand in ``questions.txt``, behind the name and the cause of a check; from the first ``+`` on they are of
the level ``standard`` alone.
"""

from dataclasses import dataclass
from pathlib import Path

from pldverify.mechanisms.query import Query
from pldverify.questions.written import queries, sections

_FILE = Path(__file__).with_name("questions.txt")


@dataclass(frozen=True)
class Regime:
    """Questions of one kind, as they are written.

    Attributes:
        name, cause: of the check.
        quick: its questions.
        standard: more of them, for the level ``standard``.
    """

    name: str
    cause: str
    quick: str
    standard: str

    def queries(self, level: str = "quick") -> list[Query]:
        """Its questions."""
        return queries(self.quick if level == "quick" else f"{self.quick}\n{self.standard}")


def _regime(heading: str, rows: str) -> Regime:
    name, _, cause = heading.partition(": ")
    quick, *more = rows.split("\n+ ")
    return Regime(name, cause, quick, "\n".join(more))


_NAMED = {heading.partition(":")[0]: _regime(heading, rows) for heading, rows in sections(_FILE)}
SEEDS, RENYI, TRADE_OFF = (_NAMED.pop(name) for name in ("seeds", "renyi", "trade-off"))
"""What relations start from; Rényi divergences, of whose directions now one and now the other is the larger;
type II errors, likewise."""
NOISE = tuple(regime for name, regime in _NAMED.items() if name.startswith("noise"))
"""Where those go wrong that say how much noise is enough."""
REGIMES = tuple(regime for regime in _NAMED.values() if regime not in NOISE)
"""Where all others go wrong."""
