"""How much work the search for an attack may take; beside it no library of floats need be loaded."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Effort:
    """How much work the events may take.

    Attributes:
        looks: number of events.
        cells: number of cells of the line.
        steps: units h in a standard deviation of one term.
        log_size: log₂ of the points of the largest circle.
    """

    looks: int
    cells: int
    steps: int
    log_size: int

    def least(self) -> "Effort":
        """A smaller effort that is enough to compare events in floats."""
        return replace(self, steps=min(self.steps, 8), log_size=min(self.log_size, 12))
